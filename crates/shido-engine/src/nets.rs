//! The networks that are part of the program: the files and cards of `nets/`.
//!
//! A file is only looked at when its network is asked for, so a program that does not
//! think with it starts as fast as without.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use shido_net::Model;

use crate::native::NetworkError;

/// A network that is part of the program.
#[derive(Debug)]
pub struct Embedded {
    /// What it is called on the command line and in `nets/`.
    pub name: &'static str,
    /// What it is, how it was made and what it can do, in Markdown.
    pub card: &'static str,
    /// The file, as KataGo would read it too.
    pub bytes: &'static [u8],
    model: OnceLock<Arc<Model>>,
}

/// Knows what people of a rank play.
pub static HUMAN: Embedded = Embedded {
    name: "shido-human",
    card: include_str!("../../../nets/shido-human.md"),
    bytes: include_bytes!("../../../nets/shido-human.bin.gz"),
    model: OnceLock::new(),
};

/// Judges positions.
pub static EVAL: Embedded = Embedded {
    name: "shido-eval",
    card: include_str!("../../../nets/shido-eval.md"),
    bytes: include_bytes!("../../../nets/shido-eval.bin.gz"),
    model: OnceLock::new(),
};

/// All of them.
pub static ALL: [&Embedded; 2] = [&EVAL, &HUMAN];

impl Embedded {
    /// Returns the network of a name.
    pub fn named(name: &str) -> Option<&'static Embedded> {
        ALL.into_iter().find(|it| it.name == name)
    }

    /// Returns SHA-256 of the file, in hexadecimal.
    pub fn hash(&self) -> String {
        format!("{:x}", Sha256::digest(self.bytes))
    }

    /// Returns a file that holds the network, for another program to read.
    ///
    /// It lies in the folder for temporary files under its hash, and stays there.
    pub fn as_file(&self) -> Result<PathBuf, NetworkError> {
        let hash = self.hash();
        let folder = std::env::temp_dir();
        let path = folder.join(format!("{}-{}.bin.gz", self.name, &hash[..16]));
        let written = || -> std::io::Result<()> {
            if std::fs::read(&path).is_ok_and(|bytes| bytes == self.bytes) {
                return Ok(());
            }
            // Another program may be reading, or writing the same.
            let part = folder.join(format!("{}-{}.part", self.name, std::process::id()));
            std::fs::write(&part, self.bytes)?;
            std::fs::rename(&part, &path)
        };
        match written() {
            Ok(()) => Ok(path),
            Err(cause) => Err(NetworkError::Written { path, cause }),
        }
    }

    /// Reads the network, once.
    pub fn model(&self) -> Arc<Model> {
        let read = || Arc::new(Model::read(self.bytes).expect("the embedded file is whole"));
        Arc::clone(self.model.get_or_init(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_nets_are_whole_and_their_cards_are_theirs() {
        for net in ALL {
            assert!(Embedded::named(net.name).is_some_and(|it| std::ptr::eq(it, net)));
            let hash = net.hash();
            assert!(net.card.contains(&hash), "{}: {hash}", net.name);
            assert!(net.card.starts_with(&format!("# {}\n", net.name)));
            assert!(net.bytes.len() <= 8_000_000);
            assert!(Arc::ptr_eq(&net.model(), &net.model()));
            let file = net.as_file().unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), net.bytes);
            assert_eq!(net.as_file().unwrap(), file);
        }
        assert!(HUMAN.model().trunk.meta_encoder.is_some());
        assert!(Embedded::named("none").is_none());
    }
}
