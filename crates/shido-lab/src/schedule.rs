//! Which game is next: a state machine with no IO in it.
//!
//! The games of a spec are a fixed list. Each has a name and a seed that depend
//! on the spec's seed, the pairing and the game's number alone, so they are the
//! same however often a run is killed, split or reordered. A game is waiting,
//! being played, or done; a void game waits again until its replays are used up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

use crate::spec::{Failures, Pairing, Spec, Then};

/// One game to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The game's name in ledger and SGF, such as `even.gnugo.0007`.
    pub id: String,
    /// Who plays Black.
    pub black: String,
    /// Who plays White.
    pub white: String,
    /// What all randomness of the game is derived from.
    pub seed: u64,
    /// What its opening is derived from; two games in a row share it.
    pub opening: Opened,
    /// How often the game was void before.
    pub voids: usize,
}

impl Job {
    /// Returns the name of its pairing.
    fn pairing(&self) -> &str {
        self.id.rsplit_once('.').map_or(&self.id, |it| it.0)
    }
}

/// Which opening a game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// The number of the opening within its pairing.
    pub number: usize,
    /// What a random opening is drawn from.
    pub seed: u64,
}

/// Which of `of` equal shares of the games a run plays, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The share, from 1.
    pub number: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Part {
    /// All games.
    pub const WHOLE: Part = Part { number: 1, of: 1 };
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The text is not a part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a part: write 2/8 for the second of eight")]
pub struct PartError(String);

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Part, PartError> {
        let error = || PartError(text.to_owned());
        let (number, of) = text.split_once('/').ok_or_else(error)?;
        let number: usize = number.trim().parse().map_err(|_| error())?;
        let of: usize = of.trim().parse().map_err(|_| error())?;
        if number == 0 || number > of {
            return Err(error());
        }
        Ok(Part { number, of })
    }
}

/// Which games of a spec a run plays. What is left out can be played later, in the same folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Games of these players alone; of all if empty.
    pub players: Vec<String>,
    /// At most so many of each pairing, the first ones.
    pub most: Option<usize>,
    /// Which share of those.
    pub part: Part,
}

impl Selection {
    /// All games.
    pub const ALL: Selection = Selection {
        players: Vec::new(),
        most: None,
        part: Part::WHOLE,
    };

    /// Checks that everyone who is named plays.
    pub fn check(&self, spec: &Spec) -> Result<(), SelectionError> {
        let playing: BTreeSet<&str> = spec.pairings.iter().flat_map(Pairing::names).collect();
        match self
            .players
            .iter()
            .find(|it| !playing.contains(it.as_str()))
        {
            None => Ok(()),
            Some(name) => Err(SelectionError {
                name: name.clone(),
                playing: playing.into_iter().collect::<Vec<_>>().join(", "),
            }),
        }
    }

    fn includes(&self, number: usize, pairing: &Pairing) -> bool {
        let [first, second] = pairing.names();
        let plays = self.players.is_empty()
            || (self.players.iter()).any(|name| name == first || name == second);
        plays && self.most.is_none_or(|most| number < most)
    }
}

/// Somebody was named who plays no game of the spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no game of the spec has a player `{name}`; there are {playing}")]
pub struct SelectionError {
    name: String,
    playing: String,
}

/// What becomes of a game that was void.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterVoid {
    /// It will be handed out again.
    Replay,
    /// The player that failed loses it; it counts once that is in the ledger.
    Forfeit,
    /// The run ends.
    Halt,
}

/// The games of a spec and how far they are.
#[derive(Debug)]
pub struct Schedule {
    waiting: VecDeque<Job>,
    playing: BTreeMap<String, Job>,
    failures: Failures,
    total: usize,
    done: usize,
    voids: usize,
    halted: bool,
}

impl Schedule {
    /// Lists games of a spec, pairings taking turns.
    pub fn new(spec: &Spec, selection: &Selection) -> Schedule {
        let part = selection.part;
        // Games that begin alike stay together: a part that is lost takes both colors with it.
        let mut pairs = BTreeMap::new();
        let waiting: VecDeque<Job> = jobs(spec, selection)
            .into_iter()
            .filter(|job| {
                let next = pairs.len();
                let pair = (job.pairing().to_owned(), job.opening.number);
                *pairs.entry(pair).or_insert(next) % part.of == part.number - 1
            })
            .collect();
        Schedule {
            total: waiting.len(),
            waiting,
            playing: BTreeMap::new(),
            failures: spec.failures.clone(),
            done: 0,
            voids: 0,
            halted: false,
        }
    }

    /// Hands out the next game, or `None` when none waits or the run has halted.
    pub fn next_job(&mut self) -> Option<Job> {
        if self.halted {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.playing.insert(job.id.clone(), job.clone());
        Some(job)
    }

    /// Notes a game whose line is in the ledger; returns whether it was expected.
    pub fn done(&mut self, id: &str) -> bool {
        let was_playing = self.playing.remove(id).is_some();
        let was_waiting = self.waiting.iter().position(|job| job.id == id);
        if let Some(at) = was_waiting {
            self.waiting.remove(at);
        }
        let expected = was_playing || was_waiting.is_some();
        self.done += usize::from(expected);
        expected
    }

    /// Notes a game that an engine's failure made void, and says what comes of it.
    pub fn void(&mut self, id: &str) -> AfterVoid {
        self.voids += 1;
        let playing = self.playing.remove(id);
        let Some(mut job) = playing.or_else(|| self.take_waiting(id)) else {
            return AfterVoid::Replay;
        };
        job.voids += 1;
        let exhausted = job.voids > self.failures.replays;
        if self.voids >= self.failures.halt_after || (exhausted && self.failures.then == Then::Halt)
        {
            self.halted = true;
            self.waiting.push_front(job);
            return AfterVoid::Halt;
        }
        if exhausted {
            self.playing.insert(job.id.clone(), job);
            return AfterVoid::Forfeit;
        }
        self.waiting.push_back(job);
        AfterVoid::Replay
    }

    /// Takes over a void game of an earlier run: it has one replay less, no more.
    pub fn recall_void(&mut self, id: &str) {
        if let Some(job) = self.waiting.iter_mut().find(|job| job.id == id) {
            job.voids += 1;
        }
    }

    /// Ends the run: no more games are handed out.
    pub fn halt(&mut self) {
        self.halted = true;
    }

    /// Returns how many games there are.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Returns how many games are done.
    pub fn finished(&self) -> usize {
        self.done
    }

    /// Returns whether nothing waits and nothing is being played.
    pub fn is_idle(&self) -> bool {
        self.playing.is_empty() && (self.halted || self.waiting.is_empty())
    }

    /// Returns how many games were void in this run.
    pub fn voids(&self) -> usize {
        self.voids
    }

    /// Returns whether failures have ended the run.
    pub fn is_halted(&self) -> bool {
        self.halted
    }

    fn take_waiting(&mut self, id: &str) -> Option<Job> {
        let at = self.waiting.iter().position(|job| job.id == id)?;
        self.waiting.remove(at)
    }
}

/// Returns the selected games of a spec, of all parts: the first of each pairing, then the
/// second, …
pub(crate) fn jobs(spec: &Spec, selection: &Selection) -> Vec<Job> {
    let rounds = spec.pairings.iter().map(|it| it.games).max().unwrap_or(0);
    let mut jobs = Vec::new();
    for number in 0..rounds {
        let played = |it: &&Pairing| number < it.games && selection.includes(number, it);
        for pairing in spec.pairings.iter().filter(played) {
            let names = format!("{}.{}", pairing.first, pairing.second);
            let opening = number / 2;
            let mut seats = [pairing.first.clone(), pairing.second.clone()];
            if number % 2 == 1 && !pairing.keep_colors {
                seats.reverse();
            }
            let [black, white] = seats;
            jobs.push(Job {
                id: format!("{names}.{:04}", number + 1),
                black,
                white,
                seed: derive(spec.seed, &format!("game {names} {number}")),
                opening: Opened {
                    number: opening,
                    seed: derive(spec.seed, &format!("opening {opening}")),
                },
                voids: 0,
            });
        }
    }
    jobs
}

/// Derives a seed from another and a label: FNV-1a, then a finalizer.
///
/// The result has 31 bits, which is what engines accept on a command line.
pub fn derive(seed: u64, label: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed.to_le_bytes().into_iter().chain(label.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash ^ (hash >> 31)) & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(failures: &str) -> Spec {
        let text = format!(
            "name = 'x'\nseed = 3\n{failures}\n[players.a]\nkind = 'random'\n\
             [players.b]\nkind = 'random'\n[players.c]\nkind = 'random'\n\
             [[pairings]]\nplayers = ['a', 'b']\ngames = 4\n\
             [[pairings]]\nplayers = ['a', 'c']\ngames = 2\n"
        );
        Spec::parse(&text, "x.toml").unwrap()
    }

    fn drain(schedule: &mut Schedule) -> Vec<String> {
        std::iter::from_fn(|| schedule.next_job().map(|job| job.id)).collect()
    }

    #[test]
    fn pairings_take_turns_and_colors_change() {
        let jobs = jobs(&spec(""), &Selection::ALL);
        let seats: Vec<_> = jobs
            .iter()
            .map(|job| (job.id.as_str(), job.black.as_str(), job.white.as_str()))
            .collect();
        assert_eq!(
            seats,
            [
                ("a.b.0001", "a", "b"),
                ("a.c.0001", "a", "c"),
                ("a.b.0002", "b", "a"),
                ("a.c.0002", "c", "a"),
                ("a.b.0003", "a", "b"),
                ("a.b.0004", "b", "a"),
            ]
        );
        assert_eq!(jobs[0].opening, jobs[2].opening);
        assert_ne!(jobs[2].opening, jobs[4].opening);
        let mut seeds: Vec<u64> = jobs.iter().map(|job| job.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 6, "every game has a seed of its own");
    }

    #[test]
    fn parts_share_all_games() {
        let spec = spec("");
        let share = |number| Selection {
            part: Part { number, of: 4 },
            ..Selection::ALL
        };
        let parts: Vec<Vec<String>> = (1..=4)
            .map(|number| drain(&mut Schedule::new(&spec, &share(number))))
            .collect();
        let together = ["a.b.0001".to_owned(), "a.b.0002".to_owned()];
        let with_both = |part: &&Vec<String>| together.iter().all(|it| part.contains(it));
        assert_eq!(parts.iter().filter(with_both).count(), 1, "{parts:?}");
        let mut all = parts.concat();
        all.sort();
        let mut whole = drain(&mut Schedule::new(&spec, &Selection::ALL));
        whole.sort();
        assert_eq!(all, whole);
    }

    /// A selected game is the same game as in a whole run: its name tells its seed.
    #[test]
    fn a_selection_is_of_some_players_and_the_first_games() {
        let spec = spec("");
        let of = |players: &[&str], most| Selection {
            players: players.iter().map(|&it| it.to_owned()).collect(),
            most,
            ..Selection::ALL
        };
        let list = |selection: &Selection| drain(&mut Schedule::new(&spec, selection));
        assert_eq!(list(&of(&["c"], None)), ["a.c.0001", "a.c.0002"]);
        assert_eq!(list(&of(&[], Some(1))), ["a.b.0001", "a.c.0001"]);
        let three = ["a.b.0001", "a.b.0002", "a.b.0003"];
        assert_eq!(list(&of(&["b"], Some(3))), three);
        assert_eq!(list(&of(&["a"], None)), list(&Selection::ALL));
        let whole = jobs(&spec, &Selection::ALL);
        for job in jobs(&spec, &of(&["b"], Some(3))) {
            assert!(whole.contains(&job));
        }
        assert_eq!(of(&["a", "c"], None).check(&spec), Ok(()));
        let error = of(&["a", "x"], None).check(&spec).unwrap_err();
        assert!(
            error.to_string().ends_with("`x`; there are a, b, c"),
            "{error}"
        );
    }

    #[test]
    fn done_games_are_not_played_again() {
        let mut schedule = Schedule::new(&spec(""), &Selection::ALL);
        assert!(schedule.done("a.b.0003"));
        assert!(!schedule.done("a.b.0003"));
        assert!(!schedule.done("x.y.0001"));
        assert_eq!((schedule.finished(), schedule.total()), (1, 6));
        assert!(!drain(&mut schedule).contains(&"a.b.0003".to_owned()));
    }

    #[test]
    fn a_void_game_is_replayed_with_the_same_seed_then_forfeited() {
        let failures = "[failures]\nreplays = 1";
        let mut schedule = Schedule::new(&spec(failures), &Selection::ALL);
        let job = schedule.next_job().unwrap();
        assert_eq!(schedule.void(&job.id), AfterVoid::Replay);
        let again = std::iter::from_fn(|| schedule.next_job()).last().unwrap();
        assert_eq!((again.id.as_str(), again.seed), (job.id.as_str(), job.seed));
        assert_eq!(schedule.void(&job.id), AfterVoid::Forfeit);
        assert!(schedule.done(&job.id));
        assert_eq!(schedule.next_job(), None);
    }

    #[test]
    fn too_many_voids_halt() {
        let failures = "[failures]\nhalt_after = 2";
        let mut schedule = Schedule::new(&spec(failures), &Selection::ALL);
        let first = schedule.next_job().unwrap();
        let second = schedule.next_job().unwrap();
        assert_eq!(schedule.void(&first.id), AfterVoid::Replay);
        assert_eq!(schedule.void(&second.id), AfterVoid::Halt);
        assert_eq!(schedule.next_job(), None);
        assert!(schedule.is_halted());
        let mut strict = Schedule::new(
            &spec("[failures]\nreplays = 0\nthen = 'halt'"),
            &Selection::ALL,
        );
        let job = strict.next_job().unwrap();
        assert_eq!(strict.void(&job.id), AfterVoid::Halt);
    }

    #[test]
    fn parts_are_read() {
        assert_eq!("2/8".parse(), Ok(Part { number: 2, of: 8 }));
        for bad in ["", "2", "0/8", "9/8", "a/b", "2/8/1"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }
}
