//! From what a student asks for to a game's settings and its first position.

use shido_go::{Board, Color, Position, Rules, Scoring, Size, handicap};

use crate::error::ApiError;
use crate::levels::AUTO;
use crate::partners::choose;
use crate::wire::{BoardSize, GameSettings, NewGame, Pace, PartnerOffer, RulesOffer, YourColor};
use crate::{id, wire};

/// The rules offered and their usual komi; those under which dead stones are agreed.
const RULES: &[(&str, f32)] = &[
    ("chinese", 7.5),
    ("japanese", 6.5),
    ("korean", 6.5),
    ("aga", 7.5),
    ("new-zealand", 7.0),
];
/// The boards offered; the first is the default.
const SIZES: &[usize] = &[9, 13, 19];
/// The usual komi with handicap stones.
const HANDICAP_KOMI: f32 = 0.5;
/// The largest komi either way, KataGo's limit.
const MOST_KOMI: f32 = 150.0;
/// The longest name of a student, in characters.
const LONGEST_NAME: usize = 60;

/// Returns the boards offered.
pub(crate) fn sizes() -> Vec<BoardSize> {
    let size = |&size: &usize| BoardSize {
        size,
        max_handicap: handicap::max_fixed(square(size)),
    };
    SIZES.iter().map(size).collect()
}

/// Returns the rules offered.
pub(crate) fn rules() -> Vec<RulesOffer> {
    let offer = |&(id, komi): &(&str, f32)| RulesOffer {
        id: id.to_owned(),
        scoring: scoring_word(named(id).scoring).to_owned(),
        komi,
        handicap_komi: HANDICAP_KOMI,
    };
    RULES.iter().map(offer).collect()
}

pub(crate) fn scoring_word(scoring: Scoring) -> &'static str {
    match scoring {
        Scoring::Area => "area",
        Scoring::Territory => "territory",
    }
}

fn square(side: usize) -> Size {
    Size::square(side).expect("the boards offered can be played on")
}

fn named(id: &str) -> Rules {
    Rules::named(id).expect("the rules offered are named ones")
}

/// Checks what a student asks for and fills in the rest.
pub(crate) fn settings(
    wanted: &NewGame,
    offers: &[PartnerOffer],
) -> Result<GameSettings, ApiError> {
    let bad = |what: String| Err(ApiError::BadRequest(what));
    let size = wanted.size.unwrap_or(SIZES[0]);
    if !SIZES.contains(&size) {
        return bad(format!(
            "a board of {size} lines is not offered: 9, 13 or 19"
        ));
    }
    let rules = wanted.rules.as_deref().unwrap_or(RULES[0].0);
    let Some(&(rules, usual_komi)) = RULES.iter().find(|(id, _)| *id == rules) else {
        let names: Vec<_> = RULES.iter().map(|(id, _)| *id).collect();
        return bad(format!("the rules must be one of {}", names.join(", ")));
    };
    if wanted.handicap != 0 {
        let fixed = handicap::fixed(square(size), wanted.handicap);
        fixed.map_err(|error| ApiError::BadRequest(error.to_string()))?;
    }
    let usual = if wanted.handicap > 0 {
        HANDICAP_KOMI
    } else {
        usual_komi
    };
    let komi = wanted.komi.unwrap_or(usual);
    // Half points are the finest that a count can tell apart.
    if !(komi.abs() <= MOST_KOMI && (komi * 2.0).fract() == 0.0) {
        return bad("the komi must be a number of half points from -150 to 150".to_owned());
    }
    if let Some(clock) = wanted.clock {
        clock
            .check()
            .map_err(|it| ApiError::BadRequest(it.to_owned()))?;
    }
    let choice = choose(offers, wanted).map_err(ApiError::BadRequest)?;
    Ok(GameSettings {
        size,
        rules: rules.to_owned(),
        komi,
        handicap: wanted.handicap,
        your_color: color(wanted.your_color),
        partner: choice.partner,
        strength: choice.strength,
        auto: choice.level.as_deref() == Some(AUTO),
        level: choice.level,
        style: choice.style,
        pace: wanted.pace.unwrap_or(Pace::Natural),
        clock: wanted.clock,
        your_name: name(wanted.your_name.as_deref().unwrap_or_default())?,
    })
}

fn color(wanted: Option<YourColor>) -> wire::Color {
    let black = match wanted {
        None | Some(YourColor::Black) => true,
        Some(YourColor::White) => false,
        Some(YourColor::Random) => id::chance() < 0.5,
    };
    if black {
        wire::Color::Black
    } else {
        wire::Color::White
    }
}

fn name(wanted: &str) -> Result<String, ApiError> {
    let plain: String = wanted.chars().filter(|it| !it.is_control()).collect();
    let plain = plain.trim();
    if plain.chars().count() > LONGEST_NAME {
        let what = format!("a name has at most {LONGEST_NAME} characters");
        return Err(ApiError::BadRequest(what));
    }
    Ok(plain.to_owned())
}

/// Returns the position a game starts from.
pub(super) fn position(settings: &GameSettings) -> Result<Position, String> {
    let size = Size::square(settings.size).map_err(|error| error.to_string())?;
    let rules = Rules::named(&settings.rules).ok_or("unknown rules")?;
    if settings.handicap == 0 {
        return Ok(Position::new(size, rules, settings.komi));
    }
    let places = handicap::fixed(size, settings.handicap).map_err(|error| error.to_string())?;
    let mut board = Board::new(size);
    for &place in &places {
        board.place(Color::Black, place);
    }
    let mut position = Position::from_board(board, Color::White, rules, settings.komi);
    position.set_handicap(places.len());
    Ok(position)
}
