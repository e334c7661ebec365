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

mod arithmetic;
mod attention;
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
mod simd;
mod taps;
#[cfg(test)]
mod tests;
mod winograd;
mod work;

use std::sync::Arc;

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
        fn float<S: Simd>(model: &Model, path: CpuPath) -> Option<Arc<dyn Packed>> {
            let plan = Plan::new(Float(S::detect()?), path.name(), model);
            Some(Arc::new(Arc::new(plan)))
        }
        let packed = match path {
            CpuPath::Plain => float::<Plain>(model, path),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx2 => float::<simd::Avx2>(model, path),
            #[cfg(target_arch = "x86_64")]
            CpuPath::Avx512 => float::<simd::Avx512>(model, path),
            #[cfg(target_arch = "aarch64")]
            CpuPath::Neon => float::<simd::Neon>(model, path),
            _ => None,
        }?;
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

impl<K: arithmetic::Arithmetic> Packed for Arc<Plan<K>> {
    fn forward(&self) -> Box<dyn Forward> {
        Box::new(Pass::new(Arc::clone(self)))
    }
}
