//! The forms in which an entry is printed: one line (ABBREV), two lines (SHORT), and all of it (FULL).
//!
//! The layouts are those of "Formatting and interpreting trace entries" (Troubleshooting): the abbreviated line has the task, the TCB, the point
//! with its module and kind, the function and the values; the others name the values, and have the times; FULL adds the data in hexadecimal and
//! characters. An entry that followed the one before after a long interval is marked with an asterisk.

use crate::numbered::Numbered;
use crate::select::Form;
use codepage::CodePage;
use kernel::trace::points::{self, ARGUMENTS};
use kernel::trace::{Entry, Field, Kind, Point};
use std::fmt::Write as _;

/// INTERVAL: an entry after this time is marked.
pub const INTERVAL_NS_DEFAULT: u64 = 12_800_000;
/// Where the sequence number of an abbreviated line begins.
const NUMBER_COLUMN: usize = 110;
/// Bytes of data on a line.
const LINE_BYTES: usize = 32;
/// Data of up to so many bytes is shown as characters within a line.
const NAME_BYTES_MAX: usize = 16;

/// How entries are printed.
pub struct Printer {
    pub form: Form,
    /// Of the data of programs.
    pub page: &'static CodePage,
    /// From UTC to the region's local time.
    pub offset_seconds: i64,
    pub interval_ns: u64,
}

impl Printer {
    /// The lines of an entry, each ended.
    pub fn text(&self, numbered: &Numbered) -> String {
        match self.form {
            Form::Abbreviated => self.abbreviated(numbered),
            Form::Short => self.short(numbered),
            Form::Full => self.full(numbered),
        }
    }

    fn abbreviated(&self, numbered: &Numbered) -> String {
        let entry = &numbered.entry;
        let point = point_of(entry);
        let function = function_of(entry, point);
        let used = if function.is_empty() { 0 } else { function.split('/').count().min(entry.fields.len()) };
        let values: Vec<String> = entry.fields[used..].iter().map(|field| self.value(field)).collect();
        let line = format!("{} {function:<22} {}", self.head(entry, point), values.join(","));
        self.with_number(&line, numbered)
    }

    fn short(&self, numbered: &Numbered) -> String {
        let entry = &numbered.entry;
        let point = point_of(entry);
        let line = format!("{} {}", self.head(entry, point), self.interpreted(entry, point));
        let times = format!("            TIME-{} INTERVAL-{}", self.time(entry.unix_ns), self.interval(numbered));
        format!("{}{times}\n", self.with_number(&line, numbered))
    }

    fn full(&self, numbered: &Numbered) -> String {
        let entry = &numbered.entry;
        let point = point_of(entry);
        let mut text = String::new();
        let (module, kind) = (module_of(entry, point), kind_of(entry, point));
        let _ = writeln!(text, "{} {:04X} {module} {kind} - {}", entry.component, entry.number, self.interpreted(entry, point));
        let mode = entry.mode.map_or("--", |mode| mode.name());
        let times = format!("TIME-{} INTERVAL-{}", self.time(entry.unix_ns), self.interval(numbered));
        let (task, kernel, terminal, transaction) =
            (task_of(entry), entry.kernel_number, blank(&entry.terminal), blank(&entry.transaction));
        let line = format!("            TASK-{task} KE_NUM-{kernel:04X} TCB-{mode} TERM-{terminal} TRANSACTION-{transaction} {times}");
        let _ = writeln!(text, "{line} ={:06}=", numbered.number);
        let data = entry.fields.iter().filter_map(|field| match field {
            Field::Data(data) if data.len() > NAME_BYTES_MAX || !self.is_text(data) => Some(data),
            _ => None,
        });
        for (index, data) in data.enumerate() {
            self.data(&mut text, index + 1, data);
        }
        text.push('\n');
        text
    }

    /// Task, TCB, point, module and kind.
    fn head(&self, entry: &Entry, point: Option<&Point>) -> String {
        let mode = entry.mode.map_or("--", |mode| mode.name());
        let (module, kind) = (module_of(entry, point), kind_of(entry, point));
        format!("{} {mode:<5} {} {:04X} {module:<5} {kind:<5}", task_of(entry), entry.component, entry.number)
    }

    fn with_number(&self, line: &str, numbered: &Numbered) -> String {
        let mark = if self.is_long(numbered) { "*" } else { " " };
        format!("{line:<NUMBER_COLUMN$}{mark}={:06}=\n", numbered.number)
    }

    fn is_long(&self, numbered: &Numbered) -> bool {
        numbered.interval_ns >= self.interval_ns
    }

    /// The values with their names.
    fn interpreted(&self, entry: &Entry, point: Option<&Point>) -> String {
        if entry.is_user() {
            let names = ["RESOURCE", "PROGRAM", "LINE", "DATA"];
            let values = entry.fields.iter().zip(names).map(|(field, name)| format!("{name}({})", self.value(field)));
            return format!("APPLICATION-PROGRAM-ENTRY {}", values.collect::<Vec<_>>().join(" "));
        }
        let names = point.map_or(&[][..], |point| point.fields);
        let mut parts = Vec::new();
        for (index, field) in entry.fields.iter().enumerate() {
            match names.get(index) {
                Some(&ARGUMENTS) => {
                    parts.extend(self.arguments(&entry.fields[index..]));
                    break;
                }
                Some(name) => parts.push(format!("{name}({})", self.value(field))),
                None => parts.push(self.value(field)),
            }
        }
        parts.join(" ")
    }

    /// The arguments of a command: the name of an option, then what was given with it.
    fn arguments(&self, fields: &[Field]) -> Vec<String> {
        let mut arguments: Vec<(String, Vec<String>)> = Vec::new();
        for field in fields {
            match (field, arguments.last_mut()) {
                (Field::Text(option), _) => arguments.push((option.clone(), Vec::new())),
                (field, Some((_, values))) => values.push(self.value(field)),
                (_, None) => (),
            }
        }
        let shown = |(option, values): (String, Vec<String>)| {
            if values.is_empty() { option } else { format!("{option}({})", values.join(",")) }
        };
        arguments.into_iter().map(shown).collect()
    }

    fn value(&self, field: &Field) -> String {
        match field {
            Field::Text(text) => text.clone(),
            Field::Number(number) => (*number as i64).to_string(),
            Field::Address(address) => format!("{address:08X}"),
            Field::Data(data) if data.len() <= NAME_BYTES_MAX && self.is_text(data) => self.characters(data).trim_end().to_string(),
            Field::Data(data) => {
                let hex: String = data.iter().take(NAME_BYTES_MAX).map(|byte| format!("{byte:02X}")).collect();
                if data.len() > NAME_BYTES_MAX { format!("X'{hex}'...") } else { format!("X'{hex}'") }
            }
        }
    }

    fn is_text(&self, data: &[u8]) -> bool {
        data.iter().all(|&byte| byte >= self.page.space && is_shown(self.page.character_of(byte)))
    }

    fn characters(&self, data: &[u8]) -> String {
        data.iter().map(|&byte| Some(self.page.character_of(byte)).filter(|character| is_shown(*character)).unwrap_or('.')).collect()
    }

    /// Data in hexadecimal and characters, each line with its offset.
    fn data(&self, text: &mut String, number: usize, data: &[u8]) {
        for (index, line) in data.chunks(LINE_BYTES).enumerate() {
            let words: Vec<String> = line.chunks(4).map(|word| word.iter().map(|byte| format!("{byte:02X}")).collect()).collect();
            let field = if index == 0 { format!("{number}-{:04X}", index * LINE_BYTES) } else { format!("  {:04X}", index * LINE_BYTES) };
            let _ = writeln!(text, "            {field:<8}{:<72}*{}*", words.join(" "), self.characters(line));
        }
    }

    /// The time of day, to ten decimal places.
    fn time(&self, unix_ns: u64) -> String {
        let second = ((unix_ns / 1_000_000_000) as i64 + self.offset_seconds).rem_euclid(86_400);
        format!("{:02}:{:02}:{:02}.{:09}0", second / 3600, second / 60 % 60, second % 60, unix_ns % 1_000_000_000)
    }

    fn interval(&self, numbered: &Numbered) -> String {
        let (seconds, rest) = (numbered.interval_ns / 1_000_000_000, numbered.interval_ns % 1_000_000_000);
        format!("{seconds:02}.{rest:09}0{}", if self.is_long(numbered) && self.form != Form::Abbreviated { "*" } else { " " })
    }
}

fn is_shown(character: char) -> bool {
    !character.is_control() && character != '\u{FFFD}'
}

/// An entry of a program is of no point of the table.
fn point_of(entry: &Entry) -> Option<&'static Point> {
    if entry.is_user() { None } else { points::find(&entry.component, entry.number) }
}

fn module_of(entry: &Entry, point: Option<&Point>) -> &'static str {
    match point {
        _ if entry.is_user() => "USER",
        Some(point) => point.module,
        None => "-",
    }
}

/// "Formatting": exceptions are *EXC*, those of programs *EXCU.
fn kind_of(entry: &Entry, point: Option<&Point>) -> &'static str {
    match (entry.is_user(), entry.is_exception()) {
        (true, true) => "*EXCU",
        (false, true) => Kind::Exception.name(),
        _ => point.map_or(Kind::Event.name(), |point| point.kind.name()),
    }
}

/// The function, with the response of an exit.
fn function_of(entry: &Entry, point: Option<&Point>) -> String {
    let text = |at: usize| match entry.fields.get(at) {
        Some(Field::Text(text)) => text.as_str(),
        _ => "",
    };
    match point.map(|point| point.kind) {
        Some(Kind::Exit) => format!("{}/{}", text(0), text(1)),
        Some(_) => text(0).to_string(),
        None => String::new(),
    }
}

fn task_of(entry: &Entry) -> String {
    if entry.task == 0 { "-----".to_string() } else { format!("{:05}", entry.task) }
}

fn blank(name: &str) -> &str {
    if name.is_empty() { "----" } else { name }
}
