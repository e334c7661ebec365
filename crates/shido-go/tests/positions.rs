//! Positions as pictures: runs every `.t` file of `tests/positions`.
//!
//! A case begins with `== title`. Lines with `|` draw the board, where letters
//! name empty points. Then come steps, one to a line, played and checked in order:
//!
//! * `rules NAME`, `komi N`, `handicap N`, `turn COLOR` set the position up
//! * `play COLOR POINT` must be legal; `illegal COLOR POINT: WHY` must not be
//! * `score DEAD… = RESULT` counts with the chains of those stones dead
//! * `territory BLACK WHITE` says how many empty points count, before any group tax
//! * `life`, `ladders` and their `|` lines below say who is safe unconditionally
//!   (`X`, `O`) and which stones a ladder catches (`1`, others `0`)
//! * `working POINT = POINT…` names the ataris that catch the chain of a stone
//!
//! A point is a letter of the picture, a vertex such as `C3`, or `pass`.

use std::fs;
use std::path::Path;

use shido_go::gtp::{format_vertex, parse_vertex};
use shido_go::{
    Board, Color, Diagram, Ladder, LadderReader, Move, Point, PointSet, Position, Rules,
};

#[test]
fn every_picture_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/positions");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "t"))
        .collect();
    files.sort();
    assert!(files.len() >= 7, "the files are missing");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let mut cases = text.split("\n== ").skip(1).peekable();
        assert!(cases.peek().is_some(), "{} has no case", path.display());
        for case in cases {
            check(&path, case);
        }
    }
}

#[track_caller]
fn check(path: &Path, case: &str) {
    let (title, body) = case.split_once('\n').unwrap();
    let (rows, steps): (Vec<_>, Vec<_>) = body
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::trim)
        .enumerate()
        .partition(|(_, line)| line.starts_with('|'));
    // The picture of the board is the first run of `|` lines; others belong to steps.
    let first_step = steps.first().map_or(usize::MAX, |&(i, _)| i);
    let picture = |from: usize, to: usize| -> String {
        rows.iter()
            .filter(|&&(i, _)| from < i + 1 && i < to)
            .map(|(_, row)| row.trim_matches('|').to_owned() + "\n")
            .collect()
    };
    let diagram = Diagram::parse(&picture(0, first_step)).expect(title);
    let mut runner = Runner {
        position: Position::from_board(diagram.board.clone(), Color::Black, Rules::CHINESE, 0.0),
        diagram,
    };
    for (n, &(i, step)) in steps.iter().enumerate() {
        let end = steps.get(n + 1).map_or(usize::MAX, |&(next, _)| next);
        let place = format!("{}: {title}: {step}", path.display());
        runner.step(step, &picture(i, end), &place);
    }
}

struct Runner {
    position: Position,
    diagram: Diagram,
}

impl Runner {
    fn step(&mut self, step: &str, picture: &str, place: &str) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "rules" => self.position.set_rules(rest.parse().unwrap()),
            "komi" => self.position.set_komi(rest.parse().unwrap()),
            "handicap" => self.position.set_handicap(rest.parse().unwrap()),
            "turn" => self.position.set_to_move(rest.parse().unwrap()),
            "play" => {
                let (color, mv) = self.color_and_move(rest);
                let played = self.position.play_as(color, mv);
                assert!(
                    played.is_ok(),
                    "{place}: {played:?}\n{:?}",
                    self.position.board()
                );
            }
            "illegal" => {
                let (wish, why) = rest.split_once(": ").unwrap();
                let (color, mv) = self.color_and_move(wish);
                let error = self.position.check(color, mv).expect_err(place);
                assert!(error.to_string().contains(why), "{place}: {error}");
            }
            "score" => {
                let (dead, expect) = rest.split_once('=').unwrap();
                let dead: PointSet = dead.split_whitespace().map(|v| self.point(v)).collect();
                let score = self.position.score(&dead).to_string();
                assert_eq!(score, expect.trim(), "{place}");
            }
            "territory" => {
                let count = self.position.count(&PointSet::new());
                let found = format!("{} {}", count.black.territory, count.white.territory);
                assert_eq!(found, rest, "{place}");
            }
            "life" => assert_eq!(self.life(), squeeze(picture), "{place}"),
            "ladders" => assert_eq!(self.ladders(), squeeze(picture), "{place}"),
            "working" => {
                let (stone, expect) = rest.split_once(" =").unwrap();
                let moves = LadderReader::new(self.board()).attacks(self.point(stone));
                let mut expect: Vec<_> = expect.split_whitespace().map(|v| self.point(v)).collect();
                expect.sort_unstable();
                let mut found: Vec<_> = moves.iter().collect();
                found.sort_unstable();
                assert_eq!(found, expect, "{place}");
            }
            _ => panic!("{place}: no such step"),
        }
    }

    fn board(&self) -> &Board {
        self.position.board()
    }

    fn color_and_move(&self, text: &str) -> (Color, Move) {
        let (color, point) = text.split_once(' ').unwrap();
        let mv = match point {
            "pass" => Move::Pass,
            point => Move::Play(self.point(point)),
        };
        (color.parse().unwrap(), mv)
    }

    fn point(&self, text: &str) -> Point {
        let mark = (text.len() == 1).then(|| self.diagram.mark(text.chars().next().unwrap()));
        let size = self.diagram.board.size();
        mark.flatten()
            .or_else(|| parse_vertex(text, size).unwrap().point())
            .unwrap_or_else(|| panic!("no point {text}"))
    }

    fn life(&self) -> String {
        let safe = self.board().pass_alive(self.position.rules().suicide);
        self.draw(|point| match safe.of(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        })
    }

    fn ladders(&self) -> String {
        let mut reader = LadderReader::new(self.board());
        let board = self.board();
        let drawn = self.draw(|point| match board.stone(point) {
            None => '.',
            Some(_) if reader.read(point) == Ladder::Free => '0',
            Some(_) => '1',
        });
        assert_eq!(reader.board(), board, "reading leaves the board as it was");
        drawn
    }

    fn draw(&self, mut sign: impl FnMut(Point) -> char) -> String {
        let size = self.board().size();
        let mut text = String::new();
        for point in size.points() {
            text.push(sign(point));
            if point.x() + 1 == size.width() {
                text.push('\n');
            }
        }
        text
    }
}

fn squeeze(picture: &str) -> String {
    let rows = picture.lines().map(|row| row.replace(' ', "") + "\n");
    rows.collect()
}

#[test]
fn vertices_in_pictures_count_from_the_bottom() {
    let diagram = Diagram::parse(". a .\n. . .\n. . .").unwrap();
    let point = diagram.mark('a').unwrap();
    assert_eq!(format_vertex(Move::Play(point), diagram.board.size()), "B3");
}
