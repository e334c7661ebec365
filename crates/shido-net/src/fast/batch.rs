//! Where the points of a batch of boards lie in memory.
//!
//! *Dense* rows are all points of all boards, one after the other; the residual
//! stream and every product over single points use them. *Padded* rows have one
//! empty column after each board row and empty rows before and after each board,
//! so that a neighbor is always a fixed number of rows away.

/// Stands for a padded row that is no point.
pub(super) const NO_ROW: u32 = u32::MAX;
/// Tile products read up to so many rows past the last.
pub(super) const SLACK: usize = 32;

/// How the rows of an input lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Points only.
    Dense,
    /// With empty rows around each board.
    Padded,
}

/// One board of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// Columns.
    pub(super) width: usize,
    /// Rows.
    pub(super) height: usize,
    /// Its first dense row.
    pub(super) start: usize,
    /// The padded row of its first point.
    pub(super) padded: usize,
}

impl Board {
    /// Returns the number of points.
    pub(super) fn area(&self) -> usize {
        self.width * self.height
    }

    /// Returns its dense rows.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.area()
    }

    /// Returns from one board row to the next in padded rows.
    pub(super) fn padded_stride(&self) -> usize {
        self.width + 1
    }
}

/// The boards of a batch and the maps between rows.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The boards in order.
    pub(super) boards: Vec<Board>,
    /// Dense rows: 0, 1, 2 and so on, to be cut into pieces.
    pub(super) dense: Vec<u32>,
    /// The column and row on its board of each dense row.
    pub(super) places: Vec<(u8, u8)>,
    /// The padded row of each dense row.
    pub(super) padded: Vec<u32>,
    /// The dense row of each padded row, or [`NO_ROW`].
    pub(super) unpadded: Vec<u32>,
}

impl Batch {
    /// Lays out boards of these widths and heights, unless they already are.
    pub(super) fn arrange(&mut self, sizes: impl Iterator<Item = (usize, usize)> + Clone) {
        let old = self.boards.iter().map(|board| (board.width, board.height));
        if old.eq(sizes.clone()) {
            return;
        }
        self.boards.clear();
        self.dense.clear();
        self.places.clear();
        self.padded.clear();
        self.unpadded.clear();
        for (width, height) in sizes {
            self.add(width, height);
        }
        self.unpadded.resize(self.unpadded.len() + SLACK, NO_ROW);
    }

    fn add(&mut self, width: usize, height: usize) {
        let margin = width + 2;
        let board = Board {
            width,
            height,
            start: self.dense.len(),
            padded: self.unpadded.len() + margin,
        };
        self.unpadded.resize(board.padded, NO_ROW);
        for y in 0..height {
            for x in 0..width {
                let row = self.dense.len() as u32;
                self.dense.push(row);
                self.places.push((x as u8, y as u8));
                self.padded.push(self.unpadded.len() as u32);
                self.unpadded.push(row);
            }
            self.unpadded.push(NO_ROW);
        }
        self.unpadded.resize(self.unpadded.len() + margin, NO_ROW);
        self.boards.push(board);
    }

    /// Returns the number of points.
    pub(super) fn rows(&self) -> usize {
        self.dense.len()
    }

    /// Returns the number of rows of an input that lies so, room for overruns included.
    pub(super) fn input_rows(&self, layout: Layout) -> usize {
        match layout {
            Layout::Dense => self.dense.len() + SLACK,
            Layout::Padded => self.unpadded.len(),
        }
    }

    /// Returns where each dense row lies in an input.
    pub(super) fn place(&self, layout: Layout) -> &[u32] {
        match layout {
            Layout::Dense => &self.dense,
            Layout::Padded => &self.padded,
        }
    }

    /// Fills the empty rows of a padded input.
    pub(super) fn clear_padding<E: Copy + Default>(&self, input: &mut [E], channels: usize) {
        let empty = self.unpadded.iter().enumerate();
        for (row, _) in empty.filter(|&(_, &dense)| dense == NO_ROW) {
            input[row * channels..][..channels].fill(E::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_a_fixed_way_apart() {
        let mut batch = Batch::default();
        batch.arrange([(3, 2), (5, 5)].into_iter());
        assert_eq!(batch.rows(), 31);
        for board in &batch.boards {
            for row in board.rows() {
                let (x, y) = batch.places[row];
                let padded = batch.padded[row] as isize;
                assert_eq!(batch.unpadded[padded as usize], row as u32);
                for (dx, dy) in [(-1, -1), (1, -1), (0, 1), (-1, 0), (1, 1)] {
                    let (x, y) = (isize::from(x) + dx, isize::from(y) + dy);
                    let on_board = (0..board.width as isize).contains(&x)
                        && (0..board.height as isize).contains(&y);
                    let expected = if on_board {
                        (board.start as isize + y * board.width as isize + x) as u32
                    } else {
                        NO_ROW
                    };
                    let found = padded + dy * board.padded_stride() as isize + dx;
                    assert_eq!(batch.unpadded[found as usize], expected);
                }
            }
        }
    }

    #[test]
    fn padding_is_cleared_and_points_are_not() {
        let mut batch = Batch::default();
        batch.arrange([(2, 2)].into_iter());
        let mut input = vec![1.0f32; batch.input_rows(Layout::Padded) * 3];
        batch.clear_padding(&mut input, 3);
        assert_eq!(input.iter().sum::<f32>(), 12.0);
    }
}
