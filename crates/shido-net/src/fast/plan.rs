//! A network packed for one arithmetic, and its pass.
//!
//! The plan is shared by all threads; a [`Pass`] is one thread's, with its own memory.

use std::sync::Arc;

use super::arithmetic::Arithmetic;
use super::block::{PackedBlock, entry, pack_trunk, run_all};
use super::first::{First, FirstScratch};
use super::heads::{HeadScratch, Heads};
use super::prepare::Prepare;
use super::work::{Into, Next, Work};
use crate::{Forward, Inputs, Model, Outputs};

/// Boards evaluated together at most: more would only leave the caches.
const MOST: usize = 8;

/// A packed network.
pub(super) struct Plan<K: Arithmetic> {
    k: K,
    name: &'static str,
    first: First,
    blocks: Vec<PackedBlock<K>>,
    tip: Prepare,
    heads: Heads<K>,
}

impl<K: Arithmetic> Plan<K> {
    /// Packs a model.
    pub(super) fn new(k: K, name: &'static str, model: &Model) -> Plan<K> {
        let trunk = &model.trunk;
        let tip = Prepare::new(&trunk.tip_norm, trunk.tip_activation, K::CHANNELS);
        let heads = Heads::new(k, model);
        Plan {
            k,
            name,
            first: First::new(trunk, tip.width()),
            blocks: pack_trunk(k, &trunk.blocks),
            tip: tip.split(heads.splits_input()),
            heads,
        }
    }
}

/// One thread's pass.
pub(super) struct Pass<K: Arithmetic> {
    plan: Arc<Plan<K>>,
    work: Work<K::Element>,
    heads: HeadScratch,
}

impl<K: Arithmetic> Pass<K> {
    /// Makes a pass; its memory grows with the first evaluation.
    pub(super) fn new(plan: Arc<Plan<K>>) -> Pass<K> {
        Pass {
            plan,
            work: Work::default(),
            heads: HeadScratch::default(),
        }
    }

    fn evaluate(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]) {
        let Plan { k, .. } = *self.plan;
        let plan = &self.plan;
        let work = &mut self.work;
        let sizes = inputs.iter().map(|it| (it.size.width(), it.size.height()));
        work.batch.arrange(sizes);
        let end = Next {
            prepare: &plan.tip,
            layout: plan.heads.layout(),
        };
        let mut scratch: FirstScratch = std::mem::take(&mut work.first);
        work.settle(
            k,
            Into::Begin(0),
            entry(&plan.blocks, end),
            #[inline(always)]
            |batch, settle| {
                plan.first
                    .run(k.simd(), inputs, batch, &mut scratch, settle);
            },
        );
        work.first = scratch;
        run_all(k, &plan.blocks, work, 0, end);
        plan.heads.run(k, work, &mut self.heads, outputs);
    }
}

impl<K: Arithmetic> Forward for Pass<K> {
    fn name(&self) -> &'static str {
        self.plan.name
    }

    fn run(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        self.plan.k.begin();
        for (inputs, outputs) in inputs.chunks(MOST).zip(outputs.chunks_mut(MOST)) {
            self.evaluate(inputs, outputs);
        }
        self.plan.k.end();
    }
}
