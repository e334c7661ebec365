//! Whether games that were played are games of a spec that has changed since.
//!
//! A game depends on the seed, what is played, how it begins and who counts it, and on its
//! two players. So a spec may grow: more games of a pairing, more pairings and players, and
//! other settings for players that have not played. What was played stays what it was.

use std::collections::{BTreeMap, BTreeSet};

use super::{Pairing, Spec};

impl Spec {
    /// Returns what the named games depend on and another spec says otherwise, both values
    /// of each.
    ///
    /// Games have the names that the schedule gives them, recorded games the player's and a
    /// number. Without games every other spec will do.
    pub fn differences<'a>(
        &self,
        now: &Spec,
        games: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        let played = Played::of(games);
        if played.last.is_empty() {
            return Vec::new();
        }
        let seats = played.seats(self);
        let (ours, theirs) = (self.facts(&played, &seats), now.facts(&played, &seats));
        let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        let show = |value: Option<&String>| value.map_or("nothing", String::as_str).to_owned();
        keys.into_iter()
            .filter(|&key| ours.get(key) != theirs.get(key))
            .map(|key| {
                let (was, is) = (show(ours.get(key)), show(theirs.get(key)));
                format!("{key} was {was}, is {is}")
            })
            .collect()
    }

    /// Returns what games depend on, by its path in the spec.
    fn facts(&self, played: &Played<'_>, seats: &BTreeSet<&str>) -> BTreeMap<String, String> {
        let mut alone = self.clone();
        alone.title.clear();
        alone
            .players
            .retain(|name, _| seats.contains(name.as_str()));
        let pairings = std::mem::take(&mut alone.pairings);
        let mut facts = flatten(&alone);
        for pairing in &pairings {
            let name = name_of(pairing);
            let Some(&last) = played.last.get(name.as_str()) else {
                continue;
            };
            let colors = if pairing.keep_colors {
                "kept"
            } else {
                "alternating"
            };
            facts.insert(format!("pairings.{name}.colors"), colors.to_owned());
            let games = if pairing.games < last {
                format!("{}, fewer than were played", pairing.games)
            } else {
                "enough".to_owned()
            };
            facts.insert(format!("pairings.{name}.games"), games);
        }
        facts
    }
}

/// Which games were played.
struct Played<'a> {
    /// The number of the last one of each pairing, or of each player's records.
    last: BTreeMap<&'a str, usize>,
}

impl<'a> Played<'a> {
    fn of(games: impl IntoIterator<Item = &'a str>) -> Played<'a> {
        let mut last = BTreeMap::new();
        for game in games {
            let (of, number) = game.rsplit_once('.').unwrap_or((game, ""));
            let last = last.entry(of).or_insert(0);
            *last = number.parse().unwrap_or(0).max(*last);
        }
        Played { last }
    }

    /// Returns who sat at the boards.
    fn seats<'s>(&self, spec: &'s Spec) -> BTreeSet<&'s str> {
        let met = spec.pairings.iter().filter(|it| self.has(&name_of(it)));
        let records = spec.players.keys().filter(|it| self.has(it));
        met.flat_map(Pairing::names)
            .chain(records.map(String::as_str))
            .collect()
    }

    fn has(&self, name: &str) -> bool {
        self.last.contains_key(name)
    }
}

fn name_of(pairing: &Pairing) -> String {
    pairing.names().join(".")
}

/// Turns a spec into paths and values.
fn flatten(spec: &Spec) -> BTreeMap<String, String> {
    fn add(path: &str, value: &serde_json::Value, out: &mut BTreeMap<String, String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    let name = if path.is_empty() {
                        key.clone()
                    } else {
                        format!("{path}.{key}")
                    };
                    add(&name, value, out);
                }
            }
            serde_json::Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    add(&format!("{path}[{i}]"), item, out);
                }
            }
            leaf => {
                out.insert(path.to_owned(), leaf.to_string());
            }
        }
    }
    let mut out = BTreeMap::new();
    let value = serde_json::to_value(spec).expect("a spec has only text keys and finite numbers");
    add("", &value, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = 'x'\nseed = 3\n[game]\nkomi = 7.5\n[failures]\nreplays = 2\n\
        [players.a]\nkind = 'classic'\nplayouts = 100\n[players.b]\nkind = 'random'\n\
        [players.c]\nkind = 'classic'\nplayouts = 100\n[players.old]\nkind = 'sgf'\nfiles = ['x']\n\
        [[pairings]]\nplayers = ['a', 'b']\ngames = 4\n\
        [[pairings]]\nplayers = ['c', 'b']\ngames = 4\n";

    #[track_caller]
    fn check(games: &[&str], from: &str, to: &str, expect: &[&str]) {
        assert!(TEXT.contains(from));
        let old = Spec::parse(TEXT, "x.toml").unwrap();
        let new = Spec::parse(&TEXT.replacen(from, to, 1), "x.toml").unwrap();
        assert_eq!(old.differences(&new, games.iter().copied()), expect);
    }

    #[test]
    fn what_a_game_depends_on_stays() {
        let games = ["a.b.0001", "a.b.0003"];
        check(&games, "seed = 3", "seed = 4", &["seed was 3, is 4"]);
        check(&games, "7.5", "6.5", &["game.komi was 7.5, is 6.5"]);
        let more = "players.a.playouts was 100, is 200";
        check(&games, "playouts = 100", "playouts = 200", &[more]);
        let kept = "games = 4\nkeep_colors = true";
        let colors = "pairings.a.b.colors was alternating, is kept";
        check(&games, "games = 4", kept, &[colors]);
        let fewer = "pairings.a.b.games was enough, is 2, fewer than were played";
        check(&games, "games = 4", "games = 2", &[fewer]);
        let gone = "[[pairings]]\nplayers = ['a', 'b']\ngames = 4\n";
        let colors = "pairings.a.b.colors was alternating, is nothing";
        let enough = "pairings.a.b.games was enough, is nothing";
        check(&games, gone, "", &[colors, enough]);
        let files = r#"players.old.files[0] was "x", is "y""#;
        check(&["old.0001"], "['x']", "['y']", &[files]);
    }

    #[test]
    fn a_spec_may_grow() {
        let games = ["a.b.0001", "a.b.0003"];
        check(&games, "name = 'x'", "# why\nname = 'x'\ntitle = 'y'", &[]);
        check(&games, "games = 4", "games = 3", &[]);
        check(&games, "games = 4", "games = 400", &[]);
        check(
            &games,
            "[[pairings]]",
            "[report]\nmeasures = ['ratings']\n[[pairings]]",
            &[],
        );
        let another = "[players.d]\nkind = 'random'\n[[pairings]]\nplayers = ['d', 'b']\n\
            games = 2\n[[pairings]]";
        check(&games, "[[pairings]]", another, &[]);
        let others = "kind = 'classic'\nplayouts = 100\n[players.old]";
        check(&games, others, &others.replace("100", "200"), &[]);
        check(&["c.b.0001"], "playouts = 100", "playouts = 200", &[]);
        check(&[], "seed = 3", "seed = 4", &[]);
    }
}
