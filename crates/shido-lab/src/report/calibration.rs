//! What games have shown of levels, as the coach reads it.

use shido_coach::play::PartnerKind;
use shido_coach::{BOARDS, Calibration, CalibrationTable};

use super::{Games, fits, levels};
use crate::line::SeatLine;
use crate::spec::Spec;

/// Returns what was found for levels, as the coach reads it; `None` if nothing was.
pub(super) fn of(spec: &Spec, games: &Games) -> Option<String> {
    if !BOARDS.contains(&longest_side(spec)) {
        return None;
    }
    let mut found = Calibration::default();
    let fitted = spec.report.fits.iter();
    let fitted = fitted.filter_map(|fit| fits::row(spec, fit, games));
    for (table, row) in fitted.chain(levels::rows(spec, games)) {
        let same = |it: &&mut CalibrationTable| {
            (&it.engine, &it.human, it.partner, it.board)
                == (&table.engine, &table.human, table.partner, table.board)
        };
        match found.tables.iter_mut().find(same) {
            // A fit says more of its level than games with other levels do.
            Some(table) if table.rows.iter().any(|it| it.level == row.level) => {}
            Some(table) => table.rows.push(row),
            None => found.tables.push(CalibrationTable {
                rows: vec![row],
                ..table
            }),
        }
    }
    (!found.tables.is_empty()).then(|| found.to_toml())
}

/// Returns the table, still empty, that a player's level belongs to.
pub(super) fn empty_table(spec: &Spec, partner: PartnerKind, seat: &SeatLine) -> CalibrationTable {
    let hash = |key: &str, none: &str| {
        let hash = seat.hashes.get(key).map_or(none, String::as_str);
        hash.trim_start_matches("sha256:").to_owned()
    };
    CalibrationTable {
        engine: hash("net", "classic"),
        human: hash("human_net", "patterns"),
        partner,
        board: longest_side(spec),
        rows: Vec::new(),
    }
}

fn longest_side(spec: &Spec) -> usize {
    spec.game.board.width().max(spec.game.board.height())
}
