//! What can be asked for people's moves: networks and the move model.

use std::sync::Arc;

use shido_go::{Color, Move, Rank};
use shido_net::{
    CpuChoice, CpuError, Encoder, Engine, Forward, InputSettings, Inputs, Judge, Judgment, Model,
    Outputs, Profile, Question,
};
use shido_patterns::feature_set::{FeatureSet, Teams, Turn};
use shido_patterns::model::{Model as PatternModel, ModelError, SHIPPED_LARGE};

use super::Step;
use crate::patterns::evaluate::Guess;

/// What is measured.
pub enum Predictor {
    /// A network.
    Net(NetPredictor),
    /// The move model.
    Pattern(PatternModel),
}

/// A network, packed for this processor.
pub struct NetPredictor {
    engine: Engine,
    judge: Judge,
    imitates_people: bool,
    inputs: InputSettings,
}

impl NetPredictor {
    /// Returns whether it is told whom to imitate.
    pub fn imitates_people(&self) -> bool {
        self.imitates_people
    }

    /// Returns how it is computed in a word.
    pub fn cpu(&self) -> &'static str {
        self.engine.name()
    }
}

impl Predictor {
    /// Packs a network for the processor.
    pub fn net(model: Arc<Model>, cpu: CpuChoice) -> Result<Predictor, CpuError> {
        Ok(Predictor::Net(NetPredictor {
            judge: Judge::new(&model),
            imitates_people: model.trunk.meta_encoder.is_some(),
            inputs: InputSettings {
                pass_alive_under_suicide: model.prefers_pass_alive_under_suicide,
                ..InputSettings::default()
            },
            engine: Engine::new(model, cpu)?,
        }))
    }

    /// Returns the move model that is part of the program.
    pub fn pattern() -> Result<Predictor, ModelError> {
        let model = PatternModel::from_bytes(SHIPPED_LARGE)?;
        model.feature_set()?;
        Ok(Predictor::Pattern(model))
    }

    /// Makes what one thread needs.
    pub(super) fn worker(&self) -> Worker<'_> {
        match self {
            Predictor::Net(net) => Worker::Net(Box::new(NetWorker {
                net,
                forward: net.engine.forward(),
                encoder: Encoder::new(),
                outputs: Vec::new(),
                judgment: Judgment::default(),
            })),
            Predictor::Pattern(model) => Worker::Pattern {
                features: model.feature_set().expect("checked when it was read"),
                weights: &model.weights,
                teams: Teams::default(),
            },
        }
    }
}

/// What was said of one position.
pub(super) struct Answer {
    pub(super) guess: Guess,
    /// The mover's chance to win and points, if they are known.
    pub(super) value: Option<(f64, f64)>,
}

/// One thread's predictor.
pub(super) enum Worker<'a> {
    Net(Box<NetWorker<'a>>),
    Pattern {
        features: Box<dyn FeatureSet>,
        weights: &'a [f32],
        teams: Teams,
    },
}

pub(super) struct NetWorker<'a> {
    net: &'a NetPredictor,
    forward: Box<dyn Forward>,
    encoder: Encoder,
    outputs: Vec<Outputs>,
    judgment: Judgment,
}

impl Worker<'_> {
    /// Asks about positions; `ranks` says whose moves are asked for, Black's rank first.
    pub(super) fn ask(
        &mut self,
        steps: &[Step],
        ranks: impl Fn(usize) -> [Option<Rank>; 2],
    ) -> Vec<Answer> {
        match self {
            Worker::Net(worker) => {
                let inputs: Vec<Inputs> = steps
                    .iter()
                    .enumerate()
                    .map(|(i, step)| worker.encode(step, ranks(i)))
                    .collect();
                worker.run(&inputs);
                (0..steps.len())
                    .map(|i| worker.answer(&steps[i], i))
                    .collect()
            }
            Worker::Pattern {
                features,
                weights,
                teams,
            } => steps
                .iter()
                .map(|step| {
                    let position = &step.position;
                    let mut before = position.moves().iter().rev();
                    let mut last = || before.next().and_then(|it| it.mv.point());
                    let turn = Turn {
                        board: position.board(),
                        mover: position.to_move(),
                        last: [last(), last()],
                    };
                    features.teams(&turn, teams);
                    let guess = match teams.position(step.played) {
                        Some(played) => Guess::new(teams, played, weights),
                        // Suicide, which it does not know.
                        None => Guess::of_scores(&vec![0.0; position.size().area()], 0),
                    };
                    Answer { guess, value: None }
                })
                .collect(),
        }
    }

    /// Returns the logarithm of a move's chance for each of the given players.
    pub(super) fn log_chances(
        &mut self,
        step: &Step,
        players: &[[Option<Rank>; 2]],
        chances: &mut Vec<f64>,
    ) {
        chances.clear();
        let Worker::Net(worker) = self else {
            return;
        };
        let plain = worker.encode(step, [None; 2]);
        for players in players.chunks(super::BATCH) {
            let inputs: Vec<Inputs> = players
                .iter()
                .map(|&ranks| worker.describe(plain.clone(), step, ranks))
                .collect();
            worker.run(&inputs);
            for i in 0..players.len() {
                chances.push(worker.guess(step, i).probability.ln());
            }
        }
    }
}

impl NetWorker<'_> {
    fn encode(&mut self, step: &Step, ranks: [Option<Rank>; 2]) -> Inputs {
        let inputs = self.encoder.encode(&step.position, &self.net.inputs);
        self.describe(inputs, step, ranks)
    }

    fn describe(&self, mut inputs: Inputs, step: &Step, ranks: [Option<Rank>; 2]) -> Inputs {
        if self.net.imitates_people {
            let position = &step.position;
            let profile = Profile::of_ranks(ranks);
            inputs.meta = Some(profile.channels(position.to_move(), position.size()));
        }
        inputs
    }

    fn run(&mut self, inputs: &[Inputs]) {
        if self.outputs.len() < inputs.len() {
            self.outputs.resize_with(inputs.len(), Outputs::default);
        }
        let inputs: Vec<&Inputs> = inputs.iter().collect();
        self.forward.run(&inputs, &mut self.outputs[..inputs.len()]);
    }

    fn guess(&self, step: &Step, output: usize) -> Guess {
        let position = &step.position;
        let mover = position.to_move();
        let logits = &self.outputs[output].policy;
        let mut scores = Vec::with_capacity(position.size().area());
        let mut played = 0;
        for (i, point) in position.size().points().enumerate() {
            if point == step.played {
                played = scores.len();
            }
            if position.is_legal(mover, Move::Play(point)) {
                scores.push(f64::from(logits[i]));
            }
        }
        Guess::of_scores(&scores, played)
    }

    fn answer(&mut self, step: &Step, output: usize) -> Answer {
        let position = &step.position;
        // The policy has been looked at already; only the value is asked for.
        let legal = vec![true; position.size().area() + 1];
        let question = Question::new(&legal, position.rules());
        let outputs = &self.outputs[output];
        self.net
            .judge
            .judge_into(outputs, &question, &mut self.judgment);
        let it = &self.judgment;
        let win = f64::from(it.win) + 0.5 * f64::from(it.no_result);
        Answer {
            guess: self.guess(step, output),
            value: Some((win, f64::from(it.score_mean))),
        }
    }
}

/// Returns the ranks of a player of this rank against an unknown one.
pub(super) fn against_unknown(mover: Color, rank: Rank) -> [Option<Rank>; 2] {
    let mut ranks = [None; 2];
    ranks[mover.index()] = Some(rank);
    ranks
}
