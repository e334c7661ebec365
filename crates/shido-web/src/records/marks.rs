//! Marks, labels and lines of a node.

use shido_go::sgf::{Charset, Node, value};
use shido_go::{Move, Point, Size};

use crate::wire::{BoardLine, LineKind, Mark, MarkKind, move_text};

/// The longest label, in characters.
const LONGEST_LABEL: usize = 8;

const KINDS: [(&str, MarkKind); 8] = [
    ("TR", MarkKind::Triangle),
    ("SQ", MarkKind::Square),
    ("CR", MarkKind::Circle),
    ("MA", MarkKind::Cross),
    ("SL", MarkKind::Selected),
    ("TB", MarkKind::TerritoryBlack),
    ("TW", MarkKind::TerritoryWhite),
    ("DD", MarkKind::Dim),
];

/// Returns the marks of a node; what is no point is left out.
pub(super) fn marks(node: Node<'_>, size: Size, charset: Charset) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (name, kind) in KINDS {
        let corners = node.values(name);
        let corners = corners.filter_map(|it| value::rectangle(it.raw(), size).ok());
        for point in corners.flat_map(|it| value::points_between(it, size)) {
            marks.push(mark(point, kind, String::new(), size));
        }
    }
    for label in node.values("LB") {
        let Some((point, text)) = value::split_composed(label.raw()) else {
            continue;
        };
        if let Ok(point) = value::point(point, size) {
            let text = value::simple_text(text, charset);
            let text = text.chars().take(LONGEST_LABEL).collect();
            marks.push(mark(point, MarkKind::Label, text, size));
        }
    }
    // A hostile file may mark a point over and over.
    marks.truncate(KINDS.len() * size.area());
    marks
}

fn mark(point: Point, kind: MarkKind, text: String, size: Size) -> Mark {
    Mark {
        point: move_text(Move::Play(point), size),
        kind,
        text,
    }
}

/// Returns the lines and arrows of a node.
pub(super) fn lines(node: Node<'_>, size: Size) -> Vec<BoardLine> {
    let mut lines = Vec::new();
    for (name, kind) in [("LN", LineKind::Line), ("AR", LineKind::Arrow)] {
        for value in node.values(name) {
            let ends = value::split_composed(value.raw());
            let ends = ends.map(|(a, b)| (value::point(a, size), value::point(b, size)));
            if let Some((Ok(from), Ok(to))) = ends {
                lines.push(BoardLine {
                    from: move_text(Move::Play(from), size),
                    to: move_text(Move::Play(to), size),
                    kind,
                });
            }
        }
    }
    lines.truncate(size.area());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_labels_and_arrows() {
        let file = shido_go::sgf::read(
            "(;SZ[9]TR[aa:ba]LB[cc:A][dd][ee:<b>]DD[]MA[zz]AR[aa:bb][x]LN[ii:ia])".as_bytes(),
        );
        let root = file.collection.games().next().unwrap().root();
        let found = marks(root, Size::S9, Charset::UTF_8);
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.point.as_str(), it.kind, it.text.as_str()))
            .collect();
        let expect = [
            ("A9", MarkKind::Triangle, ""),
            ("B9", MarkKind::Triangle, ""),
            ("C7", MarkKind::Label, "A"),
            ("E5", MarkKind::Label, "<b>"),
        ];
        assert_eq!(found, expect);
        let found = lines(root, Size::S9);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].from.as_str(), found[1].to.as_str()), ("A9", "B8"));
    }
}
