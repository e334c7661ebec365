//! How sure a fit is: standard errors of the logarithms of the gammas.
//!
//! They are the square roots of the diagonal of the inverse of the observed
//! information, the matrix of second derivatives of the negative log-posterior in
//! `ln gamma`: for each competition the covariance of how often individuals are
//! in the winning team, and the prior's games. The inverse is exact and takes
//! time and memory that grow with the cube and the square of the individuals:
//! made for the ratings of players, not for thousands of shapes.

use thiserror::Error;

use super::competitions::Competitions;

/// Why there are no standard errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InformationError {
    /// The data and the prior leave this individual's gamma open.
    #[error("individual {0} is tied to the others by neither games nor prior")]
    Undetermined(usize),
    /// The anchor is not an individual.
    #[error("the anchor {anchor} is none of {individuals} individuals")]
    NoSuchAnchor {
        /// The anchor that was given.
        anchor: usize,
        /// How many individuals there are.
        individuals: usize,
    },
}

/// Returns the standard error of each `ln gamma`, at the gammas of a fit.
///
/// With an anchor, the errors are those of the differences from it and its own is
/// 0. Without prior games only differences are known, and an anchor is needed.
pub fn standard_errors(
    data: &Competitions,
    gammas: &[f64],
    prior_wins: f64,
    anchor: Option<usize>,
) -> Result<Vec<f64>, InformationError> {
    let individuals = gammas.len();
    if let Some(anchor) = anchor.filter(|&it| it >= individuals) {
        return Err(InformationError::NoSuchAnchor {
            anchor,
            individuals,
        });
    }
    let full = information(data, gammas, prior_wins);
    let kept: Vec<usize> = (0..individuals).filter(|&it| Some(it) != anchor).collect();
    let reduced = kept
        .iter()
        .map(|&i| kept.iter().map(|&j| full[i * individuals + j]).collect())
        .collect();
    let variances =
        inverse_diagonal(reduced).map_err(|failed| InformationError::Undetermined(kept[failed]))?;
    let mut errors = vec![0.0; individuals];
    for (&i, variance) in kept.iter().zip(variances) {
        errors[i] = variance.sqrt();
    }
    Ok(errors)
}

/// Returns the observed information, row by row.
fn information(data: &Competitions, gammas: &[f64], prior_wins: f64) -> Vec<f64> {
    let individuals = gammas.len();
    let mut matrix = vec![0.0; individuals * individuals];
    let mut means = vec![0.0; individuals];
    let mut touched = Vec::new();
    for competition in 0..data.len() {
        let (teams, counts) = data.by_competition.list(competition);
        let strength =
            |(&team, &count): (&u32, &u16)| f64::from(count) * data.strength(team as usize, gammas);
        let sum: f64 = teams.iter().zip(counts).map(strength).sum();
        let weight = f64::from(data.weights[competition]);
        for (team, count) in teams.iter().zip(counts) {
            let share = strength((team, count)) / sum;
            let members = data.team(*team as usize);
            for &i in members {
                if means[i as usize] == 0.0 {
                    touched.push(i as usize);
                }
                means[i as usize] += share;
                for &j in members {
                    matrix[i as usize * individuals + j as usize] += weight * share;
                }
            }
        }
        for &i in &touched {
            for &j in &touched {
                matrix[i * individuals + j] -= weight * means[i] * means[j];
            }
        }
        touched.drain(..).for_each(|it| means[it] = 0.0);
    }
    for (i, gamma) in gammas.iter().enumerate() {
        matrix[i * individuals + i] += 2.0 * prior_wins * gamma / (1.0 + gamma).powi(2);
    }
    matrix
}

/// Returns the diagonal of the inverse of a positive definite matrix, by Cholesky's factor.
///
/// Fails with the first row at which the matrix is not positive definite.
fn inverse_diagonal(mut rows: Vec<Vec<f64>>) -> Result<Vec<f64>, usize> {
    let n = rows.len();
    for i in 0..n {
        let (above, from_i) = rows.split_at_mut(i);
        let row = &mut from_i[0];
        let size = row[i];
        for (j, other) in above.iter().enumerate() {
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let square = size - dot(&row[..i], &row[..i]);
        // What is left of a row that depends on the others is rounding.
        if square.is_nan() || square <= size * 1e-12 {
            return Err(i);
        }
        row[i] = square.sqrt();
    }
    let mut diagonal = vec![0.0; n];
    let mut column = vec![0.0; n];
    for (k, total) in diagonal.iter_mut().enumerate() {
        for i in k..n {
            let unit = if i == k { 1.0 } else { 0.0 };
            column[i] = (unit - dot(&rows[i][k..i], &column[k..i])) / rows[i][i];
        }
        *total = dot(&column[k..], &column[k..]);
    }
    Ok(diagonal)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mm::CompetitionsBuilder;

    fn duels(results: &[(u32, u32, u32)]) -> Competitions {
        let mut builder = CompetitionsBuilder::new();
        for &(winner, loser, times) in results {
            for _ in 0..times {
                builder.begin();
                builder.push(&[winner]);
                builder.push(&[loser]);
                builder.finish(0).unwrap();
            }
        }
        builder.build()
    }

    #[test]
    fn two_players_have_the_error_of_a_logit() {
        // The logit of a share p of n games has variance 1 / (n p (1 - p)).
        let data = duels(&[(0, 1, 75), (1, 0, 25)]);
        let errors = standard_errors(&data, &[3.0, 1.0], 0.0, Some(1)).unwrap();
        assert!((errors[0] - (1.0 / (100.0 * 0.75 * 0.25_f64)).sqrt()).abs() < 1e-12);
        assert_eq!(errors[1], 0.0);
    }

    #[test]
    fn errors_add_along_a_chain_of_players() {
        let data = duels(&[(0, 1, 50), (1, 0, 50), (1, 2, 50), (2, 1, 50)]);
        let errors = standard_errors(&data, &[1.0; 3], 0.0, Some(0)).unwrap();
        assert!((errors[1].powi(2) - 0.04).abs() < 1e-12);
        assert!((errors[2].powi(2) - 0.08).abs() < 1e-12);
    }

    #[test]
    fn the_inverse_of_a_known_matrix() {
        // [[2, 1, 0], [1, 2, 1], [0, 1, 2]] has the inverse's diagonal 3/4, 1, 3/4.
        let rows = vec![
            vec![2.0, 1.0, 0.0],
            vec![1.0, 2.0, 1.0],
            vec![0.0, 1.0, 2.0],
        ];
        let diagonal = inverse_diagonal(rows).unwrap();
        for (found, expected) in diagonal.iter().zip([0.75, 1.0, 0.75]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_not_known_is_said() {
        let data = duels(&[(0, 1, 2), (1, 0, 2)]);
        let unknown = |anchor| standard_errors(&data, &[1.0; 3], 0.0, anchor).unwrap_err();
        assert_eq!(unknown(None), InformationError::Undetermined(1));
        assert_eq!(unknown(Some(0)), InformationError::Undetermined(2));
        let none = InformationError::NoSuchAnchor {
            anchor: 3,
            individuals: 3,
        };
        assert_eq!(unknown(Some(3)), none);
        assert!(standard_errors(&data, &[1.0; 3], 1.0, None).is_ok());
    }
}
