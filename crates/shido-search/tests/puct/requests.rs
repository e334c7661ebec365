//! What the search asks evaluators for, and how it spreads.

use std::collections::HashSet;

use shido_go::{Color, Position, Rules, Size, Symmetry};
use shido_search::puct::PuctSettings;

use crate::evaluators::{RACE, at, count_area, drive, position, puct};

#[test]
fn requests_out_at_once_are_of_different_positions() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    let root = puct.gather(8);
    assert_eq!(root.len(), 1, "the root comes first, alone");
    assert!(puct.gather(8).is_empty(), "nothing is known yet");
    for request in root {
        let evaluation = count_area(request.position());
        puct.apply(request, evaluation);
    }
    let requests = puct.gather(8);
    assert_eq!(requests.len(), 8);
    let hashes: HashSet<u64> = requests.iter().map(|it| it.position().hash()).collect();
    assert_eq!(hashes.len(), 8);
    assert_eq!(puct.in_flight(), 8);
    for request in requests {
        puct.cancel(request);
    }
    assert_eq!((puct.in_flight(), puct.visits()), (0, 1));
    puct.set_visit_limit(Some(100));
    drive(&mut puct, 4, |request| count_area(request.position()));
    assert_eq!(puct.visits(), 100);
}

#[test]
fn requests_of_a_tree_that_is_gone_do_nothing() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    puct.set_visit_limit(Some(20));
    drive(&mut puct, 1, |request| count_area(request.position()));
    puct.set_visit_limit(None);
    let stale = puct.gather(3);
    assert!(!stale.is_empty());
    position.play(at(Size::S9, 4, 4)).expect("legal");
    puct.set_root(&position);
    let before = puct.visits();
    for request in stale {
        let evaluation = count_area(request.position());
        puct.apply(request, evaluation);
    }
    assert_eq!(puct.visits(), before);
    assert_eq!(puct.in_flight(), 0);
}

#[test]
fn a_request_says_how_to_look_at_it() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    position.play(at(Size::S9, 2, 3)).expect("legal");
    let mut settings = PuctSettings::analysis();
    settings.komi_offset = 3.0;
    settings.root.symmetries = 8;
    let mut puct = puct(settings);
    puct.set_root(&position);
    puct.set_visit_limit(Some(60));
    drive(&mut puct, 2, |request| {
        let depth = request.position().moves().len() - position.moves().len();
        assert_eq!(request.depth(), depth);
        assert_eq!(request.history(), Some(depth));
        assert_eq!(request.conservative_pass(), depth == 0);
        assert_eq!(request.symmetries().count(), if depth == 0 { 8 } else { 1 });
        assert!(request.wants_ownership());
        assert_eq!(request.position().komi(), 10.0);
        count_area(request.position())
    });
    // The search saw three points less for Black than there are.
    let analysis = puct.analysis();
    let lead = count_area(&position).lead.for_black(Color::White).0.0;
    assert_eq!(
        analysis
            .raw
            .as_ref()
            .map(|it| it.lead.for_black(Color::White).0.0),
        Some(lead)
    );
    let mut plain = crate::evaluators::puct(PuctSettings::analysis());
    let plain = crate::evaluators::run(&mut plain, &position, 60);
    assert!((analysis.lead.0.0 - plain.lead.0.0).abs() < 1.0);
    assert!(analysis.win_rate.0.0 < plain.win_rate.0.0);
}

#[test]
fn symmetries_are_drawn_only_if_asked_for() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let drawn = |random| {
        let mut settings = PuctSettings::default();
        settings.report.random_symmetry = random;
        let mut puct = puct(settings);
        puct.set_root(&position);
        puct.set_visit_limit(Some(60));
        let seen = std::cell::RefCell::new(HashSet::new());
        drive(&mut puct, 1, |request| {
            seen.borrow_mut()
                .extend(request.symmetries().map(Symmetry::bits));
            count_area(request.position())
        });
        seen.into_inner().len()
    };
    assert_eq!(drawn(false), 1);
    assert_eq!(drawn(true), 8);
}

#[test]
fn mirrored_moves_are_searched_once_and_reported_all() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::default());
    let analysis = crate::evaluators::run(&mut puct, &position, 200);
    let searched = (analysis.candidates.iter()).filter(|it| it.mirrors.is_none());
    assert_eq!(searched.map(|it| it.visits).sum::<u64>(), 199);
    let mirrored: Vec<_> = (analysis.candidates.iter())
        .filter(|it| it.mirrors.is_some())
        .collect();
    assert!(!mirrored.is_empty());
    for twin in mirrored {
        let original = analysis.candidate(twin.mirrors.expect("mirrored"));
        let original = original.expect("searched");
        assert_eq!(
            (twin.visits, twin.win_rate),
            (original.visits, original.win_rate)
        );
        assert_eq!(twin.line[0], twin.mv);
    }
}

/// A black stone at the middle of the ko can be taken at once but not taken back.
const KO: [&str; 5] = [".XO..", "X.XO.", ".XO..", ".....", "....."];

#[test]
fn a_ko_is_judged_by_the_moves_that_were_played() {
    for rules in [Rules::TROMP_TAYLOR, Rules::AGA, Rules::JAPANESE] {
        let mut position = position(&KO, Color::White, rules, 0.0);
        position
            .play(at(position.size(), 1, 1))
            .expect("takes the ko");
        let retake = at(position.size(), 2, 1);
        let mut puct = puct(PuctSettings::default());
        puct.set_root(&position);
        puct.set_visit_limit(Some(400));
        let retaken = std::cell::Cell::new(0);
        drive(&mut puct, 3, |request| {
            let position = request.position();
            if rules.ko != shido_go::Ko::Simple {
                let mut seen: HashSet<u64> = HashSet::from([position.board().hash()]);
                let stones = position.moves().iter().zip(position.hashes_before());
                for (_, hash) in stones.filter(|(it, _)| !it.mv.is_pass()) {
                    assert!(seen.insert(hash), "a position came back");
                }
            }
            let later = position.moves().iter().skip(2).any(|it| it.mv == retake);
            retaken.set(retaken.get() + usize::from(later));
            careless(position)
        });
        let analysis = puct.analysis();
        assert!(analysis.candidate(retake).is_none());
        assert!(retaken.get() > 0, "it may be retaken after a threat");
    }
}

/// Knows nothing of ko, and thinks of the retake first.
fn careless(position: &Position) -> shido_search::Evaluation {
    let mut evaluation = count_area(position);
    let size = position.size();
    for point in size.points() {
        let empty = position.board().is_empty(point);
        evaluation.policy[size.index_of(point)] = f32::from(u8::from(empty)) / 30.0;
    }
    let ko = size.point(2, 1).expect("on the board");
    evaluation.policy[size.index_of(ko)] *= 10.0;
    evaluation
}
