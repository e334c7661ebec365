//! The data that MM reads: competitions of teams, packed.
//!
//! Each different team is stored once. A competition is a list of (team,
//! how often), and the transposed lists, team by team, lie beside it: a sweep
//! then only gathers, so its sums do not depend on the number of threads.
//! Teams are numbered as they are first seen, so that a sweep through the
//! competitions walks through the teams nearly in order.
//!
//! Invariant: members of a team are sorted; the winner of a competition is one
//! of its teams; every weight is positive and finite.

use thiserror::Error;

/// Marks a free slot of the builder's hash table.
const FREE: u64 = u64::MAX;

/// Why a competition was not taken; its teams may be finished again, or forgotten by `begin`.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FinishError {
    /// The winner's index is not that of a pushed team.
    #[error("winner {winner} of a competition of {teams} teams")]
    NoSuchTeam {
        /// The index that was given.
        winner: usize,
        /// How many teams were pushed.
        teams: usize,
    },
    /// The weight is not a positive number.
    #[error("a competition cannot have weight {0}")]
    Weight(f32),
}

/// Lists of `(item, count)` laid end to end; list `i` is `starts[i]..starts[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Lists {
    pub(crate) starts: Vec<u32>,
    pub(crate) items: Vec<u32>,
    pub(crate) counts: Vec<u16>,
}

impl Lists {
    /// Returns list `i` as its items and their counts.
    #[inline]
    pub(crate) fn list(&self, i: usize) -> (&[u32], &[u16]) {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        (&self.items[range.clone()], &self.counts[range])
    }

    /// Returns the same pairs listed by item, each list in order of the old lists.
    fn transpose(&self, items: usize) -> Self {
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

/// Competitions ready to be fitted; made by [`CompetitionsBuilder`].
#[derive(Debug, Clone, PartialEq)]
pub struct Competitions {
    pub(crate) member_starts: Vec<u32>,
    pub(crate) members: Vec<u32>,
    pub(crate) by_competition: Lists,
    pub(crate) by_team: Lists,
    pub(crate) winners: Vec<u32>,
    pub(crate) weights: Vec<f32>,
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
    pub(crate) fn team(&self, team: usize) -> &[u32] {
        &self.members[self.member_starts[team] as usize..self.member_starts[team + 1] as usize]
    }

    /// Returns the product of the members' gammas.
    #[inline]
    pub(crate) fn strength(&self, team: usize, gammas: &[f64]) -> f64 {
        self.team(team)
            .iter()
            .map(|&it| gammas[it as usize])
            .product()
    }
}

/// Collects competitions: `begin`, `push` each team, `finish` with the winner.
///
/// ```
/// use shido_patterns::mm::CompetitionsBuilder;
///
/// let mut builder = CompetitionsBuilder::new();
/// builder.begin();
/// builder.push(&[1, 2, 3]);
/// builder.push(&[4, 5]);
/// builder.push(&[4, 5]);
/// builder.finish(0)?;
/// let data = builder.build();
/// assert_eq!((data.len(), data.distinct_teams()), (1, 2));
/// # Ok::<(), shido_patterns::mm::FinishError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CompetitionsBuilder {
    member_starts: Vec<u32>,
    members: Vec<u32>,
    /// An open hash table: the hash in the high half, the team in the low one.
    slots: Vec<u64>,
    by_competition: Lists,
    winners: Vec<u32>,
    weights: Vec<f32>,
    open: Vec<u32>,
    sorted: Vec<u32>,
}

impl Default for CompetitionsBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl CompetitionsBuilder {
    /// Makes a builder that holds no competition.
    pub fn new() -> Self {
        Self {
            member_starts: vec![0],
            members: Vec::new(),
            slots: vec![FREE; 1 << 10],
            by_competition: Lists {
                starts: vec![0],
                ..Lists::default()
            },
            winners: Vec::new(),
            weights: Vec::new(),
            open: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Returns how many competitions were finished.
    pub fn len(&self) -> usize {
        self.winners.len()
    }

    /// Says whether no competition was finished.
    pub fn is_empty(&self) -> bool {
        self.winners.is_empty()
    }

    /// Starts a competition; teams pushed and not finished are forgotten.
    pub fn begin(&mut self) {
        self.open.clear();
    }

    /// Adds a team to the competition that was begun; the order of its members is of no account.
    pub fn push(&mut self, team: &[u32]) {
        self.sorted.clear();
        self.sorted.extend_from_slice(team);
        self.sorted.sort_unstable();
        let id = self.intern();
        self.open.push(id);
    }

    /// Ends the competition: the team that was pushed as number `winner` (from 0) won.
    pub fn finish(&mut self, winner: usize) -> Result<(), FinishError> {
        self.finish_weighted(winner, 1.0)
    }

    /// Ends the competition and says how much it counts (a draw is two halves).
    pub fn finish_weighted(&mut self, winner: usize, weight: f32) -> Result<(), FinishError> {
        let teams = self.open.len();
        let &won = self
            .open
            .get(winner)
            .ok_or(FinishError::NoSuchTeam { winner, teams })?;
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(FinishError::Weight(weight));
        }
        self.open.sort_unstable();
        for equal in self.open.chunk_by(|a, b| a == b) {
            // A count that does not fit in 16 bits takes several entries.
            for part in equal.chunks(u16::MAX as usize) {
                self.by_competition.items.push(part[0]);
                self.by_competition.counts.push(part.len() as u16);
            }
        }
        let end = index(self.by_competition.items.len());
        self.by_competition.starts.push(end);
        self.winners.push(won);
        self.weights.push(weight);
        self.open.clear();
        Ok(())
    }

    /// Packs what was finished.
    pub fn build(self) -> Competitions {
        let by_team = self.by_competition.transpose(self.member_starts.len() - 1);
        Competitions {
            member_starts: self.member_starts,
            members: self.members,
            by_competition: self.by_competition,
            by_team,
            winners: self.winners,
            weights: self.weights,
        }
    }

    /// Adds all competitions of `other` after these, as if they had been pushed here.
    ///
    /// Lets several threads read games of their own. Teams pushed and not finished
    /// are forgotten on both sides.
    pub fn append(&mut self, other: &Self) {
        self.open.clear();
        let mut ids = Vec::with_capacity(other.member_starts.len());
        for team in 0..(other.member_starts.len() - 1) as u32 {
            self.sorted.clear();
            self.sorted.extend_from_slice(other.known(team));
            ids.push(self.intern());
        }
        let mut list: Vec<(u32, u16)> = Vec::new();
        for competition in 0..other.len() {
            let (teams, counts) = other.by_competition.list(competition);
            list.clear();
            list.extend(
                teams
                    .iter()
                    .map(|&it| ids[it as usize])
                    .zip(counts.iter().copied()),
            );
            list.sort_unstable();
            let lists = &mut self.by_competition;
            lists.items.extend(list.iter().map(|it| it.0));
            lists.counts.extend(list.iter().map(|it| it.1));
            lists.starts.push(index(lists.items.len()));
        }
        let winners = other.winners.iter();
        self.winners.extend(winners.map(|&it| ids[it as usize]));
        self.weights.extend_from_slice(&other.weights);
    }

    /// Returns the number of the team in `sorted`, a new one if it was not seen before.
    fn intern(&mut self) -> u32 {
        let mask = self.slots.len() - 1;
        let hash = hash(&self.sorted);
        let mut slot = hash as usize & mask;
        while self.slots[slot] != FREE {
            let known = self.slots[slot] as u32;
            if self.slots[slot] >> 32 == u64::from(hash) && self.known(known) == self.sorted {
                return known;
            }
            slot = (slot + 1) & mask;
        }
        let id = (self.member_starts.len() - 1) as u32;
        self.slots[slot] = u64::from(hash) << 32 | u64::from(id);
        self.members.extend_from_slice(&self.sorted);
        self.member_starts.push(index(self.members.len()));
        if 3 * self.member_starts.len() > 2 * self.slots.len() {
            self.grow();
        }
        id
    }

    fn known(&self, team: u32) -> &[u32] {
        let team = team as usize;
        &self.members[self.member_starts[team] as usize..self.member_starts[team + 1] as usize]
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let mut slots = vec![FREE; mask + 1];
        for &entry in self.slots.iter().filter(|&&it| it != FREE) {
            let mut slot = (entry >> 32) as usize & mask;
            while slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        self.slots = slots;
    }
}

/// Mixes the members into 32 bits, all of them good.
fn hash(team: &[u32]) -> u32 {
    let mut state = team.len() as u64;
    for &it in team {
        state = (state.rotate_left(23) ^ u64::from(it)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (state.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as u32
}

/// Narrows an index into the packed arrays.
fn index(place: usize) -> u32 {
    u32::try_from(place).expect("4 billion entries are more than memory holds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_teams_are_stored_once_with_their_count() {
        let mut builder = CompetitionsBuilder::new();
        builder.begin();
        for team in [[3, 1].as_slice(), &[2], &[1, 3], &[1, 3]] {
            builder.push(team);
        }
        builder.finish(2).unwrap();
        let data = builder.build();
        assert_eq!(data.team(0), [1, 3]);
        assert_eq!(
            data.by_competition.list(0),
            ([0, 1].as_slice(), [3, 1].as_slice())
        );
        assert_eq!(data.by_team.list(0), ([0].as_slice(), [3].as_slice()));
        assert_eq!(data.winners, [0]);
        assert_eq!(data.individuals(), 4);
    }

    #[test]
    fn a_refused_competition_is_not_counted() {
        let mut builder = CompetitionsBuilder::new();
        builder.begin();
        assert_eq!(
            builder.finish(0),
            Err(FinishError::NoSuchTeam {
                winner: 0,
                teams: 0
            })
        );
        builder.push(&[0]);
        assert_eq!(
            builder.finish_weighted(0, 0.0),
            Err(FinishError::Weight(0.0))
        );
        builder.begin();
        builder.push(&[1]);
        builder.finish(0).unwrap();
        let data = builder.build();
        assert_eq!((data.len(), data.winners[0]), (1, 1));
    }

    #[test]
    fn many_teams_keep_their_numbers_when_the_table_grows() {
        let mut builder = CompetitionsBuilder::new();
        for round in 0..2 {
            for i in 0..5000_u32 {
                builder.begin();
                builder.push(&[i, i / 7]);
                builder.push(&[]);
                builder.finish(0).unwrap();
                assert!(round == 0 || builder.member_starts.len() == 5002);
            }
        }
        let data = builder.build();
        assert_eq!(data.distinct_teams(), 5001);
        assert_eq!(data.by_team.list(1).0.len(), 10_000);
    }

    #[test]
    fn appending_is_pushing_on() {
        let mut whole = CompetitionsBuilder::new();
        let mut parts = [CompetitionsBuilder::new(), CompetitionsBuilder::new()];
        for i in 0..40_u32 {
            for builder in [&mut whole, &mut parts[i as usize / 25]] {
                builder.begin();
                for team in 0..=i % 6 {
                    builder.push(&[team % 4, i * team % 5]);
                }
                builder
                    .finish_weighted(i as usize % 2 % (i as usize % 6 + 1), 0.5)
                    .unwrap();
            }
        }
        let [mut first, second] = parts;
        first.append(&second);
        assert_eq!(first.build(), whole.build());
    }
}
