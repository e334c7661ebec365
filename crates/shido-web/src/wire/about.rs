//! What the program is and what it offers.

use serde::Serialize;
use utoipa::ToSchema;

/// What the program is and what it offers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct About {
    /// `shido`.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// What analyzes positions; the first is the default.
    pub engines: Vec<EngineOffer>,
    /// Who plays; the first is the default.
    pub partners: Vec<PartnerOffer>,
    /// The boards to play on.
    pub sizes: Vec<BoardSize>,
    /// The rules to play by; the first are the default.
    pub rules: Vec<RulesOffer>,
    /// The largest game record that is taken, in bytes.
    pub max_record_bytes: usize,
}

/// An engine that analyzes positions.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EngineOffer {
    /// Its name in the API.
    pub id: String,
    /// What it is, in a few English words.
    pub name: String,
}

/// A partner to play with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PartnerOffer {
    /// Its name in the API.
    pub id: String,
    /// What it is, in a few English words.
    pub name: String,
    /// Whether it is for those who know what they want; the page folds it away.
    pub advanced: bool,
    /// How hard it can think, weakest first; empty if a level says it.
    pub strengths: Vec<StrengthOffer>,
    /// The ranks it can play at, weakest first; empty if none is claimed.
    pub levels: Vec<LevelOffer>,
    /// The boards on which its levels were measured; elsewhere they are a guess.
    pub measured: Vec<usize>,
    /// Its leanings; empty if it has none.
    pub styles: Vec<StyleOffer>,
}

/// How hard a partner thinks. No rank is claimed for it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StrengthOffer {
    /// Its name in the API.
    pub id: String,
    /// Playouts or evaluations for a move.
    pub playouts: u64,
    /// Whether it is taken if none is asked for.
    pub default: bool,
}

/// A rank a partner can play at (KGS ranks).
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LevelOffer {
    /// The rank, e.g. `8k`, or `auto`.
    pub id: String,
    /// About the same rank on the Fox server; none for `auto`.
    pub fox: Option<String>,
    /// Whether it is taken if none is asked for.
    pub default: bool,
}

/// A leaning of a partner.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StyleOffer {
    /// Its name in the API.
    pub id: String,
}

/// A board to play on.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BoardSize {
    /// Lines on each side.
    pub size: usize,
    /// The most handicap stones.
    pub max_handicap: usize,
}

/// Rules to play by.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RulesOffer {
    /// Their name in the API.
    pub id: String,
    /// What counts at the end: `area` or `territory`.
    pub scoring: String,
    /// The usual komi of an even game.
    pub komi: f32,
    /// The usual komi with handicap stones.
    pub handicap_komi: f32,
}
