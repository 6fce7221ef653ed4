//! A 3270 terminal: s3270 (of the x3270 project) driven through its script interface.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const ANSWER_LIMIT: Duration = Duration::from_secs(30);
/// A keyboard that stays locked makes an action wait for ever.
const ACTION_LIMIT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub struct Terminal {
    child: Child,
    input: ChildStdin,
    /// Lines of its output, as they come.
    output: Receiver<String>,
    status: String,
}

/// A position of the screen as `ReadBuffer(Ascii)` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Character(char),
    /// A field attribute: the 3270 attribute, then extended ones by type.
    Attribute {
        basic: u8,
        extended: Vec<(u8, u8)>,
    },
}

impl Terminal {
    /// A 24 by 80 colour terminal with extended attributes (TN3270E).
    pub fn connect(port: u16) -> Terminal {
        Terminal::connect_as(port, "3279-2-E", &[])
    }

    /// `model` as s3270 names it; more options of s3270 in `options`.
    pub fn connect_as(port: u16, model: &str, options: &[&str]) -> Terminal {
        Terminal::connect_at(&format!("127.0.0.1:{port}"), model, options)
    }

    /// `host`: address and port with the prefixes of s3270, `L:` for TLS.
    pub fn connect_at(host: &str, model: &str, options: &[&str]) -> Terminal {
        let mut terminal = Terminal::spawn(host, model, options);
        terminal.act("Wait(20,3270Mode)");
        terminal
    }

    fn spawn(host: &str, model: &str, options: &[&str]) -> Terminal {
        let mut child = Command::new("s3270")
            .args(["-model", model, "-charset", "cp037"])
            .args(options)
            .arg(host)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("s3270 is installed");
        let input = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, output) = channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Terminal { child, input, output, status: String::new() }
    }

    /// As `connect`, for a region that may go away meanwhile.
    pub fn try_connect(port: u16) -> Option<Terminal> {
        let mut terminal = Terminal::spawn(&format!("127.0.0.1:{port}"), "3279-2-E", &[]);
        terminal.try_act("Wait(20,3270Mode)").ok().map(|_| terminal)
    }

    /// Runs a script action; its data lines. Panics when s3270 refuses it.
    pub fn act(&mut self, action: &str) -> Vec<String> {
        match self.try_act(action) {
            Ok(lines) => lines,
            Err(lines) => panic!("s3270 refuses {action}: {}\n{}", lines.join(" "), self.status),
        }
    }

    pub fn try_act(&mut self, action: &str) -> Result<Vec<String>, Vec<String>> {
        if writeln!(self.input, "{action}").is_err() {
            return Err(vec!["s3270 has ended".to_string()]);
        }
        let mut data = Vec::new();
        loop {
            let line = match self.output.recv_timeout(ACTION_LIMIT) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(vec!["s3270 has ended".to_string()]),
                Err(RecvTimeoutError::Timeout) => return Err(vec![format!("no answer for {ACTION_LIMIT:?}; is the keyboard locked?")]),
            };
            let line = line.trim_end_matches(['\r', '\n']);
            match line {
                "ok" => return Ok(data),
                "error" => return Err(data),
                _ => match line.strip_prefix("data: ").or(line.strip_prefix("data:")) {
                    Some(text) => data.push(text.to_string()),
                    None => self.status = line.to_string(),
                },
            }
        }
    }

    pub fn text(&mut self) -> Vec<String> {
        self.act("Ascii")
    }

    /// One row, from 1, without trailing blanks.
    pub fn row(&mut self, row: usize) -> String {
        self.text().get(row - 1).map(|line| line.trim_end().to_string()).unwrap_or_default()
    }

    /// Text at row and column (from 1), `length` characters.
    pub fn at(&mut self, row: usize, column: usize, length: usize) -> String {
        let line = self.text().get(row - 1).cloned().unwrap_or_default();
        line.chars().skip(column - 1).take(length).collect()
    }

    /// Waits until the screen shows the text; panics with the screen when it does not come.
    pub fn expect(&mut self, text: &str) {
        self.expect_within(text, ANSWER_LIMIT);
    }

    pub fn expect_within(&mut self, text: &str, limit: Duration) {
        self.expect_one_of(&[text], limit);
    }

    /// Waits until the screen shows one of the texts.
    pub fn expect_one_of(&mut self, texts: &[&str], limit: Duration) {
        let deadline = Instant::now() + limit;
        loop {
            let screen = self.text();
            if screen.iter().any(|line| texts.iter().any(|text| line.contains(text))) {
                return;
            }
            assert!(Instant::now() < deadline, "none of {texts:?} comes; the screen:\n{}", screen.join("\n"));
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Starts a transaction that leaves the keyboard locked: s3270 answers only when it is free.
    pub fn start_and_leave(&mut self, text: &str) {
        self.clear();
        self.type_text(text);
        self.leave("Enter");
    }

    /// Does something without waiting for s3270's answer. Nothing can be asked of it afterwards.
    pub fn leave(&mut self, action: &str) {
        let _ = writeln!(self.input, "{action}");
    }

    /// Does something and stops s3270 in the same moment: it reads nothing more.
    pub fn pause_after(&mut self, action: &str) {
        self.leave(action);
        std::thread::sleep(Duration::from_millis(100));
        self.signal("-STOP");
    }

    pub fn resume(&mut self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let _ = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status();
    }

    /// Waits until the keyboard is unlocked.
    pub fn unlocked(&mut self) {
        self.act("Wait(30,Unlock)");
    }

    pub fn type_text(&mut self, text: &str) {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        self.act(&format!("String(\"{quoted}\")"));
    }

    /// Moves the cursor to row and column, from 1.
    pub fn move_to(&mut self, row: usize, column: usize) {
        self.act(&format!("MoveCursor({},{})", row - 1, column - 1));
    }

    /// Replaces the content of the field that begins at row and column, from 1.
    pub fn fill(&mut self, row: usize, column: usize, text: &str) {
        self.move_to(row, column);
        self.act("EraseEOF");
        self.type_text(text);
    }

    pub fn enter(&mut self) {
        self.act("Enter");
        self.unlocked();
    }

    pub fn pf(&mut self, key: u32) {
        self.act(&format!("PF({key})"));
        self.unlocked();
    }

    pub fn pa(&mut self, key: u32) {
        self.act(&format!("PA({key})"));
        self.unlocked();
    }

    pub fn clear(&mut self) {
        self.act("Clear");
        self.unlocked();
    }

    /// Clears the screen and starts a transaction.
    pub fn transaction(&mut self, text: &str) {
        self.clear();
        self.type_text(text);
        self.enter();
    }

    /// Row and column of the cursor, from 1 (words 9 and 10 of s3270's status line, which count from 0).
    pub fn cursor(&mut self) -> (usize, usize) {
        self.act("Query(Cursor)");
        let words: Vec<&str> = self.status.split_whitespace().collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok()).expect("a status line");
        (number(8) + 1, number(9) + 1)
    }

    /// Rows and columns of the screen.
    pub fn size(&mut self) -> (usize, usize) {
        self.act("Query(Cursor)");
        let words: Vec<&str> = self.status.split_whitespace().collect();
        (words[6].parse().expect("rows"), words[7].parse().expect("columns"))
    }

    /// The whole buffer, row by row.
    pub fn buffer(&mut self) -> Vec<Vec<Cell>> {
        self.act("ReadBuffer(Ascii)").iter().map(|line| line.split_whitespace().filter_map(cell).collect()).collect()
    }

    /// The field attribute at row and column, from 1.
    pub fn attribute(&mut self, row: usize, column: usize) -> (u8, Vec<(u8, u8)>) {
        match self.buffer()[row - 1].get(column - 1) {
            Some(Cell::Attribute { basic, extended }) => (*basic, extended.clone()),
            other => panic!("no field attribute at {row},{column}: {other:?}"),
        }
    }

    pub fn is_connected(&mut self) -> bool {
        let _ = self.try_act("Query(Cursor)");
        self.status.split_whitespace().nth(3).is_some_and(|word| word.starts_with('C'))
    }
}

/// `SF(c0=e8,41=f2)`, a hexadecimal UTF-8 character, or `SA(..)`, which changes no position.
fn cell(word: &str) -> Option<Cell> {
    if word.starts_with("SA(") {
        return None;
    }
    if let Some(inner) = word.strip_prefix("SF(").and_then(|rest| rest.strip_suffix(')')) {
        let pairs: Vec<(u8, u8)> = inner
            .split(',')
            .filter_map(|pair| {
                let (kind, value) = pair.split_once('=')?;
                Some((u8::from_str_radix(kind, 16).ok()?, u8::from_str_radix(value, 16).ok()?))
            })
            .collect();
        let basic = pairs.iter().find(|pair| pair.0 == 0xC0).map_or(0, |pair| pair.1);
        return Some(Cell::Attribute { basic, extended: pairs.into_iter().filter(|pair| pair.0 != 0xC0).collect() });
    }
    let bytes: Vec<u8> = (0..word.len() / 2).filter_map(|at| u8::from_str_radix(word.get(2 * at..2 * at + 2)?, 16).ok()).collect();
    let text = String::from_utf8(bytes).ok()?;
    Some(Cell::Character(text.chars().next().unwrap_or(' ')))
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
