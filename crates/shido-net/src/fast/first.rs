//! The first convolution, from the bits of the planes, in fp32 on every path.
//!
//! Few planes say yes at a point, so the weights of those that do are summed up
//! instead of multiplied. What the plane of the board itself adds depends on the
//! size of the board alone and is kept.

use super::batch::{Batch, Board};
use super::buffer::Buffer;
use super::finish::Finish;
use super::linear::Linear;
use super::simd::Simd;
use super::taps::Taps;
use crate::inputs::{GLOBALS, META_CHANNELS, PLANES};
use crate::{Activation, Inputs, MetaEncoder, Trunk};

/// Points finished at a time.
const BLOCK: usize = 32;
/// Vectors summed at a time: as many as any processor has registers for.
const WIDE: usize = 6;

/// The first layer: planes, globals and the description of the player.
pub(super) struct First {
    places: Vec<(isize, isize)>,
    /// `[tap][plane][channel]`
    weights: Buffer<f32>,
    width: usize,
    globals: Linear,
    meta: Option<Meta>,
}

struct Meta {
    layers: [(Linear, Activation); 3],
}

impl Meta {
    fn new(encoder: &MetaEncoder) -> Meta {
        let first = Linear::new(&encoder.first, Some(&encoder.first_bias.weights));
        let second = Linear::new(&encoder.second, Some(&encoder.second_bias.weights));
        let third = Linear::new(&encoder.third, None);
        Meta {
            layers: [
                (first, encoder.first_activation),
                (second, encoder.second_activation),
                (third, Activation::Identity),
            ],
        }
    }
}

/// Memory of the first layer.
#[derive(Default)]
pub(super) struct FirstScratch {
    /// For each point of a board: a bit for each plane.
    masks: Vec<u32>,
    /// What the plane of the board adds, for each size met so far.
    bases: Vec<(usize, usize, Buffer<f32>)>,
    bias: Vec<f32>,
    hidden: Vec<f32>,
    meta: Vec<f32>,
    rows: Buffer<f32>,
}

impl First {
    /// Takes the first layers of a trunk; rows get `width` channels.
    pub(super) fn new(trunk: &Trunk, width: usize) -> First {
        let taps = Taps::merge(&[&trunk.initial_conv], width);
        let mut weights = Buffer::new(taps.taps.len() * PLANES * width);
        for (to, tap) in weights.chunks_exact_mut(PLANES * width).zip(&taps.taps) {
            to[..tap.weights.data.len()].copy_from_slice(&tap.weights.data);
        }
        First {
            places: taps.taps.iter().map(|tap| (tap.dy, tap.dx)).collect(),
            weights,
            width,
            globals: Linear::new(&trunk.initial_matrix, None),
            meta: trunk.meta_encoder.as_ref().map(Meta::new),
        }
    }

    /// Computes the rows of all boards of a batch.
    pub(super) fn run<S: Simd, F: Finish<S>>(
        &self,
        s: S,
        inputs: &[&Inputs],
        batch: &Batch,
        scratch: &mut FirstScratch,
        finish: &mut F,
    ) {
        scratch.rows.ensure(BLOCK * self.width);
        for (inputs, board) in inputs.iter().zip(&batch.boards) {
            self.sum_globals(s, inputs, scratch);
            let base = self.base(s, board, scratch);
            scratch.masks.clear();
            scratch.masks.resize(board.area(), 0);
            for (plane, points) in inputs.planes.iter().enumerate().skip(1) {
                for point in points.iter() {
                    scratch.masks[point] |= 1 << plane;
                }
            }
            let FirstScratch {
                masks,
                bases,
                bias,
                rows: raw,
                ..
            } = scratch;
            let base = &bases[base].2;
            for rows in batch.dense[board.rows()].chunks(BLOCK) {
                s.run(
                    #[inline(always)]
                    || {
                        for (row, to) in rows.iter().zip(raw.chunks_exact_mut(self.width)) {
                            let point = *row as usize - board.start;
                            let base = &base[point * self.width..][..self.width];
                            for at in (0..self.width).step_by(S::LANES) {
                                let v = s.add(s.load(&base[at..]), s.load(&bias[at..]));
                                s.store(v, &mut to[at..]);
                            }
                            self.add_planes(s, board, masks, point, to);
                        }
                        finish.rows(s, raw, self.width, rows);
                    },
                );
            }
        }
    }

    /// Leaves what the globals and the description of the player add to every point.
    fn sum_globals<S: Simd>(&self, s: S, inputs: &Inputs, scratch: &mut FirstScratch) {
        let none = Activation::Identity;
        let globals: &[f32; GLOBALS] = &inputs.globals;
        self.globals.apply(s, globals, none, &mut scratch.bias);
        scratch.bias.resize(self.width, 0.0);
        if let Some(meta) = &self.meta {
            let nobody = [0.0; META_CHANNELS];
            let description = inputs.meta.as_deref().unwrap_or(&nobody);
            let FirstScratch {
                bias,
                hidden,
                meta: out,
                ..
            } = scratch;
            let [(first, one), (second, two), (third, three)] = &meta.layers;
            first.apply(s, description, *one, hidden);
            second.apply(s, hidden, *two, out);
            third.apply(s, out, *three, hidden);
            for (bias, meta) in bias.iter_mut().zip(hidden) {
                *bias += *meta;
            }
        }
    }

    /// Returns the index of what the plane of the board adds on a board of this size.
    fn base<S: Simd>(&self, s: S, board: &Board, scratch: &mut FirstScratch) -> usize {
        let size = (board.width, board.height);
        let known = scratch
            .bases
            .iter()
            .position(|base| (base.0, base.1) == size);
        known.unwrap_or_else(|| {
            let mut base = Buffer::new(board.area() * self.width);
            let masks = vec![1; board.area()];
            for (point, to) in base.chunks_exact_mut(self.width).enumerate() {
                s.run(|| self.add_planes(s, board, &masks, point, to));
            }
            scratch.bases.push((size.0, size.1, base));
            scratch.bases.len() - 1
        })
    }

    /// Adds the weights of all planes that say yes where a point looks.
    #[inline(always)]
    fn add_planes<S: Simd>(
        &self,
        s: S,
        board: &Board,
        masks: &[u32],
        point: usize,
        to: &mut [f32],
    ) {
        let mut first = 0;
        while first < self.width {
            let vectors = ((self.width - first) / S::LANES).min(WIDE);
            if vectors == WIDE {
                self.add_columns::<S, WIDE>(s, board, masks, point, first, to);
                first += WIDE * S::LANES;
            } else {
                self.add_columns::<S, 1>(s, board, masks, point, first, to);
                first += S::LANES;
            }
        }
    }

    #[inline(always)]
    fn add_columns<S: Simd, const N: usize>(
        &self,
        s: S,
        board: &Board,
        masks: &[u32],
        point: usize,
        first: usize,
        to: &mut [f32],
    ) {
        let to = &mut to[first..][..N * S::LANES];
        let mut sums = [s.splat(0.0); N];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = s.load(&to[i * S::LANES..]);
        }
        let (y, x) = (
            (point / board.width) as isize,
            (point % board.width) as isize,
        );
        for (tap, &(dy, dx)) in self.places.iter().enumerate() {
            let (y, x) = (y + dy, x + dx);
            let on_board =
                (0..board.width as isize).contains(&x) && (0..board.height as isize).contains(&y);
            if !on_board {
                continue;
            }
            let mut mask = masks[y as usize * board.width + x as usize];
            while mask != 0 {
                let plane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let line = &self.weights[(tap * PLANES + plane) * self.width + first..];
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = s.add(*sum, s.load(&line[i * S::LANES..]));
                }
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            s.store(sum, &mut to[i * S::LANES..]);
        }
    }
}
