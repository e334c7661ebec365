//! Layer 3, values: raw bytes become text, points, moves and numbers, and back.
//!
//! Nothing here knows which property has which type; that is for who asks.

use std::borrow::Cow;

use super::charset::Charset;
use crate::{Move, Point, Size};

/// The value is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadValue {
    /// Not two lowercase letters.
    #[error("not a point")]
    NotAPoint,
    /// A point, but not of this board.
    #[error("off the board")]
    OffBoard,
    /// Not a number.
    #[error("not a number")]
    NotANumber,
}

/// Returns the text: escapes resolved, soft line breaks gone, other breaks as `\n`,
/// other white space as spaces.
pub fn text(raw: &[u8], charset: Charset) -> String {
    let decoded = charset.decode(raw);
    let mut out = String::with_capacity(decoded.len());
    let mut chars = decoded.chars().peekable();
    let mut escaped = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '\n' | '\r' => {
                // CR LF and LF CR are one break.
                let twin = if c == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&twin);
                if !escaped {
                    out.push('\n');
                }
            }
            '\t' | '\x0b' | '\x0c' => out.push(' '),
            _ => out.push(c),
        }
        escaped = false;
    }
    out
}

/// Returns the text on one line, trimmed, as names and dates want it.
pub fn simple_text(raw: &[u8], charset: Charset) -> String {
    text(raw, charset).replace('\n', " ").trim().to_owned()
}

/// Returns the text with brackets and backslashes escaped, as every value needs it.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains([']', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// Returns the two parts of a composed value, cut at the first colon that is not escaped.
pub fn split_composed(raw: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut escaped = false;
    for (i, &byte) in raw.iter().enumerate() {
        match byte {
            b':' if !escaped => return Some((&raw[..i], &raw[i + 1..])),
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    None
}

/// Returns the point that two lowercase letters name, column first, from the top left.
pub fn point(raw: &[u8], size: Size) -> Result<Point, BadValue> {
    match raw.trim_ascii() {
        [x, y] if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => {
            // Capitals are columns 27 to 52, which no board here has.
            let line = |letter: u8| match letter {
                b'a'..=b'z' => usize::from(letter - b'a'),
                _ => usize::MAX,
            };
            size.point(line(*x), line(*y)).ok_or(BadValue::OffBoard)
        }
        _ => Err(BadValue::NotAPoint),
    }
}

/// Returns a move: nothing is a pass, and so is `tt` on boards up to 19×19.
pub fn play(raw: &[u8], size: Size) -> Result<Move, BadValue> {
    match raw.trim_ascii() {
        b"" => Ok(Move::Pass),
        b"tt" if size.width() <= 19 && size.height() <= 19 => Ok(Move::Pass),
        _ => point(raw, size).map(Move::Play),
    }
}

/// Returns the corners of a value of a point list: `aa` is one point, `aa:cc` a rectangle.
pub fn rectangle(raw: &[u8], size: Size) -> Result<(Point, Point), BadValue> {
    let Some((first, second)) = split_composed(raw) else {
        let point = point(raw, size)?;
        return Ok((point, point));
    };
    let (a, b) = (point(first, size)?, point(second, size)?);
    let corner = |x, y| size.point(x, y).ok_or(BadValue::OffBoard);
    Ok((
        corner(a.x().min(b.x()), a.y().min(b.y()))?,
        corner(a.x().max(b.x()), a.y().max(b.y()))?,
    ))
}

/// Returns all points between two corners, row by row.
pub fn points_between(corners: (Point, Point), size: Size) -> impl Iterator<Item = Point> + Clone {
    let (from, to) = corners;
    (from.y()..=to.y()).flat_map(move |y| (from.x()..=to.x()).filter_map(move |x| size.point(x, y)))
}

/// Returns a number that is written as a whole one.
pub fn number(raw: &[u8]) -> Result<i64, BadValue> {
    std::str::from_utf8(raw.trim_ascii())
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or(BadValue::NotANumber)
}

/// Returns a number, with a decimal comma too.
pub fn real(raw: &[u8]) -> Result<f64, BadValue> {
    std::str::from_utf8(raw.trim_ascii())
        .ok()
        .and_then(|text| text.replace(',', ".").parse().ok())
        .filter(|number: &f64| number.is_finite())
        .ok_or(BadValue::NotANumber)
}

/// Writes a point as two letters.
pub fn write_point(point: Point) -> String {
    [point.x(), point.y()]
        .map(|line| char::from(b'a' + line as u8))
        .iter()
        .collect()
}

/// Writes a move; a pass is empty, as file format 4 wants.
pub fn write_move(mv: Move) -> String {
    mv.point().map(write_point).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let cases: [(&[u8], &str); 7] = [
            (b"plain", "plain"),
            (br"a\]b\\c\:d\e", r"a]b\c:de"),
            (b"soft\\\nbreak\\\r\nhere", "softbreakhere"),
            (
                b"one\r\ntwo\rthree\n\rfour\n\nsix",
                "one\ntwo\nthree\nfour\n\nsix",
            ),
            (b"tab\there", "tab here"),
            (b"\xc3\xa9\xff", "é\u{fffd}"),
            (b"cut\\", "cut"),
        ];
        for (raw, expected) in cases {
            assert_eq!(text(raw, Charset::UTF_8), expected);
        }
        assert_eq!(simple_text(b" a\nb ", Charset::UTF_8), "a b");
    }

    #[test]
    fn moves_and_both_passes() {
        let s = |side| Size::square(side).unwrap();
        let at = |size: Size, x, y| Ok(Move::Play(size.point(x, y).unwrap()));
        assert_eq!(play(b"", s(19)), Ok(Move::Pass));
        assert_eq!(play(b"tt", s(19)), Ok(Move::Pass));
        assert_eq!(play(b"tt", s(9)), Ok(Move::Pass));
        assert_eq!(play(b"tt", s(21)), at(s(21), 19, 19));
        assert_eq!(play(b"cd", s(19)), at(s(19), 2, 3));
        assert_eq!(play(b" cd\n", s(19)), at(s(19), 2, 3));
        assert_eq!(play(b"jj", s(9)), Err(BadValue::OffBoard));
        assert_eq!(play(b"AA", s(9)), Err(BadValue::OffBoard));
        assert_eq!(play(b"Q16", s(19)), Err(BadValue::NotAPoint));
    }

    #[test]
    fn rectangles_whichever_corners() {
        let size = Size::S9;
        let count = |raw: &[u8]| rectangle(raw, size).map(|r| points_between(r, size).count());
        assert_eq!(count(b"aa"), Ok(1));
        assert_eq!(count(b"aa:cb"), Ok(6));
        assert_eq!(count(b"cb:aa"), Ok(6));
        assert_eq!(count(b"ca:ab"), Ok(6));
        assert_eq!(count(b"aa:jj"), Err(BadValue::OffBoard));
        assert_eq!(count(b"aa:"), Err(BadValue::NotAPoint));
    }

    #[test]
    fn numbers() {
        assert_eq!(number(b" 19 "), Ok(19));
        assert_eq!(number(b"19x"), Err(BadValue::NotANumber));
        assert_eq!(real(b"6,5"), Ok(6.5));
        assert_eq!(real(b"inf"), Err(BadValue::NotANumber));
    }

    #[test]
    fn composed_values_split_at_a_bare_colon() {
        assert_eq!(split_composed(br"a\:b:c"), Some((&br"a\:b"[..], &b"c"[..])));
        assert_eq!(split_composed(b"abc"), None);
        assert_eq!(escape("a:b]\\"), r"a:b\]\\");
        assert_eq!(text(escape("a:b]\\").as_bytes(), Charset::UTF_8), "a:b]\\");
    }
}
