//! Any line is read as a GTP command without a panic; what is read, written and
//! read again is the same command.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shido_go::Size;
use shido_go::gtp::{Command, Response, format_vertex, parse_vertex};

fuzz_target!(|line: &str| {
    if let Ok(Some(command)) = Command::parse(line) {
        let again = Command::parse(&command.to_string());
        assert_eq!(again, Ok(Some(command)));
    }
    if let Ok(response) = Response::parse(line) {
        let again = Response::parse(&response.to_string());
        assert_eq!(again, Ok(response));
    }
    let size = Size::square(19).expect("19 lines are a board");
    for word in line.split_whitespace() {
        if let Ok(mv) = parse_vertex(word, size) {
            assert_eq!(parse_vertex(&format_vertex(mv, size), size), Ok(mv));
        }
    }
});
