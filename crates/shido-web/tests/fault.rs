//! The build script's choice of one line from what npm says, on real output.

#[path = "../build/fault.rs"]
mod fault;

#[track_caller]
fn check(said: &str, expect: &str) {
    assert_eq!(fault::fault(said), expect);
}

const WARNING: &str = "npm warn Unknown user config \"nodedir\". An error in a later npm.\n";

#[test]
fn npm_tells_of_a_lock_file_that_is_out_of_date() {
    let said = "npm error code EUSAGE\nnpm error\n\
        npm error `npm ci` can only install packages when both files are in sync.\n\
        npm error\nnpm error Missing: left-pad@1.3.0 from lock file\n";
    let told = "`npm ci` can only install packages when both files are in sync.";
    check(&format!("{WARNING}{said}"), told);
    check(&said.replace("npm error", "npm ERR!"), told);
}

#[test]
fn npm_tells_of_a_network_that_is_not_there() {
    let said = "npm error code ECONNREFUSED\nnpm error syscall connect\n\
        npm error errno ECONNREFUSED\n\
        npm error FetchError: request to http://127.0.0.1:9/x failed, reason: connect\n\
        npm error     at ClientRequest.emit (node:events:524:28)\n";
    check(
        &format!("{WARNING}{said}"),
        "FetchError: request to http://127.0.0.1:9/x failed, reason: connect",
    );
}

#[test]
fn the_bundler_tells_what_and_where() {
    let said = "✗ Build failed in 44ms\nerror during build:\nBuild failed with 1 error:\n\n\
        \u{1b}[31m[UNRESOLVED_IMPORT] \u{1b}[0mCould not resolve './nothing' in src/main.tsx\n\
        \u{20}   \u{1b}[38;5;246m╭\u{1b}[0m\u{1b}[38;5;246m─\u{1b}[0m[ src/main.tsx:14:8 ]\n\
        \u{20}   at build (file:///rolldown.mjs:49:18)\n\
        > shido-ui@0.0.0 build\n> vite build\n";
    check(
        &format!("{WARNING}{said}"),
        "[UNRESOLVED_IMPORT] Could not resolve './nothing' in src/main.tsx (src/main.tsx:14:8)",
    );
}

#[test]
fn something_is_said_in_any_case() {
    check("", "npm does not say why");
    check(WARNING, "npm does not say why");
    check("error during build:\n", "the bundler failed");
    check(
        "\n> vite build\nsh: 1: vite: not found\n",
        "sh: 1: vite: not found",
    );
}
