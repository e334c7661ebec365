//! The large model ready for use: move probabilities for the tree.
//!
//! The weights of nested shapes are folded, so a move needs only the largest
//! shape that is known, and they lie in the dictionary itself. After the first
//! call nothing is allocated. Equal turns give equal answers, bit for bit.

use std::sync::{Arc, LazyLock};

use shido_go::{Point, Size};

use super::book::Book;
use super::features::{Context, describe, is_eye, pass};
use super::rings::{Hashes, RINGS, add_ring, mark, marked, ring_distance, tag};
use super::survey::Survey;
use super::{ANSWER_REACH, KINDS, LargeFeatures, MARKED_RINGS, Shapes, around};
use crate::feature_set::{FeatureSet, Turn, legal_moves};
use crate::model::{Model, ModelError, SHIPPED_LARGE};

/// Move probabilities by the large feature set.
///
/// ```
/// use shido_go::{Board, Color, Size};
/// use shido_patterns::feature_set::Turn;
/// use shido_patterns::large::{LargeModel, PriorScratch};
///
/// let model = LargeModel::embedded();
/// let mut scratch = PriorScratch::new();
/// let mut priors = Vec::new();
/// let board = Board::new(Size::S19);
/// model.priors(&mut scratch, &Turn::new(&board, Color::Black), &mut priors);
/// assert_eq!(priors.len(), 361);
/// ```
#[derive(Debug, Clone)]
pub struct LargeModel {
    closed: Box<[f32]>,
    /// The bits of the shapes' folded weights by tag, kind by kind.
    books: [Book; KINDS],
}

/// Working space of [`LargeModel::priors`], one per thread.
#[derive(Clone)]
pub struct PriorScratch {
    survey: Box<Survey>,
    growing: Vec<Growing>,
}

/// A shape of a move that may have a larger known one around it.
#[derive(Clone)]
struct Growing {
    /// Which move.
    place: u32,
    tag: u32,
    /// Weight of the largest shape known so far.
    weight: f32,
    hashes: Hashes,
}

impl PriorScratch {
    /// Makes room for the work.
    pub fn new() -> PriorScratch {
        PriorScratch {
            survey: Box::new(Survey::new(Size::S19)),
            growing: Vec::new(),
        }
    }
}

impl Default for PriorScratch {
    fn default() -> PriorScratch {
        PriorScratch::new()
    }
}

static EMBEDDED: LazyLock<Arc<LargeModel>> = LazyLock::new(|| {
    let model = Model::from_bytes(SHIPPED_LARGE).expect("the embedded model is whole");
    Arc::new(LargeModel::new(&model).expect("the embedded model was made for this program"))
});

impl LargeModel {
    /// Returns the model that is part of the program.
    pub fn embedded() -> Arc<LargeModel> {
        Arc::clone(&EMBEDDED)
    }

    /// Lays a stored model out for use.
    pub fn new(model: &Model) -> Result<LargeModel, ModelError> {
        let shapes = Shapes::of_model(model);
        let features = LargeFeatures::new(&shapes);
        model.check(features.name(), &features.groups())?;
        let starts = shapes.starts().map(|it| it as usize);
        Ok(LargeModel {
            closed: model.weights[..starts[0]].into(),
            books: std::array::from_fn(|kind| {
                let weights = &model.weights[starts[kind]..starts[kind + 1]];
                Book::of(&shapes.0[kind], weights.iter().map(|it| it.to_bits()))
            }),
        })
    }

    /// Replaces `out` by the legal moves that fill no own eye and their probabilities,
    /// which add up to 1 unless there is no such move.
    pub fn priors(&self, scratch: &mut PriorScratch, turn: &Turn<'_>, out: &mut Vec<(Point, f32)>) {
        let PriorScratch { survey, growing } = scratch;
        survey.read(turn);
        let context = Context::new(turn, survey);
        out.clear();
        for point in legal_moves(turn) {
            if is_eye(turn.board, survey, point) {
                continue;
            }
            let mut weight = 0.0;
            describe(turn, &context, survey, point, |it| {
                weight += self.closed[it as usize];
            });
            out.push((point, weight));
        }
        let codes = &survey.codes;
        growing.clear();
        growing.extend(out.iter().zip(0..).map(|(_, place)| Growing::new(place)));
        self.add_largest(0, RINGS, growing, out, |it, point, ring| {
            add_ring(&mut it.hashes, codes, point, ring);
            tag(&it.hashes, ring as u32 + 1)
        });
        if let Some(last) = turn.last[0] {
            let near = |out: &[(Point, f32)], growing: &mut Vec<Growing>| {
                let moves = out.iter().zip(0..);
                let near = moves.filter(|(it, _)| ring_distance(last, it.0) <= ANSWER_REACH);
                growing.clear();
                growing.extend(near.map(|(it, place)| Growing {
                    hashes: *mark(it.0, last),
                    ..Growing::new(place)
                }));
            };
            near(out, growing);
            let around_last = around(codes, last);
            self.add_largest(1, MARKED_RINGS, growing, out, |_, point, ring| {
                tag(&marked(&around_last[ring], mark(last, point)), ring as u32)
            });
            near(out, growing);
            self.add_largest(2, MARKED_RINGS, growing, out, |it, point, ring| {
                add_ring(&mut it.hashes, codes, point, ring);
                tag(&it.hashes, ring as u32)
            });
        }
        normalize(out);
    }

    /// Adds to the moves' weights those of their largest known shapes of one kind.
    ///
    /// All shapes grow by a ring before any is looked up: the lookups miss the cache
    /// and do not depend on each other, so the processor overlaps them.
    #[inline]
    fn add_largest(
        &self,
        kind: usize,
        rings: usize,
        growing: &mut Vec<Growing>,
        out: &mut [(Point, f32)],
        mut next_tag: impl FnMut(&mut Growing, Point, usize) -> u32,
    ) {
        let book = &self.books[kind];
        for ring in 0..rings {
            for it in &mut *growing {
                it.tag = next_tag(it, out[it.place as usize].0, ring);
            }
            growing.retain_mut(|it| {
                let known = book.find(it.tag);
                match known {
                    Some(bits) => it.weight = f32::from_bits(bits),
                    None => out[it.place as usize].1 += it.weight,
                }
                known.is_some()
            });
        }
        for it in growing {
            out[it.place as usize].1 += it.weight;
        }
    }

    /// Returns the probability that a player passes; the moves share the rest.
    pub fn pass(&self, turn: &Turn<'_>, after_pass: bool) -> f32 {
        let odds = self.closed[pass(turn.board, after_pass) as usize].exp();
        odds / (1.0 + odds)
    }
}

impl Growing {
    fn new(place: u32) -> Growing {
        Growing {
            place,
            tag: 0,
            weight: 0.0,
            hashes: Hashes::default(),
        }
    }
}

/// Turns logarithms of strengths into probabilities.
fn normalize(moves: &mut [(Point, f32)]) {
    let most = moves.iter().map(|it| it.1).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (_, it) in &mut *moves {
        *it = (*it - most).exp();
        sum += *it;
    }
    for (_, it) in moves {
        *it /= sum;
    }
}
