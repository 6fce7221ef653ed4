//! The output of a command that takes a while: lines, progress bars on a terminal, or JSON events.
//!
//! With `--format json` every event is one JSON object per line on standard output, with a member `event`.

use std::io::IsTerminal;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::colour;
use crate::output::{OutputFormat, STANDARD_ERROR, STANDARD_OUTPUT};

#[derive(Clone, Copy)]
pub struct Console {
    format: OutputFormat,
    colour: bool,
}

impl Console {
    pub fn new(format: OutputFormat) -> Console {
        let colour = colour::is_wanted_on(&std::io::stdout());
        Console { format, colour: colour && format == OutputFormat::Text }
    }

    pub fn format(&self) -> OutputFormat {
        self.format
    }

    pub fn is_json(&self) -> bool {
        self.format == OutputFormat::Json
    }

    /// One line of progress.
    pub fn line(&self, text: &str) {
        match self.format {
            OutputFormat::Text => self.write(text),
            OutputFormat::Json => self.event("line", json!({ "text": text })),
        }
    }

    /// Something that went wrong but does not stop the command.
    pub fn warning(&self, text: &str) {
        match self.format {
            OutputFormat::Text if self.colour => self.write(&format!("\x1b[33m{text}\x1b[0m")),
            OutputFormat::Text => self.write(text),
            OutputFormat::Json => self.event("warning", json!({ "text": text })),
        }
    }

    /// A message of a compiler, with its source line.
    pub fn diagnostic(&self, text: &str) {
        match self.format {
            OutputFormat::Text if self.colour => self.write(&colour::paint(text)),
            OutputFormat::Text => self.write(text),
            OutputFormat::Json => self.event("warning", json!({ "text": text })),
        }
    }

    /// A file that is not used, and why.
    pub fn refused(&self, path: &Path, reason: &str) {
        match self.format {
            OutputFormat::Text => self.write(&format!("  not used  {}: {reason}", path.display())),
            OutputFormat::Json => self.event("refused", json!({ "path": path, "reason": reason })),
        }
    }

    /// An address that clients connect to: `3270  localhost:3270`.
    pub fn endpoint(&self, protocol: &str, address: &str) {
        match self.format {
            OutputFormat::Text => self.write(&format!("{protocol:<5} {address}")),
            OutputFormat::Json => self.event("endpoint", json!({ "protocol": protocol, "address": address })),
        }
    }

    /// The last line of a start; the problems of the application follow. The messages of the start stand before it, also where a reader has
    /// both streams in one.
    pub fn ready(&self, problems: &[String]) {
        STANDARD_ERROR.drain();
        match self.format {
            OutputFormat::Text if problems.is_empty() => self.write("ready"),
            OutputFormat::Text => self.problems("ready", problems),
            OutputFormat::Json => self.event("ready", json!({ "problems": problems })),
        }
    }

    /// `ready, with 2 problems:` and the problems.
    pub fn problems(&self, what: &str, problems: &[String]) {
        if self.is_json() {
            return self.event("problems", json!({ "text": what, "problems": problems }));
        }
        let count = problems.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        self.write(&format!("{what}, with {count} {noun}:"));
        for (index, problem) in problems.iter().enumerate() {
            self.warning(&format!("  {}. {problem}", index + 1));
        }
    }

    pub fn event(&self, name: &str, members: Value) {
        let mut object = json!({ "event": name });
        if let (Value::Object(object), Value::Object(members)) = (&mut object, members) {
            object.extend(members);
        }
        self.write(&object.to_string());
    }

    /// A progress bar on a terminal; nothing elsewhere.
    pub fn bar(&self, length: u64, message: &str) -> ProgressBar {
        let bar = ProgressBar::new(length);
        if !std::io::stderr().is_terminal() || self.format == OutputFormat::Json {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{msg:<12} {bar:30} {pos}/{len} {per_sec} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(message.to_string());
        bar
    }

    fn write(&self, text: &str) {
        // Colours are for the terminal.
        crate::log::write(format!("{}\n", text.replace("\x1b[33m", "").replace("\x1b[0m", "")).as_bytes());
        STANDARD_OUTPUT.write_line(text);
    }
}
