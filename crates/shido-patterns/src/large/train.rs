//! Fits the large model by stochastic gradient ascent on the log evidence.
//!
//! The model is Bradley and Terry's (PD10, Eq. 2) and so is the objective (PD10,
//! Eq. 3); only the way up differs from [`crate::mm`]. With hundreds of thousands
//! of shapes nearly every team is unique, a sweep of MM must hold them all, and
//! millions of positions do not fit. Here each position is seen, used and dropped.
//! Steps are scaled per individual by the gradients it has had (Duchi, Hazan and
//! Singer, JMLR 12, 2011), so that rare shapes learn fast and common facts settle.

use std::collections::BTreeMap;

use shido_go::Board;

use super::features::{CLOSED, pass};
use super::rings::RINGS;
use super::{KINDS, LargeFeatures, Shapes};
use crate::feature_set::Teams;
use crate::model::Model;

/// Marks a shape with none known within.
const INNERMOST: u32 = u32::MAX;

/// The weights (logarithms of gammas) in the making.
#[derive(Debug, Clone)]
pub struct Trainer {
    weights: Vec<f32>,
    /// Sum of squared gradients by individual.
    squares: Vec<f32>,
    /// By individual: the shape within a shape.
    inner: Vec<u32>,
    /// First individual of each kind of shape, and one past the last.
    starts: [u32; KINDS + 1],
    /// By individual: how often players passed and how often they did not.
    passes: BTreeMap<u32, [u32; 2]>,
    rate: f32,
    probabilities: Vec<f32>,
}

impl Trainer {
    /// Starts with all gammas 1.
    pub fn new(shapes: &Shapes, rate: f32) -> Trainer {
        let starts = shapes.starts();
        let individuals = starts[KINDS] as usize;
        Trainer {
            inner: vec![INNERMOST; individuals],
            starts,
            passes: BTreeMap::new(),
            weights: vec![0.0; individuals],
            squares: vec![1.0; individuals],
            rate,
            probabilities: Vec::new(),
        }
    }

    /// Returns the logarithms of the gammas.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Sets the step size.
    pub fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    /// Fills `probabilities` with the present model's and returns them.
    pub fn predict(&mut self, teams: &Teams) -> &[f32] {
        let weights = &self.weights;
        let scores = teams
            .iter()
            .map(|team| team.iter().map(|&it| weights[it as usize]).sum::<f32>());
        self.probabilities.clear();
        self.probabilities.extend(scores);
        let most = self.probabilities.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for it in &mut self.probabilities {
            *it = (*it - most).exp();
            sum += *it;
        }
        for it in &mut self.probabilities {
            *it /= sum;
        }
        &self.probabilities
    }

    /// Learns from one position, its teams with all nested shapes; returns the
    /// probability the winner had before.
    pub fn learn(&mut self, teams: &Teams, winner: usize) -> f32 {
        self.predict(teams);
        let before = self.probabilities[winner];
        for (i, team) in teams.iter().enumerate() {
            let p = self.probabilities[i];
            let gradient = if i == winner { 1.0 - p } else { -p };
            self.note_nesting(team);
            if gradient.abs() < 1e-5 {
                continue;
            }
            for &it in team {
                let it = it as usize;
                self.squares[it] += gradient * gradient;
                self.weights[it] += self.rate * gradient / self.squares[it].sqrt();
            }
        }
        before
    }

    /// Takes note of whether a player passed.
    pub fn count_pass(&mut self, board: &Board, after_pass: bool, passed: bool) {
        let counts = self.passes.entry(pass(board, after_pass)).or_default();
        counts[usize::from(!passed)] += 1;
    }

    /// Remembers which shape lies within which: they follow each other in a team.
    fn note_nesting(&mut self, team: &[u32]) {
        for pair in team.windows(2) {
            let (inner, outer) = (pair[0], pair[1]);
            let same_kind = !self.starts.iter().any(|it| (inner < *it) != (outer < *it));
            if inner >= CLOSED && same_kind {
                self.inner[outer as usize] = inner;
            }
        }
    }

    /// Returns the weights for teams that hold only the largest shape: each shape
    /// gets the sum over itself and all within.
    fn folded(&self) -> Vec<f32> {
        let mut folded = self.weights.clone();
        for (weight, &first) in folded.iter_mut().zip(&self.inner) {
            let mut inner = first;
            // Tags that collide could close a circle; no shape has more within than rings.
            for _ in 0..RINGS {
                if inner == INNERMOST {
                    break;
                }
                *weight += self.weights[inner as usize];
                inner = self.inner[inner as usize];
            }
        }
        folded
    }

    /// Returns the model to store.
    pub fn model(&self, shapes: &Shapes) -> Model {
        let mut weights = self.folded();
        for (&individual, &[passes, moves]) in &self.passes {
            // As if half a pass had been seen beforehand, so that none is impossible.
            weights[individual as usize] = ((passes as f32 + 0.5) / (moves as f32 + 1.0)).ln();
        }
        let tags = shapes.0.concat();
        Model::new(&LargeFeatures::new(shapes), tags, weights)
    }
}
