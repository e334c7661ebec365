//! What a network's outputs mean: probabilities and points, as KataGo reckons them.
//!
//! Everything is from the side of the player to move. A game without result counts
//! as no score, so scores and lead are scaled by the chance that there is one.

use shido_go::{Ko, Rules, Scoring};

use crate::model::{Model, Multipliers};
use crate::outputs::Outputs;

/// What KataGo lets a pass outweigh all other moves by, where that is capped.
const PASS_CAP: f64 = 19.0;

/// What a network says about a position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judgment {
    /// The probability of each move, row by row, then the pass; 0 where illegal.
    pub policy: Vec<f32>,
    /// The chance to win.
    pub win: f32,
    /// The chance to lose.
    pub loss: f32,
    /// The chance of a game without result.
    pub no_result: f32,
    /// The mean final score of self-play.
    pub score_mean: f32,
    /// The standard deviation of that score.
    pub score_deviation: f32,
    /// The points the player is ahead by.
    pub lead: f32,
    /// How long the outcome stays open; known from version 9.
    pub variance_time: Option<f32>,
    /// How far win less loss may move soon; known from version 9.
    pub short_term_win_loss_error: Option<f32>,
    /// How far the score may move soon; known from version 9.
    pub short_term_score_error: Option<f32>,
    /// For each point, row by row: 1 the mover's, −1 the opponent's.
    pub ownership: Vec<f32>,
}

/// What a judgment depends on besides the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question<'a> {
    /// For each point, row by row, then the pass: whether it may be played.
    pub legal: &'a [bool],
    /// Whether the rules know games without result.
    pub no_result: bool,
    /// How much of the optimistic policy to mix in, 0 to 1, where there is one.
    pub optimism: f32,
    /// Above 1 flattens the policy, below 1 sharpens it.
    pub temperature: f32,
    /// Whether a pass gets at most 19 times what all other moves get.
    pub caps_pass: bool,
}

impl<'a> Question<'a> {
    /// Asks for the plain policy.
    pub fn new(legal: &'a [bool], rules: &Rules) -> Question<'a> {
        Question {
            legal,
            no_result: rules.ko == Ko::Simple || rules.scoring == Scoring::Territory,
            optimism: 0.0,
            temperature: 1.0,
            caps_pass: false,
        }
    }
}

/// Reads the outputs of one network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judge {
    version: u32,
    multipliers: Multipliers,
}

impl Judge {
    /// Takes from a network what its outputs' meaning depends on.
    pub fn new(model: &Model) -> Judge {
        Judge {
            version: model.version,
            multipliers: model.multipliers,
        }
    }

    /// Says what outputs mean.
    ///
    /// # Panics
    ///
    /// If there is not a legality for each move.
    pub fn judge(&self, outputs: &Outputs, question: &Question<'_>) -> Judgment {
        let mut judgment = Judgment::default();
        self.judge_into(outputs, question, &mut judgment);
        judgment
    }

    /// Says what outputs mean, reusing what `judgment` holds.
    ///
    /// # Panics
    ///
    /// If there is not a legality for each move.
    pub fn judge_into(&self, outputs: &Outputs, question: &Question<'_>, judgment: &mut Judgment) {
        let moves = outputs.ownership.len() + 1;
        assert_eq!(question.legal.len(), moves, "a legality for each move");
        policy(&outputs.policy, question, &mut judgment.policy);
        let [win, loss, no_result] = outcome(outputs.value, question.no_result);
        (judgment.win, judgment.loss) = (win as f32, loss as f32);
        judgment.no_result = no_result as f32;
        self.scores(outputs.scores, 1.0 - no_result, judgment);
        judgment.ownership.clear();
        let owners = outputs.ownership.iter().map(|&logit| tanh(logit));
        judgment.ownership.extend(owners);
    }

    fn scores(&self, scores: [f32; 6], has_result: f64, judgment: &mut Judgment) {
        let by = &self.multipliers;
        let [mean, deviation, lead, time, value_error, score_error] = scores.map(f64::from);
        let mean = mean * f64::from(by.score_mean);
        let deviation = softplus(deviation) * f64::from(by.score_deviation);
        // The head speaks of games with a result.
        let square = (mean * mean + deviation * deviation) * has_result;
        let mean = mean * has_result;
        judgment.score_mean = mean as f32;
        judgment.score_deviation = (square - mean * mean).max(0.0).sqrt() as f32;
        judgment.lead = (lead * f64::from(by.lead) * has_result) as f32;

        let [value_error, score_error] = match self.version {
            ..=9 => [softplus(value_error), softplus(score_error) * 10.0],
            10..=13 => [
                (softplus(value_error) * f64::from(by.short_term_value_error)).sqrt(),
                (softplus(score_error) * f64::from(by.short_term_score_error)).sqrt(),
            ],
            _ => [
                softplus(value_error * 0.5) * f64::from(by.short_term_value_error).sqrt(),
                softplus(score_error * 0.5) * f64::from(by.short_term_score_error).sqrt(),
            ],
        };
        let time = softplus(time) * f64::from(by.variance_time);
        let known = |value: f64| (self.version >= 9).then_some(value as f32);
        judgment.variance_time = known(time);
        judgment.short_term_win_loss_error = known(value_error);
        judgment.short_term_score_error = known(score_error);
    }
}

/// Fills the probabilities of the legal moves.
fn policy(logits: &[f32], question: &Question<'_>, policy: &mut Vec<f32>) {
    let moves = question.legal.len();
    let plain = &logits[..moves];
    let optimistic = logits.get(moves..2 * moves).unwrap_or(plain);
    let mixed = plain.iter().zip(optimistic);
    let mixed = mixed.map(|(plain, other)| plain + (other - plain) * question.optimism);
    policy.clear();
    policy.extend(mixed.zip(question.legal).map(|(logit, &legal)| {
        if legal {
            logit / question.temperature
        } else {
            f32::NEG_INFINITY
        }
    }));
    let highest = policy.iter().copied().fold(f32::MIN, f32::max);
    for weight in &mut *policy {
        *weight = (*weight - highest).exp();
    }
    let (pass, others) = policy.split_last_mut().expect("there is always the pass");
    if question.caps_pass {
        let others: f64 = others.iter().copied().map(f64::from).sum();
        // If nothing else can be played the pass must keep some weight.
        *pass = pass.min((others * PASS_CAP) as f32).max(1e-20);
    }
    let sum: f64 = policy.iter().copied().map(f64::from).sum();
    for weight in policy {
        *weight = (f64::from(*weight) / sum) as f32;
    }
}

/// Returns the chances of win, loss and no result.
fn outcome(logits: [f32; 3], no_result: bool) -> [f64; 3] {
    let mut logits = logits.map(f64::from);
    if !no_result {
        logits[2] = f64::NEG_INFINITY;
    }
    let highest = logits.into_iter().fold(f64::MIN, f64::max);
    let weights = logits.map(|logit| (logit - highest).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The hyperbolic tangent to about 2e-7, in arithmetic that compilers do several of at once:
/// a board has up to 361 of them, and the library's took a tenth of a search.
fn tanh(x: f32) -> f32 {
    /// From here on the tangent is 1.
    const FLAT: f32 = 10.0;
    /// A float this large has no places left behind the point: adding it rounds.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_145_75;
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    // e^(2|x|) = 2ⁿ eʳ with r at most half of ln 2.
    let twice = 2.0 * x.abs().clamp(0.0, FLAT);
    let rounded = twice * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = twice - n * LN_2_HIGH - n * LN_2_LOW;
    let series = 1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0));
    let series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * series)));
    let power = f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23));
    (1.0 - 2.0 / (power * series + 1.0)).copysign(x)
}

/// ln(1 + eˣ), without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::Plan;

    const LN_2: f32 = std::f32::consts::LN_2;

    fn outputs(policies: usize) -> Outputs {
        let channel = |first: f32| [first, 0.0, 0.0, LN_2, LN_2];
        Outputs {
            policy: [channel(0.0), channel(LN_2)][..policies].concat(),
            value: [LN_2, 0.0, LN_2],
            scores: [0.5, 0.0, 1.0, 0.0, 0.0, 0.0],
            ownership: vec![0.0, 1.0, -1.0, 20.0],
        }
    }

    fn rules(ko: Ko, scoring: Scoring) -> Rules {
        Rules {
            ko,
            scoring,
            ..Rules::default()
        }
    }

    #[track_caller]
    fn check(found: f32, expected: f32) {
        let error = (found - expected).abs();
        assert!(error <= 1e-6 * expected.abs().max(1.0), "{found}");
    }

    #[track_caller]
    fn check_all(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (&found, &expected) in found.iter().zip(expected) {
            check(found, expected);
        }
    }

    #[test]
    fn illegal_moves_get_nothing_and_the_rest_adds_up() {
        let judge = Judge::new(&Plan::new(14).build());
        let legal = [true, false, true, false, true];
        let mut question = Question::new(&legal, &Rules::default());
        let policy = |question: &Question<'_>| judge.judge(&outputs(2), question).policy;
        check_all(&policy(&question), &[0.25, 0.0, 0.25, 0.0, 0.5]);
        question.optimism = 1.0;
        check_all(&policy(&question), &[0.4, 0.0, 0.2, 0.0, 0.4]);
        question.optimism = 0.0;
        question.temperature = 0.5;
        let third = 1.0 / 6.0;
        check_all(&policy(&question), &[third, 0.0, third, 0.0, 4.0 * third]);
    }

    #[test]
    fn a_net_without_an_optimistic_policy_keeps_its_own() {
        let judge = Judge::new(&Plan::new(8).build());
        let legal = [true; 5];
        let mut question = Question::new(&legal, &Rules::default());
        question.optimism = 1.0;
        let seventh = 1.0 / 7.0;
        let expected = [seventh, seventh, seventh, 2.0 * seventh, 2.0 * seventh];
        check_all(&judge.judge(&outputs(1), &question).policy, &expected);
    }

    #[test]
    fn a_pass_can_be_capped() {
        let judge = Judge::new(&Plan::new(8).build());
        let mut outputs = outputs(1);
        outputs.policy = vec![0.0, 0.0, 0.0, 0.0, 10.0];
        let legal = [true, true, false, false, true];
        let mut question = Question::new(&legal, &Rules::default());
        assert!(judge.judge(&outputs, &question).policy[4] > 0.99);
        question.caps_pass = true;
        let expected = [0.025, 0.025, 0.0, 0.0, 0.95];
        check_all(&judge.judge(&outputs, &question).policy, &expected);
        question.legal = &[false, false, false, false, true];
        let expected = [0.0, 0.0, 0.0, 0.0, 1.0];
        check_all(&judge.judge(&outputs, &question).policy, &expected);
    }

    #[test]
    fn games_without_result_exist_under_some_rules_only() {
        let judge = Judge::new(&Plan::new(14).build());
        let cases = [
            (Ko::Simple, Scoring::Area, [0.4, 0.2, 0.4]),
            (Ko::Positional, Scoring::Territory, [0.4, 0.2, 0.4]),
            (Ko::Simple, Scoring::Territory, [0.4, 0.2, 0.4]),
            (Ko::Positional, Scoring::Area, [2.0 / 3.0, 1.0 / 3.0, 0.0]),
            (Ko::Situational, Scoring::Area, [2.0 / 3.0, 1.0 / 3.0, 0.0]),
        ];
        for (ko, scoring, expected) in cases {
            let question = Question::new(&[true; 5], &rules(ko, scoring));
            let it = judge.judge(&outputs(2), &question);
            check_all(&[it.win, it.loss, it.no_result], &expected);
            // Mean 10, deviation 20 ln 2 and lead 20, if there is a result.
            let result = 1.0 - it.no_result;
            let square = (100.0 + (20.0 * LN_2).powi(2)) * result;
            check(it.score_mean, 10.0 * result);
            check(it.lead, 20.0 * result);
            let deviation = (square - it.score_mean * it.score_mean).sqrt();
            assert!((it.score_deviation - deviation).abs() < 1e-4);
        }
    }

    #[test]
    fn errors_are_reckoned_as_the_version_does() {
        let errors = |version| {
            let judge = Judge::new(&Plan::new(version).build());
            let it = judge.judge(&outputs(1), &Question::new(&[true; 5], &Rules::default()));
            [
                it.variance_time,
                it.short_term_win_loss_error,
                it.short_term_score_error,
            ]
        };
        let time = 40.0 * LN_2;
        assert_eq!(errors(8), [None; 3]);
        let cases = [
            (9, [time, LN_2, 10.0 * LN_2]),
            (10, [time, (LN_2 * 0.25).sqrt(), (LN_2 * 30.0).sqrt()]),
            (13, [time, (LN_2 * 0.25).sqrt(), (LN_2 * 150.0).sqrt()]),
            (14, [time, LN_2 * 0.5, LN_2 * 150.0_f32.sqrt()]),
            (17, [time, LN_2 * 0.5, LN_2 * 150.0_f32.sqrt()]),
        ];
        for (version, expected) in cases {
            check_all(&errors(version).map(Option::unwrap), &expected);
        }
    }

    #[test]
    fn the_tangent_is_the_librarys() {
        for i in -240_000..=240_000 {
            let x = i as f32 * 1e-4;
            let (found, expected) = (f64::from(tanh(x)), f64::from(x).tanh());
            assert!((found - expected).abs() < 4e-7, "{x}: {found}");
            assert!(found.abs() <= 1.0, "{x}: {found}");
        }
        assert_eq!(tanh(f32::INFINITY), 1.0);
        assert_eq!(tanh(f32::NEG_INFINITY), -1.0);
        assert!(tanh(f32::NAN).is_nan());
    }

    #[test]
    fn owners_are_between_the_players() {
        let judge = Judge::new(&Plan::new(8).build());
        let it = judge.judge(&outputs(1), &Question::new(&[true; 5], &Rules::default()));
        check_all(
            &it.ownership,
            &[0.0, 1.0_f32.tanh(), -(1.0_f32.tanh()), 1.0],
        );
    }
}
