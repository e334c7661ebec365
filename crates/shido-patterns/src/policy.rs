//! A playout policy: gammas laid out for sampling.
//!
//! A move's weight is the product of its individuals' gammas (PD10, Eq. 2). The
//! part that only depends on the point's surroundings (its 3×3 shape and which of
//! the four adjacent chains are in atari) is looked up in one table; the part that
//! depends on the last move is a factor on the few points it touches; self-atari
//! is applied by rejection.
//!
//! Weights are integers (gamma × [`SCALE`]), so that sums kept incrementally are exact.

use std::sync::{Arc, LazyLock};

use crate::model::{Model, ModelError};
use crate::pd10::{self, ShapeTable};
use crate::playout_set::{self, SurroundingsTable};
use crate::shape::{CODES, Shape};
use crate::surroundings::Surroundings;
use crate::tactics::Capture;

/// Fixed-point unit of a weight.
pub const SCALE: f64 = 4096.0;
/// Largest weight of a single point, so that a row's sum fits 32 bits.
const MAX_WEIGHT: f64 = (u32::MAX / 64) as f64;
/// Classes of distance to the last move that have a factor: see [`Policy::near`].
pub const NEAR: usize = 4;

/// Gammas laid out for sampling moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Weight by shape (16 bits) and atari bits (4, on top), from the mover's side.
    weights: Box<[u32]>,
    /// Factor of a move that saves a chain put into atari, by gaining liberties.
    pub extension: f32,
    /// Factor of a capture by level, beyond what the table holds for any capture.
    pub capture: [f32; 3],
    /// Factor by |dx| + |dy| + max(|dx|, |dy|) to the last move, from 2 (adjacent) to 5.
    pub near: [f32; NEAR],
    /// Factor of a move that puts the own chain into atari.
    pub self_atari: f32,
}

impl Policy {
    /// Returns the light policy: every legal move that fills no eye is equally likely.
    pub fn even() -> Policy {
        Policy::from_static(|_, _| 1.0)
    }

    /// Returns the policy that is part of the program.
    pub fn embedded() -> Arc<Policy> {
        static EMBEDDED: LazyLock<Arc<Policy>> = LazyLock::new(|| {
            let bytes = include_bytes!("../models/playout.gammas");
            let model = Model::from_bytes(bytes).expect("the embedded model is whole");
            Arc::new(Policy::from_model(&model).expect("the embedded model is for playouts"))
        });
        Arc::clone(&EMBEDDED)
    }

    /// Returns the policy of a stored model, fitted with PD10's or the playouts' features.
    pub fn from_model(model: &Model) -> Result<Policy, ModelError> {
        // Checks that the individuals are those of the named set.
        model.feature_set()?;
        let gammas = model.gammas();
        match model.features.as_str() {
            "pd10" => {
                let orbits = model.tags.iter().map(|&tag| Shape(tag as u16)).collect();
                Ok(Policy::from_pd10(&ShapeTable::new(orbits), &gammas))
            }
            "playout" => {
                let orbits = model.tags.iter().map(|&tag| Surroundings(tag)).collect();
                Ok(Policy::from_playout(
                    &SurroundingsTable::new(orbits),
                    &gammas,
                ))
            }
            other => Err(ModelError::NotForPlayouts(other.to_owned())),
        }
    }

    /// Returns the policy of a fit with PD10's individuals.
    pub fn from_pd10(shapes: &ShapeTable, gammas: &[f64]) -> Policy {
        let capture = |level: Capture| gammas[(pd10::CAPTURE + level as u32) as usize];
        let any = capture(Capture::Any);
        let mut policy = Policy::from_static(|shape, atari| {
            let gamma = shapes.individual(shape).map_or(1.0, |i| gammas[i as usize]);
            let takes = (0..4).any(|i| atari >> i & 1 == 1 && shape.at(2 * i) == 1);
            if takes { gamma * any } else { gamma }
        });
        policy.extension = gammas[pd10::EXTENSION as usize] as f32;
        policy.capture = [Capture::Rescue, Capture::LastMove, Capture::Connection]
            .map(|level| (capture(level) / any) as f32);
        policy.near[0] = gammas[pd10::CONTIGUITY as usize] as f32;
        policy.self_atari = gammas[pd10::SELF_ATARI as usize] as f32;
        policy
    }

    /// Returns the policy of a fit with the shipped playouts' individuals.
    pub fn from_playout(table: &SurroundingsTable, gammas: &[f64]) -> Policy {
        let gamma = |individual: u32| gammas[individual as usize];
        let mut policy = Policy::from_static(|shape, atari| {
            table
                .individual(Surroundings::new(shape, atari))
                .map_or(1.0, gamma)
        });
        policy.extension = gamma(playout_set::EXTENSION) as f32;
        policy.capture = [0, 1, 2].map(|level| gamma(playout_set::CAPTURE + level) as f32);
        policy.near = [0, 1, 2, 3].map(|class| gamma(playout_set::NEAR_LAST + class) as f32);
        policy.self_atari = gamma(playout_set::SELF_ATARI) as f32;
        policy
    }

    /// Returns a policy whose weight depends on the surroundings alone: `gamma` gets
    /// the shape and, as bits 0 to 3 clockwise from the top, which neighbors are in atari.
    pub fn from_static(gamma: impl Fn(Shape, u32) -> f64) -> Policy {
        let mut weights = vec![0; CODES << 4].into_boxed_slice();
        for code in 0..CODES {
            let shape = Shape(code as u16);
            if shape.is_own_eye() {
                continue;
            }
            for atari in 0..16 {
                let stones = (0..4).all(|i| atari >> i & 1 == 0 || shape.at(2 * i) < 2);
                if stones {
                    let weight = (gamma(shape, atari) * SCALE).round().clamp(1.0, MAX_WEIGHT);
                    weights[code | (atari as usize) << 16] = weight as u32;
                }
            }
        }
        Policy {
            weights,
            extension: 1.0,
            capture: [1.0; 3],
            near: [1.0; NEAR],
            self_atari: 1.0,
        }
    }

    /// Returns the weight of a point's surroundings.
    #[inline]
    pub fn weight(&self, shape: Shape, atari: u32) -> u32 {
        self.weights[usize::from(shape.0) | (atari as usize & 15) << 16]
    }
}
