//! Reading a network file: header, trunk, heads.
//!
//! The order of everything is KataGo's. Reading never panics, whatever the bytes;
//! a file that is damaged, foreign or of another version is refused with what is
//! wrong and where.

use super::blocks::{Level, MAX_BLOCKS};
use super::error::Problem;
use super::tokens::{Result, Tokens};
use super::{MetaEncoder, Model, ModelError, Multipliers, NEWEST, OLDEST};
use super::{PassHead, PolicyHead, Trunk, ValueHead};
use crate::inputs::{GLOBALS, META_CHANNELS, PLANES};

impl Model {
    /// Reads a network file: text or binary weights, gzip or plain, whatever its name.
    ///
    /// # Errors
    ///
    /// If it is not a whole network of a known version.
    pub fn read(bytes: &[u8]) -> std::result::Result<Model, ModelError> {
        let mut tokens = Tokens::new(bytes)?;
        let header = tokens.within("header", Tokens::header)?;
        let trunk = tokens.within("trunk", |t| t.trunk(&header))?;
        let (version, channels) = (header.version, trunk.channels);
        let policy = tokens.within("policy head", |t| t.policy_head(version, channels))?;
        let value = tokens.within("value head", |t| t.value_head(version, channels))?;
        tokens.finish()?;
        Ok(Model {
            name: header.name,
            version,
            multipliers: header.multipliers,
            prefers_pass_alive_under_suicide: header.prefers_pass_alive_under_suicide,
            trunk,
            policy,
            value,
        })
    }
}

struct Header {
    name: String,
    version: u32,
    multipliers: Multipliers,
    meta_version: u32,
    prefers_pass_alive_under_suicide: bool,
}

impl Tokens<'_> {
    fn header(&mut self) -> Result<Header> {
        let name = self.word("the network's name")?;
        let found = self.number("the model version", 0, u64::MAX)?;
        let version = u32::try_from(found).unwrap_or(u32::MAX);
        if !(OLDEST..=NEWEST).contains(&version) {
            return Err(self.error(Problem::Version { found }));
        }
        self.same_channels("input planes", PLANES)?;
        self.same_channels("global inputs", GLOBALS)?;
        let multipliers = if version >= 13 {
            self.multipliers()?
        } else {
            Multipliers::default()
        };
        let mut meta_version = 0;
        let mut prefers_pass_alive_under_suicide = false;
        if version >= 15 {
            meta_version = self.number("the metadata encoder's version", 0, 1)? as u32;
            prefers_pass_alive_under_suicide = self.flag("the preference for pass-alive")?;
            self.reserved(6)?;
        }
        Ok(Header {
            name,
            version,
            multipliers,
            meta_version,
            prefers_pass_alive_under_suicide,
        })
    }

    fn multipliers(&mut self) -> Result<Multipliers> {
        Ok(Multipliers {
            td_score: self.multiplier()?,
            score_mean: self.multiplier()?,
            score_deviation: self.multiplier()?,
            lead: self.multiplier()?,
            variance_time: self.multiplier()?,
            short_term_value_error: self.multiplier()?,
            short_term_score_error: self.multiplier()?,
        })
    }

    fn multiplier(&mut self) -> Result<f32> {
        let found = self.float("a multiplier")?;
        if found <= 0.0 {
            return Err(self.error(Problem::Rule {
                what: "a multiplier",
                found: found.to_string(),
                rule: "positive",
            }));
        }
        Ok(found)
    }

    /// Reads zeros that later versions may give a meaning.
    fn reserved(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            self.number("a reserved field", 0, 0)?;
        }
        Ok(())
    }

    fn trunk(&mut self, header: &Header) -> Result<Trunk> {
        let version = header.version;
        let name = self.word("the trunk's name")?;
        let count = self.number("the number of blocks", 1, MAX_BLOCKS)? as usize;
        let channels = self.channels("trunk channels")?;
        let mid_channels = self.channels("mid channels")?;
        let regular_channels = self.channels("regular channels")?;
        let dilated_channels = self.number("dilated channels", 0, u32::MAX.into())? as usize;
        let gpool_channels = self.channels("gpool channels")?;
        let mut rms = false;
        if version >= 15 {
            rms = self.flag("the kind of the trunk's norm")?;
            self.reserved(5)?;
        }
        let initial_conv = self.conv("initial conv", PLANES, Some(channels))?;
        let initial_matrix = self.matrix("initial matrix", GLOBALS, Some(channels))?;
        let meta_encoder = (header.meta_version > 0)
            .then(|| self.within("metadata encoder", |t| t.meta_encoder(header, channels)))
            .transpose()?;
        let level = Level {
            version,
            channels,
            depth: 0,
        };
        Ok(Trunk {
            name,
            channels,
            mid_channels,
            regular_channels,
            dilated_channels,
            gpool_channels,
            initial_conv,
            initial_matrix,
            meta_encoder,
            blocks: self.blocks(count, level)?,
            tip_norm: if rms {
                self.rms_norm("tip norm", channels)?
            } else {
                self.batch_norm("tip norm", channels)?
            },
            tip_activation: self.activation("tip activation", version)?,
        })
    }

    fn meta_encoder(&mut self, header: &Header, channels: usize) -> Result<MetaEncoder> {
        let name = self.word("the encoder's name")?;
        self.same_channels("inputs", META_CHANNELS)?;
        let first = self.matrix("first matrix", META_CHANNELS, None)?;
        let first_bias = self.bias("first bias", first.outputs)?;
        let first_activation = self.activation("first activation", header.version)?;
        let second = self.matrix("second matrix", first.outputs, None)?;
        let second_bias = self.bias("second bias", second.outputs)?;
        let second_activation = self.activation("second activation", header.version)?;
        let third = self.matrix("third matrix", second.outputs, Some(channels))?;
        Ok(MetaEncoder {
            version: header.meta_version,
            name,
            first,
            first_bias,
            first_activation,
            second,
            second_bias,
            second_activation,
            third,
        })
    }

    fn policy_head(&mut self, version: u32, channels: usize) -> Result<PolicyHead> {
        let name = self.word("the policy head's name")?;
        let policies = self.policies(version)?;
        let p1_conv = self.conv("p1 conv", channels, None)?;
        let g1_conv = self.conv("g1 conv", channels, None)?;
        let (points, pooled) = (p1_conv.outputs, g1_conv.outputs);
        Ok(PolicyHead {
            name,
            p1_conv,
            g1_conv,
            g1_norm: self.batch_norm("g1 norm", pooled)?,
            g1_activation: self.activation("g1 activation", version)?,
            gpool_to_bias: self.matrix("gpool to bias", 3 * pooled, Some(points))?,
            p1_norm: self.batch_norm("p1 norm", points)?,
            p1_activation: self.activation("p1 activation", version)?,
            p2_conv: self.conv("p2 conv", points, Some(policies))?,
            pass: if version < 15 {
                PassHead::Linear(self.matrix("pass", 3 * pooled, Some(policies))?)
            } else {
                self.layered_pass(version, 3 * pooled, policies)?
            },
        })
    }

    /// Reads, or knows from the version, how many policies the head has.
    fn policies(&mut self, version: u32) -> Result<usize> {
        let policies = match version {
            ..12 => return Ok(1),
            12..16 => return Ok(2),
            16 => return Ok(4),
            _ => self.channels("the number of policies")?,
        };
        if !matches!(policies, 2 | 4) {
            return Err(self.error(Problem::Rule {
                what: "the number of policies",
                found: policies.to_string(),
                rule: "2 or 4",
            }));
        }
        self.reserved(3)?;
        Ok(policies)
    }

    fn layered_pass(&mut self, version: u32, inputs: usize, policies: usize) -> Result<PassHead> {
        let first = self.matrix("pass", inputs, None)?;
        let hidden = first.outputs;
        Ok(PassHead::Layered {
            first,
            bias: self.bias("pass bias", hidden)?,
            activation: self.activation("pass activation", version)?,
            second: self.matrix("second pass matrix", hidden, Some(policies))?,
        })
    }

    fn value_head(&mut self, version: u32, channels: usize) -> Result<ValueHead> {
        let name = self.word("the value head's name")?;
        if version >= 17 {
            self.reserved(3)?;
        }
        let scores = if version >= 9 { 6 } else { 4 };
        let v1_conv = self.conv("v1 conv", channels, None)?;
        let points = v1_conv.outputs;
        let v1_norm = self.batch_norm("v1 norm", points)?;
        let v1_activation = self.activation("v1 activation", version)?;
        let v2 = self.matrix("v2", 3 * points, None)?;
        let hidden = v2.outputs;
        Ok(ValueHead {
            name,
            v1_conv,
            v1_norm,
            v1_activation,
            v2,
            v2_bias: self.bias("v2 bias", hidden)?,
            v2_activation: self.activation("v2 activation", version)?,
            v3: self.matrix("v3", hidden, Some(3))?,
            v3_bias: self.bias("v3 bias", 3)?,
            sv3: self.matrix("sv3", hidden, Some(scores))?,
            sv3_bias: self.bias("sv3 bias", scores)?,
            ownership_conv: self.conv("ownership conv", points, Some(1))?,
        })
    }
}
