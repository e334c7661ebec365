//! A playout policy: gammas laid out for sampling.
//!
//! A move's weight is the product of its individuals' gammas (PD10, Eq. 2). The
//! part that only depends on the point's surroundings (its 3×3 shape and which of
//! the four adjacent chains are in atari) is looked up in one table; the part that
//! depends on the last move is a factor on the few points it touches; self-atari
//! is applied by rejection.
//!
//! Weights and factors are integers (gamma × [`SCALE`], × [`FACTOR`]), so that sums kept
//! incrementally are exact. Eyes of the mover's and suicide have weight 0.

use std::sync::{Arc, LazyLock};

use shido_go::Size;

use crate::model::{Model, ModelError, SHIPPED_PLAYOUT, SHIPPED_SMALL, is_small};
use crate::pd10::{self, ShapeTable};
use crate::playout_set::{self, SurroundingsTable};
use crate::shape::Shape;
use crate::surroundings::{SURROUNDINGS, Surroundings};
use crate::tactics::{Capture, SELF_ATARIS};

/// Fixed-point unit of a weight.
pub const SCALE: f64 = 4096.0;
/// Largest weight of a single point, so that a row's sum fits 32 bits.
const MAX_WEIGHT: f64 = (u32::MAX / 64) as f64;
/// Fixed-point unit of a factor.
pub const FACTOR: f64 = 4096.0;
/// Largest factor; products of several stay well within 64 bits.
const MAX_FACTOR: f64 = (1 << 24) as f64;
/// Classes of distance to the last move that have a factor: see [`Factors::near`].
pub const NEAR: usize = 4;

/// Gammas of what depends on the last move, and of self-atari.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// Of a move that saves a chain put into atari, by gaining liberties.
    pub extension: f64,
    /// Of a capture by level, beyond what the surroundings hold for any capture.
    pub capture: [f64; 3],
    /// By |dx| + |dy| + max(|dx|, |dy|) to the last move, from 2 (adjacent) to 5.
    pub near: [f64; NEAR],
    /// Of a move that puts two own stones or more into atari, by class.
    pub self_atari: [f64; SELF_ATARIS],
    /// Of a liberty of an own chain that the last move left with two.
    pub defense: f64,
    /// Of a liberty of the last move's chain, which has two.
    pub attack: f64,
}

impl Factors {
    /// The factors that change nothing.
    pub const NONE: Factors = Factors {
        extension: 1.0,
        capture: [1.0; 3],
        near: [1.0; NEAR],
        self_atari: [1.0; SELF_ATARIS],
        defense: 1.0,
        attack: 1.0,
    };
}

/// Gammas laid out for sampling moves; the fields mean what [`Factors`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Weight by shape (16 bits) and atari bits (4, on top), from the mover's side.
    weights: Box<[u32]>,
    pub(crate) extension: u32,
    pub(crate) capture: [u32; 3],
    pub(crate) near: [u32; NEAR],
    pub(crate) self_atari: [f32; SELF_ATARIS],
    pub(crate) defense: u32,
    pub(crate) attack: u32,
}

impl Policy {
    /// Returns the light policy: every legal move that fills no eye is equally likely.
    pub fn even() -> Policy {
        Policy::new(|_| 1.0, Factors::NONE)
    }

    /// Returns the policy that is part of the program, for boards of any size.
    pub fn embedded() -> Arc<Policy> {
        static EMBEDDED: LazyLock<Arc<Policy>> = LazyLock::new(|| Policy::shipped(SHIPPED_PLAYOUT));
        Arc::clone(&EMBEDDED)
    }

    /// Returns the policy that is part of the program and does best on a board.
    pub fn embedded_for(size: Size) -> Arc<Policy> {
        static SMALL: LazyLock<Arc<Policy>> = LazyLock::new(|| Policy::shipped(SHIPPED_SMALL));
        if is_small(size) {
            Arc::clone(&SMALL)
        } else {
            Policy::embedded()
        }
    }

    fn shipped(file: &[u8]) -> Arc<Policy> {
        let model = Model::from_bytes(file).expect("the embedded model is whole");
        Arc::new(Policy::from_model(&model).expect("the embedded model is for playouts"))
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
        let gamma = |around: Surroundings| {
            let (shape, atari) = (around.shape(), around.atari());
            let gamma = shapes.individual(shape).map_or(1.0, |i| gammas[i as usize]);
            let takes = (0..4).any(|i| atari >> i & 1 == 1 && shape.at(2 * i) == 1);
            let lone = if around.is_lone_self_atari() {
                gammas[pd10::SELF_ATARI as usize]
            } else {
                1.0
            };
            gamma * lone * if takes { any } else { 1.0 }
        };
        let special = [Capture::Rescue, Capture::LastMove, Capture::Connection];
        let mut factors = Factors {
            extension: gammas[pd10::EXTENSION as usize],
            capture: special.map(|level| capture(level) / any),
            self_atari: [gammas[pd10::SELF_ATARI as usize]; SELF_ATARIS],
            ..Factors::NONE
        };
        factors.near[0] = gammas[pd10::CONTIGUITY as usize];
        Policy::new(gamma, factors)
    }

    /// Returns the policy of a fit with the shipped playouts' individuals.
    pub fn from_playout(table: &SurroundingsTable, gammas: &[f64]) -> Policy {
        let gamma = |individual: u32| gammas[individual as usize];
        let factors = Factors {
            extension: gamma(playout_set::EXTENSION),
            capture: [0, 1, 2].map(|level| gamma(playout_set::CAPTURE + level)),
            near: [0, 1, 2, 3].map(|class| gamma(playout_set::NEAR_LAST + class)),
            self_atari: [
                gamma(playout_set::SELF_ATARI),
                gamma(playout_set::SELF_ATARI + 1),
                // People do it, rarely and mostly to resign; a playout only loses a seki by it.
                0.0,
            ],
            defense: gamma(playout_set::DEFENSE),
            attack: gamma(playout_set::ATTACK),
        };
        Policy::new(
            |around| table.individual(around).map_or(1.0, gamma),
            factors,
        )
    }

    /// Returns the policy in which `gamma` judges the surroundings.
    pub fn new(gamma: impl Fn(Surroundings) -> f64, factors: Factors) -> Policy {
        let mut weights = vec![0; SURROUNDINGS].into_boxed_slice();
        for (code, weight) in (0..).zip(&mut weights) {
            let around = Surroundings(code);
            if around.is_possible() && !around.is_suicide() && !around.shape().is_own_eye() {
                *weight = (gamma(around) * SCALE).round().clamp(1.0, MAX_WEIGHT) as u32;
            }
        }
        let fixed = |factor: f64| (factor * FACTOR).round().clamp(1.0, MAX_FACTOR) as u32;
        Policy {
            weights,
            extension: fixed(factors.extension),
            capture: factors.capture.map(fixed),
            near: factors.near.map(fixed),
            self_atari: factors.self_atari.map(|it| it as f32),
            defense: fixed(factors.defense),
            attack: fixed(factors.attack),
        }
    }

    /// Returns the weight of a point's surroundings.
    #[inline]
    pub fn weight(&self, around: Surroundings) -> u32 {
        self.weights[around.0 as usize % SURROUNDINGS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_have_playouts_of_their_own() {
        let small = Policy::embedded_for(Size::S9);
        assert!(Arc::ptr_eq(
            &small,
            &Policy::embedded_for(Size::square(11).unwrap())
        ));
        assert_ne!(small, Policy::embedded());
        for side in [13, 19] {
            let size = Size::square(side).unwrap();
            assert!(Arc::ptr_eq(
                &Policy::embedded_for(size),
                &Policy::embedded()
            ));
        }
    }
}
