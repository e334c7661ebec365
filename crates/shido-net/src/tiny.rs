//! Small random networks and inputs of every kind, the same on every machine.
//!
//! They know nothing of Go. They are for tests: of reading and writing, of the fast
//! paths against the reference pass, of programs that need some network. Weights are
//! scaled so that outputs are neither flat nor saturated, and channel counts are
//! mostly no multiples of a vector's width.

mod build;
mod random;

use shido_go::Size;

use self::random::Random;
use crate::inputs::{GLOBALS, Inputs, META_CHANNELS, PLANES, Plane};
use crate::model::{Activation, Model, NEWEST, OLDEST};

/// What a tiny network is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The format's version.
    pub version: u32,
    /// Channels of the trunk.
    pub channels: usize,
    /// The blocks.
    pub blocks: Vec<Part>,
    /// The activation everywhere; only `ReLU` below version 11.
    pub activation: Activation,
    /// Whether batch norms have a scale.
    pub scale: bool,
    /// Whether batch norms have a bias.
    pub bias: bool,
    /// The norm after the last block; only [`Tip::Batch`] below version 15.
    pub tip: Tip,
    /// Policy channels; free only from version 17.
    pub policies: usize,
    /// Whether it takes a description of the player; only from version 15.
    pub meta: bool,
    /// Rows and columns of the first convolution's kernel, odd.
    pub first_kernel: usize,
    /// What the weights are drawn from.
    pub seed: u64,
}

/// A block.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Two convolutions.
    Ordinary,
    /// Two convolutions with a pooled side channel.
    GlobalPooling,
    /// A narrower stack of blocks.
    Nested(Vec<Part>),
    /// Attention.
    Attention {
        /// Query heads.
        heads: usize,
        /// Key and value heads.
        kv_heads: usize,
        /// Width of a query.
        query_width: usize,
        /// Width of a value.
        value_width: usize,
        /// How places on the board are told apart.
        turn: Turn,
    },
    /// A small network for each point.
    FeedForward {
        /// Whether it has a gate.
        gated: bool,
    },
}

/// How attention tells places on the board apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Not at all.
    None,
    /// By fixed frequencies.
    Fixed,
    /// By learned frequencies.
    Learned,
}

/// The norm after the last block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tip {
    /// A batch norm.
    Batch,
    /// A root-mean-square norm of each point.
    RmsOfPoint,
    /// A root-mean-square norm of the whole board.
    RmsOfBoard,
}

impl Plan {
    /// Returns a plan with an ordinary and a global-pooling block.
    ///
    /// # Panics
    ///
    /// If the version is not one that can be read.
    pub fn new(version: u32) -> Plan {
        assert!((OLDEST..=NEWEST).contains(&version), "version {version}");
        Plan {
            version,
            channels: 13,
            blocks: vec![Part::Ordinary, Part::GlobalPooling],
            activation: Activation::Relu,
            scale: false,
            bias: true,
            tip: Tip::Batch,
            policies: match version {
                ..12 => 1,
                16 => 4,
                _ => 2,
            },
            meta: false,
            first_kernel: 3,
            seed: u64::from(version),
        }
    }

    /// Makes the network.
    pub fn build(&self) -> Model {
        build::build(self)
    }
}

/// Returns a network for each thing the format can say, with what is special about it.
pub fn zoo() -> Vec<(String, Model)> {
    let mut plans = Vec::new();
    let mut add = |what: &str, plan: Plan| plans.push((what.to_owned(), plan.build()));
    for version in OLDEST..=NEWEST {
        add(&format!("version {version}"), Plan::new(version));
    }
    let plan = Plan::new(17);
    add(
        "four policies",
        Plan {
            policies: 4,
            ..plan
        },
    );
    add("kernel 5", with(8, |plan| plan.first_kernel = 5));
    for (name, activation) in [
        ("identity", Activation::Identity),
        ("relu", Activation::Relu),
        ("mish", Activation::Mish),
        ("silu", Activation::Silu),
    ] {
        add(name, with(11, |plan| plan.activation = activation));
    }
    for (name, scale, bias) in [
        ("norms with nothing", false, false),
        ("norms with a scale", true, false),
        ("norms with both", true, true),
    ] {
        let norms = |plan: &mut Plan| (plan.scale, plan.bias) = (scale, bias);
        add(name, with(14, norms));
    }
    add(
        "RMS of a point",
        with(15, |plan| plan.tip = Tip::RmsOfPoint),
    );
    add(
        "RMS of the board",
        with(17, |plan| plan.tip = Tip::RmsOfBoard),
    );
    add("human metadata", with(15, |plan| plan.meta = true));
    add("sixteen channels", with(10, |plan| plan.channels = 16));
    for (name, parts) in block_cases() {
        for version in [8, 15, 17] {
            let blocks = |plan: &mut Plan| {
                plan.blocks.clone_from(&parts);
                plan.channels = 20;
                if version >= 11 {
                    plan.activation = Activation::Mish;
                }
            };
            add(&format!("{name}, version {version}"), with(version, blocks));
        }
    }
    plans
}

fn with(version: u32, change: impl FnOnce(&mut Plan)) -> Plan {
    let mut plan = Plan::new(version);
    change(&mut plan);
    plan
}

fn block_cases() -> Vec<(&'static str, Vec<Part>)> {
    let attention = |heads, kv_heads, query_width, value_width, turn| Part::Attention {
        heads,
        kv_heads,
        query_width,
        value_width,
        turn,
    };
    let (gated, plain) = (
        Part::FeedForward { gated: true },
        Part::FeedForward { gated: false },
    );
    vec![
        ("ordinary", vec![Part::Ordinary]),
        ("global pooling", vec![Part::GlobalPooling]),
        ("attention", vec![attention(3, 3, 8, 8, Turn::None)]),
        ("fixed turn", vec![attention(3, 3, 8, 8, Turn::Fixed)]),
        ("learned turn", vec![attention(2, 2, 6, 6, Turn::Learned)]),
        (
            "grouped queries",
            vec![attention(6, 2, 4, 7, Turn::Learned)],
        ),
        ("grouped, fixed", vec![attention(4, 2, 12, 5, Turn::Fixed)]),
        ("gated", vec![gated.clone()]),
        ("not gated", vec![plain.clone()]),
        (
            "nested residual",
            vec![
                Part::Nested(vec![Part::Ordinary, Part::GlobalPooling]),
                Part::Nested(vec![Part::Ordinary]),
            ],
        ),
        (
            "nested transformer",
            vec![Part::Nested(vec![
                attention(2, 2, 8, 8, Turn::Learned),
                gated.clone(),
                attention(2, 1, 4, 4, Turn::Fixed),
                plain,
            ])],
        ),
        (
            "mixed",
            vec![
                Part::GlobalPooling,
                attention(4, 2, 8, 4, Turn::Learned),
                gated,
                Part::Nested(vec![Part::Ordinary]),
                Part::Ordinary,
            ],
        ),
    ]
}

/// Returns random inputs, which need not be a position: sparse planes, small globals
/// and a description of a player.
///
/// # Panics
///
/// If a side is longer than 19.
pub fn inputs(size: Size, seed: u64) -> Inputs {
    assert!(size.width().max(size.height()) <= 19, "at most 19 lines");
    let mut random = Random::new(seed);
    let mut planes = [Plane::default(); PLANES];
    for (index, plane) in planes.iter_mut().enumerate() {
        // On board; the two colors; the rest.
        let chance = [1.0, 0.3, 0.3].get(index).copied().unwrap_or(0.05);
        for point in 0..size.area() {
            if random.unit() < chance {
                plane.set(point);
            }
        }
    }
    let mut globals = [0.0; GLOBALS];
    globals.fill_with(|| random.signed());
    let mut meta = Box::new([0.0; META_CHANNELS]);
    meta.fill_with(|| random.signed());
    Inputs {
        size,
        planes,
        globals,
        meta: Some(meta),
    }
}
