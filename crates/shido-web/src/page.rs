//! The page's files, embedded by `build.rs`.
//!
//! Files under `assets/` carry a hash in their names and may be kept for good. Any
//! other address is the page itself, which knows its own routes. If the page was
//! not built in, one sentence says what was missing.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// One file of the page.
struct PageFile {
    /// Its address without the first slash.
    path: &'static str,
    mime: &'static str,
    /// A hash of the bytes, in quotes.
    etag: &'static str,
    bytes: &'static [u8],
    /// The bytes compressed, where that helps.
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Answers a request for a file or an address of the page.
pub(crate) fn answer(path: &str, headers: &HeaderMap) -> Response {
    let path = path.trim_start_matches('/');
    let file = FILES.iter().find(|it| it.path == path);
    if file.is_none() && path.starts_with("assets/") {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    }
    match file.or_else(|| FILES.iter().find(|it| it.path == "index.html")) {
        Some(file) => send(file, headers),
        None => missing(),
    }
}

fn send(file: &PageFile, headers: &HeaderMap) -> Response {
    let has = |name, wanted: &str| {
        let values = headers.get_all(name).iter();
        let mut texts = values.filter_map(|it| it.to_str().ok());
        texts.any(|it| it.split(',').any(|part| part.trim().starts_with(wanted)))
    };
    let keep = if file.path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = if has(header::IF_NONE_MATCH, file.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match file.gzip.filter(|_| has(header::ACCEPT_ENCODING, "gzip")) {
            Some(gzip) => {
                let mut response = gzip.into_response();
                let encoding = HeaderValue::from_static("gzip");
                response
                    .headers_mut()
                    .insert(header::CONTENT_ENCODING, encoding);
                response
            }
            None => file.bytes.into_response(),
        }
    };
    for (name, value) in [
        (header::CONTENT_TYPE, file.mime),
        (header::ETAG, file.etag),
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The page that stands in for the page.
fn missing() -> Response {
    let text = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>shido</title>\
         <p>shido is running and its API answers, but the page is not in this program: {MISSING}.</p>\n"
    );
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = text.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: PageFile = PageFile {
        path: "assets/a.css",
        mime: "text/css; charset=utf-8",
        etag: "\"1\"",
        bytes: b"a{}",
        gzip: Some(b"zipped"),
    };

    fn header_of(response: &Response, name: header::HeaderName) -> &str {
        let value = response.headers().get(name);
        value.map_or("", |it| it.to_str().unwrap())
    }

    #[test]
    fn files_are_sent_compressed_only_to_who_takes_it() {
        let mut headers = HeaderMap::new();
        let plain = send(&STYLE, &headers);
        assert_eq!(header_of(&plain, header::CONTENT_ENCODING), "");
        assert!(header_of(&plain, header::CACHE_CONTROL).contains("immutable"));
        headers.insert(
            "accept-encoding",
            HeaderValue::from_static("br, gzip;q=0.5"),
        );
        let zipped = send(&STYLE, &headers);
        assert_eq!(header_of(&zipped, header::CONTENT_ENCODING), "gzip");
        headers.insert("if-none-match", HeaderValue::from_static("\"1\""));
        assert_eq!(send(&STYLE, &headers).status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn every_address_is_the_page_and_no_path_leads_out() {
        let none = HeaderMap::new();
        for path in ["/", "/play/abc", "/../../etc/passwd", "//etc/passwd"] {
            let response = answer(path, &none);
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            assert!(header_of(&response, header::CONTENT_TYPE).starts_with("text/html"));
        }
        assert_eq!(
            answer("/assets/none.js", &none).status(),
            StatusCode::NOT_FOUND
        );
    }
}
