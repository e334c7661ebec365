//! Random numbers of the kinds the search draws.

use rand_xoshiro::rand_core::RngCore;

/// Returns a number in [0, 1).
pub(super) fn uniform(rng: &mut impl RngCore) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns true half of the time.
pub(super) fn coin(rng: &mut impl RngCore) -> bool {
    rng.next_u64() >> 63 != 0
}

/// Returns a number of the standard normal distribution (Box and Muller's way).
pub(super) fn gaussian(rng: &mut impl RngCore) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(rng)).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(rng)).cos()
}

/// Returns a number of the gamma distribution of scale 1 (Marsaglia and Tsang's way).
pub(super) fn gamma(rng: &mut impl RngCore, shape: f64) -> f64 {
    if shape < 1.0 {
        // A draw of shape + 1, shrunk, is one of shape.
        let shrink = (1.0 - uniform(rng)).powf(1.0 / shape);
        return gamma(rng, shape + 1.0) * shrink;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = gaussian(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - uniform(rng)).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// Returns an index drawn by weight; `None` if no weight is positive.
pub(super) fn index(rng: &mut impl RngCore, weights: &[f64]) -> Option<usize> {
    let total: f64 = weights.iter().sum();
    if total.is_nan() || total <= 0.0 {
        return None;
    }
    let mut left = uniform(rng) * total;
    for (i, &weight) in weights.iter().enumerate() {
        if weight > left {
            return Some(i);
        }
        left -= weight;
    }
    weights.iter().rposition(|&weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn means_and_spreads_are_right() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut check =
            |draw: &mut dyn FnMut(&mut Xoshiro256PlusPlus) -> f64, mean: f64, variance: f64| {
                let draws: Vec<f64> = (0..40_000).map(|_| draw(&mut rng)).collect();
                let found = draws.iter().sum::<f64>() / draws.len() as f64;
                let spread =
                    draws.iter().map(|it| (it - found).powi(2)).sum::<f64>() / draws.len() as f64;
                assert!((found - mean).abs() < 0.03, "{found} is not {mean}");
                assert!(
                    (spread - variance).abs() < 0.1,
                    "{spread} is not {variance}"
                );
            };
        check(&mut |rng| uniform(rng), 0.5, 1.0 / 12.0);
        check(&mut |rng| gaussian(rng), 0.0, 1.0);
        check(&mut |rng| gamma(rng, 0.3), 0.3, 0.3);
        check(&mut |rng| gamma(rng, 2.5), 2.5, 2.5);
    }

    #[test]
    fn an_index_is_drawn_by_weight() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[index(&mut rng, &[1.0, 0.0, 3.0]).expect("positive")] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((2300..2700).contains(&counts[0]));
        assert_eq!(index(&mut rng, &[0.0, 0.0]), None);
    }
}
