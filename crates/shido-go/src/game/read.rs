//! From a tree of raw properties to a game: one pass over the root, one over the main line.

use super::komi;
use super::{Game, GameError, GameInfo, MoveRecord, Player, Setup, Step};
use crate::sgf::value::{self, BadValue};
use crate::sgf::{Charset, GameTree, Node, Property, Value, Warnings};
use crate::{Cell, Color, Rules, RulesAndKomi, Size, SizeError};

pub(super) fn game<'c>(
    tree: GameTree<'c>,
    nodes: impl Iterator<Item = Node<'c>>,
) -> Result<Game, GameError> {
    let root = tree.root();
    let charset = tree.charset();
    check_kind(root)?;
    let mut warnings = Warnings::default();
    let info = info(root, charset);
    let mut line = Line {
        size: size(root)?,
        handicap: handicap(root, &mut warnings),
        komi: komi(root, &info, charset, &mut warnings),
        warnings,
        steps: Vec::new(),
        last: None,
        moves: 0,
    };
    for node in nodes {
        line.node(node);
        if line.steps.len() >= Game::MAX_STEPS {
            let what = format!("the game has over {} moves", Game::MAX_STEPS);
            let at = node.at().unwrap_or(0);
            line.warnings.add(at, what, "the rest was not read");
            break;
        }
    }
    line.check_handicap(root);
    Ok(Game {
        size: line.size,
        rules: Rules::from_sgf(&info.rules_text),
        komi: line.komi,
        handicap: line.handicap,
        info,
        warnings: line.warnings,
        steps: line.steps,
    })
}

fn check_kind(root: Node<'_>) -> Result<(), GameError> {
    let Some(kind) = root.first("GM") else {
        return Ok(());
    };
    match value::number(kind.raw()) {
        Ok(1) | Err(_) => Ok(()),
        Ok(game) => Err(GameError::NotGo {
            at: kind.at(),
            game: game.to_string(),
        }),
    }
}

fn size(root: Node<'_>) -> Result<Size, GameError> {
    let Some(value) = root.first("SZ") else {
        return Ok(Size::default());
    };
    // A size is short; a long one is shown cut.
    let raw = value.raw().trim_ascii();
    let text = String::from_utf8_lossy(&raw[..raw.len().min(24)]);
    let parsed = if text.is_empty() {
        Ok(Size::default())
    } else {
        text.parse::<Size>()
    };
    parsed.map_err(|error: SizeError| GameError::Size {
        at: value.at(),
        error,
    })
}

fn handicap(root: Node<'_>, warnings: &mut Warnings) -> usize {
    let Some(value) = root.first("HA") else {
        return 0;
    };
    match value::number(value.raw()) {
        Ok(stones @ 0..=624) => stones as usize,
        Err(_) if value.raw().trim_ascii().is_empty() => 0,
        Ok(_) | Err(_) => {
            warnings.add(value.at(), "HA is not a number of stones", "it was ignored");
            0
        }
    }
}

fn komi(root: Node<'_>, info: &GameInfo, charset: Charset, warnings: &mut Warnings) -> Option<f32> {
    let of_rules = komi_of_rules(&info.rules_text);
    let Some(value) = root.first("KM") else {
        return of_rules;
    };
    let text = shown(value, charset);
    let Some(komi) = komi::read(&text) else {
        if !text.is_empty() {
            let what = format!("the komi `{text}` is not a number of points");
            let done = match of_rules {
                Some(_) => "that of the rules was taken",
                None => "the usual komi was taken",
            };
            warnings.add(value.at(), what, done);
        }
        return of_rules;
    };
    if komi.scaled {
        let done = format!("it was read as {} points", komi.points);
        warnings.add(
            value.at(),
            format!("the komi `{text}` is in hundredths"),
            done,
        );
    }
    Some(komi.points)
}

/// KataGo's forms may name the komi among the rules, as records of KaTrain's do.
fn komi_of_rules(text: &str) -> Option<f32> {
    let komi = text.parse::<RulesAndKomi>().ok()?.komi?;
    komi::is_believable(komi).then_some(komi)
}

fn info(root: Node<'_>, charset: Charset) -> GameInfo {
    let text = |name| {
        root.first(name)
            .map(|value| value::simple_text(value.raw(), charset))
            .unwrap_or_default()
    };
    let player = |name, rank| {
        let rank_text = text(rank);
        Player {
            name: text(name),
            rank: rank_text.parse().ok(),
            rank_text,
        }
    };
    GameInfo {
        black: player("PB", "BR"),
        white: player("PW", "WR"),
        result: text("RE"),
        date: text("DT"),
        event: text("EV"),
        round: text("RO"),
        place: text("PC"),
        rules_text: text("RU"),
        main_time: root
            .first("TM")
            .and_then(|value| value::real(value.raw()).ok()),
        overtime: text("OT"),
        application: text("AP"),
    }
}

/// The main line as far as it is read.
struct Line {
    size: Size,
    handicap: usize,
    komi: Option<f32>,
    warnings: Warnings,
    steps: Vec<Step>,
    /// Who moved last, unless a setup came in between.
    last: Option<Color>,
    moves: usize,
}

impl Line {
    /// Takes a node: setup first, then moves, as they stand.
    fn node(&mut self, node: Node<'_>) {
        let mut moves = 0;
        let mut setup = false;
        for property in node.properties() {
            let cell = if property.is("AB") {
                Cell::Black
            } else if property.is("AW") {
                Cell::White
            } else if property.is("AE") {
                Cell::Empty
            } else {
                moves += usize::from(property.is("B") || property.is("W"));
                continue;
            };
            setup = true;
            self.stones(node, property, cell);
        }
        if let Some(value) = node.first("PL") {
            setup = true;
            self.turn(value);
        }
        if moves == 0 {
            return;
        }
        let at = node.at().unwrap_or(0);
        if setup {
            self.warnings.add(
                at,
                "setup and a move in one node",
                "the setup was done first",
            );
        }
        if moves > 1 {
            self.warnings
                .add(at, "several moves in one node", "they were played in order");
        }
        for property in node.properties() {
            if property.is("B") {
                self.moves(node, property, Color::Black);
            } else if property.is("W") {
                self.moves(node, property, Color::White);
            }
        }
    }

    fn stones(&mut self, node: Node<'_>, property: Property<'_>, cell: Cell) {
        self.last = None;
        for value in property.values() {
            if self.steps.len() >= Game::MAX_STEPS {
                return;
            }
            match value::rectangle(value.raw(), self.size) {
                Ok(corners) => self.steps.push(Step::Setup(Setup {
                    cell,
                    corners,
                    node: node.id(),
                    at: value.at(),
                })),
                // An empty list is how some programs say that there is nothing.
                Err(_) if value.raw().trim_ascii().is_empty() => {}
                Err(error) => self.refuse(property, value, error),
            }
        }
    }

    fn turn(&mut self, value: Value<'_>) {
        self.last = None;
        let color = match value.raw().trim_ascii() {
            b"1" => Some(Color::Black),
            b"2" => Some(Color::White),
            raw => std::str::from_utf8(raw)
                .ok()
                .and_then(|text| text.parse().ok()),
        };
        match color {
            Some(color) => self.steps.push(Step::ToMove(color)),
            None => self
                .warnings
                .add(value.at(), "PL is not a color", "it was ignored"),
        }
    }

    fn moves(&mut self, node: Node<'_>, property: Property<'_>, color: Color) {
        let mut values = property.values();
        let Some(value) = values.next() else { return };
        if let Some(second) = values.next() {
            let what = format!("{} has several values", property.name());
            self.warnings.add(second.at(), what, "the first was played");
        }
        let mv = match value::play(value.raw(), self.size) {
            Ok(mv) => mv,
            Err(error) => return self.refuse(property, value, error),
        };
        // Free handicap may be given as moves.
        let placing = color == Color::Black && self.moves < self.handicap;
        if self.last == Some(color) && !placing {
            let what = format!("{color} moves twice in a row");
            self.warnings
                .add(value.at(), what, "the move was played as it stands");
        }
        self.last = Some(color);
        self.moves += 1;
        self.steps.push(Step::Move(MoveRecord {
            color,
            mv,
            node: node.id(),
            at: value.at(),
        }));
    }

    fn refuse(&mut self, property: Property<'_>, value: Value<'_>, error: BadValue) {
        let what = format!(
            "{}[{}] is {error}{}",
            property.name(),
            shown(value, Charset::WINDOWS_1252),
            if error == BadValue::OffBoard {
                format!(" of {}", self.size)
            } else {
                String::new()
            },
        );
        self.warnings.add(value.at(), what, "it was skipped");
    }

    /// Tells of a handicap without stones, which replays wrongly.
    fn check_handicap(&mut self, root: Node<'_>) {
        let stones = self.steps.iter().any(|step| matches!(step, Step::Setup(_)));
        let first = self.steps.iter().find_map(|step| match step {
            Step::Move(record) => Some(record.color),
            _ => None,
        });
        if self.handicap >= 2 && !stones && first == Some(Color::White) {
            let at = root.first("HA").map_or(0, Value::at);
            let what = format!("{} handicap stones, but none on the board", self.handicap);
            self.warnings.add(at, what, "none were placed");
        }
    }
}

/// The start of a value, short enough for a message.
fn shown(value: Value<'_>, charset: Charset) -> String {
    let raw = value.raw();
    value::simple_text(&raw[..raw.len().min(24)], charset)
}
