//! A network computed by another process, such as one with a GPU.
//!
//! Any number of searches put their positions into one queue; what has gathered when the
//! process is free for more travels as one batch. A search waits for its own answers
//! alone. If the process fails, whoever waits computes here, and so does everybody from
//! then on: a run becomes slower, but it goes on.

use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shido_go::Size;
use shido_net::{Forward, Inputs, Outputs};

use super::wire::{Greeting, Head, u32_of};
use crate::outside::end_with_group;

/// Batches that are on their way at once: one is computed while others travel.
const AHEAD: usize = 3;
/// Positions of a batch at most; more wait for the next one.
const LARGEST_BATCH: usize = 512;
/// How long a process may take to be ready or to answer; compiling for a GPU takes minutes.
pub(super) const PATIENCE: Duration = Duration::from_mins(10);

/// A process that computes a network.
#[derive(Debug)]
pub(super) struct Away {
    shared: Arc<Shared>,
    child: Child,
}

/// What searches and the two threads of the pipes share.
#[derive(Debug)]
struct Shared {
    greeting: Greeting,
    /// How long an answer may take.
    patience: Duration,
    queue: Mutex<Queue>,
    /// The queue has grown, a batch has come back, or all is over.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// What waits, by board.
    waiting: Vec<(Size, Batch)>,
    under_way: usize,
    /// No process is there any more.
    closed: bool,
}

/// Positions in the order of those who wait for them.
#[derive(Debug, Default)]
struct Batch {
    count: usize,
    bytes: Vec<u8>,
    tickets: Vec<(Arc<Slot>, usize)>,
}

/// Where one search finds its answers.
#[derive(Debug, Default)]
struct Slot {
    answer: Mutex<Answer>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct Answer {
    state: State,
    bytes: Vec<u8>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Awaited,
    Here,
    Lost,
}

impl Away {
    /// Starts a process and waits until it is ready, which and each answer may take as
    /// long as `patience`.
    pub(super) fn start(
        words: &[String],
        expected: Greeting,
        patience: Duration,
    ) -> io::Result<Away> {
        let (program, arguments) = words.split_first().ok_or_else(|| bad("no command"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // Ctrl-C is for the run, which ends its games in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().expect("it was piped");
        let stdout = BufReader::new(child.stdout.take().expect("it was piped"));
        let ready = greet(stdout, patience).and_then(|(greeting, stdout)| {
            if greeting != expected {
                return Err(bad("it computes another network"));
            }
            Ok((greeting, stdout))
        });
        let (greeting, stdout) = match ready {
            Ok(ready) => ready,
            Err(error) => {
                end_with_group(&mut child);
                return Err(error);
            }
        };
        let shared = Arc::new(Shared {
            greeting,
            patience,
            queue: Mutex::default(),
            changed: Condvar::new(),
        });
        let (sender, receiver) = channel();
        let [writing, reading] = [Arc::clone(&shared), Arc::clone(&shared)];
        thread::spawn(move || writing.write_batches(stdin, &sender));
        thread::spawn(move || reading.read_answers(stdout, &receiver));
        Ok(Away { shared, child })
    }

    /// Makes a pass for one thread, with one of this processor to fall back to.
    pub(super) fn forward(&self, here: Box<dyn Forward>) -> Box<dyn Forward> {
        Box::new(Pass {
            shared: Arc::clone(&self.shared),
            slot: Arc::default(),
            here,
        })
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        self.shared.close();
        end_with_group(&mut self.child);
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Waits for the process to say that it is ready.
fn greet(
    mut stdout: BufReader<ChildStdout>,
    patience: Duration,
) -> io::Result<(Greeting, BufReader<ChildStdout>)> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let greeting = Greeting::read(&mut stdout);
        // Nobody listens any more if it took too long.
        let _ = sender.send(greeting.map(|it| (it, stdout)));
    });
    match receiver.recv_timeout(patience) {
        Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(bad("it ended before it was ready"))
        }
        Ok(greeting) => greeting,
        Err(_) => Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("it was not ready after {} s", patience.as_secs()),
        )),
    }
}

/// A batch on its way: its board, and who waits for it.
type UnderWay = (Head, Vec<(Arc<Slot>, usize)>);

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The queue is whole between any two statements.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds positions of one board; whether there is a process to compute them.
    fn ask(&self, inputs: &[&Inputs], slot: &Arc<Slot>) -> bool {
        let size = inputs[0].size;
        let mut queue = self.queue();
        if queue.closed {
            return false;
        }
        let room = |it: &(Size, Batch)| it.0 == size && it.1.count + inputs.len() <= LARGEST_BATCH;
        let at = queue.waiting.iter().position(room).unwrap_or_else(|| {
            queue.waiting.push((size, Batch::default()));
            queue.waiting.len() - 1
        });
        let batch = &mut queue.waiting[at].1;
        for it in inputs {
            self.greeting.put_position(it, &mut batch.bytes);
        }
        batch.count += inputs.len();
        batch.tickets.push((Arc::clone(slot), inputs.len()));
        let idle = queue.under_way < AHEAD;
        drop(queue);
        if idle {
            self.changed.notify_one();
        }
        true
    }

    /// Returns the next batch to send, or nothing at the end.
    fn next_batch(&self) -> Option<(Size, Batch)> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if queue.under_way < AHEAD && !queue.waiting.is_empty() {
                queue.under_way += 1;
                return Some(queue.waiting.remove(0));
            }
            let waited = self.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn write_batches(&self, mut stdin: ChildStdin, sender: &Sender<UnderWay>) {
        while let Some((size, batch)) = self.next_batch() {
            let head = Head {
                count: batch.count,
                size,
            };
            // Whoever waits is told of a failure by the reader, so it must know first.
            if sender.send((head, batch.tickets)).is_err() {
                break;
            }
            let written = stdin
                .write_all(&head.bytes())
                .and_then(|()| stdin.write_all(&batch.bytes))
                .and_then(|()| stdin.flush());
            if let Err(error) = written {
                self.fail(&error);
                return;
            }
        }
        self.close();
    }

    fn read_answers(&self, mut stdout: BufReader<ChildStdout>, receiver: &Receiver<UnderWay>) {
        let mut bytes = Vec::new();
        let mut rate = Rate::new();
        // What comes after an answer that cannot be read has no beginning.
        let mut broken = false;
        for (head, tickets) in receiver {
            let one = self.greeting.answer_bytes(head.size);
            bytes.resize(one * head.count, 0);
            if broken {
                lose(&tickets);
                continue;
            }
            if let Err(error) = read_answer(&mut stdout, head.count, &mut bytes) {
                broken = true;
                self.fail(&error);
                lose(&tickets);
                continue;
            }
            self.queue().under_way -= 1;
            self.changed.notify_one();
            rate.count(head.count);
            let mut rest = bytes.as_slice();
            for (slot, count) in &tickets {
                let (own, others) = rest.split_at(one * count);
                slot.put(State::Here, own);
                rest = others;
            }
        }
    }

    /// Closes because of a failure, and says so if nobody has yet.
    fn fail(&self, why: &dyn Display) {
        if self.close() {
            tracing::warn!("the evaluator failed ({why}); networks are computed here from now on");
        }
    }

    /// Sends everybody home; whether it was open.
    fn close(&self) -> bool {
        let mut queue = self.queue();
        let open = !std::mem::replace(&mut queue.closed, true);
        for (_, batch) in queue.waiting.drain(..) {
            lose(&batch.tickets);
        }
        drop(queue);
        self.changed.notify_all();
        open
    }
}

/// Says now and then how fast positions are answered.
struct Rate {
    since: Instant,
    batches: usize,
    positions: usize,
}

impl Rate {
    const EVERY: Duration = Duration::from_secs(10);

    fn new() -> Rate {
        Rate {
            since: Instant::now(),
            batches: 0,
            positions: 0,
        }
    }

    fn count(&mut self, positions: usize) {
        self.batches += 1;
        self.positions += positions;
        let took = self.since.elapsed();
        if took >= Rate::EVERY {
            let rate = self.positions as f64 / took.as_secs_f64();
            let mean = self.positions / self.batches;
            tracing::info!("the evaluator answers {rate:.0} positions/s, {mean} at a time");
            *self = Rate::new();
        }
    }
}

fn read_answer(from: &mut impl Read, count: usize, bytes: &mut [u8]) -> io::Result<()> {
    let mut head = [0; 4];
    from.read_exact(&mut head)?;
    let answered = u32_of(&head) as usize;
    if answered != count {
        return Err(bad(&format!("{answered} answers to {count} positions")));
    }
    from.read_exact(bytes)
}

fn lose(tickets: &[(Arc<Slot>, usize)]) {
    for (slot, _) in tickets {
        slot.put(State::Lost, &[]);
    }
}

impl Slot {
    fn answer(&self) -> MutexGuard<'_, Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, state: State, bytes: &[u8]) {
        let mut answer = self.answer();
        answer.state = state;
        answer.bytes.clear();
        answer.bytes.extend_from_slice(bytes);
        drop(answer);
        self.arrived.notify_one();
    }

    /// Waits for the answer, not longer than a process may take.
    fn wait(&self, patience: Duration) -> MutexGuard<'_, Answer> {
        let awaited = |answer: &mut Answer| answer.state == State::Awaited;
        let waited = self
            .arrived
            .wait_timeout_while(self.answer(), patience, awaited);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The pass of one thread.
struct Pass {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    /// What computes if the process is gone.
    here: Box<dyn Forward>,
}

impl Pass {
    /// Has positions of one board computed; whether somebody did.
    fn ask(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]) -> bool {
        self.slot.answer().state = State::Awaited;
        if !self.shared.ask(inputs, &self.slot) {
            return false;
        }
        let answer = self.slot.wait(self.shared.patience);
        if answer.state != State::Here {
            // Closing takes the locks of all who wait, ours too.
            drop(answer);
            // A process that does not answer is not asked again.
            let why = format!("no answer for {} s", self.shared.patience.as_secs());
            self.shared.fail(&why);
            return false;
        }
        let (greeting, size) = (self.shared.greeting, inputs[0].size);
        let each = answer.bytes.chunks_exact(greeting.answer_bytes(size));
        for (bytes, outputs) in each.zip(outputs) {
            greeting.answer(size, bytes, outputs);
        }
        true
    }
}

impl Forward for Pass {
    fn name(&self) -> &'static str {
        "evaluator"
    }

    fn run(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        let mut begin = 0;
        while begin < inputs.len() {
            let size = inputs[begin].size;
            let alike = inputs[begin..].iter().take_while(|it| it.size == size);
            let range = begin..begin + alike.take(LARGEST_BATCH).count();
            let (some, found) = (&inputs[range.clone()], &mut outputs[range.clone()]);
            if !self.ask(some, found) {
                self.here.run(some, found);
            }
            begin = range.end;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use shido_net::tiny;

    use super::*;

    const GREETING: Greeting = Greeting {
        policies: 1,
        has_meta: false,
    };
    const SHORT: Duration = Duration::from_millis(300);
    /// Far more than what is tested takes, far less than the processes sleep.
    const SOON: Duration = Duration::from_secs(20);

    /// A pass whose answers are known.
    struct Here;

    impl Forward for Here {
        fn name(&self) -> &'static str {
            "here"
        }

        fn run(&mut self, _: &[&Inputs], outputs: &mut [Outputs]) {
            for it in outputs {
                it.value = [0.25, 0.5, 0.25];
            }
        }
    }

    fn start(script: &str, patience: Duration) -> io::Result<Away> {
        let words = ["sh", "-c", script].map(str::to_owned);
        Away::start(&words, GREETING, patience)
    }

    /// Has a position computed; returns the answer and how long it took.
    fn ask(pass: &mut dyn Forward) -> ([f32; 3], Duration) {
        let inputs = tiny::inputs(Size::S9, 1);
        let mut outputs = [Outputs::default()];
        let begun = Instant::now();
        pass.run(&[&inputs], &mut outputs);
        (outputs[0].value, begun.elapsed())
    }

    #[test]
    fn a_process_that_never_gets_ready_is_refused() {
        let begun = Instant::now();
        let error = start("sleep 60", SHORT).expect_err("it says nothing");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() < SOON);
        let error = start("printf 'hello, I am no evaluator'", SOON).expect_err("no greeting");
        assert!(error.to_string().contains("does not begin"), "{error}");
    }

    /// What a process of this greeting says first.
    const READY: &str = r"printf 'shido-e1\001\000\000\000\000\000\000\000'";

    #[test]
    fn a_process_that_never_answers_is_asked_once() {
        let patience = Duration::from_secs(3);
        let away = start(&format!("{READY}; sleep 60"), patience).expect("it greets");
        let mut pass = away.forward(Box::new(Here));
        let (answer, took) = ask(&mut *pass);
        assert_eq!(answer, [0.25, 0.5, 0.25]);
        assert!((patience..SOON).contains(&took), "{took:?}");
        let (answer, took) = ask(&mut *pass);
        assert_eq!(answer, [0.25, 0.5, 0.25]);
        assert!(took < patience, "it was asked again: {took:?}");
    }

    #[test]
    fn answers_that_make_no_sense_are_computed_here() {
        // Five answers to one position; half of an answer; none.
        for rest in [
            r"printf '\005\000\000\000'; sleep 60",
            r"printf '\001\000\000\000half'",
            "true",
        ] {
            let away = start(&format!("{READY}; {rest}"), SOON).expect("it greets");
            let mut pass = away.forward(Box::new(Here));
            for _ in 0..2 {
                let (answer, took) = ask(&mut *pass);
                assert_eq!(answer, [0.25, 0.5, 0.25], "{rest}");
                assert!(took < SOON, "{rest}: {took:?}");
            }
        }
    }
}
