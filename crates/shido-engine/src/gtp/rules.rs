//! Commands about the rules of the game.

use shido_go::Rules;

use super::args::Args;
use super::session::Session;
use super::table::Answer;

pub(super) fn kata_get_rules(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(session.position.rules().to_json())
}

pub(super) fn kata_set_rules(session: &mut Session, args: &Args<'_>) -> Answer {
    let rules = args.text.parse().map_err(|error| format!("{error}"))?;
    change(session, rules)
}

pub(super) fn kata_set_rule(session: &mut Session, args: &Args<'_>) -> Answer {
    let (key, value) = (args.word(0, "a rule")?, args.word(1, "its value")?);
    let rules = session.position.rules().with(key, value);
    change(session, rules.map_err(|error| error.to_string())?)
}

/// The four rule sets of KGS; its Chinese rules have superko.
pub(super) fn kgs_rules(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "the name of the rules")?;
    let rules = match name.to_ascii_lowercase().as_str() {
        "chinese" => Rules::CHINESE_KGS,
        "aga" => Rules::AGA,
        "japanese" => Rules::JAPANESE,
        "new_zealand" => Rules::NEW_ZEALAND,
        _ => {
            let known = "chinese, aga, japanese or new_zealand";
            return Err(format!("unknown rules `{name}`: write {known}"));
        }
    };
    change(session, rules)
}

fn change(session: &mut Session, rules: Rules) -> Answer {
    session.position.set_rules(rules);
    session.analyst.forget();
    Ok(String::new())
}
