//! What was wrong in a file, where, and what was done about it.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// One thing that was not as it should be. Nothing is changed without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Offset of the first byte concerned.
    pub at: usize,
    /// What was found.
    pub what: Cow<'static, str>,
    /// What was done about it.
    pub done: Cow<'static, str>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}; {}", self.at, self.what, self.done)
    }
}

/// Warnings in the order they arose; a hopeless file cannot make it grow without bound.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Warnings {
    list: Vec<Warning>,
    unlisted: usize,
}

impl Warnings {
    /// The most warnings kept in full; later ones are only counted.
    pub const MAX_LISTED: usize = 1000;

    /// Adds a warning.
    pub fn add(
        &mut self,
        at: usize,
        what: impl Into<Cow<'static, str>>,
        done: impl Into<Cow<'static, str>>,
    ) {
        if self.list.len() < Warnings::MAX_LISTED {
            self.list.push(Warning {
                at,
                what: what.into(),
                done: done.into(),
            });
        } else {
            self.unlisted += 1;
        }
    }

    /// Adds all warnings of another list.
    pub fn extend(&mut self, other: Warnings) {
        let room = Warnings::MAX_LISTED - self.list.len();
        self.unlisted += other.unlisted + other.list.len().saturating_sub(room);
        self.list.extend(other.list.into_iter().take(room));
    }

    /// Returns the warnings kept in full.
    pub fn listed(&self) -> &[Warning] {
        &self.list
    }

    /// Returns how many warnings were counted but not kept.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// Returns how many warnings there were.
    pub fn count(&self) -> usize {
        self.list.len() + self.unlisted
    }

    /// Returns whether there was nothing to warn of.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_limit_warnings_are_counted_only() {
        let mut warnings = Warnings::default();
        for at in 0..Warnings::MAX_LISTED + 7 {
            warnings.add(at, "odd", "ignored");
        }
        assert_eq!(warnings.listed().len(), Warnings::MAX_LISTED);
        assert_eq!(warnings.unlisted(), 7);
        let mut all = Warnings::default();
        all.add(0, "first", "kept");
        all.extend(warnings);
        assert_eq!(all.count(), Warnings::MAX_LISTED + 8);
        assert_eq!(all.listed().len(), Warnings::MAX_LISTED);
    }
}
