//! What the engine knows between two commands.

use std::collections::BTreeMap;
use std::time::Duration;

use shido_coach::play::PartnerKind;
use shido_go::{Color, Position, Rank, Rules, Size, handicap};
use shido_net::{CpuChoice, Profile};
use shido_search::Analysis;

use super::partner::{Ended, Told};
use crate::decide::DecideSettings;
use crate::human::{HumanNet, HumanSource};
use crate::json::ServerSettings;
use crate::level::LevelChoice;
use crate::player::Chooser;
use crate::time::{Clock, TimeSettings, own_moves_left};
use crate::{Analyst, Limits, Partner};

/// How an engine presents itself and plays.
#[derive(Debug, Clone)]
pub struct GtpSettings {
    /// What it answers to `name`.
    pub name: String,
    /// What it answers to `version`.
    pub version: String,
    /// Playouts for a move, beside any clock.
    pub playouts: Option<u64>,
    /// Visits for a move, those of a reused tree included, beside any clock.
    pub visits: Option<u64>,
    /// Time for a move, beside any clock.
    pub time: Option<Duration>,
    /// Playouts for a move when none of those nor a clock limits it.
    pub default_playouts: u64,
    /// When to pass and resign.
    pub decide: DecideSettings,
    /// How to share out the time of a clock.
    pub timing: TimeSettings,
    /// The board until the controller sets another.
    pub size: Size,
    /// The longest side of a board that the analyst takes.
    pub max_side: usize,
    /// The rules until the controller sets others.
    pub rules: Rules,
    /// The komi until the controller sets another.
    pub komi: f32,
    /// Who plays; `None` for the analyst itself.
    pub partner: Option<PartnerKind>,
    /// The partner's level; `None` plays as the papers have it.
    pub level: Option<LevelChoice>,
    /// The student's rank, if it is known.
    pub student: Option<Rank>,
    /// Settings of the partner that are other than its level's, by their dotted names.
    pub overrides: Vec<(String, String)>,
    /// Who says what people play, once there is a partner.
    pub human: HumanNet,
    /// How that is computed.
    pub cpu: CpuChoice,
    /// What a partner's draws start from.
    pub seed: u64,
}

impl Default for GtpSettings {
    fn default() -> GtpSettings {
        GtpSettings {
            name: "shido".to_owned(),
            // As the other protocol: programs refuse a KataGo that is too old.
            version: ServerSettings::VERSION.to_owned(),
            playouts: None,
            visits: None,
            time: None,
            default_playouts: 5000,
            decide: DecideSettings::default(),
            timing: TimeSettings::default(),
            size: Size::S19,
            max_side: Size::MAX,
            rules: Rules::CHINESE,
            komi: 7.5,
            partner: None,
            level: None,
            student: None,
            overrides: Vec::new(),
            human: HumanNet::default(),
            cpu: CpuChoice::Auto,
            seed: 0,
        }
    }
}

/// The state that commands change.
pub(super) struct Session {
    pub(super) analyst: Box<dyn Analyst>,
    pub(super) settings: GtpSettings,
    pub(super) position: Position,
    pub(super) clocks: [Clock; 2],
    pub(super) chooser: Chooser,
    /// Who plays, if not the analyst itself.
    pub(super) partner: Option<Partner>,
    /// The student's rank, if it is known.
    pub(super) student: Option<Rank>,
    /// How the moves chosen in this game came about, oldest first.
    pub(super) told: Vec<Told>,
    /// The game before this one, until the level that follows the student has learned from it.
    pub(super) ended: Option<Ended>,
    /// The komi of a finished game, where another has been set since.
    pub(super) komi_at_end: Option<f32>,
    /// Whether a record of the game tells it.
    pub(super) comments: bool,
    /// Whom `kata-raw-human-nn` imitates.
    pub(super) profile: Option<Profile>,
    /// The analyst's settings that are others for an analysis than for a move, by the
    /// analyst's names.
    pub(super) analysis_settings: BTreeMap<String, String>,
    /// What it asks; made when it is needed.
    people: Option<HumanSource>,
    /// Games begun, which a partner's draws follow.
    games: u64,
    /// The latest judgment of a finished game, and which position it is of.
    judged: Option<(PositionKey, Analysis)>,
}

type PositionKey = (u64, usize, Rules, u32, Size);

impl Session {
    pub(super) fn new(analyst: Box<dyn Analyst>, mut settings: GtpSettings) -> Session {
        let student = settings.student;
        if let Some(LevelChoice::Auto(_)) = settings.level {
            settings.level = Some(LevelChoice::auto(student));
        }
        let position = Position::new(settings.size, settings.rules, settings.komi);
        Session {
            analyst,
            chooser: Chooser::new(settings.decide),
            settings,
            position,
            clocks: [Clock::default(); 2],
            partner: None,
            student,
            told: Vec::new(),
            ended: None,
            komi_at_end: None,
            comments: false,
            profile: None,
            analysis_settings: BTreeMap::new(),
            people: None,
            games: 0,
            judged: None,
        }
    }

    /// Returns who says what people play, or why nobody does.
    pub(super) fn people(&mut self) -> Result<&mut HumanSource, String> {
        if self.people.is_none() {
            let source = self.settings.human.open(self.settings.cpu);
            self.people = Some(source.map_err(|error| error.to_string())?);
        }
        Ok(self.people.as_mut().expect("it was made"))
    }

    /// Begins another game; whatever is known of the one before is forgotten, but for
    /// what a level that follows the student learns from it.
    pub(super) fn start(&mut self, position: Position) {
        self.ended = self.end_game().or(self.ended.take());
        self.komi_at_end = None;
        self.position = position;
        self.analyst.forget();
        self.chooser.reset();
        self.told.clear();
        self.games += 1;
        let seed = self.game_seed();
        if let Some(partner) = &mut self.partner {
            partner.new_game(seed);
        }
        self.adapt_partner();
        for clock in &mut self.clocks {
            clock.reset();
        }
    }

    /// Returns what a partner's draws in this game start from.
    pub(super) fn game_seed(&self) -> u64 {
        self.settings.seed.wrapping_add(self.games)
    }

    /// Takes Black's first moves in a row for a handicap, where no command or record set one:
    /// servers' clients send the stones as moves.
    pub(super) fn count_handicap(&mut self) {
        let start = self.position.start();
        if start.size().points().all(|point| start.is_empty(point)) {
            let stones = handicap::given(start, self.position.moves());
            self.position.set_handicap(stones);
        }
    }

    /// Returns the position to be searched when `color` is to move.
    ///
    /// A game that two passes have ended goes on from its stones, as when the
    /// players do not agree about them.
    pub(super) fn position_for(&self, color: Color) -> Position {
        let mut position = if self.position.is_over() {
            let board = self.position.board().clone();
            let (rules, komi) = (*self.position.rules(), self.position.komi());
            let mut resumed = Position::from_board(board, color, rules, komi);
            resumed.set_handicap(self.position.handicap());
            resumed
        } else {
            self.position.clone()
        };
        position.set_to_move(color);
        position
    }

    /// Returns what a move of `color` may cost.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let time = self.time_for_move(color);
        Limits {
            playouts: self.playouts(time.is_some()),
            visits: self.settings.visits,
            time,
            ..Limits::default()
        }
    }

    /// Returns what a partner's move of `color` may cost; how many simulations it makes
    /// is the partner's own setting unless the session has one.
    pub(super) fn partner_limits(&self, color: Color) -> Limits {
        Limits {
            playouts: self.settings.playouts,
            visits: self.settings.visits,
            time: self.time_for_move(color),
            ..Limits::default()
        }
    }

    fn time_for_move(&self, color: Color) -> Option<Duration> {
        let (area, played) = (self.position.size().area(), self.position.moves().len());
        let clock = self.clocks[color.index()];
        let by_clock = clock.time_for_move(own_moves_left(area, played), &self.settings.timing);
        // A fifth is left for checking a pass, which may follow the search.
        let by_clock = by_clock.map(|time| time.saturating_mul(4) / 5);
        match (by_clock, self.settings.time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Returns the playouts of a search, by default if nothing else ends it.
    fn playouts(&self, timed: bool) -> Option<u64> {
        let endless = !timed && self.settings.visits.is_none();
        let default = endless.then_some(self.settings.default_playouts);
        self.settings.playouts.or(default)
    }

    /// Says why a board cannot be played on, if it cannot.
    pub(super) fn check_size(&self, size: Size) -> Result<(), String> {
        let most = self.settings.max_side;
        if size.width().max(size.height()) > most {
            return Err(format!(
                "unacceptable size: the engine takes boards up to {most}×{most}"
            ));
        }
        Ok(())
    }

    /// Returns an analysis for judging the stones of a position, the same until it changes.
    pub(super) fn judgment(&mut self) -> Analysis {
        let position = &self.position;
        let key = (
            position.hash(),
            position.moves().len(),
            *position.rules(),
            position.komi().to_bits(),
            position.size(),
        );
        if let Some((of, analysis)) = &self.judged
            && *of == key
        {
            return analysis.clone();
        }
        let limits = Limits {
            playouts: self.playouts(false),
            visits: self.settings.visits,
            time: self.settings.time,
            ..Limits::default()
        };
        let position = self.position_for(self.position.to_move());
        let analysis = self.analyst.analyze(&position, &limits);
        self.judged = Some((key, analysis.clone()));
        analysis
    }
}
