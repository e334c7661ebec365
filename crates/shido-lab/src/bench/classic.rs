//! Speed of the classic engine: searched playouts, priors, and the fit of gammas.
//!
//! A searched playout is one simulation of the shipped engine from the empty
//! board: the way down the tree, the playout, and the way back up.

use std::sync::atomic::AtomicBool;

use shido_go::{Board, Color, Position, Rules, Size};
use shido_patterns::feature_set::Turn;
use shido_patterns::large::{LargeModel, PriorScratch};
use shido_patterns::mm;
use shido_search::uct::{Knowledge, Uct, UctSettings};

use super::{Figure, Settings, Speed};

/// Playouts of one search; each starts from an empty tree.
const SEARCH: u64 = 400;
/// Competitions the fit is timed on.
const COMPETITIONS: usize = 4000;
/// Sweeps of one fit.
const SWEEPS: usize = 2;

/// Measures the engine on one and two threads.
pub(super) fn run(settings: &Settings) -> Vec<Figure> {
    let bytes = Uct::node_bytes() as f64;
    vec![
        Figure::by_board("searched playouts, 1 thread", "games/s", |side| {
            search(settings, side, 1)
        }),
        Figure::by_board("searched playouts, 2 threads", "games/s", |side| {
            search(settings, side, 2)
        }),
        Figure::by_board("priors of a position", "positions/s", |side| {
            priors(settings, side)
        }),
        Figure::by_board("tree node", "bytes", |_| {
            Some(Speed {
                best: bytes,
                median: bytes,
            })
        }),
        Figure::by_board("MM sweep, 1 thread", "competitions/s", |side| {
            (side == 19).then(|| sweep(settings))
        }),
    ]
}

fn search(settings: &Settings, side: usize, threads: usize) -> Option<Speed> {
    let position = Position::new(Size::square(side).ok()?, Rules::CHINESE, 7.5);
    let wanted = UctSettings {
        threads,
        memory: 64 << 20,
        ..UctSettings::default()
    };
    let mut uct = Uct::new(wanted, Knowledge::shipped()).ok()?;
    let never = AtomicBool::new(false);
    Some(Speed::measure(settings, || {
        uct.forget();
        uct.search(&position, Some(SEARCH), &never).playouts as f64
    }))
}

fn priors(settings: &Settings, side: usize) -> Option<Speed> {
    let board = Board::new(Size::square(side).ok()?);
    let model = LargeModel::embedded();
    let mut scratch = PriorScratch::new();
    let mut moves = Vec::new();
    Some(Speed::measure(settings, || {
        model.priors(&mut scratch, &Turn::new(&board, Color::Black), &mut moves);
        1.0
    }))
}

fn sweep(settings: &Settings) -> Speed {
    let case = mm::synthetic(COMPETITIONS, 1);
    let wanted = mm::Settings {
        max_sweeps: SWEEPS,
        tolerance: 0.0,
        ..mm::Settings::default()
    };
    Speed::measure(settings, || {
        let fit = mm::fit(&case.data, &case.groups, &wanted, |_| ());
        fit.map_or(0.0, |it| (it.sweeps.len() - 1) as f64) * COMPETITIONS as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_figure_is_a_positive_number() {
        let brief = Settings::of_windows(1, Duration::from_millis(1));
        for figure in run(&brief) {
            for speed in figure.speeds.into_iter().flatten() {
                assert!(speed.median > 0.0 && speed.median.is_finite(), "{figure:?}");
            }
        }
    }
}
