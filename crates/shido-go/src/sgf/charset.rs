//! Layer 3, charsets: which one a file is in, decoding and encoding.
//!
//! A file says so in `CA`; many do not, or lie. What is not valid UTF-8 and not
//! labeled is told by how its high bytes are arranged: single ones among ASCII
//! letters are windows-1252 (which holds Latin-1), pairs are one of the East
//! Asian charsets, told apart by where their common characters lie.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::token::{Framing, Lexer, Token};
use super::warning::Warnings;

/// The mark some programs put before UTF-8 text.
pub(super) const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// How many bytes are looked at to find `CA`, and to guess.
const SAMPLE: usize = 1 << 16;

/// How text is encoded, and how brackets are found in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    encoding: &'static Encoding,
    framing: Framing,
}

impl Charset {
    /// Unicode in one to four bytes.
    pub const UTF_8: Charset = Charset::plain(UTF_8);
    /// Western European; holds Latin-1, SGF's default.
    pub const WINDOWS_1252: Charset = Charset::plain(WINDOWS_1252);

    const fn plain(encoding: &'static Encoding) -> Charset {
        Charset {
            encoding,
            framing: Framing::Ascii,
        }
    }

    fn of(encoding: &'static Encoding) -> Charset {
        let framing = if encoding == SHIFT_JIS {
            Framing::ShiftJis
        } else if encoding == GB18030 || encoding == GBK || encoding == BIG5 {
            Framing::Chinese
        } else {
            Framing::Ascii
        };
        Charset { encoding, framing }
    }

    /// Returns the charset with this label, as `CA` holds it.
    pub fn named(label: &[u8]) -> Option<Charset> {
        // UTF-16 cannot be: the label itself was read as ASCII.
        Encoding::for_label_no_replacement(label.trim_ascii())
            .filter(|encoding| encoding.is_ascii_compatible())
            .map(Charset::of)
    }

    /// Returns the name as `CA` should hold it.
    pub fn name(self) -> &'static str {
        self.encoding.name()
    }

    /// Returns how the lexer must read values in this charset.
    pub fn framing(self) -> Framing {
        self.framing
    }

    /// Returns the charset as written by programs that do not know it, which end a value
    /// at any byte that looks like a bracket.
    pub fn unframed(self) -> Charset {
        Charset::plain(self.encoding)
    }

    /// Returns the text; what cannot be decoded becomes U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding.decode_without_bom_handling(bytes).0
    }

    /// Returns the bytes of a text; what the charset does not have becomes `?`.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        let (bytes, _, lossy) = self.encoding.encode(text);
        if !lossy {
            return bytes;
        }
        // The web's way out, numeric references, would be read back as they stand.
        let mut buffer = [0; 4];
        text.chars()
            .flat_map(|c| match self.encoding.encode(c.encode_utf8(&mut buffer)) {
                (_, _, true) => b"?".to_vec(),
                (bytes, _, false) => bytes.into_owned(),
            })
            .collect::<Vec<u8>>()
            .into()
    }

    fn can_decode(self, bytes: &[u8]) -> bool {
        self.encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
    }
}

impl Default for Charset {
    fn default() -> Charset {
        Charset::UTF_8
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Translates a file that starts with UTF-16's mark into UTF-8.
pub(super) fn without_utf16(bytes: Vec<u8>, warnings: &mut Warnings) -> Vec<u8> {
    match Encoding::for_bom(&bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            let what = format!("the file is {}", encoding.name());
            warnings.add(
                0,
                what,
                "it was translated to UTF-8; offsets count those bytes",
            );
            let text = encoding.decode_without_bom_handling(&bytes[mark..]).0;
            text.into_owned().into_bytes()
        }
        _ => bytes,
    }
}

/// What a file is in.
pub(super) struct Detected {
    pub(super) charset: Charset,
    /// The charset that `CA` names, if the text cannot be in it.
    pub(super) disproved: Option<Charset>,
}

/// Returns the charset of a file, and warns if its label cannot be true.
pub(super) fn detect(bytes: &[u8], warnings: &mut Warnings) -> Detected {
    let is_utf8 = std::str::from_utf8(bytes).is_ok();
    let guessed = || {
        if is_utf8 {
            Charset::UTF_8
        } else {
            guess(bytes)
        }
    };
    let found = |charset| Detected {
        charset,
        disproved: None,
    };
    let Some((at, label)) = label(bytes) else {
        return found(guessed());
    };
    match Charset::named(label) {
        Some(charset) if charset == Charset::UTF_8 && !is_utf8 => {
            let charset = guess(bytes);
            let what = "the text is not valid UTF-8 though CA says so";
            warnings.add(at, what, format!("it was read as {}", charset.name()));
            Detected {
                charset,
                disproved: Some(Charset::UTF_8),
            }
        }
        Some(charset) => found(charset),
        None => {
            let charset = guessed();
            let shown = label[..label.len().min(24)].escape_ascii();
            let what = format!("CA names the unknown charset `{shown}`");
            warnings.add(at, what, format!("the text was read as {}", charset.name()));
            found(charset)
        }
    }
}

/// Finds the first game's `CA` in the first node, whatever else there is.
fn label(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut lexer = Lexer::new(bytes, Framing::Ascii);
    lexer.skip_prose();
    let start = lexer.offset();
    let head = &bytes[start..bytes.len().min(start + SAMPLE)];
    let mut nodes = 0;
    let mut named = false;
    for (_, token) in Lexer::new(head, Framing::Ascii) {
        match token {
            Token::Semicolon => nodes += 1,
            Token::Name(range) => named = is_ca(&head[range]),
            Token::Value(range) if named => return Some((start + range.start, &head[range])),
            _ => {}
        }
        if nodes > 1 {
            break;
        }
    }
    None
}

fn is_ca(name: &[u8]) -> bool {
    name.iter().filter(|b| !b.is_ascii_lowercase()).eq(b"CA")
}

/// Guesses from a sample after the first high byte.
fn guess(bytes: &[u8]) -> Charset {
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    if is_mostly_utf8(sample) {
        return Charset::UTF_8;
    }
    let pairs = Pairs::count(sample);
    // The cut may have split the last character.
    let whole = &sample[..sample.len() - sample.iter().rev().take_while(|b| !b.is_ascii()).count()];
    let fits = |encoding| Charset::of(encoding).can_decode(whole);
    if pairs.looks_japanese() && fits(SHIFT_JIS) {
        return Charset::of(SHIFT_JIS);
    }
    if pairs.singles * 2 >= pairs.runs || pairs.euc == 0 {
        return Charset::WINDOWS_1252;
    }
    if pairs.kana * 5 >= pairs.euc && fits(EUC_JP) {
        return Charset::of(EUC_JP);
    }
    if pairs.euc >= 6 && pairs.hangul * 20 >= pairs.euc * 19 && fits(EUC_KR) {
        return Charset::of(EUC_KR);
    }
    if fits(GB18030) {
        return Charset::of(GB18030);
    }
    Charset::WINDOWS_1252
}

/// A few damaged characters do not make UTF-8 something else.
fn is_mostly_utf8(sample: &[u8]) -> bool {
    let text = Charset::UTF_8.decode(sample);
    let high = text.chars().filter(|c| !c.is_ascii()).count();
    let damaged = text
        .chars()
        .filter(|&c| c == char::REPLACEMENT_CHARACTER)
        .count();
    high > 2 * damaged
}

/// How the high bytes of a sample are arranged.
#[derive(Debug, Default)]
struct Pairs {
    /// Runs of high bytes, and those of a single byte.
    runs: usize,
    singles: usize,
    /// Pairs within runs, both bytes from 0xA1: the EUC family and common GB18030.
    euc: usize,
    /// Of these: Hangul in EUC-KR, kana in EUC-JP.
    hangul: usize,
    kana: usize,
    /// Pairs as `Shift_JIS` reads them: all, kana and punctuation, common kanji, and bytes that fit nowhere.
    sjis: usize,
    sjis_kana: usize,
    sjis_kanji: usize,
    sjis_odd: usize,
}

impl Pairs {
    fn count(sample: &[u8]) -> Pairs {
        let mut pairs = Pairs::default();
        for run in sample.split(u8::is_ascii).filter(|run| !run.is_empty()) {
            pairs.runs += 1;
            pairs.singles += usize::from(run.len() == 1);
            for pair in run.chunks_exact(2).filter(|p| p[0] >= 0xa1 && p[1] >= 0xa1) {
                pairs.euc += 1;
                pairs.hangul += usize::from(matches!(pair[0], 0xb0..=0xc8));
                pairs.kana += usize::from(matches!(pair[0], 0xa4 | 0xa5));
            }
        }
        let mut at = 0;
        while at < sample.len() {
            let trail = sample.get(at + 1).copied().unwrap_or(0);
            at += 1;
            match sample[at - 1] {
                0..=0x7f => {}
                lead @ (0x81..=0x9f | 0xe0..=0xef) if trail >= 0x40 && trail != 0x7f => {
                    pairs.sjis += 1;
                    pairs.sjis_kana += usize::from(matches!(lead, 0x81..=0x83));
                    pairs.sjis_kanji += usize::from(matches!(lead, 0x88..=0x9f));
                    at += 1;
                }
                _ => pairs.sjis_odd += 1,
            }
        }
        pairs
    }

    /// Kana make Japanese certain; kanji alone must not be curly quotes among English.
    fn looks_japanese(&self) -> bool {
        let common = (self.sjis_kana + self.sjis_kanji) * 5 >= self.sjis * 4;
        let kana = self.sjis_kana * 5 >= self.sjis;
        let kanji = self.singles * 2 < self.runs;
        self.sjis > 0 && self.sjis_odd * 10 <= self.sjis && common && (kana || kanji)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, encoding: &'static Encoding) {
        let (bytes, _, lossy) = encoding.encode(text);
        assert!(!lossy);
        let mut warnings = Warnings::default();
        assert_eq!(detect(&bytes, &mut warnings).charset, Charset::of(encoding));
        assert!(warnings.is_empty());
    }

    #[test]
    fn guesses() {
        check("(;C[plain])", UTF_8);
        check("(;PB[Müller]C[一二三])", UTF_8);
        check("(;PB[Müller]PW[François]C[déjà vu])", WINDOWS_1252);
        check("(;C[it’s “fine” – don’t you think…])", WINDOWS_1252);
        check(
            "(;PB[中国棋手]PW[白方先走]C[这一步棋很好,黑棋应该在左边下])",
            GB18030,
        );
        check(
            "(;PB[先手の名前]C[ここは良い手です。カタカナもある。])",
            SHIFT_JIS,
        );
        check("(;PB[先手番]PW[後手番]EV[囲碁選手権])", SHIFT_JIS);
        check("(;PB[김철수]PW[이영희]C[좋은 수입니다])", EUC_KR);
        check("(;C[ここは良い手です。これはどうですか])", EUC_JP);
    }

    #[test]
    fn labels_win() {
        check("(;CA[Big5]PB[黑棋])", BIG5);
        check("(;FF[4]GM[1]CA[koi8-r]PB[Чёрный])", encoding_rs::KOI8_R);
        check("(;CA[shift_jis]PB[ソ])", SHIFT_JIS);
    }

    #[test]
    fn false_labels_are_told() {
        let mut warnings = Warnings::default();
        let found = detect(b"(;CA[UTF-8]PB[M\xfcller])", &mut warnings);
        assert_eq!(found.charset, Charset::WINDOWS_1252);
        assert_eq!(found.disproved, Some(Charset::UTF_8));
        assert_eq!(
            warnings.listed()[0].to_string(),
            "byte 5: the text is not valid UTF-8 though CA says so; it was read as windows-1252"
        );
        let mut warnings = Warnings::default();
        let found = detect(b"(;CA[klingon])", &mut warnings);
        assert_eq!(found.charset, Charset::UTF_8);
        assert_eq!(
            warnings.listed()[0].to_string(),
            "byte 5: CA names the unknown charset `klingon`; the text was read as UTF-8"
        );
    }

    #[test]
    fn utf16_is_translated() {
        let bytes: Vec<u8> = "\u{feff}(;C[é])"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let mut warnings = Warnings::default();
        assert_eq!(without_utf16(bytes, &mut warnings), "(;C[é])".as_bytes());
        assert_eq!(warnings.count(), 1);
    }

    #[test]
    fn what_a_charset_lacks_becomes_a_question_mark() {
        assert_eq!(&*Charset::WINDOWS_1252.encode("é手!"), b"\xe9?!");
    }

    #[test]
    fn damaged_utf8_is_still_utf8() {
        let bytes = b"(;PB[\xe7\xa7\x8b\xe5\xa4\xa9\xe7\x9a\x84\xe8?])";
        let found = detect(bytes, &mut Warnings::default());
        assert_eq!(found.charset, Charset::UTF_8);
    }
}
