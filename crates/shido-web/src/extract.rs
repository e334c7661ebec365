//! Bodies, queries and paths of requests, refused in our own words.
//!
//! A body must come whole within a time: who sends a byte now and then would
//! otherwise hold one of the few places for requests as long as they please.

use std::error::Error;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The largest JSON body.
pub(crate) const MAX_JSON: usize = 16 << 10;
/// How long a body may take to come.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest part of a request that a message repeats, in characters.
const LONGEST_QUOTE: usize = 300;

/// A JSON body.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        // A form of another site can send text, but not this type.
        if !is_json(request.headers()) {
            let what = "the body must be JSON: send it with `Content-Type: application/json`";
            return Err(ApiError::BadRequest(what.to_owned()));
        }
        let bytes = read(request, state, MAX_JSON).await?;
        parse(&bytes).map(ApiJson).map_err(ApiError::BadRequest)
    }
}

/// A body as it is, of at most as many bytes as its route takes.
pub(crate) struct ApiBytes<const MOST: usize>(pub(crate) Bytes);

impl<S: Send + Sync, const MOST: usize> FromRequest<S> for ApiBytes<MOST> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        read(request, state, MOST).await.map(ApiBytes)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// Reads JSON, or says what is wrong with it and where.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if !inner.is_data() {
            return format!("the body is no JSON: {inner}");
        }
        let place = if path == "." {
            String::new()
        } else {
            format!(" at `{}`", short(&path))
        };
        format!("wrong in the body{place}: {}", short(&inner.to_string()))
    })?;
    let end = reader.end();
    end.map_err(|error| format!("the body is no JSON: {error}"))?;
    Ok(value)
}

/// Reads a body of at most so many bytes within the time there is for it.
async fn read<S: Send + Sync>(request: Request, state: &S, most: usize) -> Result<Bytes, ApiError> {
    check_length(&request, most)?;
    let whole = tokio::time::timeout(PATIENCE, Bytes::from_request(request, state));
    let bytes = whole.await.map_err(|_| ApiError::TooSlow)?;
    bytes.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::TooLarge(most)
        } else {
            ApiError::BadRequest("the body broke off".to_owned())
        }
    })
}

/// Refuses a body that says itself that it is too large, before any of it is read.
fn check_length(request: &Request, most: usize) -> Result<(), ApiError> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|it| it.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|it| it > most as u64) {
        return Err(ApiError::TooLarge(most));
    }
    Ok(())
}

/// The query of an address.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(ApiQuery(value)),
            Err(error) => {
                let cause = error.source().map(|it| short(&it.to_string()));
                let cause = cause.unwrap_or_else(|| "it cannot be read".to_owned());
                let what = format!("wrong in the address after the `?`: {cause}");
                Err(ApiError::BadRequest(what))
            }
        }
    }
}

/// What somebody sent, short enough for a message.
fn short(text: &str) -> String {
    text.chars().take(LONGEST_QUOTE).collect()
}

/// The parts of an address; one that cannot be read names nothing.
pub(crate) struct ApiPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for ApiPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(ApiPath(value)),
            Err(_) => Err(ApiError::NotFound("address")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::NewGame;

    #[track_caller]
    fn check(body: &str, expect: &str) {
        let error = parse::<NewGame>(body.as_bytes()).unwrap_err();
        assert_eq!(error, expect, "{body}");
    }

    #[test]
    fn what_is_wrong_with_a_body_is_said_with_its_place() {
        check(
            "",
            "the body is no JSON: EOF while parsing a value at line 1 column 0",
        );
        check(
            "size=9",
            "the body is no JSON: expected value at line 1 column 1",
        );
        check(
            r#"{"size": 9} x"#,
            "the body is no JSON: trailing characters at line 1 column 13",
        );
        check(
            r#"{"size": "nine"}"#,
            "wrong in the body at `size`: invalid type: string \"nine\", expected usize \
             at line 1 column 15",
        );
        check(
            r#"{"your_color": "green"}"#,
            "wrong in the body at `your_color`: unknown variant `green`, expected one of \
             `black`, `white`, `random` at line 1 column 22",
        );
        check(
            "9",
            "wrong in the body: invalid type: integer `9`, expected struct NewGame \
             at line 1 column 1",
        );
    }

    #[test]
    fn a_message_does_not_repeat_all_that_was_sent() {
        let body = format!(r#"{{"{}": 1}}"#, "x".repeat(10_000));
        let error = parse::<NewGame>(body.as_bytes()).unwrap_err();
        assert!(error.len() < 1000, "{}", error.len());
    }
}
