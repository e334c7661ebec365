//! The large model ready for use: move probabilities for the tree.
//!
//! The weights of nested shapes are folded, so a move needs only the largest
//! shape that is known, and they lie in the dictionary itself. After the first
//! call nothing is allocated. Equal turns give equal answers, bit for bit.

use std::sync::{Arc, LazyLock};

use shido_go::{Point, Size};

use super::book::Book;
use super::features::{CLOSED, Context, describe, is_eye, pass};
use super::survey::Survey;
use super::{LargeFeatures, MoveTags, Shapes, answer_tags, around};
use crate::feature_set::{FeatureSet, Turn, legal_moves};
use crate::model::{Model, ModelError};

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
    /// Shapes around the move, with the bits of their folded weight.
    around_move: Book,
    /// Shapes around the last stone, likewise.
    answers: Book,
}

/// Working space of [`LargeModel::priors`], one per thread.
#[derive(Clone)]
pub struct PriorScratch {
    survey: Box<Survey>,
}

impl PriorScratch {
    /// Makes room for the work.
    pub fn new() -> PriorScratch {
        PriorScratch {
            survey: Box::new(Survey::new(Size::S19)),
        }
    }
}

impl Default for PriorScratch {
    fn default() -> PriorScratch {
        PriorScratch::new()
    }
}

static EMBEDDED: LazyLock<Arc<LargeModel>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../models/large.gammas");
    let model = Model::from_bytes(bytes).expect("the embedded model is whole");
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
        let (closed, open) = model.weights.split_at(CLOSED as usize);
        let (around_move, answers) = open.split_at(shapes.around_move.len());
        let bits = |weights: &[f32]| weights.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        Ok(LargeModel {
            closed: closed.into(),
            around_move: Book::of(&shapes.around_move, bits(around_move).into_iter()),
            answers: Book::of(&shapes.answers, bits(answers).into_iter()),
        })
    }

    /// Replaces `out` by the legal moves that fill no own eye and their probabilities,
    /// which add up to 1 unless there is no such move.
    pub fn priors(&self, scratch: &mut PriorScratch, turn: &Turn<'_>, out: &mut Vec<(Point, f32)>) {
        let survey = &mut *scratch.survey;
        survey.read(turn);
        let context = Context::new(turn, survey);
        let last = turn.last[0].map(|last| (last, around(&survey.codes, last)));
        out.clear();
        let mut most = f32::MIN;
        for point in legal_moves(turn) {
            if is_eye(turn.board, survey, point) {
                continue;
            }
            let mut weight = 0.0;
            describe(turn, &context, survey, point, |it| {
                weight += self.closed[it as usize];
            });
            let tags = MoveTags::new(&survey.codes, point);
            weight += largest(&self.around_move, tags);
            if let Some((last, around)) = &last
                && let Some(tags) = answer_tags(around, *last, point)
            {
                weight += largest(&self.answers, tags);
            }
            most = most.max(weight);
            out.push((point, weight));
        }
        let mut sum = 0.0;
        for (_, it) in &mut *out {
            *it = (*it - most).exp();
            sum += *it;
        }
        for (_, it) in &mut *out {
            *it /= sum;
        }
    }

    /// Returns the probability that a player passes; the moves share the rest.
    pub fn pass(&self, turn: &Turn<'_>, after_pass: bool) -> f32 {
        let odds = self.closed[pass(turn.board, after_pass) as usize].exp();
        odds / (1.0 + odds)
    }
}

/// Returns the weight of the largest known shape.
#[inline]
fn largest(book: &Book, tags: impl Iterator<Item = u32>) -> f32 {
    let mut weight = 0.0;
    for bits in tags.map_while(|tag| book.find(tag)) {
        weight = f32::from_bits(bits);
    }
    weight
}
