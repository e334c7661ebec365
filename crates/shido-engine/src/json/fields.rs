//! Reading the fields of a query, each with the complaint that belongs to it.
//!
//! A complaint has KataGo's form: what is wrong, and the name of the field. Its
//! types are strict as KataGo's are: `1.0` is no integer and `null` is no value.

use serde_json::{Map, Value, json};
use shido_go::gtp::parse_vertex;
use shido_go::{Color, Move, Size};

/// Why a query is not answered, or what of it is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The field it is about; `None` when it is about the whole line.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Complaint {
    /// Returns a complaint about a field.
    pub fn about(field: &str, message: impl Into<String>) -> Complaint {
        Complaint {
            field: Some(field.to_owned()),
            message: message.into(),
        }
    }

    /// Returns a complaint about the whole line.
    pub fn general(message: impl Into<String>) -> Complaint {
        Complaint {
            field: None,
            message: message.into(),
        }
    }

    /// Writes it as KataGo does, `kind` being `error` or `warning`.
    pub(super) fn to_json(&self, kind: &str, id: Option<&str>) -> Value {
        let mut object = Map::new();
        object.insert(kind.to_owned(), json!(self.message));
        if let Some(field) = &self.field {
            object.insert("field".to_owned(), json!(field));
        }
        if let Some(id) = id {
            object.insert("id".to_owned(), json!(id));
        }
        Value::Object(object)
    }
}

/// The fields of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

type Read<T> = Result<T, Complaint>;

impl<'a> Fields<'a> {
    pub(super) fn has(self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    pub(super) fn value(self, field: &str) -> Option<&'a Value> {
        self.0.get(field)
    }

    pub(super) fn integer(self, field: &str, range: (i64, i64), what: &str) -> Read<Option<i64>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        match value.as_i64() {
            Some(number) if (range.0..=range.1).contains(&number) => Ok(Some(number)),
            _ => Err(Complaint::about(field, what)),
        }
    }

    pub(super) fn number(self, field: &str, range: (f64, f64), what: &str) -> Read<Option<f64>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) if (range.0..=range.1).contains(&number) => Ok(Some(number)),
            _ => Err(Complaint::about(field, what)),
        }
    }

    /// A missing one is false.
    pub(super) fn boolean(self, field: &str) -> Read<bool> {
        match self.value(field) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(Complaint::about(field, "Must be true or false")),
        }
    }

    pub(super) fn color(self, field: &str) -> Read<Option<Color>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let color = value.as_str().and_then(|text| text.parse().ok());
        let bad = || Complaint::about(field, "Must be \"B\" or \"W\"");
        color.map(Some).ok_or_else(bad)
    }

    pub(super) fn integers(self, field: &str, what: &str) -> Read<Option<Vec<i64>>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let numbers = value
            .as_array()
            .and_then(|list| list.iter().map(Value::as_i64).collect());
        numbers
            .map(Some)
            .ok_or_else(|| Complaint::about(field, what))
    }

    /// Reads an array of vertices.
    pub(super) fn vertices(self, field: &str, size: Size) -> Read<Vec<Move>> {
        let bad = || Complaint::about(field, "Must be an array of vertices such as \"Q16\"");
        let list = self
            .value(field)
            .and_then(Value::as_array)
            .ok_or_else(bad)?;
        list.iter()
            .map(|item| vertex(field, item.as_str().ok_or_else(bad)?, size))
            .collect()
    }

    /// Reads an array of pairs of a color and a vertex.
    pub(super) fn moves(self, field: &str, size: Size) -> Read<Option<Vec<(Color, Move)>>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let bad = || {
            let what = "Must be an array of pairs of \"B\" or \"W\" and a vertex";
            Complaint::about(field, what)
        };
        let list = value.as_array().ok_or_else(bad)?;
        let read = |item: &Value| {
            let pair = item.as_array().ok_or_else(bad)?;
            let [color, place] = pair.as_slice() else {
                return Err(bad());
            };
            let (color, place) = (color.as_str(), place.as_str());
            let (color, place) = (color.ok_or_else(bad)?, place.ok_or_else(bad)?);
            let unknown = || Complaint::about(field, format!("Could not parse player: {color}"));
            Ok((
                color.parse().map_err(|_| unknown())?,
                vertex(field, place, size)?,
            ))
        };
        let moves: Read<Vec<_>> = list.iter().map(read).collect();
        moves.map(Some)
    }
}

/// Reads `Q16`, `pass`, or `(15,3)` counted from the top left.
fn vertex(field: &str, text: &str, size: Size) -> Read<Move> {
    let found = match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        Some(pair) => pair.split_once(',').and_then(|(x, y)| {
            let point = size.point(x.trim().parse().ok()?, y.trim().parse().ok()?);
            point.map(Move::Play)
        }),
        None => parse_vertex(text, size).ok(),
    };
    found.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        Complaint::about(field, format!("Could not parse board location: {shown}"))
    })
}
