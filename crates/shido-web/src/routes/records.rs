//! Records to look at.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use crate::error::{ApiError, ErrorView};
use crate::extract::{ApiBytes, ApiPath, ApiQuery};
use crate::records::MAX_BYTES;
use crate::state::AppState;
use crate::wire::{NodeView, RecordList, RecordView};

#[derive(Deserialize)]
pub(super) struct NameQuery {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
pub(super) struct GameQuery {
    #[serde(default)]
    game: usize,
}

/// Lists the records kept, the latest first.
#[utoipa::path(get, path = "/api/records", responses((status = 200, body = RecordList)))]
pub(super) async fn list(State(state): State<AppState>) -> Result<Json<RecordList>, ApiError> {
    let records = state.records().list().await?;
    Ok(Json(RecordList { records }))
}

/// Takes an SGF file and shows its first game.
#[utoipa::path(post, path = "/api/records",
    params(("name" = Option<String>, Query, description = "What the file is called")),
    request_body(content = String, content_type = "application/x-go-sgf"),
    responses((status = 201, body = RecordView), (status = 413, body = ErrorView),
        (status = 422, body = ErrorView)))]
pub(super) async fn add(
    State(state): State<AppState>,
    ApiQuery(query): ApiQuery<NameQuery>,
    ApiBytes(sgf): ApiBytes<MAX_BYTES>,
) -> Result<(StatusCode, Json<RecordView>), ApiError> {
    let record = state.records().add(&query.name, sgf.to_vec()).await?;
    Ok((StatusCode::CREATED, Json(record.view(0)?)))
}

/// Shows one game of a record.
#[utoipa::path(get, path = "/api/records/{id}",
    params(("id" = String, Path), ("game" = Option<usize>, Query, description = "Which game, from 0")),
    responses((status = 200, body = RecordView), (status = 404, body = ErrorView)))]
pub(super) async fn show(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(query): ApiQuery<GameQuery>,
) -> Result<Json<RecordView>, ApiError> {
    let record = state.records().find(&id).await?;
    Ok(Json(record.view(query.game)?))
}

/// Takes a record away for good.
#[utoipa::path(delete, path = "/api/records/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorView)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
) -> Result<StatusCode, ApiError> {
    state.records().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows a node with its position, comment and marks.
#[utoipa::path(get, path = "/api/records/{id}/nodes/{node}",
    params(("id" = String, Path), ("node" = usize, Path),
        ("game" = Option<usize>, Query, description = "Which game, from 0")),
    responses((status = 200, body = NodeView), (status = 404, body = ErrorView)))]
pub(super) async fn node(
    State(state): State<AppState>,
    ApiPath((id, node)): ApiPath<(String, usize)>,
    ApiQuery(query): ApiQuery<GameQuery>,
) -> Result<Json<NodeView>, ApiError> {
    let record = state.records().find(&id).await?;
    Ok(Json(record.node(query.game, node)?))
}
