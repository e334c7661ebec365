//! What is known of the root alone: mirrored moves, endings, noise on the policy.

use rand_xoshiro::rand_core::RngCore;
use shido_go::{Board, Color, Move, Owners, Point, Position, Scoring, Size, Symmetry};

use super::random;
use super::settings::{RootNoise, RootSettings};
use super::tree::Edge;

/// Ownership beyond which a point is as good as settled.
const SETTLED: f32 = 0.95;
/// Likelier moves than this get the same share of the noise.
const NOISE_CAP: f64 = 0.01;

/// What is known of the root's moves before any search.
#[derive(Debug, Clone, Default)]
pub(super) struct RootFacts {
    size: Size,
    /// Points added to a move's score for the mover, row by row, then the pass.
    bonus: Vec<f32>,
    /// Flattened priors, if the root is to be searched more widely.
    wide: Vec<f32>,
    /// The move that is searched in place of a mirrored one.
    mirrors: Vec<Option<Move>>,
}

impl RootFacts {
    /// Looks for mirrored moves, if they are to be pruned.
    pub(super) fn new(position: &Position, settings: &RootSettings) -> RootFacts {
        let mirrors = if settings.rules.prune_symmetric {
            mirrors(position)
        } else {
            Vec::new()
        };
        RootFacts {
            size: position.size(),
            bonus: Vec::new(),
            wide: Vec::new(),
            mirrors,
        }
    }

    /// Notes which moves would only prolong the game, `ownership` being the mover's.
    pub(super) fn judge_endings(&mut self, position: &Position, ownership: &[f32], points: f32) {
        self.bonus.clear();
        if points == 0.0 || ownership.len() != self.size.area() {
            return;
        }
        let safe = position.board().pass_alive(position.rules().suicide);
        let ending = Ending {
            position,
            ownership,
            safe: &safe,
        };
        let shares = position
            .size()
            .points()
            .map(Move::Play)
            .chain(std::iter::once(Move::Pass))
            .map(|mv| ending.bonus(mv) * points);
        self.bonus.extend(shares);
    }

    /// Returns the points added to a move's score for the mover.
    #[inline]
    pub(super) fn bonus(&self, mv: Move) -> f64 {
        self.bonus
            .get(index(self.size, mv))
            .map_or(0.0, |&it| f64::from(it))
    }

    /// Flattens the priors for a search that looks at more moves, if it does.
    pub(super) fn widen(&mut self, edges: &[Edge], noise: f32) {
        self.wide.clear();
        self.wide.resize(self.size.area() + 1, 0.0);
        for edge in edges {
            self.wide[index(self.size, edge.mv)] = edge.prior.powf(1.0 / (4.0 * noise + 1.0));
        }
    }

    /// Returns the flattened prior of a move.
    #[inline]
    pub(super) fn wide_prior(&self, mv: Move) -> f64 {
        self.wide
            .get(index(self.size, mv))
            .map_or(0.0, |&it| f64::from(it))
    }

    /// Returns whether another move is searched in place of this one.
    #[inline]
    pub(super) fn is_pruned(&self, mv: Move) -> bool {
        self.mirrored(mv).is_some()
    }

    /// Returns the move that is searched in place of this one.
    pub(super) fn mirrored(&self, mv: Move) -> Option<Move> {
        self.mirrors.get(index(self.size, mv)).copied().flatten()
    }

    /// Searches every move by itself.
    pub(super) fn search_all(&mut self) {
        self.mirrors.clear();
    }
}

/// Returns the place of a move row by row, the pass last.
pub(super) fn index(size: Size, mv: Move) -> usize {
    mv.point().map_or(size.area(), |point| size.index_of(point))
}

/// Finds for each move of a symmetric board the one that is searched in its place:
/// of several the topmost, and of those the rightmost.
fn mirrors(position: &Position) -> Vec<Option<Move>> {
    let board = position.board();
    let size = board.size();
    let symmetries: Vec<Symmetry> = Symmetry::of_size(size)
        .skip(1)
        .filter(|it| board.ko().is_none() && it.board(board) == *board)
        .collect();
    if symmetries.is_empty() {
        return Vec::new();
    }
    let legal = |point| position.is_legal(position.to_move(), Move::Play(point));
    size.points()
        .map(|point| {
            symmetries
                .iter()
                .map(|it| it.point(point, size))
                .filter(|&other| legal(other))
                .min_by_key(|&it| preference(it))
                .filter(|&other| preference(other) < preference(point))
                .map(Move::Play)
        })
        .chain(std::iter::once(None))
        .collect()
}

fn preference(point: Point) -> (usize, std::cmp::Reverse<usize>) {
    (point.y(), std::cmp::Reverse(point.x()))
}

/// Judges moves at the end of a game.
struct Ending<'a> {
    position: &'a Position,
    ownership: &'a [f32],
    safe: &'a Owners,
}

impl Ending<'_> {
    /// Returns how much a move is held back, 0 to −1: stones in settled places, and
    /// under territory scoring a pass before the neutral points are filled.
    fn bonus(&self, mv: Move) -> f32 {
        let territory = self.position.rules().scoring == Scoring::Territory;
        let board = self.position.board();
        let Move::Play(point) = mv else {
            return match (territory, self.position.rules().button) {
                (true, _) => -2.0 / 3.0,
                (false, true) => -0.5,
                (false, false) => 0.0,
            };
        };
        if board.ko().is_some() {
            return 0.0;
        }
        let color = self.position.to_move();
        let owned = self.ownership[board.size().index_of(point)];
        let excess = (owned.abs() - SETTLED) / (1.0 - SETTLED);
        if owned <= -SETTLED {
            if !territory && captures(board, color, point) {
                return 0.0;
            }
            return -excess;
        }
        let useful = touches(board, !color, point) || self.connects(color, point);
        if owned >= SETTLED && !useful {
            return -excess;
        }
        0.0
    }

    /// Returns whether a stone would join chains of which one is not safe.
    fn connects(&self, color: Color, point: Point) -> bool {
        let board = self.position.board();
        let mut heads: Vec<Point> = point
            .neighbors()
            .into_iter()
            .filter(|&it| board.stone(it) == Some(color))
            .map(|it| board.head(it))
            .collect();
        heads.sort_unstable();
        heads.dedup();
        heads.len() >= 2 && heads.iter().any(|&it| self.safe.of(it) != Some(color))
    }
}

fn captures(board: &Board, color: Color, point: Point) -> bool {
    point
        .neighbors()
        .into_iter()
        .any(|it| board.stone(it) == Some(!color) && board.atari(it) == Some(point))
}

fn touches(board: &Board, color: Color, point: Point) -> bool {
    point
        .neighbors()
        .into_iter()
        .any(|it| board.stone(it) == Some(color))
}

/// Flattens or sharpens a policy; its sum becomes 1.
pub(super) fn temper(edges: &mut [Edge], temperature: f32) {
    if temperature == 1.0 {
        return;
    }
    let most = edges.iter().map(|it| it.prior).fold(0.0, f32::max);
    if most <= 0.0 {
        return;
    }
    for edge in edges.iter_mut() {
        edge.prior = (edge.prior / most).powf(1.0 / temperature);
    }
    let sum: f32 = edges.iter().map(|it| it.prior).sum();
    for edge in edges {
        edge.prior /= sum;
    }
}

/// Mixes Dirichlet noise into a policy. Half of the noise's parameters are the same
/// for all moves, half follow the logarithm of the policy, as KataGo shapes it.
pub(super) fn add_noise(edges: &mut [Edge], noise: RootNoise, rng: &mut impl RngCore) {
    if edges.is_empty() {
        return;
    }
    let even = 1.0 / edges.len() as f64;
    let logs: Vec<f64> = edges
        .iter()
        .map(|it| (f64::from(it.prior).min(NOISE_CAP) + 1e-20).ln())
        .collect();
    let mean = logs.iter().sum::<f64>() * even;
    let above: Vec<f64> = logs.iter().map(|log| (log - mean).max(0.0)).collect();
    let total: f64 = above.iter().sum();
    let draws: Vec<f64> = above
        .iter()
        .map(|it| {
            let share = if total > 0.0 {
                0.5 * (it / total + even)
            } else {
                even
            };
            random::gamma(rng, share * f64::from(noise.concentration))
        })
        .collect();
    let sum: f64 = draws.iter().sum();
    for (edge, draw) in edges.iter_mut().zip(draws) {
        let mixed = draw / sum * f64::from(noise.weight);
        edge.prior = mixed as f32 + edge.prior * (1.0 - noise.weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use shido_go::{Diagram, Rules};

    fn at(size: Size, x: usize, y: usize) -> Move {
        Move::Play(size.point(x, y).expect("on the board"))
    }

    #[test]
    fn an_empty_board_has_one_move_of_each_kind() {
        let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        let facts = RootFacts::new(&position, &RootSettings::default());
        let searched = Size::S9
            .points()
            .filter(|&it| !facts.is_pruned(Move::Play(it)))
            .count();
        assert_eq!(searched, 15);
        assert_eq!(facts.mirrored(at(Size::S9, 2, 6)), Some(at(Size::S9, 6, 2)));
        assert!(!facts.is_pruned(at(Size::S9, 6, 2)) && !facts.is_pruned(Move::Pass));
    }

    #[test]
    fn one_stone_off_the_axes_makes_every_move_its_own() {
        let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        position.play(at(Size::S9, 2, 3)).expect("legal");
        let facts = RootFacts::new(&position, &RootSettings::default());
        assert!(Size::S9.points().all(|it| !facts.is_pruned(Move::Play(it))));
    }

    #[test]
    fn stones_in_settled_places_are_held_back() {
        let board = Diagram::parse(
            "
            . . X O .
            . X X O O
            X X . O .
            X . X O O
            . X X O .
            ",
        )
        .expect("a board")
        .board;
        let size = board.size();
        let position = Position::from_board(board, Color::Black, Rules::CHINESE, 0.0);
        let ownership: Vec<f32> = (0..25)
            .map(|i| if i % 5 < 3 { 1.0 } else { -1.0 })
            .collect();
        let mut facts = RootFacts::new(&position, &RootSettings::default());
        facts.judge_endings(&position, &ownership, 0.5);
        assert!((facts.bonus(at(size, 0, 0)) + 0.5).abs() < 1e-6, "own area");
        assert!((facts.bonus(at(size, 4, 2)) + 0.5).abs() < 1e-6, "theirs");
        assert_eq!(facts.bonus(at(size, 2, 2)), 0.0, "beside their stones");
        assert_eq!(facts.bonus(Move::Pass), 0.0);
        let mut japanese = position.clone();
        japanese.set_rules(Rules::JAPANESE);
        facts.judge_endings(&japanese, &ownership, 0.5);
        assert!((facts.bonus(Move::Pass) + 1.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn noise_follows_the_seed_and_keeps_the_sum() {
        let policy = [0.5, 0.3, 0.15, 0.05];
        let noised = |seed| {
            let mut edges = policy.map(|prior| Edge {
                prior,
                mv: Move::Pass,
            });
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            add_noise(&mut edges, RootNoise::default(), &mut rng);
            edges.map(|it| it.prior)
        };
        assert_eq!(noised(1), noised(1));
        assert_ne!(noised(1), noised(2));
        assert!((noised(1).iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(noised(1)[0] >= 0.375);
    }

    #[test]
    fn a_temperature_flattens() {
        let mut edges = [0.64, 0.36].map(|prior| Edge {
            prior,
            mv: Move::Pass,
        });
        temper(&mut edges, 2.0);
        // 0.8 : 0.6
        assert!((edges[0].prior - 0.8 / 1.4).abs() < 1e-6);
    }
}
