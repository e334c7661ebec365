//! Reading the layers that blocks and heads are made of.
//!
//! Sizes are checked against the neighbors before any weight is read.

use super::error::Problem;
use super::tokens::{Result, Tokens};
use super::{Activation, BatchNorm, Bias, Conv, Matrix, Norm, PointNorm, RmsNorm};

/// The most channels a layer may have.
pub(super) const MAX_CHANNELS: u64 = 1 << 14;
/// The largest kernel that means anything on a board.
const MAX_KERNEL: u64 = 37;
/// The version from which a file names its activations.
const NAMED_ACTIVATIONS: u32 = 11;

impl Tokens<'_> {
    /// Reads a number of channels.
    pub(super) fn channels(&mut self, what: &'static str) -> Result<usize> {
        Ok(self.number(what, 1, MAX_CHANNELS)? as usize)
    }

    /// Reads a number of channels that must be `expected`.
    pub(super) fn same_channels(&mut self, what: &'static str, expected: usize) -> Result<()> {
        let found = self.channels(what)?;
        self.check_fit(what, found, expected)
    }

    pub(super) fn check_fit(
        &self,
        what: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(self.error(Problem::Mismatch {
            what,
            found: found as u64,
            expected: expected as u64,
        }))
    }

    /// Reads a convolution with these input channels and, if known, output channels.
    pub(super) fn conv(
        &mut self,
        part: &str,
        inputs: usize,
        outputs: Option<usize>,
    ) -> Result<Conv> {
        self.within(part, |t| {
            let name = t.word("a convolution's name")?;
            let height = t.kernel("the kernel's height")?;
            let width = t.kernel("the kernel's width")?;
            t.same_channels("input channels", inputs)?;
            let found = t.channels("output channels")?;
            t.check_fit("output channels", found, outputs.unwrap_or(found))?;
            let dilation_y = t.number("the dilation", 1, MAX_KERNEL)? as usize;
            let dilation_x = t.number("the dilation", 1, MAX_KERNEL)? as usize;
            Ok(Conv {
                name,
                height,
                width,
                inputs,
                outputs: found,
                dilation_y,
                dilation_x,
                weights: t.weights(height * width * inputs * found)?,
            })
        })
    }

    /// Reads a matrix with these inputs and, if known, outputs.
    pub(super) fn matrix(
        &mut self,
        part: &str,
        inputs: usize,
        outputs: Option<usize>,
    ) -> Result<Matrix> {
        self.within(part, |t| {
            let name = t.word("a matrix's name")?;
            t.same_channels("inputs", inputs)?;
            let found = t.channels("outputs")?;
            t.check_fit("outputs", found, outputs.unwrap_or(found))?;
            Ok(Matrix {
                name,
                inputs,
                outputs: found,
                weights: t.weights(inputs * found)?,
            })
        })
    }

    /// Reads the bias of this many channels.
    pub(super) fn bias(&mut self, part: &str, channels: usize) -> Result<Bias> {
        self.within(part, |t| {
            let name = t.word("a bias's name")?;
            t.same_channels("channels", channels)?;
            let weights = t.weights(channels)?;
            Ok(Bias { name, weights })
        })
    }

    /// Reads a batch norm of this many channels.
    pub(super) fn batch_norm(&mut self, part: &str, channels: usize) -> Result<Norm> {
        self.within(part, |t| {
            let name = t.word("a norm's name")?;
            t.same_channels("channels", channels)?;
            let epsilon = t.epsilon()?;
            let has_scale = t.flag("whether there is a scale")?;
            let has_bias = t.flag("whether there is a bias")?;
            let mean = t.weights(channels)?;
            let variance = t.weights(channels)?;
            if let Some(bad) = variance.iter().find(|&&it| it + epsilon <= 0.0) {
                return Err(t.error(Problem::Rule {
                    what: "a variance",
                    found: bad.to_string(),
                    rule: "positive",
                }));
            }
            let scale = has_scale.then(|| t.weights(channels)).transpose()?;
            let bias = has_bias.then(|| t.weights(channels)).transpose()?;
            Ok(Norm::Batch(BatchNorm {
                name,
                epsilon,
                mean,
                variance,
                scale,
                bias,
            }))
        })
    }

    /// Reads a root-mean-square norm of the trunk.
    pub(super) fn rms_norm(&mut self, part: &str, channels: usize) -> Result<Norm> {
        self.within(part, |t| {
            let name = t.word("a norm's name")?;
            t.same_channels("channels", channels)?;
            let epsilon = t.epsilon()?;
            let spatial = t.flag("whether the norm is over all points")?;
            // Groups of channels have a place in the format and no meaning yet.
            let channel_group = t.number("the norm's channel group", 0, 0)? as usize;
            Ok(Norm::Rms(RmsNorm {
                name,
                epsilon,
                spatial,
                channel_group,
                gamma: t.weights(channels)?,
                beta: t.weights(channels)?,
            }))
        })
    }

    /// Reads the norm of an attention or feed-forward block.
    pub(super) fn point_norm(&mut self, part: &str, channels: usize) -> Result<PointNorm> {
        self.within(part, |t| {
            let name = t.word("a norm's name")?;
            t.same_channels("channels", channels)?;
            let epsilon = t.epsilon()?;
            let weight = t.weights(channels)?;
            Ok(PointNorm {
                name,
                epsilon,
                weight,
            })
        })
    }

    /// Reads an activation as this version writes it.
    pub(super) fn activation(&mut self, part: &str, version: u32) -> Result<Activation> {
        self.within(part, |t| {
            t.word("an activation's name")?;
            if version < NAMED_ACTIVATIONS {
                return Ok(Activation::Relu);
            }
            let found = t.word("an activation")?;
            Activation::from_word(&found).ok_or_else(|| {
                t.error(Problem::Unknown {
                    what: "activation",
                    found,
                })
            })
        })
    }

    fn kernel(&mut self, what: &'static str) -> Result<usize> {
        let found = self.number(what, 1, MAX_KERNEL)?;
        if found % 2 == 0 {
            return Err(self.error(Problem::Rule {
                what,
                found: found.to_string(),
                rule: "odd",
            }));
        }
        Ok(found as usize)
    }

    fn epsilon(&mut self) -> Result<f32> {
        let found = self.float("the norm's epsilon")?;
        if found <= 0.0 {
            return Err(self.error(Problem::Rule {
                what: "the norm's epsilon",
                found: found.to_string(),
                rule: "positive",
            }));
        }
        Ok(found)
    }
}

impl Activation {
    const WORDS: [(Activation, &str); 4] = [
        (Activation::Identity, "ACTIVATION_IDENTITY"),
        (Activation::Relu, "ACTIVATION_RELU"),
        (Activation::Mish, "ACTIVATION_MISH"),
        (Activation::Silu, "ACTIVATION_SILU"),
    ];

    fn from_word(word: &str) -> Option<Activation> {
        let mut known = Activation::WORDS.into_iter();
        known.find(|it| it.1 == word).map(|it| it.0)
    }

    /// Returns the word for it in a file.
    pub(super) fn word(self) -> &'static str {
        let mut known = Activation::WORDS.into_iter();
        known
            .find(|it| it.0 == self)
            .expect("every activation has a word")
            .1
    }
}
