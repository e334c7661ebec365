//! The smallest server: `cargo run --release -p shido-web --example serve -- PORT FOLDER`.

use std::path::PathBuf;

use shido_web::partners::{ClassicSettings, House};
use shido_web::serve::{Settings, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let port = args.next().map_or(Ok(8510), |it| it.parse())?;
    let folder = PathBuf::from(args.next().unwrap_or_else(|| ".".to_owned()));
    let settings = Settings {
        port,
        database: folder.join("shido.sqlite3"),
        house: House::classic(ClassicSettings::default(), None),
    };
    run(settings, |bound| {
        println!("http://{}/", bound.address);
        Ok(())
    })?;
    Ok(())
}
