//! Bodies, queries and paths of requests, refused in our own words.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The largest JSON body.
pub(crate) const MAX_JSON: usize = 16 << 10;

/// A JSON body.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        check_length(&request, MAX_JSON)?;
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(ApiJson(value)),
            Err(JsonRejection::BytesRejection(it)) => Err(bytes_refused(&it, MAX_JSON)),
            Err(other) => Err(ApiError::BadRequest(other.body_text())),
        }
    }
}

/// A body as it is, of at most as many bytes as its route takes.
pub(crate) struct ApiBytes<const MOST: usize>(pub(crate) Bytes);

impl<S: Send + Sync, const MOST: usize> FromRequest<S> for ApiBytes<MOST> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        check_length(&request, MOST)?;
        let bytes = Bytes::from_request(request, state).await;
        bytes.map(ApiBytes).map_err(|it| bytes_refused(&it, MOST))
    }
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

fn bytes_refused(rejection: &BytesRejection, most: usize) -> ApiError {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        ApiError::TooLarge(most)
    } else {
        ApiError::BadRequest(rejection.body_text())
    }
}

/// The query of an address.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(ApiQuery(value)),
            Err(error) => Err(ApiError::BadRequest(error.body_text())),
        }
    }
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
