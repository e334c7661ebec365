//! Every command and the function that obeys it.

use super::args::Args;
use super::session::Session;
use super::stream::Stream;
use super::{
    administration, analyze, gogui, moves, network, parameters, partner, records, rules, scoring,
    setup, timing,
};

/// What a function returns: the text of the response, or why there is none.
pub(super) type Answer = Result<String, String>;

/// How a command is obeyed.
#[derive(Clone, Copy)]
pub(super) enum Handler {
    /// At once, with one answer.
    Answer(fn(&mut Session, &Args<'_>) -> Answer),
    /// With lines written while it works.
    Stream(fn(&mut Session, &Args<'_>, &mut Stream<'_>) -> Result<(), String>),
}

use Handler::{Answer as Once, Stream as Live};

/// All commands, in the order of `list_commands`.
pub(super) const COMMANDS: &[(&str, Handler)] = &[
    ("protocol_version", Once(administration::protocol_version)),
    ("name", Once(administration::name)),
    ("version", Once(administration::version)),
    ("known_command", Once(administration::known_command)),
    ("list_commands", Once(administration::list_commands)),
    ("quit", Once(administration::quit)),
    ("stop", Once(administration::stop)),
    ("cputime", Once(administration::cputime)),
    ("gomill-cpu_time", Once(administration::cputime)),
    ("clear_cache", Once(administration::clear_cache)),
    ("boardsize", Once(setup::boardsize)),
    ("rectangular_boardsize", Once(setup::rectangular_boardsize)),
    ("clear_board", Once(setup::clear_board)),
    ("komi", Once(setup::komi)),
    ("get_komi", Once(setup::get_komi)),
    ("set_position", Once(setup::set_position)),
    ("fixed_handicap", Once(setup::fixed_handicap)),
    ("place_free_handicap", Once(setup::place_free_handicap)),
    ("set_free_handicap", Once(setup::set_free_handicap)),
    ("showboard", Once(setup::showboard)),
    ("kgs-rules", Once(rules::kgs_rules)),
    ("kata-get-rules", Once(rules::kata_get_rules)),
    ("kata-set-rules", Once(rules::kata_set_rules)),
    ("kata-set-rule", Once(rules::kata_set_rule)),
    ("play", Once(moves::play)),
    ("undo", Once(moves::undo)),
    ("genmove", Once(moves::genmove)),
    ("reg_genmove", Once(moves::reg_genmove)),
    ("kata-search", Once(moves::reg_genmove)),
    ("kata-search_cancellable", Live(moves::search_cancellable)),
    ("kgs-genmove_cleanup", Once(moves::genmove_cleanup)),
    ("kgs-game_over", Once(administration::kgs_game_over)),
    ("lz-analyze", Live(analyze::lz_analyze)),
    ("kata-analyze", Live(analyze::kata_analyze)),
    ("lz-genmove_analyze", Live(analyze::lz_genmove_analyze)),
    ("kata-genmove_analyze", Live(analyze::kata_genmove_analyze)),
    ("analyze", Live(analyze::sabaki_analyze)),
    ("genmove_analyze", Live(analyze::sabaki_genmove_analyze)),
    ("kata-search_analyze", Live(analyze::search_analyze)),
    (
        "kata-search_analyze_cancellable",
        Live(analyze::search_analyze_cancellable),
    ),
    ("final_score", Once(scoring::final_score)),
    ("final_status_list", Once(scoring::final_status_list)),
    ("loadsgf", Once(records::loadsgf)),
    ("printsgf", Once(records::printsgf)),
    ("time_settings", Once(timing::time_settings)),
    ("time_left", Once(timing::time_left)),
    ("kgs-time_settings", Once(timing::named_time_settings)),
    ("kata-time_settings", Once(timing::named_time_settings)),
    ("kata-list_time_settings", Once(timing::list_time_settings)),
    ("kata-list-params", Once(parameters::kata_list_params)),
    ("kata-get-param", Once(parameters::kata_get_param)),
    ("kata-get-params", Once(parameters::kata_get_params)),
    ("kata-set-param", Once(parameters::kata_set_param)),
    ("kata-set-params", Once(parameters::kata_set_params)),
    ("kata-get-models", Once(network::kata_get_models)),
    ("kata-raw-human-nn", Once(network::kata_raw_human_nn)),
    ("kata-raw-nn", Once(network::kata_raw_nn)),
    ("heatmap", Once(network::heatmap)),
    ("shido-set", Once(partner::set)),
    ("shido-get", Once(partner::get)),
    ("shido-why", Once(partner::why)),
    ("gogui-analyze_commands", Once(gogui::analyze_commands)),
    ("shido-ownership", Once(gogui::ownership)),
    ("shido-priors", Once(gogui::priors)),
    ("shido-best_moves", Once(gogui::best_moves)),
];

/// Returns how a command is obeyed, if it is known.
pub(super) fn find(name: &str) -> Option<Handler> {
    let found = COMMANDS.iter().find(|(known, _)| *known == name);
    found.map(|&(_, handler)| handler)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_is_listed_twice() {
        let mut names: Vec<_> = COMMANDS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMANDS.len());
    }
}
