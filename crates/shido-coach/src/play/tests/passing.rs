//! Passes that nobody makes: networks misjudge them, and partners neither play them nor
//! measure stones by them.

use super::*;

/// Every partner but `strong`, which shows what the analyst would do.
fn screened() -> impl Iterator<Item = (PartnerKind, PartnerPolicy)> {
    let kinds = PartnerKind::ALL.into_iter();
    kinds
        .filter(|&kind| kind != PartnerKind::Strong)
        .map(|kind| {
            (
                kind,
                PartnerPolicy::new(PartnerSettings::new(kind)).unwrap(),
            )
        })
}

/// What people play in [`middle_game`], where hardly anybody passes.
fn people() -> Vec<f32> {
    model(Size::S9, &[("E7", 0.5), ("H2", 0.4), ("pass", 0.001)])
}

/// In a fight networks may take a pass on an open board for the best move by far. Nobody
/// passes for that, and what the stones lose is not counted from it.
#[test]
fn a_pass_that_nobody_thinks_of_is_no_measure() {
    let position = middle_game();
    let found = report(
        Size::S9,
        &[
            ("E7", 200, 0.7, 10.0),
            ("H2", 200, 0.65, 8.0),
            ("pass", 200, 0.9, 33.0),
        ],
    );
    let answers = vec![found; 3];
    let human = people();
    for (kind, partner) in screened() {
        let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
        let played = record.played_move().unwrap();
        assert!(["E7", "H2"].contains(&played.vertex.as_str()), "{record}");
        let loss = if played.vertex == "E7" { 0.0 } else { 2.0 };
        assert_eq!(played.loss, Some(loss), "{kind}");
        let pass = record.candidates.iter().find(|it| it.vertex == "pass");
        // A record holds the first thirty.
        if let Some(pass) = pass {
            assert_eq!(pass.set_aside, Some(SetAside::EarlyPass), "{kind}");
        }
    }
    // Where people pass, it counts.
    let over = model(Size::S9, &[("E7", 0.5), ("H2", 0.3), ("pass", 0.1)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Natural)).unwrap();
    let record = played(partner.step(&view(&position, &over, &answers), &mut rng(1))).record;
    assert_eq!(record.lead, Some(ForMover(Points(33.0))));
}

/// What such a pass is said to be worth does not make the only good stone pointless.
#[test]
fn an_answer_in_settled_territory_is_not_measured_by_a_pass_nobody_makes() {
    let position = middle_game();
    let mut found = report(
        Size::S9,
        &[
            ("E7", 200, 0.7, 10.0),
            ("H2", 200, 0.2, -15.0),
            ("pass", 200, 0.9, 33.0),
        ],
    );
    found.ownership = vec![0.99; 81];
    let answers = vec![found; 3];
    let human = people();
    for (kind, partner) in screened() {
        let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
        assert_eq!(record.played, "E7", "{kind}: {record}");
    }
}

/// People pass after a pass. In a fight a partner does not, whatever a search says.
#[test]
fn a_student_who_passes_in_a_fight_is_not_passed_after() {
    let mut position = middle_game();
    position.set_to_move(Color::White);
    position.play(Move::Pass).unwrap();
    let mut found = report(Size::S9, &[("E7", 200, 0.5, 1.0), ("pass", 200, 0.9, 33.0)]);
    found.ownership = vec![0.2; 81];
    let human = model(Size::S9, &[("E7", 0.5), ("H2", 0.1), ("pass", 0.4)]);
    let answers = vec![found.clone(); 3];
    for (kind, partner) in screened() {
        for seed in 0..20 {
            let step = partner.step(&view(&position, &human, &answers), &mut rng(seed));
            assert!(!played(step).mv.is_pass(), "{kind}");
        }
    }
}

/// The visits that went to such a pass do not leave the stones with too few.
#[test]
fn softmax_compares_with_the_visits_of_stones() {
    let position = middle_game();
    let found = report(
        Size::S9,
        &[
            ("pass", 940, 0.9, 33.0),
            ("E7", 30, 0.7, 10.0),
            ("H2", 15, 0.6, 8.0),
            ("B2", 1, 0.8, 40.0),
        ],
    );
    let human = people();
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Softmax)).unwrap();
    for seed in 0..20 {
        let step = partner.step(
            &view(&position, &human, std::slice::from_ref(&found)),
            &mut rng(seed),
        );
        let record = played(step).record;
        assert_eq!(record.rule, Rule::VisitsDraw);
        assert!(["E7", "H2"].contains(&record.played.as_str()), "{record}");
        // B2's, not the pass's.
        assert_eq!(record.win_rate, Some(ForMover(WinRate(0.8))));
    }
}

/// Returns why a pass was set aside.
fn concern_of_pass(record: &WhyRecord) -> Option<SetAside> {
    let pass = record.candidates.iter().find(|it| it.vertex == "pass");
    pass.expect("it was searched").set_aside
}

/// The Bradley–Terry model gives a pass a constant, which says nothing against one: what it
/// costs and how open the board is do.
#[test]
fn a_pass_is_not_judged_by_models_that_know_none() {
    let position = middle_game();
    let human = model(Size::S9, &[("E7", 0.5), ("H2", 0.4), ("pass", 0.002)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Roles)).unwrap();
    let check = |knows: [bool; 2], lead, owner, expect| {
        let mut found = report(
            Size::S9,
            &[
                ("E7", 200, 0.5, 5.0),
                ("H2", 200, 0.5, 3.0),
                ("pass", 200, 0.5, lead),
            ],
        );
        found.ownership = vec![owner; 81];
        let shown = View {
            human_knows_passes: knows[0],
            prior_knows_passes: knows[1],
            ..view(&position, &human, std::slice::from_ref(&found))
        };
        let record = played(partner.step(&shown, &mut rng(1))).record;
        assert_eq!(concern_of_pass(&record), expect, "{knows:?} {lead} {owner}");
    };
    let early = Some(SetAside::EarlyPass);
    check([false, false], 4.8, 0.9, None);
    check([false, false], 4.4, 0.9, early);
    check([false, false], 4.8, 0.4, early);
    for knows in [[true, false], [false, true], [true, true]] {
        check(knows, 4.8, 0.9, early);
    }
}

/// Where the engine's model knows no passes, people tell how natural one is; where neither
/// does, it is played before stones that nobody plays, after those that are natural.
#[test]
fn the_endgame_passes_where_the_engine_knows_no_passes() {
    let position = middle_game();
    let mut settings = PartnerSettings::new(PartnerKind::Natural);
    settings.set("endgame", "on").unwrap();
    let partner = PartnerPolicy::new(settings).unwrap();
    let check = |human_knows_passes, people_pass: f32, stone: f32, expect: &str| {
        let human = model(Size::S9, &[("E7", 0.1), ("pass", people_pass)]);
        let prior = model(Size::S9, &[("E7", stone), ("pass", 0.002)]);
        let mut found = report(Size::S9, &[("E7", 90, 0.3, -5.0), ("pass", 90, 0.3, -5.0)]);
        found.ownership = vec![0.9; 81];
        let shown = View {
            prior: &prior,
            human_knows_passes,
            prior_knows_passes: false,
            in_endgame: true,
            ..view(&position, &human, std::slice::from_ref(&found))
        };
        let record = played(partner.step(&shown, &mut rng(1))).record;
        assert_eq!(record.played, expect, "{record}");
    };
    check(true, 0.6, 0.3, "pass");
    check(true, 0.06, 0.3, "E7");
    check(false, 0.002, 0.3, "E7");
    check(false, 0.002, 0.005, "pass");
}

/// A student who lost every stone leaves few on the board. It is late all the same, and no
/// partner fills what is its own.
#[test]
fn who_has_won_everything_passes() {
    let board = shido_go::Board::new(Size::S9);
    let mut position = Position::from_board(board, Color::White, Rules::JAPANESE, 6.5);
    for [lost, taker] in [["A", "B"], ["J", "H"]] {
        for row in 1..=9 {
            for column in [lost, taker] {
                let mv = parse_vertex(&format!("{column}{row}"), Size::S9).unwrap();
                position.play(mv).unwrap();
            }
        }
    }
    position.play(Move::Pass).unwrap();
    assert_eq!(position.board().empty_count(), 81 - 18);
    let rows = [("E5", 200, 0.99, 74.5), ("F3", 200, 0.99, 74.5)];
    let mut found = report(Size::S9, &[rows[0], rows[1], ("pass", 200, 0.99, 74.5)]);
    found.ownership = vec![0.99; 81];
    let answers = vec![found; 3];
    let human = model(Size::S9, &[("E5", 0.4), ("F3", 0.3), ("pass", 0.3)]);
    for (kind, partner) in screened() {
        let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
        assert_eq!(record.played, "pass", "{kind}: {record}");
    }
}

/// In territory that is settled by the map people answer a threat all the same; whoever
/// does not, while the game goes on, is seen to overlook it.
#[test]
fn an_answer_that_people_give_is_not_pointless_while_nobody_passes() {
    let position = middle_game();
    let mut found = report(
        Size::S9,
        &[
            ("E7", 200, 0.5, 1.0),
            ("H2", 200, 0.5, 1.0),
            ("pass", 200, 0.5, 1.0),
        ],
    );
    found.ownership = vec![0.99; 81];
    let answers = vec![found.clone(); 3];
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Natural)).unwrap();
    let set_aside = |pass: f32, answer: f32| {
        let human = model(Size::S9, &[("E7", answer), ("H2", 0.2), ("pass", pass)]);
        let step = partner.step(&view(&position, &human, &answers), &mut rng(1));
        let candidates = played(step).record.candidates;
        let it = candidates.into_iter().find(|it| it.vertex == "E7");
        it.unwrap().set_aside == Some(SetAside::Settled)
    };
    assert!(!set_aside(0.01, 0.7));
    assert!(set_aside(0.01, 0.4));
    assert!(set_aside(0.1, 0.7));
}
