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

use shido_go::{Color, Position, Rank, Symmetry};
use shido_net::{CpuChoice, InputSettings, Profile};
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
        match self {
            HumanNet::Embedded => HumanSource::embedded(cpu),
            HumanNet::File(path) => HumanSource::open(path, cpu),
            HumanNet::MoveModel => Ok(HumanSource::move_model()),
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
        let network = Network::embedded(&nets::HUMAN, cpu)?;
        Ok(HumanSource::of_network(Arc::new(network)))
    }

    /// Reads a network file.
    pub fn open(path: &Path, cpu: CpuChoice) -> Result<HumanSource, NetworkError> {
        let network = Network::open(path, cpu)?;
        if !network.imitates_people {
            tracing::warn!("{} does not know ranks; it is asked without", network.file);
        }
        Ok(HumanSource::of_network(Arc::new(network)))
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

    /// Returns how likely each move is, row by row from the top left, then the pass;
    /// sums to 1, illegal moves are 0.
    pub fn policy(&mut self, position: &Position, ranks: Ranks) -> Vec<f32> {
        let (network, evaluator) = match &mut self.kind {
            Kind::Network {
                network,
                evaluator,
                model,
            } => {
                let size = position.size();
                if size.width().max(size.height()) > LONGEST_SIDE {
                    return model.get_or_insert_with(move_model).policy(position);
                }
                (network, evaluator)
            }
            Kind::Model(classic) => return classic.policy(position),
        };
        let profile = ranks.profile(position.to_move());
        let ask = Ask {
            position,
            symmetries: 1 << Symmetry::IDENTITY.bits(),
            inputs: InputSettings::default(),
            optimism: 0.0,
            profile: network.imitates_people.then_some(profile),
        };
        let mut answers = evaluator.evaluate(&[ask]);
        answers
            .pop()
            .map_or_else(Vec::new, |it| it.policy.into_vec())
    }

    /// Returns the positions that went through the network so far.
    pub fn evaluations(&self) -> u64 {
        match &self.kind {
            Kind::Network { evaluator, .. } => evaluator.computed,
            Kind::Model(_) => 0,
        }
    }
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
    use shido_go::{Move, Rules, Size};

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
        assert!(source.knows_ranks());
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
    fn the_move_model_answers_without_ranks() {
        let mut source = HumanSource::move_model();
        assert!(!source.knows_ranks() && source.network().is_none());
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
