//! Positions and answers as bytes, between a search and a process that computes its network.
//!
//! Everything is little-endian; `docs/protocol.md` has the whole protocol. Planes travel
//! as the bits they are, answers as 32-bit floats.

use std::io::{self, Read, Write};

use shido_go::Size;
use shido_net::{GLOBALS, Inputs, META_CHANNELS, Outputs, PLANES, Plane};

/// What the computing process says first.
const GREETING: &[u8; 8] = b"shido-e1";
/// Policies a network may have.
const MOST_POLICIES: u32 = 8;

/// What a computing process says of its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Greeting {
    /// Policy channels.
    pub(super) policies: usize,
    /// Whether positions carry a description of the player.
    pub(super) has_meta: bool,
}

impl Greeting {
    pub(super) fn write(self, to: &mut impl Write) -> io::Result<()> {
        let meta = if self.has_meta { META_CHANNELS } else { 0 };
        to.write_all(GREETING)?;
        to.write_all(&(self.policies as u32).to_le_bytes())?;
        to.write_all(&(meta as u32).to_le_bytes())
    }

    pub(super) fn read(from: &mut impl Read) -> io::Result<Greeting> {
        let mut bytes = [0; 16];
        from.read_exact(&mut bytes)?;
        let (greeting, numbers) = bytes.split_at(GREETING.len());
        let number = |i: usize| u32_of(&numbers[4 * i..]);
        let (policies, meta) = (number(0), number(1));
        let known = [0, META_CHANNELS as u32];
        if greeting != GREETING
            || !(1..=MOST_POLICIES).contains(&policies)
            || !known.contains(&meta)
        {
            let why = "it does not begin as an evaluator does";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Greeting {
            policies: policies as usize,
            has_meta: meta > 0,
        })
    }

    /// Returns the bytes of a position on a board.
    pub(super) fn question_bytes(self, size: Size) -> usize {
        let meta = if self.has_meta { META_CHANNELS } else { 0 };
        PLANES * 8 * words(size) + 4 * (GLOBALS + meta)
    }

    /// Returns the bytes of the answer to a position on a board.
    pub(super) fn answer_bytes(self, size: Size) -> usize {
        let area = size.area();
        4 * (self.policies * (area + 1) + 3 + 6 + area)
    }

    /// Adds a position to a question.
    pub(super) fn put_position(self, inputs: &Inputs, bytes: &mut Vec<u8>) {
        let words = words(inputs.size);
        for plane in &inputs.planes {
            for word in &plane.words()[..words] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
        put_floats(&inputs.globals, bytes);
        if self.has_meta {
            match &inputs.meta {
                Some(meta) => put_floats(&meta[..], bytes),
                None => put_floats(&[0.0; META_CHANNELS], bytes),
            }
        }
    }

    /// Reads a position of a question; `bytes` are [`Greeting::question_bytes`] many.
    pub(super) fn position(self, size: Size, bytes: &[u8]) -> Inputs {
        let words = words(size);
        let (planes, numbers) = bytes.split_at(PLANES * 8 * words);
        let mut numbers = floats(numbers);
        Inputs {
            size,
            planes: std::array::from_fn(|i| {
                let mut plane = Plane::default();
                let bytes = &planes[8 * words * i..8 * words * (i + 1)];
                for index in 0..size.area() {
                    if bytes[index / 8] >> (index % 8) & 1 != 0 {
                        plane.set(index);
                    }
                }
                plane
            }),
            globals: std::array::from_fn(|_| numbers.next().unwrap_or(0.0)),
            meta: self
                .has_meta
                .then(|| Box::new(std::array::from_fn(|_| numbers.next().unwrap_or(0.0)))),
        }
    }

    /// Adds an answer.
    pub(super) fn put_answer(outputs: &Outputs, bytes: &mut Vec<u8>) {
        put_floats(&outputs.policy, bytes);
        put_floats(&outputs.value, bytes);
        put_floats(&outputs.scores, bytes);
        put_floats(&outputs.ownership, bytes);
    }

    /// Reads an answer; `bytes` are [`Greeting::answer_bytes`] many.
    pub(super) fn answer(self, size: Size, bytes: &[u8], outputs: &mut Outputs) {
        // Whole slices are copied several numbers at once, one by one they are not.
        let (policy, rest) = bytes.split_at(4 * self.policies * (size.area() + 1));
        let (single, ownership) = rest.split_at(4 * (3 + 6));
        outputs.policy.clear();
        outputs.policy.extend(floats(policy));
        let mut single = floats(single);
        outputs.value = std::array::from_fn(|_| single.next().unwrap_or(0.0));
        outputs.scores = std::array::from_fn(|_| single.next().unwrap_or(0.0));
        outputs.ownership.clear();
        outputs.ownership.extend(floats(ownership));
    }
}

/// The head of a question: how many positions, all of one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) count: usize,
    pub(super) size: Size,
}

impl Head {
    pub(super) fn bytes(self) -> [u8; 8] {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&(self.count as u32).to_le_bytes());
        bytes[4..6].copy_from_slice(&(self.size.width() as u16).to_le_bytes());
        bytes[6..].copy_from_slice(&(self.size.height() as u16).to_le_bytes());
        bytes
    }

    /// Reads a head; nothing at the end of the questions.
    pub(super) fn read(from: &mut impl Read) -> io::Result<Option<Head>> {
        let mut bytes = [0; 8];
        // The end may only come before a question, not in it.
        let begun = loop {
            match from.read(&mut bytes[..1]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other? > 0,
            }
        };
        if !begun {
            return Ok(None);
        }
        from.read_exact(&mut bytes[1..])?;
        let side = |i: usize| usize::from(u16::from_le_bytes([bytes[i], bytes[i + 1]]));
        let (width, height) = (side(4), side(6));
        let longest = super::LONGEST_SIDE;
        let size = Size::new(width, height)
            .ok()
            .filter(|_| width.max(height) <= longest);
        let count = u32_of(&bytes) as usize;
        match size {
            Some(size) if (1..=MOST_POSITIONS).contains(&count) => Ok(Some(Head { count, size })),
            _ => {
                let why = format!("{count} positions of {width}×{height} cannot be evaluated");
                Err(io::Error::new(io::ErrorKind::InvalidData, why))
            }
        }
    }
}

/// Positions of one question at most.
pub(super) const MOST_POSITIONS: usize = 1 << 16;

fn words(size: Size) -> usize {
    size.area().div_ceil(64)
}

fn put_floats(numbers: &[f32], bytes: &mut Vec<u8>) {
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    let (chunks, _) = bytes.as_chunks::<4>();
    chunks.iter().map(|it| f32::from_le_bytes(*it))
}

pub(super) fn u32_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use shido_net::tiny;

    use super::*;

    #[test]
    fn positions_and_answers_come_out_as_they_went_in() {
        for size in [Size::S9, Size::S19, Size::new(5, 7).unwrap()] {
            for has_meta in [false, true] {
                let greeting = Greeting {
                    policies: 2,
                    has_meta,
                };
                let mut inputs = tiny::inputs(size, 7);
                inputs.meta = has_meta.then(|| Box::new(std::array::from_fn(|i| i as f32)));
                let mut bytes = Vec::new();
                greeting.put_position(&inputs, &mut bytes);
                assert_eq!(bytes.len(), greeting.question_bytes(size));
                assert_eq!(greeting.position(size, &bytes), inputs);

                let number = |i: usize| i as f32 / 3.0;
                let outputs = Outputs {
                    policy: (0..2 * (size.area() + 1)).map(number).collect(),
                    value: [1.0, 2.0, 3.0],
                    scores: [4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
                    ownership: (0..size.area()).map(number).collect(),
                };
                let mut bytes = Vec::new();
                Greeting::put_answer(&outputs, &mut bytes);
                assert_eq!(bytes.len(), greeting.answer_bytes(size));
                let mut read = Outputs::default();
                greeting.answer(size, &bytes, &mut read);
                assert_eq!(read, outputs);
            }
        }
    }

    #[test]
    fn a_bad_beginning_is_refused() {
        let greeting = Greeting {
            policies: 1,
            has_meta: true,
        };
        let mut bytes = Vec::new();
        greeting.write(&mut bytes).unwrap();
        assert_eq!(Greeting::read(&mut bytes.as_slice()).unwrap(), greeting);
        for (at, byte) in [(0, b'S'), (8, 0), (9, 1), (12, 5)] {
            let mut bad = bytes.clone();
            bad[at] = byte;
            assert!(Greeting::read(&mut bad.as_slice()).is_err(), "{at}");
        }
        assert!(Greeting::read(&mut &bytes[..15]).is_err());
    }

    #[test]
    fn heads_are_checked() {
        let head = Head {
            count: 3,
            size: Size::new(5, 7).unwrap(),
        };
        let bytes = head.bytes();
        assert_eq!(Head::read(&mut bytes.as_slice()).unwrap(), Some(head));
        assert_eq!(Head::read(&mut [].as_slice()).unwrap(), None);
        assert!(Head::read(&mut &bytes[..4]).is_err());
        for (at, byte) in [(0, 0), (3, 1), (4, 0), (4, 20), (7, 1)] {
            let mut bad = bytes;
            bad[at] = byte;
            assert!(Head::read(&mut bad.as_slice()).is_err(), "{at}");
        }
    }
}
