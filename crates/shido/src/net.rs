//! `shido net info`: what a network file holds, and the card of how it was made.
//!
//! The file is read as any engine would read it, so a file that is refused here
//! with what is wrong and where is refused everywhere. `shido net evaluate` is in
//! [`crate::net_evaluate`].

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use shido_engine::nets;
use shido_lab::provenance::hash_bytes;
use shido_net::{Block, GLOBALS, META_CHANNELS, Model, Norm, PLANES};

use crate::stdout::Stdout;

/// Say what a network file holds.
///
/// Reads KataGo's format, versions 8 to 17, text or binary, gzip or plain, whatever the file's
/// name. Fails, saying what is wrong and where, if the file is not a whole network. A card
/// beside the file (the same name, ending in .md) is printed too. Without a file it tells of the
/// networks that are part of the program.
#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// The network; those that are part of the program unless given.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What is told of a network.
#[derive(Debug, Serialize)]
struct Info {
    file: PathBuf,
    bytes: usize,
    hash: String,
    name: String,
    version: u32,
    weights: usize,
    channels: usize,
    blocks: Vec<Group>,
    norm: &'static str,
    activation: String,
    planes: usize,
    globals: usize,
    /// Numbers that describe a player; 0 if it takes none.
    human_metadata: usize,
    policies: usize,
    short_term_errors: bool,
    /// How it was made, in Markdown, if a card says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<String>,
}

/// Blocks of one kind.
#[derive(Debug, PartialEq, Serialize)]
struct Group {
    count: usize,
    kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inner: Vec<Group>,
}

pub(crate) fn run_info(args: &InfoArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.file {
        let place = || file.display().to_string();
        let bytes = fs::read(file).with_context(place)?;
        let model = Model::read(&bytes).with_context(place)?;
        let card = fs::read_to_string(card_beside(file)).ok();
        tell(
            &Info::new(file.clone(), &bytes, &model, card),
            args.json,
            out,
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    for (i, net) in nets::ALL.into_iter().enumerate() {
        if i > 0 && !args.json {
            writeln!(out)?;
        }
        let card = Some(net.card.to_owned());
        let info = Info::new(net.name.into(), net.bytes, &net.model(), card);
        tell(&info, args.json, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints one network: a line of JSON, or a table and the card.
fn tell(info: &Info, json: bool, out: &mut Stdout) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(info)?)?;
        return Ok(());
    }
    info.write(out)?;
    if let Some(card) = &info.card {
        writeln!(out, "\n{}", card.trim_end())?;
    }
    Ok(())
}

/// Returns where the card of a file would be: `net.md` beside `net.bin.gz`.
fn card_beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut stem = &*name;
    for ending in [".gz", ".bin", ".txt"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    file.with_file_name(format!("{stem}.md"))
}

impl Info {
    fn new(file: PathBuf, bytes: &[u8], model: &Model, card: Option<String>) -> Info {
        let trunk = &model.trunk;
        Info {
            file,
            bytes: bytes.len(),
            hash: hash_bytes(bytes),
            weights: model.weight_count(),
            channels: trunk.channels,
            blocks: groups(&trunk.blocks),
            norm: match &trunk.tip_norm {
                Norm::Batch(_) => "batch",
                Norm::Rms(norm) if norm.spatial => "RMS of the board",
                Norm::Rms(_) => "RMS of each point",
            },
            activation: format!("{:?}", trunk.tip_activation).to_lowercase(),
            planes: PLANES,
            globals: GLOBALS,
            human_metadata: trunk.meta_encoder.as_ref().map_or(0, |_| META_CHANNELS),
            policies: model.policy_channels(),
            short_term_errors: model.value.sv3.outputs > 4,
            version: model.version,
            name: model.name.clone(),
            card,
        }
    }

    fn write(&self, out: &mut Stdout) -> anyhow::Result<()> {
        let policies = match self.policies {
            1 => "one policy",
            2 => "policy and optimistic policy",
            _ => "policy, optimistic policy, values of moves",
        };
        let errors = if self.short_term_errors {
            ", short-term errors"
        } else {
            ""
        };
        let human = match self.human_metadata {
            0 => String::new(),
            numbers => format!(", {numbers} numbers that describe a player"),
        };
        let rows = [
            ("name", self.name.clone()),
            ("version", self.version.to_string()),
            ("file", format!("{} bytes", thousands(self.bytes))),
            ("hash", self.hash.clone()),
            ("weights", thousands(self.weights)),
            ("channels", self.channels.to_string()),
            ("blocks", describe(&self.blocks)),
            (
                "last norm",
                format!("{}, then {}", self.norm, self.activation),
            ),
            (
                "inputs",
                format!("{} planes, {} globals{human}", self.planes, self.globals),
            ),
            (
                "outputs",
                format!("{policies}, value, scores{errors}, ownership"),
            ),
        ];
        for (what, text) in rows {
            writeln!(out, "{what:<10} {text}")?;
        }
        Ok(())
    }
}

/// Counts blocks that are made of the same things, in the order they first appear.
fn groups(blocks: &[Block]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    for block in blocks {
        let (kind, inner) = match block {
            Block::Ordinary(_) => ("ordinary", Vec::new()),
            Block::GlobalPooling(_) => ("global pooling", Vec::new()),
            Block::NestedBottleneck(block) => ("nested bottleneck", groups(&block.blocks)),
            Block::Attention(_) => ("attention", Vec::new()),
            Block::FeedForward(_) => ("feed-forward", Vec::new()),
        };
        match found
            .iter_mut()
            .find(|it| it.kind == kind && it.inner == inner)
        {
            Some(known) => known.count += 1,
            None => found.push(Group {
                count: 1,
                kind,
                inner,
            }),
        }
    }
    found
}

fn describe(groups: &[Group]) -> String {
    let describe_one = |it: &Group| {
        let inner = match describe(&it.inner) {
            none if none.is_empty() => none,
            some => format!(" ({some} each)"),
        };
        format!("{} {}{inner}", it.count, it.kind)
    };
    groups
        .iter()
        .map(describe_one)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Writes a number with commas.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use shido_net::tiny::{Part, Plan};

    use super::*;

    #[test]
    fn blocks_are_counted_by_what_they_are_made_of() {
        let nested = |parts: &[Part]| Part::Nested(parts.to_vec());
        let plan = Plan {
            blocks: vec![
                Part::Ordinary,
                nested(&[Part::Ordinary, Part::Ordinary]),
                Part::Ordinary,
                nested(&[Part::Ordinary, Part::Ordinary]),
                nested(&[Part::FeedForward { gated: true }]),
            ],
            ..Plan::new(14)
        };
        assert_eq!(
            describe(&groups(&plan.build().trunk.blocks)),
            "2 ordinary, 2 nested bottleneck (2 ordinary each), \
             1 nested bottleneck (1 feed-forward each)"
        );
    }

    #[test]
    fn a_card_lies_beside_its_file() {
        for (file, card) in [
            ("nets/a-b.c.bin.gz", "nets/a-b.c.md"),
            ("a.txt.gz", "a.md"),
            ("net", "net.md"),
        ] {
            assert_eq!(card_beside(Path::new(file)), Path::new(card));
        }
    }

    #[test]
    fn large_numbers_get_commas() {
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_030_599), "1,030,599");
    }
}
