//! The large feature set: the move model behind the tree's priors and move prediction.
//!
//! Beside PD10's kind of tactical individuals it has shapes in neighborhoods that
//! grow until they are rare, around the move and around the last stone, distances
//! to the last two stones, to the border and to the nearest stones.
//!
//! Start reading at [`LargeFeatures`].

mod book;
mod features;
mod priors;
mod rings;
mod survey;
mod train;

use shido_go::{Point, Size};

use self::book::Book;
use self::features::{CLOSED, Context, closed_groups, describe};
use self::rings::{Hashes, RINGS, add_ring, mark, ring_distance, tag};
use self::survey::Survey;
use crate::feature_set::{FeatureSet, Group, Teams, Turn, legal_moves};
use crate::model::Model;

pub use priors::{LargeModel, PriorScratch};
pub use train::Trainer;

/// Rings around the last stone that answers look at.
const ANSWER_RINGS: usize = 4;
/// Answers are moves within this distance of the last stone.
const ANSWER_REACH: usize = 9;

/// The tags of the shapes that are individuals, each list in the order of its individuals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shapes {
    /// Balls around the move.
    pub around_move: Vec<u32>,
    /// Balls around the last stone, with the move marked.
    pub answers: Vec<u32>,
}

impl Shapes {
    /// Returns the shapes a stored model knows; a model of other features may give nonsense.
    pub fn of_model(model: &Model) -> Shapes {
        let answers = model.groups.last().map_or(0, |it| it.1 as usize);
        let split = model.tags.len().saturating_sub(answers);
        let (around_move, answers) = model.tags.split_at(split);
        Shapes {
            around_move: around_move.to_vec(),
            answers: answers.to_vec(),
        }
    }

    /// Keeps the tags that occur at least `threshold` times, each once, in order.
    pub fn keep_frequent(&mut self, threshold: usize) {
        for tags in [&mut self.around_move, &mut self.answers] {
            tags.sort_unstable();
            let equal = tags.chunk_by(|a, b| a == b);
            let kept = equal.filter(|it| it.len() >= threshold).map(|it| it[0]);
            *tags = kept.collect();
        }
    }
}

/// The large feature set with the shapes it knows.
#[derive(Clone)]
pub struct LargeFeatures {
    around_move: Book,
    answers: Book,
    sizes: [u32; 2],
    survey: Box<Survey>,
    team: Vec<u32>,
}

/// How much of a move's shapes a team holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    /// The largest known shape of each kind alone: one individual per group.
    Largest,
    /// That and every shape within, smallest first.
    All,
}

impl LargeFeatures {
    /// Returns the feature set that knows these shapes.
    pub fn new(shapes: &Shapes) -> LargeFeatures {
        LargeFeatures {
            around_move: Book::of(&shapes.around_move, 0..),
            answers: Book::of(&shapes.answers, 0..),
            sizes: [&shapes.around_move, &shapes.answers].map(|it| it.len() as u32),
            survey: Box::new(Survey::new(Size::S19)),
            team: Vec::new(),
        }
    }

    /// Returns how many individuals there are.
    pub fn individuals(&self) -> usize {
        (CLOSED + self.sizes[0] + self.sizes[1]) as usize
    }

    /// Adds the tags of all shapes that a move shows, for harvesting: known or not.
    pub fn harvest(&mut self, turn: &Turn<'_>, point: Point, found: &mut Shapes) {
        self.survey.read(turn);
        let codes = &self.survey.codes;
        let tags = MoveTags::new(codes, point);
        found.around_move.extend(tags);
        if let Some((last, around)) = turn.last[0].map(|it| (it, around(codes, it)))
            && let Some(tags) = answer_tags(&around, last, point)
        {
            found.answers.extend(tags);
        }
    }

    /// Replaces the content of `teams` by the team of every legal move.
    pub fn list(&mut self, turn: &Turn<'_>, nesting: Nesting, teams: &mut Teams) {
        teams.clear();
        self.survey.read(turn);
        let context = Context::new(turn, &self.survey);
        let last = turn.last[0].map(|it| (it, around(&self.survey.codes, it)));
        let mut team = std::mem::take(&mut self.team);
        for point in legal_moves(turn) {
            team.clear();
            describe(turn, &context, &mut self.survey, point, |it| team.push(it));
            let tags = MoveTags::new(&self.survey.codes, point);
            add_known(&self.around_move, tags, CLOSED, nesting, &mut team);
            if let Some((last, around)) = &last
                && let Some(tags) = answer_tags(around, *last, point)
            {
                let first = CLOSED + self.sizes[0];
                add_known(&self.answers, tags, first, nesting, &mut team);
            }
            teams.push(point, &team);
        }
        self.team = team;
    }
}

/// Adds the individuals of the tags up to the first that is not known.
fn add_known(
    book: &Book,
    tags: impl Iterator<Item = u32>,
    first: u32,
    nesting: Nesting,
    team: &mut Vec<u32>,
) {
    let mut known = tags.map_while(|tag| book.find(tag)).map(|it| first + it);
    match nesting {
        Nesting::All => team.extend(known),
        Nesting::Largest => team.extend(known.by_ref().last()),
    }
}

/// The tags of the balls around a move, smallest first.
struct MoveTags<'a> {
    codes: &'a [u8],
    point: Point,
    ring: usize,
    hashes: Hashes,
}

impl<'a> MoveTags<'a> {
    #[inline]
    fn new(codes: &'a [u8], point: Point) -> MoveTags<'a> {
        MoveTags {
            codes,
            point,
            ring: 0,
            hashes: Hashes::default(),
        }
    }
}

impl Iterator for MoveTags<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.ring == RINGS {
            return None;
        }
        add_ring(&mut self.hashes, self.codes, self.point, self.ring);
        self.ring += 1;
        Some(tag(&self.hashes, self.ring as u32))
    }
}

/// Returns the hashes of the balls around the last stone.
fn around(codes: &[u8], last: Point) -> [Hashes; ANSWER_RINGS] {
    let mut hashes = Hashes::default();
    std::array::from_fn(|ring| {
        add_ring(&mut hashes, codes, last, ring);
        hashes
    })
}

/// Returns the tags of a move as an answer to the last stone, smallest ball first;
/// none when it is too far away to be one.
#[inline]
fn answer_tags(
    around: &[Hashes; ANSWER_RINGS],
    last: Point,
    point: Point,
) -> Option<impl Iterator<Item = u32>> {
    let dx = point.x() as i32 - last.x() as i32;
    let dy = point.y() as i32 - last.y() as i32;
    (ring_distance(last, point) <= ANSWER_REACH).then(|| {
        let rings = (0..).zip(around);
        rings.map(move |(ring, hashes)| tag(&mark(hashes, dx, dy), ring))
    })
}

impl FeatureSet for LargeFeatures {
    fn name(&self) -> &'static str {
        "large"
    }

    fn groups(&self) -> Vec<Group> {
        let open = ["shapes around the move", "shapes around the last stone"];
        let open = open
            .into_iter()
            .zip(self.sizes)
            .map(|(name, size)| Group { name, size });
        closed_groups().chain(open).collect()
    }

    fn teams(&mut self, turn: &Turn<'_>, teams: &mut Teams) {
        self.list(turn, Nesting::Largest, teams);
    }

    fn another(&self) -> Box<dyn FeatureSet> {
        Box::new(self.clone())
    }
}
