//! Turning inputs by a symmetry, and outputs back.

use shido_go::{Size, Symmetry};

use super::{Inputs, LONGEST, Plane};
use crate::Outputs;

/// Where each point goes, by its place in row order.
struct Places([u16; LONGEST * LONGEST]);

impl Places {
    fn new(symmetry: Symmetry, size: Size) -> Places {
        let mut places = [0; LONGEST * LONGEST];
        let turned = symmetry.size(size);
        for (place, point) in places.iter_mut().zip(size.points()) {
            *place = turned.index_of(symmetry.point(point, size)) as u16;
        }
        Places(places)
    }

    fn plane(&self, plane: &Plane) -> Plane {
        let mut turned = Plane::default();
        for index in plane.iter() {
            turned.set(usize::from(self.0[index]));
        }
        turned
    }
}

impl Inputs {
    /// Returns the inputs of the position turned by a symmetry.
    ///
    /// ```
    /// use shido_go::{Position, Rules, Size, Symmetry, gtp};
    /// use shido_net::{Encoder, InputSettings};
    ///
    /// let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    /// position.play(gtp::parse_vertex("C9", Size::S9)?)?;
    /// let inputs = Encoder::new().encode(&position, &InputSettings::default());
    /// let upside_down = Symmetry::from_bits(1).unwrap();
    /// // The stone in the top row stands in the bottom row then.
    /// assert!(inputs.turned(upside_down).planes[2].get(8 * 9 + 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turned(&self, symmetry: Symmetry) -> Inputs {
        if symmetry == Symmetry::IDENTITY {
            return self.clone();
        }
        let places = Places::new(symmetry, self.size);
        Inputs {
            size: symmetry.size(self.size),
            planes: self.planes.each_ref().map(|plane| places.plane(plane)),
            globals: self.globals,
            meta: self.meta.clone(),
        }
    }
}

impl Outputs {
    /// Turns what a network said of a position turned by `symmetry` back to the
    /// position, whose board has the given size.
    pub fn turn_back(&mut self, symmetry: Symmetry, size: Size) {
        if symmetry == Symmetry::IDENTITY {
            return;
        }
        let places = Places::new(symmetry, size);
        let area = size.area();
        let mut turned = [0.0; LONGEST * LONGEST];
        let policies = self.policy.chunks_exact_mut(area + 1);
        let points = policies.map(|policy| &mut policy[..area]);
        let owners = self.ownership.chunks_exact_mut(area);
        for values in points.chain(owners) {
            turned[..area].copy_from_slice(values);
            for (value, &place) in values.iter_mut().zip(&places.0) {
                *value = turned[usize::from(place)];
            }
        }
    }
}
