//! Whole GTP sessions, from `tests/transcripts/*.gtp`.
//!
//! A line that begins with `> ` is sent and answered before the next is sent. An
//! analysis goes on until the next line: `>> ` waits for its first reports only.
//! `>- ` is a line that gets no answer. The other lines are what must come back,
//! exactly; `#` begins a remark. With `UPDATE_TRANSCRIPTS` set, the files are
//! written anew, to be read before they are believed.

mod scripted;

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use scripted::Scripted;
use shido_coach::play::PartnerKind;
use shido_engine::gtp::{GtpServer, GtpSettings};
use shido_engine::human::HumanNet;

/// The far end of a pipe whose near end is a channel.
struct Incoming {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct Outgoing(Sender<Vec<u8>>);

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .send(bytes.to_vec())
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A server in a thread, and what it has written so far.
struct Running {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    text: String,
}

impl Running {
    fn start() -> Running {
        let (input, lines) = channel();
        let (writer, output) = channel();
        let incoming = Incoming {
            lines,
            rest: Vec::new(),
        };
        thread::spawn(move || {
            let settings = GtpSettings {
                // A network's numbers differ a little from processor to processor.
                human: HumanNet::MoveModel,
                ..GtpSettings::default()
            };
            let mut server = GtpServer::new(Box::new(Scripted), settings);
            server.run(incoming, Outgoing(writer)).unwrap();
        });
        Running {
            input: Some(input),
            output,
            text: String::new(),
        }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_ref().expect("still open");
        // After `quit` nobody listens.
        let _ = input.send([line, b"\n"].concat());
    }

    /// Returns the next line; what comes after it is kept.
    fn read_line(&mut self) -> String {
        let mut line = self.read_until(|it| it.contains('\n'));
        let end = line.find('\n').map_or(line.len(), |at| at + 1);
        self.text = line.split_off(end);
        line
    }

    /// Returns what is written until `enough`; a server that falls silent is left
    /// to the comparison.
    fn read_until(&mut self, enough: impl Fn(&str) -> bool) -> String {
        while !enough(&self.text) {
            match self.output.recv_timeout(Duration::from_secs(10)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8(bytes).unwrap()),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        std::mem::take(&mut self.text)
    }
}

/// Plays the lines of a transcript that are sent; returns it with what came back.
fn replay(transcript: &str) -> String {
    let mut running = Running::start();
    let mut written = String::new();
    let mut under_way = false;
    for line in transcript.lines() {
        if line.starts_with('#') {
            written.extend([line, "\n"]);
        }
        let Some((mark, text)) = line.strip_prefix('>').and_then(|it| it.split_once(' ')) else {
            continue;
        };
        running.send(text.as_bytes());
        if under_way {
            // The line ends the analysis before it is obeyed.
            written.push_str(&running.read_line());
        }
        written.extend([line, "\n"]);
        under_way = mark == ">";
        match mark {
            ">" => written.push_str(&running.read_until(|it| it.matches('\n').count() >= 3)),
            "-" => {}
            _ => written.push_str(&running.read_until(|it| it.ends_with("\n\n"))),
        }
    }
    running.input = None;
    written.push_str(&running.read_until(|_| false));
    written
}

#[track_caller]
fn check(path: &Path) {
    let transcript = std::fs::read_to_string(path).unwrap();
    let found = replay(&transcript);
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::write(path, &found).unwrap();
        return;
    }
    assert_eq!(found, transcript, "{}", path.display());
}

#[test]
fn transcripts_come_out_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "gtp") {
            check(&path);
            count += 1;
        }
    }
    assert!(count >= 6, "only {count} transcripts");
}

#[test]
fn a_record_is_written_and_loaded() {
    let folder = std::env::temp_dir().join(format!("shido records {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a game.sgf");
    let path = path.display();
    let found = replay(&format!(
        "> boardsize 9\n> kata-set-rules japanese\n> komi 6.5\n> play b E5\n> play w C3\n\
         > printsgf {path}\n> boardsize 13\n> kata-set-rules aga\n> loadsgf {path}\n\
         > showboard\n> loadsgf {path} 2\n> printsgf\n"
    ));
    // What the record does not name stays as it is.
    let silent = folder.join("silent.sgf");
    std::fs::write(&silent, "(;GM[1]SZ[9];B[ee])").unwrap();
    let kept = replay(&format!(
        "> komi 3\n> kata-set-rules aga\n> loadsgf {}\n> showboard\n",
        silent.display()
    ));
    assert!(kept.contains("komi 3, aga rules"), "{kept}");
    std::fs::write(folder.join("empty.sgf"), "no game").unwrap();
    let refused = replay(&format!(
        "> loadsgf {}\n",
        folder.join("empty.sgf").display()
    ));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(
        found.contains("= move 3, Black to play, komi 6.5, japanese rules"),
        "{found}"
    );
    assert!(
        found.contains("SZ[9]KM[6.5]RU[Japanese];B[ee])\n"),
        "{found}"
    );
    assert!(refused.contains("? cannot load file: "), "{refused}");
}

#[test]
fn why_can_be_read_by_programs() {
    let found =
        replay("> boardsize 9\n> shido-set partner strong\n> genmove b\n> shido-why json\n");
    let line = found.lines().find_map(|it| it.strip_prefix("= {"));
    let json = format!("{{{}", line.unwrap());
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&told["move"], &told["why"]),
        (&"A9".into(), &"search".into())
    );
    assert_eq!(told["after"], 0);
    let record = &told["record"];
    assert_eq!(record["rule"], "best-move");
    assert_eq!(record["candidates"][0]["visits"], 80);
}

/// Returns what each `shido-get level` says of a level that follows the student.
fn levels(transcript: &str) -> Vec<String> {
    let found = replay(transcript);
    let told = found
        .lines()
        .filter_map(|it| it.strip_prefix("= auto, now "));
    told.map(str::to_owned).collect()
}

/// A game that ends, and the level after it; the partner answers E5 at A9.
const GAME: &str = "> boardsize 9\n> shido-set partner strong\n> shido-set level auto\n\
    > play b E5\n> genmove w\n> play b pass\n> play w pass\n> shido-get level\n\
    > clear_board\n> shido-get level\n";

#[test]
fn a_level_follows_the_student_once_another_game_has_begun() {
    let found = levels(&format!(
        "{GAME}> play b G7\n> genmove w\n> shido-get level\n"
    ));
    assert_eq!(found[0], found[1]);
    assert_ne!(found[1], found[2]);
}

/// The komi of a game is the one it was played with, not that of the next.
#[test]
fn a_komi_for_the_next_game_does_not_change_the_last() {
    let after = |komi: &str| {
        let game = GAME.replace("> clear_board", &format!("{komi}> clear_board"));
        levels(&format!(
            "{game}> play b G7\n> genmove w\n> shido-get level\n"
        ))
    };
    assert_eq!(after(""), after("> komi 0\n> komi 100\n"));
    let played = levels(&format!(
        "> komi 0\n{GAME}> play b G7\n> genmove w\n> shido-get level\n"
    ));
    assert_ne!(after(""), played, "komi does matter");
}

/// A komi that decides the game says nothing of the student.
#[test]
fn a_game_with_an_odd_komi_teaches_nothing() {
    for komi in [-50, 30] {
        let found = levels(&format!(
            "> komi {komi}\n{GAME}> play b G7\n> genmove w\n> shido-get level\n"
        ));
        assert_eq!(found[0], found[2], "{komi}");
    }
}

/// A hint for the student is no move of ours: the level learns from the game all the same.
#[test]
fn a_hint_does_not_keep_a_level_from_learning() {
    let next = "> play b G7\n> genmove w\n> shido-get level\n";
    for hint in [
        "> play b pass",
        "> play w pass",
        "> shido-get level\n> clear",
    ] {
        let game = GAME.replacen(hint, &format!("> reg_genmove b\n{hint}"), 1);
        assert_eq!(
            levels(&format!("{game}{next}")),
            levels(&format!("{GAME}{next}"))
        );
    }
}

/// Who gives stones and loses as much as in an even game has done better.
#[test]
fn stones_that_the_student_gives_are_counted() {
    let after = |stones: &str| {
        let game = format!(
            "> boardsize 9\n> komi 0.5\n{stones}> shido-set partner strong\n> shido-set level auto\n\
             > play w E5\n> genmove b\n> play w pass\n> play b pass\n> clear_board\n\
             > play w G7\n> genmove b\n> shido-get level\n"
        );
        let level: shido_coach::Level = levels(&game)[0].parse().unwrap();
        level.steps()
    };
    let (even, given) = (after(""), after("> fixed_handicap 4\n"));
    assert!(given > even, "{given} {even}");
}

#[test]
fn a_game_that_is_set_up_anew_teaches_nothing() {
    let anew = "> play b E5\n> play w A9\n> play b pass\n> genmove w\n> shido-get level\n";
    let found = levels(&format!("{GAME}{anew}"));
    assert_eq!(found[1], found[2]);
}

/// A game that the student breaks off after White's last stone, the level then, and the level
/// once another game has begun.
fn broken_off(stones: &[&str]) -> Vec<String> {
    let mut game =
        String::from("> boardsize 9\n> shido-set partner strong\n> shido-set level auto\n");
    for (stone, color) in stones.iter().zip(["b", "w"].into_iter().cycle()) {
        game.extend(["> play ", color, " ", stone, "\n"]);
    }
    game.push_str("> genmove w\n> shido-get level\n> clear_board\n");
    game.push_str("> play b G7\n> genmove w\n> shido-get level\n");
    levels(&game)
}

#[test]
fn a_lost_game_that_is_broken_off_late_is_a_resignation() {
    let mut stones = [
        "E5", "J1", "E6", "H2", "E7", "H4", "E8", "H6", "D5", "H8", "D6", "G3", "D7", "G5", "D8",
        "F3", "C5",
    ];
    let lost = broken_off(&stones);
    assert_ne!(lost[0], lost[1], "White was sure to win");
    let early = broken_off(&stones[..13]);
    assert_eq!(early[0], early[1], "it had hardly begun");
    stones[1] = "H1";
    let even = broken_off(&stones);
    assert_eq!(even[0], even[1], "nobody had lost");
}

#[test]
fn a_student_s_rank_seats_no_partner() {
    let found = replay(
        "> shido-set level auto\n> shido-set partner none\n> shido-set student 3k\n\
         > shido-get partner\n",
    );
    assert!(found.ends_with("= none\n\n"), "{found}");
}

#[test]
fn a_level_that_follows_the_student_begins_where_the_student_is() {
    let found = levels(
        "> shido-set partner human\n> shido-set level auto\n> shido-get level\n\
         > shido-set student 3k\n> shido-get level\n",
    );
    assert_eq!(found, ["12k", "3k"]);
}

/// Programs give up on an analysis with a move that has no win rate.
#[test]
fn every_move_that_is_told_of_has_a_win_rate() {
    for partner in ["human", "softmax", "roles", "natural", "strong"] {
        for command in ["lz-genmove_analyze", "kata-genmove_analyze"] {
            for start in ["", "> fixed_handicap 4\n"] {
                let found = replay(&format!(
                    "> boardsize 9\n{start}> shido-set partner {partner}\n> {command} w 50\n"
                ));
                let moves = found.matches("info move ").count();
                let plain = start.is_empty() && ["natural", "strong"].contains(&partner);
                assert!(moves > 0 || !plain, "{partner}: {found}");
                for field in [
                    " winrate ",
                    " visits ",
                    " prior ",
                    " lcb ",
                    " order ",
                    " pv ",
                ] {
                    assert_eq!(
                        found.matches(field).count(),
                        moves,
                        "{partner} {field}: {found}"
                    );
                }
                assert!(!found.contains(" winrate 0 "), "{partner}: {found}");
                assert!(found.contains("\nplay "), "{partner}: {found}");
            }
        }
    }
}

/// What was searched under another komi, or not at all, has no win rate of this game; what
/// the partner thought of it is told all the same, the move it played first.
#[test]
fn every_partner_tells_its_thoughts_in_the_form_of_an_analysis() {
    for kind in PartnerKind::ALL {
        for handicap in ["", "> fixed_handicap 3\n"] {
            let color = if handicap.is_empty() { 'b' } else { 'w' };
            let found = replay(&format!(
                "> boardsize 9\n{handicap}> shido-set partner {kind}\n> genmove {color}\n> shido-why info\n"
            ));
            let line = found.lines().rfind(|it| it.starts_with("= info move "));
            let line = line.unwrap_or_else(|| panic!("{kind}: {found}"));
            let (first, _) = line.split_once(" order 0 ").unwrap();
            assert!(first.contains(" rule "), "{kind}: {line}");
            assert_eq!(line.matches(" rule ").count(), 1, "{kind}: {line}");
            let played = first.split(' ').nth(3).unwrap();
            assert!(
                found.contains(&format!("\n= {played}\n")),
                "{kind}: {found}"
            );
            let of_this_game = match kind {
                PartnerKind::Softmax | PartnerKind::Roles => false,
                PartnerKind::Strong | PartnerKind::Natural => handicap.is_empty(),
                _ => continue,
            };
            assert_eq!(line.contains(" winrate "), of_this_game, "{kind}: {line}");
        }
    }
}
