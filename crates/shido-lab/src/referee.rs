//! Who won a game that nobody resigned.
//!
//! The players are asked what they think, and the referee of the spec decides:
//! the board as it stands, the players where they agree, or an engine that names
//! the dead stones. An opinion that differs from the decision marks the game as
//! disputed; it changes nothing else.

use std::time::Duration;

use shido_engine::outside::{EngineFailure, ProcessSettings};
use shido_engine::player::{GtpPlayer, Player};
use shido_go::gtp::format_vertex;
use shido_go::{Color, Move, PointSet, Position, Score};

use crate::line::{End, Opinions, Outcome};
use crate::spec;

/// Decides games.
pub(crate) struct Referee {
    kind: spec::Referee,
    engine: Option<GtpPlayer>,
}

impl Referee {
    /// Returns the referee of a spec.
    pub(crate) fn new(kind: spec::Referee) -> Referee {
        Referee { kind, engine: None }
    }

    /// Starts the engine, if the referee is one and it does not run yet: that there is no
    /// such program should not be found out when the first game is over.
    pub(crate) fn start(&mut self) -> Result<(), EngineFailure> {
        match &self.kind {
            spec::Referee::Engine { command, timeout_s } => {
                started(&mut self.engine, command, *timeout_s).map(|_| ())
            }
            spec::Referee::TrompTaylor | spec::Referee::Players => Ok(()),
        }
    }

    /// Decides a game that ended by passes or by its length.
    ///
    /// Only the referee's own engine can fail here, after a second try.
    pub(crate) fn decide(
        &mut self,
        position: &Position,
        end: End,
        opinions: [Option<Score>; 2],
    ) -> Result<Outcome, EngineFailure> {
        let (score, dead) = match &self.kind {
            spec::Referee::TrompTaylor => (as_it_stands(position), PointSet::new()),
            spec::Referee::Players => {
                let score = agreed(opinions).unwrap_or_else(|| as_it_stands(position));
                (score, PointSet::new())
            }
            spec::Referee::Engine { .. } => {
                let dead = self.dead_stones(position)?;
                (position.score(&dead), dead)
            }
        };
        Ok(Outcome {
            winner: score.leader(),
            end,
            margin: Some(score.lead(Color::Black)),
            why: None,
            disputed: opinions.iter().flatten().any(|&opinion| opinion != score),
            opinions: Opinions {
                black: opinions[0].map(|it| it.to_string()),
                white: opinions[1].map(|it| it.to_string()),
            },
            dead: dead
                .iter()
                .map(|point| format_vertex(Move::Play(point), position.size()))
                .collect(),
        })
    }

    fn dead_stones(&mut self, position: &Position) -> Result<PointSet, EngineFailure> {
        let spec::Referee::Engine { command, timeout_s } = &self.kind else {
            return Ok(PointSet::new());
        };
        let mut first_try = true;
        loop {
            let answer = ask(&mut self.engine, command, *timeout_s, position);
            match answer {
                Ok(dead) => return Ok(dead),
                Err(failure) => {
                    self.engine = None;
                    if !first_try {
                        return Err(failure);
                    }
                    first_try = false;
                }
            }
        }
    }
}

fn ask(
    engine: &mut Option<GtpPlayer>,
    command: &str,
    timeout_s: f64,
    position: &Position,
) -> Result<PointSet, EngineFailure> {
    let engine = started(engine, command, timeout_s)?;
    engine.new_game(position, 0)?;
    let dead = engine.dead_stones(position)?;
    dead.ok_or_else(|| EngineFailure::Refused {
        command: "final_status_list dead".to_owned(),
        message: "the referee does not know this command".to_owned(),
    })
}

/// Returns the engine, started if it does not run.
fn started<'e>(
    engine: &'e mut Option<GtpPlayer>,
    command: &str,
    timeout_s: f64,
) -> Result<&'e mut GtpPlayer, EngineFailure> {
    if engine.is_none() {
        let timeout = Duration::from_secs_f64(timeout_s);
        let settings = ProcessSettings {
            start_timeout: timeout,
            timeout,
            ..ProcessSettings::default()
        };
        *engine = Some(GtpPlayer::start(command, settings)?);
    }
    Ok(engine.as_mut().expect("it was just started"))
}

fn as_it_stands(position: &Position) -> Score {
    position.score(&PointSet::new())
}

/// Returns what all say who say anything.
fn agreed(opinions: [Option<Score>; 2]) -> Option<Score> {
    match opinions {
        [Some(black), Some(white)] => (black == white).then_some(black),
        [one, None] | [None, one] => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Rules, Size};

    fn decide(kind: spec::Referee, opinions: [Option<f32>; 2]) -> Outcome {
        let position = Position::new(Size::S9, Rules::CHINESE, 7.5);
        let opinions = opinions.map(|it| it.map(Score::for_black));
        let mut referee = Referee::new(kind);
        referee.decide(&position, End::Passes, opinions).unwrap()
    }

    #[test]
    fn the_board_decides_and_a_wrong_opinion_is_a_dispute() {
        let kind = spec::Referee::TrompTaylor;
        let outcome = decide(kind.clone(), [Some(-7.5), None]);
        assert_eq!(
            (outcome.margin, outcome.winner),
            (Some(-7.5), Some(Color::White))
        );
        assert!(!outcome.disputed);
        let outcome = decide(kind, [Some(-7.5), Some(2.5)]);
        assert_eq!(outcome.margin, Some(-7.5));
        assert!(outcome.disputed);
        assert_eq!(outcome.opinions.white.as_deref(), Some("B+2.5"));
    }

    #[test]
    fn players_decide_where_they_agree() {
        let kind = spec::Referee::Players;
        let outcome = decide(kind.clone(), [Some(2.5), Some(2.5)]);
        assert_eq!((outcome.margin, outcome.disputed), (Some(2.5), false));
        let outcome = decide(kind.clone(), [None, Some(2.5)]);
        assert_eq!((outcome.margin, outcome.disputed), (Some(2.5), false));
        let outcome = decide(kind.clone(), [Some(3.5), Some(2.5)]);
        assert_eq!((outcome.margin, outcome.disputed), (Some(-7.5), true));
        let outcome = decide(kind, [None, None]);
        assert_eq!((outcome.margin, outcome.disputed), (Some(-7.5), false));
    }
}
