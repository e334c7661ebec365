//! Why a partner played what it played: the record that goes with every choice.
//!
//! It holds what the policy knew (candidates, loss, naturalness, target loss, score)
//! and which rule decided. Rules, notes and reasons have ids that do not change, so
//! that a page can say the same in its own language; the text here is English.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use shido_search::{ForMover, Points, WinRate};

use super::kind::PartnerKind;
use super::resign::Outlook;

/// The rule that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The analyst's best move.
    BestMove,
    /// A draw from the human move model (HI24, §5.1).
    HumanDraw,
    /// A draw by visits (HI24, §5.1).
    VisitsDraw,
    /// The highest score over one search (HI24, Eq. 2).
    RolesScore,
    /// The highest score after halving (HI24, Eq. 2).
    HalvingScore,
    /// The highest smooth score after halving (HI24, Eq. 3).
    NaturalScore,
    /// The win rate nearest to one half (SF21, §5.2).
    NearestEven,
    /// One move is far better than all others (SF21, §4.1).
    ClearBest,
    /// The partner is behind and plays its best (SF21, §4.1).
    Behind,
    /// The game is even: the most natural of the good moves (SF21, §4.1).
    MostNatural,
    /// The partner is ahead and gives way (SF21, §4.3).
    GiveWay,
    /// A move everyone would play in an endgame (SF21, Alg. 1).
    EndgameObvious,
    /// The highest preference of endgame control (SF21, Alg. 1).
    EndgamePreference,
    /// There was only one sensible move.
    OnlyMove,
    /// There is no sensible stone to play.
    NoMove,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 15] = [
        Rule::BestMove,
        Rule::HumanDraw,
        Rule::VisitsDraw,
        Rule::RolesScore,
        Rule::HalvingScore,
        Rule::NaturalScore,
        Rule::NearestEven,
        Rule::ClearBest,
        Rule::Behind,
        Rule::MostNatural,
        Rule::GiveWay,
        Rule::EndgameObvious,
        Rule::EndgamePreference,
        Rule::OnlyMove,
        Rule::NoMove,
    ];

    /// Returns the stable id.
    pub fn id(self) -> &'static str {
        match self {
            Rule::BestMove => "best-move",
            Rule::HumanDraw => "human-draw",
            Rule::VisitsDraw => "visits-draw",
            Rule::RolesScore => "roles-score",
            Rule::HalvingScore => "halving-score",
            Rule::NaturalScore => "natural-score",
            Rule::NearestEven => "nearest-even",
            Rule::ClearBest => "clear-best",
            Rule::Behind => "behind",
            Rule::MostNatural => "most-natural",
            Rule::GiveWay => "give-way",
            Rule::EndgameObvious => "endgame-obvious",
            Rule::EndgamePreference => "endgame-preference",
            Rule::OnlyMove => "only-move",
            Rule::NoMove => "no-move",
        }
    }

    /// Says what the rule does, as the partner would.
    fn sentence(self) -> &'static str {
        match self {
            Rule::BestMove => "I played the strongest move I found.",
            Rule::HumanDraw => "I played as a person of this level might.",
            Rule::VisitsDraw => "I drew one of the moves I had looked at most.",
            Rule::RolesScore | Rule::HalvingScore | Rule::NaturalScore => {
                "I looked for a natural move that keeps the game close."
            }
            Rule::NearestEven => "I played the move that leaves the chances most even.",
            Rule::ClearBest => "One move was far better than all others, so I played it.",
            Rule::Behind => "I am behind, so I played the best move I found.",
            Rule::MostNatural => "The game is even, so I played the most natural good move.",
            Rule::GiveWay => "I am ahead, so I gave way a little with a natural move.",
            Rule::EndgameObvious => "Everyone would play here at this stage.",
            Rule::EndgamePreference => "I chose a natural endgame move that keeps the score close.",
            Rule::OnlyMove => "There was only one sensible move.",
            Rule::NoMove => "There was nothing left to play.",
        }
    }
}

/// What else had a part in the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// Less is given away, because it is the opening (SF21, §5.3.2).
    OpeningEased,
    /// The handicap still to be made up for is not counted as being behind.
    HandicapEased,
    /// A ladder had to be answered (SF21, §5.3.1).
    LadderAnswered,
    /// The first candidates turned out bad, so all were searched again (HI24, Alg. 2).
    ExtraSimulations,
    /// More simulations than set were needed for reliable numbers.
    SimulationsRaised,
    /// The move was drawn from those that were left, the likelier the higher its score
    /// ([`super::NaturalSettings::variety`]).
    DrawnByScore,
    /// Endgame control took over with this move (SF21, §7.4).
    EndgameStarted,
    /// No move was free of every concern, so the least was overlooked.
    ConcernOverlooked,
}

impl Note {
    /// All notes.
    pub const ALL: [Note; 8] = [
        Note::OpeningEased,
        Note::HandicapEased,
        Note::LadderAnswered,
        Note::ExtraSimulations,
        Note::SimulationsRaised,
        Note::DrawnByScore,
        Note::EndgameStarted,
        Note::ConcernOverlooked,
    ];

    /// Returns the stable id.
    pub fn id(self) -> &'static str {
        match self {
            Note::OpeningEased => "opening-eased",
            Note::HandicapEased => "handicap-eased",
            Note::LadderAnswered => "ladder-answered",
            Note::ExtraSimulations => "extra-simulations",
            Note::SimulationsRaised => "simulations-raised",
            Note::DrawnByScore => "drawn-by-score",
            Note::EndgameStarted => "endgame-started",
            Note::ConcernOverlooked => "concern-overlooked",
        }
    }

    /// Says it as the partner would; what is no matter to a student is left unsaid.
    fn sentence(self) -> Option<&'static str> {
        Some(match self {
            Note::OpeningEased => "It is the opening, so I gave away less.",
            Note::HandicapEased => "I am still making up for the handicap, without hurry.",
            Note::LadderAnswered => "Stones were about to be caught, which I had to answer.",
            Note::ExtraSimulations => "My first ideas turned out bad, so I thought again.",
            Note::SimulationsRaised => return None,
            Note::DrawnByScore => {
                "I drew it from the moves that were left, the better the likelier."
            }
            Note::EndgameStarted => "The endgame has begun.",
            Note::ConcernOverlooked => "No move was quite right here.",
        })
    }
}

/// Why a candidate was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetAside {
    /// Too few visits to be sure of it.
    FewVisits,
    /// It loses too much.
    LosesTooMuch,
    /// Nobody would play it.
    Unnatural,
    /// It fails the conditions of position control.
    FailsConditions,
    /// It fills an own eye.
    OwnEye,
    /// It puts many own stones into atari.
    SelfAtari,
    /// It is inside settled territory.
    Settled,
    /// It is a pass while there is something to play for.
    EarlyPass,
    /// It leaves a ladder unanswered.
    IgnoresLadder,
    /// It did not reach the last round.
    NotPromising,
}

impl SetAside {
    /// All of them.
    pub const ALL: [SetAside; 10] = [
        SetAside::FewVisits,
        SetAside::LosesTooMuch,
        SetAside::Unnatural,
        SetAside::FailsConditions,
        SetAside::OwnEye,
        SetAside::SelfAtari,
        SetAside::Settled,
        SetAside::EarlyPass,
        SetAside::IgnoresLadder,
        SetAside::NotPromising,
    ];

    /// Returns the stable id.
    pub fn id(self) -> &'static str {
        match self {
            SetAside::FewVisits => "few-visits",
            SetAside::LosesTooMuch => "loses-too-much",
            SetAside::Unnatural => "unnatural",
            SetAside::FailsConditions => "fails-conditions",
            SetAside::OwnEye => "own-eye",
            SetAside::SelfAtari => "self-atari",
            SetAside::Settled => "settled",
            SetAside::EarlyPass => "early-pass",
            SetAside::IgnoresLadder => "ignores-ladder",
            SetAside::NotPromising => "not-promising",
        }
    }
}

/// One move that was considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConsideredMove {
    /// The move as a vertex, e.g. `Q16` or `pass`.
    #[serde(rename = "move")]
    pub vertex: String,
    /// Simulations it had.
    pub visits: u64,
    /// The partner's lead after it, komi as it really is; none without a search of it.
    #[serde(with = "plain::points", default)]
    pub lead: Option<ForMover<Points>>,
    /// Points it gives away compared with the best candidate.
    pub loss: Option<f32>,
    /// The partner's chance to win after it, as the search saw it: with what it was
    /// [given](WhyRecord::given).
    #[serde(with = "plain::win_rate", default)]
    pub win_rate: Option<ForMover<WinRate>>,
    /// How likely a human plays it (`p′`), method B's weight included where that applies.
    pub naturalness: f32,
    /// What the policy made of it; none if it was set aside.
    pub score: Option<f32>,
    /// Why it was set aside, if it was.
    pub set_aside: Option<SetAside>,
}

/// How a choice came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WhyRecord {
    /// Who chose.
    pub partner: PartnerKind,
    /// The move as a vertex.
    pub played: String,
    /// What decided.
    pub rule: Rule,
    /// What else had a part.
    pub notes: Vec<Note>,
    /// The partner's lead with the best candidate, komi as it really is.
    #[serde(with = "plain::points", default)]
    pub lead: Option<ForMover<Points>>,
    /// The partner's best chance to win with any candidate, as the search saw it.
    #[serde(with = "plain::win_rate", default)]
    pub win_rate: Option<ForMover<WinRate>>,
    /// Points that the search gave the partner (a handicap's allowance, optimistic komi); win
    /// rates are with them, leads without.
    #[serde(default)]
    pub given: f32,
    /// The points the partner wanted to give away, if it controls that.
    pub target_loss: Option<f32>,
    /// Simulations that the candidates had in all.
    pub simulations: u64,
    /// The moves considered, the one played first.
    pub candidates: Vec<ConsideredMove>,
}

impl WhyRecord {
    /// Returns whether endgame control chose, so that it stays in charge
    /// ([`super::View::in_endgame`]).
    pub fn is_endgame(&self) -> bool {
        matches!(self.rule, Rule::EndgameObvious | Rule::EndgamePreference)
    }

    /// Returns what is known of the move played.
    pub fn played_move(&self) -> Option<&ConsideredMove> {
        self.candidates.iter().find(|it| it.vertex == self.played)
    }

    /// Returns a chance to win as one that can be told: none where points were given, for
    /// it is that of another game.
    pub fn told(&self, win_rate: Option<ForMover<WinRate>>) -> Option<ForMover<WinRate>> {
        win_rate.filter(|_| self.given == 0.0)
    }

    /// Returns how the game looked to the partner, if it searched.
    pub fn outlook(&self) -> Option<Outlook> {
        Some(Outlook {
            win_rate: self.win_rate?,
            lead: self.lead?,
        })
    }

    /// Returns how many of a hundred people would have played the move, where that is
    /// what naturalness means and it is one at least.
    fn players_of_a_hundred(&self) -> Option<u32> {
        let by_people = matches!(
            self.rule,
            Rule::HumanDraw | Rule::RolesScore | Rule::HalvingScore | Rule::NaturalScore
        );
        let naturalness = self.played_move().filter(|_| by_people)?.naturalness;
        let players = (100.0 * naturalness).round() as u32;
        (players > 0).then_some(players)
    }

    /// Says why in a few sentences.
    pub fn sentences(&self) -> String {
        let mut text = format!("{}: {}", self.played, self.rule.sentence());
        if let (Some(target), Some(loss)) =
            (self.target_loss, self.played_move().and_then(|it| it.loss))
        {
            let loss = loss.max(0.0);
            let _ = write!(
                text,
                " I wanted to give away about {target:.1} points; this move gives away {loss:.1}."
            );
        }
        if let Some(players) = self.players_of_a_hundred() {
            let _ = write!(
                text,
                " About {players} of 100 players of this rank play it."
            );
        }
        for sentence in self.notes.iter().filter_map(|it| it.sentence()) {
            text.push(' ');
            text += sentence;
        }
        text
    }
}

impl fmt::Display for WhyRecord {
    /// Writes the sentences and a table of the candidates.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.sentences())?;
        if self.candidates.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "{:>5} {:>6} {:>6} {:>6} {:>6} {:>8} {:>9}",
            "move", "visits", "lead", "loss", "win", "natural", "score"
        )?;
        for it in &self.candidates {
            let lead = it
                .lead
                .map_or("-".to_owned(), |it| format!("{:+.1}", it.0.0));
            let loss = it.loss.map_or("-".to_owned(), |it| format!("{it:.1}"));
            let win = self
                .told(it.win_rate)
                .map_or("-".to_owned(), |it| format!("{:.1}%", 100.0 * it.0.0));
            let natural = format!("{:.2}%", 100.0 * it.naturalness);
            let score = match (it.score, it.set_aside) {
                (_, Some(why)) => why.id().to_owned(),
                (Some(score), None) => format!("{score:.2e}"),
                (None, None) => "-".to_owned(),
            };
            writeln!(
                f,
                "{:>5} {:>6} {lead:>6} {loss:>6} {win:>6} {natural:>8} {score:>9}",
                it.vertex, it.visits
            )?;
        }
        Ok(())
    }
}

/// Values with a perspective, written as plain numbers.
mod plain {
    macro_rules! plain {
        ($name:ident, $value:ident) => {
            pub(super) mod $name {
                use serde::{Deserialize, Deserializer, Serialize, Serializer};
                use shido_search::{ForMover, $value};

                #[expect(clippy::ref_option, reason = "serde calls it with a reference")]
                pub(in super::super) fn serialize<S: Serializer>(
                    value: &Option<ForMover<$value>>,
                    serializer: S,
                ) -> Result<S::Ok, S::Error> {
                    value.map(|it| it.0.0).serialize(serializer)
                }

                pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                    deserializer: D,
                ) -> Result<Option<ForMover<$value>>, D::Error> {
                    let number = Option::<f32>::deserialize(deserializer)?;
                    Ok(number.map(|it| ForMover($value(it))))
                }
            }
        };
    }
    plain!(points, Points);
    plain!(win_rate, WinRate);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> WhyRecord {
        let candidate = |vertex: &str, loss, score, set_aside| ConsideredMove {
            vertex: vertex.to_owned(),
            visits: 40,
            lead: Some(ForMover(Points(27.93 - loss))),
            loss: Some(loss),
            win_rate: Some(ForMover(WinRate(0.97))),
            naturalness: 0.642,
            score,
            set_aside,
        };
        WhyRecord {
            partner: PartnerKind::Natural,
            played: "C6".to_owned(),
            rule: Rule::NaturalScore,
            notes: vec![Note::SimulationsRaised, Note::ExtraSimulations],
            lead: Some(ForMover(Points(27.93))),
            win_rate: Some(ForMover(WinRate(0.97))),
            given: 0.0,
            target_loss: Some(6.0),
            simulations: 1000,
            candidates: vec![
                candidate("C6", 0.0, Some(0.017), None),
                candidate("P6", 25.0, None, Some(SetAside::LosesTooMuch)),
            ],
        }
    }

    /// With nine stones' points given, a game that is lost looks won.
    #[test]
    fn a_win_rate_with_points_given_is_not_told() {
        let even = record();
        assert!(even.to_string().contains("97.0%"));
        let handicap = WhyRecord {
            given: 118.5,
            ..even
        };
        assert!(!handicap.to_string().contains("97.0%"));
        assert_eq!(handicap.outlook().map(|it| it.win_rate.0.0), Some(0.97));
    }

    #[test]
    fn a_record_survives_json() {
        let json = serde_json::to_string(&record()).unwrap();
        assert!(json.contains("\"rule\":\"natural-score\""), "{json}");
        assert!(json.contains("\"move\":\"C6\""), "{json}");
        assert_eq!(serde_json::from_str::<WhyRecord>(&json).unwrap(), record());
    }

    #[test]
    fn ids_are_what_serde_writes() {
        let written = |it: &dyn erased::Json| it.json();
        for rule in Rule::ALL {
            assert_eq!(written(&rule), format!("\"{}\"", rule.id()));
        }
        for note in Note::ALL {
            assert_eq!(written(&note), format!("\"{}\"", note.id()));
        }
        for why in SetAside::ALL {
            assert_eq!(written(&why), format!("\"{}\"", why.id()));
        }
    }

    mod erased {
        pub(super) trait Json {
            fn json(&self) -> String;
        }
        impl<T: serde::Serialize> Json for T {
            fn json(&self) -> String {
                serde_json::to_string(self).unwrap()
            }
        }
    }

    #[test]
    fn a_record_reads_like_an_answer() {
        assert_eq!(
            record().to_string(),
            "C6: I looked for a natural move that keeps the game close. I wanted to give away \
             about 6.0 points; this move gives away 0.0. About 64 of 100 players of this \
             rank play it. My first ideas turned out bad, so I \
             thought again.
 move visits   lead   loss    win  natural     score
   C6     40  +27.9    0.0  97.0%   64.20%   1.70e-2
   P6     40   +2.9   25.0  97.0%   64.20% loses-too-much
"
        );
    }
}
