//! The loop: read a line, look the command up, write what it returns.

use std::io::{self, Read, Write};

use shido_go::gtp::{Command, Response};

use super::args::Args;
use super::inputs::{Input, Inputs, LINE_LIMIT};
use super::session::{GtpSettings, Session};
use super::stream::Stream;
use super::table::{Handler, find};
use crate::Analyst;

/// A GTP engine.
pub struct GtpServer {
    session: Session,
}

impl GtpServer {
    /// Returns an engine that thinks with an analyst.
    pub fn new(analyst: Box<dyn Analyst>, settings: GtpSettings) -> GtpServer {
        GtpServer {
            session: Session::new(analyst, settings),
        }
    }

    /// Lets a partner play as the settings say, or says why that cannot be.
    pub fn seat_partner(&mut self) -> Result<(), String> {
        self.session.seat_partner()
    }

    /// Obeys commands until `quit` or the end of the input.
    ///
    /// Fails only if the output cannot be written.
    pub fn run(
        &mut self,
        input: impl Read + Send + 'static,
        mut output: impl Write,
    ) -> io::Result<()> {
        let mut inputs = Inputs::read(input);
        loop {
            let command = match inputs.next() {
                Input::End => return Ok(()),
                Input::TooLong => {
                    let why = format!("the line has more than {LINE_LIMIT} bytes");
                    reply(&mut output, None, Err(why))?;
                    continue;
                }
                Input::Line(line) => Command::parse(&line),
            };
            match command {
                Ok(None) => {}
                Ok(Some(command)) => {
                    self.obey(&command, &mut inputs, &mut output)?;
                    if command.name == "quit" {
                        return Ok(());
                    }
                }
                Err(error) => reply(&mut output, error.id, Err(error.to_string()))?,
            }
        }
    }

    fn obey(
        &mut self,
        command: &Command,
        inputs: &mut Inputs,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let args = Args::new(command);
        let outcome = match find(&command.name) {
            None => Err("unknown command".to_owned()),
            Some(Handler::Answer(answer)) => answer(&mut self.session, &args),
            Some(Handler::Stream(write)) => {
                let mut stream = Stream::new(command.id, output, inputs);
                let outcome = write(&mut self.session, &args, &mut stream);
                if stream.finish()? {
                    return Ok(());
                }
                outcome.map(|()| String::new())
            }
        };
        reply(output, command.id, outcome)
    }
}

fn reply(
    output: &mut (impl Write + ?Sized),
    id: Option<u32>,
    outcome: Result<String, String>,
) -> io::Result<()> {
    write!(output, "{}", Response { id, outcome })?;
    output.flush()
}
