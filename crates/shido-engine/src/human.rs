//! What people play: a human-imitation network asked by rank, or the move model.
//!
//! The policies of (HI24, §3.1) need `π_human`, the chance that a person of some rank
//! makes a move. A network that knows ranks is told the mover's and the opponent's; one
//! that does not is asked all the same; without any the Bradley–Terry model of the
//! classic engine answers, which knows no ranks. KataGo's humanv0 files work as ours do.
//!
//! One evaluation answers for a position; asking again about it costs nothing.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shido_go::{Color, Position, Rank, Size, Symmetry};
use shido_net::{CpuChoice, InputSettings, Profile, ProfileError};
use shido_search::Evaluation;
use shido_search::uct::{Knowledge, UctSettings};

use crate::native::evaluator::{Ask, Evaluator};
use crate::native::{EvaluationCache, LONGEST_SIDE, Network, NetworkError};
use crate::{Analyst, Classic, nets};

/// Bytes of answers kept.
const CACHE: usize = 8 << 20;

/// The ranks of the player to move and of the opponent, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ranks {
    /// Whom to imitate.
    pub mover: Option<Rank>,
    /// Whom they play against.
    pub opponent: Option<Rank>,
}

impl Ranks {
    /// Returns two players of one rank.
    pub fn both(rank: Rank) -> Ranks {
        Ranks {
            mover: Some(rank),
            opponent: Some(rank),
        }
    }

    fn profile(self, mover: Color) -> Profile {
        Profile::of_ranks(match mover {
            Color::Black => [self.mover, self.opponent],
            Color::White => [self.opponent, self.mover],
        })
    }
}

/// Which source to ask; opening it reads the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum HumanNet {
    /// The network that is part of the program.
    #[default]
    Embedded,
    /// A file in KataGo's format.
    File(PathBuf),
    /// The Bradley–Terry model of the classic engine.
    MoveModel,
}

impl HumanNet {
    /// Makes the source ready.
    pub fn open(&self, cpu: CpuChoice) -> Result<HumanSource, NetworkError> {
        Ok(match self.network(cpu)? {
            Some(network) => HumanSource::of_network(Arc::new(network)),
            None => HumanSource::move_model(),
        })
    }

    /// Reads the network, if it is one.
    pub fn network(&self, cpu: CpuChoice) -> Result<Option<Network>, NetworkError> {
        let network = match self {
            HumanNet::Embedded => Network::embedded(&nets::HUMAN, cpu)?,
            HumanNet::File(path) => Network::open(path, cpu)?,
            HumanNet::MoveModel => return Ok(None),
        };
        if !network.imitates_people {
            tracing::warn!("{} does not know ranks; it is asked without", network.file);
        }
        Ok(Some(network))
    }
}

/// KataGo's name for the setting that says whom to imitate.
pub const PROFILE: &str = "humanSLProfile";

/// Reads the value of [`PROFILE`]: whom it names, if anyone.
pub fn read_profile(text: &str) -> Result<Option<Profile>, ProfileError> {
    match text {
        // KataGo's words for nobody.
        "" | "_" | "\"\"" => Ok(None),
        name => name.parse().map(Some),
    }
}

/// How a network is asked about a position; the default asks for the position as it
/// lies, with its history, and for nobody in particular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HumanQuestion {
    /// Whom to imitate; a network that cannot is asked without.
    pub profile: Option<Profile>,
    /// Symmetries whose evaluations are averaged, as bits; at least one.
    pub symmetries: u8,
    /// What the network is told beside the stones.
    pub inputs: InputSettings,
    /// How much of the optimistic policy is mixed in, 0 to 1.
    pub optimism: f32,
}

impl Default for HumanQuestion {
    fn default() -> HumanQuestion {
        HumanQuestion {
            profile: None,
            symmetries: 1 << Symmetry::IDENTITY.bits(),
            inputs: InputSettings::default(),
            optimism: 0.0,
        }
    }
}

/// Says how likely a person makes each move.
pub struct HumanSource {
    kind: Kind,
}

enum Kind {
    Network {
        network: Arc<Network>,
        evaluator: Box<Evaluator>,
        /// Answers on boards that networks do not take; made when it is needed.
        model: Option<Box<Classic>>,
    },
    Model(Box<Classic>),
}

impl HumanSource {
    /// Returns the network that is part of the program.
    pub fn embedded(cpu: CpuChoice) -> Result<HumanSource, NetworkError> {
        HumanNet::Embedded.open(cpu)
    }

    /// Reads a network file.
    pub fn open(path: &Path, cpu: CpuChoice) -> Result<HumanSource, NetworkError> {
        HumanNet::File(path.to_owned()).open(cpu)
    }

    /// Returns a source that asks a network.
    pub fn of_network(network: Arc<Network>) -> HumanSource {
        let cache = Arc::new(EvaluationCache::new(CACHE));
        let evaluator = Box::new(Evaluator::new(Arc::clone(&network), cache));
        HumanSource {
            kind: Kind::Network {
                network,
                evaluator,
                model: None,
            },
        }
    }

    /// Returns the Bradley–Terry model that is part of the program.
    pub fn move_model() -> HumanSource {
        HumanSource {
            kind: Kind::Model(move_model()),
        }
    }

    /// Returns the network, if it is one.
    pub fn network(&self) -> Option<&Network> {
        match &self.kind {
            Kind::Network { network, .. } => Some(network),
            Kind::Model(_) => None,
        }
    }

    /// Returns whether different ranks get different answers.
    pub fn knows_ranks(&self) -> bool {
        self.network().is_some_and(|it| it.imitates_people)
    }

    /// Returns whether the answers on a board tell how likely a pass is; the move model gives
    /// it a constant.
    pub fn knows_passes(&self, size: Size) -> bool {
        self.network().is_some() && is_for_networks(size)
    }

    /// Returns how likely each move is, row by row from the top left, then the pass;
    /// sums to 1, illegal moves are 0.
    pub fn policy(&mut self, position: &Position, ranks: Ranks) -> Vec<f32> {
        let question = HumanQuestion {
            profile: Some(ranks.profile(position.to_move())),
            ..HumanQuestion::default()
        };
        if let Some(evaluation) = self.evaluate(position, &question) {
            return evaluation.policy.into_vec();
        }
        match &mut self.kind {
            Kind::Network { model, .. } => model.get_or_insert_with(move_model).policy(position),
            Kind::Model(classic) => classic.policy(position),
        }
    }

    /// Returns all that the network says; `None` from the move model, and of a board that
    /// networks do not take.
    pub fn evaluate(
        &mut self,
        position: &Position,
        question: &HumanQuestion,
    ) -> Option<Evaluation> {
        let Kind::Network {
            network, evaluator, ..
        } = &mut self.kind
        else {
            return None;
        };
        if !is_for_networks(position.size()) {
            return None;
        }
        let ask = Ask {
            position,
            symmetries: question.symmetries,
            inputs: question.inputs,
            optimism: question.optimism,
            profile: network.profile(question.profile),
        };
        evaluator.evaluate(&[ask]).pop()
    }

    /// Returns the positions that went through the network so far.
    pub fn evaluations(&self) -> u64 {
        match &self.kind {
            Kind::Network { evaluator, .. } => evaluator.computed,
            Kind::Model(_) => 0,
        }
    }
}

fn is_for_networks(size: Size) -> bool {
    size.width().max(size.height()) <= LONGEST_SIDE
}

fn move_model() -> Box<Classic> {
    let settings = UctSettings {
        memory: UctSettings::MIN_MEMORY,
        ..UctSettings::default()
    };
    let classic = Classic::new(settings, Knowledge::shipped());
    Box::new(classic.expect("the least memory is allowed"))
}

impl fmt::Display for HumanSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.network() {
            Some(network) => f.write_str(&network.name),
            None => f.write_str("move model"),
        }
    }
}

#[cfg(test)]
mod tests {
    use shido_go::gtp::parse_vertex;
    use shido_go::{Move, Rules};
    use shido_net::tiny;

    use super::*;

    fn position(moves: &str) -> Position {
        let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        for word in moves.split_whitespace() {
            position
                .play(parse_vertex(word, Size::S9).unwrap())
                .unwrap();
        }
        position
    }

    /// Whether it sums to 1 and leaves illegal moves out.
    fn check(position: &Position, policy: &[f32]) {
        assert_eq!(policy.len(), 82);
        let sum: f32 = policy.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        for (point, &p) in Size::S9.points().zip(policy) {
            let legal = position.is_legal(position.to_move(), Move::Play(point));
            assert!(legal || p == 0.0);
        }
    }

    #[test]
    fn the_network_answers_by_rank_and_once() {
        let mut source = HumanSource::embedded(CpuChoice::Auto).unwrap();
        assert!(source.knows_ranks() && source.knows_passes(Size::S9));
        let position = position("E5 C3 G7 C7");
        let weak = source.policy(&position, Ranks::both(Rank::Kyu(25)));
        let strong = source.policy(&position, Ranks::both(Rank::Dan(6)));
        let mixed = Ranks {
            opponent: Some(Rank::Dan(6)),
            ..Ranks::both(Rank::Kyu(25))
        };
        let mixed = source.policy(&position, mixed);
        for policy in [&weak, &strong, &mixed] {
            check(&position, policy);
        }
        assert!(weak != strong && weak != mixed);
        assert_eq!(source.evaluations(), 3);
        let again = source.policy(&position, Ranks::both(Rank::Kyu(25)));
        assert_eq!((again, source.evaluations()), (weak, 3));
    }

    #[test]
    fn colors_change_who_is_the_mover() {
        let ranks = Ranks {
            mover: Some(Rank::Kyu(9)),
            opponent: None,
        };
        assert_eq!(ranks.profile(Color::Black).to_string(), "rank_9k_unknown");
        assert_eq!(ranks.profile(Color::White).to_string(), "rank_unknown_9k");
    }

    #[test]
    fn a_profile_is_read_or_refused() {
        for nobody in ["", "_", "\"\""] {
            assert_eq!(read_profile(nobody), Ok(None), "{nobody}");
        }
        for name in ["rank_8k", "rank_12k_2d", "preaz_5k", "proyear_2000"] {
            let found = read_profile(name).unwrap().expect("a profile");
            assert_eq!(found.to_string(), name);
        }
        for name in ["8k", "rank_31k", "rank_8k_", "proyear_1700"] {
            assert!(read_profile(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_question_is_answered_as_it_is_asked() {
        let mut source = HumanSource::embedded(CpuChoice::Auto).unwrap();
        let position = position("E5 C3");
        let profile = read_profile("rank_8k").unwrap();
        let plain = HumanQuestion {
            profile,
            ..HumanQuestion::default()
        };
        let mut ask = |question: &HumanQuestion| source.evaluate(&position, question).unwrap();
        let evaluation = ask(&plain);
        check(&position, &evaluation.policy);
        assert!(evaluation.short_term_score_error.is_some());
        let turned = HumanQuestion {
            symmetries: 1 << 5,
            ..plain
        };
        let forgetful = HumanQuestion {
            inputs: InputSettings {
                max_history: 0,
                ..InputSettings::default()
            },
            ..plain
        };
        assert_ne!(ask(&turned).policy, evaluation.policy);
        assert_ne!(ask(&forgetful).policy, evaluation.policy);
        let by_ranks = source.policy(&position, Ranks::both(Rank::Kyu(8)));
        assert_eq!(by_ranks, evaluation.policy.into_vec());
        let none = HumanSource::move_model().evaluate(&position, &plain);
        assert_eq!(none, None);
    }

    #[test]
    fn our_network_hears_nothing_but_ranks_and_others_hear_the_time() {
        let plan = tiny::Plan {
            meta: true,
            ..tiny::Plan::new(17)
        };
        let other = Network::new(plan.build(), CpuChoice::Auto).unwrap();
        let own = HumanSource::embedded(CpuChoice::Auto).unwrap();
        let position = position("E5 C3");
        for (mut source, same) in [(own, true), (HumanSource::of_network(other.into()), false)] {
            let mut ask = |name: &str| {
                let question = HumanQuestion {
                    profile: read_profile(name).unwrap(),
                    ..HumanQuestion::default()
                };
                source.evaluate(&position, &question).unwrap().policy
            };
            assert_eq!(ask("preaz_5k") == ask("rank_5k"), same);
            assert_eq!(ask("proyear_1914") == ask("rank_9d"), same);
            assert_ne!(ask("rank_5k"), ask("rank_9d"));
        }
    }

    #[test]
    fn the_move_model_answers_without_ranks() {
        let mut source = HumanSource::move_model();
        assert!(!source.knows_ranks() && source.network().is_none());
        assert!(!source.knows_passes(Size::S9));
        let position = position("E5 C3");
        let policy = source.policy(&position, Ranks::default());
        check(&position, &policy);
        assert_eq!(source.policy(&position, Ranks::both(Rank::Dan(1))), policy);
    }

    #[test]
    fn a_board_too_large_for_networks_is_left_to_the_move_model() {
        let mut source = HumanNet::Embedded.open(CpuChoice::Auto).unwrap();
        let size = Size::square(21).unwrap();
        let position = Position::new(size, Rules::JAPANESE, 6.5);
        let policy = source.policy(&position, Ranks::default());
        assert_eq!((policy.len(), source.evaluations()), (442, 0));
        assert!(!source.knows_passes(size));
    }

    #[test]
    fn a_file_that_is_no_network_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no.bin.gz");
        assert!(HumanSource::open(&path, CpuChoice::Auto).is_err());
        std::fs::write(&path, "nothing").unwrap();
        let error = HumanSource::open(&path, CpuChoice::Auto).err().unwrap();
        assert!(error.to_string().contains("no.bin.gz"), "{error}");
    }
}
