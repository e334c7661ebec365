//! Partners at the board: every kind finishes a game sanely, repeats itself from its
//! seed, and tells why.

mod scripted;

use std::sync::Arc;

use scripted::Scripted;
use shido_coach::play::{PartnerKind, PartnerSettings};
use shido_engine::human::{HumanNet, HumanSource};
use shido_engine::partner::{Turn, Watcher};
use shido_engine::player::{PartnerPlayer, Player};
use shido_engine::{
    Analyst, Classic, Limits, Native, NativeSettings, Network, Partner, PartnerMove,
};
use shido_go::gtp::{Reply, parse_vertex};
use shido_go::{Board, Color, Move, Position, Rank, Rules, Size};
use shido_net::{CpuChoice, CpuPath, tiny};
use shido_search::uct::{Knowledge, UctSettings};
use shido_search::{Analysis, Candidate, ForMover, Points, WinRate};

fn classic() -> Box<dyn Analyst> {
    let settings = UctSettings {
        memory: 8 << 20,
        stop_when_decided: true,
        ..UctSettings::default()
    };
    Box::new(Classic::new(settings, Knowledge::shipped()).unwrap())
}

fn native() -> Box<dyn Analyst> {
    let model = tiny::Plan::new(14).build();
    let network = Network::new(model, CpuChoice::Only(CpuPath::Plain)).unwrap();
    let native = Native::new(Arc::new(network), NativeSettings::default(), 1 << 20);
    Box::new(native.unwrap())
}

fn settings(kind: PartnerKind) -> PartnerSettings {
    PartnerSettings {
        simulations: 60,
        rank: Rank::Kyu(8),
        ..PartnerSettings::new(kind)
    }
}

fn partner(kind: PartnerKind) -> Partner {
    Partner::new(HumanSource::move_model(), settings(kind)).unwrap()
}

fn position(side: usize, moves: &str) -> Position {
    let size = Size::square(side).unwrap();
    let mut position = Position::new(size, Rules::JAPANESE, 6.5);
    for word in moves.split_whitespace() {
        position.play(parse_vertex(word, size).unwrap()).unwrap();
    }
    position
}

fn choose(partner: &mut Partner, analyst: &mut dyn Analyst, position: &Position) -> PartnerMove {
    partner.choose(analyst, Turn::new(position, &Limits::default()))
}

#[test]
fn every_partner_finishes_a_game_and_says_why() {
    for kind in PartnerKind::ALL {
        let mut player = PartnerPlayer::new(classic(), partner(kind), Limits::default());
        let mut game = position(5, "");
        player.new_game(&game, 7).unwrap();
        let mut told = 0;
        while !game.is_over() {
            assert!(game.moves().len() < 120, "{kind}: no end in sight");
            let choice = player.genmove(&game).unwrap();
            let Reply::Move(mv) = choice.reply else {
                break;
            };
            if let Move::Play(point) = mv {
                assert!(!game.board().is_eye(game.to_move(), point), "{kind}");
            }
            if let Some(record) = choice.record.partner {
                assert_eq!(record.partner, kind);
                assert_eq!(parse_vertex(&record.played, game.size()), Ok(mv));
                told += 1;
            }
            game.play(mv).unwrap();
        }
        assert!(told >= 4, "{kind}: {told} records");
        assert!(player.name().starts_with(kind.name()));
        assert!(player.final_score(&game).unwrap().is_some());
    }
}

#[test]
fn a_seed_and_a_position_decide_the_move() {
    for kind in PartnerKind::ALL {
        let game = position(5, "C3 B2 D4");
        let moves = |seed| {
            let (mut partner, mut analyst) = (partner(kind), native());
            partner.new_game(seed);
            let one = choose(&mut partner, &mut *analyst, &game);
            let two = choose(&mut partner, &mut *analyst, &game);
            assert_eq!((one.reply, &one.record), (two.reply, &two.record), "{kind}");
            one.reply
        };
        assert_eq!(moves(3), moves(3), "{kind}");
    }
    // A draw depends on the seed.
    let game = position(9, "");
    let mut partner = partner(PartnerKind::Human);
    let mut drawn = Vec::new();
    for seed in 0..12 {
        partner.new_game(seed);
        drawn.push(choose(&mut partner, &mut Scripted, &game).reply);
    }
    drawn.dedup();
    assert!(drawn.len() > 3, "{drawn:?}");
}

#[test]
fn the_limits_name_the_simulations_and_are_watched() {
    let game = position(9, "E5 C3");
    let (mut partner, mut analyst) = (partner(PartnerKind::Roles), classic());
    let mut reports = 0;
    let limits = Limits::visits(900);
    let chosen = partner.choose(
        &mut *analyst,
        Turn {
            watcher: Some(Watcher {
                every: std::time::Duration::from_micros(1),
                report: &mut |_| reports += 1,
            }),
            ..Turn::new(&game, &limits)
        },
    );
    assert_eq!(chosen.playouts, 900);
    assert!(reports > 0);
    assert_eq!(partner.settings().simulations, 60, "for that move alone");
    assert_eq!(choose(&mut partner, &mut *analyst, &game).playouts, 60);
}

#[test]
fn only_what_is_admitted_is_played() {
    let game = position(5, "C3 B2");
    let only = parse_vertex("E1", game.size()).unwrap();
    for kind in PartnerKind::ALL {
        let limits = Limits::default();
        let chosen = partner(kind).choose(
            &mut *classic(),
            Turn {
                admits: Some(&|mv| mv == only),
                ..Turn::new(&game, &limits)
            },
        );
        assert_eq!(chosen.reply, Reply::Move(only), "{kind}");
    }
}

#[test]
fn a_finished_game_is_passed_and_a_lost_one_not_given_up_early() {
    let rows = "
        . X O . .
        X X O O .
        . X X O O
        . . X O .
        . . X O .";
    let board = shido_go::Diagram::parse(rows).unwrap().board;
    for komi in [0.5, 30.5] {
        let mut game = Position::from_board(board.clone(), Color::White, Rules::JAPANESE, komi);
        game.play(Move::Pass).unwrap();
        for kind in PartnerKind::ALL {
            let limits = Limits::visits(600);
            let chosen = partner(kind).choose(&mut *classic(), Turn::new(&game, &limits));
            assert_eq!(chosen.reply, Reply::Move(Move::Pass), "{kind} at {komi}");
        }
    }
}

/// Sees a finished game: a pass is best, and a stone in one's own territory costs a point.
struct Over;

impl Over {
    fn fill(position: &Position) -> Move {
        parse_vertex("D2", position.size()).unwrap()
    }
}

impl Analyst for Over {
    fn name(&self) -> &'static str {
        "over"
    }

    fn analyze(&mut self, position: &Position, _: &Limits) -> Analysis {
        let color = position.to_move();
        let area = position.board().area();
        let owner = |point| match area.of(point) {
            Some(Color::Black) => 0.95,
            Some(Color::White) => -0.95,
            None => 0.0,
        };
        let candidate = |mv, lead| Candidate {
            visits: 100,
            win_rate: ForMover(WinRate(0.3)),
            lead: ForMover(Points(lead)),
            ..Candidate::unknown(mv)
        };
        Analysis {
            visits: 200,
            playouts: 200,
            win_rate: ForMover(WinRate(0.3)).for_black(color),
            score_deviation: Points(1.0),
            ownership: position.size().points().map(owner).collect(),
            candidates: vec![
                candidate(Move::Pass, -4.5),
                candidate(Over::fill(position), -5.5),
            ],
            ..Analysis::unknown(color)
        }
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: std::time::Duration,
        _: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.analyze(position, limits)
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        let size = position.size();
        let mut policy = vec![0.0; size.area() + 1];
        policy[size.area()] = 0.5;
        policy[size.index_of(Over::fill(position).point().unwrap())] = 0.5;
        policy
    }

    fn forget(&mut self) {}
}

/// The groups live by agreement, not by the rules alone, so that no screen keeps a partner
/// from filling its territory; that the search itself would pass must not keep it from
/// passing.
#[test]
fn a_finished_game_is_passed_also_where_the_search_passes() {
    let rows = "
        . . X O .
        . . X O .
        X X X O .
        O O O . .
        . . . . .";
    let board = shido_go::Diagram::parse(rows).unwrap().board;
    // White is far behind; D2 is White's, but beside Black's stones.
    let game = Position::from_board(board, Color::White, Rules::JAPANESE, -20.5);
    for kind in PartnerKind::ALL {
        for seed in 0..10 {
            let mut settings = settings(kind);
            settings.control.even_loss = 9.0;
            settings.natural.variety = 1.2;
            let mut partner = Partner::new(HumanSource::move_model(), settings).unwrap();
            partner.new_game(seed);
            let chosen = choose(&mut partner, &mut Over, &game);
            assert_eq!(chosen.reply, Reply::Move(Move::Pass), "{kind}");
        }
    }
}

/// Where manners pass in place of what the policy chose, its choice is no part of the game:
/// the student lost nothing by it, and no endgame has begun.
#[test]
fn a_choice_that_was_not_played_is_forgotten() {
    let rows = "
        . . X O .
        . . X O .
        X X X O .
        O O O . .
        . . . . .";
    let board = shido_go::Diagram::parse(rows).unwrap().board;
    for endgame in [false, true] {
        let mut game = Position::from_board(board.clone(), Color::White, Rules::JAPANESE, -20.5);
        let mut settings = settings(PartnerKind::Natural);
        if endgame {
            settings.set("endgame.start-9.lead", "10").unwrap();
        }
        let mut partner = Partner::new(HumanSource::move_model(), settings).unwrap();
        let chosen = choose(&mut partner, &mut Over, &game);
        assert_eq!(
            (chosen.reply, chosen.record),
            (Reply::Move(Move::Pass), None)
        );
        game.play(Move::Pass).unwrap();
        game.play(parse_vertex("A5", game.size()).unwrap()).unwrap();
        let limits = Limits::default();
        let turn = Turn {
            admits: Some(&|mv| !mv.is_pass()),
            ..Turn::new(&game, &limits)
        };
        let record = partner.choose(&mut Over, turn).record.unwrap();
        assert!(!record.is_endgame(), "{record}");
        assert_eq!(partner.losses_against(Color::White), Vec::<f32>::new());
    }
}

/// A move that was taken back, or only asked for, is no part of the game that is lost.
#[test]
fn what_was_taken_back_is_forgotten() {
    let replies = |takes_back: bool| {
        let mut settings = settings(PartnerKind::Natural);
        for (name, value) in [
            ("resign.not-before", "0"),
            ("resign.win-rate-below", "1"),
            ("resign.behind", "0"),
            ("resign.in-a-row", "2"),
        ] {
            settings.set(name, value).unwrap();
        }
        let mut partner = Partner::new(HumanSource::move_model(), settings).unwrap();
        let mut analyst = classic();
        let hopeless = |moves| {
            let mut position = position(7, moves);
            position.set_komi(100.5);
            position
        };
        let first = choose(&mut partner, &mut *analyst, &hopeless(""));
        if takes_back {
            partner.take_back(0);
        }
        let second = choose(&mut partner, &mut *analyst, &hopeless("D4 C3"));
        [first, second].map(|it| it.reply == Reply::Resign)
    };
    assert_eq!(replies(false), [false, true]);
    assert_eq!(replies(true), [false, false]);
}

#[test]
fn white_plays_on_against_nine_stones() {
    let size = Size::S9;
    let mut board = Board::new(size);
    for point in shido_go::handicap::fixed(size, 9).unwrap() {
        board.place(Color::Black, point);
    }
    let mut game = Position::from_board(board, Color::White, Rules::JAPANESE, 0.5);
    game.set_handicap(9);
    for kind in [
        PartnerKind::Natural,
        PartnerKind::Gentle,
        PartnerKind::Strong,
    ] {
        let chosen = choose(&mut partner(kind), &mut *classic(), &game);
        let Reply::Move(mv) = chosen.reply else {
            panic!("{kind} resigned at once");
        };
        assert!(mv.point().is_some(), "{kind}: {:?}", chosen.why);
    }
}

#[test]
fn a_human_network_is_asked_by_rank() {
    let human = HumanNet::Embedded.open(CpuChoice::Auto).unwrap();
    let mut partner = Partner::new(human, settings(PartnerKind::Human)).unwrap();
    let game = position(9, "E5 C3 G7");
    let weak = partner.human_policy(&game);
    let stronger = PartnerSettings {
        rank: Rank::Dan(5),
        ..settings(PartnerKind::Human)
    };
    partner.set_settings(stronger).unwrap();
    let strong = partner.human_policy(&game);
    assert_ne!(weak, strong);
    partner.set_student(Some(Rank::Kyu(20)));
    assert_ne!(partner.human_policy(&game), strong);
    let bad = PartnerSettings {
        simulations: 0,
        ..settings(PartnerKind::Human)
    };
    assert!(partner.set_settings(bad).is_err());
}
