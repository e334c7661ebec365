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
#[cfg(test)]
mod tests;
mod train;

use shido_go::{Point, Size};

use self::book::Book;
use self::features::{CLOSED, Context, closed_groups, describe};
use self::rings::{Hashes, RINGS, add_ring, mark, marked, ring_distance, tag};
use self::survey::Survey;
use crate::feature_set::{FeatureSet, Group, Teams, Turn, legal_moves};
use crate::model::Model;

pub use priors::{LargeModel, PriorScratch};
pub use train::Trainer;

/// Rings that shapes with a marked point have.
const MARKED_RINGS: usize = 5;
/// Moves within this distance of the last stone are answers to it; at most five lines.
const ANSWER_REACH: usize = 10;
/// Kinds of shapes; see [`Shapes`].
const KINDS: usize = 3;

/// The tags of the shapes that are individuals, each list in the order of its individuals:
/// balls around the move; balls around the last stone with the move marked; balls
/// around the move with the last stone marked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shapes([Vec<u32>; KINDS]);

impl Shapes {
    /// Returns the shapes a stored model knows; a model of other features may give nonsense.
    pub fn of_model(model: &Model) -> Shapes {
        let mut rest = model.tags.as_slice();
        let kinds = model.groups.len().saturating_sub(KINDS);
        let mut sizes = model.groups[kinds..].iter().map(|it| it.1 as usize);
        Shapes(std::array::from_fn(|_| {
            let size = sizes.next().unwrap_or(0).min(rest.len());
            let (tags, after) = rest.split_at(size);
            rest = after;
            tags.to_vec()
        }))
    }

    /// Returns how many shapes there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns whether there is no shape.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the shapes of another list of each kind.
    pub fn append(&mut self, other: &Shapes) {
        for (tags, more) in self.0.iter_mut().zip(&other.0) {
            tags.extend_from_slice(more);
        }
    }

    /// Keeps the tags that occur at least `threshold` times, each once, in order.
    pub fn keep_frequent(&mut self, threshold: usize) {
        for tags in &mut self.0 {
            tags.sort_unstable();
            let equal = tags.chunk_by(|a, b| a == b);
            let kept = equal.filter(|it| it.len() >= threshold).map(|it| it[0]);
            *tags = kept.collect();
        }
    }

    /// Returns the first individual of each kind, and one past the last.
    fn starts(&self) -> [u32; KINDS + 1] {
        let mut starts = [CLOSED; KINDS + 1];
        for (kind, tags) in self.0.iter().enumerate() {
            starts[kind + 1] = starts[kind] + tags.len() as u32;
        }
        starts
    }
}

/// The large feature set with the shapes it knows.
#[derive(Clone)]
pub struct LargeFeatures {
    /// Individuals by tag, kind by kind.
    books: [Book; KINDS],
    starts: [u32; KINDS + 1],
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
        let starts = shapes.starts();
        LargeFeatures {
            books: std::array::from_fn(|kind| Book::of(&shapes.0[kind], starts[kind]..)),
            starts,
            survey: Box::new(Survey::new(Size::S19)),
            team: Vec::new(),
        }
    }

    /// Returns how many individuals there are.
    pub fn individuals(&self) -> usize {
        self.starts[KINDS] as usize
    }

    /// Adds the tags of all shapes that a move shows, for harvesting: known or not.
    pub fn harvest(&mut self, turn: &Turn<'_>, point: Point, found: &mut Shapes) {
        self.survey.read(turn);
        let codes = &self.survey.codes;
        found.0[0].extend(MoveTags::new(codes, point));
        if let Some(last) = answered(turn, point) {
            found.0[1].extend(answer_tags(&around(codes, last), last, point));
            found.0[2].extend(reply_tags(codes, last, point));
        }
    }

    /// Replaces the content of `teams` by the team of every legal move.
    pub fn list(&mut self, turn: &Turn<'_>, nesting: Nesting, teams: &mut Teams) {
        teams.clear();
        self.survey.read(turn);
        let context = Context::new(turn, &self.survey);
        let around_last = turn.last[0].map(|it| around(&self.survey.codes, it));
        let mut team = std::mem::take(&mut self.team);
        for point in legal_moves(turn) {
            team.clear();
            describe(turn, &context, &mut self.survey, point, |it| team.push(it));
            let codes = &self.survey.codes;
            let tags = MoveTags::new(codes, point);
            add_known(&self.books[0], tags, nesting, &mut team);
            if let (Some(last), Some(around_last)) = (answered(turn, point), &around_last) {
                let tags = answer_tags(around_last, last, point);
                add_known(&self.books[1], tags, nesting, &mut team);
                let tags = reply_tags(codes, last, point);
                add_known(&self.books[2], tags, nesting, &mut team);
            }
            teams.push(point, &team);
        }
        self.team = team;
    }
}

/// Adds the individuals of the tags up to the first that is not known.
fn add_known(book: &Book, tags: impl Iterator<Item = u32>, nesting: Nesting, team: &mut Vec<u32>) {
    let known = tags.map_while(|tag| book.find(tag));
    match nesting {
        Nesting::All => team.extend(known),
        Nesting::Largest => team.extend(known.last()),
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

/// Returns the last stone if a move is near enough to be an answer to it.
#[inline]
fn answered(turn: &Turn<'_>, point: Point) -> Option<Point> {
    turn.last[0].filter(|&last| ring_distance(last, point) <= ANSWER_REACH)
}

/// Returns the hashes of the balls around a point, smallest first.
#[inline]
fn around(codes: &[u8], point: Point) -> [Hashes; MARKED_RINGS] {
    let mut hashes = Hashes::default();
    std::array::from_fn(|ring| {
        add_ring(&mut hashes, codes, point, ring);
        hashes
    })
}

/// Returns the tags of the balls around the last stone with a move marked, smallest first.
#[inline]
fn answer_tags(
    around_last: &[Hashes; MARKED_RINGS],
    last: Point,
    point: Point,
) -> impl Iterator<Item = u32> {
    let mark = mark(last, point);
    let rings = (0..).zip(around_last);
    rings.map(move |(ring, hashes)| tag(&marked(hashes, mark), ring))
}

/// Returns the tags of the balls around a move with the last stone marked, smallest first.
#[inline]
fn reply_tags(codes: &[u8], last: Point, point: Point) -> impl Iterator<Item = u32> {
    let mut hashes = *mark(point, last);
    (0..MARKED_RINGS).map(move |ring| {
        add_ring(&mut hashes, codes, point, ring);
        tag(&hashes, ring as u32)
    })
}

impl FeatureSet for LargeFeatures {
    fn name(&self) -> &'static str {
        "large"
    }

    fn groups(&self) -> Vec<Group> {
        let names = [
            "shapes around the move",
            "shapes around the last stone, the move marked",
            "shapes around the move, the last stone marked",
        ];
        let sizes = self.starts.windows(2).map(|it| it[1] - it[0]);
        let open = names.into_iter().zip(sizes);
        let open = open.map(|(name, size)| Group { name, size });
        closed_groups().chain(open).collect()
    }

    fn teams(&mut self, turn: &Turn<'_>, teams: &mut Teams) {
        self.list(turn, Nesting::Largest, teams);
    }

    fn another(&self) -> Box<dyn FeatureSet> {
        Box::new(self.clone())
    }
}
