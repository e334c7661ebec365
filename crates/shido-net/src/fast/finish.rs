//! What happens to the rows of a product while they are still in the cache.
//!
//! A product hands over a few finished rows at a time. [`Settle`] adds them to the
//! residual stream and prepares the input of the next product; [`Hold`] keeps them
//! as they are, for layers that must see the whole board first. Where each channel is
//! finished alone, [`FinishPieces`] takes a few columns as soon as they are there.

use std::ops::Range;

use super::arithmetic::Element;
use super::batch::NO_ROW;
use super::prepare::Prepare;
use super::simd::Simd;

/// Takes finished rows.
pub(super) trait Finish<S: Simd> {
    /// Takes rows that are `stride` apart; `rows` names the dense row of each, or
    /// [`NO_ROW`]. Called inside [`Simd::run`].
    fn rows(&mut self, s: S, raw: &mut [f32], stride: usize, rows: &[u32]);

    /// Returns what rows of so many channels are added to, if a product may do that itself.
    fn sums(&mut self, _width: usize) -> Option<&mut [f32]> {
        None
    }

    /// Takes rows that have been added to what [`Finish::sums`] returned. Called inside
    /// [`Simd::run`].
    fn added(&mut self, _s: S, _rows: &[u32]) {}
}

/// Some columns of finished rows.
pub(super) struct Piece<'a> {
    /// These columns of each row, `stride` apart.
    pub(super) raw: &'a [f32],
    /// From row to row.
    pub(super) stride: usize,
    /// The columns, in whole parts of [`WIDEST`](super::simd::WIDEST).
    pub(super) columns: Range<usize>,
    /// The dense row of each.
    pub(super) rows: &'a [u32],
}

/// Takes finished rows in pieces, for what looks at each channel alone.
pub(super) trait FinishPieces<S: Simd> {
    /// Takes a piece. Called inside [`Simd::run`].
    fn piece(&mut self, s: S, piece: &Piece<'_>);
}

/// The residual stream of a depth.
pub(super) struct Stream<'a> {
    /// Its dense rows.
    pub(super) data: &'a mut [f32],
    /// Channels of a row.
    pub(super) width: usize,
    /// Whether rows are added to what it holds, or replace it.
    pub(super) add: bool,
}

/// Where the input of the next product goes.
pub(super) struct Target<'a, E> {
    /// The norm and activation before it.
    pub(super) prepare: &'a Prepare,
    /// The input; its rows are as the norm writes them.
    pub(super) to: &'a mut [E],
    /// Where each dense row lies in it.
    pub(super) place: &'a [u32],
}

/// Adds to the stream, if there is one, and prepares the next input.
pub(super) struct Settle<'a, E> {
    /// The residual stream.
    pub(super) stream: Option<Stream<'a>>,
    /// The next input; none if its norm must see the whole board.
    pub(super) target: Option<Target<'a, E>>,
}

impl<S: Simd, E: Element> Finish<S> for Settle<'_, E> {
    fn sums(&mut self, width: usize) -> Option<&mut [f32]> {
        let stream = self.stream.as_mut();
        let stream = stream.filter(|stream| stream.add && stream.width == width)?;
        Some(stream.data)
    }

    #[inline(always)]
    fn added(&mut self, s: S, rows: &[u32]) {
        if let (Some(stream), Some(target)) = (&self.stream, &mut self.target) {
            let from = (&*stream.data, stream.width);
            target.prepare.dense(s, from, rows, target.place, target.to);
        }
    }

    #[inline(always)]
    fn rows(&mut self, s: S, raw: &mut [f32], stride: usize, rows: &[u32]) {
        for (raw, &row) in raw.chunks_exact_mut(stride).zip(rows) {
            if row == NO_ROW {
                continue;
            }
            let row = row as usize;
            let to = self.target.as_mut().map(|target| {
                let stride = target.prepare.stride();
                let to = &mut target.to[target.place[row] as usize * stride..][..stride];
                (target.prepare, to)
            });
            let Some(stream) = &mut self.stream else {
                if let Some((prepare, to)) = to {
                    prepare.row(s, raw, to);
                }
                continue;
            };
            let kept = &mut stream.data[row * stream.width..][..stream.width];
            match to {
                Some((prepare, to)) if stream.add => prepare.add_row(s, raw, kept, to),
                Some((prepare, to)) => {
                    kept.copy_from_slice(&raw[..stream.width]);
                    prepare.row(s, raw, to);
                }
                None if stream.add => {
                    for at in (0..stream.width).step_by(S::LANES) {
                        let sum = s.add(s.load(&raw[at..]), s.load(&kept[at..]));
                        s.store(sum, &mut kept[at..]);
                    }
                }
                None => kept.copy_from_slice(&raw[..stream.width]),
            }
        }
    }
}

/// Keeps rows as they are.
pub(super) struct Hold<'a> {
    /// Dense rows.
    pub(super) to: &'a mut [f32],
    /// Channels of a row.
    pub(super) width: usize,
}

impl<S: Simd> Finish<S> for Hold<'_> {
    #[inline(always)]
    fn rows(&mut self, s: S, raw: &mut [f32], stride: usize, rows: &[u32]) {
        for (raw, &row) in raw.chunks_exact(stride).zip(rows) {
            if row != NO_ROW {
                let to = &mut self.to[row as usize * self.width..][..self.width];
                for at in (0..self.width).step_by(S::LANES) {
                    s.store(s.load(&raw[at..]), &mut to[at..]);
                }
            }
        }
    }
}
