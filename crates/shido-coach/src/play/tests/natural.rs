//! Whole turns of the default partner.

use super::*;

/// A full turn of halving on 9×9: 25 natural moves, one of the engine's, the pass.
#[test]
fn natural_asks_in_two_rounds_and_plays_the_smooth_score() {
    let position = opening();
    let points: Vec<String> = position
        .board()
        .size()
        .points()
        .map(|point| format_vertex(Move::Play(point), Size::S9))
        .collect();
    // 30 moves fall off evenly; the engine likes the last of them.
    let free = points
        .iter()
        .filter(|it| !["E5", "C3", "G7", "C7"].contains(&it.as_str()));
    let natural: Vec<_> = free.take(30).enumerate().collect();
    let human: Vec<_> = natural
        .iter()
        .map(|(i, vertex)| (vertex.as_str(), 0.06 - 0.001 * *i as f32))
        .collect();
    let last = human[29].0;
    let human_model = model(Size::S9, &human);
    let engine_model = model(Size::S9, &[(last, 1.0)]);
    let partner = PartnerPolicy::new(as_in_the_papers(PartnerKind::Natural)).unwrap();
    let step = |answers: &[Analysis]| {
        let view = View {
            prior: &engine_model,
            ..view(&position, &human_model, answers)
        };
        partner.step(&view, &mut rng(1))
    };
    let Work::Each(first) = asked(step(&[])).work else {
        panic!("each move has a subtree of its own");
    };
    assert_eq!(first.len(), 27);
    assert!(first.iter().all(|it| it.1 == 500 / 27));
    let vertices: Vec<_> = first
        .iter()
        .map(|it| format_vertex(it.0, Size::S9))
        .collect();
    assert_eq!(vertices[0], human[0].0);
    assert!(vertices.contains(&last.to_owned()) && vertices.contains(&"pass".to_owned()));

    // All even but four: the target is β = 3.2 points, and these four lose about that.
    let good = [human[3].0, human[10].0, human[11].0, human[12].0];
    let answer = |visits: u64, lead: &dyn Fn(&str) -> f32, among: &[String]| {
        let moves: Vec<_> = among
            .iter()
            .map(|it| (it.as_str(), visits, 0.5, lead(it)))
            .collect();
        report(Size::S9, &moves)
    };
    let round1 = answer(
        18,
        &|it| if good.contains(&it) { -3.2 } else { 0.0 },
        &vertices,
    );
    let Work::Each(second) = asked(step(std::slice::from_ref(&round1))).work else {
        panic!("the second round too");
    };
    let remaining: Vec<_> = second
        .iter()
        .map(|it| format_vertex(it.0, Size::S9))
        .collect();
    assert_eq!(remaining, good);
    let second_each = 18 + (1000 - 18 * 27) / 4;
    assert!(second.iter().all(|it| it.1 == second_each));

    // They stay good: the most natural of them is played.
    let round2 = answer(second_each, &|_| -3.2, &remaining);
    let choice = played(step(&[round1.clone(), round2]));
    assert_eq!(choice.record.played, good[0]);
    assert_eq!(choice.record.rule, Rule::NaturalScore);
    assert_eq!(choice.record.target_loss, Some(3.2));
    assert!(!choice.record.notes.contains(&Note::ExtraSimulations));
    let dropped = choice
        .record
        .candidates
        .iter()
        .filter(|it| it.set_aside.is_some());
    let dropped: Vec<_> = dropped.map(|it| it.set_aside).collect();
    assert_eq!(dropped, [Some(SetAside::NotPromising); 23]);

    // Three turn out better than all, so the others now lose what is wanted. But these were
    // dropped with another score, and that is what counts (HI24, Alg. 2, lines 16 and 20).
    let better = answer(
        second_each,
        &|it| if it == good[0] { -3.2 } else { 3.0 },
        &remaining,
    );
    let choice = played(step(&[round1.clone(), better]));
    assert_eq!(choice.record.played, good[0]);
    assert_eq!(choice.record.target_loss, Some(3.2 * (1.0 + 3.0 / 25.0)));
    assert!(!choice.record.notes.contains(&Note::ExtraSimulations));

    // They turn out to lose more than 20 points: everything else is searched again.
    let bad = answer(second_each, &|_| -21.0, &remaining);
    let Work::Each(extra) = asked(step(&[round1.clone(), bad.clone()])).work else {
        panic!("the extra simulations too");
    };
    assert_eq!(extra.len(), 23);
    assert!(extra.iter().all(|it| it.1 == second_each));
    let others: Vec<_> = vertices
        .iter()
        .filter(|it| !remaining.contains(it))
        .cloned()
        .collect();
    let favorite = human[7].0;
    let round3 = answer(
        second_each,
        &|it| if it == favorite { -3.0 } else { 0.0 },
        &others,
    );
    let choice = played(step(&[round1, bad, round3]));
    assert_eq!(choice.record.played, favorite);
    assert!(choice.record.notes.contains(&Note::ExtraSimulations));
    let candidates = choice.record.candidates.iter();
    let left = candidates.filter(|it| it.set_aside.is_none()).count();
    assert_eq!(left, 4, "as many to draw from as after two rounds");
}

/// A lead that was none hides all others in the first round. When the second shows it, what
/// was dropped is searched as well, and nothing is played on a first look alone.
#[test]
fn natural_looks_again_when_all_that_remained_is_out() {
    let position = opening();
    let human = model(Size::S9, &[("D4", 0.5), ("F3", 0.4), ("G3", 0.1)]);
    let partner = PartnerPolicy::new(as_in_the_papers(PartnerKind::Natural)).unwrap();
    let found = |visits, d4| {
        let moves = [("D4", visits, 0.5, d4), ("F3", visits, 0.5, 4.0)];
        report(Size::S9, &[moves[0], moves[1], ("G3", visits, 0.5, 2.0)])
    };
    let step = |answers: &[Analysis]| partner.step(&view(&position, &human, answers), &mut rng(1));
    let first = found(100, 30.0);
    let second = report(Size::S9, &[("D4", 500, 0.2, -30.0)]);
    let Work::Each(extra) = asked(step(&[first.clone(), second.clone()])).work else {
        panic!("each move has a subtree of its own");
    };
    let extra: Vec<_> = (extra.iter())
        .map(|it| format_vertex(it.0, Size::S9))
        .collect();
    assert_eq!(extra, ["F3", "G3", "pass"]);
    let third = report(Size::S9, &[("F3", 500, 0.5, 4.0), ("G3", 500, 0.5, 2.0)]);
    let record = played(step(&[first, second, third])).record;
    // It loses what is wanted.
    assert_eq!(record.played, "G3");
    assert!(record.notes.contains(&Note::ExtraSimulations));
}

/// With variety a move is drawn by its score; the paper plays the highest.
#[test]
fn natural_draws_when_it_may_vary() {
    let position = opening();
    let human = model(Size::S9, &[("D4", 0.6), ("F3", 0.3), ("G3", 0.1)]);
    // D4 and F3 lose what is wanted, G3 far too much to be considered.
    let moves = [("D4", 300, 0.5, -3.2), ("F3", 300, 0.5, -3.2)];
    let others = [("G3", 300, 0.5, -30.0), ("pass", 300, 0.5, 0.0)];
    let answer = report(Size::S9, &[moves, others].concat());
    let answers = [answer.clone(), answer.clone(), answer];
    let counts = |variety: f32| {
        let mut settings = as_in_the_papers(PartnerKind::Natural);
        settings.natural.variety = variety;
        let partner = PartnerPolicy::new(settings).unwrap();
        let mut counts = [0; 3];
        for seed in 0..2000 {
            let step = partner.step(&view(&position, &human, &answers), &mut rng(seed));
            let record = played(step).record;
            let drawn = record.notes.contains(&Note::DrawnByScore);
            assert_eq!(drawn, variety > 0.0, "{record}");
            let at = match record.played.as_str() {
                "D4" => 0,
                "F3" => 1,
                _ => 2,
            };
            counts[at] += 1;
        }
        counts
    };
    assert_eq!(counts(0.0), [2000, 0, 0]);
    let [first, second, other] = counts(1.0);
    // The pass is unlikely, and it loses nothing, which is not what is wanted.
    assert!(other < 20, "{other}");
    assert!((600..730).contains(&second), "{first} {second}");
    let [_, second, _] = counts(0.5);
    assert!((340..460).contains(&second), "{second}");
}

/// A capture that everybody sees loses nothing, which is not what a weak level wants; it is
/// played as often as people play it all the same.
#[test]
fn natural_passes_nothing_obvious_over() {
    let position = opening();
    let rest = [
        ("F3", 0.02),
        ("G3", 0.02),
        ("H3", 0.02),
        ("C7", 0.02),
        ("C8", 0.02),
    ];
    let human = model(Size::S9, &[&[("D4", 0.9)], &rest[..]].concat());
    let wanted: Vec<_> = rest.iter().map(|it| (it.0, 20, 0.5, -9.0)).collect();
    let first = report(Size::S9, &[&[("D4", 20, 0.5, 0.0)], &wanted[..]].concat());
    let mut settings = as_in_the_papers(PartnerKind::Natural);
    settings.control.even_loss = 9.0;
    let share_of_d4 = |settings: &PartnerSettings| {
        let partner = PartnerPolicy::new(settings.clone()).unwrap();
        let ask = asked(partner.step(
            &view(&position, &human, std::slice::from_ref(&first)),
            &mut rng(0),
        ));
        let Work::Each(second) = ask.work else {
            panic!("each move has a subtree of its own");
        };
        assert_eq!(second.len(), 4);
        let vertex = |mv| format_vertex(mv, Size::S9);
        let moves: Vec<_> = second.iter().map(|it| vertex(it.0)).collect();
        let numbers = |mv: &String| match mv.as_str() {
            "D4" => ("D4", 300, 0.5, 0.0),
            other => (
                rest.iter().find(|it| it.0 == other).unwrap().0,
                300,
                0.5,
                -9.0,
            ),
        };
        let second = report(Size::S9, &moves.iter().map(numbers).collect::<Vec<_>>());
        let answers = [first.clone(), second];
        let plays = |seed| played(partner.step(&view(&position, &human, &answers), &mut rng(seed)));
        let all = 2000;
        let d4 = (0..all)
            .filter(|&seed| plays(seed).record.played == "D4")
            .count();
        d4 as f32 / all as f32
    };
    settings.natural.variety = 1.25;
    let share = share_of_d4(&settings);
    assert!((0.88..0.92).contains(&share), "{share}");
    settings.natural.obvious_from = 1.0;
    assert!(share_of_d4(&settings) < 0.3);
    // The paper's way has the highest score alone.
    settings.natural.obvious_from = 0.7;
    settings.natural.variety = 0.0;
    assert_eq!(share_of_d4(&settings), 0.0);
}

/// All that people play is refuted by 25 points; what is left is nobody's move.
#[test]
fn natural_does_not_set_aside_all_that_people_play() {
    let position = opening();
    let human = model(
        Size::S9,
        &[("D4", 0.5), ("F3", 0.3), ("H8", 0.01), ("pass", 0.001)],
    );
    let rows = [
        ("H8", 100, 0.9, 30.0),
        ("D4", 100, 0.5, 5.0),
        ("F3", 100, 0.5, 3.0),
    ];
    let answers = [report(Size::S9, &rows), report(Size::S9, &rows)];
    let set_aside = |variety: &str, spared: &str| {
        let mut settings = as_in_the_papers(PartnerKind::Natural);
        settings.set("natural.variety", variety).unwrap();
        settings.set("natural.spared", spared).unwrap();
        let partner = PartnerPolicy::new(settings).unwrap();
        let choice = played(partner.step(&view(&position, &human, &answers), &mut rng(1)));
        let out = choice.record.candidates;
        out.iter()
            .filter(|it| it.set_aside == Some(SetAside::LosesTooMuch))
            .count()
    };
    assert_eq!(set_aside("1", "0.2"), 0);
    assert_eq!(set_aside("1", "0.01"), 2);
    // The paper's way.
    assert_eq!(set_aside("0", "0.2"), 2);
}
