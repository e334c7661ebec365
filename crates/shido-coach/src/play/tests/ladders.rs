//! Ladders of three stones or more: answered by every partner that controls its moves,
//! unless something is far bigger or nothing is threatened.

use super::*;

/// Black to play, White having just threatened three stones with a ladder.
fn ladder() -> Position {
    let picture = "
        . . . . . . . . .
        . . . . . . . . .
        . . O O O . . . .
        . O X X X . . . .
        . . O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let board = shido_go::Diagram::parse(picture).unwrap().board;
    let mut position = Position::from_board(board, Color::White, Rules::JAPANESE, 6.5);
    position
        .play(parse_vertex("D5", Size::S9).unwrap())
        .unwrap();
    position
}

/// A ladder of three stones is answered whatever the search says (SF21, §5.3.1).
#[test]
fn no_partner_but_strong_ignores_a_ladder() {
    let position = ladder();
    let human = model(Size::S9, &[("B8", 0.9), ("E5", 0.02), ("F6", 0.08)]);
    for kind in PartnerKind::ALL {
        let partner = PartnerPolicy::new(PartnerSettings::new(kind)).unwrap();
        let mut answers = Vec::new();
        let mut rng = rng(5);
        let choice = loop {
            match partner.step(&view(&position, &human, &answers), &mut rng) {
                Step::Play(choice) => break choice,
                Step::Ask(ask) => {
                    // The search overlooks the ladder: it looks elsewhere unless told to.
                    let moves: Vec<String> = match &ask.work {
                        Work::Whole(_) => vec!["B8".to_owned(), "B2".to_owned()],
                        Work::Each(each) => each
                            .iter()
                            .map(|it| format_vertex(it.0, Size::S9))
                            .collect(),
                    };
                    let lead = |it: &str| if it == "B8" { 4.0 } else { -3.0 };
                    let rows: Vec<_> = moves
                        .iter()
                        .map(|it| (it.as_str(), 300, 0.5, lead(it)))
                        .collect();
                    answers.push(report(Size::S9, &rows));
                }
            }
        };
        let record = choice.record;
        let answered = record.notes.contains(&Note::LadderAnswered);
        if kind == PartnerKind::Strong {
            assert!(!answered && record.played == "B8");
        } else {
            assert!(answered, "{kind}: {record}");
            assert_ne!(record.played, "B8", "{kind}: {record}");
            assert_ne!(record.played, "B2", "{kind}: {record}");
        }
    }
}

/// So it is in the endgame, whose few candidates might leave the answers out.
#[test]
fn the_endgame_answers_a_ladder() {
    let position = ladder();
    let human = model(Size::S9, &[("B8", 0.97), ("B2", 0.02), ("E5", 0.01)]);
    let mut settings = PartnerSettings::new(PartnerKind::Natural);
    settings.set("endgame", "on").unwrap();
    settings.set("endgame.candidates", "2").unwrap();
    let partner = PartnerPolicy::new(settings).unwrap();
    let mut shown = view(&position, &human, &[]);
    shown.in_endgame = true;
    let Work::Each(each) = asked(partner.step(&shown, &mut rng(1))).work else {
        panic!("the endgame asks for each move");
    };
    let moves: Vec<String> = each
        .iter()
        .map(|it| format_vertex(it.0, Size::S9))
        .collect();
    assert!(moves.iter().any(|it| it == "E5"), "{moves:?}");
    assert!(moves.iter().any(|it| it == "pass"), "{moves:?}");
    let lead = |it: &str| if it == "B8" { 4.0 } else { -3.0 };
    let rows: Vec<_> = moves
        .iter()
        .map(|it| (it.as_str(), 90, 0.5, lead(it)))
        .collect();
    let answers = [report(Size::S9, &rows)];
    let mut shown = view(&position, &human, &answers);
    shown.in_endgame = true;
    let record = played(partner.step(&shown, &mut rng(1))).record;
    assert!(record.notes.contains(&Note::LadderAnswered), "{record}");
    assert!(
        !["B8", "B2", "pass"].contains(&record.played.as_str()),
        "{record}"
    );
}

/// Unless every answer costs far too much.
#[test]
fn a_ladder_is_left_for_something_far_bigger() {
    let position = ladder();
    let human = model(Size::S9, &[("B8", 0.9), ("E5", 0.1)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Roles)).unwrap();
    let rows = [("B8", 800, 0.9, 30.0), ("E5", 200, 0.1, 9.0)];
    let answers = [report(Size::S9, &rows)];
    let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
    assert_eq!(record.played, "B8");
    assert!(!record.notes.contains(&Note::LadderAnswered));
}

/// Stones that a pass would save as well are in no danger.
#[test]
fn a_ladder_that_threatens_nothing_is_left() {
    let position = ladder();
    let human = model(Size::S9, &[("B8", 0.5), ("E5", 0.4), ("F6", 0.1)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Natural)).unwrap();
    let rows = [
        ("B8", 100, 0.6, 5.0),
        ("E5", 100, 0.5, 2.0),
        ("F6", 100, 0.5, 2.0),
        ("pass", 100, 0.5, 2.0),
    ];
    let mut answer = report(Size::S9, &rows);
    // All is Black's already, and neither answer is better than a pass.
    answer.ownership = vec![0.99; 81];
    let answers = [answer.clone(), answer];
    let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
    assert_eq!(record.played, "B8");
    assert!(!record.notes.contains(&Note::LadderAnswered));
}

/// Stones that no answer saves are not fought for: a pass would cost less.
#[test]
fn stones_that_are_lost_anyway_are_left() {
    let position = ladder();
    let human = model(Size::S9, &[("B8", 0.5), ("E5", 0.4), ("F6", 0.1)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Natural)).unwrap();
    let check = |pass: f32, expect: &str| {
        let rows = [
            ("B8", 100, 0.6, 5.0),
            ("E5", 100, 0.4, -3.0),
            ("F6", 100, 0.4, -3.0),
            ("pass", 100, 0.4, pass),
        ];
        let answer = report(Size::S9, &rows);
        let answers = [answer.clone(), answer];
        let record = played(partner.step(&view(&position, &human, &answers), &mut rng(1))).record;
        assert_eq!(record.played, expect, "{record}");
        let answered = record.notes.contains(&Note::LadderAnswered);
        assert_eq!(answered, expect == "E5");
    };
    check(-1.0, "B8");
    check(-9.0, "E5");
}
