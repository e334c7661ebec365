//! How far our answers are from the records, and how far they may be.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// What a comparison says.
pub(super) struct Report {
    pub(super) table: String,
    pub(super) passed: bool,
    /// What first moves are judged by together with other networks, if they are.
    pub(super) first_moves: FirstMoves,
}

/// How often the first move is the same.
///
/// In 16-bit arithmetic near-equal moves change places now and then. How often they may is
/// asked of all records of a path together: one network's fifty cannot tell 96 % from 98 %.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstMoves {
    pub(super) same: usize,
    pub(super) records: usize,
}

impl FirstMoves {
    pub(super) fn add(&mut self, more: FirstMoves) {
        self.same += more.same;
        self.records += more.records;
    }

    /// Returns whether they are the same often enough; nothing compared is nothing wrong.
    pub(super) fn passed(self) -> bool {
        self.same as f64 >= 0.98 * self.records as f64
    }
}

/// The errors of one quantity.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Errors {
    sum: f64,
    max: f64,
    count: usize,
}

impl Errors {
    fn add(&mut self, ours: f64, theirs: f64) {
        // What is no number in a list counts as an error beyond all bounds.
        let error = Some((ours - theirs).abs()).filter(|error| error.is_finite());
        let error = error.unwrap_or(f64::INFINITY);
        self.sum += error;
        self.max = self.max.max(error);
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// One line of a report: a quantity, its errors and its bounds.
struct Row {
    name: &'static str,
    errors: Errors,
    max_bound: Option<f64>,
    mean_bound: Option<f64>,
}

impl Row {
    fn passed(&self) -> bool {
        let held = |value: f64, bound: Option<f64>| bound.is_none_or(|bound| value <= bound);
        held(self.errors.max, self.max_bound) && held(self.errors.mean(), self.mean_bound)
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "| {:<16} | {:>9} | {:>9} | {:>9} | {:>9} |      |\n",
        "quantity", "max", "allowed", "mean", "allowed"
    );
    text.push_str("|---|---|---|---|---|---|\n");
    let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| format!("{bound}"));
    for row in rows {
        let (max, mean) = (row.errors.max, row.errors.mean());
        let verdict = if row.passed() { "ok" } else { "FAIL" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {:<16} | {max:>9.2e} | {:>9} | {mean:>9.2e} | {:>9} | {verdict:<4} |",
            row.name,
            bound(row.max_bound),
            bound(row.mean_bound),
        );
    }
    text
}

/// Forward passes compared.
#[derive(Debug, Default)]
pub(super) struct Passes {
    records: usize,
    policy: Errors,
    win_rate: Errors,
    lead: Errors,
    ownership: Errors,
    /// Further raw values, for information.
    others: [Errors; OTHERS.len()],
    /// What the human network says, in the records that have it.
    human: Human,
    same_first: usize,
    legality_differs: usize,
}

/// What a human network says, compared.
#[derive(Debug, Default)]
struct Human {
    policy: Errors,
    win_rate: Errors,
    score: Errors,
}

/// Raw values that no bound is set for.
const OTHERS: [&str; 6] = [
    "rawScoreSelfplay",
    "rawScoreSelfplayStdev",
    "rawNoResultProb",
    "rawStWrError",
    "rawStScoreError",
    "rawVarTimeLeft",
];

impl Passes {
    /// Compares records with answers.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<Passes> {
        let mut all = Passes::default();
        for (record, answer) in pairs {
            let id = record["query"]["id"].to_string();
            all.add(record, answer)
                .with_context(|| format!("record {id}"))?;
        }
        Ok(all)
    }

    fn add(&mut self, record: &Value, answer: &Value) -> Result<()> {
        self.records += 1;
        let (theirs, ours) = (&record["rootInfo"], &answer["rootInfo"]);
        let both = |name: &str| Ok::<_, anyhow::Error>((float(ours, name)?, float(theirs, name)?));
        let (a, b) = both("rawWinrate")?;
        self.win_rate.add(a, b);
        let (a, b) = both("rawLead")?;
        self.lead.add(a, b);
        for (errors, name) in self.others.iter_mut().zip(OTHERS) {
            let (a, b) = both(name)?;
            errors.add(a, b);
        }
        for (a, b) in paired(answer, record, "ownership")? {
            self.ownership.add(a, b);
        }
        let policy = paired(answer, record, "policy")?;
        self.legality_differs += add_policy(&mut self.policy, &policy);
        if record.get("humanPolicy").is_some() {
            let policy = paired(answer, record, "humanPolicy")?;
            self.legality_differs += add_policy(&mut self.human.policy, &policy);
            let (a, b) = both("humanWinrate")?;
            self.human.win_rate.add(a, b);
            let (a, b) = both("humanScoreMean")?;
            self.human.score.add(a, b);
        }
        let best = |of: &dyn Fn(&(f64, f64)) -> f64| {
            let places = policy.iter().enumerate();
            places
                .max_by(|a, b| of(a.1).total_cmp(&of(b.1)))
                .map(|it| it.0)
        };
        self.same_first += usize::from(best(&|it| it.0) == best(&|it| it.1));
        Ok(())
    }

    /// Judges by the tolerances for 32-bit or 16-bit arithmetic.
    pub(super) fn report(&self, half: bool) -> Report {
        let row = |name, errors, max_bound, mean_bound| Row {
            name,
            errors,
            max_bound,
            mean_bound,
        };
        let mut rows = if half {
            vec![
                row("policy", self.policy, None, None),
                row("win rate", self.win_rate, Some(0.01), Some(0.001)),
                row("lead", self.lead, None, Some(0.1)),
                row("ownership", self.ownership, None, None),
            ]
        } else {
            vec![
                row("policy", self.policy, Some(1e-4), None),
                row("win rate", self.win_rate, Some(1e-4), None),
                row("lead", self.lead, Some(0.01), None),
                row("ownership", self.ownership, Some(1e-3), None),
            ]
        };
        if self.human.policy.count > 0 {
            let (policy, rate, score) = if half {
                ([None; 2], [Some(0.01), Some(0.001)], [None, Some(0.1)])
            } else {
                let most = |bound| [Some(bound), None];
                (most(1e-4), most(1e-4), most(0.01))
            };
            rows.extend([
                row("human policy", self.human.policy, policy[0], policy[1]),
                row("human win rate", self.human.win_rate, rate[0], rate[1]),
                row("human score", self.human.score, score[0], score[1]),
            ]);
        }
        let others = self.others.iter().zip(OTHERS);
        rows.extend(others.map(|(&errors, name)| row(name, errors, None, None)));
        let passed = self.records > 0 && rows.iter().all(Row::passed) && self.legality_differs == 0;
        let mut table = table(&rows);
        let _ = write!(
            table,
            "same first move: {} of {}; moves legal for one side only: {}",
            self.same_first, self.records, self.legality_differs
        );
        let first_moves = if half {
            FirstMoves {
                same: self.same_first,
                records: self.records,
            }
        } else {
            FirstMoves::default()
        };
        Report {
            table,
            passed,
            first_moves,
        }
    }
}

/// Adds the errors of two policies; returns how many moves are legal for one side only.
fn add_policy(errors: &mut Errors, policy: &[(f64, f64)]) -> usize {
    let mut differs = 0;
    for &(a, b) in policy {
        if (a < 0.0) == (b < 0.0) {
            errors.add(a.max(0.0), b.max(0.0));
        } else {
            differs += 1;
        }
    }
    differs
}

/// Searches compared.
#[derive(Debug, Default)]
pub(super) struct Searches {
    records: usize,
    first: usize,
    first_or_second: usize,
    win_rate: Errors,
    lead: Errors,
}

impl Searches {
    /// Compares records with answers.
    pub(super) fn of<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<Searches> {
        let mut all = Searches::default();
        for (record, answer) in pairs {
            all.records += 1;
            let ours = &answer["moveInfos"][0]["move"];
            ensure!(ours.is_string(), "an answer without a move: {answer}");
            let their = |order: usize| &record["moveInfos"][order]["move"];
            all.first += usize::from(ours == their(0));
            all.first_or_second += usize::from(ours == their(0) || ours == their(1));
            let both = |name: &str| {
                let (ours, theirs) = (&answer["rootInfo"], &record["rootInfo"]);
                Ok::<_, anyhow::Error>((float(ours, name)?, float(theirs, name)?))
            };
            let (a, b) = both("winrate")?;
            all.win_rate.add(a, b);
            let (a, b) = both("scoreLead")?;
            all.lead.add(a, b);
        }
        Ok(all)
    }

    /// Judges.
    pub(super) fn report(&self) -> Report {
        let row = |name, errors, mean_bound| Row {
            name,
            errors,
            max_bound: None,
            mean_bound: Some(mean_bound),
        };
        let rows = [
            row("root win rate", self.win_rate, 0.03),
            row("root lead", self.lead, 1.0),
        ];
        let share = self.first_or_second as f64 / self.records.max(1) as f64;
        let mut table = table(&rows);
        let _ = write!(
            table,
            "our first move is KataGo's first on {}, first or second on {} of {} (90 % asked)",
            self.first, self.first_or_second, self.records
        );
        Report {
            table,
            passed: self.records > 0 && share >= 0.9 && rows.iter().all(Row::passed),
            first_moves: FirstMoves::default(),
        }
    }
}

fn float(object: &Value, name: &str) -> Result<f64> {
    object[name].as_f64().with_context(|| format!("no {name}"))
}

/// Returns the values of two lists beside each other.
fn paired(ours: &Value, theirs: &Value, name: &str) -> Result<Vec<(f64, f64)>> {
    let list = |object: &Value| {
        let list = object[name]
            .as_array()
            .with_context(|| format!("no {name}"));
        list.map(|list| {
            list.iter()
                .map(|it| it.as_f64().unwrap_or(f64::NAN))
                .collect()
        })
    };
    let (ours, theirs): (Vec<f64>, Vec<f64>) = (list(ours)?, list(theirs)?);
    ensure!(
        ours.len() == theirs.len(),
        "{name}: {} values where {} are expected",
        ours.len(),
        theirs.len()
    );
    Ok(ours.into_iter().zip(theirs).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pass(win_rate: f64, policy: &[f64]) -> Value {
        let mut root = json!({"rawWinrate": win_rate, "rawLead": 1.0});
        for name in OTHERS {
            root[name] = json!(0.5);
        }
        json!({"query": {"id": "a"}, "rootInfo": root, "policy": policy, "ownership": [0.5]})
    }

    #[track_caller]
    fn check(ours: &Value, half: bool, expect: bool) {
        let theirs = pass(0.5, &[0.75, 0.25, -1.0]);
        let passes = Passes::of([(&theirs, ours)].into_iter()).unwrap();
        let report = passes.report(half);
        let passed = report.passed && report.first_moves.passed();
        assert_eq!(passed, expect, "{}", report.table);
    }

    #[test]
    fn forward_passes_are_held_to_their_bounds() {
        check(&pass(0.5, &[0.75, 0.25, -1.0]), false, true);
        check(&pass(0.500_05, &[0.750_05, 0.249_95, -1.0]), false, true);
        check(&pass(0.501, &[0.75, 0.25, -1.0]), false, false);
        check(&pass(0.500_5, &[0.75, 0.25, -1.0]), true, true);
        check(&pass(0.52, &[0.75, 0.25, -1.0]), true, false);
        check(&pass(0.5, &[0.74, 0.26, -1.0]), false, false);
        check(&pass(0.5, &[0.25, 0.75, -1.0]), true, false);
        check(&pass(0.5, &[0.75, 0.25, 0.0]), false, false);
    }

    #[test]
    fn first_moves_of_a_path_are_judged_together() {
        let mut all = FirstMoves::default();
        assert!(all.passed());
        let few = |same| FirstMoves { same, records: 50 };
        all.add(few(48));
        assert!(!all.passed());
        all.add(few(50));
        assert!(all.passed());
    }

    #[test]
    fn what_people_would_play_is_held_to_bounds_where_it_is_recorded() {
        let human = |win_rate: f64, first: f64| {
            let mut pass = pass(0.5, &[0.75, 0.25, -1.0]);
            pass["humanPolicy"] = json!([first, 1.0 - first, -1.0]);
            pass["rootInfo"]["humanWinrate"] = json!(win_rate);
            pass["rootInfo"]["humanScoreMean"] = json!(3.0);
            pass
        };
        let passed = |ours: &Value| {
            let theirs = human(0.5, 0.5);
            let passes = Passes::of([(&theirs, ours)].into_iter());
            passes.map(|it| it.report(false).passed)
        };
        assert!(passed(&human(0.5, 0.500_05)).unwrap());
        assert!(!passed(&human(0.501, 0.5)).unwrap());
        assert!(!passed(&human(0.5, 0.51)).unwrap());
        assert!(passed(&pass(0.5, &[0.75, 0.25, -1.0])).is_err());
    }

    #[test]
    fn searches_are_held_to_the_first_two_moves() {
        let record = |moves: &[&str], lead: f64| {
            let moves: Vec<_> = moves.iter().map(|mv| json!({"move": mv})).collect();
            json!({"moveInfos": moves, "rootInfo": {"winrate": 0.5, "scoreLead": lead}})
        };
        let theirs = record(&["D4", "Q16", "C3"], 1.0);
        let passed = |ours: &Value| {
            let searches = Searches::of([(&theirs, ours)].into_iter()).unwrap();
            searches.report().passed
        };
        assert!(passed(&record(&["Q16"], 1.5)));
        assert!(!passed(&record(&["C3"], 1.5)));
        assert!(!passed(&record(&["D4"], 2.5)));
    }
}
