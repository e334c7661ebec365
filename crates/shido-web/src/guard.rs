//! Who may ask: this machine's own page, and nobody else.
//!
//! A page on another site may make a browser send requests here. It is kept out
//! by its `Origin`, by what the browser says of the fetch, and, if it has made
//! its own name point at this machine (DNS rebinding), by the `Host`. Every
//! answer says that it is to be taken as what it is and framed by nobody.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::state::AppState;

/// What the page may load: its own files, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Refuses strangers and those who ask too much, and marks every answer.
pub(crate) async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api");
    let mut response = match admit(&state, request.headers(), api) {
        Ok(_permit) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    mark(response.headers_mut(), api);
    response
}

fn admit(
    state: &AppState,
    headers: &HeaderMap,
    api: bool,
) -> Result<tokio::sync::OwnedSemaphorePermit, ApiError> {
    if !is_own(headers, api) {
        return Err(ApiError::Foreign);
    }
    state.limiter().admit()
}

/// Returns whether a request comes from this machine's page or from no page at all.
fn is_own(headers: &HeaderMap, api: bool) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(host) = host.to_str() else {
        return false;
    };
    if !is_loopback(host) {
        return false;
    }
    let own_origin = headers.get_all(header::ORIGIN).iter().all(|origin| {
        let authority = origin
            .to_str()
            .ok()
            .and_then(|it| it.strip_prefix("http://"));
        authority.is_some_and(|it| it.eq_ignore_ascii_case(host))
    });
    // A link from elsewhere may lead to the page, but no other site asks the API.
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let own_site = !api || matches!(site, None | Some(b"same-origin" | b"none"));
    own_origin && own_site
}

/// Returns whether a host is this machine by a name that nobody else can own.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost") || name == "127.0.0.1" || name == "[::1]"
}

fn mark(headers: &mut HeaderMap, api: bool) {
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pairs: &[(&'static str, &'static str)], api: bool, expect: bool) {
        let mut headers = HeaderMap::new();
        for &(name, value) in pairs {
            headers.append(name, HeaderValue::from_static(value));
        }
        assert_eq!(is_own(&headers, api), expect, "{pairs:?}");
    }

    #[test]
    fn only_loopback_names_are_hosts() {
        for host in ["localhost", "127.0.0.1:8510", "LOCALHOST:1", "[::1]:8510"] {
            check(&[("host", host)], true, true);
        }
        for host in [
            "evil.example",
            "evil.example:8510",
            "localhost.evil.example",
            "127.0.0.1.evil.example:8510",
            "127.0.0.1:8510@evil.example",
            "0.0.0.0:8510",
            "",
        ] {
            check(&[("host", host)], true, false);
        }
        check(&[], true, false);
        check(
            &[("host", "localhost"), ("host", "evil.example")],
            true,
            false,
        );
    }

    #[test]
    fn an_origin_must_be_our_own() {
        let host = ("host", "127.0.0.1:8510");
        check(&[host, ("origin", "http://127.0.0.1:8510")], true, true);
        for origin in [
            "http://evil.example",
            "https://127.0.0.1:8510",
            "http://127.0.0.1:3000",
            "http://localhost:8510",
            "null",
        ] {
            check(&[host, ("origin", origin)], true, false);
        }
    }

    #[test]
    fn other_sites_may_link_to_the_page_but_not_ask_the_api() {
        let host = ("host", "127.0.0.1:8510");
        for (site, api, expect) in [
            ("same-origin", true, true),
            ("none", true, true),
            ("cross-site", true, false),
            ("same-site", true, false),
            ("cross-site", false, true),
        ] {
            check(&[host, ("sec-fetch-site", site)], api, expect);
        }
    }
}
