//! The fast forward pass: every kind of block on the vectors or tiles of the processor.
//!
//! [`Engine::new`] packs a network once for all threads; [`Engine::forward`] gives
//! each thread a pass with memory of its own. Start reading at `fast/plan.rs`; what
//! the paths differ in is behind the trait of `fast/arithmetic.rs`:
//!
//! | path | products | first convolution, residual stream, norms, softmax, small matrices |
//! |---|---|---|
//! | `plain`, `avx2`, `avx512`, `neon` | fp32, 3×3 convolutions by Winograd | fp32 |
//! | `amx` | bf16 tiles, summed in fp32 | fp32 by AVX-512 |
//!
//! Invariants: nothing is allocated after the first evaluations of a size; a path
//! is only used after it has agreed with the reference pass (`fast/check.rs`).
// Vector code must be inlined into `Simd::run`, or each operation becomes a call.
#![allow(clippy::inline_always)]

#[cfg(target_arch = "x86_64")]
mod amx;
// Tiles of bf16 are for x86-64 alone; what only they use lies idle elsewhere.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod arithmetic;
mod attention;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod batch;
mod block;
mod buffer;
mod check;
mod choice;
mod finish;
mod first;
mod float;
mod heads;
mod linear;
mod math;
mod plan;
mod pool;
mod prepare;
mod product;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod simd;
mod taps;
#[cfg(test)]
mod tests;
#[cfg(any(test, target_arch = "x86_64"))]
mod tile;
mod winograd;
mod work;

use std::sync::Arc;

use self::arithmetic::Arithmetic;
pub use self::choice::{CpuChoice, CpuError, CpuPath};
use self::float::Float;
use self::plan::{Pass, Plan};
use self::simd::{Plain, Simd};
use crate::{Forward, Model};

/// A network packed for the processor at hand, shared by any number of threads.
///
/// ```
/// use std::sync::Arc;
/// use shido_go::Size;
/// use shido_net::{CpuChoice, Engine, Outputs, tiny};
///
/// let model = Arc::new(tiny::Plan::new(8).build());
/// let engine = Engine::new(model, CpuChoice::Auto)?;
/// let mut pass = engine.forward();
/// let mut outputs = [Outputs::default()];
/// pass.run(&[&tiny::inputs(Size::S9, 1)], &mut outputs);
/// assert_eq!(outputs[0].ownership.len(), 81);
/// # Ok::<(), shido_net::CpuError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    packed: Arc<dyn Packed>,
    path: CpuPath,
    warnings: Arc<[String]>,
}

impl Engine {
    /// Packs a network for a path, or for the fastest that works.
    ///
    /// Every path is first compared with the reference pass on a small board; with
    /// [`CpuChoice::Auto`] one that disagrees is passed over (see
    /// [`Engine::warnings`]), and the fastest of the rest is found by a short timing.
    #[allow(clippy::needless_pass_by_value)] // An engine may come to keep its network.
    pub fn new(model: Arc<Model>, choice: CpuChoice) -> Result<Engine, CpuError> {
        check::choose(&model, choice)
    }

    /// Makes a pass for one thread.
    pub fn forward(&self) -> Box<dyn Forward> {
        self.packed.forward()
    }

    /// Returns the path in a word: `plain`, `avx2`, `avx512`, `neon` or `amx`.
    pub fn name(&self) -> &'static str {
        self.path.name()
    }

    /// Returns what was found wrong with paths that were passed over.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Packs a network for a path, if the processor has it.
    fn pack(model: &Model, path: CpuPath) -> Option<Engine> {
        fn plan<K: Arithmetic>(k: K, model: &Model, path: CpuPath) -> Arc<dyn Packed> {
            Arc::new(Arc::new(Plan::new(k, path.name(), model)))
        }
        let packed = match path {
            CpuPath::Plain => plan(Float(Plain::detect()?), model, path),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 => plan(Float(simd::Avx2::detect()?), model, path),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx512 => plan(Float(simd::Avx512::detect()?), model, path),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Amx => {
                let simd = simd::Avx512::detect()?;
                let unit = amx::Amx::detect()?;
                plan(tile::Tiles { unit, simd }, model, path)
            }
            #[cfg(target_arch = "aarch64")]
            CpuPath::Neon => plan(Float(simd::Neon::detect()?), model, path),
            #[cfg(test)]
            CpuPath::EmulatedTiles => {
                let simd = Plain::detect()?;
                let unit = tile::Emulated;
                plan(tile::Tiles { unit, simd }, model, path)
            }
            _ => return None,
        };
        Some(Engine {
            packed,
            path,
            warnings: Arc::new([]),
        })
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("path", &self.path)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// A packed network of any arithmetic.
trait Packed: Send + Sync {
    fn forward(&self) -> Box<dyn Forward>;
}

impl<K: Arithmetic> Packed for Arc<Plan<K>> {
    fn forward(&self) -> Box<dyn Forward> {
        Box::new(Pass::new(Arc::clone(self)))
    }
}
