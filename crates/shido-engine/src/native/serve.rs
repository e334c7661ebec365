//! Answers the positions of another process's searches; the other end of [`super::away`].

use std::io::{self, Read, Write};

use shido_net::{Inputs, Outputs};

use super::network::Network;
use super::wire::{Greeting, Head};

/// Positions that are computed at once.
const AT_ONCE: usize = 4;

impl Network {
    /// Answers questions until there are no more (`docs/protocol.md`).
    pub fn answer_positions(&self, mut from: impl Read, mut to: impl Write) -> io::Result<()> {
        let greeting = self.greeting();
        greeting.write(&mut to)?;
        to.flush()?;
        let mut forward = self.engine.forward();
        let (mut question, mut answer) = (Vec::new(), Vec::new());
        let mut outputs = vec![Outputs::default(); AT_ONCE];
        while let Some(Head { count, size }) = Head::read(&mut from)? {
            let one = greeting.question_bytes(size);
            question.resize(one * count, 0);
            from.read_exact(&mut question)?;
            answer.clear();
            answer.extend_from_slice(&(count as u32).to_le_bytes());
            for some in question.chunks(one * AT_ONCE) {
                let read = |bytes| greeting.position(size, bytes);
                let inputs: Vec<Inputs> = some.chunks_exact(one).map(read).collect();
                let inputs: Vec<&Inputs> = inputs.iter().collect();
                let outputs = &mut outputs[..inputs.len()];
                forward.run(&inputs, outputs);
                for it in outputs {
                    Greeting::put_answer(it, &mut answer);
                }
            }
            to.write_all(&answer)?;
            to.flush()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shido_go::Size;
    use shido_net::{CpuChoice, tiny};

    use super::*;

    #[test]
    fn positions_are_answered_as_the_pass_answers_them() {
        let network = Network::new(tiny::Plan::new(8).build(), CpuChoice::Auto).unwrap();
        let greeting = network.greeting();
        let size = Size::new(7, 5).unwrap();
        let positions: Vec<_> = (0..6).map(|seed| tiny::inputs(size, seed)).collect();
        let mut questions = Head { count: 6, size }.bytes().to_vec();
        for it in &positions {
            greeting.put_position(it, &mut questions);
        }
        let mut answers = Vec::new();
        let served = network.answer_positions(questions.as_slice(), &mut answers);
        served.unwrap();
        let mut answers = answers.as_slice();
        assert_eq!(Greeting::read(&mut answers).unwrap(), greeting);
        assert_eq!(&answers[..4], 6_u32.to_le_bytes());
        let mut pass = network.engine.forward();
        let each = answers[4..].chunks_exact(greeting.answer_bytes(size));
        assert_eq!(each.len(), 6);
        for (bytes, position) in each.zip(&positions) {
            let mut found = Outputs::default();
            greeting.answer(size, bytes, &mut found);
            let mut expected = [Outputs::default()];
            pass.run(&[position], &mut expected);
            let all = |it: &Outputs| {
                let parts: [&[f32]; 4] = [&it.policy, &it.value, &it.scores, &it.ownership];
                parts.concat()
            };
            let (found, expected) = (all(&found), all(&expected[0]));
            assert_eq!(found.len(), expected.len());
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-4, "{a} {b}");
            }
        }

        // A question that breaks off is an error, not an answer.
        let broken = &questions[..questions.len() - 1];
        assert!(network.answer_positions(broken, &mut Vec::new()).is_err());
    }
}
