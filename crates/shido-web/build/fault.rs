//! What went wrong, out of everything npm and the bundler say: one line for people.
//!
//! A warning of the build and a sentence on the page have no room for more. The
//! first line is hardly ever it: warnings of npm's own come before, codes and
//! lists of flags around it, colors in between.

/// Returns the one line that says what went wrong.
pub(crate) fn fault(said: &str) -> String {
    let plain = without_colors(said);
    let lines: Vec<&str> = plain.lines().map(str::trim).collect();
    let bundler = lines.iter().position(|it| *it == "error during build:");
    if let Some(at) = bundler {
        let rest = &lines[at + 1..];
        let told = rest.iter().find(|it| tells(it)).copied();
        let place = rest.iter().find_map(|it| place(it));
        return match (told, place) {
            (Some(told), Some(place)) => format!("{told} ({place})"),
            (told, _) => told.unwrap_or("the bundler failed").to_owned(),
        };
    }
    let of_npm = lines.iter().filter_map(|it| {
        let rest = it.strip_prefix("npm error");
        rest.or_else(|| it.strip_prefix("npm ERR!")).map(str::trim)
    });
    let rest = lines.iter().copied();
    let told = of_npm.chain(rest).find(|it| tells(it));
    told.unwrap_or("npm does not say why").to_owned()
}

/// Returns whether a line tells more than a code, a place or that there was a failure.
fn tells(line: &str) -> bool {
    const EMPTY_WORDS: &[&str] = &[
        "npm warn",
        "npm WARN",
        "npm error",
        "npm ERR!",
        "code ",
        "errno ",
        "syscall ",
        "path ",
        "Build failed with",
        "✗ Build failed",
        "> ",
    ];
    !line.is_empty() && !EMPTY_WORDS.iter().any(|it| line.starts_with(it))
}

/// Returns a `file:line:column` in the frame that the bundler draws around code.
fn place(line: &str) -> Option<&str> {
    let inner = line.split_once('[')?.1.split_once(']')?.0.trim();
    let numbers = inner.rsplitn(3, ':').take(2);
    let numbered =
        numbers.clone().count() == 2 && numbers.into_iter().all(|it| it.parse::<u32>().is_ok());
    numbered.then_some(inner)
}

/// Drops the escapes that color a terminal.
fn without_colors(said: &str) -> String {
    let mut plain = String::with_capacity(said.len());
    let mut chars = said.chars();
    while let Some(it) = chars.next() {
        if it == '\u{1b}' {
            // An escape ends with its first letter.
            chars.find(char::is_ascii_alphabetic);
        } else {
            plain.push(it);
        }
    }
    plain
}
