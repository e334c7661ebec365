//! Games with a partner.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::error::{ApiError, ErrorView};
use crate::extract::{ApiJson, ApiPath, ApiQuery};
use crate::feed::{self, Events};
use crate::live::GameEvent;
use crate::state::AppState;
use crate::wire::{
    ChoiceView, DeadStones, GameList, GameView, NewGame, Phase, PlayMove, PositionView, SeenMoves,
    Why,
};

type View = Result<Json<GameView>, ApiError>;

/// Lists the games kept, the latest first.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = GameList)))]
pub(super) async fn list(State(state): State<AppState>) -> Result<Json<GameList>, ApiError> {
    let games = state.games().list().await?;
    Ok(Json(GameList { games }))
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = 400, body = ErrorView)))]
pub(super) async fn begin(
    State(state): State<AppState>,
    ApiJson(wanted): ApiJson<NewGame>,
) -> Result<(StatusCode, Json<GameView>), ApiError> {
    let view = state.games().begin(&wanted).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows a game.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = ErrorView)))]
pub(super) async fn show(State(state): State<AppState>, ApiPath(id): ApiPath<String>) -> View {
    let live = state.games().find(&id).await?;
    Ok(Json(live.view().await?))
}

/// Takes a game away for good.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorView)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
) -> Result<StatusCode, ApiError> {
    state.games().delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Plays a stone, passes or resigns.
#[utoipa::path(post, path = "/api/games/{id}/move", params(("id" = String, Path)),
    request_body = PlayMove,
    responses((status = 200, body = GameView), (status = 409, body = ErrorView)))]
pub(super) async fn play(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiJson(wanted): ApiJson<PlayMove>,
) -> View {
    let live = state.games().find(&id).await?;
    let play = move |game: &mut crate::game::GameState, turn| {
        game.play_student(&wanted.mv, wanted.after, turn)
    };
    Ok(Json(live.change(play).await?))
}

/// Takes back up to the student's latest turn.
#[utoipa::path(post, path = "/api/games/{id}/undo", params(("id" = String, Path)),
    request_body = SeenMoves,
    responses((status = 200, body = GameView), (status = 409, body = ErrorView)))]
pub(super) async fn undo(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiJson(SeenMoves { after }): ApiJson<SeenMoves>,
) -> View {
    let live = state.games().find(&id).await?;
    Ok(Json(live.change(move |game, _| game.undo(after)).await?))
}

/// Takes a chain as dead, or as alive again.
#[utoipa::path(post, path = "/api/games/{id}/dead", params(("id" = String, Path)),
    request_body = DeadStones,
    responses((status = 200, body = GameView), (status = 409, body = ErrorView)))]
pub(super) async fn dead(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiJson(wanted): ApiJson<DeadStones>,
) -> View {
    let live = state.games().find(&id).await?;
    let toggle =
        move |game: &mut crate::game::GameState, _| game.toggle_dead(&wanted.point, wanted.after);
    Ok(Json(live.change(toggle).await?))
}

/// Agrees on the count; the game is over.
#[utoipa::path(post, path = "/api/games/{id}/agree", params(("id" = String, Path)),
    request_body = SeenMoves,
    responses((status = 200, body = GameView), (status = 409, body = ErrorView)))]
pub(super) async fn agree(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiJson(SeenMoves { after }): ApiJson<SeenMoves>,
) -> View {
    let live = state.games().find(&id).await?;
    Ok(Json(live.change(move |game, _| game.agree(after)).await?))
}

/// Goes on playing instead of counting; the student's pass is taken back.
#[utoipa::path(post, path = "/api/games/{id}/resume", params(("id" = String, Path)),
    request_body = SeenMoves,
    responses((status = 200, body = GameView), (status = 409, body = ErrorView)))]
pub(super) async fn resume(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiJson(SeenMoves { after }): ApiJson<SeenMoves>,
) -> View {
    let live = state.games().find(&id).await?;
    Ok(Json(live.change(move |game, _| game.resume(after)).await?))
}

#[derive(Deserialize)]
pub(super) struct SgfQuery {
    #[serde(default)]
    download: bool,
}

/// Gives a game as SGF text.
#[utoipa::path(get, path = "/api/games/{id}/sgf",
    params(("id" = String, Path), ("download" = Option<bool>, Query, description = "As a file to save")),
    responses((status = 200, body = String, content_type = "application/x-go-sgf"),
        (status = 404, body = ErrorView)))]
pub(super) async fn sgf(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(query): ApiQuery<SgfQuery>,
) -> Result<Response, ApiError> {
    let game = state.games().find(&id).await?.state().await?;
    let mut response = game.sgf().into_response();
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("application/x-go-sgf; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, kind);
    if query.download {
        let file = format!("attachment; filename=\"{}\"", game.file_name());
        let file = HeaderValue::try_from(file).expect("letters, digits and dashes");
        headers.insert(header::CONTENT_DISPOSITION, file);
    }
    Ok(response)
}

/// Says why the partner played a move, once the game is over.
#[utoipa::path(get, path = "/api/games/{id}/moves/{number}/why",
    params(("id" = String, Path), ("number" = usize, Path, description = "1 for the first move")),
    responses((status = 200, body = Why), (status = 404, body = ErrorView),
        (status = 409, body = ErrorView)))]
pub(super) async fn why(
    State(state): State<AppState>,
    ApiPath((id, number)): ApiPath<(String, usize)>,
) -> Result<Json<Why>, ApiError> {
    let game = state.games().find(&id).await?.state().await?;
    if game.stored.phase != Phase::Finished {
        let why = "the partner tells its reasons after the game";
        return Err(ApiError::WrongPhase(why));
    }
    let at = number.checked_sub(1);
    let it = at.and_then(|at| game.stored.moves.get(at));
    let why = it.and_then(|it| {
        let choice = it.record.as_ref().map(ChoiceView::new);
        it.why.clone().map(|why| Why { choice, ..why })
    });
    why.map(Json).ok_or(ApiError::NotFound("record of a move"))
}

/// Shows the position after so many moves, for looking back.
#[utoipa::path(get, path = "/api/games/{id}/positions/{number}",
    params(("id" = String, Path), ("number" = usize, Path, description = "0 for the start")),
    responses((status = 200, body = PositionView), (status = 404, body = ErrorView)))]
pub(super) async fn position(
    State(state): State<AppState>,
    ApiPath((id, number)): ApiPath<(String, usize)>,
) -> Result<Json<PositionView>, ApiError> {
    let game = state.games().find(&id).await?.state().await?;
    if number > game.stored.moves.len() {
        return Err(ApiError::NotFound("move"));
    }
    let mut position = game.position().clone();
    // A resignation is a move of the list that leaves the board as it is.
    while position.moves().len() > number {
        position.undo();
    }
    Ok(Json(PositionView::new(&position)))
}

/// Streams a game: `game` (`GameView`) at once and on every change, `thinking`
/// (`Thinking`) while the partner thinks, `deleted` at the end.
#[utoipa::path(get, path = "/api/games/{id}/events", params(("id" = String, Path)),
    responses((status = 200, body = GameView, content_type = "text/event-stream"),
        (status = 404, body = ErrorView)))]
pub(super) async fn events(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
) -> Result<Events, ApiError> {
    let permit = state.limiter().admit_stream()?;
    let mut listening = state.games().find(&id).await?.listen().await?;
    let (sender, events) = feed::open(permit);
    tokio::spawn(async move {
        loop {
            let next = tokio::select! {
                () = sender.closed() => return,
                next = listening.events.recv() => next,
            };
            let event = match next {
                Some(GameEvent::Game(view)) => feed::event("game", &view),
                Some(GameEvent::Thinking(thinking)) => feed::event("thinking", &thinking),
                Some(GameEvent::Deleted) => feed::event("deleted", &serde_json::json!({})),
                None => return,
            };
            if sender.send(event).await.is_err() {
                return;
            }
        }
    });
    Ok(events)
}
