//! What a spec says of partners, of who judges them, and of settings to be found.

use std::str::FromStr;

use shido_coach::play::PartnerSettings;
use shido_go::Rank;

use super::{Fault, Players, at_least, check_seat, fault};
use crate::spec::raw::{RawFit, RawPlayer, RawReview};
use crate::spec::{FitSpec, PartnerSpec, PlayerSpec, ReviewSpec};

/// What is asked of a review where the spec names no rank: the paper's stronger
/// opponents.
const REVIEW_RANK: Rank = Rank::Kyu(3);

/// Reads a word that must be of some type.
fn read<T: FromStr<Err: std::fmt::Display>>(key: &str, text: &str) -> Result<T, Fault> {
    text.parse()
        .or_else(|error: T::Err| fault(key, error.to_string()))
}

pub(super) fn check_partner(key: &str, raw: RawPlayer) -> Result<PartnerSpec, Fault> {
    let sub = |name: &str| format!("{key}.{name}");
    let Some(partner) = raw.partner else {
        return fault(sub("partner"), "name the partner, for example natural");
    };
    let level = raw.level.map(|it| read(&sub("level"), &it)).transpose()?;
    let student = raw
        .student
        .map(|it| read(&sub("student"), &it))
        .transpose()?;
    let as_text = |value: toml::Value| match value {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    let settings = raw.settings.unwrap_or_default().into_iter();
    let spec = PartnerSpec {
        partner: read(&sub("partner"), &partner)?,
        level,
        net: raw.net,
        human_net: raw.human_net.unwrap_or_else(|| "embedded".to_owned()),
        student,
        settings: settings
            .map(|(name, value)| (name, as_text(value)))
            .collect(),
        threads: at_least(&sub("threads"), raw.threads, 1, 1)?,
        memory_mib: at_least(&sub("memory_mib"), raw.memory_mib, 1, 256)?,
    };
    let mut tried = PartnerSettings::new(spec.partner);
    spec.apply(&mut tried)
        .or_else(|error| fault(sub("settings"), error.to_string()))?;
    Ok(spec)
}

pub(super) fn check_review(players: &Players, raw: RawReview) -> Result<ReviewSpec, Fault> {
    let analyst = players.get(&raw.analyst);
    if !matches!(
        analyst,
        Some(PlayerSpec::Classic(_) | PlayerSpec::Native(_))
    ) {
        return fault(
            "review.analyst",
            format!(
                "`{}` is not a classic or native player of this spec",
                raw.analyst
            ),
        );
    }
    let rank =
        |key: &str, text: Option<String>| text.map_or(Ok(REVIEW_RANK), |text| read(key, &text));
    Ok(ReviewSpec {
        analyst: raw.analyst,
        human_net: raw.human_net,
        rank: rank("review.rank", raw.rank)?,
        second_human_net: raw.second_human_net,
        second_rank: rank("review.second_rank", raw.second_rank)?,
    })
}

pub(super) fn check_fit(key: &str, players: &Players, raw: RawFit) -> Result<FitSpec, Fault> {
    check_seat(&format!("{key}.opponent"), players, &raw.opponent)?;
    for (i, name) in raw.players.iter().enumerate() {
        let key = format!("{key}.players[{i}]");
        let Some(PlayerSpec::Partner(partner)) = players.get(name) else {
            return fault(key, format!("`{name}` is not a partner of this spec"));
        };
        let value = partner.settings.get(&raw.setting);
        if value.is_none_or(|it| it.parse::<f64>().is_err()) {
            return fault(key, format!("`{name}` has no number for {}", raw.setting));
        }
    }
    let target = raw.target.unwrap_or(0.5);
    if !(target > 0.0 && target < 1.0) {
        return fault(
            format!("{key}.target"),
            format!("must be between 0 and 1, is {target}"),
        );
    }
    let level = format!("{key}.level");
    let level = raw.level.map(|it| read(&level, &it)).transpose()?;
    Ok(FitSpec {
        level,
        title: raw.title,
        setting: raw.setting,
        players: raw.players,
        opponent: raw.opponent,
        target,
    })
}
