//! Layer 1: bytes become parentheses, semicolons, names and raw values.
//!
//! A value is everything between `[` and the next `]` that no backslash escapes,
//! kept as it stands. In `Shift_JIS`, GB18030 and Big5 the second byte of a
//! character may look like `]` or a backslash, so the lexer is told which bytes
//! lead such pairs ([`Framing`]). It knows nothing else about charsets, and
//! nothing about what may follow what.

use std::ops::Range;

/// How characters are made of bytes, as far as brackets and backslashes are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Framing {
    /// An ASCII byte is always an ASCII character: UTF-8, Latin-1, EUC.
    #[default]
    Ascii,
    /// A byte of 0x81–0x9F or 0xE0–0xFC takes the next byte along: `Shift_JIS`.
    ShiftJis,
    /// A byte of 0x81–0xFE takes the next byte along: GB18030 and Big5.
    Chinese,
}

impl Framing {
    /// Returns whether `trail` belongs to the character that `lead` begins.
    #[inline]
    fn pairs(self, lead: u8, trail: u8) -> bool {
        let leads = match self {
            Framing::Ascii => false,
            Framing::ShiftJis => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc),
            Framing::Chinese => matches!(lead, 0x81..=0xfe),
        };
        leads && trail >= 0x40 && trail != 0x7f
    }
}

/// One piece of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Semicolon,
    /// A property's name, at least one ASCII letter, then letters, digits and underscores.
    Name(Range<usize>),
    /// The bytes between the brackets, escapes and all.
    Value(Range<usize>),
    /// A value that the file ended in; half an escape or character is left out.
    Unclosed(Range<usize>),
    /// Bytes that mean nothing here.
    Junk(Range<usize>),
}

/// Cuts bytes into tokens.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    framing: Framing,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8], framing: Framing) -> Lexer<'a> {
        Lexer {
            bytes,
            at: 0,
            framing,
        }
    }

    /// Returns the offset of the next byte to look at.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Moves to another place.
    pub fn seek(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// Skips prose, up to a `(` that looks like the start of a game; returns what was
    /// skipped, without the white space around it.
    pub fn skip_prose(&mut self) -> Range<usize> {
        let start = self.at;
        let mut end = self.bytes.len();
        while let Some(open) = find(self.bytes, self.at, b'(') {
            self.at = open;
            if self.starts_game(open) {
                end = open;
                break;
            }
            self.at = open + 1;
        }
        self.at = end;
        let skipped = &self.bytes[start..end];
        start + skipped.len() - skipped.trim_ascii_start().len()
            ..start + skipped.trim_ascii_end().len()
    }

    /// Returns whether the parenthesis is followed by a node, another one, or a property.
    fn starts_game(&self, open: usize) -> bool {
        let rest = self.bytes[open + 1..].trim_ascii_start();
        match rest.first() {
            Some(b';' | b'(') => true,
            // Names are short; a bounded look keeps prose full of parentheses cheap.
            Some(byte) if byte.is_ascii_uppercase() => {
                let name = rest.iter().take(32).take_while(|b| is_name(**b)).count();
                rest.get(name) == Some(&b'[')
            }
            _ => false,
        }
    }

    fn value(&mut self) -> Token {
        let start = self.at;
        let bytes = self.bytes;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b']' => {
                    self.at = at + 1;
                    return Token::Value(start..at);
                }
                b'\\' => {
                    // What is escaped may be a character of two bytes.
                    if self.is_cut_short(at + 1) {
                        break;
                    }
                    at += 1 + self.width(at + 1);
                }
                _ if byte < 0x80 || self.framing == Framing::Ascii => at += 1,
                _ if self.is_cut_short(at) => break,
                _ => at += self.width(at),
            }
        }
        self.at = bytes.len();
        Token::Unclosed(start..at)
    }

    /// Returns whether the file ends before or within the character at `at`.
    fn is_cut_short(&self, at: usize) -> bool {
        match self.bytes.get(at..) {
            None | Some([]) => true,
            Some([last]) => self.framing.pairs(*last, b']'),
            Some(_) => false,
        }
    }

    #[inline]
    fn width(&self, at: usize) -> usize {
        match self.bytes.get(at + 1) {
            Some(&trail) if self.framing.pairs(self.bytes[at], trail) => 2,
            _ => 1,
        }
    }
}

impl Iterator for Lexer<'_> {
    /// A token and the offset of its first byte.
    type Item = (usize, Token);

    fn next(&mut self) -> Option<(usize, Token)> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        let first = *self.bytes.get(start)?;
        self.at += 1;
        let token = match first {
            b'(' => Token::Open,
            b')' => Token::Close,
            b';' => Token::Semicolon,
            b'[' => self.value(),
            _ if first.is_ascii_alphabetic() => {
                self.at = end_of(self.bytes, start, is_name);
                Token::Name(start..self.at)
            }
            _ => {
                self.at = end_of(self.bytes, start, is_junk);
                Token::Junk(start..self.at)
            }
        };
        Some((start, token))
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_junk(byte: u8) -> bool {
    !matches!(byte, b'(' | b')' | b';' | b'[')
        && !byte.is_ascii_alphabetic()
        && !byte.is_ascii_whitespace()
}

fn end_of(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[start..]
        .iter()
        .position(|&byte| !belongs(byte))
        .map_or(bytes.len(), |len| start + len)
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    bytes[from..]
        .iter()
        .position(|&byte| byte == wanted)
        .map(|offset| from + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], framing: Framing, expected: &str) {
        let shown: Vec<String> = Lexer::new(bytes, framing)
            .map(|(_, token)| match token {
                Token::Open => "(".to_owned(),
                Token::Close => ")".to_owned(),
                Token::Semicolon => ";".to_owned(),
                Token::Name(r) => format!("name:{}", bytes[r].escape_ascii()),
                Token::Value(r) => format!("value:{}", bytes[r].escape_ascii()),
                Token::Unclosed(r) => format!("unclosed:{}", bytes[r].escape_ascii()),
                Token::Junk(r) => format!("junk:{}", bytes[r].escape_ascii()),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn plain() {
        check(
            b"(;B[aa] [bb])",
            Framing::Ascii,
            "( ; name:B value:aa value:bb )",
        );
        check(b" AddBlack[]\r\n", Framing::Ascii, "name:AddBlack value:");
    }

    #[test]
    fn escapes_stay_in_the_value() {
        check(br"[a\]b]", Framing::Ascii, r"value:a\\]b");
        check(br"[a\\]", Framing::Ascii, r"value:a\\\\");
    }

    #[test]
    fn the_file_may_end_anywhere() {
        check(b"C[abc", Framing::Ascii, "name:C unclosed:abc");
        check(b"C[abc\\", Framing::Ascii, "name:C unclosed:abc");
        check(b"C[\x83", Framing::ShiftJis, "name:C unclosed:");
        check(b"", Framing::Ascii, "");
    }

    #[test]
    fn junk_is_one_piece() {
        check(
            b"(\0\x01]] 7)",
            Framing::Ascii,
            "( junk:\\x00\\x01]] junk:7 )",
        );
    }

    #[test]
    fn trail_bytes_are_not_brackets() {
        // Katakana so and zo end in the bytes of a backslash and a bracket.
        check(b"[\x83\x5c]", Framing::ShiftJis, "value:\\x83\\\\");
        check(b"[\x83\x5d]", Framing::ShiftJis, "value:\\x83]");
        check(b"[\x83\x5d]", Framing::Ascii, "value:\\x83 junk:]");
        check(b"[\xab\x5d]", Framing::Chinese, "value:\\xab]");
        // Halfwidth katakana stand alone.
        check(b"[\xb1]", Framing::ShiftJis, "value:\\xb1");
    }

    #[test]
    fn prose_ends_where_a_game_starts() {
        let bytes = b"mail (of today) (; ) ";
        let mut lexer = Lexer::new(bytes, Framing::Ascii);
        assert_eq!(&bytes[lexer.skip_prose()], b"mail (of today)");
        assert_eq!(lexer.offset(), 16);
        lexer.seek(17);
        lexer.skip_prose();
        assert_eq!(lexer.next(), None);
    }
}
