//! The clocks of a game: what each side has left, and when a flag falls.
//!
//! Pure: the caller says how long a turn has lasted. [`shido_engine::time`] shares
//! an engine's time out and never loses on it; here people may.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shido_engine::time::{Clock, TimeControl, TimeSettings, own_moves_left};
use shido_go::{Color, Position};

use crate::wire::{ClockSettings, ClockView, SideClock};

/// The longest main time or period that is taken: a day.
const MOST_SECONDS: u32 = 86_400;
/// The most periods or stones.
const MOST_COUNT: u32 = 1000;

/// What both sides have left before the running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    black: SideClock,
    white: SideClock,
}

impl ClockSettings {
    /// Says what is wrong with the settings, if anything is.
    pub(crate) fn check(self) -> Result<(), &'static str> {
        let (main, period, count) = self.parts();
        if main > MOST_SECONDS || period > MOST_SECONDS || count > MOST_COUNT {
            return Err("a clock holds at most a day, and at most 1000 periods or stones");
        }
        match self {
            ClockSettings::Absolute { .. } if main == 0 => Err("an absolute clock needs main time"),
            ClockSettings::Absolute { .. } => Ok(()),
            _ if period == 0 || count == 0 => Err("overtime needs periods that are not empty"),
            _ => Ok(()),
        }
    }

    fn parts(self) -> (u32, u32, u32) {
        match self {
            ClockSettings::Absolute { main_s } => (main_s, 0, 0),
            ClockSettings::ByoYomi {
                main_s,
                period_s,
                periods,
            } => (main_s, period_s, periods),
            ClockSettings::Canadian {
                main_s,
                period_s,
                stones,
            } => (main_s, period_s, stones),
        }
    }

    fn control(self) -> TimeControl {
        let (main, period, count) = self.parts();
        let main = Duration::from_secs(u64::from(main));
        let period = Duration::from_secs(u64::from(period));
        match self {
            ClockSettings::Absolute { .. } => TimeControl::Absolute { main },
            ClockSettings::ByoYomi { .. } => TimeControl::ByoYomi {
                main,
                period,
                periods: count,
            },
            ClockSettings::Canadian { .. } => TimeControl::Canadian {
                main,
                period,
                stones: count,
            },
        }
    }

    /// Returns the overtime in the SGF way of writing it; empty if there is none.
    pub(crate) fn overtime_text(self) -> String {
        match self {
            ClockSettings::Absolute { .. } => String::new(),
            ClockSettings::ByoYomi {
                period_s, periods, ..
            } => format!("{periods}x{period_s} byo-yomi"),
            ClockSettings::Canadian {
                period_s, stones, ..
            } => format!("{stones}/{period_s} Canadian"),
        }
    }

    /// Returns main time in seconds.
    pub(crate) fn main_s(self) -> u32 {
        self.parts().0
    }
}

impl Clocks {
    /// Returns the clocks at the start of a game.
    pub fn new(settings: ClockSettings) -> Clocks {
        let (main, period, count) = settings.parts();
        let side = SideClock {
            main_ms: u64::from(main) * 1000,
            period_ms: u64::from(period) * 1000,
            count,
        };
        Clocks {
            black: side,
            white: side,
        }
    }

    fn side(&self, color: Color) -> SideClock {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    fn side_mut(&mut self, color: Color) -> &mut SideClock {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// Returns how long `color`'s turn may last before its flag falls.
    pub fn until_flag(&self, settings: ClockSettings, color: Color) -> Duration {
        let side = self.side(color);
        let overtime = match settings {
            ClockSettings::Absolute { .. } => 0,
            ClockSettings::ByoYomi { .. } => side.period_ms * u64::from(side.count),
            ClockSettings::Canadian { .. } => side.period_ms,
        };
        Duration::from_millis(side.main_ms + overtime)
    }

    /// Takes a turn of `color` off that ended with a move; `None` if the flag fell.
    pub fn after_move(
        &self,
        settings: ClockSettings,
        color: Color,
        turn: Duration,
    ) -> Option<Clocks> {
        if turn > self.until_flag(settings, color) {
            return None;
        }
        let mut after = self.during(settings, color, turn);
        let in_overtime = turn.as_millis() as u64 > self.side(color).main_ms;
        let side = after.side_mut(color);
        match settings {
            // A period that a move did not use up is whole again.
            ClockSettings::ByoYomi { period_s, .. } => side.period_ms = whole(period_s),
            ClockSettings::Canadian {
                period_s, stones, ..
            } if in_overtime => {
                side.count -= 1;
                if side.count == 0 {
                    side.period_ms = whole(period_s);
                    side.count = stones;
                }
            }
            ClockSettings::Absolute { .. } | ClockSettings::Canadian { .. } => {}
        }
        Some(after)
    }

    /// Returns the clocks in the middle of a turn of `color`.
    fn during(&self, settings: ClockSettings, color: Color, turn: Duration) -> Clocks {
        let mut clocks = *self;
        let side = clocks.side_mut(color);
        let turn = turn.as_millis() as u64;
        let over = turn.saturating_sub(side.main_ms);
        side.main_ms = side.main_ms.saturating_sub(turn);
        match settings {
            ClockSettings::ByoYomi { period_s, .. } if over > 0 => {
                let period = whole(period_s);
                // A move on the stroke of a period has not lost it.
                let lost = (over - 1) / period;
                side.count = side.count.saturating_sub(lost as u32);
                side.period_ms = period - (over - lost * period);
            }
            _ => side.period_ms = side.period_ms.saturating_sub(over),
        }
        clocks
    }

    /// Returns what the page shows: `running` says whose turn has lasted how long.
    pub fn view(
        &self,
        settings: ClockSettings,
        mover: Color,
        turn: Duration,
        running: bool,
    ) -> ClockView {
        let now = self.during(settings, mover, turn);
        ClockView {
            running: running.then(|| mover.into()),
            black: now.black,
            white: now.white,
        }
    }

    /// Returns the time a partner should take for its move.
    pub fn time_for_move(&self, settings: ClockSettings, position: &Position) -> Duration {
        let side = self.side(position.to_move());
        let mut clock = Clock::new(settings.control());
        if side.main_ms > 0 {
            clock.set_left(Duration::from_millis(side.main_ms), 0);
        } else {
            clock.set_left(Duration::from_millis(side.period_ms), side.count);
        }
        let left = own_moves_left(position.size().area(), position.moves().len());
        clock
            .time_for_move(left, &TimeSettings::default())
            .unwrap_or(Duration::MAX)
    }
}

fn whole(seconds: u32) -> u64 {
    u64::from(seconds) * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABSOLUTE: ClockSettings = ClockSettings::Absolute { main_s: 60 };
    const BYO_YOMI: ClockSettings = ClockSettings::ByoYomi {
        main_s: 10,
        period_s: 30,
        periods: 3,
    };
    const CANADIAN: ClockSettings = ClockSettings::Canadian {
        main_s: 10,
        period_s: 60,
        stones: 2,
    };

    /// Plays Black's turns of so many seconds; says what Black has left.
    #[track_caller]
    fn check(settings: ClockSettings, turns: &[u64], expect: Option<(u64, u64, u32)>) {
        let mut clocks = Some(Clocks::new(settings));
        for &turn in turns {
            let turn = Duration::from_secs(turn);
            clocks = clocks.and_then(|it| it.after_move(settings, Color::Black, turn));
        }
        let found = clocks.map(|it| it.black);
        let found = found.map(|it| (it.main_ms / 1000, it.period_ms / 1000, it.count));
        assert_eq!(found, expect);
    }

    #[test]
    fn absolute_time_runs_down_once() {
        check(ABSOLUTE, &[20, 20], Some((20, 0, 0)));
        check(ABSOLUTE, &[20, 40], Some((0, 0, 0)));
        check(ABSOLUTE, &[20, 41], None);
    }

    #[test]
    fn a_byo_yomi_period_is_lost_only_when_used_up() {
        check(BYO_YOMI, &[10], Some((0, 30, 3)));
        check(BYO_YOMI, &[40], Some((0, 30, 3)));
        check(BYO_YOMI, &[41], Some((0, 30, 2)));
        check(BYO_YOMI, &[40, 30, 30], Some((0, 30, 3)));
        check(BYO_YOMI, &[40, 31, 31], Some((0, 30, 1)));
        check(BYO_YOMI, &[40, 31, 31, 31], None);
        check(BYO_YOMI, &[100], Some((0, 30, 1)));
        check(BYO_YOMI, &[101], None);
    }

    #[test]
    fn canadian_stones_fill_a_period() {
        check(CANADIAN, &[5], Some((5, 60, 2)));
        check(CANADIAN, &[20], Some((0, 50, 1)));
        check(CANADIAN, &[20, 50], Some((0, 60, 2)));
        check(CANADIAN, &[20, 51], None);
    }

    #[test]
    fn the_view_counts_the_running_turn() {
        let clocks = Clocks::new(BYO_YOMI);
        let view = clocks.view(BYO_YOMI, Color::White, Duration::from_secs(45), true);
        assert_eq!(view.running, Some(crate::wire::Color::White));
        let white = view.white;
        assert_eq!(
            (white.main_ms, white.period_ms, white.count),
            (0, 25_000, 2)
        );
        assert_eq!(view.black.main_ms, 10_000);
    }

    #[test]
    fn settings_without_sense_are_refused() {
        let byo_yomi = |period_s, periods| ClockSettings::ByoYomi {
            main_s: 0,
            period_s,
            periods,
        };
        assert!(byo_yomi(30, 1).check().is_ok());
        assert!(byo_yomi(0, 1).check().is_err());
        assert!(byo_yomi(30, 0).check().is_err());
        assert!(byo_yomi(30, 2000).check().is_err());
        assert!(ClockSettings::Absolute { main_s: 0 }.check().is_err());
        assert!(ClockSettings::Absolute { main_s: 100_000 }.check().is_err());
    }

    #[test]
    fn a_partner_keeps_within_its_period() {
        let settings = ClockSettings::ByoYomi {
            main_s: 0,
            period_s: 10,
            periods: 1,
        };
        let position = Position::new(shido_go::Size::S9, shido_go::Rules::CHINESE, 7.5);
        let time = Clocks::new(settings).time_for_move(settings, &position);
        assert!(time < Duration::from_secs(10) && time > Duration::from_secs(5));
    }
}
