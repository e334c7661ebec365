//! From positions to evaluations: encoding, cache, forward pass, heads; one per thread.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use shido_go::{Color, Point, Position, Symmetry};
use shido_net::{
    Encoder, Forward, InputKey, InputSettings, Inputs, Judgment, Outputs, Plane, Profile, Question,
};
use shido_search::{Evaluation, ForMover, Points, WinRate};

use super::cache::EvaluationCache;
use super::network::Network;

/// The plane of the inputs that tells where ko and superko forbid to play.
const KO_BANS: usize = 6;

/// A position to evaluate, and how.
pub(crate) struct Ask<'a> {
    pub(crate) position: &'a Position,
    /// Symmetries whose evaluations are averaged, as bits; at least one.
    pub(crate) symmetries: u8,
    pub(crate) inputs: InputSettings,
    /// How much of the optimistic policy is mixed in.
    pub(crate) optimism: f32,
    /// Whom a human-imitation network is to imitate.
    pub(crate) profile: Option<Profile>,
}

impl Ask<'_> {
    fn symmetries(&self) -> impl Iterator<Item = Symmetry> + use<> {
        let bits = self.symmetries;
        Symmetry::all().filter(move |it| bits >> it.bits() & 1 != 0)
    }
}

/// One input of a batch.
struct Pending {
    ask: usize,
    key: InputKey,
    symmetry: Symmetry,
    inputs: Inputs,
    /// Where ko and superko forbid to play, not turned.
    banned: Plane,
}

/// Evaluates positions on one thread.
pub(crate) struct Evaluator {
    network: Arc<Network>,
    cache: Arc<EvaluationCache>,
    forward: Box<dyn Forward>,
    encoder: Encoder,
    pending: Vec<Pending>,
    outputs: Vec<Outputs>,
    judgment: Judgment,
    legal: Vec<bool>,
    /// Inputs computed so far.
    pub(crate) computed: u64,
}

impl Evaluator {
    pub(crate) fn new(network: Arc<Network>, cache: Arc<EvaluationCache>) -> Evaluator {
        Evaluator {
            forward: network.forward(),
            network,
            cache,
            encoder: Encoder::new(),
            pending: Vec::new(),
            outputs: Vec::new(),
            judgment: Judgment::default(),
            legal: Vec::new(),
            computed: 0,
        }
    }

    /// Evaluates positions, in their order.
    pub(crate) fn evaluate(&mut self, asks: &[Ask<'_>]) -> Vec<Evaluation> {
        let mut found: Vec<Vec<Arc<Evaluation>>> = asks.iter().map(|_| Vec::new()).collect();
        self.pending.clear();
        for (i, ask) in asks.iter().enumerate() {
            self.prepare(i, ask, &mut found[i]);
        }
        self.compute();
        let pending = std::mem::take(&mut self.pending);
        for (one, i) in pending.iter().zip(0..) {
            let ask = &asks[one.ask];
            let size = ask.position.size();
            self.outputs[i].turn_back(one.symmetry, size);
            let evaluation = Arc::new(self.judge(ask, &one.banned, i));
            self.cache.insert(one.key, Arc::clone(&evaluation));
            found[one.ask].push(evaluation);
        }
        self.pending = pending;
        found.into_iter().map(average).collect()
    }

    /// Looks the position up; what is not known becomes part of the batch.
    fn prepare(&mut self, index: usize, ask: &Ask<'_>, found: &mut Vec<Arc<Evaluation>>) {
        let position = ask.position;
        let inputs = InputSettings {
            pass_alive_under_suicide: self.network.pass_alive_under_suicide,
            ..ask.inputs
        };
        let mut key = Encoder::key(position, &inputs).with([u64::from(ask.optimism.to_bits())]);
        if let Some(profile) = ask.profile {
            key = key.with([hash_of(profile)]);
        }
        let mut plain: Option<Inputs> = None;
        for symmetry in ask.symmetries() {
            let key = key.with([u64::from(symmetry.bits())]);
            if let Some(known) = self.cache.get(key) {
                found.push(known);
                continue;
            }
            let plain = plain.get_or_insert_with(|| {
                let mut inputs = self.encoder.encode(position, &inputs);
                let meta = |it: &Profile| it.channels(position.to_move(), position.size());
                inputs.meta = ask.profile.as_ref().map(meta);
                inputs
            });
            self.pending.push(Pending {
                ask: index,
                key,
                symmetry,
                banned: plain.planes[KO_BANS],
                inputs: plain.turned(symmetry),
            });
        }
    }

    /// Runs the network on the batch.
    fn compute(&mut self) {
        let count = self.pending.len();
        if count == 0 {
            return;
        }
        if self.outputs.len() < count {
            self.outputs.resize_with(count, Outputs::default);
        }
        let inputs: Vec<&Inputs> = self.pending.iter().map(|it| &it.inputs).collect();
        self.forward.run(&inputs, &mut self.outputs[..count]);
        self.computed += count as u64;
    }

    /// Says what outputs turned back mean.
    fn judge(&mut self, ask: &Ask<'_>, banned: &Plane, output: usize) -> Evaluation {
        let position = ask.position;
        mark_legal(position, banned, &mut self.legal);
        let question = Question {
            optimism: ask.optimism,
            caps_pass: ask.inputs.passing_hacks,
            ..Question::new(&self.legal, position.rules())
        };
        let outputs = &self.outputs[output];
        self.network
            .judge
            .judge_into(outputs, &question, &mut self.judgment);
        to_evaluation(&self.judgment)
    }
}

/// Returns a number for a profile, the same in every run.
fn hash_of(profile: Profile) -> u64 {
    let mut hasher = DefaultHasher::new();
    profile.hash(&mut hasher);
    hasher.finish()
}

/// Marks the legal moves of the player to move, row by row, then the pass.
///
/// Superko is known from the inputs, where looking for it has been paid for already.
fn mark_legal(position: &Position, banned: &Plane, legal: &mut Vec<bool>) {
    let (board, mover) = (position.board(), position.to_move());
    legal.clear();
    legal.extend(position.size().points().enumerate().map(|(i, point)| {
        board.is_empty(point)
            && !banned.get(i)
            && (!board.is_suicide(mover, point) || allows_suicide(position, mover, point))
    }));
    legal.push(true);
}

fn allows_suicide(position: &Position, mover: Color, point: Point) -> bool {
    let around = point.neighbors();
    position.rules().suicide
        && around
            .iter()
            .any(|&n| position.board().stone(n) == Some(mover))
}

fn to_evaluation(judgment: &Judgment) -> Evaluation {
    Evaluation {
        policy: judgment.policy.as_slice().into(),
        win_rate: ForMover(WinRate(judgment.win + 0.5 * judgment.no_result)),
        no_result: judgment.no_result,
        score_mean: ForMover(Points(judgment.score_mean)),
        score_deviation: Points(judgment.score_deviation),
        lead: ForMover(Points(judgment.lead)),
        variance_time: judgment.variance_time,
        short_term_win_loss_error: judgment.short_term_win_loss_error,
        short_term_score_error: judgment.short_term_score_error.map(Points),
        ownership: Some(judgment.ownership.as_slice().into()),
    }
}

/// Returns the average of what was said of one position under several symmetries.
fn average(of: Vec<Arc<Evaluation>>) -> Evaluation {
    let share = 1.0 / of.len() as f32;
    let mut of = of.into_iter();
    let first = of.next().expect("every ask has a symmetry");
    let mut sum = Arc::unwrap_or_clone(first);
    if share == 1.0 {
        return sum;
    }
    let square = |it: &Evaluation| it.score_mean.0.0.powi(2) + it.score_deviation.0.powi(2);
    let mut squares = square(&sum);
    for it in of {
        squares += square(&it);
        add(&mut sum.policy, &it.policy);
        if let (Some(sum), Some(more)) = (&mut sum.ownership, &it.ownership) {
            add(sum, more);
        }
        sum.win_rate.0.0 += it.win_rate.0.0;
        sum.no_result += it.no_result;
        sum.score_mean.0.0 += it.score_mean.0.0;
        sum.lead.0.0 += it.lead.0.0;
        add_known(&mut sum.variance_time, it.variance_time);
        add_known(
            &mut sum.short_term_win_loss_error,
            it.short_term_win_loss_error,
        );
        if let (Some(sum), Some(more)) =
            (&mut sum.short_term_score_error, it.short_term_score_error)
        {
            sum.0 += more.0;
        }
    }
    scale(&mut sum, share);
    let mean = sum.score_mean.0.0;
    sum.score_deviation = Points((squares * share - mean * mean).max(0.0).sqrt());
    sum
}

fn add(sum: &mut [f32], more: &[f32]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

fn add_known(sum: &mut Option<f32>, more: Option<f32>) {
    if let (Some(sum), Some(more)) = (sum, more) {
        *sum += more;
    }
}

fn scale(sum: &mut Evaluation, share: f32) {
    sum.policy.iter_mut().for_each(|it| *it *= share);
    if let Some(owners) = &mut sum.ownership {
        owners.iter_mut().for_each(|it| *it *= share);
    }
    sum.win_rate.0.0 *= share;
    sum.no_result *= share;
    sum.score_mean.0.0 *= share;
    sum.lead.0.0 *= share;
    for value in [&mut sum.variance_time, &mut sum.short_term_win_loss_error] {
        *value = value.map(|it| it * share);
    }
    sum.short_term_score_error = sum.short_term_score_error.map(|it| Points(it.0 * share));
}
