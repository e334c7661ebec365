//! Where in a TOML text a key stands, and which key stands at a place.
//!
//! Serde knows types but forgets places, checks made afterwards know keys but
//! not lines; this index of all keys joins the two, so that every complaint
//! about a spec names both. Arrays of tables are numbered from 0.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Every key of a TOML text with the bytes it covers.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    entries: Vec<(String, Range<usize>)>,
    line_starts: Vec<usize>,
}

impl Keys {
    /// Indexes a text; one that is not TOML has no keys, but still has lines.
    pub(super) fn of(text: &str) -> Keys {
        let mut keys = Keys {
            entries: Vec::new(),
            line_starts: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        };
        if let Ok(table) = DeTable::parse(text) {
            keys.add_table("", table.get_ref());
        }
        keys
    }

    /// Returns the line, from 1, of a byte.
    pub(super) fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte)
    }

    /// Returns the line of a key, or of the nearest part of its path that is written.
    pub(super) fn line_of_key(&self, key: &str) -> usize {
        let mut path = key;
        loop {
            if let Some((_, span)) = self.entries.iter().find(|(name, _)| name == path) {
                return self.line_of(span.start);
            }
            match path.rfind(['.', '[']) {
                Some(at) => path = &path[..at],
                None => return 1,
            }
        }
    }

    /// Returns the innermost key that covers a byte, or the empty path.
    pub(super) fn key_at(&self, byte: usize) -> &str {
        self.entries
            .iter()
            .filter(|(_, span)| span.contains(&byte))
            .min_by_key(|(_, span)| span.len())
            .map_or("", |(name, _)| name)
    }

    fn add_table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = if path.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{path}.{}", key.get_ref())
            };
            self.add_value(&name, key.span().start, value);
        }
    }

    fn add_value(&mut self, name: &str, start: usize, value: &Spanned<DeValue<'_>>) {
        self.entries
            .push((name.to_owned(), start..value.span().end.max(start + 1)));
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(name, table),
            DeValue::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.add_value(&format!("{name}[{i}]"), item.span().start, item);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = 'x'\n\n[players.a]\nkind = 'random'\n\n[[pairings]]\ngames = 3\n\n[[pairings]]\ngames = 4\n";

    #[test]
    fn keys_have_lines() {
        let keys = Keys::of(TEXT);
        assert_eq!(keys.line_of_key("name"), 1);
        assert_eq!(keys.line_of_key("players.a.kind"), 4);
        assert_eq!(keys.line_of_key("players.a.absent"), 3);
        assert_eq!(keys.line_of_key("pairings[1].games"), 10);
        assert_eq!(keys.line_of_key("pairings[1].players"), 9);
        assert_eq!(keys.line_of_key("absent"), 1);
    }

    #[test]
    fn places_have_keys() {
        let keys = Keys::of(TEXT);
        let at = |needle: &str| TEXT.rfind(needle).expect("the text holds it");
        assert_eq!(keys.key_at(at("'random'")), "players.a.kind");
        assert_eq!(keys.key_at(at("kind")), "players.a.kind");
        assert_eq!(keys.key_at(at("4")), "pairings[1].games");
    }

    #[test]
    fn a_broken_text_still_has_lines() {
        assert_eq!(Keys::of("a = [\nb = 1").line_of(6), 2);
    }
}
