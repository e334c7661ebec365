//! Listening on this machine alone, until told to stop.
//!
//! [`run`] is the whole server: store, engine, port, signals. [`bind`] and
//! [`serve`] are its parts, for programs that have a runtime of their own.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::connections::{HEAD_PATIENCE, answer};
use crate::partners::House;
use crate::store::{Store, StoreError};
use crate::{AppState, router};

/// Ports tried after the wanted one.
const TRIES: u16 = 20;
/// How long open connections may take to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a server needs.
pub struct Settings {
    /// The wanted port of 127.0.0.1; the next free one is taken if it is in use.
    pub port: u16,
    /// The file that games are kept in.
    pub database: PathBuf,
    /// Who plays.
    pub house: House,
}

/// Why a server does not start or does not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No port could be had.
    #[error("no port from {0} on could be had: {1}")]
    Port(u16, io::Error),
    /// Anything else of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves until Ctrl-C or a signal to stop; `announce` is told where, once the page answers.
pub fn run(
    settings: Settings,
    announce: impl FnOnce(&Bound) -> io::Result<()>,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let store = Store::open(&settings.database).await?;
        let port = settings.port;
        let bound = bind(port).await;
        let bound = bound.map_err(|error| ServeError::Port(port, error))?;
        // Connections wait in the listener from here on.
        announce(&bound)?;
        let state = AppState::new(store, settings.house);
        serve(bound, state, told_to_stop()).await;
        Ok(())
    })
}

/// Is ready when Ctrl-C is pressed or the process is asked to end.
async fn told_to_stop() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut asked) => drop(asked.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
    tracing::info!("told to stop");
}

/// A port that is ours.
pub struct Bound {
    listener: TcpListener,
    /// Where the page answers.
    pub address: SocketAddr,
    /// Whether the wanted port was taken by another program.
    pub was_taken: bool,
}

/// Takes the wanted port of 127.0.0.1, or one of the next if it is taken; 0 is any.
pub async fn bind(port: u16) -> io::Result<Bound> {
    let mut last = None;
    for offset in 0..TRIES {
        let Some(port) = port.checked_add(offset) else {
            break;
        };
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => {
                let address = listener.local_addr()?;
                return Ok(Bound {
                    listener,
                    address,
                    was_taken: offset > 0,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
}

/// Serves until `stop` is ready, then ends streams and searches and closes the store.
pub async fn serve(bound: Bound, state: AppState, stop: impl Future<Output = ()>) {
    let (told, mut stopping) = tokio::sync::watch::channel(false);
    let going_down = state.clone();
    let stop = async move {
        stop.await;
        going_down.stop().await;
        told.send_replace(true);
    };
    let server = answer(bound.listener, router(state.clone()), HEAD_PATIENCE, stop);
    tokio::select! {
        () = server => {}
        // A page that keeps its connection open does not keep us here.
        () = async {
            let _ = stopping.wait_for(|told| *told).await;
            tokio::time::sleep(FAREWELL).await;
        } => {}
    }
    state.close().await;
}
