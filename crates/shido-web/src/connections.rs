//! Connections to the page: each a task of its own, none kept open by saying nothing.
//!
//! What `axum::serve` does, with a limit on how long the head of a request may take to
//! come; the body's is in `extract`. A connection that idles so long is closed too: a
//! browser opens another when it needs one.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

/// How long the head of a request may take to come.
pub(crate) const HEAD_PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait when the system has no connection to give, for want of open files.
const RECOVERY: Duration = Duration::from_secs(1);

/// Answers requests until `stop` is ready; those under way are still answered.
pub(crate) async fn answer(
    listener: TcpListener,
    router: Router,
    head_patience: Duration,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(head_patience);
    let open = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            stream = accept(&listener) => stream,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection broke off: {error}");
            }
        });
    }
    drop(listener);
    open.shutdown().await;
}

/// Returns the next connection; a failure to get one passes.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) if is_of_the_other_side(&error) => {}
            Err(error) => {
                tracing::error!("cannot accept a connection: {error}");
                tokio::time::sleep(RECOVERY).await;
            }
        }
    }
}

fn is_of_the_other_side(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::oneshot;

    use super::*;

    /// Returns all that comes back until the server closes the connection.
    async fn said(stream: &mut TcpStream) -> String {
        let mut text = String::new();
        // A reset is an end too.
        let _ = stream.read_to_string(&mut text).await;
        text
    }

    #[tokio::test]
    async fn heads_that_do_not_end_are_given_up() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "here" }));
        let (stop, stopped) = oneshot::channel::<()>();
        let patience = Duration::from_millis(300);
        let server = tokio::spawn(answer(listener, router, patience, async {
            let _ = stopped.await;
        }));
        let connect = || TcpStream::connect(address);

        let mut slow = connect().await.unwrap();
        slow.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nX: ")
            .await
            .unwrap();
        let mut silent = connect().await.unwrap();
        let mut kept = connect().await.unwrap();
        kept.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .await
            .unwrap();
        assert!(!said(&mut slow).await.contains("here"));
        assert_eq!(said(&mut silent).await, "");
        assert!(said(&mut kept).await.ends_with("here"), "then closed");

        // Whoever asks in time is answered, and the end waits for nobody who is silent.
        let mut quick = connect().await.unwrap();
        quick
            .write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        assert!(said(&mut quick).await.ends_with("here"));
        let _waiting = connect().await.unwrap();
        stop.send(()).unwrap();
        server.await.unwrap();
    }
}
