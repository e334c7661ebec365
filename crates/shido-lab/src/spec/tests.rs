//! Specs that are read, and what is said of those that are not.

use super::*;

const GOOD: &str = r#"
name = "pd10"
seed = 7

[game]
board = 9
komi = 7.5

[players.even]
kind = "classic"
playouts = 100
gammas = "even"

[players.gnugo]
kind = "gtp"
command = "gnugo --mode gtp"

[[pairings]]
players = ["even", "gnugo"]
games = 10
"#;

#[test]
fn defaults_are_filled_in() {
    let spec = Spec::parse(GOOD, "x.toml").unwrap();
    assert_eq!(spec.title, "pd10");
    assert_eq!(spec.game.move_limit, 243);
    assert_eq!(spec.opening, Opening::None);
    let PlayerSpec::Classic(classic) = &spec.players["even"] else {
        panic!("even is classic");
    };
    assert_eq!((classic.playouts, classic.threads), (100, 1));
    assert_eq!(spec.failures.then, Then::Forfeit);
}

#[test]
fn a_round_robin_pairs_everyone_once() {
    let text = r#"
name = "all"
seed = 1
[players.a]
kind = "random"
[players.b]
kind = "random"
[players.c]
kind = "random"
[round_robin]
games = 4
"#;
    let spec = Spec::parse(text, "x.toml").unwrap();
    let pairs: Vec<_> = spec
        .pairings
        .iter()
        .map(|it| (it.first.as_str(), it.second.as_str()))
        .collect();
    assert_eq!(pairs, [("a", "b"), ("a", "c"), ("b", "c")]);
}

/// Replaces one piece of the good spec and expects a complaint.
#[track_caller]
fn check_error(old: &str, new: &str, expect: &str) {
    assert!(GOOD.contains(old), "the good spec has no `{old}`");
    let text = GOOD.replace(old, new);
    let error = Spec::parse(&text, "x.toml").unwrap_err().to_string();
    assert!(error.starts_with(expect), "{error}\n  expected {expect}");
}

#[test]
fn faults_name_line_and_key() {
    check_error(
        "playouts = 100",
        "playouts = 0",
        "x.toml:11: players.even.playouts: must be at least 1, is 0",
    );
    check_error(
        "playouts = 100",
        "playout = 100",
        "x.toml:11: players.even.playout: unknown field `playout`",
    );
    check_error(
        "playouts = 100",
        "playouts = \"many\"",
        "x.toml:11: players.even.playouts: invalid type: string \"many\"",
    );
    check_error(
        "playouts = 100",
        "command = \"x\"",
        "x.toml:11: players.even.command: only a gtp player has this key, and this one is classic",
    );
    check_error(
        "kind = \"gtp\"",
        "kind = \"ftp\"",
        "x.toml:15: players.gnugo.kind: `ftp` is not one of classic, native, partner, gtp, random, sgf",
    );
    check_error(
        "command = \"gnugo --mode gtp\"",
        "",
        "x.toml:14: players.gnugo.command: a gtp player needs a command",
    );
    check_error(
        "board = 9",
        "board = 1",
        "x.toml:6: game.board: a 1×1 board",
    );
    check_error("board = 9", "board = true", "x.toml:6: game.board: ");
    check_error("komi = 7.5", "komi = 7.3", "x.toml:7: game.komi: must be");
    check_error(
        "\"even\", \"gnugo\"",
        "\"evil\", \"gnugo\"",
        "x.toml:19: pairings[0].players: `evil` is not a player of this spec",
    );
    check_error(
        "games = 10",
        "games = 0",
        "x.toml:20: pairings[0].games: must",
    );
    check_error("seed = 7", "seeds = 7", "x.toml:3: seeds: unknown field");
    check_error("seed = 7", "seed = -7", "x.toml:3: seed: invalid value");
    check_error("seed = 7", "", "x.toml:");
    check_error(
        "name = \"pd10\"",
        "name = \"P D\"",
        "x.toml:2: name: `P D` must",
    );
    check_error("seed = 7", "seed = ", "x.toml:3: ");
    check_error(
        "games = 10",
        "games = 10\n[report]\nmeasures = [\"elo\"]",
        "x.toml:22: report.measures[0]: `elo` is not one of ratings",
    );
}

#[test]
fn a_native_player_has_a_network_and_visits() {
    let native = |keys: &str| {
        let kind = "kind = \"classic\"\nplayouts = 100\ngammas = \"even\"";
        assert!(GOOD.contains(kind));
        let text = GOOD.replace(kind, &format!("kind = \"native\"\n{keys}"));
        Spec::parse(&text, "x.toml").map_err(|error| error.to_string())
    };
    let spec = native("net = \"a.bin.gz\"\nvisits = 50\nthreads = 2").unwrap();
    let PlayerSpec::Native(player) = &spec.players["even"] else {
        panic!("even is native");
    };
    assert_eq!((player.visits, player.threads), (50, 2));
    assert_eq!(player.net, "a.bin.gz");
    let error = native("visits = 50").unwrap_err();
    assert!(
        error.contains("players.even.net: a native player needs"),
        "{error}"
    );
    let error = native("net = \"a\"\nplayouts = 50").unwrap_err();
    assert!(
        error.contains("only a classic player has this key"),
        "{error}"
    );
    check_error(
        "playouts = 100",
        "visits = 100",
        "x.toml:11: players.even.visits: only a native player has this key",
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = Spec::read(Path::new("no/such.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no/such.toml: cannot read it")
    );
}

const PARTNERS: &str = r#"
name = "partners"
seed = 1
[game]
board = 9
rules = "japanese"
komi = 6.5
[players.natural]
kind = "partner"
partner = "natural"
level = "8k"
settings = { beta = 3.5, simulations = 400, "sanity.enabled" = false }
[players.judge]
kind = "classic"
[[pairings]]
players = ["natural", "judge"]
games = 2
keep_colors = true
[review]
analyst = "judge"
human_net = "embedded"
rank = "8k"
[[report.fits]]
title = "beta"
setting = "beta"
players = ["natural"]
opponent = "judge"
"#;

#[test]
fn partners_are_read_with_their_settings() {
    let spec = Spec::parse(PARTNERS, "partners.toml").unwrap();
    let PlayerSpec::Partner(partner) = &spec.players["natural"] else {
        panic!("it is a partner");
    };
    assert_eq!(partner.settings["beta"], "3.5");
    assert_eq!(
        (partner.net.as_deref(), partner.human_net.as_str()),
        (None, "embedded")
    );
    assert!(spec.pairings[0].keep_colors);
    let review = spec.review.as_ref().unwrap();
    assert_eq!(review.rank.to_string(), "8k");
    assert_eq!(review.second_rank.to_string(), "3k");
    assert_eq!(spec.report.fits[0].target, 0.5);
}

#[test]
fn partners_that_cannot_be_are_refused_with_what_can() {
    let check = |from: &str, to: &str, key: &str, message: &str| {
        let text = PARTNERS.replacen(from, to, 1);
        assert_ne!(text, PARTNERS);
        let error = Spec::parse(&text, "partners.toml").unwrap_err();
        assert_eq!(error.key, key, "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(error.line > 0, "{error}");
    };
    check(
        "\"natural\"\n",
        "\"sensei\"\n",
        "players.natural.partner",
        "choose strong",
    );
    check("\"8k\"", "\"31k\"", "players.natural.level", "30k to 1k");
    check(
        "beta = 3.5",
        "beta = -1",
        "players.natural.settings",
        "allowed is 0 to 100",
    );
    check(
        "beta = 3.5",
        "zeta = 1",
        "players.natural.settings",
        "no setting `zeta`",
    );
    check(
        "analyst = \"judge\"",
        "analyst = \"natural\"",
        "review.analyst",
        "classic or native",
    );
    check(
        "rank = \"8k\"",
        "rank = \"8x\"",
        "review.rank",
        "is not a rank",
    );
    check(
        "setting = \"beta\"",
        "setting = \"rho\"",
        "report.fits[0].players[0]",
        "no number",
    );
    check(
        "kind = \"classic\"",
        "kind = \"classic\"\nlevel = \"8k\"",
        "players.judge.level",
        "only a partner",
    );
}
