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
