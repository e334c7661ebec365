//! Collects competitions one by one and packs them.
//!
//! Teams are looked up in a hash table of their members, so that each different
//! one is stored once however many competitions it is in. Several builders, one
//! a thread, can be appended to one another.

use std::cmp::Reverse;

use thiserror::Error;

use super::competitions::{Competitions, Lists};

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

    /// Packs what was finished; the teams seen most often get the lowest numbers.
    pub fn build(mut self) -> Competitions {
        self.slots = Vec::new();
        let order = self.by_frequency();
        let mut members = Vec::with_capacity(self.members.len());
        let mut member_starts = Vec::with_capacity(self.member_starts.len());
        let mut ids = vec![0; order.len()];
        member_starts.push(0);
        for (new, &old) in order.iter().enumerate() {
            members.extend_from_slice(self.known(old));
            member_starts.push(index(members.len()));
            ids[old as usize] = new as u32;
        }
        let mut by_competition = self.by_competition;
        by_competition.rename(&ids);
        for winner in &mut self.winners {
            *winner = ids[*winner as usize];
        }
        Competitions {
            by_team: by_competition.transpose(order.len()),
            member_starts,
            members,
            by_competition,
            winners: self.winners,
            weights: self.weights,
        }
    }

    /// Returns the teams, those in most competitions first, else as they were seen.
    fn by_frequency(&self) -> Vec<u32> {
        let mut frequencies = vec![0_u32; self.member_starts.len() - 1];
        for &team in &self.by_competition.items {
            frequencies[team as usize] += 1;
        }
        let mut order: Vec<u32> = (0..frequencies.len() as u32).collect();
        order.sort_by_key(|&it| Reverse(frequencies[it as usize]));
        order
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
        let offset = self.by_competition.items.len();
        let lists = &mut self.by_competition;
        for &end in &other.by_competition.starts[1..] {
            lists.starts.push(index(offset + end as usize));
        }
        let items = other.by_competition.items.iter();
        lists.items.extend(items.map(|&it| ids[it as usize]));
        lists.counts.extend_from_slice(&other.by_competition.counts);
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
        assert_eq!(data.len(), 1);
        assert_eq!(data.team(data.winners[0] as usize), [1]);
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
        assert_eq!(data.team(0), [0_u32; 0]);
        assert_eq!(data.by_team.list(0).0.len(), 10_000);
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
