//! One record, read: its games, their nodes, the position at any of them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use shido_go::sgf::{self, Collection, GameTree, Node, NodeId, value};
use shido_go::{Color, Game, Move, Position, Size};

use super::marks;
use crate::error::ApiError;
use crate::store::StoredRecord;
use crate::wire::{
    GraphPoint, NextMove, NodeView, PositionView, RecordInfo, RecordView, TreeNode, move_text,
};

/// The most nodes of a game; a page could not show more.
const MOST_NODES: usize = 20_000;
/// The most warnings that are passed on.
const MOST_WARNINGS: usize = 20;

/// A record, read.
pub(crate) struct Record {
    id: String,
    name: String,
    collection: Collection,
    games: Vec<GameNodes>,
    warnings: Vec<String>,
    /// Points of graphs that were found already, by game and node.
    graph: Mutex<HashMap<(usize, usize), GraphPoint>>,
}

/// A game's nodes in preorder.
struct GameNodes {
    size: Size,
    nodes: Vec<NodeId>,
    tree: Vec<TreeNode>,
}

impl Record {
    /// Reads a file; an error if it holds no game of Go that can be shown.
    pub(super) fn read(stored: StoredRecord) -> Result<Record, ApiError> {
        let reading = sgf::read(stored.sgf);
        let mut games = Vec::new();
        let mut refusal = None;
        let mut total = 0;
        for tree in reading.collection.games() {
            match GameNodes::read(tree, MOST_NODES - total) {
                Ok(game) => {
                    total += game.nodes.len();
                    games.push(game);
                }
                Err(why) => {
                    refusal = Some(why);
                    break;
                }
            }
        }
        if let Some(why) = refusal {
            return Err(ApiError::BadRecord(why));
        }
        if games.is_empty() {
            let why = "there is no game in this file: it is not SGF";
            return Err(ApiError::BadRecord(why.to_owned()));
        }
        let warnings = reading.warnings.listed().iter();
        let warnings = warnings.take(MOST_WARNINGS).map(ToString::to_string);
        Ok(Record {
            id: stored.id,
            name: stored.name,
            warnings: warnings.collect(),
            games,
            collection: reading.collection,
            graph: Mutex::default(),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    fn game(&self, game: usize) -> Result<(&GameNodes, GameTree<'_>), ApiError> {
        let nodes = self.games.get(game).ok_or(ApiError::NotFound("game"))?;
        let tree = self.collection.games().nth(game);
        Ok((nodes, tree.ok_or(ApiError::NotFound("game"))?))
    }

    /// Returns a game of the record as the page gets it.
    pub(crate) fn view(&self, game: usize) -> Result<RecordView, ApiError> {
        let (nodes, tree) = self.game(game)?;
        let read = Game::from_tree(tree).map_err(|error| bad_record(&error))?;
        let (_, replayed) = read.replay().finish();
        let mut warnings = self.warnings.clone();
        let more = read.warnings.listed().iter().chain(replayed.listed());
        warnings.extend(more.map(ToString::to_string));
        warnings.truncate(MOST_WARNINGS);
        Ok(RecordView {
            id: self.id.clone(),
            name: self.name.clone(),
            game,
            games: self.games.len(),
            width: nodes.size.width(),
            height: nodes.size.height(),
            warnings,
            nodes: nodes.tree.clone(),
            main_line: nodes.line_through(0),
            info: RecordInfo {
                komi: read.komi(),
                handicap: read.handicap,
                black: read.info.black.name,
                black_rank: read.info.black.rank_text,
                white: read.info.white.name,
                white_rank: read.info.white.rank_text,
                result: read.info.result,
                date: read.info.date,
                event: read.info.event,
                place: read.info.place,
                rules: read.info.rules_text,
            },
        })
    }

    /// Returns the position at a node.
    pub(crate) fn position(&self, game: usize, node: usize) -> Result<Box<Position>, ApiError> {
        let (nodes, tree) = self.game(game)?;
        let id = nodes.nodes.get(node).ok_or(ApiError::NotFound("node"))?;
        let line =
            Game::from_line(tree, self.collection.node(*id)).map_err(|error| bad_record(&error))?;
        let (mut position, _) = line.replay().finish();
        // Whose turn it is at the end of a line the next move says best.
        let next = nodes.tree[node].children.first();
        let next = next.and_then(|&child| nodes.tree[child].color);
        match next {
            Some(color) => position.set_to_move(color.into()),
            None if line.moves().next().is_none() && line.handicap >= 2 => {
                position.set_to_move(Color::White);
            }
            None => {}
        }
        Ok(Box::new(position))
    }

    /// Returns a node with its position and marks.
    pub(crate) fn node(&self, game: usize, node: usize) -> Result<NodeView, ApiError> {
        let position = self.position(game, node)?;
        let (nodes, _) = self.game(game)?;
        let raw = self.collection.node(nodes.nodes[node]);
        let charset = self.collection.charset_of(raw.id());
        let next = nodes.tree[node].children.iter().map(|&child| NextMove {
            node: child,
            color: nodes.tree[child].color,
            mv: nodes.tree[child].mv.clone(),
        });
        let mut view = PositionView::new(&position);
        // A history that starts anew in mid-game counts fewer moves than the tree.
        view.move_number = nodes.tree[node].number;
        Ok(NodeView {
            id: node,
            position: view,
            name: raw.text("N").unwrap_or_default(),
            comment: raw.text("C").unwrap_or_default(),
            marks: marks::marks(raw, nodes.size, charset),
            lines: marks::lines(raw, nodes.size),
            next: next.collect(),
        })
    }

    /// Returns the nodes of the line through a node, the root first.
    pub(crate) fn line(&self, game: usize, node: usize) -> Result<Vec<usize>, ApiError> {
        let (nodes, _) = self.game(game)?;
        if node >= nodes.nodes.len() {
            return Err(ApiError::NotFound("node"));
        }
        Ok(nodes.line_through(node))
    }

    /// Returns the moves played up to a node.
    pub(crate) fn number(&self, game: usize, node: usize) -> usize {
        let node = self.games.get(game).and_then(|it| it.tree.get(node));
        node.map_or(0, |it| it.number)
    }

    /// Returns a point of the graph that was found before.
    pub(crate) fn known(&self, game: usize, node: usize) -> Option<GraphPoint> {
        let graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        graph.get(&(game, node)).cloned()
    }

    /// Remembers a point of the graph.
    pub(crate) fn learn(&self, game: usize, point: GraphPoint) {
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        graph.insert((game, point.node), point);
    }
}

impl GameNodes {
    fn read(tree: GameTree<'_>, most: usize) -> Result<GameNodes, String> {
        let size = Game::from_tree(tree).map_err(|it| it.to_string())?.size;
        let mut game = GameNodes {
            size,
            nodes: Vec::new(),
            tree: Vec::new(),
        };
        // A stack of our own: trees may be deep.
        let mut open = vec![(tree.root(), None)];
        while let Some((node, parent)) = open.pop() {
            if game.nodes.len() >= most {
                return Err(format!("the file has more than {MOST_NODES} nodes"));
            }
            let id = game.push(node, parent);
            let children: Vec<_> = node.children().collect();
            open.extend(children.into_iter().rev().map(|child| (child, Some(id))));
        }
        Ok(game)
    }

    fn push(&mut self, node: Node<'_>, parent: Option<usize>) -> usize {
        let id = self.nodes.len();
        let played = self.played(node);
        let before = parent.map_or(0, |it| self.tree[it].number);
        self.nodes.push(node.id());
        self.tree.push(TreeNode {
            id,
            parent,
            children: Vec::new(),
            color: played.map(|(color, _)| color.into()),
            mv: played.map(|(_, mv)| move_text(mv, self.size)),
            number: before + usize::from(played.is_some()),
            has_comment: node.first("C").is_some(),
            name: node.text("N"),
        });
        if let Some(parent) = parent {
            self.tree[parent].children.push(id);
        }
        id
    }

    fn played(&self, node: Node<'_>) -> Option<(Color, Move)> {
        let color = |name, color| {
            let raw = node.first(name)?.raw();
            Some((color, value::play(raw, self.size).ok()?))
        };
        color("B", Color::Black).or_else(|| color("W", Color::White))
    }

    /// Returns the line from the root to a node and on along first children.
    fn line_through(&self, node: usize) -> Vec<usize> {
        let mut line: Vec<_> =
            std::iter::successors(Some(node), |&it| self.tree[it].parent).collect();
        line.reverse();
        let next = |&it: &usize| self.tree[it].children.first().copied();
        line.extend(std::iter::successors(next(&node), next));
        line
    }
}

fn bad_record(error: &shido_go::GameError) -> ApiError {
    ApiError::BadRecord(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sgf: &str) -> Result<Record, ApiError> {
        Record::read(StoredRecord {
            id: "0".repeat(32),
            created_ms: 0,
            name: "test.sgf".to_owned(),
            sgf: sgf.as_bytes().to_vec(),
        })
    }

    #[test]
    fn nodes_are_numbered_main_line_first() {
        let record = read("(;SZ[9];B[ee](;W[cc];B[gg])(;W[gc]C[other]))").unwrap();
        let view = record.view(0).unwrap();
        assert_eq!(view.main_line, [0, 1, 2, 3]);
        assert_eq!(view.nodes[1].children, [2, 4]);
        assert_eq!(view.nodes[4].mv.as_deref(), Some("G7"));
        assert!(view.nodes[4].has_comment && !view.nodes[3].has_comment);
        assert_eq!(record.line(0, 4).unwrap(), [0, 1, 4]);
        let node = record.node(0, 4).unwrap();
        assert_eq!(node.comment, "other");
        assert_eq!(
            node.position.stones.iter().filter(|&&it| it != 0).count(),
            2
        );
        assert!(record.node(0, 5).is_err() && record.view(1).is_err());
    }

    #[test]
    fn the_turn_follows_the_next_move_and_the_handicap() {
        let record = read("(;SZ[9]HA[2]AB[cg][gc];W[ee])").unwrap();
        assert_eq!(record.position(0, 0).unwrap().to_move(), Color::White);
        assert_eq!(record.position(0, 1).unwrap().to_move(), Color::Black);
        let record = read("(;SZ[9]HA[2]AB[cg][gc])").unwrap();
        assert_eq!(record.position(0, 0).unwrap().to_move(), Color::White);
    }

    #[track_caller]
    fn check_refused(sgf: &str, expect: &str) {
        let error = read(sgf).err().expect("it is refused").to_string();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn what_is_no_game_is_refused() {
        check_refused("hello", "not SGF");
        check_refused("", "not SGF");
        check_refused("(;GM[2])", "not Go");
        check_refused("(;SZ[99])", "not supported");
        let long = format!("(;SZ[9]{})", ";B[aa]".repeat(MOST_NODES));
        check_refused(&long, "more than 20000 nodes");
    }
}
