//! Writing new games: from a position with its history to a tree.

use super::GameInfo;
use crate::sgf::{Collection, NodeId, value};
use crate::{Color, Played, Position};

/// Builds a game tree move by move, in file format 4 and UTF-8.
///
/// ```
/// use shido_go::{GameInfo, Move, Position, Recorder, Rules, Size};
///
/// let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
/// position.play(Move::from(Size::S9.point(4, 4)))?;
/// let mut recorder = Recorder::of_position(&position, &GameInfo::default());
/// recorder.comment("The middle.");
/// let sgf = String::from_utf8(recorder.finish().write()).expect("UTF-8");
/// assert!(sgf.ends_with(";B[ee]C[The middle.])\n"));
/// # Ok::<(), shido_go::IllegalMove>(())
/// ```
#[derive(Debug, Clone)]
pub struct Recorder {
    collection: Collection,
    current: NodeId,
}

impl Recorder {
    /// Writes the root for the stones a position started from, without its moves.
    pub fn of_start(position: &Position, info: &GameInfo) -> Recorder {
        let mut collection = Collection::new();
        let root = collection.add_game();
        let mut recorder = Recorder {
            collection,
            current: root,
        };
        recorder.write_root(position, info);
        recorder
    }

    /// Writes the root and all moves of a position.
    pub fn of_position(position: &Position, info: &GameInfo) -> Recorder {
        let mut recorder = Recorder::of_start(position, info);
        for &played in position.moves() {
            recorder.play(played);
        }
        recorder
    }

    /// Adds a move after the current node; it becomes the current one.
    pub fn play(&mut self, played: Played) -> NodeId {
        self.current = self.collection.add_child(self.current);
        let name = played.color.letter().to_string();
        self.collection
            .add(self.current, &name, &[&value::write_move(played.mv)]);
        self.current
    }

    /// Sets the comment of the current node.
    pub fn comment(&mut self, text: &str) {
        self.collection.set(self.current, "C", &[text]);
    }

    /// Returns the current node.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// Goes to another node, to add a variation there.
    pub fn go_to(&mut self, node: NodeId) {
        self.current = node;
    }

    /// Returns the tree, for properties of other kinds.
    pub fn collection_mut(&mut self) -> &mut Collection {
        &mut self.collection
    }

    /// Returns the finished tree.
    pub fn finish(self) -> Collection {
        self.collection
    }

    fn write_root(&mut self, position: &Position, info: &GameInfo) {
        let root = self.current;
        let size = position.size();
        let size = if size.is_square() {
            size.width().to_string()
        } else {
            format!("{}:{}", size.width(), size.height())
        };
        let application = concat!("shido:", env!("CARGO_PKG_VERSION"));
        for (name, text) in [
            ("FF", "4"),
            ("GM", "1"),
            ("CA", "UTF-8"),
            ("AP", application),
            ("SZ", &size),
            ("KM", &position.komi().to_string()),
            ("RU", &position.rules().sgf_name()),
        ] {
            self.collection.add(root, name, &[text]);
        }
        if position.handicap() >= 2 {
            let stones = position.handicap().to_string();
            self.collection.add(root, "HA", &[&stones]);
        }
        self.write_info(info);
        self.write_stones(position);
    }

    fn write_info(&mut self, info: &GameInfo) {
        let time = info.main_time.map(|time| time.to_string());
        for (name, text) in [
            ("PB", info.black.name.as_str()),
            ("BR", &info.black.rank_text),
            ("PW", &info.white.name),
            ("WR", &info.white.rank_text),
            ("RE", &info.result),
            ("DT", &info.date),
            ("EV", &info.event),
            ("RO", &info.round),
            ("PC", &info.place),
            ("TM", time.as_deref().unwrap_or_default()),
            ("OT", &info.overtime),
        ] {
            if !text.is_empty() {
                self.collection.add(self.current, name, &[text]);
            }
        }
    }

    fn write_stones(&mut self, position: &Position) {
        let start = position.start();
        let mut any = false;
        for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
            let stones: Vec<String> = start
                .size()
                .points()
                .filter(|&point| start.stone(point) == Some(color))
                .map(value::write_point)
                .collect();
            if !stones.is_empty() {
                any = true;
                let stones: Vec<&str> = stones.iter().map(String::as_str).collect();
                self.collection.add(self.current, name, &stones);
            }
        }
        if any || position.first_to_move() == Color::White {
            let first = position.first_to_move().letter().to_string();
            self.collection.add(self.current, "PL", &[&first]);
        }
    }
}
