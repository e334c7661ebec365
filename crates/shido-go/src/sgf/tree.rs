//! Layer 2: a collection of game trees with raw properties.
//!
//! All nodes of a file live in one arena and are named by [`NodeId`]; properties
//! and values are spans of one byte buffer, which is the file itself. A node costs
//! a few machine words, nothing is nested, and dropping a tree of any depth is flat.
//! Edits append to the arenas; a property taken away is unlinked.
//!
//! Property names are kept as written. Lookups compare the uppercase letters
//! alone, so that the `AddBlack` of file formats 1 to 3 is found as `AB`.

use std::iter;

use super::charset::Charset;
use super::value;

/// A node's place in its [`Collection`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// No node, property or value.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct NodeRecord {
    /// The first node of the game.
    root: u32,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    first_property: u32,
    last_property: u32,
    at: u32,
}

#[derive(Debug, Clone)]
struct PropertyRecord {
    name: Span,
    first_value: u32,
    values: u32,
    next: u32,
}

/// Bytes of [`Collection::text`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// All games of a file.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    text: Vec<u8>,
    nodes: Vec<NodeRecord>,
    properties: Vec<PropertyRecord>,
    values: Vec<Span>,
    roots: Vec<NodeId>,
    charset: Charset,
    /// What `CA` says and cannot be true.
    disproved: Option<Charset>,
}

impl Collection {
    /// The most nodes a collection holds; reading stops there with a warning.
    pub const MAX_NODES: usize = 1 << 25;

    /// Returns a collection without games, whose text will be UTF-8.
    pub fn new() -> Collection {
        Collection::default()
    }

    /// Returns a collection without games whose text is in some charset.
    pub(super) fn in_charset(charset: Charset) -> Collection {
        Collection {
            charset,
            ..Collection::default()
        }
    }

    /// Returns how the text of games without a `CA` of their own is encoded.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns the games in order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameTree<'_>> + DoubleEndedIterator {
        self.roots.iter().map(|&root| GameTree {
            root: self.node(root),
            charset: self.charset_of(root),
        })
    }

    /// Returns the number of nodes of all games.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of values of all properties that were ever added.
    pub(super) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns a view of a node.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node {
            collection: self,
            id,
        }
    }

    /// Starts another game; returns its root.
    pub fn add_game(&mut self) -> NodeId {
        let root = self.push_node(NONE, NONE as usize);
        self.roots.push(root);
        root
    }

    /// Adds a child after the node's other children; returns it.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        self.add_child_at(parent, NONE as usize)
    }

    /// Adds a property after the node's others, with text values that are escaped here.
    ///
    /// Lowercase letters are dropped from the name, other characters than letters are not allowed.
    ///
    /// # Panics
    /// Panics if `name` holds no uppercase ASCII letter.
    pub fn add(&mut self, node: NodeId, name: &str, values: &[&str]) {
        let name: Vec<u8> = name.bytes().filter(u8::is_ascii_uppercase).collect();
        assert!(!name.is_empty(), "an SGF property has a name");
        let name = self.store(&name);
        let charset = self.charset_of(node);
        self.start_property(node, name);
        for text in values {
            let escaped = value::escape(text);
            let span = self.store(&charset.encode(&escaped));
            self.push_value(span);
        }
        if values.is_empty() {
            let span = self.store(b"");
            self.push_value(span);
        }
    }

    /// Takes the node's properties of this name away; returns whether there were any.
    pub fn remove(&mut self, node: NodeId, name: &str) -> bool {
        let kept: Vec<u32> = self
            .property_ids(node)
            .filter(|&id| !self.property(id).is(name))
            .collect();
        let removed = kept.len() != self.property_ids(node).count();
        for pair in kept.windows(2) {
            self.properties[pair[0] as usize].next = pair[1];
        }
        if let Some(&last) = kept.last() {
            self.properties[last as usize].next = NONE;
        }
        let record = &mut self.nodes[node.0 as usize];
        record.first_property = kept.first().copied().unwrap_or(NONE);
        record.last_property = kept.last().copied().unwrap_or(NONE);
        removed
    }

    /// Replaces the node's properties of this name by one.
    pub fn set(&mut self, node: NodeId, name: &str, values: &[&str]) {
        self.remove(node, name);
        self.add(node, name, values);
    }

    /// Returns the charset of the game a node belongs to.
    pub fn charset_of(&self, node: NodeId) -> Charset {
        self.node(NodeId(self.nodes[node.0 as usize].root))
            .first("CA")
            .and_then(|label| Charset::named(label.raw()))
            .filter(|&charset| Some(charset) != self.disproved)
            .unwrap_or(self.charset)
    }

    /// Makes a label in the file be ignored.
    pub(super) fn disprove(&mut self, label: Option<Charset>) {
        self.disproved = label;
    }

    /// Gives the bytes that the spans were cut from, once they are all read.
    pub(super) fn set_text(&mut self, text: Vec<u8>) {
        self.text = text;
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn add_root_at(&mut self, at: usize) -> NodeId {
        let root = self.push_node(NONE, at);
        self.roots.push(root);
        root
    }

    pub(super) fn add_child_at(&mut self, parent: NodeId, at: usize) -> NodeId {
        let child = self.push_node(parent.0, at);
        let record = &mut self.nodes[parent.0 as usize];
        let elder = std::mem::replace(&mut record.last_child, child.0);
        if elder == NONE {
            record.first_child = child.0;
        } else {
            self.nodes[elder as usize].next_sibling = child.0;
        }
        child
    }

    /// Starts a property; values pushed next belong to it.
    pub(super) fn start_property(&mut self, node: NodeId, name: Span) {
        let id = self.properties.len() as u32;
        self.properties.push(PropertyRecord {
            name,
            first_value: self.values.len() as u32,
            values: 0,
            next: NONE,
        });
        let record = &mut self.nodes[node.0 as usize];
        let elder = std::mem::replace(&mut record.last_property, id);
        if elder == NONE {
            record.first_property = id;
        } else {
            self.properties[elder as usize].next = id;
        }
    }

    /// Adds a value to the property started last.
    pub(super) fn push_value(&mut self, span: Span) {
        self.values.push(span);
        if let Some(property) = self.properties.last_mut() {
            property.values += 1;
        }
    }

    fn push_node(&mut self, parent: u32, at: usize) -> NodeId {
        assert!(
            self.nodes.len() < NONE as usize,
            "a collection of 4 billion nodes"
        );
        let id = self.nodes.len() as u32;
        let root = some(parent).map_or(id, |parent| self.nodes[parent as usize].root);
        self.nodes.push(NodeRecord {
            root,
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            first_property: NONE,
            last_property: NONE,
            at: at as u32,
        });
        NodeId(id)
    }

    fn store(&mut self, bytes: &[u8]) -> Span {
        assert!(
            self.text.len() + bytes.len() < NONE as usize,
            "a collection of 4 gigabytes"
        );
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        Span {
            start,
            len: bytes.len() as u32,
        }
    }

    fn bytes(&self, span: Span) -> &[u8] {
        &self.text[span.start as usize..][..span.len as usize]
    }

    fn property(&self, id: u32) -> Property<'_> {
        Property {
            collection: self,
            record: &self.properties[id as usize],
        }
    }

    fn property_ids(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        let first = self.nodes[node.0 as usize].first_property;
        iter::successors(some(first), |&id| some(self.properties[id as usize].next))
    }
}

fn some(id: u32) -> Option<u32> {
    (id != NONE).then_some(id)
}

/// Equal games with equal raw properties in equal order; where they stood in a file is not compared.
impl PartialEq for Collection {
    fn eq(&self, other: &Collection) -> bool {
        // Pairs of nodes still to compare, on a stack of our own: trees may be deep.
        let mut pairs: Vec<(Node<'_>, Node<'_>)> = Vec::new();
        if self.roots.len() != other.roots.len() {
            return false;
        }
        pairs.extend(
            self.games()
                .map(|g| g.root)
                .zip(other.games().map(|g| g.root)),
        );
        while let Some((a, b)) = pairs.pop() {
            if !a.properties().eq(b.properties()) || a.children().count() != b.children().count() {
                return false;
            }
            pairs.extend(a.children().zip(b.children()));
        }
        true
    }
}

/// One game of a collection: its root and how its text is encoded.
#[derive(Debug, Clone, Copy)]
pub struct GameTree<'c> {
    root: Node<'c>,
    charset: Charset,
}

impl<'c> GameTree<'c> {
    /// Returns the first node.
    pub fn root(self) -> Node<'c> {
        self.root
    }

    /// Returns how the text is encoded.
    pub fn charset(self) -> Charset {
        self.charset
    }

    /// Returns the root, its first child, that one's first child, and so on.
    pub fn main_line(self) -> impl Iterator<Item = Node<'c>> {
        iter::successors(Some(self.root), |node| node.children().next())
    }
}

/// A view of a node.
#[derive(Debug, Clone, Copy)]
pub struct Node<'c> {
    collection: &'c Collection,
    id: NodeId,
}

impl<'c> Node<'c> {
    /// Returns the node's name in the collection.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the offset in the file that the node was read from.
    pub fn at(self) -> Option<usize> {
        some(self.record().at).map(|at| at as usize)
    }

    /// Returns the node before this one.
    pub fn parent(self) -> Option<Node<'c>> {
        some(self.record().parent).map(|id| self.collection.node(NodeId(id)))
    }

    /// Returns the nodes that may come next; the first is the main line.
    pub fn children(self) -> impl Iterator<Item = Node<'c>> + Clone {
        let collection = self.collection;
        iter::successors(some(self.record().first_child), |&id| {
            some(collection.nodes[id as usize].next_sibling)
        })
        .map(move |id| collection.node(NodeId(id)))
    }

    /// Returns the properties in order.
    pub fn properties(self) -> impl Iterator<Item = Property<'c>> + Clone {
        let collection = self.collection;
        let first = self.record().first_property;
        iter::successors(some(first), |&id| {
            some(collection.properties[id as usize].next)
        })
        .map(move |id| collection.property(id))
    }

    /// Returns the values of all properties of this name, in order.
    pub fn values(self, name: &'c str) -> impl Iterator<Item = Value<'c>> + Clone {
        self.properties()
            .filter(move |property| property.is(name))
            .flat_map(Property::values)
    }

    /// Returns the first value of the first property of this name.
    pub fn first(self, name: &str) -> Option<Value<'c>> {
        self.properties()
            .find(|property| property.is(name))
            .and_then(|property| property.values().next())
    }

    /// Returns the text of the first property of this name, line breaks kept.
    pub fn text(self, name: &str) -> Option<String> {
        let raw = self.first(name)?.raw();
        Some(value::text(raw, self.collection.charset_of(self.id)))
    }

    fn record(self) -> &'c NodeRecord {
        &self.collection.nodes[self.id.0 as usize]
    }
}

/// A view of a property: a name and one or more raw values.
#[derive(Debug, Clone, Copy)]
pub struct Property<'c> {
    collection: &'c Collection,
    record: &'c PropertyRecord,
}

impl<'c> Property<'c> {
    /// Returns the name as written, perhaps with lowercase letters.
    pub fn name(self) -> &'c str {
        std::str::from_utf8(self.collection.bytes(self.record.name))
            .expect("names are ASCII letters, digits and underscores")
    }

    /// Returns whether the uppercase letters of the name are these.
    pub fn is(self, name: &str) -> bool {
        let written = self.collection.bytes(self.record.name);
        written == name.as_bytes()
            || written
                .iter()
                .filter(|byte| !byte.is_ascii_lowercase())
                .eq(name.as_bytes())
    }

    /// Returns the values in order.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'c>> + Clone {
        let collection = self.collection;
        let first = self.record.first_value as usize;
        collection.values[first..first + self.record.values as usize]
            .iter()
            .map(move |&span| Value { collection, span })
    }

    /// Returns the offset in the file of the name.
    pub fn at(self) -> usize {
        self.record.name.start as usize
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self
                .values()
                .map(Value::raw)
                .eq(other.values().map(Value::raw))
    }
}

/// A view of one raw value.
#[derive(Debug, Clone, Copy)]
pub struct Value<'c> {
    collection: &'c Collection,
    span: Span,
}

impl<'c> Value<'c> {
    /// Returns the bytes between the brackets, escapes and all.
    pub fn raw(self) -> &'c [u8] {
        self.collection.bytes(self.span)
    }

    /// Returns the offset in the file of the first byte between the brackets.
    pub fn at(self) -> usize {
        self.span.start as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(collection: &Collection, node: NodeId) -> Vec<&str> {
        collection
            .node(node)
            .properties()
            .map(Property::name)
            .collect()
    }

    #[test]
    fn properties_can_be_added_set_and_removed() {
        let mut collection = Collection::new();
        let root = collection.add_game();
        collection.add(root, "AB", &["aa", "bb"]);
        collection.add(root, "Comment", &["a]b"]);
        collection.add(root, "KO", &[]);
        assert_eq!(names(&collection, root), ["AB", "C", "KO"]);
        assert_eq!(collection.node(root).text("C").as_deref(), Some("a]b"));
        assert!(collection.remove(root, "AB"));
        assert!(!collection.remove(root, "AB"));
        collection.set(root, "C", &["new"]);
        assert_eq!(names(&collection, root), ["KO", "C"]);
        assert!(collection.remove(root, "KO") && collection.remove(root, "C"));
        collection.add(root, "N", &["again"]);
        assert_eq!(names(&collection, root), ["N"]);
    }

    #[test]
    fn children_keep_their_order() {
        let mut collection = Collection::new();
        let root = collection.add_game();
        let a = collection.add_child(root);
        let b = collection.add_child(root);
        let c = collection.add_child(a);
        let ids: Vec<_> = collection.node(root).children().map(Node::id).collect();
        assert_eq!(ids, [a, b]);
        let game = collection.games().next().unwrap();
        let line: Vec<_> = game.main_line().map(Node::id).collect();
        assert_eq!(line, [root, a, c]);
        assert_eq!(collection.node(c).parent().map(Node::id), Some(a));
    }
}
