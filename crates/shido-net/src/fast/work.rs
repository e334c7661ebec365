//! The memory of one thread, and the one step that everything is made of.
//!
//! Between two steps `front` holds the input of the next product, prepared by its
//! norm and activation. A step multiplies it, adds the result to the residual
//! stream of its depth and leaves the next input in `front` again. The two inputs
//! change places, because a product may not overwrite what it still reads.

use super::arithmetic::{Arithmetic, Element};
use super::attention::AttentionScratch;
use super::batch::{Batch, Layout};
use super::buffer::Buffer;
use super::finish::{Hold, Settle, Stream, Target};
use super::first::FirstScratch;
use super::pool::Pool;
use super::prepare::Prepare;
use super::product::{Product, Tools};

/// Everything a thread needs to evaluate.
#[derive(Default)]
pub(super) struct Work<E: Element> {
    /// The boards at hand.
    pub(super) batch: Batch,
    /// The input of the next product.
    pub(super) front: Buffer<E>,
    /// Where the one after it goes.
    pub(super) back: Buffer<E>,
    /// The residual stream of each depth.
    pub(super) streams: Vec<Buffer<f32>>,
    /// Rows that wait for the whole board.
    pub(super) held: Buffer<f32>,
    /// Rows between norm and pool.
    pub(super) points: Buffer<f32>,
    /// The small things.
    pub(super) pool: Pool,
    /// Vectors of the heads.
    pub(super) vectors: [Vec<f32>; 2],
    /// Memory of the first layer.
    pub(super) first: FirstScratch,
    /// Memory of attention layers.
    pub(super) attention: AttentionScratch<E>,
    /// Memory of products.
    pub(super) tools: Tools<E>,
}

/// What becomes of the rows of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Into {
    /// Only the next input.
    Nothing,
    /// They are added to the stream of this depth.
    Add(usize),
    /// They begin the stream of this depth.
    Begin(usize),
}

/// The product that comes next.
#[derive(Clone, Copy)]
pub(super) struct Next<'a> {
    /// The norm and activation before it.
    pub(super) prepare: &'a Prepare,
    /// How its input must lie.
    pub(super) layout: Layout,
}

impl<E: Element> Work<E> {
    /// Multiplies `front`, and leaves the next input there.
    pub(super) fn step<K: Arithmetic<Element = E>>(
        &mut self,
        k: K,
        product: &impl Product<K>,
        into: Into,
        next: Next<'_>,
    ) {
        let front = std::mem::take(&mut self.front);
        let mut tools = std::mem::take(&mut self.tools);
        self.settle(
            k,
            into,
            next,
            #[inline(always)]
            |batch, settle| product.run(k, &front, batch, &mut tools, settle),
        );
        self.tools = tools;
        // `settle` has left the new input in `front`; the old one is the next `back`.
        self.back = front;
    }

    /// Runs something that makes rows, and leaves the next input in `front`.
    ///
    /// `front` must have been taken, or be of no more use.
    pub(super) fn settle<K: Arithmetic<Element = E>>(
        &mut self,
        k: K,
        into: Into,
        next: Next<'_>,
        run: impl FnOnce(&Batch, &mut Settle<'_, E>),
    ) {
        let Work {
            batch,
            back,
            streams,
            held,
            ..
        } = self;
        let width = next.prepare.width();
        let layout = next.layout;
        back.ensure(batch.input_rows(layout) * next.prepare.stride());
        if layout == Layout::Padded {
            batch.clear_padding(back, next.prepare.stride());
        }
        let whole = next.prepare.needs_board();
        let (data, add) = match into {
            Into::Nothing => (whole.then_some(held), false),
            Into::Add(depth) => (Some(&mut streams[depth]), true),
            Into::Begin(depth) => {
                streams.resize_with(streams.len().max(depth + 1), Buffer::default);
                (Some(&mut streams[depth]), false)
            }
        };
        let mut data = data;
        if let Some(data) = &mut data {
            // Products add whole tiles of rows.
            data.ensure(batch.input_rows(Layout::Dense) * width);
        }
        let place = batch.place(layout);
        let mut settle = Settle {
            stream: data.as_mut().map(|data| Stream {
                data: data as &mut [f32],
                width,
                add,
            }),
            target: (!whole).then_some(Target {
                prepare: next.prepare,
                to: back,
                place,
            }),
        };
        run(batch, &mut settle);
        if let (true, Some(data)) = (whole, data) {
            let from = (&**data, width);
            next.prepare.rows(k.simd(), batch, from, place, back);
        }
        std::mem::swap(&mut self.front, &mut self.back);
    }

    /// Multiplies `front` and keeps the rows in `held`, `width` channels each.
    pub(super) fn hold<K: Arithmetic<Element = E>>(
        &mut self,
        k: K,
        product: &impl Product<K>,
        width: usize,
    ) {
        self.held.ensure(self.batch.rows() * width);
        let mut hold = Hold {
            to: &mut self.held,
            width,
        };
        product.run(k, &self.front, &self.batch, &mut self.tools, &mut hold);
    }

    /// Prepares the next input from some columns of `held`.
    pub(super) fn prepare_held<K: Arithmetic<Element = E>>(
        &mut self,
        k: K,
        (first, stride): (usize, usize),
        next: Next<'_>,
    ) {
        let Work {
            batch, back, held, ..
        } = self;
        back.ensure(batch.input_rows(next.layout) * next.prepare.stride());
        if next.layout == Layout::Padded {
            batch.clear_padding(back, next.prepare.stride());
        }
        let place = batch.place(next.layout);
        let from = (&held[first..], stride);
        next.prepare.rows(k.simd(), batch, from, place, back);
        std::mem::swap(&mut self.front, &mut self.back);
    }

    /// Prepares some columns of `held` into `points`, in fp32.
    pub(super) fn prepare_points<K: Arithmetic<Element = E>>(
        &mut self,
        k: K,
        (first, stride): (usize, usize),
        prepare: &Prepare,
    ) {
        let Work {
            batch,
            points,
            held,
            ..
        } = self;
        points.ensure(batch.input_rows(Layout::Dense) * prepare.width());
        let from = (&held[first..], stride);
        prepare.rows(k.simd(), batch, from, &batch.dense, points);
    }
}
