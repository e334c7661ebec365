//! The level that follows the student.

use axum::Json;
use axum::extract::State;

use crate::error::{ApiError, ErrorView};
use crate::levels;
use crate::state::AppState;
use crate::wire::AutoLevelView;

/// Says which level follows the student's results now, and by which games.
#[utoipa::path(get, path = "/api/level",
    responses((status = 200, body = AutoLevelView), (status = 500, body = ErrorView)))]
pub(super) async fn level(State(state): State<AppState>) -> Result<Json<AutoLevelView>, ApiError> {
    Ok(Json(levels::follow(state.store()).await?))
}
