//! The shape of Rust files: a header that says what the file is, and a size
//! that one idea needs.

use super::Finding;

/// Past this many lines a file should be thought about.
const LINES: usize = 800;

/// Checks one Rust file.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let first = text.lines().find(|line| !line.trim().is_empty());
    if !first.is_some_and(|line| line.starts_with("//! ")) {
        let message = "the file does not open with `//!` and what it is";
        findings.push(Finding::error(path, 1, message));
    }
    let lines = text.lines().count();
    if lines > LINES {
        let message = format!("{lines} lines; does it still hold one idea?");
        findings.push(Finding::warning(path, 0, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Severity;

    #[test]
    fn a_header_is_required() {
        assert_eq!(check("a.rs", "//! What it is.\n\nfn f() {}\n"), []);
        for bad in [
            "",
            "fn f() {}\n",
            "// A comment.\n",
            "//!\n",
            "#![x]\n//! Late.\n",
        ] {
            let found = check("a.rs", bad);
            assert_eq!(found.len(), 1, "{bad:?}");
            assert_eq!(found[0].severity, Severity::Error);
        }
    }

    #[test]
    fn a_long_file_is_only_warned_about() {
        let text = |lines| "//! Long.\n".repeat(lines);
        assert_eq!(check("a.rs", &text(LINES)), []);
        let found = check("a.rs", &text(LINES + 1));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].severity, Severity::Warning);
    }
}
