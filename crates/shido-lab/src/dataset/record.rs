//! One position of a shard, byte for byte as `train/FORMAT.md` says.

use shido_go::{Color, Move, Owners, Size};
use shido_net::Inputs;
use shido_search::{ForBlack, WinRate};

use super::PackedSearch;

/// Bytes of a record.
pub(super) const RECORD: usize = 1344;
/// Side of the frame that every board lies in.
const FRAME: usize = 19;
/// Bytes of a plane.
const PLANE: usize = (FRAME * FRAME).div_ceil(8);
const PASS: u16 = (FRAME * FRAME) as u16;
const NONE: u16 = u16::MAX;
const UNKNOWN: u8 = u8::MAX;

/// Moves of a search that a record has room for.
const SEARCH_MOVES: usize = 32;

const OWNED: u8 = 1;
const SEARCHED: u8 = 2;
const UNCOUNTED: u8 = 4;
const PROGRAM: u8 = 8;

/// What a record says beside the inputs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    /// The player to move.
    pub(super) mover: Color,
    /// Who owns what at the end, if the game was counted.
    pub(super) owners: Option<&'a Owners>,
    /// The game within the run.
    pub(super) game: u32,
    /// Moves before this position.
    pub(super) ply: usize,
    /// Moves of the game.
    pub(super) moves: usize,
    /// The move played here.
    pub(super) played: Option<Move>,
    /// The next move.
    pub(super) reply: Option<Move>,
    /// What a search said of the position.
    pub(super) search: Option<&'a PackedSearch>,
    /// Black's points at the end.
    pub(super) black_score: Option<f32>,
    /// Black's result: over 0 a win.
    pub(super) black_result: Option<f32>,
    /// Ranks of Black and White.
    pub(super) ranks: [Option<u8>; 2],
    /// The source's number.
    pub(super) source: u8,
    /// The time class.
    pub(super) time: u8,
    /// Whether a player is a program.
    pub(super) program: bool,
}

/// Appends a record.
pub(super) fn write(inputs: &Inputs, facts: &Facts<'_>, out: &mut Vec<u8>) {
    let start = out.len();
    let size = inputs.size;
    for plane in &inputs.planes {
        write_plane(plane.iter(), size, out);
    }
    for global in inputs.globals {
        out.extend(global.to_le_bytes());
    }
    for color in [facts.mover, !facts.mover] {
        let points = facts.owners.into_iter().flat_map(|it| {
            let points = it.points(color).iter();
            points.map(|it| size.index_of(it)).collect::<Vec<_>>()
        });
        write_plane(points, size, out);
    }
    let searched = write_search(facts.search, size, out);
    out.extend(facts.game.to_le_bytes());
    let short = |it: usize| u16::try_from(it).unwrap_or(u16::MAX).to_le_bytes();
    out.extend(short(facts.ply));
    out.extend(short(facts.moves));
    out.extend(frame_move(facts.played, size).to_le_bytes());
    out.extend(frame_move(facts.reply, size).to_le_bytes());
    let own = |black: f32| match facts.mover {
        Color::Black => black,
        Color::White => -black,
    };
    let score = facts.black_score.map_or(f32::NAN, own);
    let root = facts.search.filter(|_| searched);
    let win = root.map(|it| ForBlack(WinRate(it.win)).as_seen_by(facts.mover).0);
    let lead = root.map_or(f32::NAN, |it| own(it.lead));
    for number in [score, 1.0, win.unwrap_or(f32::NAN), lead] {
        out.extend(number.to_le_bytes());
    }
    let rank = |color: Color| facts.ranks[color.index()].unwrap_or(UNKNOWN);
    let result = match facts.black_result.map(own) {
        None => UNKNOWN,
        Some(it) if it > 0.0 => 2,
        Some(it) if it < 0.0 => 0,
        Some(_) => 1,
    };
    let flag = |yes: bool, flag: u8| if yes { flag } else { 0 };
    let uncounted = facts.black_result.is_some() && facts.black_score.is_none();
    out.extend([
        size.width() as u8,
        size.height() as u8,
        rank(facts.mover),
        rank(!facts.mover),
        facts.source,
        facts.time,
        result,
        flag(facts.owners.is_some(), OWNED)
            | flag(searched, SEARCHED)
            | flag(uncounted, UNCOUNTED)
            | flag(facts.program, PROGRAM),
    ]);
    debug_assert_eq!(out.len() - start, RECORD);
}

/// Writes the most visited moves and their shares; returns whether there are any.
fn write_search(search: Option<&PackedSearch>, size: Size, out: &mut Vec<u8>) -> bool {
    let shares = search.and_then(|it| it.shares(size).ok());
    let shares = shares.unwrap_or_default();
    let rows = || (0..SEARCH_MOVES).map(|i| shares.get(i));
    out.extend(rows().flat_map(|it| frame_move(it.map(|it| it.0), size).to_le_bytes()));
    out.extend(rows().flat_map(|it| half(it.map_or(0.0, |it| it.1)).to_le_bytes()));
    !shares.is_empty()
}

/// Returns a share, 0 to 1, as a float of 16 bits.
fn half(share: f32) -> u16 {
    const SMALLEST_NORMAL: f32 = 1.0 / 16_384.0;
    if share < SMALLEST_NORMAL {
        return (share * SMALLEST_NORMAL.recip() * 1024.0).round() as u16;
    }
    // Ten bits of the fraction are kept, and the exponent counts from 15 instead of 127.
    (((share.to_bits() + (1 << 12)) >> 13) - ((127 - 15) << 10)) as u16
}

/// Writes indices of a board as bits of the frame.
fn write_plane(indices: impl Iterator<Item = usize>, size: Size, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + PLANE, 0);
    let bits = &mut out[start..];
    for index in indices {
        let at = frame_index(index, size);
        bits[at / 8] |= 1 << (at % 8);
    }
}

/// Returns where a point of a board lies in the frame.
fn frame_index(index: usize, size: Size) -> usize {
    if size.width() == FRAME {
        return index;
    }
    index / size.width() * FRAME + index % size.width()
}

fn frame_move(mv: Option<Move>, size: Size) -> u16 {
    match mv {
        None => NONE,
        Some(Move::Pass) => PASS,
        Some(Move::Play(point)) => frame_index(size.index_of(point), size) as u16,
    }
}

const _: () = assert!(22 * PLANE + 76 == 1088, "the planes and globals come first");

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Position, Rules};
    use shido_net::{Encoder, InputSettings};

    #[test]
    fn a_record_lies_as_the_format_says() {
        let size = Size::new(9, 7).unwrap();
        let mut position = Position::new(size, Rules::CHINESE, 5.5);
        let point = size.point(3, 2).unwrap();
        position.play(Move::Play(point)).unwrap();
        let inputs = Encoder::new().encode(&position, &InputSettings::default());
        let search = PackedSearch {
            moves: "aa--bc".to_owned(),
            visits: vec![4, 3, 1],
            win: 0.75,
            lead: 2.25,
        };
        let facts = Facts {
            mover: Color::White,
            owners: None,
            game: 77,
            ply: 1,
            moves: 50,
            played: Some(Move::Pass),
            reply: None,
            search: Some(&search),
            black_score: Some(2.5),
            black_result: Some(2.5),
            ranks: [Some(10), Some(20)],
            source: 2,
            time: 3,
            program: false,
        };
        let mut bytes = Vec::new();
        write(&inputs, &facts, &mut bytes);
        assert_eq!(bytes.len(), RECORD);
        let at = 2 * 19 + 3;
        assert_eq!(
            bytes[2 * PLANE + at / 8] >> (at % 8) & 1,
            1,
            "Black's stone"
        );
        let ones = bytes[..PLANE].iter().map(|it| it.count_ones()).sum::<u32>();
        assert_eq!(ones, 63, "points on the board");
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!([1312, 1314, 1316, 1318].map(short), [1, 50, 361, 65535]);
        let float = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(float(1320), -2.5);
        assert_eq!(float(1324), 1.0);
        assert_eq!([float(1328), float(1332)], [0.25, -2.25]);
        assert_eq!(bytes[1336..], [9, 7, 20, 10, 2, 3, 0, SEARCHED]);
        assert_eq!([1180, 1182, 1184, 1186].map(short), [0, 361, 39, 65535]);
        let halves = [0.5, 0.375, 0.125, 0.0].map(half);
        assert_eq!([1244, 1246, 1248, 1250].map(short), halves);

        bytes.clear();
        let unsearched = Facts {
            search: None,
            ..facts
        };
        write(&inputs, &unsearched, &mut bytes);
        assert!(bytes[1180..1244].iter().all(|&it| it == u8::MAX));
        assert!(bytes[1244..1308].iter().all(|&it| it == 0));
        let float = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert!(float(1328).is_nan() && float(1332).is_nan());
        assert_eq!(bytes[1343], 0);
    }

    #[test]
    fn shares_fit_into_sixteen_bits() {
        for (share, bits) in [
            (0.0, 0),
            (1.0, 0x3c00),
            (0.5, 0x3800),
            (1.0 / 3.0, 0x3555),
            (0.999_99, 0x3c00),
            (1.0 / 16_384.0, 0x0400),
            (1.0 / 32_768.0, 0x0200),
            (f32::powi(2.0, -24), 1),
        ] {
            assert_eq!(half(share), bits, "{share}");
        }
    }
}
