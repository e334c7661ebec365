//! Words that must not be in the repository.
//!
//! Three checks: paths of one person's machine; sources of dependencies other
//! than the public registries; and, in the crates that promise to do no IO and
//! to read no clock, the modules of `std` that would break the promise.

use super::Finding;

/// Paths that mean something on one machine only. Written in two pieces, so
/// that this file passes its own check.
const MACHINE_PATHS: [&str; 4] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("../sha", "red"),
];

/// Where the sources of dependencies may be.
const REGISTRIES: [&str; 2] = [
    "\"registry+https://github.com/rust-lang/crates.io-index\"",
    "\"https://registry.npmjs.org/",
];

/// The crates without IO, clock or global.
const PURE: [&str; 4] = [
    "crates/shido-go/src/",
    "crates/shido-patterns/src/",
    "crates/shido-search/src/",
    "crates/shido-coach/src/",
];

/// What a pure crate does not use.
const IMPURE: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::time",
    "static mut",
    "println!",
    "thread_local!",
];

/// Checks that no line names a path of somebody's machine.
pub(super) fn check_words(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for word in MACHINE_PATHS {
            let begins = |at: usize| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}'))
            };
            if line.match_indices(word).any(|(at, _)| begins(at)) {
                let message = format!("`{word}` is a path of one machine");
                findings.push(Finding::error(path, i + 1, message));
            }
        }
    }
    findings
}

/// Checks that a lock file names the public registries only.
pub(super) fn check_lock(path: &str, text: &str) -> Vec<Finding> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let field = match name {
        "Cargo.lock" => "source = ",
        "package-lock.json" => "\"resolved\": ",
        _ => return Vec::new(),
    };
    let mut findings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(source) = line.trim_start().strip_prefix(field)
            && !REGISTRIES.iter().any(|known| source.starts_with(known))
        {
            let message = format!("{source} is not a public registry");
            findings.push(Finding::error(path, i + 1, message));
        }
    }
    findings
}

/// Checks that a file of a pure crate stays pure, its tests left aside.
pub(super) fn check_purity(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !PURE.iter().any(|folder| path.starts_with(folder)) || path.ends_with("tests.rs") {
        return findings;
    }
    let code = text.lines().enumerate();
    let code = code.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    for (i, line) in code.filter(|(_, line)| !line.trim_start().starts_with("//")) {
        for word in IMPURE.iter().filter(|word| line.contains(**word)) {
            let message = format!("`{word}` in a crate without IO, clock and globals");
            findings.push(Finding::error(path, i + 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_are_found() {
        let [work, root, home, shared] = MACHINE_PATHS;
        for bad in [
            format!("see {work}main"),
            format!("\"{root}x\""),
            format!("{home}me"),
            format!("a\n({shared}/data)"),
        ] {
            assert_eq!(check_words("a", &bad).len(), 1, "{bad}");
        }
        for good in ["net/work/x", "a/root/b", "$d/home/x", "work/", "shared"] {
            let good = good.replace("$d", "dir");
            assert_eq!(check_words("a", &good), [], "{good}");
        }
    }

    #[test]
    fn lock_files_name_public_registries() {
        let cargo = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        assert_eq!(check_lock("fuzz/Cargo.lock", cargo), []);
        let mirror = "source = \"registry+https://mirror.example/index\"";
        assert_eq!(check_lock("Cargo.lock", mirror).len(), 1);
        assert_eq!(check_lock("notes.md", mirror), []);
        let npm = "  \"resolved\": \"https://registry.npmjs.org/preact/-/preact.tgz\",";
        assert_eq!(check_lock("ui/package-lock.json", npm), []);
        let mirror = npm.replace("registry.npmjs.org", "mirror.example");
        assert_eq!(check_lock("ui/package-lock.json", &mirror).len(), 1);
    }

    #[test]
    fn pure_crates_stay_pure() {
        let bad = "//! Fine.\nuse std::fs;\n";
        assert_eq!(check_purity("crates/shido-go/src/a.rs", bad).len(), 1);
        assert_eq!(check_purity("crates/shido-lab/src/a.rs", bad), []);
        assert_eq!(check_purity("crates/shido-go/tests/a.rs", bad), []);
        assert_eq!(check_purity("crates/shido-go/src/a/tests.rs", bad), []);
        let test = "// std::fs\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(check_purity("crates/shido-go/src/a.rs", test), []);
    }
}
