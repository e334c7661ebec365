//! How long to think about one move, from what is left on the clock.
//!
//! Absolute time, Canadian overtime (so many stones in a period), Japanese byo-yomi (so
//! many periods, one move each) and Fischer's increments. Nothing here reads a clock: the
//! answer follows from the [`Clock`] alone, and the caller tells it what was spent.
//!
//! Invariant: the time for a move, with the margin for lag added, never exceeds
//! what may be spent without losing on time, unless less than the margin is left.

use std::time::Duration;

/// What a game allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeControl {
    /// As long as one likes.
    #[default]
    Unlimited,
    /// One amount for the whole game.
    Absolute {
        /// The amount.
        main: Duration,
    },
    /// After the main time, so many stones in each period.
    Canadian {
        /// The time before overtime.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The stones to be played in a period; at least 1.
        stones: u32,
    },
    /// After the main time, periods that are lost only when used up by one move.
    ByoYomi {
        /// The time before overtime.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The periods; at least 1.
        periods: u32,
    },
    /// Each move adds to the time.
    Fischer {
        /// The time at the start.
        main: Duration,
        /// What a move adds.
        increment: Duration,
        /// What it adds up to at most.
        cap: Option<Duration>,
        /// The longest that a move may take.
        longest: Option<Duration>,
    },
}

impl TimeControl {
    /// Returns what GTP's `time_settings` means by its three numbers.
    pub fn from_gtp(main: Duration, period: Duration, stones: u32) -> TimeControl {
        match (period.is_zero(), stones) {
            (true, _) => TimeControl::Absolute { main },
            // A period of no stones is the protocol's way to say: no limit.
            (false, 0) => TimeControl::Unlimited,
            (false, stones) => TimeControl::Canadian {
                main,
                period,
                stones,
            },
        }
    }

    fn main(self) -> Duration {
        match self {
            TimeControl::Unlimited => Duration::MAX,
            TimeControl::Absolute { main }
            | TimeControl::Canadian { main, .. }
            | TimeControl::ByoYomi { main, .. }
            | TimeControl::Fischer { main, .. } => main,
        }
    }

    /// Returns what is on the clock after a move that left so much of the main time.
    fn after_move(self, left: Duration) -> Duration {
        match self {
            TimeControl::Fischer { increment, cap, .. } => {
                let more = left.saturating_add(increment);
                // Time above the cap is kept, and not added to.
                more.min(cap.unwrap_or(Duration::MAX)).max(left)
            }
            _ => left,
        }
    }

    /// Returns the overtime that comes after the main time.
    fn overtime(self) -> Left {
        match self {
            TimeControl::Unlimited | TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => {
                Left::Main(Duration::ZERO)
            }
            TimeControl::Canadian { period, stones, .. } => Left::Overtime {
                time: period,
                count: stones,
            },
            TimeControl::ByoYomi {
                period, periods, ..
            } => Left::Overtime {
                time: period,
                count: periods,
            },
        }
    }
}

/// What is left on one player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Main(Duration),
    /// Time of this period, and its stones (Canadian) or the periods (byo-yomi).
    Overtime {
        time: Duration,
        count: u32,
    },
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Left,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(TimeControl::default())
    }
}

impl Clock {
    /// Returns the clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let main = control.main();
        let left = if main.is_zero() {
            control.overtime()
        } else {
            Left::Main(main)
        };
        Clock { control, left }
    }

    /// Sets the clock back to the start of a game.
    pub fn reset(&mut self) {
        *self = Clock::new(self.control);
    }

    /// Sets what is left, as GTP's `time_left` tells it: no stones mean main time.
    ///
    /// By KGS's custom the number is that of periods under byo-yomi.
    pub fn set_left(&mut self, time: Duration, stones: u32) {
        self.left = match stones {
            0 => Left::Main(time),
            count => Left::Overtime { time, count },
        };
    }

    /// Takes off what a move took, as far as the control lets us know it.
    pub fn spend(&mut self, time: Duration) {
        let (left, spent) = match self.left {
            _ if self.control == TimeControl::Unlimited => return,
            Left::Main(left) if time <= left => {
                self.left = Left::Main(self.control.after_move(left.saturating_sub(time)));
                return;
            }
            Left::Main(left) => (self.control.overtime(), time.saturating_sub(left)),
            overtime @ Left::Overtime { .. } => (overtime, time),
        };
        self.left = match left {
            Left::Main(_) => Left::Main(self.control.after_move(Duration::ZERO)),
            Left::Overtime { time, count } => self.spend_overtime(time, count, spent),
        };
    }

    fn spend_overtime(&self, left: Duration, count: u32, spent: Duration) -> Left {
        match self.control {
            TimeControl::Canadian { .. } if count <= 1 => self.control.overtime(),
            TimeControl::ByoYomi { period, .. } if !period.is_zero() => {
                let over = spent.saturating_sub(left).as_secs_f64() / period.as_secs_f64();
                let lost = if spent > left { 1 + over as u32 } else { 0 };
                Left::Overtime {
                    time: period,
                    count: count.saturating_sub(lost).max(1),
                }
            }
            _ => Left::Overtime {
                time: left.saturating_sub(spent),
                count: count.saturating_sub(1).max(1),
            },
        }
    }

    /// Returns the time for the next move, or `None` if there is no limit.
    ///
    /// `own_moves_left` is how many more moves the player expects to make.
    pub fn time_for_move(
        &self,
        own_moves_left: usize,
        settings: &TimeSettings,
    ) -> Option<Duration> {
        let time = match (self.control, self.left) {
            (TimeControl::Unlimited, Left::Main(_)) => return None,
            (_, Left::Main(left)) => self.share_of_main(left, own_moves_left, settings),
            (TimeControl::ByoYomi { .. }, Left::Overtime { time, .. }) => settings.less_lag(time),
            (_, Left::Overtime { time, count }) => {
                settings.less_lag(time) / count.max(1) // Evenly over the stones of the period.
            }
        };
        Some(time.max(settings.least))
    }

    /// Shares main time over the moves to come; overtime makes the share larger.
    fn share_of_main(
        self,
        left: Duration,
        own_moves_left: usize,
        settings: &TimeSettings,
    ) -> Duration {
        let moves = own_moves_left.max(settings.moves_kept) as u32;
        // Each of the moves to come will suffer the lag, so each share pays for it.
        let share = (left / moves).mul_f64(settings.main_share);
        let share = settings.less_lag(share);
        if let TimeControl::Fischer {
            increment, longest, ..
        } = self.control
        {
            let longest = longest.unwrap_or(Duration::MAX);
            let share = share.saturating_add(increment);
            return share.min(settings.less_lag(left.min(longest)));
        }
        let overtime = match self.control.overtime() {
            Left::Main(_) => Duration::ZERO,
            Left::Overtime { time, count } => match self.control {
                TimeControl::ByoYomi { .. } => settings.less_lag(time),
                _ => settings.less_lag(time) / count.max(1),
            },
        };
        // Running into overtime is no loss: a move may always take what it gives.
        let reach = left.saturating_add(overtime);
        share.max(overtime).min(settings.less_lag(reach))
    }
}

/// How to share time out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSettings {
    /// Time kept for what happens outside the search: network lag, output, scheduling.
    pub lag: Duration,
    /// The least time for a move, even when the clock is all but down.
    pub least: Duration,
    /// Moves that main time is always kept for, however late the game.
    pub moves_kept: usize,
    /// How much more than an even share of main time a move gets: early moves matter more.
    pub main_share: f64,
}

impl Default for TimeSettings {
    fn default() -> TimeSettings {
        TimeSettings {
            lag: Duration::from_millis(500),
            least: Duration::from_millis(10),
            moves_kept: 30,
            main_share: 1.3,
        }
    }
}

impl TimeSettings {
    /// Takes the margin off: the whole lag where it is small, at most half the time.
    fn less_lag(&self, time: Duration) -> Duration {
        time.saturating_sub(self.lag).max(time / 2)
    }
}

/// Returns how many more moves a player may expect to make on a board of `area`
/// points after `played` moves of both.
///
/// A usual game fills some three quarters of the board.
pub fn own_moves_left(area: usize, played: usize) -> usize {
    (area * 3 / 4).saturating_sub(played) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[track_caller]
    fn check(clock: Clock, moves_left: usize, expect_ms: u128) {
        let found = clock.time_for_move(moves_left, &TimeSettings::default());
        assert_eq!(found.map(|it| it.as_millis()), Some(expect_ms));
    }

    fn with_left(control: TimeControl, time: Duration, stones: u32) -> Clock {
        let mut clock = Clock::new(control);
        clock.set_left(time, stones);
        clock
    }

    const ABSOLUTE: TimeControl = TimeControl::Absolute {
        main: Duration::from_mins(10),
    };
    const CANADIAN: TimeControl = TimeControl::Canadian {
        main: Duration::from_mins(1),
        period: Duration::from_mins(5),
        stones: 25,
    };
    const BYO_YOMI: TimeControl = TimeControl::ByoYomi {
        main: Duration::from_mins(1),
        period: Duration::from_secs(30),
        periods: 5,
    };

    #[test]
    fn no_limit_is_no_limit() {
        let clock = Clock::default();
        assert_eq!(clock.time_for_move(10, &TimeSettings::default()), None);
        assert_eq!(
            TimeControl::from_gtp(seconds(60), seconds(1), 0),
            TimeControl::Unlimited
        );
    }

    #[test]
    fn absolute_time_is_shared_over_the_game() {
        check(Clock::new(ABSOLUTE), 100, 7300);
        check(with_left(ABSOLUTE, seconds(60), 0), 100, 390);
        // Late in the game some moves are still kept for.
        check(with_left(ABSOLUTE, seconds(60), 0), 1, 2100);
        // All but down: half of what is left is a share, and never less than the least.
        check(with_left(ABSOLUTE, Duration::from_millis(40), 0), 1, 10);
        check(with_left(ABSOLUTE, Duration::ZERO, 0), 1, 10);
    }

    #[test]
    fn canadian_periods_are_shared_over_their_stones() {
        check(with_left(CANADIAN, seconds(300), 25), 100, 11_980);
        check(with_left(CANADIAN, seconds(20), 10), 100, 1950);
        check(with_left(CANADIAN, seconds(1), 1), 100, 500);
        // In main time a move may take at least what overtime would give it.
        check(Clock::new(CANADIAN), 100, 11_980);
    }

    #[test]
    fn a_byo_yomi_period_is_for_one_move() {
        check(with_left(BYO_YOMI, seconds(30), 3), 100, 29_500);
        check(with_left(BYO_YOMI, seconds(30), 1), 100, 29_500);
        check(Clock::new(BYO_YOMI), 100, 29_500);
        check(with_left(BYO_YOMI, seconds(2), 0), 100, 29_500);
    }

    #[test]
    fn increments_are_spent_as_they_come() {
        let plain = TimeControl::Fischer {
            main: seconds(600),
            increment: seconds(10),
            cap: None,
            longest: None,
        };
        check(Clock::new(plain), 100, 17_300);
        check(with_left(plain, seconds(12), 0), 100, 10_078);
        check(with_left(plain, seconds(5), 0), 100, 4500);
        let mut clock = with_left(plain, seconds(60), 0);
        clock.spend(seconds(25));
        assert_eq!(clock.left, Left::Main(seconds(45)));
        let capped = TimeControl::Fischer {
            main: seconds(600),
            increment: seconds(30),
            cap: Some(seconds(60)),
            longest: Some(seconds(20)),
        };
        check(with_left(capped, seconds(60), 0), 30, 19_500);
        for (before, took, after) in [(60, 10, 60), (60, 40, 50), (600, 10, 590)] {
            let mut clock = with_left(capped, seconds(before), 0);
            clock.spend(seconds(took));
            assert_eq!(clock.left, Left::Main(seconds(after)));
        }
    }

    #[test]
    fn a_game_at_the_given_pace_never_loses_on_time() {
        let lag = Duration::from_millis(300);
        let fischer = TimeControl::Fischer {
            main: seconds(60),
            increment: seconds(5),
            cap: None,
            longest: None,
        };
        for control in [ABSOLUTE, CANADIAN, BYO_YOMI, fischer] {
            let mut clock = Clock::new(control);
            for played in (0..340).step_by(2) {
                let left = own_moves_left(361, played);
                let time = clock
                    .time_for_move(left, &TimeSettings::default())
                    .expect("there is a limit");
                match clock.left {
                    Left::Main(main) => {
                        let overtime = match control.overtime() {
                            Left::Main(none) => none,
                            Left::Overtime { time, .. } => time,
                        };
                        assert!(time + lag <= main + overtime, "{control:?} {played}");
                    }
                    Left::Overtime { time: period, .. } => {
                        assert!(time + lag <= period, "{control:?} {played}");
                    }
                }
                clock.spend(time + lag);
            }
        }
    }

    #[test]
    fn spending_passes_from_main_time_into_overtime() {
        let mut clock = Clock::new(BYO_YOMI);
        clock.spend(seconds(50));
        assert_eq!(clock.left, Left::Main(seconds(10)));
        clock.spend(seconds(15));
        let period = |count| Left::Overtime {
            time: seconds(30),
            count,
        };
        assert_eq!(clock.left, period(5));
        clock.spend(seconds(31));
        assert_eq!(clock.left, period(4));
        let mut clock = Clock::new(CANADIAN);
        clock.spend(seconds(70));
        let left = |time, count| Left::Overtime {
            time: seconds(time),
            count,
        };
        assert_eq!(clock.left, left(290, 24));
        clock.set_left(seconds(20), 1);
        clock.spend(seconds(5));
        assert_eq!(clock.left, left(300, 25));
    }
}
