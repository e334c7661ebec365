//! The file of a move model: which feature set, which shapes it knows, its gammas.
//!
//! Little-endian, in this order: the mark `SHIDOBT` and a version byte; the name
//! of the feature set; the groups (name, number of individuals); the tags of the
//! shapes that are individuals; `ln γ` of every individual in 2048ths as 16 bits;
//! a checksum of all before it. Text is a length byte and UTF-8, lists are a
//! 32-bit length and the items.
//!
//! Reading never panics: damage gives an error that says what was wrong and where.

use std::sync::Arc;

use shido_go::Size;
use thiserror::Error;

use crate::feature_set::{FeatureSet, Group};
use crate::large::{LargeFeatures, Shapes};
use crate::pd10::{Pd10Features, ShapeTable};
use crate::playout_set::{PlayoutFeatures, SurroundingsTable};
use crate::shape::Shape;
use crate::surroundings::Surroundings;

const MARK: &[u8; 7] = b"SHIDOBT";
const VERSION: u8 = 1;
/// Fixed-point unit of `ln γ`.
const UNIT: f32 = 2048.0;

/// A fitted move model as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Name of the feature set.
    pub features: String,
    /// Name and number of individuals of each group, in order.
    pub groups: Vec<(String, u32)>,
    /// The shapes that are individuals, in order; what a tag means is the feature set's.
    pub tags: Vec<u32>,
    /// `ln γ` of every individual.
    pub weights: Vec<f32>,
}

/// Why a file is not a usable model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The features cannot be kept up in a playout.
    #[error("the model's features are `{0}`: playouts need pd10 or playout")]
    NotForPlayouts(String),
    /// The file is something else.
    #[error("this is not a move model: it does not begin with `SHIDOBT`")]
    Mark,
    /// The file is of another version.
    #[error("the move model has format version {0}; this program reads version {VERSION}")]
    Version(u8),
    /// The file ends too early.
    #[error("the move model is cut off: {what} should follow at byte {at}")]
    Short {
        /// What was being read.
        what: &'static str,
        /// Where.
        at: usize,
    },
    /// The file goes on after its end.
    #[error("{0} bytes follow the end of the move model")]
    Long(usize),
    /// Bytes were changed.
    #[error("the move model is damaged: its checksum is {found:016x}, not {stated:016x}")]
    Checksum {
        /// What the bytes give.
        found: u64,
        /// What the file says.
        stated: u64,
    },
    /// A name is not UTF-8.
    #[error("the move model holds a name that is not text at byte {0}")]
    Text(usize),
    /// The numbers contradict each other.
    #[error("the groups of the move model have {groups} individuals, its weights {weights}")]
    Individuals {
        /// Individuals in the groups.
        groups: u64,
        /// Individuals with a weight.
        weights: usize,
    },
    /// This program has no such features.
    #[error("the move model was made for the features `{0}`, which this program does not have")]
    UnknownFeatures(String),
    /// The model was made with other features.
    #[error("the move model was made for the features `{found}`, group `{group}`, not for these")]
    Features {
        /// The feature set the file names.
        found: String,
        /// The first group that differs, or the last.
        group: String,
    },
}

/// The model file of the shipped playouts, as it lies in the program.
pub const SHIPPED_PLAYOUT: &[u8] = include_bytes!("../models/playout.gammas");
/// The model file of the shipped playouts on [small](is_small) boards.
pub const SHIPPED_SMALL: &[u8] = include_bytes!("../models/playout-small.gammas");
/// The model file of the shipped priors, as it lies in the program.
pub const SHIPPED_LARGE: &[u8] = include_bytes!("../models/large.gammas");

/// Points of the largest board that is small, 11×11.
const SMALL_AREA: usize = 121;

/// Returns whether a board is so small that what was found on 9×9 fits it best.
pub fn is_small(size: Size) -> bool {
    size.area() <= SMALL_AREA
}

/// Returns the model file of the shipped playouts for a board.
pub fn shipped_playout(size: Size) -> &'static [u8] {
    if is_small(size) {
        SHIPPED_SMALL
    } else {
        SHIPPED_PLAYOUT
    }
}

impl Model {
    /// Returns the model of a feature set with these weights (`ln γ`).
    pub fn new(features: &dyn FeatureSet, tags: Vec<u32>, weights: Vec<f32>) -> Model {
        let groups = features.groups().into_iter();
        Model {
            features: features.name().to_owned(),
            groups: groups.map(|it| (it.name.to_owned(), it.size)).collect(),
            tags,
            weights,
        }
    }

    /// Says whether the model belongs to a feature set with this name and these groups.
    pub fn check(&self, name: &str, groups: &[Group]) -> Result<(), ModelError> {
        let differs = |i: usize| {
            let (ours, theirs) = (self.groups.get(i), groups.get(i));
            ours.map(|it| (it.0.as_str(), it.1)) != theirs.map(|it| (it.name, it.size))
        };
        let first = (0..self.groups.len().max(groups.len())).find(|&i| differs(i));
        if self.features == name && first.is_none() {
            return Ok(());
        }
        let group = first.and_then(|i| self.groups.get(i));
        Err(ModelError::Features {
            found: self.features.clone(),
            group: group.map_or_else(String::new, |it| it.0.clone()),
        })
    }

    /// Returns the feature set that the model was made for, with the shapes it knows.
    pub fn feature_set(&self) -> Result<Box<dyn FeatureSet>, ModelError> {
        // The tables number shapes by 16 bits; `check` refuses a model with more.
        let tags = self.tags.iter().take(usize::from(u16::MAX));
        let set: Box<dyn FeatureSet> = match self.features.as_str() {
            "large" => Box::new(LargeFeatures::new(&Shapes::of_model(self))),
            "pd10" => {
                let orbits = tags.map(|&it| Shape(it as u16)).collect();
                Box::new(Pd10Features::new(Arc::new(ShapeTable::new(orbits))))
            }
            "playout" => {
                let orbits = tags.map(|&it| Surroundings(it)).collect();
                let table = SurroundingsTable::new(orbits);
                Box::new(PlayoutFeatures::new(Arc::new(table)))
            }
            other => return Err(ModelError::UnknownFeatures(other.to_owned())),
        };
        self.check(set.name(), &set.groups())?;
        Ok(set)
    }

    /// Returns the gammas, for the functions of [`crate::mm`].
    pub fn gammas(&self) -> Vec<f64> {
        self.weights.iter().map(|&it| f64::from(it).exp()).collect()
    }

    /// Writes the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.push(VERSION);
        put_text(&mut out, &self.features);
        put_len(&mut out, self.groups.len());
        for (name, size) in &self.groups {
            put_text(&mut out, name);
            out.extend(size.to_le_bytes());
        }
        put_len(&mut out, self.tags.len());
        out.extend(self.tags.iter().flat_map(|it| it.to_le_bytes()));
        put_len(&mut out, self.weights.len());
        out.extend(self.weights.iter().flat_map(|it| {
            let limit = f32::from(i16::MAX);
            ((it * UNIT).round().clamp(-limit, limit) as i16).to_le_bytes()
        }));
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut reader = Reader { bytes, at: 0 };
        if !bytes.starts_with(MARK) {
            return Err(ModelError::Mark);
        }
        reader.at = MARK.len();
        let [version] = reader.take("the version")?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let features = reader.text("the name of the features")?;
        let count = reader.len("the groups", 5)?;
        let mut groups = Vec::with_capacity(count);
        for _ in 0..count {
            let name = reader.text("the name of a group")?;
            groups.push((
                name,
                u32::from_le_bytes(reader.take("the size of a group")?),
            ));
        }
        let tags = reader.list("the shapes", u32::from_le_bytes)?;
        let weights = reader.list("the weights", |it| f32::from(i16::from_le_bytes(it)) / UNIT)?;
        let found = checksum(&bytes[..reader.at]);
        let stated = u64::from_le_bytes(reader.take("the checksum")?);
        if found != stated {
            return Err(ModelError::Checksum { found, stated });
        }
        if reader.at < bytes.len() {
            return Err(ModelError::Long(bytes.len() - reader.at));
        }
        let individuals: u64 = groups.iter().map(|it| u64::from(it.1)).sum();
        if individuals != weights.len() as u64 {
            return Err(ModelError::Individuals {
                groups: individuals,
                weights: weights.len(),
            });
        }
        Ok(Model {
            features,
            groups,
            tags,
            weights,
        })
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    let len = u8::try_from(text.len()).expect("names are short");
    out.push(len);
    out.extend(text.as_bytes());
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    let len = u32::try_from(len).expect("4 billion items are more than memory holds");
    out.extend(len.to_le_bytes());
}

/// FNV-1a over 64 bits: finds damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn slice(&mut self, what: &'static str, len: usize) -> Result<&[u8], ModelError> {
        let short = ModelError::Short { what, at: self.at };
        let slice = self.bytes[self.at..].get(..len).ok_or(short)?;
        self.at += len;
        Ok(slice)
    }

    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ModelError> {
        let slice = self.slice(what, N)?;
        Ok(slice.try_into().expect("the slice has this length"))
    }

    fn text(&mut self, what: &'static str) -> Result<String, ModelError> {
        let at = self.at;
        let [len] = self.take(what)?;
        let text = std::str::from_utf8(self.slice(what, usize::from(len))?);
        text.map(str::to_owned).map_err(|_| ModelError::Text(at))
    }

    /// Reads the length of a list whose items take at least `each` bytes.
    fn len(&mut self, what: &'static str, each: usize) -> Result<usize, ModelError> {
        let len = u32::from_le_bytes(self.take(what)?) as usize;
        if len.saturating_mul(each) > self.bytes.len() - self.at {
            let at = self.bytes.len();
            return Err(ModelError::Short { what, at });
        }
        Ok(len)
    }

    fn list<T, const N: usize>(
        &mut self,
        what: &'static str,
        item: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, ModelError> {
        let len = self.len(what, N)?;
        let slice = self.slice(what, len * N)?;
        let chunks = slice.as_chunks::<N>().0;
        Ok(chunks.iter().map(|it| item(*it)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model {
            features: "large".to_owned(),
            groups: vec![("capture".to_owned(), 2), ("shapes".to_owned(), 1)],
            tags: vec![0xdead_beef],
            weights: vec![1.5, -0.25, 0.0],
        }
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(Model::from_bytes(&model().to_bytes()), Ok(model()));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let bytes = model().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Model::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Model::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let mut long = bytes;
        long.push(0);
        assert_eq!(Model::from_bytes(&long), Err(ModelError::Long(1)));
    }

    #[test]
    fn a_model_of_other_groups_is_refused() {
        let group = |name, size| Group { name, size };
        let model = model();
        let ours = [group("capture", 2), group("shapes", 1)];
        assert_eq!(model.check("large", &ours), Ok(()));
        let error = model.check("large", &[group("capture", 3), group("shapes", 1)]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "the move model was made for the features `large`, group `capture`, not for these"
        );
        assert!(model.check("pd10", &ours).is_err());
        assert!(model.check("large", &ours[..1]).is_err());
    }
}
