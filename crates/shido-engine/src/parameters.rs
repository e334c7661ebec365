//! The native analyst's settings by KataGo's names.
//!
//! One table serves `kata-list-params`, `kata-get-param` and `kata-set-param` of
//! GTP and the `overrideSettings` of the analysis protocol. A name that is not in
//! it is not followed, and whoever asked is told so.

use shido_go::Color;
use shido_search::puct::{Ownership, Restriction, Temperature, Wish};

use crate::human::{PROFILE, read_profile};
use crate::{NativeSettings, SearchOptions};

/// Utilities go from −1 to 1, win rates from 0 to 1: so much further a coefficient for
/// win rates has to reach.
pub(crate) const UTILITY_RANGE: f32 = 2.0;

/// How a setting is kept.
#[derive(Clone, Copy)]
enum Place {
    Number(fn(&mut NativeSettings) -> &mut f32),
    Truth(fn(&mut NativeSettings) -> &mut bool),
    /// Anything else: how it is read, and how it is written.
    Other(
        fn(&NativeSettings) -> String,
        fn(&mut NativeSettings, &str) -> Result<(), String>,
    ),
}

/// A setting that can be asked for and changed by name.
pub struct Parameter {
    /// KataGo's name for it.
    pub name: &'static str,
    place: Place,
}

impl Parameter {
    /// Returns the parameter of a name.
    pub fn named(name: &str) -> Option<&'static Parameter> {
        PARAMETERS.iter().find(|it| it.name == name)
    }

    /// Returns every parameter.
    pub fn all() -> &'static [Parameter] {
        PARAMETERS
    }

    /// Returns its value as text.
    pub fn get(&self, settings: &NativeSettings) -> String {
        let mut settings = settings.clone();
        match self.place {
            Place::Number(place) => place(&mut settings).to_string(),
            Place::Truth(place) => place(&mut settings).to_string(),
            Place::Other(read, _) => read(&settings),
        }
    }

    /// Changes it, or says why not; the settings are then unchanged.
    pub fn set(&self, settings: &mut NativeSettings, value: &str) -> Result<(), String> {
        let mut changed = settings.clone();
        let named = |why: String| format!("{}: {why}", self.name);
        match self.place {
            Place::Number(place) => *place(&mut changed) = number(value).map_err(named)?,
            Place::Truth(place) => *place(&mut changed) = truth(value).map_err(named)?,
            Place::Other(_, write) => write(&mut changed, value).map_err(named)?,
        }
        changed
            .puct
            .check()
            .map_err(|error| named(error.to_string()))?;
        *settings = changed;
        Ok(())
    }
}

const fn at(name: &'static str, place: Place) -> Parameter {
    Parameter { name, place }
}

use Place::{Number, Other, Truth};

/// What a bound or a pruning that was switched off comes back with.
const STANDARD_ERRORS: f32 = 5.0;
const PRUNING: f32 = 0.15;

/// Threads of one search; more would only take memory.
const MOST_THREADS: usize = 256;
/// Doublings of playouts that networks have seen, either way.
const MOST_DOUBLINGS: f32 = 3.0;
/// KataGo's word for a player who is neither.
const NO_PLAYER: &str = "E";

/// In alphabetical order.
#[rustfmt::skip]
const PARAMETERS: &[Parameter] = &[
    at("conservativePass", Truth(|s| &mut s.puct.root.rules.conservative_pass)),
    at("cpuctExploration", Number(|s| &mut s.puct.exploration.coefficient)),
    at("cpuctExplorationBase", Number(|s| &mut s.puct.exploration.base)),
    at("cpuctExplorationLog", Number(|s| &mut s.puct.exploration.log)),
    at("cpuctUtilityStdevPrior", Number(|s| &mut s.puct.exploration.deviation_prior)),
    at("cpuctUtilityStdevPriorWeight", Number(|s| &mut s.puct.exploration.deviation_prior_weight)),
    at("cpuctUtilityStdevScale", Number(|s| &mut s.puct.exploration.deviation_scale)),
    at("dynamicScoreCenterScale", Number(|s| &mut s.puct.utility.center_scale)),
    at("dynamicScoreCenterZeroWeight", Number(|s| &mut s.puct.utility.center_zero_weight)),
    at("dynamicScoreUtilityFactor", Number(|s| &mut s.puct.utility.dynamic_score)),
    at("fpuParentWeightByVisitedPolicyPow", Number(|s| &mut s.puct.exploration.first_play_power)),
    at("fpuReductionMax", Number(|s| &mut s.puct.exploration.first_play_reduction)),
    at("ignorePreRootHistory", Truth(|s| &mut s.puct.root.rules.ignore_history)),
    at("lcbStdevs", Number(|s| s.puct.choice.lower_bound.get_or_insert(STANDARD_ERRORS))),
    at("minVisitPropForLCB", Number(|s| &mut s.puct.choice.min_share)),
    at("nnRandomize", Truth(|s| &mut s.puct.report.random_symmetry)),
    at("noResultUtilityForWhite", Other(
        |s| (0.0 - s.puct.utility.no_result).to_string(),
        |s, value| number(value).map(|it| s.puct.utility.no_result = 0.0 - it),
    )),
    at("noisePruneUtilityScale", Number(|s| s.puct.weights.noise_pruning.get_or_insert(PRUNING))),
    at("numSearchThreads", Other(
        |s| s.threads.max(1).to_string(),
        |s, value| threads(value).map(|it| s.threads = it),
    )),
    at("numVirtualLossesPerThread", Number(|s| &mut s.puct.exploration.virtual_loss)),
    at("playoutDoublingAdvantage", Other(
        |s| s.advantage.doublings.to_string(),
        |s, value| doublings(value).map(|it| s.advantage.doublings = it),
    )),
    at("playoutDoublingAdvantagePla", Other(
        |s| s.advantage.player.map_or(NO_PLAYER.to_owned(), |it| it.letter().to_string()),
        |s, value| player(value).map(|it| s.advantage.player = it),
    )),
    at("rootDirichletNoiseTotalConcentration", Number(|s| &mut s.puct.root.noise.concentration)),
    at("rootDirichletNoiseWeight", Number(|s| &mut s.puct.root.noise.weight)),
    at("rootEndingBonusPoints", Number(|s| &mut s.puct.root.ending_bonus)),
    at("rootFpuReductionMax", Number(|s| &mut s.puct.exploration.root_first_play_reduction)),
    at("rootNoiseEnabled", Truth(|s| &mut s.puct.root.noise.enabled)),
    at("rootNumSymmetriesToSample", Other(
        |s| s.puct.root.symmetries.to_string(),
        |s, value| {
            let count = value.parse().map_err(|_| not("a whole number up to 8", value))?;
            s.puct.root.symmetries = count;
            Ok(())
        },
    )),
    at("rootPolicyTemperature", Other(
        |s| s.puct.root.temperature.late.to_string(),
        |s, value| number(value).map(|it| s.puct.root.temperature = Temperature::constant(it)),
    )),
    at("rootPolicyTemperatureEarly", Number(|s| &mut s.puct.root.temperature.early)),
    at("rootSymmetryPruning", Truth(|s| &mut s.puct.root.rules.prune_symmetric)),
    at("staticScoreUtilityFactor", Number(|s| &mut s.puct.utility.static_score)),
    at("uncertaintyCoeff", Number(
        |s| &mut s.puct.weights.uncertainty.get_or_insert_default().coefficient,
    )),
    at("uncertaintyExponent", Number(
        |s| &mut s.puct.weights.uncertainty.get_or_insert_default().exponent,
    )),
    at("uncertaintyMaxWeight", Number(
        |s| &mut s.puct.weights.uncertainty.get_or_insert_default().max_weight,
    )),
    at("useLcbForSelection", Other(
        |s| s.puct.choice.lower_bound.is_some().to_string(),
        |s, value| {
            let kept = s.puct.choice.lower_bound.unwrap_or(STANDARD_ERRORS);
            truth(value).map(|it| s.puct.choice.lower_bound = it.then_some(kept))
        },
    )),
    at("useNoisePruning", Other(
        |s| s.puct.weights.noise_pruning.is_some().to_string(),
        |s, value| {
            let kept = s.puct.weights.noise_pruning.unwrap_or(PRUNING);
            truth(value).map(|it| s.puct.weights.noise_pruning = it.then_some(kept))
        },
    )),
    at("useUncertainty", Other(
        |s| s.puct.weights.uncertainty.is_some().to_string(),
        |s, value| {
            let kept = s.puct.weights.uncertainty.unwrap_or_default();
            truth(value).map(|it| s.puct.weights.uncertainty = it.then_some(kept))
        },
    )),
    at("valueWeightExponent", Number(|s| &mut s.puct.weights.value_exponent)),
    at("wideRootNoise", Number(|s| &mut s.puct.root.wide_noise)),
    at("winLossUtilityFactor", Number(|s| &mut s.puct.utility.win_loss)),
];

fn not(what: &str, value: &str) -> String {
    format!("`{value}` is not {what}")
}

fn number(value: &str) -> Result<f32, String> {
    value.parse().map_err(|_| not("a number", value))
}

fn truth(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => Err(not("true or false", value)),
    }
}

fn threads(value: &str) -> Result<usize, String> {
    let what = || not(&format!("a whole number from 1 to {MOST_THREADS}"), value);
    let count = value.parse().ok();
    count
        .filter(|it| (1..=MOST_THREADS).contains(it))
        .ok_or_else(what)
}

fn doublings(value: &str) -> Result<f32, String> {
    let number = number(value)?;
    if (-MOST_DOUBLINGS..=MOST_DOUBLINGS).contains(&number) {
        return Ok(number);
    }
    let what = format!("a number from -{MOST_DOUBLINGS} to {MOST_DOUBLINGS}");
    Err(not(&what, value))
}

fn player(value: &str) -> Result<Option<Color>, String> {
    if value.is_empty() || value.eq_ignore_ascii_case(NO_PLAYER) {
        return Ok(None);
    }
    let player = value.parse().map(Some);
    player.map_err(|_| not("BLACK, WHITE or, for the player to move, E", value))
}

/// A search's options as the native analyst takes them.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The settings, changed as asked.
    pub settings: NativeSettings,
    /// The moves not to be looked at.
    pub restrictions: Vec<Restriction>,
    /// What was asked for and is not followed, by name. Whether a profile is depends on
    /// the network, so it stands here as well.
    pub unfollowed: Vec<String>,
}

impl Followed {
    /// Changes settings as the options ask, or says which value is wrong.
    pub fn new(base: &NativeSettings, options: &SearchOptions) -> Result<Followed, String> {
        let mut settings = base.clone();
        let mut unfollowed = Vec::new();
        if let Some(name) = options.settings.get(PROFILE) {
            settings.profile = read_profile(name).map_err(|error| error.to_string())?;
        }
        for (name, value) in &options.settings {
            match Parameter::named(name) {
                Some(parameter) => parameter.set(&mut settings, value)?,
                None => unfollowed.push(name.clone()),
            }
        }
        let puct = &mut settings.puct;
        if let Some(temperature) = options.root_policy_temperature {
            puct.root.temperature = Temperature::constant(temperature);
        }
        if let Some(reduction) = options.root_fpu_reduction_max {
            puct.exploration.root_first_play_reduction = reduction;
        }
        if let Some(length) = options.line_length {
            puct.report.line = length;
        }
        if options.moves_ownership || options.moves_ownership_deviation {
            puct.report.ownership = Ownership::Candidates;
        }
        puct.komi_offset += options.steering.komi_offset;
        if let Some(exploration) = options.steering.exploration {
            puct.exploration.coefficient = UTILITY_RANGE * exploration;
            // As far as it was asked for, however sure the search is of the game.
            puct.exploration.deviation_scale = 0.0;
        }
        if let Some(noise) = options.steering.wide_noise {
            puct.root.wide_noise = noise;
        }
        let restrictions = options.avoid.iter().map(|it| Restriction {
            color: it.color,
            moves: it.moves.clone(),
            wish: Wish::Avoid,
            until_depth: it.until_depth,
        });
        Ok(Followed {
            settings,
            restrictions: restrictions.collect(),
            unfollowed,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use shido_search::puct::PuctSettings;

    use super::*;

    #[test]
    fn every_parameter_reads_back_what_was_written() {
        let mut settings = NativeSettings::default();
        for parameter in Parameter::all() {
            let before = parameter.get(&settings);
            parameter.set(&mut settings, &before).unwrap();
            assert_eq!(parameter.get(&settings), before, "{}", parameter.name);
            assert!(parameter.set(&mut settings, "nonsense").is_err());
        }
        let names: Vec<_> = Parameter::all().iter().map(|it| it.name).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn a_change_changes_what_it_names() {
        let mut settings = NativeSettings::default();
        let mut set = |name: &str, value| Parameter::named(name).unwrap().set(&mut settings, value);
        set("wideRootNoise", "0.25").unwrap();
        set("useLcbForSelection", "false").unwrap();
        set("noResultUtilityForWhite", "0.5").unwrap();
        assert!(set("cpuctExploration", "-1").is_err());
        assert!(set("rootNumSymmetriesToSample", "9").is_err());
        set("playoutDoublingAdvantage", "-2.5").unwrap();
        set("playoutDoublingAdvantagePla", "BLACK").unwrap();
        set("numSearchThreads", "3").unwrap();
        assert!(set("playoutDoublingAdvantage", "3.5").is_err());
        assert!(set("playoutDoublingAdvantage", "NaN").is_err());
        assert!(set("numSearchThreads", "0").is_err());
        assert_eq!(settings.advantage.doublings, -2.5);
        assert_eq!(settings.advantage.player, Some(Color::Black));
        assert_eq!(settings.threads, 3);
        assert_eq!(settings.puct.root.wide_noise, 0.25);
        assert_eq!(settings.puct.choice.lower_bound, None);
        assert_eq!(settings.puct.utility.no_result, -0.5);
        assert_eq!(settings.puct.exploration.coefficient, 1.0);
    }

    #[test]
    fn exploration_is_asked_for_in_win_rates() {
        let mut options = SearchOptions::default();
        options.steering.exploration = Some(10.0);
        let followed = Followed::new(&NativeSettings::default(), &options).unwrap();
        assert_eq!(followed.settings.puct.exploration.coefficient, 20.0);
        assert_eq!(followed.settings.puct.exploration.deviation_scale, 0.0);
    }

    #[test]
    fn a_wide_look_is_asked_for() {
        let mut options = SearchOptions::default();
        let noise = |options: &SearchOptions| {
            let base = NativeSettings {
                puct: PuctSettings::analysis(),
                ..NativeSettings::default()
            };
            let followed = Followed::new(&base, options).unwrap();
            followed.settings.puct.root.wide_noise
        };
        assert_eq!(noise(&options), PuctSettings::analysis().root.wide_noise);
        options.steering.wide_noise = Some(0.3);
        assert_eq!(noise(&options), 0.3);
    }

    #[test]
    fn options_are_followed_or_named() {
        let pairs = [("wideRootNoise", "0.1"), ("humanSLProfile", "rank_5k")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let options = SearchOptions {
            root_policy_temperature: Some(1.5),
            moves_ownership: true,
            settings: BTreeMap::from(pairs),
            ..SearchOptions::default()
        };
        let base = NativeSettings {
            puct: PuctSettings::analysis(),
            ..NativeSettings::default()
        };
        let followed = Followed::new(&base, &options).unwrap();
        assert_eq!(followed.unfollowed, ["humanSLProfile"]);
        assert_eq!(followed.settings.puct.root.wide_noise, 0.1);
        assert_eq!(followed.settings.puct.root.temperature.late, 1.5);
        assert_eq!(
            followed.settings.puct.report.ownership,
            Ownership::Candidates
        );
    }
}
