//! Responses: `=id text` for success, `?id text` for failure, ended by an empty line.

use std::fmt;

use super::clean;

/// One answer of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Response {
    /// The number of the command answered, if it had one.
    pub id: Option<u32>,
    /// What the engine has to say: the answer, or why there is none.
    ///
    /// May hold several lines. Empty lines after the first cannot be sent and
    /// are left out. An empty first line keeps a diagram's indentation.
    pub outcome: Result<String, String>,
}

/// The text is not a response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// The first line begins with neither `=` nor `?`.
    #[error("a response must begin with `=` or `?`, not `{0}`")]
    NoMark(String),
    /// The number after the mark does not fit the protocol.
    #[error("`{0}` is too large for a response number")]
    NumberTooLarge(String),
    /// There is no line at all.
    #[error("the response is empty")]
    Empty,
}

impl Response {
    /// Returns the successful answer to a command with this number.
    pub fn success(id: Option<u32>, text: impl Into<String>) -> Response {
        Response {
            id,
            outcome: Ok(text.into()),
        }
    }

    /// Returns the refusal of a command with this number.
    pub fn failure(id: Option<u32>, text: impl Into<String>) -> Response {
        Response {
            id,
            outcome: Err(text.into()),
        }
    }

    /// Reads a whole response, with or without the empty line that ends it.
    ///
    /// ```
    /// use shido_go::gtp::Response;
    ///
    /// assert_eq!(Response::parse("=3 Q16\n\n"), Ok(Response::success(Some(3), "Q16")));
    /// ```
    pub fn parse(text: &str) -> Result<Response, ResponseError> {
        let mut reader = ResponseReader::default();
        for line in text.lines() {
            if let Some(response) = reader.push_line(line)? {
                return Ok(response);
            }
        }
        reader.push_line("")?.ok_or(ResponseError::Empty)
    }
}

impl fmt::Display for Response {
    /// Writes the response with the empty line that ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = match &self.outcome {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{mark}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        // Only the first line may be empty: it ends with the mark, not with itself.
        let mut lines = text.lines();
        match lines.next().map(str::trim) {
            None | Some("") => {}
            Some(first) => write!(f, " {first}")?,
        }
        for line in lines.filter(|line| !line.trim().is_empty()) {
            write!(f, "\n{}", line.trim_end())?;
        }
        f.write_str("\n\n")
    }
}

/// Gathers the lines an engine sends into responses.
#[derive(Debug, Clone, Default)]
pub struct ResponseReader {
    begun: Option<Response>,
}

impl ResponseReader {
    /// Takes the next line, without its newline; returns the response it completes.
    ///
    /// Empty lines between responses are skipped. After an error the reader is
    /// ready for the next response.
    pub fn push_line(&mut self, line: &str) -> Result<Option<Response>, ResponseError> {
        let line = clean(line);
        let blank = line.trim().is_empty();
        match &mut self.begun {
            None if blank => Ok(None),
            None => {
                self.begun = Some(read_first(&line)?);
                Ok(None)
            }
            Some(_) if blank => Ok(self.begun.take()),
            Some(response) => {
                let (Ok(text) | Err(text)) = &mut response.outcome;
                text.push('\n');
                text.push_str(line.trim_end());
                Ok(None)
            }
        }
    }

    /// Returns whether a response has begun and waits for its end.
    pub fn is_waiting(&self) -> bool {
        self.begun.is_some()
    }
}

fn read_first(line: &str) -> Result<Response, ResponseError> {
    let mut chars = line.chars();
    let mark = chars.next();
    let rest = chars.as_str();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (id, text) = rest.split_at(digits);
    let too_large = || ResponseError::NumberTooLarge(id.to_owned());
    let text = text.trim().to_owned();
    let outcome = match mark {
        Some('=') => Ok(text),
        Some('?') => Err(text),
        _ => return Err(ResponseError::NoMark(line.to_owned())),
    };
    let id = match id {
        "" => None,
        id => Some(id.parse().map_err(|_| too_large())?),
    };
    Ok(Response { id, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(response: &Response, text: &str) {
        assert_eq!(response.to_string(), text);
        assert_eq!(Response::parse(text).as_ref(), Ok(response));
    }

    #[test]
    fn responses_are_written_and_read_back() {
        check(&Response::success(None, ""), "=\n\n");
        check(&Response::success(Some(0), ""), "=0\n\n");
        check(&Response::success(None, "Q16"), "= Q16\n\n");
        check(
            &Response::failure(Some(12), "illegal move"),
            "?12 illegal move\n\n",
        );
        check(
            &Response::success(Some(2), "quit\nname"),
            "=2 quit\nname\n\n",
        );
        check(
            &Response::success(None, "\n   A B\n 2 . ."),
            "=\n   A B\n 2 . .\n\n",
        );
    }

    #[test]
    fn an_empty_line_inside_cannot_end_a_response_early() {
        let response = Response::success(None, "a\n\n \nb\n");
        assert_eq!(response.to_string(), "= a\nb\n\n");
    }

    #[test]
    fn text_that_is_no_response_is_refused() {
        let no_mark = Response::parse("Q16\n\n").unwrap_err();
        assert_eq!(
            no_mark.to_string(),
            "a response must begin with `=` or `?`, not `Q16`"
        );
        assert_eq!(Response::parse("\n\n"), Err(ResponseError::Empty));
        assert_eq!(
            Response::parse("=99999999999 A1"),
            Err(ResponseError::NumberTooLarge("99999999999".to_owned()))
        );
    }

    #[test]
    fn a_reader_takes_one_line_at_a_time() {
        let mut reader = ResponseReader::default();
        let mut found = Vec::new();
        for line in ["", "=1 a\r", "b", "", "", "?2 no", ""] {
            found.extend(reader.push_line(line).unwrap());
        }
        let expect = [
            Response::success(Some(1), "a\nb"),
            Response::failure(Some(2), "no"),
        ];
        assert_eq!(found, expect);
        assert!(!reader.is_waiting());
    }
}
