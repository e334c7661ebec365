//! Layer 2, writing: a tree becomes SGF bytes that read back as the same tree.

use super::tree::{Collection, Node};

/// Lines are broken before a node once they are this long; values are never broken.
const LINE: usize = 72;

enum Work<'c> {
    Node(Node<'c>),
    Open(Node<'c>),
    Close,
}

impl Collection {
    /// Returns the collection as SGF, in the charset it was read in.
    ///
    /// ```
    /// let file = shido_go::sgf::read(b"( ;SZ[9] XY[kept] ;B[ee] )");
    /// assert_eq!(file.collection.write(), b"(;SZ[9]XY[kept];B[ee])\n");
    /// ```
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text().len());
        let mut line_start = 0;
        let mut work: Vec<Work<'_>> = Vec::new();
        for game in self.games() {
            work.push(Work::Open(game.root()));
            while let Some(item) = work.pop() {
                match item {
                    Work::Close => out.push(b')'),
                    Work::Open(node) => {
                        break_line(&mut out, &mut line_start, 0);
                        out.push(b'(');
                        work.push(Work::Close);
                        work.push(Work::Node(node));
                    }
                    Work::Node(node) => {
                        break_line(&mut out, &mut line_start, LINE);
                        write_node(&mut out, node);
                        push_children(&mut work, node);
                    }
                }
            }
            out.push(b'\n');
            line_start = out.len();
        }
        out
    }
}

fn push_children<'c>(work: &mut Vec<Work<'c>>, node: Node<'c>) {
    let mut children = node.children();
    let Some(first) = children.next() else { return };
    if children.clone().next().is_none() {
        work.push(Work::Node(first));
        return;
    }
    // The stack gives the last pushed first.
    let start = work.len();
    work.push(Work::Open(first));
    work.extend(children.map(Work::Open));
    work[start..].reverse();
}

fn break_line(out: &mut Vec<u8>, line_start: &mut usize, longer_than: usize) {
    if out.len() - *line_start > longer_than {
        out.push(b'\n');
        *line_start = out.len();
    }
}

fn write_node(out: &mut Vec<u8>, node: Node<'_>) {
    out.push(b';');
    for property in node.properties() {
        out.extend_from_slice(property.name().as_bytes());
        for value in property.values() {
            out.push(b'[');
            out.extend_from_slice(value.raw());
            out.push(b']');
        }
    }
}
