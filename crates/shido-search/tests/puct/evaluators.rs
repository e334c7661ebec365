//! Scripted evaluators and the loops that drive a search with them.

use shido_go::{Color, Diagram, Move, Position, Rules, Size};
use shido_search::puct::{EvalRequest, Hooks, Puct, PuctSettings};
use shido_search::{Analysis, Evaluation, ForMover, Points, WinRate};

pub(crate) fn at(size: Size, x: usize, y: usize) -> Move {
    Move::Play(size.point(x, y).expect("on the board"))
}

/// Reads rows of `X`, `O` and `.` as a position.
pub(crate) fn position(rows: &[&str], to_move: Color, rules: Rules, komi: f32) -> Position {
    let board = Diagram::parse(&rows.join("\n")).expect("a board").board;
    Position::from_board(board, to_move, rules, komi)
}

pub(crate) fn index(size: Size, mv: Move) -> usize {
    mv.point().map_or(size.area(), |it| size.index_of(it))
}

/// Four black and four white stones at the top left are in atari: whoever takes wins.
pub(crate) const RACE: [&str; 7] = [
    "XXXX.O.", "OOOO.O.", "XXXX.O.", "...X.OO", "...XO..", "...XOO.", "...XO..",
];

/// An even policy over legal moves, and whoever has more area leads.
pub(crate) fn count_area(position: &Position) -> Evaluation {
    let size = position.size();
    let mut policy = vec![0.0; size.area() + 1];
    let legal: Vec<Move> = position.legal_moves().collect();
    for &mv in &legal {
        policy[index(size, mv)] = 1.0 / legal.len() as f32;
    }
    let owners = position.board().area();
    let ownership: Vec<f32> = size
        .points()
        .map(|it| match owners.of(it) {
            Some(color) if color == position.to_move() => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        })
        .collect();
    let komi = match position.to_move() {
        Color::Black => -position.komi(),
        Color::White => position.komi(),
    };
    let lead = ownership.iter().sum::<f32>() + komi;
    Evaluation {
        policy: policy.into_boxed_slice(),
        win_rate: ForMover(WinRate(1.0 / (1.0 + (-lead / 4.0).exp()))),
        no_result: 0.0,
        score_mean: ForMover(Points(lead)),
        score_deviation: Points(5.0),
        lead: ForMover(Points(lead)),
        variance_time: None,
        short_term_win_loss_error: None,
        short_term_score_error: None,
        ownership: Some(ownership.into_boxed_slice()),
    }
}

pub(crate) fn puct(settings: PuctSettings) -> Puct {
    Puct::new(settings, Hooks::default()).expect("sane settings")
}

/// Searches with `batch` requests out at a time until the search is finished.
pub(crate) fn drive(puct: &mut Puct, batch: usize, evaluate: impl Fn(&EvalRequest) -> Evaluation) {
    while !puct.is_finished() {
        for request in puct.gather(batch) {
            let evaluation = evaluate(&request);
            puct.apply(request, evaluation);
        }
    }
}

pub(crate) fn run(puct: &mut Puct, position: &Position, visits: u64) -> Analysis {
    puct.set_root(position);
    puct.set_visit_limit(Some(visits));
    drive(puct, 1, |request| count_area(request.position()));
    puct.analysis()
}
