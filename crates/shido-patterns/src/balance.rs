//! Balanced gammas: playouts that end as a teacher says, not only move as people do.
//!
//! A fit to people's moves makes each move of a playout likely, but a search needs its
//! end to be right: two mistakes that cancel each other do no harm, and a likely move that
//! loses a group for good does. So the gammas are moved until who owns each point
//! at the end of playouts is, on average, what a teacher says (simulation balancing; its
//! authors, named in `docs/references.md`, do it with who wins).
//!
//! With owners *x* (1 Black's, −1 White's) of which the playouts' mean is *m* and the
//! teacher's word is *t*, the mean squared error falls along
//! Σ (*t* − *m*)(*x* − *m*) · ∂ ln π: every move of a playout that ended better than the
//! others is made likelier. The move is set against another one drawn at the same turn, because
//! their difference has the mean of ∂ ln π and is cheap to have.
//!
//! Two biases are taken on purpose. Only points near one of the two moves count, which leaves
//! out true terms that drown in noise; and an individual's step is its mean for each comparison
//! it was in, so that rare individuals move too.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::{Board, Color, Move, Point};

use crate::feature_set::Turn;
use crate::playout::Playout;
use crate::playout_set::PlayoutFeatures;
use crate::policy::Policy;
use crate::tactics::{Answers, Pressure};

/// A position and how it should end.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The stones.
    pub board: Board,
    /// Who is to move.
    pub mover: Color,
    /// The opponent's last stone.
    pub last: Option<Point>,
    /// For each point, row by row: 1 Black's at the end, −1 White's.
    pub owners: Vec<f32>,
}

/// How to learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Playouts of a lesson that only say how it ends, and again as many that are learned from.
    pub playouts: usize,
    /// How far from a move, in lines, points count for it.
    pub reach: usize,
    /// Length of a step.
    pub rate: f64,
    /// Comparisons of moves that an individual must have been in to move half of its step.
    pub damping: f64,
    /// Share of the sums of earlier steps that is kept.
    pub memory: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            playouts: 32,
            reach: 2,
            rate: 1.0,
            damping: 2000.0,
            memory: 0.8,
        }
    }
}

/// What lessons say, summed.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    /// Where the logarithm of each individual's gamma should go.
    pub gradient: Vec<f64>,
    /// Comparisons in which exactly one of two moves had the individual.
    pub compared: Vec<f64>,
    /// Squared errors of the mean owners, without what the number of playouts adds.
    pub error: f64,
    /// The points whose errors those are.
    pub points: u64,
}

impl Sums {
    /// Returns sums of nothing.
    pub fn new(individuals: usize) -> Sums {
        Sums {
            gradient: vec![0.0; individuals],
            compared: vec![0.0; individuals],
            error: 0.0,
            points: 0,
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Sums) {
        for (sum, it) in self.gradient.iter_mut().zip(&other.gradient) {
            *sum += it;
        }
        for (sum, it) in self.compared.iter_mut().zip(&other.compared) {
            *sum += it;
        }
        self.error += other.error;
        self.points += other.points;
    }

    /// Keeps a share of the sums.
    fn fade(&mut self, share: f64) {
        for sum in self.gradient.iter_mut().chain(&mut self.compared) {
            *sum *= share;
        }
    }

    /// Returns the mean squared error of a point.
    pub fn mean_error(&self) -> f64 {
        self.error / self.points.max(1) as f64
    }
}

/// Moves weights along what lessons say.
#[derive(Debug, Clone)]
pub struct Learner {
    settings: Settings,
    sums: Sums,
}

impl Learner {
    /// Begins without having heard any lesson.
    pub fn new(individuals: usize, settings: Settings) -> Learner {
        Learner {
            settings,
            sums: Sums::new(individuals),
        }
    }

    /// Takes a step after some lessons, `share` of the usual length; `weights` are ln γ.
    pub fn step(&mut self, lessons: &Sums, share: f64, weights: &mut [f32]) {
        self.sums.fade(self.settings.memory);
        self.sums.add(lessons);
        let rate = self.settings.rate * share;
        let all = self.sums.gradient.iter().zip(&self.sums.compared);
        for (weight, (gradient, compared)) in weights.iter_mut().zip(all) {
            *weight += (rate * gradient / (compared + self.settings.damping)) as f32;
        }
    }
}

/// One thread's means to play lessons out.
pub struct Pupil {
    features: PlayoutFeatures,
    settings: Settings,
    trace: Vec<Comparison>,
    members: Vec<u32>,
    credit: Credit,
    known: Vec<i32>,
    heard: Vec<i32>,
}

/// A move of a playout and another one that might have been drawn.
struct Comparison {
    played: Point,
    other: Point,
    /// Where in `members` the team of the one ends and where that of the other.
    ends: [usize; 2],
}

impl Pupil {
    /// Returns a pupil for a model with these features.
    pub fn new(features: PlayoutFeatures, settings: Settings) -> Pupil {
        Pupil {
            features,
            settings,
            trace: Vec::new(),
            members: Vec::new(),
            credit: Credit::default(),
            known: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// Plays a lesson out and adds what it says to `sums`.
    ///
    /// # Panics
    ///
    /// If the lesson does not name an owner for each point.
    pub fn learn(&mut self, lesson: &Lesson, policy: &Policy, seed: u64, sums: &mut Sums) {
        let size = lesson.board.size();
        assert_eq!(lesson.owners.len(), size.area(), "an owner for each point");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let root = Playout::new(&lesson.board, lesson.mover, lesson.last, policy);
        let mut playout = root.clone();
        let limit = 3 * size.area();
        let n = self.settings.playouts.max(1);
        self.known.clear();
        self.known.resize(size.area(), 0);
        for _ in 0..n {
            playout.copy_from(&root);
            playout.run(policy, &mut rng, limit, |_, _| ());
            for (sum, point) in self.known.iter_mut().zip(size.points()) {
                *sum += owner(&playout, point);
            }
        }
        self.heard.clear();
        self.heard.resize(size.area(), 0);
        for _ in 0..n {
            playout.copy_from(&root);
            self.trace(&mut playout, policy, &mut rng, limit);
            self.credit.clear(size.width(), size.height());
            for (i, point) in size.points().enumerate() {
                let mean = self.known[i] as f32 / n as f32;
                let end = owner(&playout, point);
                self.heard[i] += end;
                self.credit
                    .push((lesson.owners[i] - mean) * (end as f32 - mean));
            }
            self.compare(sums);
        }
        for (i, &owner) in lesson.owners.iter().enumerate() {
            let [known, heard] = [self.known[i], self.heard[i]].map(|it| it as f32 / n as f32);
            // The two means are of different playouts, so their own noise cancels.
            sums.error += f64::from((owner - known) * (owner - heard));
        }
        sums.points += size.area() as u64;
    }

    /// Plays to the end and notes each move's team, and that of another draw.
    fn trace(
        &mut self,
        playout: &mut Playout,
        policy: &Policy,
        rng: &mut Xoshiro256PlusPlus,
        limit: usize,
    ) {
        self.trace.clear();
        self.members.clear();
        for _ in 0..limit {
            if playout.is_over() {
                break;
            }
            let mv = playout.draw(policy, rng);
            if let Move::Play(played) = mv
                && let Move::Play(other) = playout.draw(policy, rng)
                && played != other
            {
                let turn = Turn {
                    board: playout.board(),
                    mover: playout.to_move(),
                    last: [playout.last(), None],
                };
                let answers = Answers::to(turn.board, turn.mover, turn.last[0]);
                let pressure = Pressure::of(turn.board, turn.mover, turn.last[0]);
                let ends = [played, other].map(|point| {
                    let team = self.features.team(&turn, point, &answers, &pressure);
                    self.members.extend_from_slice(team);
                    self.members.len()
                });
                self.trace.push(Comparison {
                    played,
                    other,
                    ends,
                });
            }
            playout.play(mv, policy);
        }
    }

    /// Gives every move its share of how the playout ended.
    fn compare(&mut self, sums: &mut Sums) {
        self.credit.finish();
        let mut start = 0;
        for it in &self.trace {
            let credit = self.credit.near(it.played, it.other, self.settings.reach);
            let played = &self.members[start..it.ends[0]];
            let other = &self.members[it.ends[0]..it.ends[1]];
            for &member in played.iter().filter(|it| !other.contains(it)) {
                sums.gradient[member as usize] += credit;
                sums.compared[member as usize] += 1.0;
            }
            for &member in other.iter().filter(|it| !played.contains(it)) {
                sums.gradient[member as usize] -= credit;
                sums.compared[member as usize] += 1.0;
            }
            start = it.ends[1];
        }
    }
}

/// Returns whose a point is at a playout's end: 1 Black's, −1 White's.
fn owner(playout: &Playout, point: Point) -> i32 {
    match playout.owner(point) {
        Some(Color::Black) => 1,
        Some(Color::White) => -1,
        None => 0,
    }
}

/// Numbers on points, for sums over boxes.
#[derive(Debug, Default)]
struct Credit {
    width: usize,
    height: usize,
    points: Vec<f32>,
    /// Sums of all points above and left of a corner.
    corners: Vec<f64>,
}

/// Columns and rows from the first to before the second.
type Span = (usize, usize);

impl Credit {
    fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.points.clear();
    }

    /// Adds the number of the next point, row by row.
    fn push(&mut self, number: f32) {
        self.points.push(number);
    }

    fn finish(&mut self) {
        let stride = self.width + 1;
        self.corners.clear();
        self.corners.resize(stride * (self.height + 1), 0.0);
        for (y, row) in self.points.chunks(self.width).enumerate() {
            let mut sum = 0.0;
            for (x, &number) in row.iter().enumerate() {
                sum += f64::from(number);
                self.corners[(y + 1) * stride + x + 1] = self.corners[y * stride + x + 1] + sum;
            }
        }
    }

    /// Returns the sum over points that are within reach of one of two points.
    fn near(&self, a: Point, b: Point, reach: usize) -> f64 {
        let columns = [a, b].map(|it| span(it.x(), reach, self.width));
        let rows = [a, b].map(|it| span(it.y(), reach, self.height));
        let both = self.sum(common(columns), common(rows));
        self.sum(columns[0], rows[0]) + self.sum(columns[1], rows[1]) - both
    }

    fn sum(&self, (left, right): Span, (top, bottom): Span) -> f64 {
        if left >= right || top >= bottom {
            return 0.0;
        }
        let at = |x: usize, y: usize| self.corners[y * (self.width + 1) + x];
        at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
    }
}

fn span(at: usize, reach: usize, end: usize) -> Span {
    let after = at.saturating_add(reach).saturating_add(1);
    (at.saturating_sub(reach), after.min(end))
}

fn common([a, b]: [Span; 2]) -> Span {
    (a.0.max(b.0), a.1.min(b.1))
}

#[cfg(test)]
mod tests;
