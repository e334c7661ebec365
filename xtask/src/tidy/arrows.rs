//! The arrows between crates: who may use whom.
//!
//! [`ARROWS`] is the drawing in ARCHITECTURE.md as data. A crate may use any
//! crate its arrows reach. Any other edge fails, of dev- and build-dependencies
//! too, and so does a crate that has no row.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Finding;

/// Every crate and its direct arrows. Some are not built yet; their place is.
const ARROWS: &[(&str, &[&str])] = &[
    ("shido", &["shido-lab", "shido-web"]),
    ("shido-lab", &["shido-engine"]),
    ("shido-web", &["shido-engine"]),
    (
        "shido-engine",
        &["shido-net", "shido-coach", "shido-search"],
    ),
    ("shido-coach", &["shido-search"]),
    ("shido-search", &["shido-patterns"]),
    ("shido-patterns", &["shido-go"]),
    ("shido-net", &["shido-go"]),
    ("shido-go", &[]),
    ("xtask", &[]),
];

/// What `cargo metadata` says, as far as it matters here.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// Where a crate of this workspace lies; none for one from a registry.
    path: Option<String>,
}

/// Asks cargo for the crates of this workspace.
pub(super) fn metadata(root: &Path) -> Result<Metadata> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["metadata", "--format-version=1", "--no-deps"])
        .output()
        .context("cargo did not start")?;
    ensure!(
        output.status.success(),
        "cargo metadata failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).context("cargo metadata is not what it used to be")
}

/// Compares the edges with the arrows.
pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        if arrows_of(name).is_none() {
            let message = format!("{name} has no row in xtask's table of arrows");
            findings.push(Finding::error("Cargo.toml", 0, message));
            continue;
        }
        let reach = reach(name);
        let edges = package.dependencies.iter().filter(|it| it.path.is_some());
        for edge in edges.filter(|edge| !reach.contains(edge.name.as_str())) {
            let message = format!("{name} → {} is no arrow of ARCHITECTURE.md", edge.name);
            findings.push(Finding::error("Cargo.toml", 0, message));
        }
    }
    findings
}

fn arrows_of(name: &str) -> Option<&'static [&'static str]> {
    let row = ARROWS.iter().find(|(from, _)| *from == name)?;
    Some(row.1)
}

/// Returns every crate that can be reached from `name`, itself left out.
fn reach(name: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open = arrows_of(name).unwrap_or_default().to_vec();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(arrows_of(next).unwrap_or_default());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks one edge; `path` is given for crates of the workspace.
    #[track_caller]
    fn check_edge(from: &str, to: &str, expect: &[&str]) {
        let json = serde_json::json!({ "packages": [
            { "name": from, "dependencies": [
                { "name": to, "path": "somewhere" },
                { "name": "serde", "path": null },
            ] },
        ] });
        let metadata: Metadata = serde_json::from_value(json).unwrap();
        let found = check(&metadata);
        let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, expect);
    }

    #[test]
    fn a_crate_uses_what_its_arrows_reach() {
        check_edge("shido", "shido-web", &[]);
        check_edge("shido", "shido-go", &[]);
        check_edge("shido-engine", "shido-patterns", &[]);
        check_edge("shido-coach", "shido-go", &[]);
    }

    #[test]
    fn nothing_points_back_or_across() {
        for (from, to) in [
            ("shido-go", "shido-patterns"),
            ("shido-coach", "shido-engine"),
            ("shido-coach", "shido-net"),
            ("shido-net", "shido-search"),
            ("shido-search", "shido-net"),
            ("shido-lab", "shido-web"),
            ("shido-go", "shido-go"),
            ("xtask", "shido-go"),
        ] {
            let expect = format!("{from} → {to} is no arrow of ARCHITECTURE.md");
            check_edge(from, to, &[&expect]);
        }
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        let expect = "shido-utils has no row in xtask's table of arrows";
        check_edge("shido-utils", "shido-go", &[expect]);
    }

    #[test]
    fn the_arrows_have_no_cycle() {
        for (name, arrows) in ARROWS {
            assert!(!reach(name).contains(name), "{name}");
            for arrow in *arrows {
                assert!(arrows_of(arrow).is_some(), "{arrow} has no row");
            }
        }
    }
}
