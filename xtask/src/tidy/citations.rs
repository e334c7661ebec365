//! Citations of the papers, such as *(PD10, §2.3, Eq. 3)*.
//!
//! A citation is a parenthesis that opens with a key: two capitals and two
//! digits. The key must head a section of `docs/references.md`, and each place
//! that names a section, equation, table, figure, algorithm or appendix must be
//! in that section's table. Other places are free text and not checked.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;

/// The kinds of places that are checked.
const KINDS: [&str; 6] = ["§", "Eq.", "Table", "Fig.", "Alg.", "App."];

/// The keys of the papers and the places that exist in each.
#[derive(Debug, Default)]
pub(super) struct References {
    places: BTreeMap<String, BTreeSet<String>>,
}

impl References {
    /// Reads the sections (`## KEY`) and the first cells of their table rows.
    pub(super) fn read(markdown: &str) -> References {
        let mut references = References::default();
        let mut key = None;
        for line in markdown.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let word = heading.split_whitespace().next().unwrap_or_default();
                key = is_key(word).then(|| word.to_owned());
                if let Some(key) = &key {
                    references.places.entry(key.clone()).or_default();
                }
            } else if let (Some(key), Some(row)) = (&key, line.strip_prefix('|')) {
                let cell = row.split('|').next().unwrap_or_default().trim();
                let places = references.places.entry(key.clone()).or_default();
                places.insert(cell.to_owned());
            }
        }
        references
    }
}

/// Checks every citation in a file.
pub(super) fn check(path: &str, text: &str, references: &References) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The tests below cite papers that nobody wrote.
    if path.ends_with(file!()) {
        return findings;
    }
    let (prose, lines) = prose(text);
    for (start, _) in prose.match_indices('(') {
        let inside = &prose[start + 1..];
        let Some(end) = inside.find(')').filter(|_| leading_key(inside).is_some()) else {
            continue;
        };
        let line = lines.partition_point(|&from| from <= start);
        let messages = broken(&inside[..end], references);
        findings.extend(messages.map(|message| Finding::error(path, line, message)));
    }
    findings
}

/// Says what is wrong with a citation, such as `PD10, §2.1, Eq. 2; FT20, App. B`.
fn broken(citation: &str, references: &References) -> impl Iterator<Item = String> {
    let mut messages = Vec::new();
    let mut key = "";
    for part in citation.split(';').map(str::trim) {
        key = leading_key(part).unwrap_or(key);
        match references.places.get(key) {
            None => messages.push(format!("docs/references.md has no section for {key}")),
            Some(known) => messages.extend(
                places(part)
                    .into_iter()
                    .filter(|place| !known.contains(place))
                    .map(|place| format!("docs/references.md knows no {place} in {key}")),
            ),
        }
    }
    messages.into_iter()
}

/// Returns the key that opens a citation, if one does.
fn leading_key(text: &str) -> Option<&str> {
    let key = text.get(..4).filter(|word| is_key(word))?;
    let after = text[4..].chars().next();
    after.is_none_or(|c| matches!(c, ',' | ')')).then_some(key)
}

fn is_key(word: &str) -> bool {
    matches!(word.as_bytes(), [a, b, c, d]
        if a.is_ascii_uppercase() && b.is_ascii_uppercase()
            && c.is_ascii_digit() && d.is_ascii_digit())
}

/// Joins the lines without their comment marks, for citations that wrap.
///
/// Returns the text and where in it each line begins.
fn prose(text: &str) -> (String, Vec<usize>) {
    let mut joined = String::with_capacity(text.len());
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(joined.len());
        let line = line.trim().trim_start_matches(['/', '!', '#', '>', '|']);
        joined.push_str(line.trim_start());
        joined.push(' ');
    }
    (joined, lines)
}

/// Returns the checked places of a citation: `Eq. 1 and 2` is `Eq. 1`, `Eq. 2`.
fn places(part: &str) -> Vec<String> {
    let mut places = Vec::new();
    let mut kind = None;
    let words = part.replace('§', " § ");
    for word in words.split(|c: char| c.is_whitespace() || matches!(c, ',' | '–' | '-')) {
        if let Some(found) = KINDS.iter().find(|kind| **kind == word) {
            kind = Some(*found);
        } else if let Some(kind) = kind.filter(|kind| is_number(kind, word)) {
            // `Fig. 9a` is a part of `Fig. 9`.
            let number = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
            let gap = if kind == "§" { "" } else { " " };
            places.push(format!("{kind}{gap}{number}"));
        } else if !matches!(word, "" | "and" | "to" | "or") {
            // Free text: a number after it is not of the kind before it.
            kind = None;
        }
    }
    places
}

fn is_number(kind: &str, word: &str) -> bool {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) if kind == "App." => first.is_ascii_uppercase(),
        Some(first) => {
            first.is_ascii_digit() || first.is_ascii_uppercase() && chars.as_str().starts_with('.')
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCES: &str = "\
# References

## AB12

Somebody. *Something*.

| place | what |
|---|---|
| §2.1 | ratings |
| §2.2 | more |
| Eq. 1 | one |
| Eq. 2 | two |
| Eq. B.1 | three |
| App. A | the end |

## CD34

| App. B | elsewhere |

## Words

| §9 | not of a paper |
";

    #[track_caller]
    fn check_text(text: &str, expect: &[(usize, &str)]) {
        let found = check("file", text, &References::read(REFERENCES));
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.line, it.message.as_str()))
            .collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn good_citations_pass() {
        check_text("(AB12)", &[]);
        check_text("*(AB12, §2.1)* and (AB12, §2.1, Eq. 2)", &[]);
        check_text(
            "(AB12, Eq. 1 and 2), (AB12, §2.1–2.2), (AB12, Eq. 1, 2)",
            &[],
        );
        check_text("(AB12, Eq. B.1) (AB12, App. A) (AB12, Eq. 2, line 7)", &[]);
        check_text(
            "(AB12, Eq. 2b), (AB12, §2.1; Eq. 1), (AB12, §2.1; CD34, App. B)",
            &[],
        );
        check_text("/// wraps (AB12, §2.1,\n    /// Eq. 2)", &[]);
    }

    #[test]
    fn broken_citations_are_found_where_they_stand() {
        let no_key = "docs/references.md has no section for XY99";
        check_text("fine\n// (XY99, §1)\n", &[(2, no_key)]);
        let no_place = |place| format!("docs/references.md knows no {place} in AB12");
        check_text("(AB12, §2.3)", &[(1, &no_place("§2.3"))]);
        check_text("//! (AB12,\n//! Eq. 3)", &[(1, &no_place("Eq. 3"))]);
        check_text("(AB12, Eq. 1–3)", &[(1, &no_place("Eq. 3"))]);
        check_text("(CD34, App. B; AB12, Eq. 7)", &[(1, &no_place("Eq. 7"))]);
        check_text("(AB12, §2.1 and Eq. 7)", &[(1, &no_place("Eq. 7"))]);
        check_text("(AB12, §9)", &[(1, &no_place("§9"))]);
        check_text("(AB12, App. C)", &[(1, &no_place("App. C"))]);
    }

    #[test]
    fn what_only_looks_like_a_citation_is_left_alone() {
        check_text("f(AB12x) (AB123, 4) (ab12, §7) (AB12 and more §7) (é", &[]);
    }
}
