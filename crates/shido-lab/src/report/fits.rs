//! Settings found from games at several values of them.

use super::results::of_pairing;
use super::{Games, Table};
use crate::spec::{FitSpec, PlayerSpec, Spec};
use crate::stats::bootstrap::Bootstrap;
use crate::stats::logistic::{Curve, Trial, setting_for};

pub(super) fn table(spec: &Spec, fit: &FitSpec, games: &Games) -> Table {
    let value = |name: &String| match &spec.players[name] {
        PlayerSpec::Partner(partner) => partner.settings.get(&fit.setting)?.parse().ok(),
        _ => None,
    };
    let mut trials: Vec<Trial> = Vec::new();
    let mut rows = Vec::new();
    for name in &fit.players {
        let Some(x) = value(name) else { continue };
        let points = of_pairing(games, name, &fit.opponent).filter_map(|it| it.points_of(name));
        let before = trials.len();
        trials.extend(points.map(|points| Trial { x, points }));
        let won: f64 = trials[before..].iter().map(|it| it.points).sum();
        let count = (trials.len() - before) as u64;
        let rate = crate::stats::wilson::wilson(won, count).percent();
        rows.push(vec![name.clone(), x.to_string(), rate.to_string()]);
    }
    let found = setting_for(&trials, fit.target, &Bootstrap::default());
    let curve = Curve::fit(&trials);
    let slope = curve.map_or(String::new(), |it| format!(", slope {:.3}", it.slope));
    rows.push(vec![
        format!("found for {} %", 100.0 * fit.target),
        if found.n == 0 {
            "—".to_owned()
        } else {
            found.to_string()
        },
        "—".to_owned(),
    ]);
    Table {
        title: fit.title.clone(),
        head: ["player", fit.setting.as_str(), "won"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        note: format!(
            "One logistic fit over all games against {}{slope}; 95 % bootstrap interval over \
             games, Wilson intervals of the win rates.",
            fit.opponent
        ),
    }
}
