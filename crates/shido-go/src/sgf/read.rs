//! Layer 2, reading: tokens become a tree, whatever the tokens are.
//!
//! A stack of our own stands for the open parentheses, so that depth costs four
//! bytes a level. Every departure from the grammar has one repair, written next
//! to its warning.

use super::charset::{self, Charset};
use super::token::{Lexer, Token};
use super::tree::{Collection, NodeId, Span};
use super::warning::Warnings;

/// What a file held.
#[derive(Debug, Clone)]
pub struct Reading {
    /// All games that could be read.
    pub collection: Collection,
    /// What was wrong with the file. Offsets count the bytes of the file, or of
    /// its UTF-8 translation if it was UTF-16.
    pub warnings: Warnings,
}

/// Reads SGF bytes of any quality; the charset is taken from `CA` or guessed.
///
/// ```
/// let file = shido_go::sgf::read(b"(;SZ[9];B[ee](;W[dd])(;W[ff]C[or here");
/// assert_eq!(file.collection.node_count(), 4);
/// assert_eq!(
///     file.warnings.listed()[0].to_string(),
///     "byte 29: the file ends inside a value; the value was kept as far as it goes",
/// );
/// ```
pub fn read(bytes: impl Into<Vec<u8>>) -> Reading {
    let mut warnings = Warnings::default();
    let bytes = charset::without_utf16(bytes.into(), &mut warnings);
    let detected = charset::detect(&bytes, &mut warnings);
    let mut reading = read_framed(bytes, detected.charset, warnings);
    reading.collection.disprove(detected.disproved);
    reading
}

/// Reads in a charset of which it is not certain that the writer knew it.
fn read_framed(bytes: Vec<u8>, charset: Charset, warnings: Warnings) -> Reading {
    if charset == charset.unframed() {
        return Reader::new(bytes, charset, warnings).read();
    }
    // Not every program that writes such a charset knows where its characters end, and a
    // guess may be wrong. Brackets taken for halves of characters run values into one
    // another, and so do halves taken for brackets: the better reading finds more values.
    let framed = Reader::new(bytes.clone(), charset, warnings.clone()).read();
    let plain = Reader::new(bytes, charset.unframed(), warnings).read();
    let faults = |reading: &Reading| {
        let values = reading.collection.value_count();
        (reading.warnings.count(), std::cmp::Reverse(values))
    };
    if faults(&plain) < faults(&framed) {
        plain
    } else {
        framed
    }
}

/// Reads SGF bytes in a known charset, as the collection was written in.
pub fn read_as(bytes: impl Into<Vec<u8>>, charset: Charset) -> Reading {
    Reader::new(bytes.into(), charset, Warnings::default()).read()
}

/// Names of up to two letters, to find those repeated in one node.
const SHORT_NAMES: usize = 27 * 27;

struct Reader {
    bytes: Vec<u8>,
    collection: Collection,
    warnings: Warnings,
    /// The node that each open parenthesis continues from; `None` before the root.
    open: Vec<Option<NodeId>>,
    current: Option<NodeId>,
    /// Whether the last thing read was a property of `current`, so that a value may follow.
    in_property: bool,
    /// Whether `current` may still get properties.
    in_node: bool,
    /// The node that had each short name last.
    last_seen: Vec<Option<NodeId>>,
    full: bool,
}

impl Reader {
    fn new(mut bytes: Vec<u8>, charset: Charset, mut warnings: Warnings) -> Reader {
        let most = u32::MAX as usize - 1;
        if bytes.len() > most {
            warnings.add(most, "the file is over 4 GiB", "the rest was not read");
            bytes.truncate(most);
        }
        Reader {
            bytes,
            collection: Collection::in_charset(charset),
            warnings,
            open: Vec::new(),
            current: None,
            in_property: false,
            in_node: false,
            last_seen: vec![None; SHORT_NAMES],
            full: false,
        }
    }

    fn read(mut self) -> Reading {
        let bytes = std::mem::take(&mut self.bytes);
        let framing = self.collection.charset().framing();
        let mut lexer = Lexer::new(&bytes, framing);
        if bytes.starts_with(charset::UTF8_BOM) {
            lexer.seek(charset::UTF8_BOM.len());
        }
        let start = lexer.offset();
        self.skip_prose(&mut lexer);
        if lexer.offset() == bytes.len() && self.start_bare_line(&bytes, start) {
            lexer.seek(start);
        }
        while let Some((at, token)) = lexer.next() {
            match token {
                Token::Open => self.open(),
                Token::Close => {
                    self.close(at);
                    if self.open.is_empty() {
                        self.skip_prose(&mut lexer);
                    }
                }
                Token::Semicolon => {
                    self.node(at);
                }
                Token::Name(name) => self.property(at, &bytes, name, &mut lexer),
                Token::Value(_) | Token::Unclosed(_) => self.value(at, &token),
                Token::Junk(_) => {
                    // A mangled name perhaps: its value is not the last property's.
                    self.in_property = false;
                    self.warnings
                        .add(at, "bytes that are not SGF", "they were skipped");
                }
            }
            if self.full {
                self.warnings.add(
                    at,
                    format!("more than {} nodes", Collection::MAX_NODES),
                    "the rest of the file was not read",
                );
                break;
            }
        }
        self.finish(bytes)
    }

    fn finish(mut self, bytes: Vec<u8>) -> Reading {
        let end = bytes.len();
        if !self.full && !self.open.is_empty() {
            let what = format!("the file ends with {} parentheses open", self.open.len());
            self.warnings.add(end, what, "they were closed at the end");
        }
        if self.collection.games().len() == 0 {
            self.warnings
                .add(0, "there is no game in the file", "nothing was read");
        }
        self.collection.set_text(bytes);
        Reading {
            collection: self.collection,
            warnings: self.warnings,
        }
    }

    fn skip_prose(&mut self, lexer: &mut Lexer<'_>) {
        let prose = lexer.skip_prose();
        if !prose.is_empty() {
            self.warnings.add(
                prose.start,
                format!("{} bytes of text outside a game", prose.len()),
                "they were skipped",
            );
        }
        self.current = None;
        self.in_node = false;
        self.in_property = false;
    }

    /// Takes a file without a parenthesis as one game if it starts like a node.
    fn start_bare_line(&mut self, bytes: &[u8], start: usize) -> bool {
        let tokens: Vec<_> = Lexer::new(&bytes[start..], self.collection.charset().framing())
            .take(3)
            .map(|(_, token)| token)
            .collect();
        let bare = matches!(
            tokens[..],
            [Token::Semicolon, Token::Name(_), Token::Value(_)]
        );
        if bare {
            self.warnings = Warnings::default();
            self.warnings.add(
                start,
                "the game has no parenthesis",
                "it was read as one game",
            );
            self.open.push(None);
        }
        bare
    }

    fn open(&mut self) {
        self.open.push(self.current);
        self.in_node = false;
        self.in_property = false;
    }

    fn close(&mut self, at: usize) {
        self.in_node = false;
        self.in_property = false;
        let Some(before) = self.open.pop() else {
            self.warnings
                .add(at, "a parenthesis too many", "it was skipped");
            return;
        };
        if self.current == before && before.is_some() {
            let what = "a variation without a node of its own";
            self.warnings.add(at, what, "its parentheses were ignored");
        }
        self.current = before;
    }

    /// Starts a node; `None` if the collection is full.
    fn node(&mut self, at: usize) -> Option<NodeId> {
        if self.collection.node_count() >= Collection::MAX_NODES {
            self.full = true;
            return None;
        }
        let node = if let Some(parent) = self.current {
            self.collection.add_child_at(parent, at)
        } else {
            if self.open.len() > 1 {
                let what = "extra parentheses around a game";
                self.warnings.add(at, what, "they were ignored");
            }
            self.collection.add_root_at(at)
        };
        self.current = Some(node);
        self.in_node = true;
        self.in_property = false;
        Some(node)
    }

    fn property(
        &mut self,
        at: usize,
        bytes: &[u8],
        name: std::ops::Range<usize>,
        lexer: &mut Lexer<'_>,
    ) {
        self.in_property = false;
        // The value must come next; look without consuming.
        let mut ahead = lexer.clone();
        let Some((value_at, value @ (Token::Value(_) | Token::Unclosed(_)))) = ahead.next() else {
            let shown = shown(&bytes[name]);
            self.warnings
                .add(at, format!("`{shown}` has no value"), "it was skipped");
            return;
        };
        lexer.seek(ahead.offset());
        let node = match self.current {
            Some(node) if self.in_node => node,
            // After a variation the node before it is meant.
            Some(node) => {
                let what = "a property outside a node";
                self.warnings
                    .add(at, what, "it was given to the node before");
                node
            }
            None => {
                self.warnings
                    .add(at, "a property outside a node", "a node was started for it");
                let Some(node) = self.node(at) else { return };
                node
            }
        };
        self.note_name(at, &bytes[name.clone()], node);
        let span = span(&name);
        self.collection.start_property(node, span);
        self.in_property = true;
        self.value(value_at, &value);
    }

    /// Warns of a name that cannot be looked up or that the node has already.
    fn note_name(&mut self, at: usize, name: &[u8], node: NodeId) {
        let mut index = 0;
        let mut letters = 0;
        for byte in name.iter().filter(|byte| !byte.is_ascii_lowercase()) {
            letters += 1;
            if letters > 2 || !byte.is_ascii_uppercase() {
                return;
            }
            index = index * 27 + usize::from(byte - b'A') + 1;
        }
        if letters == 0 {
            let what = format!("the name `{}` has no uppercase letter", shown(name));
            self.warnings
                .add(at, what, "the property was kept but not understood");
        } else if self.last_seen[index].replace(node) == Some(node) {
            let what = format!("`{}` occurs twice in a node", shown(name));
            self.warnings.add(
                at,
                what,
                "all values were kept; where one is wanted the first counts",
            );
        }
    }

    fn value(&mut self, at: usize, token: &Token) {
        let (Token::Value(range) | Token::Unclosed(range)) = token else {
            return;
        };
        if matches!(token, Token::Unclosed(_)) {
            let what = "the file ends inside a value";
            self.warnings
                .add(at, what, "the value was kept as far as it goes");
        }
        if self.in_property {
            self.collection.push_value(span(range));
        } else {
            self.warnings
                .add(at, "a value without a name", "it was skipped");
        }
    }
}

fn span(range: &std::ops::Range<usize>) -> Span {
    Span {
        start: range.start as u32,
        len: range.len() as u32,
    }
}

/// The start of a name, short enough for a message.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(&name[..name.len().min(24)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads, and compares what is written back and the warnings, one a line.
    #[track_caller]
    fn check(input: &[u8], written: &str, warnings: &str) {
        let reading = read(input);
        let listed: Vec<String> = reading
            .warnings
            .listed()
            .iter()
            .map(ToString::to_string)
            .collect();
        let text = String::from_utf8_lossy(&reading.collection.write()).replace('\n', "");
        assert_eq!(text, written);
        assert_eq!(listed.join("\n"), warnings);
    }

    #[test]
    fn sound_files_come_back() {
        check(
            b"(;FF[4]C[a\\]b];B[aa](;W[bb])(;W[cc];B[]))",
            "(;FF[4]C[a\\]b];B[aa](;W[bb])(;W[cc];B[]))",
            "",
        );
        check(b"(;A[1])\n(;A[2])", "(;A[1])(;A[2])", "");
        check(b"(;B[aa](;W[bb](;B[cc])))", "(;B[aa];W[bb];B[cc])", "");
        check(b"(;AddBlack[aa][bb])", "(;AddBlack[aa][bb])", "");
        check(b"(;;)", "(;;)", "");
    }

    #[test]
    fn every_fault_has_a_repair() {
        check(
            b"",
            "",
            "byte 0: there is no game in the file; nothing was read",
        );
        check(
            b"(;B[aa]",
            "(;B[aa])",
            "byte 7: the file ends with 1 parentheses open; they were closed at the end",
        );
        check(
            b"(;B[aa",
            "(;B[aa])",
            "byte 3: the file ends inside a value; the value was kept as far as it goes\nbyte 6: the file ends with 1 parentheses open; they were closed at the end",
        );
        check(
            b"(;B[aa]))",
            "(;B[aa])",
            "byte 8: 1 bytes of text outside a game; they were skipped",
        );
        check(
            b"hello (;B[aa]) bye",
            "(;B[aa])",
            "byte 0: 5 bytes of text outside a game; they were skipped\nbyte 15: 3 bytes of text outside a game; they were skipped",
        );
        check(
            b"(B[aa];W[bb])",
            "(;B[aa];W[bb])",
            "byte 1: a property outside a node; a node was started for it",
        );
        check(
            b";B[aa];W[bb]\n",
            "(;B[aa];W[bb])",
            "byte 0: the game has no parenthesis; it was read as one game\nbyte 13: the file ends with 1 parentheses open; they were closed at the end",
        );
        check(
            b"(;B W[bb])",
            "(;W[bb])",
            "byte 2: `B` has no value; it was skipped",
        );
        check(
            b"(;[aa]W[bb])",
            "(;W[bb])",
            "byte 2: a value without a name; it was skipped",
        );
        check(
            b"(;B[aa]()(;W[bb]))",
            "(;B[aa];W[bb])",
            "byte 8: a variation without a node of its own; its parentheses were ignored",
        );
        check(
            b"(;B[aa](;W[bb])C[x])",
            "(;B[aa]C[x];W[bb])",
            "byte 15: a property outside a node; it was given to the node before",
        );
        check(
            b"((;B[aa])(;B[bb]))",
            "(;B[aa])(;B[bb])",
            "byte 2: extra parentheses around a game; they were ignored\nbyte 10: extra parentheses around a game; they were ignored",
        );
        check(
            b"(;c[x])",
            "(;c[x])",
            "byte 2: the name `c` has no uppercase letter; the property was kept but not understood",
        );
        check(
            b"(;C[x]Comment[y])",
            "(;C[x]Comment[y])",
            "byte 6: `Comment` occurs twice in a node; all values were kept; where one is wanted the first counts",
        );
        check(
            b"(;B[aa]\x00\x01;W[bb])",
            "(;B[aa];W[bb])",
            "byte 7: bytes that are not SGF; they were skipped",
        );
    }

    #[test]
    fn trail_bytes_or_brackets_whichever_reads_better() {
        let values = |bytes: &[u8]| {
            let reading = read(bytes);
            assert!(reading.warnings.is_empty());
            reading.collection.value_count()
        };
        // Two katakana whose second bytes are a backslash and a bracket, labeled and not.
        assert_eq!(values(b"(;CA[Shift_JIS]PB[\x83\x5c]PW[\x83\x5d])"), 3);
        assert_eq!(values(b"(;PB[\x83\x5c\x83\x8b]PW[\x82\xa0\x83\x5d])"), 2);
        // A label that is not true.
        assert_eq!(values(b"(;CA[GBK]PB[caf\xe9]PW[No\xeb])"), 3);
    }

    #[test]
    fn a_false_label_does_not_spoil_the_text() {
        let reading = read(b"(;CA[UTF-8]PB[M\xfcller])");
        let root = reading.collection.games().next().unwrap().root();
        assert_eq!(root.text("PB").as_deref(), Some("Müller"));
    }

    #[test]
    fn depth_costs_little() {
        let deep = "(;".repeat(1_000_000);
        let reading = read(deep.as_bytes());
        assert_eq!(reading.collection.node_count(), 1_000_000);
        let again = read(reading.collection.write());
        assert!(again.warnings.is_empty());
        assert!(again.collection == reading.collection);
        assert_eq!(read("(".repeat(1_000_000)).collection.node_count(), 0);
    }
}
