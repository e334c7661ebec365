//! What the program is.

use axum::Json;
use axum::extract::State;

use crate::state::AppState;
use crate::wire::About;

/// Says what the program is and what it offers.
#[utoipa::path(get, path = "/api/about", responses((status = 200, body = About)))]
pub(super) async fn about(State(state): State<AppState>) -> Json<About> {
    Json(state.about().clone())
}
