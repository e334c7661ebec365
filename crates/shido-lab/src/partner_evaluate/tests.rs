//! Measuring with tiny networks and made-up games.

use shido_coach::Provenance;
use shido_coach::play::PartnerSettings;
use shido_net::CpuChoice;
use shido_net::tiny::Plan;

use super::*;
use crate::stats::MoveRecord;

/// A game whose first moves are far apart; `turn` makes games differ.
fn game(ranks: [Option<u8>; 2], turn: usize) -> PackedGame {
    let letter = |i: usize| char::from(b'a' + (i % 9) as u8);
    let points = (0..20).map(|i| format!("{}{}", letter(i * 4 + turn), letter(i * 7 / 16)));
    PackedGame {
        ranks,
        ..PackedGame::on_nine(points.collect::<String>() + "--")
    }
}

fn nets() -> Nets {
    let net = |meta, seed| {
        let plan = Plan {
            meta,
            ..Plan::new(seed)
        };
        Arc::new(Network::new(plan.build(), CpuChoice::Auto).expect("some path works"))
    };
    let (engine, human) = (net(false, 14), net(true, 15));
    Nets {
        judge: Arc::clone(&engine),
        judge_human: Some(Arc::clone(&human)),
        human: Some(human),
        engine,
    }
}

fn settings(positions: usize) -> Settings {
    Settings {
        board: 9,
        positions,
        simulations: Some(40),
        judge_visits: 4,
        ..Settings::default()
    }
}

fn level(name: &str) -> Level {
    name.parse().unwrap()
}

#[test]
fn positions_are_those_of_people_near_the_level_on_the_board() {
    // 22k, 20k; 10k; no rank; a program; another board.
    let mut games = vec![game([Some(8), Some(10)], 0), game([Some(20), None], 1)];
    games.push(PackedGame {
        program: true,
        ..game([Some(9); 2], 2)
    });
    games.push(PackedGame {
        size: [13, 13],
        ..game([Some(9); 2], 3)
    });
    let count = |name, near| {
        let settings = Settings {
            near,
            ..settings(1000)
        };
        choose(&games, level(name), &settings).len()
    };
    assert_eq!(count("21k", 1), 20, "the pass is no stone");
    assert_eq!(count("21k", 0), 0);
    assert_eq!(count("22k", 1), 10);
    assert_eq!(count("10k", 0), 10);
    assert_eq!(count("6d", 3), 0);
    let chosen = choose(&games, level("22k"), &settings(4));
    assert_eq!(chosen.len(), 4);
    assert!(chosen.iter().all(|it| it.game == 0 && it.ply % 2 == 0));
}

#[test]
fn every_player_gives_a_position_before_any_gives_two() {
    let games: Vec<_> = (0..6).map(|i| game([Some(20); 2], i)).collect();
    let chosen = choose(&games, level("10k"), &settings(12));
    let mut players: Vec<_> = chosen.iter().map(|it| (it.game, it.ply % 2)).collect();
    players.sort_unstable();
    players.dedup();
    assert_eq!(players.len(), 12);
    let again = choose(&games, level("10k"), &settings(12));
    let other = Settings {
        seed: 2,
        ..settings(12)
    };
    assert_eq!(chosen, again);
    assert_ne!(chosen, choose(&games, level("10k"), &other));
}

#[test]
fn both_moves_are_judged_and_threads_change_nothing() {
    let games = [game([Some(20), Some(21)], 0), game([Some(19), None], 1)];
    let nets = nets();
    let measure = |threads| {
        let settings = Settings {
            threads,
            ..settings(9)
        };
        let chosen = choose(&games, level("10k"), &settings);
        evaluate(&nets, &games, (level("10k"), &chosen), &settings, &|| ()).unwrap()
    };
    let found = measure(1);
    // Compared as text, because bands without positions hold no numbers.
    let text = |it: &LevelReport| serde_json::to_string(it).unwrap();
    assert!(text(&found) == text(&measure(3)));
    assert_eq!((found.games, found.positions + found.resigned), (2, 9));
    assert_eq!(found.settings.simulations, 40);
    assert_eq!(
        found.settings.halving.min_first, 1,
        "10 of 600, made shorter"
    );
    assert_eq!(found.provenance, Provenance::Provisional);
    assert!(found.target.value > 0.0 && found.target.n > 0);
    for side in [&found.people, &found.partner] {
        assert_eq!(side.loss.n, found.positions as u64);
        assert!(side.loss.value.is_finite() && side.geometric.value > 0.0);
        assert!(side.geometric.value <= side.arithmetic.value);
    }
    // The tiny network thinks all moves about equally likely; the partner's are not less so.
    assert!(found.partner.geometric.value >= found.people.geometric.value);
    let difference = found.partner.loss.value - found.people.loss.value;
    assert!((found.difference.value - difference).abs() < 1e-9);
    let n: u64 = found.by_lead.iter().map(|it| it.people.n).sum();
    assert_eq!(n, found.positions as u64);
}

#[test]
fn bad_settings_of_the_partner_are_refused() {
    let games = [game([Some(20), Some(21)], 0)];
    let settings = Settings {
        set: vec![("beta".to_owned(), "-1".to_owned())],
        ..settings(1)
    };
    let chosen = choose(&games, level("10k"), &settings);
    let found = evaluate(&nets(), &games, (level("10k"), &chosen), &settings, &|| ());
    let error = found.unwrap_err().to_string();
    assert!(error.contains("allowed is 0 to 100"), "{error}");
}

#[test]
fn figures_of_a_few_judged_moves() {
    let record = |loss, naturalness| MoveRecord {
        point: Some((3, 3)),
        previous: Some((3, 4)),
        naturalness,
        best_naturalness: 0.5,
        engine_probability: 0.1,
        loss,
    };
    let judged = |game, lead, person, partner: Option<MoveRecord>, same: bool| Judged {
        game,
        ply: 0,
        lead,
        played: "E5".to_owned(),
        chosen: partner.map(|_| if same { "E5" } else { "C3" }.to_owned()),
        person,
        partner,
        target: Some(3.0),
        own_loss: Some(1.0),
    };
    let (good, poor) = (record(0.0, 0.5), record(6.0, 0.005));
    let awful = record(20.0, 0.0);
    let all = vec![
        judged(0, 0.0, good, Some(good), true),
        judged(0, 30.0, good, Some(poor), false),
        judged(1, -4.0, awful, Some(good), false),
        judged(2, -90.0, awful, None, false),
    ];
    let plays = (PartnerSettings::default(), Provenance::Measured);
    let found = LevelReport::of(level("10k"), plays, all, 10.0);
    assert_eq!((found.games, found.positions, found.resigned), (2, 3, 1));
    assert!((found.people.loss.value - 20.0 / 3.0).abs() < 1e-12);
    assert!((found.partner.loss.value - 2.0).abs() < 1e-12);
    assert!((found.difference.value + 14.0 / 3.0).abs() < 1e-12);
    assert_eq!(
        (found.people.median_loss, found.partner.median_loss),
        (0.0, 0.0)
    );
    let thirds = |it: f64| (3.0 * it).round();
    assert_eq!(thirds(found.partner.over_5.value), 1.0);
    assert_eq!(thirds(found.partner.over_15.value), 0.0);
    assert_eq!(thirds(found.people.over_15.value), 1.0);
    assert_eq!(thirds(found.partner.likeliest.value), 2.0);
    assert_eq!(thirds(found.partner.unlikely.value), 1.0);
    assert_eq!(thirds(found.same.value), 1.0);
    assert!(found.people.geometric.value > 0.0, "nothing has no chance");
    let by_lead = found.by_lead.map(|it| (it.people.n, it.difference.value));
    assert_eq!(by_lead[0].0, 0, "who resigns is not behind");
    assert_eq!(by_lead[1..], [(2, -10.0), (1, 6.0)]);
}
