//! The classic engine as a partner: UCT with RAVE, so many playouts a move.
//!
//! Its strengths are amounts of thinking. No rank is claimed for them.

use std::num::NonZero;
use std::time::{Duration, Instant};

use shido_engine::decide::{DecideSettings, Situation, Why, decide};
use shido_engine::{Analyst, Classic, Limits, StopFlag};
use shido_go::Move;
use shido_search::Analysis;
use shido_search::uct::{Knowledge, UctSettings};

use super::{Engines, House, Partner, Thought, Turn};
use crate::wire::{EngineOffer, PartnerOffer, Reason, StrengthOffer};

/// How often a partner's thinking is told of.
const REPORT_EVERY: Duration = Duration::from_millis(200);
/// The part of a search that goes to checking a pass.
const PASS_CHECK: u64 = 4;
/// The strengths: a name and playouts for a move.
const STRENGTHS: &[(&str, u64)] = &[
    ("light", 50),
    ("easy", 200),
    ("medium", 800),
    ("serious", 3000),
    ("deep", 12_000),
];
/// The strength that is taken if none is asked for.
const USUAL: &str = "medium";

/// How the classic engine runs.
#[derive(Debug, Clone)]
pub struct ClassicSettings {
    /// Threads of a search.
    pub threads: usize,
    /// Bytes for each of the two trees, the partner's and the analyst's.
    pub memory: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings {
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            memory: 128 << 20,
            seed: 0,
        }
    }
}

impl House {
    /// Returns the house with the classic engine alone, which needs no network.
    pub fn classic(settings: ClassicSettings) -> House {
        let strength = |&(id, playouts): &(&str, u64)| StrengthOffer {
            id: id.to_owned(),
            playouts,
            default: id == USUAL,
        };
        House {
            engines: vec![EngineOffer {
                id: "classic".to_owned(),
                name: "classic tree search".to_owned(),
            }],
            partners: vec![PartnerOffer {
                id: "classic".to_owned(),
                name: "classic tree search".to_owned(),
                strengths: STRENGTHS.iter().map(strength).collect(),
                levels: Vec::new(),
                styles: Vec::new(),
            }],
            make: Box::new(move || Engines {
                partners: vec![Box::new(ClassicPartner {
                    analyst: Box::new(analyst(&settings, true)),
                })],
                analyst: Box::new(analyst(&settings, false)),
            }),
        }
    }
}

fn analyst(settings: &ClassicSettings, stop_when_decided: bool) -> Classic {
    let settings = UctSettings {
        threads: settings.threads.max(1),
        seed: settings.seed,
        memory: settings.memory.max(UctSettings::MIN_MEMORY),
        stop_when_decided,
        ..UctSettings::default()
    };
    Classic::new(settings, Knowledge::shipped()).expect("the usual settings with threads and room")
}

/// Plays what a search finds, with a person's manners.
struct ClassicPartner {
    analyst: Box<dyn Analyst>,
}

impl Partner for ClassicPartner {
    fn id(&self) -> &'static str {
        "classic"
    }

    fn play(&mut self, turn: &Turn, stop: &StopFlag, report: &mut dyn FnMut(u64, f32)) -> Thought {
        let begun = Instant::now();
        let playouts = playouts(turn.settings.strength.as_deref());
        let limits = Limits {
            playouts: Some(playouts),
            time: turn.time,
            stop: stop.clone(),
            ..Limits::default()
        };
        let position = &turn.position;
        let mut tell = |analysis: &Analysis| {
            let share = analysis.playouts as f32 / playouts as f32;
            report(analysis.visits, share.min(1.0));
        };
        let analysis = self
            .analyst
            .watch(position, &limits, REPORT_EVERY, &mut tell);
        let manners = DecideSettings::default();
        let after_pass = manners.wants_pass_checked(position, &analysis).then(|| {
            let mut after = position.clone();
            after.play(Move::Pass).expect("a pass is always legal");
            let part = Limits {
                playouts: Some((playouts / PASS_CHECK).max(1)),
                time: turn.time.map(|it| it / PASS_CHECK as u32),
                ..limits.clone()
            };
            self.analyst.analyze(&after, &part)
        });
        let situation = Situation {
            hopeless_before: turn.hopeless_before,
            cleanup: false,
            after_pass: after_pass.as_ref(),
        };
        let decision = decide(position, &analysis, situation, &manners);
        Thought {
            reply: decision.reply,
            reason: decision.why.into(),
            hopeless: manners.is_hopeless(position, &analysis),
            engine: self.analyst.name().to_owned(),
            analysis,
            time: begun.elapsed(),
        }
    }
}

fn playouts(strength: Option<&str>) -> u64 {
    let wanted = strength.unwrap_or(USUAL);
    let found = STRENGTHS.iter().find(|(id, _)| *id == wanted);
    // A game kept from a version with other strengths goes on at the usual one.
    found.map_or(800, |&(_, playouts)| playouts)
}

impl From<Why> for Reason {
    fn from(why: Why) -> Reason {
        match why {
            Why::Search => Reason::Search,
            Why::OpponentPassed => Reason::OpponentPassed,
            Why::Settled => Reason::Settled,
            Why::NoMove => Reason::NoMove,
            Why::Cleanup => Reason::Cleanup,
            Why::Hopeless => Reason::Hopeless,
        }
    }
}
