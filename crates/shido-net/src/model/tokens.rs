//! The words and numbers of a network file, one after another.
//!
//! The file is unpacked as it is read, so that a damaged or hostile one is refused
//! at the first wrong word and not after it has filled the memory. An array of
//! weights is taken as it comes: `@BIN@` and bytes, or decimal numbers.

use std::io::{BufRead, BufReader};

use flate2::bufread::MultiGzDecoder;

use super::error::{ModelError, Problem};

/// The most bytes a file may unpack to: 2 GiB.
const MAX_UNPACKED: u64 = 2 << 30;
/// The longest word.
const MAX_WORD: usize = 1024;
/// Weights to make room for before any has been seen.
const FIRST_ROOM: usize = 1 << 14;

pub(super) type Result<T> = std::result::Result<T, ModelError>;

/// A network file being read.
pub(super) struct Tokens<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Bytes taken so far.
    offset: u64,
    /// Where the last word began.
    word_start: u64,
}

impl<'a> Tokens<'a> {
    /// Starts at the beginning; unpacks what begins as gzip does.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Tokens<'a>> {
        let source: Box<dyn BufRead + 'a> = if bytes.starts_with(&[0x1f, 0x8b]) {
            Box::new(BufReader::with_capacity(
                1 << 16,
                MultiGzDecoder::new(bytes),
            ))
        } else {
            Box::new(bytes)
        };
        let tokens = Tokens {
            source,
            offset: 0,
            word_start: 0,
        };
        if bytes.is_empty() {
            return Err(tokens.error(Problem::Empty));
        }
        Ok(tokens)
    }

    /// Makes an error about the word read last.
    pub(super) fn error(&self, problem: Problem) -> ModelError {
        ModelError {
            problem,
            path: Vec::new(),
            offset: self.word_start,
        }
    }

    /// Reads something, and names the place if that fails.
    pub(super) fn within<T>(
        &mut self,
        part: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        read(self).map_err(|mut error| {
            error.path.insert(0, part.to_owned());
            error
        })
    }

    /// Reads a word.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<String> {
        self.skip_space()?;
        self.word_start = self.offset;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() {
                break;
            }
            if word.len() == MAX_WORD || !(b'!'..=b'~').contains(&byte) {
                return Err(self.unexpected(expected, &word));
            }
            word.push(byte);
            self.advance(1);
        }
        if word.is_empty() {
            return Err(self.error(Problem::Ended { expected }));
        }
        Ok(String::from_utf8(word).expect("only ASCII was taken"))
    }

    /// Reads a whole number of the given range.
    pub(super) fn number(&mut self, what: &'static str, least: u64, most: u64) -> Result<u64> {
        let word = self.word(what)?;
        let Ok(found) = word.parse::<u64>() else {
            return Err(self.unexpected(what, word.as_bytes()));
        };
        if !(least..=most).contains(&found) {
            return Err(self.error(Problem::Range {
                what,
                found,
                least,
                most,
            }));
        }
        Ok(found)
    }

    /// Reads a 0 or 1.
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool> {
        Ok(self.number(what, 0, 1)? == 1)
    }

    /// Reads a finite number.
    pub(super) fn float(&mut self, what: &'static str) -> Result<f32> {
        let word = self.word(what)?;
        match word.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.unexpected(what, word.as_bytes())),
        }
    }

    /// Reads this many weights, binary or decimal.
    pub(super) fn weights(&mut self, count: usize) -> Result<Vec<f32>> {
        self.skip_space()?;
        self.word_start = self.offset;
        let weights = if self.peek()? == Some(b'@') {
            for &expected in b"@BIN@" {
                if self.peek()? != Some(expected) {
                    return Err(self.unexpected("@BIN@ and weights", b"@"));
                }
                self.advance(1);
            }
            self.binary_weights(count)?
        } else {
            let mut weights = Vec::with_capacity(count.min(FIRST_ROOM));
            for _ in 0..count {
                weights.push(self.decimal_weight()?);
            }
            weights
        };
        if let Some(index) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(self.error(Problem::NotFinite { index }));
        }
        Ok(weights)
    }

    /// Makes sure that nothing is left, and that the packing is whole.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.skip_space()?;
        self.word_start = self.offset;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.error(Problem::LeftOver)),
        }
    }

    fn binary_weights(&mut self, count: usize) -> Result<Vec<f32>> {
        let mut weights = Vec::with_capacity(count.min(FIRST_ROOM));
        let mut split = [0; 4];
        while weights.len() < count {
            let bytes = self.fill()?;
            let whole = (bytes.len() / 4).min(count - weights.len());
            let taken = if whole > 0 {
                let fours = bytes[..4 * whole].chunks_exact(4);
                weights.extend(fours.map(|four| {
                    f32::from_le_bytes(four.try_into().expect("chunks of four bytes"))
                }));
                4 * whole
            } else {
                // A weight across the border of two buffers.
                for slot in &mut split {
                    *slot = self.byte("weights")?;
                }
                weights.push(f32::from_le_bytes(split));
                0
            };
            self.advance(taken);
        }
        Ok(weights)
    }

    fn decimal_weight(&mut self) -> Result<f32> {
        let word = self.word("a weight")?;
        word.parse()
            .map_err(|_| self.unexpected("a weight", word.as_bytes()))
    }

    fn unexpected(&self, expected: &'static str, found: &[u8]) -> ModelError {
        let mut found = String::from_utf8_lossy(&found[..found.len().min(40)]).into_owned();
        if found.is_empty() {
            "bytes that are no text".clone_into(&mut found);
        }
        self.error(Problem::Unexpected { expected, found })
    }

    fn skip_space(&mut self) -> Result<()> {
        loop {
            let bytes = self.fill()?;
            let space = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
            let (space, all) = (space.count(), bytes.len());
            self.advance(space);
            if space < all || all == 0 {
                return Ok(());
            }
        }
    }

    fn byte(&mut self, expected: &'static str) -> Result<u8> {
        let Some(byte) = self.peek()? else {
            return Err(ModelError {
                offset: self.offset,
                ..self.error(Problem::Ended { expected })
            });
        };
        self.advance(1);
        Ok(byte)
    }

    fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.fill()?.first().copied())
    }

    /// Returns what is at hand, empty at the end of the file.
    fn fill(&mut self) -> Result<&[u8]> {
        let offset = self.offset;
        let error = |problem| ModelError {
            problem,
            path: Vec::new(),
            offset,
        };
        if offset > MAX_UNPACKED {
            return Err(error(Problem::TooLarge {
                limit: MAX_UNPACKED,
            }));
        }
        self.source
            .fill_buf()
            .map_err(|failure| error(Problem::Gzip(failure.to_string())))
    }

    fn advance(&mut self, count: usize) {
        self.source.consume(count);
        self.offset += count as u64;
    }
}
