//! A disk that takes no more.

use super::*;
use crate::partners::{ClassicSettings, House};
use crate::store::StoreError;
use crate::wire::{NewGame, Pace};

fn wanted(name: &str) -> NewGame {
    NewGame {
        your_name: Some(name.to_owned()),
        strength: Some("light".to_owned()),
        pace: Some(Pace::Quick),
        ..NewGame::default()
    }
}

fn games(store: &Store) -> Games {
    let house = House::classic(
        ClassicSettings {
            threads: 1,
            memory: 4 << 20,
            seed: 1,
        },
        None,
    );
    let offers = house.partners.clone();
    Games::new(store.clone(), EngineService::start(house), offers)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let store = Store::open(&path).await.unwrap();
    let all = games(&store);
    let game = all.begin(&wanted("first")).await.unwrap();
    store.allow_no_growth().await;
    // Room inside the file is used up first.
    let mut kept = 1;
    let refusal = loop {
        match all.begin(&wanted(&"x".repeat(60))).await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    let full = matches!(refusal, ApiError::Store(StoreError::Full(_)));
    assert!(full, "{refusal}");

    // A change too large for what is left is refused, and nothing of it is done.
    let live = all.find(&game.id).await.unwrap();
    let change = |state: &mut GameState, turn| {
        state.play_student("E5", 0, turn)?;
        state.stored.dead = Some(vec!["A1".to_owned(); 10_000]);
        Ok(())
    };
    let refusal = live.change(change).await.unwrap_err();
    let full = matches!(refusal, ApiError::Store(StoreError::Full(_)));
    assert!(full, "{refusal}");
    let view = live.view().await.unwrap();
    assert!(view.moves.is_empty() && view.your_turn);
    all.close().await;
    store.close().await;

    let store = Store::open(&path).await.unwrap();
    assert_eq!(store.games(100).await.unwrap().len(), kept);
    let found = store.game(&game.id).await.unwrap().unwrap();
    assert!(found.moves.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_makes_no_view_older() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let store = Store::open(&path).await.unwrap();
    let all = games(&store);
    let game = all.begin(&wanted("late")).await.unwrap();
    let live = all.find(&game.id).await.unwrap();
    let ahead = now_ms() + 3_600_000;
    live.inner.lock().await.state.stored.updated_ms = ahead;
    let resign = |state: &mut GameState, turn| state.play_student("resign", 0, turn);
    let view = live.change(resign).await.unwrap();
    assert_eq!(view.updated_ms, ahead + 1);
    all.close().await;
    store.close().await;
}
