//! Addresses and what answers them. The API's description is made from the same table.

mod about;
mod analysis;
mod games;
mod levels;
mod records;

use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::{Router, http};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error::ApiError;
use crate::extract::MAX_JSON;
use crate::records::MAX_BYTES;
use crate::state::AppState;
use crate::{guard, page, wire};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "shido",
        description = "The API between shido's page and its server on the same machine. \
            Moves are GTP vertices, boards are flat lists row by row from the top left."
    ),
    components(schemas(wire::Thinking, wire::GameView, wire::AnalysisView, wire::GraphPoint))
)]
struct Description;

/// Returns the API's addresses with their descriptions.
fn api() -> OpenApiRouter<AppState> {
    let records = OpenApiRouter::new()
        .routes(routes!(records::list, records::add))
        .layer(DefaultBodyLimit::max(MAX_BYTES));
    let rest = OpenApiRouter::new()
        .routes(routes!(about::about))
        .routes(routes!(levels::level))
        .routes(routes!(games::list, games::begin))
        .routes(routes!(games::show, games::delete))
        .routes(routes!(games::play))
        .routes(routes!(games::undo))
        .routes(routes!(games::dead))
        .routes(routes!(games::agree))
        .routes(routes!(games::resume))
        .routes(routes!(games::sgf))
        .routes(routes!(games::why))
        .routes(routes!(games::position))
        .routes(routes!(games::events))
        .routes(routes!(analysis::estimate))
        .routes(routes!(analysis::of_game))
        .routes(routes!(records::show, records::delete))
        .routes(routes!(records::node))
        .routes(routes!(analysis::of_node))
        .routes(routes!(analysis::graph))
        .layer(DefaultBodyLimit::max(MAX_JSON));
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(records)
        .merge(rest)
}

/// Returns everything: the API, the page, and the guard before both.
pub fn router(state: AppState) -> Router {
    let (api, _) = api().split_for_parts();
    api.fallback(fallback)
        .method_not_allowed_fallback(async || ApiError::BadMethod)
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .with_state(state)
}

/// Answers what is no address of the API: with the page, or with a refusal.
async fn fallback(request: axum::extract::Request) -> axum::response::Response {
    use axum::response::IntoResponse;
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return ApiError::NotFound("address").into_response();
    }
    if !matches!(*request.method(), http::Method::GET | http::Method::HEAD) {
        return ApiError::BadMethod.into_response();
    }
    page::answer(path, request.headers())
}

/// Returns the API's description (`OpenAPI`) as JSON text.
pub fn openapi() -> String {
    let (_, description) = api().split_for_parts();
    let mut text = description
        .to_pretty_json()
        .expect("a description is plain data");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    /// `UPDATE_OPENAPI=1 cargo test -p shido-web openapi` writes the file anew.
    #[test]
    fn the_openapi_file_is_what_the_types_say() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        let now = super::openapi();
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(path, &now).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == now, "openapi.json is out of date: see this test");
    }
}
