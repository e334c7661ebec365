//! KataGo's configuration files and `-override-config`, as text: names and values.
//!
//! `name = value` a line, `#` begins a comment. A value in double quotes may hold a `#`,
//! and after a backslash any character stands for itself. `@include FILE` stands for the
//! lines of another file; opening it is the caller's business.

/// A line of a configuration that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigLine {
    /// A setting; a later one of the same name overrules it.
    Setting {
        /// The name.
        name: String,
        /// The value, without its quotes.
        value: String,
    },
    /// The lines of this file, whose path is relative to the file that names it.
    Include(String),
}

/// Reads a configuration file's lines, in their order.
pub fn read_config(text: &str) -> Result<Vec<ConfigLine>, String> {
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = match line.strip_prefix('@') {
            Some(directive) => include(directive),
            None => setting(line),
        };
        lines.push(read.map_err(|why| format!("line {}: {why}", number + 1))?);
    }
    Ok(lines)
}

/// Reads settings on the command line: `name=value,name=value`.
pub fn read_overrides(text: &str) -> Result<Vec<(String, String)>, String> {
    let items = text.split(',').map(str::trim);
    items
        .filter(|item| !item.is_empty())
        .map(|item| {
            let (name, value) = name_and_value(item)?;
            Ok((name, value.to_owned()))
        })
        .collect()
}

/// Reads what comes after the `@`.
fn include(directive: &str) -> Result<ConfigLine, String> {
    let directive = before_comment(directive);
    let is_space = |c: char| c.is_whitespace() || c == '=';
    let (name, file) = directive.split_once(is_space).unwrap_or_default();
    let file = file.trim_matches(is_space);
    let file = file.trim_matches('\'').trim_matches('"');
    match name {
        "include" if !file.is_empty() => Ok(ConfigLine::Include(file.to_owned())),
        _ => Err(format!("`@{directive}` is not of the form @include FILE")),
    }
}

fn setting(line: &str) -> Result<ConfigLine, String> {
    let (name, value) = name_and_value(line)?;
    if name.contains('#') {
        return Err(not_a_pair(before_comment(line)));
    }
    let value = match value.strip_prefix('"') {
        Some(rest) => quoted(rest)?,
        None => before_comment(value).to_owned(),
    };
    Ok(ConfigLine::Setting { name, value })
}

/// Reads the rest of a value and of its line, after the first quote.
fn quoted(text: &str) -> Result<String, String> {
    let open = || format!("the quote of `\"{text}` is not closed");
    let mut value = String::new();
    let mut rest = text.chars();
    loop {
        match rest.next().ok_or_else(open)? {
            '"' => break,
            '\\' => value.push(rest.next().ok_or_else(open)?),
            other => value.push(other),
        }
    }
    let after = rest.as_str().trim();
    if after.is_empty() || after.starts_with('#') {
        return Ok(value);
    }
    Err(format!("`{after}` stands after the closing quote"))
}

fn name_and_value(text: &str) -> Result<(String, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim()))
        }
        _ => Err(not_a_pair(before_comment(text))),
    }
}

fn not_a_pair(text: &str) -> String {
    format!("`{text}` is not of the form name = value")
}

fn before_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(name: &str, value: &str) -> ConfigLine {
        ConfigLine::Setting {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn a_configuration_is_read_without_comments_and_quotes() {
        let text = r#"# all
            maxVisits = 50 # few

            logDir=
            logFile = "a#b = \"c\\d\".log"  # quoted
            humanSLProfile = ""
            a = b"c
            @include other.cfg # more
            @include = "its folder/x.cfg"
            "#;
        let expect = [
            setting("maxVisits", "50"),
            setting("logDir", ""),
            setting("logFile", r#"a#b = "c\d".log"#),
            setting("humanSLProfile", ""),
            setting("a", "b\"c"),
            ConfigLine::Include("other.cfg".to_owned()),
            ConfigLine::Include("its folder/x.cfg".to_owned()),
        ];
        assert_eq!(read_config(&text.replace('\n', "\r\n")).unwrap(), expect);
    }

    #[track_caller]
    fn check_error(text: &str, expect: &str) {
        assert_eq!(read_config(text).unwrap_err(), expect);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let pair = "line 2: `nonsense` is not of the form name = value";
        check_error("a = 1\nnonsense", pair);
        check_error("a = 1\nnonsense # = 2", pair);
        check_error("= 1", "line 1: `= 1` is not of the form name = value");
        check_error("a = \"b", "line 1: the quote of `\"b` is not closed");
        check_error("a = \"b\\", "line 1: the quote of `\"b\\` is not closed");
        check_error("a = \"b\" c", "line 1: `c` stands after the closing quote");
        for bad in ["@include", "@import x", "@include#x", "@include = \"\""] {
            let error = read_config(bad).unwrap_err();
            assert!(error.ends_with("form @include FILE"), "{error}");
        }
    }

    #[test]
    fn overrides_are_pairs_between_commas() {
        let pairs = [("a", "1"), ("b", "2")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read_overrides("a=1, b = 2,").unwrap(), pairs);
        assert!(read_overrides("=1").is_err());
    }
}
