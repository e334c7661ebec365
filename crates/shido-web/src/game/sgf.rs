//! A game as an SGF file.

use shido_go::{Color, GameInfo, Player, Recorder};

use super::GameState;
use crate::wire::ClockSettings;

impl GameState {
    /// Returns the game as SGF text.
    pub(crate) fn sgf(&self) -> String {
        let stored = &self.stored;
        let player = |color| {
            let settings = &stored.settings;
            if color == self.student() {
                return Player {
                    name: settings.your_name.clone(),
                    ..Player::default()
                };
            }
            // The rank has a property of its own and is not said in the name again.
            Player {
                name: self.partner_name([&settings.strength, &settings.style]),
                rank_text: settings.level.clone().unwrap_or_default(),
                rank: None,
            }
        };
        let clock = stored.settings.clock;
        let info = GameInfo {
            black: player(Color::Black),
            white: player(Color::White),
            result: stored.result.clone().unwrap_or_default(),
            date: date(stored.created_ms),
            main_time: clock.map(|it| f64::from(it.main_s())),
            overtime: clock.map(ClockSettings::overtime_text).unwrap_or_default(),
            ..GameInfo::default()
        };
        let recorder = Recorder::of_position(&self.position, &info);
        String::from_utf8_lossy(&recorder.finish().write()).into_owned()
    }

    /// Returns a file name that is safe everywhere.
    pub(crate) fn file_name(&self) -> String {
        let short: String = self.stored.id.chars().take(8).collect();
        format!("shido-{}-{short}.sgf", date(self.stored.created_ms))
    }
}

/// Writes milliseconds since 1970 as a date (UTC), e.g. `2026-11-15`.
fn date(ms: i64) -> String {
    // Days to a date of the Gregorian calendar, counted in eras of 400 years that
    // begin with March, so that leap days come last.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_of_the_calendar() {
        let day = 86_400_000;
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(date(59 * day - 1), "1970-02-28");
        assert_eq!(date(59 * day), "1970-03-01");
        assert_eq!(date(11_016 * day), "2000-02-29");
        assert_eq!(date(20_772 * day), "2026-11-15");
    }
}
