//! Games of the program's own, for positions that people seldom reach.
//!
//! Boards from 7×7 to 19×19, rectangles too, any rules, handicaps, odd komis. Moves
//! are drawn from what a [`Mover`] thinks of them: freely in the opening, so that games
//! differ, then sharpened or flattened game by game, so that quiet and wild games both
//! occur, and now and then at random, so that blunders and their punishment do. Where
//! the mover can tell who is ahead, most games are made even by komi after the opening
//! and given up when they are decided: an evaluator is needed most where it is close.
//! Movers are the Bradley–Terry move model ([`super::model_mover`]) and networks
//! ([`super::net_mover`]).
//!
//! A teacher may judge the positions; a mover that searches leaves what it found itself,
//! and its games are played to the end and counted.

use std::io::{self, Write};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::{Board, Color, Ko, Move, Point, PointSet, Position, Rules, Size, handicap};
use shido_patterns::policy::Policy;

use super::dead::agree_on_dead;
use super::encode::{below, unit};
use super::packed::{write_move, write_point};
use super::{PackedGame, PackedSearch, Source};

/// How many games, and on which boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaySettings {
    /// Games.
    pub games: usize,
    /// The shortest and the longest side.
    pub sides: (usize, usize),
    /// Decides everything random.
    pub seed: u64,
}

/// What was played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayReport {
    /// Moves of all games.
    pub moves: usize,
    /// Those with a search that is about the game as it was played.
    pub searched: usize,
    /// Games that were counted.
    pub counted: usize,
}

/// Powers of a mover's probabilities in the opening.
const FREEDOM: (f64, f64) = (0.7, 1.3);
/// Powers after it, evenly by their logarithms.
const SHARPNESS: (f64, f64) = (0.7, 4.0);
/// Points of the board for each handicap stone above two.
const HANDICAP_AREA: usize = 45;
/// The longest opening, as a share of the board's points.
const OPENING: f64 = 0.12;
/// The chance of a move at random.
const STRAY: f64 = 0.03;
/// The share of games that are made even after the opening.
const EVEN: f64 = 0.8;
/// How far from even, in points.
const SLACK: f64 = 3.0;
/// The chance that a move ends a decided game.
const GIVE_UP: f64 = 0.15;

/// Thinks of the moves of a position.
pub trait Mover {
    /// Fills `moves` with legal moves and what each weighs against the others.
    ///
    /// Returns what a search found, if it made one.
    fn weigh(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) -> Option<PackedSearch>;

    /// Returns by how many points Black is ahead, komi included, if the mover can tell.
    fn lead(&mut self, position: &Position) -> Option<f32>;

    /// Returns who owns each point, 1 for Black to −1 for White, if the mover can tell.
    fn ownership(&mut self, position: &Position) -> Option<Vec<f32>>;
}

/// Plays games and writes them packed; `on_game` hears how many are done.
///
/// Each color of each game has a mover drawn from `movers`, of which there must be one.
pub fn play(
    settings: &PlaySettings,
    movers: &mut [Box<dyn Mover>],
    out: &mut dyn Write,
    on_game: &mut dyn FnMut(usize),
) -> io::Result<PlayReport> {
    let policy = Policy::embedded();
    let mut report = PlayReport::default();
    for i in 0..settings.games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed.wrapping_add(i as u64));
        let start = random_start(settings.sides, &mut rng);
        let game = play_game(&start, movers, &policy, &mut rng);
        serde_json::to_writer(&mut *out, &game)?;
        out.write_all(b"\n")?;
        report.moves += game.len();
        report.searched += game.searches.iter().flatten().count();
        report.counted += usize::from(game.counted);
        on_game(i + 1);
    }
    Ok(report)
}

fn random_start((short, long): (usize, usize), rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut side = || short + below(rng, long - short + 1);
    let width = side();
    let square = side();
    let height = if unit(rng) < 0.85 { width } else { square };
    let size = Size::new(width, height).expect("sides are within 2 to 25");
    let mut rules = Rules::NAMED[below(rng, Rules::NAMED.len())].1;
    if unit(rng) < 0.5 {
        rules.ko = Ko::Simple;
    }
    let handicap = if unit(rng) < 0.3 {
        2 + below(rng, (size.area() / HANDICAP_AREA).clamp(1, 8))
    } else {
        0
    };
    let komi = 7.0
        + 14.0 * (unit(rng) - 0.5)
        + if unit(rng) < 0.2 {
            50.0 * (unit(rng) - 0.5)
        } else {
            0.0
        };
    let komi = (2.0 * komi).round() as f32 / 2.0;
    let stones: Vec<Point> = handicap::fixed(size, handicap).unwrap_or_default();
    if stones.is_empty() {
        return Position::new(size, rules, komi);
    }
    let mut board = Board::new(size);
    for &stone in &stones {
        board.place(Color::Black, stone);
    }
    let mut position = Position::from_board(board, Color::White, rules, komi);
    position.set_handicap(stones.len());
    position
}

fn play_game(
    start: &Position,
    movers: &mut [Box<dyn Mover>],
    policy: &Policy,
    rng: &mut Xoshiro256PlusPlus,
) -> PackedGame {
    let size = start.size();
    let temper = Temper::draw(size, movers.len(), rng);
    let (end, text, searches) = play_moves(start, movers, &temper, rng);
    let judge = movers[temper.movers[end.to_move().index()]].as_mut();
    // Others were given up where they were decided: their counts would favor the close ones.
    let whole = end.is_over() && !searches.is_empty();
    let dead = whole.then(|| judge_dead(&end, judge, policy)).flatten();
    let stones = |color| {
        let own = |&it: &Point| start.board().stone(it) == Some(color);
        size.points().filter(own).map(write_point).collect()
    };
    PackedGame {
        source: Source::Selfplay,
        size: [size.width(), size.height()],
        rules: start.rules().to_string(),
        komi: end.komi(),
        handicap: start.handicap(),
        ranks: [None; 2],
        time: 0,
        result: dead.as_ref().map(|it| end.score(it).lead(Color::Black)),
        counted: dead.is_some(),
        program: true,
        setup: Color::BOTH.map(stones),
        white_first: start.to_move() == Color::White,
        moves: text,
        dead: dead.map(|it| it.iter().map(write_point).collect()),
        searches,
    }
}

/// Returns the last position, the moves, and the searches before them, if there were any.
fn play_moves(
    start: &Position,
    movers: &mut [Box<dyn Mover>],
    temper: &Temper,
    rng: &mut Xoshiro256PlusPlus,
) -> (Position, String, Vec<Option<PackedSearch>>) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut text = String::new();
    let mut searches: Vec<Option<PackedSearch>> = Vec::new();
    for count in 0..2 * start.size().area() {
        let mover = movers[temper.movers[position.to_move().index()]].as_mut();
        if count == temper.opening && unit(rng) < EVEN {
            make_even(&mut position, mover, rng);
            // They were about a game with another komi.
            searches.fill(None);
        }
        let given_up = count > temper.opening && unit(rng) < GIVE_UP;
        let searching = searches.last().is_some_and(Option::is_some);
        if position.is_over() || given_up && !searching && is_decided(&position, mover) {
            break;
        }
        searches.push(mover.weigh(&position, &mut moves));
        let mv = temper.choose(&moves, count, rng);
        text.push_str(&write_move(mv));
        position.play(mv).expect("a legal move was drawn");
    }
    if searches.iter().all(Option::is_none) {
        searches.clear();
    }
    (position, text, searches)
}

/// Returns the dead stones of a game that has ended, where they are beyond doubt.
fn judge_dead(end: &Position, judge: &mut dyn Mover, policy: &Policy) -> Option<PointSet> {
    agree_on_dead(end, policy, &judge.ownership(end)?)
}

/// How the moves of one game are drawn.
struct Temper {
    opening: usize,
    powers: [f64; 2],
    /// Whom Black and White are played by.
    movers: [usize; 2],
}

impl Temper {
    fn draw(size: Size, movers: usize, rng: &mut Xoshiro256PlusPlus) -> Temper {
        let longest = OPENING * size.area() as f64;
        let free = FREEDOM.0 + (FREEDOM.1 - FREEDOM.0) * unit(rng);
        let sharp = SHARPNESS.0 * (SHARPNESS.1 / SHARPNESS.0).powf(unit(rng));
        Temper {
            opening: below(rng, longest as usize + 1),
            powers: [free, sharp],
            movers: [below(rng, movers), below(rng, movers)],
        }
    }

    fn choose(&self, moves: &[(Move, f64)], count: usize, rng: &mut Xoshiro256PlusPlus) -> Move {
        if unit(rng) < STRAY && !moves.is_empty() {
            return moves[below(rng, moves.len())].0;
        }
        draw(moves, self.powers[usize::from(count >= self.opening)], rng)
    }
}

/// Sets the komi with which nobody is far ahead.
fn make_even(position: &mut Position, mover: &mut dyn Mover, rng: &mut Xoshiro256PlusPlus) {
    let Some(lead) = mover.lead(position) else {
        return;
    };
    let most = position.size().area() as f64;
    let off = SLACK * (unit(rng) - unit(rng));
    let komi = (f64::from(position.komi() + lead) + off).clamp(-most, most);
    position.set_komi((2.0 * komi).round() as f32 / 2.0);
}

/// Returns whether the lead is more than can be made up for.
fn is_decided(position: &Position, mover: &mut dyn Mover) -> bool {
    let much = 8.0 + position.size().area() as f32 / 10.0;
    mover.lead(position).is_some_and(|it| it.abs() > much)
}

/// Draws a move by its weight to a power; a pass if there is none.
fn draw(moves: &[(Move, f64)], power: f64, rng: &mut Xoshiro256PlusPlus) -> Move {
    let weight = |it: &(Move, f64)| it.1.max(1e-9).powf(power);
    let total: f64 = moves.iter().map(weight).sum();
    let mut left = unit(rng) * total;
    for it in moves {
        left -= weight(it);
        if left <= 0.0 {
            return it.0;
        }
    }
    moves.last().map_or(Move::Pass, |it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::ModelMover;

    #[test]
    fn games_are_legal_and_can_be_repeated() {
        let settings = PlaySettings {
            games: 6,
            sides: (7, 9),
            seed: 3,
        };
        let text = || {
            let mut out = Vec::new();
            let mut movers: [Box<dyn Mover>; 1] = [Box::new(ModelMover::embedded())];
            play(&settings, &mut movers, &mut out, &mut |_| ()).unwrap();
            String::from_utf8(out).unwrap()
        };
        let first = text();
        assert_eq!(first, text());
        assert_eq!(first.lines().count(), 6);
        for line in first.lines() {
            let game: PackedGame = serde_json::from_str(line).unwrap();
            let mut position = game.start().unwrap();
            for mv in game.moves().unwrap() {
                position.play(mv).unwrap();
            }
            assert!(game.len() > 10, "{line}");
        }
    }

    /// Knows only that Black is twelve points ahead on the board.
    struct Twelve;

    impl Mover for Twelve {
        fn weigh(&mut self, _: &Position, moves: &mut Vec<(Move, f64)>) -> Option<PackedSearch> {
            moves.clear();
            None
        }

        fn lead(&mut self, position: &Position) -> Option<f32> {
            Some(12.0 - position.komi())
        }

        fn ownership(&mut self, _: &Position) -> Option<Vec<f32>> {
            None
        }
    }

    #[test]
    fn komi_makes_a_game_even_and_a_decided_one_is_known() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut position = Position::new(Size::S9, Rules::NAMED[0].1, -30.0);
        assert!(is_decided(&position, &mut Twelve));
        for _ in 0..50 {
            position.set_komi(-30.0);
            make_even(&mut position, &mut Twelve, &mut rng);
            assert!((position.komi() - 12.0).abs() <= SLACK as f32 + 0.25);
            assert!(!is_decided(&position, &mut Twelve));
        }
    }

    /// Says it searched; plays a wall along its edge and then passes.
    struct Searcher;

    impl Mover for Searcher {
        fn weigh(
            &mut self,
            position: &Position,
            moves: &mut Vec<(Move, f64)>,
        ) -> Option<PackedSearch> {
            let color = position.to_move();
            let wall = if color == Color::Black { 1 } else { 3 };
            let points = position.size().points().filter(|it| it.y() == wall);
            let free = points.map(Move::Play);
            let free = free.filter(|&it| position.is_legal(color, it));
            moves.clear();
            moves.extend(free.map(|it| (it, 1.0)));
            Some(PackedSearch {
                moves: "--".to_owned(),
                visits: vec![1],
                win: 0.5,
                lead: -position.komi(),
            })
        }

        fn lead(&mut self, position: &Position) -> Option<f32> {
            Some(100.0 - position.komi())
        }

        fn ownership(&mut self, position: &Position) -> Option<Vec<f32>> {
            let points = position.size().points();
            let owner = |y: usize| [1.0, 1.0, 0.0, -1.0, -1.0][y];
            Some(points.map(|it| owner(it.y())).collect())
        }
    }

    #[test]
    fn searched_games_are_played_to_the_end_and_counted() {
        let policy = Policy::embedded();
        for seed in 0..8 {
            let start = Position::new(Size::new(6, 5).unwrap(), Rules::TROMP_TAYLOR, 3.5);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut movers: [Box<dyn Mover>; 1] = [Box::new(Searcher)];
            let game = play_game(&start, &mut movers, &policy, &mut rng);
            assert!(game.moves.ends_with("----"), "{}", game.moves);
            assert_eq!(game.result, Some(-game.komi), "twelve points each");
            assert!(game.counted && game.dead.as_deref() == Some(""));
            assert_eq!(game.searches.len(), game.len());
            let told = game.searches.iter().flatten();
            assert!(told.clone().count() > 10);
            assert!(told.clone().all(|it| it.lead == -game.komi), "of this komi");
        }
    }
}
