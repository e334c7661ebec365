//! From a level to a partner's settings, as measured.
//!
//! A table holds for a pair of networks (by their hashes), a partner and a board
//! size; between measured levels its numbers are interpolated, and outside them they
//! are carried on as the provisional settings go, so that one measured level does not
//! make all levels alike. Where nothing was measured, provisional settings are used, and
//! the answer says so: they start from what the papers needed for even games against
//! 8k, 3k and 2d (HI24, Tables 1 to 3).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use shido_go::{Rank, Size};

use crate::Level;
use crate::play::{PartnerKind, PartnerSettings, SettingsError};

mod natural;
mod provisional;

/// The boards there are levels for, by their lines.
pub const BOARDS: [usize; 3] = [9, 13, 19];

/// All that has been measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The tables.
    #[serde(default, rename = "table")]
    pub tables: Vec<CalibrationTable>,
}

/// The levels of one partner with one pair of networks on one board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationTable {
    /// Hash of the analyst's network, or `classic`.
    pub engine: String,
    /// Hash of the human network, or `patterns`.
    pub human: String,
    /// The partner.
    pub partner: PartnerKind,
    /// Lines of the board: 9, 13 or 19.
    pub board: usize,
    /// The measured levels.
    #[serde(default, rename = "row")]
    pub rows: Vec<CalibrationRow>,
}

/// One measured level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationRow {
    /// The level.
    pub level: Level,
    /// The rank of the people whose moves count as natural; the level itself if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Rank>,
    /// Numbers by the names that [`PartnerSettings::set`] knows.
    pub settings: BTreeMap<String, f64>,
    /// Games behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}

/// The networks a partner plays with, by hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetHashes<'a> {
    /// Of the analyst's network, or `classic`.
    pub engine: &'a str,
    /// Of the human network, or `patterns`.
    pub human: &'a str,
}

/// Where settings come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// This very level was measured.
    Measured,
    /// Levels on both sides were.
    Interpolated,
    /// Only levels on one side were; it is carried on from the nearest.
    Nearest,
    /// Nothing was measured.
    Provisional,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Provenance::Measured => "measured",
            Provenance::Interpolated => "between measured levels",
            Provenance::Nearest => "outside the measured levels; carried on from the nearest",
            Provenance::Provisional => {
                "provisional: this level has not been measured with these networks"
            }
        })
    }
}

/// Settings for a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibrated {
    /// How to play.
    pub settings: PartnerSettings,
    /// How sure that is.
    pub provenance: Provenance,
}

/// A calibration that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// Not TOML of the right shape.
    #[error("the calibration cannot be read: {0}")]
    Unreadable(String),
    /// A board that there are no levels for.
    #[error("the calibration of {partner} has a table for board {board}: allowed is 9, 13 or 19")]
    Board {
        /// The partner.
        partner: PartnerKind,
        /// The board it names.
        board: usize,
    },
    /// A level twice.
    #[error("the calibration of {partner} on {board} lines has the level {level} twice")]
    Twice {
        /// The partner.
        partner: PartnerKind,
        /// The board.
        board: usize,
        /// The level.
        level: Level,
    },
    /// A setting that does not exist or is out of range.
    #[error("the calibration of {partner} on {board} lines for {level}: {source}")]
    Setting {
        /// The partner.
        partner: PartnerKind,
        /// The board.
        board: usize,
        /// The level.
        level: Level,
        /// What is wrong.
        source: SettingsError,
    },
}

impl Calibration {
    /// Returns what the program carries with it.
    pub fn embedded() -> Calibration {
        Calibration::parse(include_str!("../calibration.toml"))
            .expect("a test reads the embedded calibration")
    }

    /// Reads and checks a calibration.
    pub fn parse(text: &str) -> Result<Calibration, CalibrationError> {
        let mut read: Calibration = toml::from_str(text)
            .map_err(|error| CalibrationError::Unreadable(error.to_string()))?;
        for table in &mut read.tables {
            table.rows.sort_by_key(|row| row.level);
            table.check()?;
        }
        Ok(read)
    }

    /// Writes it as [`Calibration::parse`] reads it.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a calibration is plain data")
    }

    /// Puts a table in, in place of an older one for the same case, or says what is
    /// wrong with it.
    pub fn insert(&mut self, mut table: CalibrationTable) -> Result<(), CalibrationError> {
        table.rows.sort_by_key(|row| row.level);
        table.check()?;
        let same = |it: &CalibrationTable| {
            (&it.engine, &it.human, it.partner, it.board)
                == (&table.engine, &table.human, table.partner, table.board)
        };
        self.tables.retain(|it| !same(it));
        self.tables.push(table);
        Ok(())
    }

    /// Returns the settings of a partner at a level.
    ///
    /// ```
    /// use shido_coach::play::PartnerKind;
    /// use shido_coach::{Calibration, Level, NetHashes, Provenance};
    /// use shido_go::Size;
    ///
    /// let nets = NetHashes { engine: "classic", human: "patterns" };
    /// let level: Level = "8k".parse()?;
    /// let calibration = Calibration::default();
    /// let found = calibration.settings(nets, PartnerKind::Roles, Size::S19, level);
    /// assert_eq!(found.settings.control.even_loss, 6.0);
    /// assert_eq!(found.provenance, Provenance::Provisional);
    /// # Ok::<(), shido_coach::ParseLevelError>(())
    /// ```
    pub fn settings(
        &self,
        nets: NetHashes<'_>,
        kind: PartnerKind,
        size: Size,
        level: Level,
    ) -> Calibrated {
        let provisional = Calibrated {
            settings: provisional::settings(kind, size, level),
            provenance: Provenance::Provisional,
        };
        let table = self.tables.iter().find(|it| {
            it.engine == nets.engine
                && it.human == nets.human
                && it.partner == kind
                && it.board == nearest_board(size)
        });
        let Some((row, provenance)) = table.and_then(|table| table.at(level)) else {
            return provisional;
        };
        let row = match provenance {
            Provenance::Nearest => row.carried(kind, size, level),
            _ => row,
        };
        let mut settings = provisional.settings.clone();
        match row.apply(&mut settings) {
            Ok(()) => Calibrated {
                settings,
                provenance,
            },
            // A table that went in unchecked, or one carried on too far.
            Err(_) => provisional,
        }
    }
}

/// Returns the board that levels are measured on for a size.
fn nearest_board(size: Size) -> usize {
    match size.width().max(size.height()) {
        ..=10 => 9,
        11..=15 => 13,
        _ => 19,
    }
}

impl CalibrationTable {
    fn check(&self) -> Result<(), CalibrationError> {
        let (partner, board) = (self.partner, self.board);
        if !BOARDS.contains(&board) {
            return Err(CalibrationError::Board { partner, board });
        }
        for (i, row) in self.rows.iter().enumerate() {
            let level = row.level;
            if i > 0 && self.rows[i - 1].level == level {
                return Err(CalibrationError::Twice {
                    partner,
                    board,
                    level,
                });
            }
            let mut settings = PartnerSettings::new(partner);
            row.apply(&mut settings)
                .map_err(|source| CalibrationError::Setting {
                    partner,
                    board,
                    level,
                    source,
                })?;
        }
        Ok(())
    }

    /// Returns the row of a level, made from its neighbors if there is none.
    fn at(&self, level: Level) -> Option<(CalibrationRow, Provenance)> {
        let below = self.rows.iter().rfind(|row| row.level <= level);
        let above = self.rows.iter().find(|row| row.level >= level);
        match (below, above) {
            (Some(row), _) | (_, Some(row)) if row.level == level => {
                Some((row.clone(), Provenance::Measured))
            }
            (Some(below), Some(above)) => {
                Some((between(below, above, level), Provenance::Interpolated))
            }
            (Some(row), None) | (None, Some(row)) => Some((row.clone(), Provenance::Nearest)),
            (None, None) => None,
        }
    }
}

/// Interpolates between two rows; a number that only one has is taken from it.
fn between(below: &CalibrationRow, above: &CalibrationRow, level: Level) -> CalibrationRow {
    let steps = |level: Level| f64::from(level.steps());
    let length = steps(above.level) - steps(below.level);
    let share = (steps(level) - steps(below.level)) / length;
    let mix = |a: f64, b: f64| a + (b - a) * share;
    let mut settings = below.settings.clone();
    for (name, &b) in &above.settings {
        let value = settings.get(name).map_or(b, |&a| mix(a, b));
        settings.insert(name.clone(), value);
    }
    let rank_of = |row: &CalibrationRow| row.rank.unwrap_or(row.level.rank()).steps_from_1d();
    let rank = mix(rank_of(below).into(), rank_of(above).into()).round() as i32;
    let explicit = below.rank.or(above.rank);
    CalibrationRow {
        level,
        rank: explicit.map(|_| Level::from_steps(rank).rank()),
        settings,
        games: None,
    }
}

impl CalibrationRow {
    /// Returns the row of a level outside those measured: its numbers differ from the
    /// provisional ones as they do here, by a factor or, where signs differ, by a distance.
    fn carried(&self, kind: PartnerKind, size: Size, level: Level) -> CalibrationRow {
        let here = provisional::settings(kind, size, self.level);
        let there = provisional::settings(kind, size, level);
        let carry = |name: &str, measured: f64| {
            let guess = |it: &PartnerSettings| it.get(name)?.parse::<f64>().ok();
            match guess(&here).zip(guess(&there)) {
                Some((here, there)) if here.min(there).min(measured) > 0.0 => {
                    measured * (there / here)
                }
                Some((here, there)) => measured + (there - here),
                None => measured,
            }
        };
        let settings = self.settings.iter();
        let further = level.steps() - self.level.steps();
        CalibrationRow {
            level,
            rank: (self.rank).map(|it| Level::from_steps(it.steps_from_1d() + further).rank()),
            settings: settings
                .map(|(name, &it)| (name.clone(), carry(name, it)))
                .collect(),
            games: None,
        }
    }

    fn apply(&self, settings: &mut PartnerSettings) -> Result<(), SettingsError> {
        settings.rank = self.rank.unwrap_or(self.level.rank());
        for (name, &value) in &self.settings {
            // A count that was interpolated is rounded; a count refuses fractions.
            match settings.set(name, &value.to_string()) {
                Err(SettingsError::Unreadable { .. }) => {
                    settings.set(name, &value.round().to_string())?;
                }
                exact => exact?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETS: NetHashes<'_> = NetHashes {
        engine: "e1",
        human: "h1",
    };

    const TEXT: &str = r#"
        [[table]]
        engine = "e1"
        human = "h1"
        partner = "natural"
        board = 19

        [[table.row]]
        level = "3k"
        settings = { beta = 3.0, simulations = 900 }

        [[table.row]]
        level = "8k"
        rank = "10k"
        settings = { beta = 5.0, simulations = 600 }
        games = 100
    "#;

    #[track_caller]
    fn check(level: &str, beta: f32, simulations: u64, rank: &str, provenance: Provenance) {
        let calibration = Calibration::parse(TEXT).unwrap();
        let level = level.parse().unwrap();
        let found = calibration.settings(NETS, PartnerKind::Natural, Size::S19, level);
        assert!((found.settings.control.even_loss - beta).abs() < 1e-5);
        assert_eq!(found.settings.simulations, simulations);
        assert_eq!(found.settings.rank.to_string(), rank);
        assert_eq!(found.provenance, provenance);
    }

    #[test]
    fn levels_are_measured_interpolated_or_the_nearest() {
        check("3k", 3.0, 900, "3k", Provenance::Measured);
        check("8k", 5.0, 600, "10k", Provenance::Measured);
        check("5k", 3.8, 780, "6k", Provenance::Interpolated);
        // Outside, they differ from the measured ones as the guesses do.
        let guess = |level: &str| {
            let level = level.parse().unwrap();
            let guess = provisional::settings(PartnerKind::Natural, Size::S19, level);
            guess.control.even_loss
        };
        let weaker = 5.0 * guess("12k") / guess("8k");
        let stronger = 3.0 * guess("2d") / guess("3k");
        assert!(weaker > 5.2 && stronger < 2.8);
        check("12k", weaker, 600, "14k", Provenance::Nearest);
        check("2d", stronger, 900, "2d", Provenance::Nearest);
    }

    #[test]
    fn one_measured_level_leaves_the_others_their_order() {
        let text = |partner: &str, setting: &str| {
            format!(
                "[[table]]\nengine = \"e1\"\nhuman = \"h1\"\npartner = \"{partner}\"\n\
                 board = 9\n[[table.row]]\nlevel = \"8k\"\nsettings = {{ {setting} }}\n"
            )
        };
        let all = |partner: PartnerKind, setting: &str, name: &str| -> Vec<f32> {
            let calibration = Calibration::parse(&text(partner.name(), setting)).unwrap();
            let at = |level| calibration.settings(NETS, partner, Size::S9, level);
            assert!(Level::all().all(|it| at(it).settings.rank == it.rank()));
            let number = |level| at(level).settings.get(name).unwrap().parse().unwrap();
            Level::all().map(number).collect()
        };
        let beta = all(PartnerKind::Natural, "beta = 1.1", "beta");
        assert!(beta.is_sorted_by(|a, b| a > b), "{beta:?}");
        // From below nothing to above it.
        let z = all(PartnerKind::Softmax, "z = -0.2", "z");
        assert!(z.is_sorted_by(|a, b| a < b), "{z:?}");
        assert!(z[0] < -0.2 && z[35] > 1.0, "{z:?}");
    }

    #[test]
    fn other_networks_partners_and_boards_are_provisional() {
        let calibration = Calibration::parse(TEXT).unwrap();
        let level = "3k".parse().unwrap();
        let other = NetHashes {
            engine: "e2",
            ..NETS
        };
        let ask = |nets, kind, size| calibration.settings(nets, kind, size, level).provenance;
        let natural = PartnerKind::Natural;
        assert_eq!(ask(NETS, natural, Size::S19), Provenance::Measured);
        assert_eq!(ask(other, natural, Size::S19), Provenance::Provisional);
        assert_eq!(ask(NETS, natural, Size::S9), Provenance::Provisional);
        let roles = PartnerKind::Roles;
        assert_eq!(ask(NETS, roles, Size::S19), Provenance::Provisional);
        assert_eq!(
            Provenance::Provisional.to_string(),
            "provisional: this level has not been measured with these networks"
        );
    }

    #[test]
    fn a_calibration_survives_being_written() {
        let mut calibration = Calibration::parse(TEXT).unwrap();
        let table = calibration.tables[0].clone();
        calibration.insert(table).unwrap();
        assert_eq!(calibration.tables.len(), 1);
        let again = Calibration::parse(&calibration.to_toml()).unwrap();
        assert_eq!(again, calibration);
        Calibration::embedded();
    }

    #[track_caller]
    fn check_refused(from: &str, to: &str, expect: &str) {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT);
        let error = Calibration::parse(&text).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn bad_calibrations_are_refused_with_the_allowed_values() {
        check_refused("beta = 5.0", "beta = -5.0", "allowed is 0 to 100");
        check_refused("beta = 5.0", "beta = -0.3", "allowed is 0 to 100");
        check_refused("beta = 5.0", "bita = 5.0", "there is no setting `bita`");
        check_refused("board = 19", "board = 12", "allowed is 9, 13 or 19");
        check_refused("\"3k\"", "\"31k\"", "write 30k to 1k or 1d to 6d");
        check_refused("\"3k\"", "\"8k\"", "the level 8k twice");
        check_refused("\"natural\"", "\"sensei\"", "unknown variant `sensei`");
        check_refused("games =", "matches =", "unknown field `matches`");
    }
}
