//! Komi as `KM` holds it.
//!
//! Most files hold points. The Fox server holds hundredths: `KM[650]` is 6.5
//! points. For Chinese counting it holds hundredths of *zi*, and one zi is two
//! points: `KM[375]` is 3.75 zi, which is 7.5 points. No komi in points ends in a
//! quarter, so the two can be told apart. Fox's `KM[0]` in an even game stands for
//! a komi that it did not record; it is taken as it stands.

/// A komi that was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ReadKomi {
    /// In points.
    pub(super) points: f32,
    /// Whether it had been written in hundredths.
    pub(super) scaled: bool,
}

/// The largest komi taken as points; KataGo's limit.
const MOST_POINTS: f32 = 150.0;

/// Returns whether a number can be a komi in points.
pub(super) fn is_believable(points: f32) -> bool {
    points.abs() <= MOST_POINTS
}

/// Reads `6.5`, `6,5`, `6.5 points` or Fox's `650`; `None` if there is no believable number.
pub(super) fn read(text: &str) -> Option<ReadKomi> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | '+'))
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['.', ',']).replace(',', ".");
    let value: f32 = number.parse().ok()?;
    if is_believable(value) {
        return Some(ReadKomi {
            points: value,
            scaled: false,
        });
    }
    let hundredths = value / 100.0;
    let fox = value.fract() == 0.0 && value % 25.0 == 0.0 && hundredths.abs() <= 20.0;
    fox.then(|| ReadKomi {
        points: if value % 50.0 == 0.0 {
            hundredths
        } else {
            hundredths * 2.0
        },
        scaled: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komis() {
        let cases = [
            ("6.5", Some((6.5, false))),
            ("6,5", Some((6.5, false))),
            ("0.500000", Some((0.5, false))),
            ("6.5 points", Some((6.5, false))),
            ("6.5目", Some((6.5, false))),
            ("-5.5", Some((-5.5, false))),
            ("+7", Some((7.0, false))),
            ("7.", Some((7.0, false))),
            ("0", Some((0.0, false))),
            ("-100.00", Some((-100.0, false))),
            ("650", Some((6.5, true))),
            ("750", Some((7.5, true))),
            ("375", Some((7.5, true))),
            ("325", Some((6.5, true))),
            ("", None),
            ("none", None),
            ("6.5.5", None),
            ("999", None),
            ("1e9", Some((1.0, false))),
            ("99999999999999999999999999999999999999999999", None),
        ];
        for (text, expected) in cases {
            let komi = read(text).map(|komi| (komi.points, komi.scaled));
            assert_eq!(komi, expected, "{text}");
        }
    }
}
