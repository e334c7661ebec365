//! Games of the program's own, for positions that people seldom reach.
//!
//! Boards from 7×7 to 19×19, rectangles too, any rules, handicaps, odd komis. Moves
//! are drawn from the Bradley–Terry move model, sharpened or flattened game by
//! game, so that quiet and wild games both occur. No search: a teacher judges them.

use std::io::{self, Write};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::{Board, Color, Ko, Move, Point, Position, Rules, Size, handicap};
use shido_patterns::feature_set::Turn;
use shido_patterns::large::{LargeModel, PriorScratch};

use super::encode::{below, unit};
use super::packed::{write_move, write_point};
use super::{PackedGame, Source};

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

/// Powers of the model's probabilities that games are played with.
const SHARPNESS: (f64, f64) = (0.7, 2.0);

/// Plays games and writes them packed; `on_game` hears how many are done.
pub fn play(
    settings: &PlaySettings,
    out: &mut dyn Write,
    on_game: &mut dyn FnMut(usize),
) -> io::Result<()> {
    let model = LargeModel::embedded();
    let mut player = Player {
        model: &model,
        scratch: PriorScratch::new(),
        priors: Vec::new(),
    };
    for i in 0..settings.games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed.wrapping_add(i as u64));
        let start = random_start(settings.sides, &mut rng);
        let game = player.game(&start, &mut rng);
        serde_json::to_writer(&mut *out, &game)?;
        out.write_all(b"\n")?;
        on_game(i + 1);
    }
    Ok(())
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
        2 + below(rng, 8)
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

struct Player<'a> {
    model: &'a LargeModel,
    scratch: PriorScratch,
    priors: Vec<(Point, f32)>,
}

impl Player<'_> {
    fn game(&mut self, start: &Position, rng: &mut Xoshiro256PlusPlus) -> PackedGame {
        let size = start.size();
        let mut position = start.clone();
        let power = SHARPNESS.0 + (SHARPNESS.1 - SHARPNESS.0) * unit(rng);
        let mut text = String::new();
        let limit = 2 * size.area();
        while !position.is_over() && text.len() < 2 * limit {
            let mv = self.draw(&position, power, rng);
            text.push_str(&write_move(mv));
            position.play(mv).expect("a legal move was drawn");
        }
        let stones = |color| {
            let own = |&it: &Point| start.board().stone(it) == Some(color);
            size.points().filter(own).map(write_point).collect()
        };
        PackedGame {
            source: Source::Selfplay,
            size: [size.width(), size.height()],
            rules: start.rules().to_string(),
            komi: start.komi(),
            handicap: start.handicap(),
            ranks: [None; 2],
            time: 0,
            // Nobody has said which stones are dead.
            result: None,
            counted: false,
            program: true,
            setup: Color::BOTH.map(stones),
            white_first: start.to_move() == Color::White,
            moves: text,
            dead: None,
        }
    }

    /// Draws a legal move; a pass if the model has nothing better.
    fn draw(&mut self, position: &Position, power: f64, rng: &mut Xoshiro256PlusPlus) -> Move {
        let moves = position.moves();
        let point = |ago: usize| {
            moves
                .get(moves.len().wrapping_sub(ago))
                .and_then(|it| it.mv.point())
        };
        let turn = Turn {
            board: position.board(),
            mover: position.to_move(),
            last: [point(1), point(2)],
        };
        self.model
            .priors(&mut self.scratch, &turn, &mut self.priors);
        let after_pass = position.passes() > 0;
        let pass = f64::from(self.model.pass(&turn, after_pass));
        let color = position.to_move();
        self.priors
            .retain(|it| position.is_legal(color, Move::Play(it.0)));
        let weight = |p: f32| f64::from(p).max(1e-9).powf(power);
        let total: f64 = self.priors.iter().map(|it| weight(it.1)).sum();
        if self.priors.is_empty() || unit(rng) < pass {
            return Move::Pass;
        }
        let mut left = unit(rng) * total;
        for &(point, p) in &self.priors {
            left -= weight(p);
            if left <= 0.0 {
                return Move::Play(point);
            }
        }
        self.priors.last().map_or(Move::Pass, |it| Move::Play(it.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_legal_and_can_be_repeated() {
        let settings = PlaySettings {
            games: 6,
            sides: (7, 9),
            seed: 3,
        };
        let text = || {
            let mut out = Vec::new();
            play(&settings, &mut out, &mut |_| ()).unwrap();
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
}
