//! Everything a request can be refused for, and the one place that gives it a status.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::StoreError;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The request makes no sense.
    #[error("{0}")]
    BadRequest(String),
    /// There is no such thing, or its name was guessed.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The method does not fit the address.
    #[error("this address does not take that method")]
    BadMethod,
    /// The rules forbid the move.
    #[error("{0}")]
    IllegalMove(String),
    /// It is the partner's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game is not in the phase that this needs.
    #[error("{0}")]
    WrongPhase(&'static str),
    /// The game has moved on since the page looked.
    #[error("the game has {now} moves, not {seen}")]
    Stale {
        /// Moves the page had seen.
        seen: usize,
        /// Moves there are.
        now: usize,
    },
    /// The body is too large.
    #[error("too large: at most {0} bytes are taken")]
    TooLarge(usize),
    /// The body did not come in time.
    #[error("the body came too slowly")]
    TooSlow,
    /// The file is no game record that can be shown.
    #[error("{0}")]
    BadRecord(String),
    /// Too many requests in a short time.
    #[error("too many requests; wait a moment")]
    TooMany,
    /// Too much is going on at once.
    #[error("too much is going on at once; try again in a moment")]
    Busy,
    /// The request comes from another site or asks for another host.
    #[error("requests from other sites are refused")]
    Foreign,
    /// What should be kept could not be.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The engine gave no answer.
    #[error("the engine gave no answer")]
    NoAnswer,
}

/// A refusal as the page gets it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ErrorView {
    /// A word for programs, e.g. `illegal_move`.
    pub code: String,
    /// A sentence for people, in English.
    pub message: String,
}

impl ApiError {
    /// Returns the status and the word.
    fn status(&self) -> (StatusCode, &'static str) {
        match self {
            ApiError::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            ApiError::NotFound(_) => (StatusCode::NOT_FOUND, "not_found"),
            ApiError::BadMethod => (StatusCode::METHOD_NOT_ALLOWED, "bad_method"),
            ApiError::IllegalMove(_) => (StatusCode::CONFLICT, "illegal_move"),
            ApiError::NotYourTurn => (StatusCode::CONFLICT, "not_your_turn"),
            ApiError::WrongPhase(_) => (StatusCode::CONFLICT, "wrong_phase"),
            ApiError::Stale { .. } => (StatusCode::CONFLICT, "stale"),
            ApiError::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            ApiError::TooSlow => (StatusCode::REQUEST_TIMEOUT, "too_slow"),
            ApiError::BadRecord(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_record"),
            ApiError::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            ApiError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            ApiError::Foreign => (StatusCode::FORBIDDEN, "foreign"),
            ApiError::Store(error) => match error {
                StoreError::Full(_) => (StatusCode::INSUFFICIENT_STORAGE, "storage_full"),
                StoreError::Locked(_) => (StatusCode::SERVICE_UNAVAILABLE, "storage_locked"),
                _ => (StatusCode::INTERNAL_SERVER_ERROR, "storage"),
            },
            ApiError::NoAnswer => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = self.status();
        if status.is_server_error() {
            tracing::warn!(code, "{self}");
        }
        let view = ErrorView {
            code: code.to_owned(),
            message: self.to_string(),
        };
        let mut response = (status, Json(view)).into_response();
        if matches!(self, ApiError::TooMany | ApiError::Busy) {
            let wait = header::HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        response
    }
}
