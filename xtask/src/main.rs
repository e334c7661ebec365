//! Repository chores, run as `cargo xtask NAME`.
//!
//! `test` runs every test of program, page and trainer. `tidy` checks what the compiler does not: the arrows between crates, the
//! citations, the links, the shape of files. `fuzz` runs every fuzz target for
//! a while on the stable toolchain, `golden` compares the neural engine with
//! KataGo's outputs. Nothing here is part of the program.

mod fuzz;
mod golden;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test                       run every test: program, page, trainer
  tidy                       check arrows, citations, links, words and file shapes
  fuzz [NAME] [--seconds N]  run the fuzz targets, 30 s each unless told
  golden DIR [--nets DIR] [--net NAME=FILE] [--cpu NAME,...] [--only NAME] [--records N]
             [--shido PROGRAM]
                             compare the neural engine with KataGo's recorded outputs
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", rest @ ..] => test::run(&root(), rest),
        ["tidy"] => tidy::run(&root()),
        ["fuzz", rest @ ..] => fuzz::run(&root(), rest),
        ["golden", rest @ ..] => golden::run(&root(), rest),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the repository")
        .to_owned()
}
