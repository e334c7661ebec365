//! Relative links in Markdown: each must lead to a file or folder.
//!
//! Looked at are inline links, `[text](target)`, outside of code. Links to other
//! hosts are not followed, and anchors after `#` are not checked.

use super::Finding;

/// Checks the links of one page; `exists` is asked about paths from the root.
pub(super) fn check(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_code = false;
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for target in targets(line) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains(':') {
                continue;
            }
            match resolve(path, file) {
                Some(found) if exists(&found) => {}
                _ => {
                    let message = format!("the link to {target} leads nowhere");
                    findings.push(Finding::error(path, i + 1, message));
                }
            }
        }
    }
    findings
}

fn targets(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (i, piece) in line.split('`').enumerate() {
        // Odd pieces stand between backticks. One may be a link's text, so the
        // parenthesis after it is still found in the next piece.
        if i % 2 == 1 {
            continue;
        }
        for (start, _) in piece.match_indices("](") {
            let inside = &piece[start + 2..];
            if let Some(end) = inside.find(')') {
                found.push(inside[..end].split(' ').next().unwrap_or_default());
            }
        }
    }
    found
}

/// Returns the path from the root, or `None` if it leaves the repository.
fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_page(text: &str, broken: &[&str]) {
        let exists = |path: &str| ["README.md", "docs", "docs/glossary.md"].contains(&path);
        let found = check("docs/page.md", text, exists);
        let found: Vec<_> = found.iter().map(|it| it.message.clone()).collect();
        let expect: Vec<_> = broken
            .iter()
            .map(|target| format!("the link to {target} leads nowhere"))
            .collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn links_are_followed_from_their_page() {
        check_page(
            "[a](glossary.md#point) [b](../README.md) [c](../docs/)",
            &[],
        );
        check_page(
            "[`code`](glossary.md) [d](#here) [e](https://example.org/x)",
            &[],
        );
        check_page("[a](README.md)", &["README.md"]);
        check_page("[`code`](gone.md)", &["gone.md"]);
        check_page("[a](../../README.md)", &["../../README.md"]);
    }

    #[test]
    fn code_is_not_looked_at() {
        check_page("`[a](gone.md)`\n```\n[b](gone.md)\n```\n", &[]);
        check_page("```\n```\n[b](gone.md)", &["gone.md"]);
    }
}
