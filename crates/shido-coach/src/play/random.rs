//! Draws by weight.

use rand_xoshiro::rand_core::RngCore;

/// Returns an index drawn by weight; `None` if no weight is positive.
///
/// Weights that are negative or no numbers count as 0.
pub(super) fn draw(rng: &mut dyn RngCore, weights: &[f64]) -> Option<usize> {
    let usable = |weight: f64| {
        if weight.is_finite() {
            weight.max(0.0)
        } else {
            0.0
        }
    };
    let total: f64 = weights.iter().map(|&it| usable(it)).sum();
    if total <= 0.0 {
        return None;
    }
    let mut left = uniform(rng) * total;
    for (i, &weight) in weights.iter().enumerate() {
        let weight = usable(weight);
        if weight > left {
            return Some(i);
        }
        left -= weight;
    }
    weights.iter().rposition(|&weight| usable(weight) > 0.0)
}

/// Returns a number in [0, 1).
fn uniform(rng: &mut dyn RngCore) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn an_index_is_drawn_by_weight() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[draw(&mut rng, &[1.0, f64::NAN, 3.0, -1.0]).unwrap()] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!((2300..2700).contains(&counts[0]), "{counts:?}");
        assert_eq!(draw(&mut rng, &[0.0, f64::INFINITY]), None);
        assert_eq!(draw(&mut rng, &[]), None);
    }
}
