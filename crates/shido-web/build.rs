//! Builds the page with npm and embeds its files.
//!
//! Runs again only when the page's sources change. Without Node, or if the build
//! of the page fails, the program is built all the same: its API works, and the
//! page says in one sentence what was missing. `SHIDO_UI=skip` leaves the page out.
//!
//! `npm ci` runs only when other packages are installed than the lock file says,
//! so that a build with nothing changed needs no network.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

#[path = "build/fault.rs"]
mod fault;

/// What the page is made from; tests and tools of `ui/` are not among it.
const SOURCES: &[&str] = &[
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];

/// What should be installed.
const LOCK: &str = "package-lock.json";
/// What was installed from here.
const STAMP: &str = "node_modules/.shido-package-lock.json";

fn main() {
    let folder = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let ui = folder("CARGO_MANIFEST_DIR").join("../../ui");
    let out = folder("OUT_DIR");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=SHIDO_UI");
    for source in SOURCES.iter().map(|it| ui.join(it)) {
        // A path that does not exist would make every build run this again.
        if source.exists() {
            println!("cargo::rerun-if-changed={}", source.display());
        }
    }
    let built = build_page(&ui, &out);
    if let Err(why) = &built
        && env::var_os("SHIDO_UI").is_none()
    {
        println!("cargo::warning=the page was left out: {why}");
    }
    let code = embed(built).expect("the files just built can be read and packed");
    fs::write(out.join("page_files.rs"), code).expect("OUT_DIR can be written");
}

/// Builds the page; returns its folder, or what was missing.
fn build_page(ui: &Path, out: &Path) -> Result<PathBuf, String> {
    if env::var_os("SHIDO_UI").is_some_and(|it| it == "skip") {
        return Err("it was built with SHIDO_UI=skip".to_owned());
    }
    if !ui.join("package.json").exists() {
        return Err("the folder ui/ was missing when it was built".to_owned());
    }
    if npm(ui, &["--version"]).is_err() {
        return Err("Node.js was missing when it was built; install it and build again".to_owned());
    }
    if !is_installed(ui) {
        npm(ui, &["ci", "--no-audit", "--no-fund"])?;
        // A stamp tells what was installed even when a checkout makes the lock file newer.
        let stamped = fs::copy(ui.join(LOCK), ui.join(STAMP));
        stamped.map_err(|error| format!("cannot write ui/{STAMP}: {error}"))?;
    }
    let dist = out.join("dist");
    let folder = dist.to_string_lossy();
    npm(
        ui,
        &["run", "build", "--", "--outDir", &folder, "--emptyOutDir"],
    )?;
    if dist.join("index.html").exists() {
        Ok(dist)
    } else {
        Err("`npm run build` in ui/ made no index.html".to_owned())
    }
}

fn npm(ui: &Path, args: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program).args(args).current_dir(ui).output();
    let output = output.map_err(|error| format!("npm did not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let words = args.iter().take_while(|it| !it.starts_with('-'));
    let command = words.copied().collect::<Vec<_>>().join(" ");
    let fault = fault::fault(&said);
    Err(format!("`npm {command}` failed in ui/: {fault}"))
}

/// Returns whether the packages installed are those of the lock file.
fn is_installed(ui: &Path) -> bool {
    let stamp = fs::read(ui.join(STAMP));
    if stamp.is_ok_and(|it| fs::read(ui.join(LOCK)).is_ok_and(|lock| lock == it)) {
        return true;
    }
    // Somebody who works on the page may have installed them by hand.
    let modified = |name| fs::metadata(ui.join(name)).and_then(|it| it.modified());
    let by_hand = modified("node_modules/.package-lock.json");
    by_hand.is_ok_and(|it| modified(LOCK).is_ok_and(|lock| it >= lock))
}

/// Returns Rust code that embeds the files.
fn embed(built: Result<PathBuf, String>) -> io::Result<String> {
    let mut code = String::from("static FILES: &[PageFile] = &[\n");
    let missing = built.as_ref().err().cloned().unwrap_or_default();
    if let Ok(dist) = built {
        let mut files = Vec::new();
        collect(&dist, &mut files)?;
        files.sort();
        for file in files {
            write_entry(&mut code, &dist, &file)?;
        }
    }
    code.push_str("];\n");
    let missing: String = missing
        .chars()
        .filter(|it| !matches!(it, '<' | '>' | '&') && !it.is_control())
        .collect();
    let _ = writeln!(code, "static MISSING: &str = {missing:?};");
    Ok(code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn write_entry(code: &mut String, dist: &Path, file: &Path) -> io::Result<()> {
    let bytes = fs::read(file)?;
    let name = file.strip_prefix(dist).unwrap_or(file);
    let name = name.to_string_lossy().replace('\\', "/");
    let mime = mime(&name);
    let mut gzip = "None".to_owned();
    if is_text(mime) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        let packed = dist.with_file_name("gzip").join(format!("{name}.gz"));
        fs::create_dir_all(packed.parent().expect("a file is in a folder"))?;
        fs::write(&packed, encoder.finish()?)?;
        gzip = format!("Some({})", include(&packed));
    }
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let etag = format!("\"{:016x}\"", hasher.finish());
    let _ = writeln!(
        code,
        "    PageFile {{ path: {name:?}, mime: {mime:?}, etag: {etag:?}, \
         bytes: {}, gzip: {gzip} }},",
        include(file)
    );
    Ok(())
}

/// Returns Rust code for the bytes of a file.
fn include(file: &Path) -> String {
    let path = file.to_string_lossy();
    format!("include_bytes!({path:?})")
}

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json; charset=utf-8",
        "svg" => "image/svg+xml",
        "txt" | "map" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn is_text(mime: &str) -> bool {
    mime.contains("charset") || mime.contains("svg")
}
