//! What the engine says: an estimate, an analysis as it grows, a game's graph.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::sse::Event;
use serde::Deserialize;
use shido_go::Position;
use tokio::sync::mpsc;

use crate::engine::{Class, EngineService, QueueFull};
use crate::error::{ApiError, ErrorView};
use crate::extract::{ApiPath, ApiQuery};
use crate::feed::{self, Events};
use crate::records::Record;
use crate::state::AppState;
use crate::wire::{AnalysisView, Estimate, GraphPoint, Phase};

/// Visits and time of an estimate.
const ESTIMATE_VISITS: u64 = 500;
const ESTIMATE_TIME: Duration = Duration::from_secs(3);
/// Visits of an analysis if none are asked for, and the most.
const USUAL_VISITS: u64 = 3000;
const MOST_VISITS: u64 = 100_000;
const ANALYSIS_TIME: Duration = Duration::from_secs(30);
/// Visits and time of one point of a graph.
const GRAPH_VISITS: u64 = 200;
const GRAPH_TIME: Duration = Duration::from_secs(2);
/// The most points of a graph.
const MOST_POINTS: usize = 1000;

impl From<QueueFull> for ApiError {
    fn from(_: QueueFull) -> ApiError {
        ApiError::Busy
    }
}

/// Estimates how a game stands, by a short search.
#[utoipa::path(post, path = "/api/games/{id}/estimate", params(("id" = String, Path)),
    responses((status = 200, body = Estimate), (status = 503, body = ErrorView)))]
pub(super) async fn estimate(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
) -> Result<Json<Estimate>, ApiError> {
    let game = state.games().find(&id).await?.state().await?;
    let position = Box::new(game.position().clone());
    let analysis = state
        .engine()
        .judge_whole(
            Class::Question,
            &id,
            position,
            ESTIMATE_VISITS,
            ESTIMATE_TIME,
        )
        .await?;
    let analysis = analysis.ok_or(ApiError::NoAnswer)?;
    Ok(Json(Estimate::new(&analysis)))
}

#[derive(Deserialize)]
pub(super) struct GameAnalysisQuery {
    after: Option<usize>,
    visits: Option<u64>,
}

/// Streams an analysis of a finished game's position: `analysis` (`AnalysisView`) a
/// few times a second, then `done`.
#[utoipa::path(get, path = "/api/games/{id}/analysis",
    params(("id" = String, Path),
        ("after" = Option<usize>, Query, description = "After how many moves; all unless given"),
        ("visits" = Option<u64>, Query, description = "How long to search")),
    responses((status = 200, body = AnalysisView, content_type = "text/event-stream"),
        (status = 409, body = ErrorView)))]
pub(super) async fn of_game(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(query): ApiQuery<GameAnalysisQuery>,
) -> Result<Events, ApiError> {
    let game = state.games().find(&id).await?.state().await?;
    if game.stored.phase != Phase::Finished {
        return Err(ApiError::WrongPhase(
            "the engine is silent until the game is over",
        ));
    }
    let mut position = Box::new(game.position().clone());
    let after = query.after.unwrap_or(usize::MAX);
    while position.moves().len() > after {
        position.undo();
    }
    stream(&state, &id, position, query.visits)
}

#[derive(Deserialize)]
pub(super) struct NodeAnalysisQuery {
    #[serde(default)]
    game: usize,
    visits: Option<u64>,
}

/// Streams an analysis of a record's node: `analysis` (`AnalysisView`) a few times a
/// second, then `done`.
#[utoipa::path(get, path = "/api/records/{id}/nodes/{node}/analysis",
    params(("id" = String, Path), ("node" = usize, Path),
        ("game" = Option<usize>, Query, description = "Which game, from 0"),
        ("visits" = Option<u64>, Query, description = "How long to search")),
    responses((status = 200, body = AnalysisView, content_type = "text/event-stream"),
        (status = 404, body = ErrorView)))]
pub(super) async fn of_node(
    State(state): State<AppState>,
    ApiPath((id, node)): ApiPath<(String, usize)>,
    ApiQuery(query): ApiQuery<NodeAnalysisQuery>,
) -> Result<Events, ApiError> {
    let record = state.records().find(&id).await?;
    let position = record.position(query.game, node)?;
    stream(&state, &id, position, query.visits)
}

fn stream(
    state: &AppState,
    key: &str,
    position: Box<Position>,
    visits: Option<u64>,
) -> Result<Events, ApiError> {
    let permit = state.limiter().admit_stream()?;
    let visits = visits.unwrap_or(USUAL_VISITS).clamp(1, MOST_VISITS);
    let size = position.size();
    let asked = state
        .engine()
        .judge(Class::Question, key, position, visits, ANALYSIS_TIME);
    let (ticket, mut judgments) = asked?;
    let (sender, events) = feed::open(permit);
    tokio::spawn(async move {
        // The ticket lives as long as the page listens.
        let _ticket = ticket;
        loop {
            tokio::select! {
                () = sender.closed() => return,
                changed = judgments.changed() => if changed.is_err() { break },
            }
            let event = judgments.borrow_and_update().as_ref().map(|it| {
                let view = AnalysisView::new(&it.analysis, size, it.done);
                feed::event("analysis", &view)
            });
            if let Some(event) = event
                && sender.send(event).await.is_err()
            {
                return;
            }
        }
        let _ = sender.send(feed::done()).await;
    });
    Ok(events)
}

#[derive(Deserialize)]
pub(super) struct GraphQuery {
    #[serde(default)]
    game: usize,
    #[serde(default)]
    node: usize,
}

/// Streams the graph of a record's line: `graph` (`GraphPoint`) for every move,
/// coarse to fine, then `done`.
#[utoipa::path(get, path = "/api/records/{id}/graph",
    params(("id" = String, Path),
        ("game" = Option<usize>, Query, description = "Which game, from 0"),
        ("node" = Option<usize>, Query, description = "A node of the line; the main line unless given")),
    responses((status = 200, body = GraphPoint, content_type = "text/event-stream"),
        (status = 404, body = ErrorView)))]
pub(super) async fn graph(
    State(state): State<AppState>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(query): ApiQuery<GraphQuery>,
) -> Result<Events, ApiError> {
    let record = state.records().find(&id).await?;
    let mut line = record.line(query.game, query.node)?;
    line.dedup_by_key(|node| record.number(query.game, *node));
    line.truncate(MOST_POINTS);
    let permit = state.limiter().admit_stream()?;
    let (sender, events) = feed::open(permit);
    let engine = state.engine().clone();
    tokio::spawn(async move {
        let drawn = draw(&record, query.game, &line, &engine, &sender);
        tokio::select! {
            () = sender.closed() => {}
            finished = drawn => if finished.is_some() {
                let _ = sender.send(feed::done()).await;
            },
        }
    });
    Ok(events)
}

/// Sends every point of a line; `None` if it had to stop.
async fn draw(
    record: &Arc<Record>,
    game: usize,
    line: &[usize],
    engine: &EngineService,
    sender: &mpsc::Sender<Event>,
) -> Option<()> {
    for at in coarse_to_fine(line.len()) {
        let node = line[at];
        let point = match record.known(game, node) {
            Some(point) => point,
            None => find_point(record, game, node, engine).await?,
        };
        sender.send(feed::event("graph", &point)).await.ok()?;
    }
    Some(())
}

async fn find_point(
    record: &Arc<Record>,
    game: usize,
    node: usize,
    engine: &EngineService,
) -> Option<GraphPoint> {
    let position = record.position(game, node).ok()?;
    let size = position.size();
    let analysis = loop {
        let key = record.id();
        let asked = engine.judge_whole(
            Class::Graph,
            key,
            position.clone(),
            GRAPH_VISITS,
            GRAPH_TIME,
        );
        match asked.await {
            Ok(analysis) => break analysis?,
            Err(QueueFull) if engine.is_closed() => return None,
            Err(QueueFull) => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    };
    let view = AnalysisView::new(&analysis, size, true);
    let point = GraphPoint {
        node,
        number: record.number(game, node),
        win_rate_black: view.win_rate_black,
        lead_black: view.lead_black,
        best: view.candidates.first().map(|it| it.mv.clone()),
    };
    record.learn(game, point.clone());
    Some(point)
}

/// Returns `0..len` with each doubling of the resolution after the one before.
fn coarse_to_fine(len: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(len);
    let mut step = len.next_power_of_two();
    order.extend((0..len).step_by(step.max(1)));
    while step > 1 {
        order.extend((step / 2..len).step_by(step));
        step /= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::coarse_to_fine;

    #[test]
    fn every_point_once_and_the_coarse_first() {
        assert_eq!(coarse_to_fine(7), [0, 4, 2, 6, 1, 3, 5]);
        for len in [0, 1, 2, 3, 64, 100] {
            let mut order = coarse_to_fine(len);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..len), "{len}");
        }
    }
}
