//! The data that MM reads: competitions of teams, packed.
//!
//! Each different team is stored once. A competition is a list of (team,
//! how often), and the transposed lists, team by team, lie beside it: a sweep
//! then only gathers, so its sums do not depend on the number of threads.
//! Teams are numbered by how often they are seen, then as they are first seen:
//! the common ones stay in the cache and the rare ones are walked through in order.
//!
//! Invariant: members of a team are sorted; the winner of a competition is one
//! of its teams; every weight is positive and finite.

/// Lists of `(item, count)` laid end to end; list `i` is `starts[i]..starts[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Lists {
    pub(super) starts: Vec<u32>,
    pub(super) items: Vec<u32>,
    pub(super) counts: Vec<u16>,
}

impl Lists {
    /// Returns list `i` as its items and their counts.
    #[inline]
    pub(super) fn list(&self, i: usize) -> (&[u32], &[u16]) {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        (&self.items[range.clone()], &self.counts[range])
    }

    /// Gives every item its new name in `names` and sorts each list anew.
    pub(super) fn rename(&mut self, names: &[u32]) {
        let mut list: Vec<(u32, u16)> = Vec::new();
        for bounds in self.starts.windows(2) {
            let range = bounds[0] as usize..bounds[1] as usize;
            let (items, counts) = (&mut self.items[range.clone()], &mut self.counts[range]);
            list.clear();
            list.extend(
                items
                    .iter()
                    .map(|&it| names[it as usize])
                    .zip(counts.iter().copied()),
            );
            list.sort_unstable();
            for ((item, count), &pair) in items.iter_mut().zip(counts).zip(&list) {
                (*item, *count) = pair;
            }
        }
    }

    /// Returns the same pairs listed by item, each list in order of the old lists.
    pub(super) fn transpose(&self, items: usize) -> Self {
        let mut starts = vec![0_u32; items + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for i in 0..items {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut lists = vec![0; self.items.len()];
        let mut counts = vec![0; self.items.len()];
        for i in 0..self.starts.len() - 1 {
            let (items, old_counts) = self.list(i);
            for (&item, &count) in items.iter().zip(old_counts) {
                let slot = next[item as usize] as usize;
                next[item as usize] += 1;
                lists[slot] = i as u32;
                counts[slot] = count;
            }
        }
        Self {
            starts,
            items: lists,
            counts,
        }
    }
}

/// Competitions ready to be fitted; made by [`super::CompetitionsBuilder`].
#[derive(Debug, Clone, PartialEq)]
pub struct Competitions {
    pub(super) member_starts: Vec<u32>,
    pub(super) members: Vec<u32>,
    pub(super) by_competition: Lists,
    pub(super) by_team: Lists,
    pub(super) winners: Vec<u32>,
    pub(super) weights: Vec<f32>,
}

impl Competitions {
    /// Returns how many competitions there are.
    pub fn len(&self) -> usize {
        self.winners.len()
    }

    /// Says whether there is no competition.
    pub fn is_empty(&self) -> bool {
        self.winners.is_empty()
    }

    /// Returns how many different teams there are in all competitions.
    pub fn distinct_teams(&self) -> usize {
        self.member_starts.len() - 1
    }

    /// Returns one more than the greatest individual, 0 when there is none.
    pub fn individuals(&self) -> usize {
        self.members.iter().max().map_or(0, |&it| it as usize + 1)
    }

    /// Returns the sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.weights.iter().map(|&it| f64::from(it)).sum()
    }

    /// Returns the bytes of memory that the data occupy.
    pub fn bytes(&self) -> usize {
        let lists = |it: &Lists| 4 * (it.starts.len() + it.items.len()) + 2 * it.counts.len();
        4 * (self.member_starts.len() + self.members.len() + 2 * self.winners.len())
            + lists(&self.by_competition)
            + lists(&self.by_team)
    }

    /// Returns the individuals of a team, in order, one as often as it takes part.
    #[inline]
    pub(super) fn team(&self, team: usize) -> &[u32] {
        &self.members[self.member_starts[team] as usize..self.member_starts[team + 1] as usize]
    }

    /// Returns the product of the members' gammas.
    #[inline]
    pub(super) fn strength(&self, team: usize, gammas: &[f64]) -> f64 {
        self.team(team)
            .iter()
            .map(|&it| gammas[it as usize])
            .product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> Lists {
        Lists {
            starts: vec![0, 2, 2, 4],
            items: vec![0, 2, 1, 2],
            counts: vec![5, 6, 7, 8],
        }
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let by_item = lists().transpose(3);
        assert_eq!(by_item.list(2), ([0, 2].as_slice(), [6, 8].as_slice()));
        assert_eq!(by_item.transpose(3), lists());
    }

    #[test]
    fn renamed_lists_are_sorted() {
        let mut renamed = lists();
        renamed.rename(&[9, 0, 4]);
        assert_eq!(renamed.items, [4, 9, 0, 4]);
        assert_eq!(renamed.counts, [6, 5, 7, 8]);
    }
}
