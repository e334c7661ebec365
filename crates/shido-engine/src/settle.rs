//! What an ownership map says about the end of a game: dead stones, seki, open points.
//!
//! Ownership is given per point, row by row, 1 for Black and −1 for White, as an
//! [`Analysis`](shido_search::Analysis) has it. A chain lives or dies as a whole:
//! by the mean over its stones. One that is in doubt stays where a side would fall open
//! without it: players who pass do not mean that. Pure; the search that made the map is
//! elsewhere.

use shido_go::{Board, Color, Point, PointSet, Rules};

/// What becomes of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It stays on the board.
    Alive,
    /// It stays because neither side can move there.
    Seki,
    /// It is taken off at the end.
    Dead,
}

/// A board with the ownership of its points.
#[derive(Debug, Clone, Copy)]
pub struct Settlement<'a> {
    board: &'a Board,
    ownership: &'a [f32],
    /// The dead stones of both colors.
    dead: PointSet,
}

/// A chain is dead when its points are the opponent's by more than this on average.
const DEAD_ABOVE: f32 = 0.2;
/// Above this there is no doubt.
const SURELY_DEAD_ABOVE: f32 = 0.7;

/// Returns the share of the points whose owner is quite open; all of them by a map of
/// another length.
pub fn open_share(ownership: &[f32], area: usize) -> f32 {
    if ownership.len() != area {
        return 1.0;
    }
    let open = ownership.iter().filter(|it| it.abs() < 0.5).count();
    open as f32 / area.max(1) as f32
}

impl<'a> Settlement<'a> {
    /// Joins a board and its ownership; a map of another length says nothing.
    pub fn new(board: &'a Board, ownership: &'a [f32]) -> Settlement<'a> {
        let fits = ownership.len() == board.size().area();
        let mut settlement = Settlement {
            board,
            ownership: if fits { ownership } else { &[] },
            dead: PointSet::new(),
        };
        settlement.dead = settlement.find_dead();
        settlement
    }

    fn find_dead(&self) -> PointSet {
        let likely: PointSet = (self.stones())
            .filter(|&it| self.loss_of(it) > DEAD_ABOVE)
            .collect();
        let without = self.board.without(&likely).owners(&Rules::JAPANESE);
        let falls_open = |stone: &Point| without.of(*stone).is_none();
        let doubtful = |stone: &Point| self.loss_of(*stone) <= SURELY_DEAD_ABOVE;
        let stays: PointSet = (likely.iter())
            .filter(|it| falls_open(it) && doubtful(it))
            .flat_map(|it| self.board.chain(it))
            .collect();
        likely.iter().filter(|&it| !stays.contains(it)).collect()
    }

    /// Returns how much a stone's chain is the opponent's, on average.
    fn loss_of(&self, stone: Point) -> f32 {
        let Some(color) = self.board.stone(stone) else {
            return 0.0;
        };
        let chain = self.board.chain(stone);
        let count = chain.len() as f32;
        chain.map(|it| self.owned_by(!color, it)).sum::<f32>() / count
    }

    /// Returns how much a point is `color`'s, −1 to 1.
    pub fn owned_by(&self, color: Color, point: Point) -> f32 {
        let at = self.board.size().index_of(point);
        let black = self.ownership.get(at).copied().unwrap_or(0.0);
        match color {
            Color::Black => black,
            Color::White => -black,
        }
    }

    /// Returns the dead stones of both colors.
    pub fn dead(&self) -> PointSet {
        self.dead
    }

    /// Returns the dead stones of one color.
    pub fn dead_of(&self, color: Color) -> PointSet {
        self.stones()
            .filter(|&stone| self.board.stone(stone) == Some(color) && self.is_dead(stone))
            .collect()
    }

    /// Returns the stones of a status, chain by chain.
    pub fn chains(&self, status: Status) -> Vec<Vec<Point>> {
        let mut chains = Vec::new();
        for stone in self.stones() {
            if self.board.head(stone) == stone && self.status(stone) == status {
                let mut chain: Vec<_> = self.board.chain(stone).collect();
                chain.sort_unstable();
                chains.push(chain);
            }
        }
        chains.sort_unstable();
        chains
    }

    /// Returns what becomes of a stone.
    pub fn status(&self, stone: Point) -> Status {
        if self.is_dead(stone) {
            Status::Dead
        } else if self.touches_seki(stone) {
            Status::Seki
        } else {
            Status::Alive
        }
    }

    /// Returns whether every point is one side's by at least `sure`, or of no use
    /// to either: shared in a seki or, where `neutral_points_count` is false,
    /// between living stones of both colors.
    ///
    /// Under area scoring a neutral point is worth a point, so it must be filled.
    pub fn is_settled(&self, sure: f32, neutral_points_count: bool) -> bool {
        self.board.size().points().all(|point| {
            self.owned_by(Color::Black, point).abs() >= sure
                || (self.board.is_empty(point)
                    && self.is_between(point)
                    && (!neutral_points_count || self.is_shared(point)))
        })
    }

    /// Returns how many points of a count by the rules `color` may lose to the opponent.
    ///
    /// A point that is its own, but not by as much as `sure`, may change hands and counts
    /// twice. An empty point that is nobody's, without living stones of both colors beside
    /// it, is open still: it may become the opponent's.
    pub fn at_risk(&self, rules: &Rules, color: Color, sure: f32) -> usize {
        let alive = self.board.without(&self.dead());
        let owners = alive.owners(rules);
        let points = self.board.size().points();
        let risk = points.map(|point| match owners.of(point) {
            Some(owner) if owner == color => 2 * usize::from(self.owned_by(color, point) < sure),
            Some(_) => 0,
            None => usize::from(!self.is_between(point)),
        });
        risk.sum()
    }

    fn stones(&self) -> impl Iterator<Item = Point> + '_ {
        let points = self.board.size().points();
        points.filter(|&point| self.board.stone(point).is_some())
    }

    fn is_dead(&self, stone: Point) -> bool {
        self.dead.contains(stone)
    }

    /// Returns whether a stone's chain has a liberty that neither side can fill.
    fn touches_seki(&self, stone: Point) -> bool {
        let liberties = self.board.liberties(stone);
        liberties.iter().any(|liberty| self.is_shared(liberty))
    }

    /// Returns whether living stones of both colors touch a point.
    fn is_between(&self, point: Point) -> bool {
        let mut near = [false; 2];
        for neighbor in point.neighbors() {
            if let Some(color) = self.board.stone(neighbor) {
                near[color.index()] |= !self.is_dead(neighbor);
            }
        }
        near == [true; 2]
    }

    /// Returns whether both colors touch a point and either would put itself
    /// into atari (or worse) there.
    fn is_shared(&self, point: Point) -> bool {
        let puts_itself_into_atari = |color| {
            self.board.is_suicide(color, point) || {
                let mut after = self.board.clone();
                after.play(color, point);
                after.atari(point).is_some()
            }
        };
        self.is_between(point) && Color::BOTH.into_iter().all(puts_itself_into_atari)
    }
}

#[cfg(test)]
mod tests {
    use shido_go::Diagram;

    use super::*;

    /// A board and its ownership: `X O` live stones, `x o` dead stones, and for
    /// empty points `b w` owned, `.` nobody's.
    fn read(picture: &str) -> (Board, Vec<f32>) {
        let stones = picture.replace('x', "X").replace('o', "O");
        let stones = stones.replace(['b', 'w'], ".");
        let board = Diagram::parse(&stones).unwrap().board;
        let ownership = picture
            .chars()
            .filter_map(|sign| match sign {
                'X' | 'b' | 'o' => Some(0.95),
                'O' | 'w' | 'x' => Some(-0.95),
                '.' => Some(0.0),
                _ => None,
            })
            .collect();
        (board, ownership)
    }

    const END: &str = "
        b X O w w
        X X O O w
        o X X O O
        b b X O w
        b b X O x";

    #[test]
    fn dead_chains_are_found() {
        let (board, ownership) = read(END);
        let settled = Settlement::new(&board, &ownership);
        assert_eq!(settled.dead().len(), 2);
        assert_eq!(settled.dead_of(Color::White).len(), 1);
        assert_eq!(settled.chains(Status::Dead).len(), 2);
        assert!(settled.is_settled(0.9, true));
        assert!(!settled.is_settled(0.99, true));
        assert_eq!(settled.at_risk(&Rules::JAPANESE, Color::Black, 0.9), 0);
        assert_eq!(settled.at_risk(&Rules::JAPANESE, Color::Black, 0.99), 26);
    }

    #[test]
    fn a_chain_dies_by_the_mean_of_its_stones() {
        let (board, mut ownership) = read(END);
        // Two of the seven stones of Black's wall are doubtful, the wall is not.
        ownership[1] = -0.9;
        ownership[5] = -0.9;
        let settled = Settlement::new(&board, &ownership);
        assert_eq!(settled.dead().len(), 2);
    }

    /// Without the stones in the gap all of Black's side is open, and nobody's.
    #[test]
    fn a_chain_in_doubt_keeps_a_side_closed() {
        let (board, mut ownership) = read(
            "b X O w w
             b b x O w
             b b x O w
             b b x O w
             b b x O w
             b X O w w",
        );
        let lead = |ownership: &[f32]| {
            let dead = Settlement::new(&board, ownership).dead();
            let alive = board.without(&dead).owners(&Rules::JAPANESE);
            (dead.len(), alive.of(board.size().point(0, 0).unwrap()))
        };
        assert_eq!(lead(&ownership), (4, None));
        for stone in [7, 12, 17, 22] {
            ownership[stone] = -0.5;
        }
        assert_eq!(lead(&ownership), (0, Some(Color::Black)));
        // Inside White's area a doubtful stone is no wall of anything.
        let (board, mut ownership) = read(END);
        ownership[24] = -0.5;
        assert_eq!(Settlement::new(&board, &ownership).dead().len(), 2);
    }

    #[test]
    fn neutral_points_count_under_area_scoring_only() {
        let (board, ownership) = read(
            "b X . O w
             b X O O w
             b X X O w
             b b X O w
             b b X O w",
        );
        let settled = Settlement::new(&board, &ownership);
        assert!(settled.is_settled(0.9, false));
        assert!(!settled.is_settled(0.9, true));
    }

    #[test]
    fn a_seki_is_neither_dead_nor_open() {
        // Black's two stones and White's chain share two liberties.
        let (board, ownership) = read(
            "O . X X . O X b
             O O O O O O X b
             X X X X X X X b
             b b b b b b b b
             b b b b b b b b",
        );
        let settled = Settlement::new(&board, &ownership);
        let inside = board.size().point(2, 0).unwrap();
        assert_eq!(settled.status(inside), Status::Seki);
        assert_eq!(settled.chains(Status::Seki).len(), 2);
        assert!(settled.is_settled(0.9, true));
    }

    #[test]
    fn an_open_board_is_not_settled() {
        let (board, _) = read(
            ". . . . .
             . X . O .
             . . . . .",
        );
        let ownership = vec![0.0; board.size().area()];
        assert!(!Settlement::new(&board, &ownership).is_settled(0.7, false));
    }

    #[test]
    fn a_map_of_the_wrong_length_says_nothing() {
        let (board, _) = read(END);
        let settled = Settlement::new(&board, &[1.0]);
        assert!(settled.dead().is_empty());
        assert!(!settled.is_settled(0.1, false));
    }
}
