//! The speeds this program promises, measured on this machine.
//!
//! A *section* (one file in this folder) measures a few *figures*; a figure is
//! one row of the table, with a speed for each standard board size. Each speed
//! is measured over several short windows: the best says what the code can do,
//! the median what it does on a machine that is also doing other things.
//!
//! To add a section: a file with `pub(super) fn run(&Settings) -> Vec<Figure>`
//! and one line in [`SECTIONS`]. Nothing here prints; `shido bench` does.

mod classic;
pub mod go;
mod net;
mod sgf;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde::Serialize;
use shido_net::CpuChoice;

pub use self::net::Net;

/// The board sizes that are the columns of the table.
pub const BOARDS: [usize; 3] = [9, 13, 19];

/// The sections in the order of the table.
pub const SECTIONS: &[Section] = &[
    Section {
        name: "go",
        run: go::run,
    },
    Section {
        name: "sgf",
        run: sgf::run,
    },
    Section {
        name: "classic",
        run: classic::run,
    },
    Section {
        name: "net",
        run: net::run,
    },
];

/// Figures that are measured together.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// What `--section` calls it.
    pub name: &'static str,
    /// Measures its figures.
    pub run: fn(&Settings) -> Vec<Figure>,
}

/// How long to measure, and what.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many windows each speed is measured over.
    pub windows: usize,
    /// How long one window lasts.
    pub window: Duration,
    /// The networks to measure; if none, some of random weights.
    pub nets: Vec<Net>,
    /// How networks are computed.
    pub cpu: CpuChoice,
}

impl Settings {
    /// Spreads a time per speed over nine windows.
    pub fn per_speed(time: Duration) -> Settings {
        Settings::of_windows(9, time / 9)
    }

    /// Measures over some windows of a length; networks of random weights.
    pub fn of_windows(windows: usize, window: Duration) -> Settings {
        Settings {
            windows,
            window,
            nets: Vec::new(),
            cpu: CpuChoice::Auto,
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What was measured, such as "random playouts".
    pub name: Cow<'static, str>,
    /// The unit of the speeds, such as "games/s".
    pub unit: &'static str,
    /// The speed on each of [`BOARDS`]; none where it means nothing.
    pub speeds: [Option<Speed>; BOARDS.len()],
}

impl Figure {
    /// Measures one row: `speed` is asked once for each of [`BOARDS`].
    pub fn by_board(
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        speed: impl FnMut(usize) -> Option<Speed>,
    ) -> Figure {
        Figure {
            name: name.into(),
            unit,
            speeds: BOARDS.map(speed),
        }
    }
}

/// Units per second over several windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Speed {
    /// In the fastest window.
    pub best: f64,
    /// In the middle window.
    pub median: f64,
}

impl Speed {
    /// Measures a piece of work that returns how many units it has done.
    ///
    /// The work is repeated until a window is over, so a piece should be much
    /// shorter than the window. One piece runs unmeasured first, to warm up.
    pub fn measure(settings: &Settings, mut work: impl FnMut() -> f64) -> Speed {
        work();
        let rates = (0..settings.windows.max(1))
            .map(|_| {
                let start = Instant::now();
                let mut units = 0.0;
                loop {
                    units += work();
                    let spent = start.elapsed();
                    if spent >= settings.window {
                        break units / spent.as_secs_f64().max(1e-9);
                    }
                }
            })
            .collect();
        Speed::of_rates(rates)
    }

    fn of_rates(mut rates: Vec<f64>) -> Speed {
        rates.sort_by(f64::total_cmp);
        Speed {
            best: rates[rates.len() - 1],
            median: rates[rates.len() / 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_and_median_do_not_depend_on_the_order() {
        let speed = Speed::of_rates(vec![3.0, 9.0, 1.0, 7.0, 5.0]);
        assert_eq!(
            speed,
            Speed {
                best: 9.0,
                median: 5.0
            }
        );
    }

    #[test]
    fn work_fills_every_window() {
        let mut pieces = 0;
        let settings = Settings::of_windows(3, Duration::ZERO);
        let speed = Speed::measure(&settings, || {
            pieces += 1;
            2.0
        });
        assert_eq!(pieces, 4, "one to warm up and one for each window");
        assert!(speed.best >= speed.median && speed.median > 0.0);
    }

    #[test]
    fn section_names_are_unique() {
        let mut names: Vec<_> = SECTIONS.iter().map(|section| section.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SECTIONS.len());
    }
}
