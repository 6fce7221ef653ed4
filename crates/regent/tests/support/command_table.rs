//! Tables of EXEC CICS commands and what each is documented to answer, and the COBOL programs that issue them.
//!
//! A table (`applications/commands/tables/*.tsv`) belongs to one program and one transaction. Its lines, with tabs between cells:
//!
//! * `program NAME`, `transaction NAME`, and `data LINE` for each line of the program's data division;
//! * `[name]`: the rows that follow belong to the test of that name;
//! * a row: name, set-up, command, answer, data. Later cells may be left out, and each but the name may be empty;
//! * `[template name]`: the rows that follow run where a line `use name ARGUMENTS` stands, with the first argument for each `{1}`, the second for
//!   each `{2}` and so on. A blank separates arguments.
//!
//! The set-up is a list with `; ` between its items: `NAME = VALUE` is a MOVE, `EXEC command` a command that must succeed, `TRY command` one that
//! may fail, anything else a COBOL statement. The answer is `CONDITION RESP2 EIBFN EIBRCODE EIBRSRCE EIBDS`; the last ones may be left out, RESP2
//! may be `*` for any, the others `-`, and EIBRCODE is its first byte. `ABEND code` is the abend of a command nobody handles,
//! `HANDLED condition` a jump to the label of HANDLE CONDITION. The data is a condition; each part between ANDs is a check of its own.

use std::collections::HashMap;
use std::path::Path;

/// Numbers of the conditions that tables name.
const CONDITIONS: [(&str, u32); 78] = [
    ("NORMAL", 0),
    ("ERROR", 1),
    ("RDATT", 2),
    ("WRBRK", 3),
    ("EODS", 5),
    ("NONVAL", 9),
    ("TERMIDERR", 11),
    ("FILENOTFOUND", 12),
    ("NOTFND", 13),
    ("DUPREC", 14),
    ("DUPKEY", 15),
    ("INVREQ", 16),
    ("IOERR", 17),
    ("NOSPACE", 18),
    ("NOTOPEN", 19),
    ("ENDFILE", 20),
    ("ILLOGIC", 21),
    ("LENGERR", 22),
    ("SIGNAL", 24),
    ("PGMIDERR", 27),
    ("TRANSIDERR", 28),
    ("EXPIRED", 31),
    ("RETPAGE", 32),
    ("RTEFAIL", 33),
    ("RTESOME", 34),
    ("TSIOERR", 35),
    ("MAPFAIL", 36),
    ("INVERRTERM", 37),
    ("INVMPSZ", 38),
    ("IGREQID", 39),
    ("INVLDC", 41),
    ("JIDERR", 43),
    ("QIDERR", 44),
    ("UNEXPIN", 49),
    ("NOPASSBKRD", 50),
    ("SYSIDERR", 53),
    ("ENQBUSY", 55),
    ("NOTALLOC", 61),
    ("CBIDERR", 62),
    ("INVEXITREQ", 63),
    ("INVPARTNSET", 64),
    ("INVPARTN", 65),
    ("PARTNFAIL", 66),
    ("USERIDERR", 69),
    ("NOTAUTH", 70),
    ("SUPPRESSED", 72),
    ("NOSPOOL", 80),
    ("TERMERR", 81),
    ("END", 83),
    ("DISABLED", 84),
    ("ALLOCERR", 85),
    ("OPENERR", 87),
    ("SPOLBUSY", 88),
    ("NODEIDERR", 90),
    ("TASKIDERR", 91),
    ("TCIDERR", 92),
    ("DSNNOTFOUND", 93),
    ("MODELIDERR", 95),
    ("OUTDESCRERR", 96),
    ("PROFILEIDERR", 98),
    ("LOCKED", 100),
    ("UOWNOTFOUND", 102),
    ("UOWLNOTFOUND", 103),
    ("CHANGED", 105),
    ("ACTIVITYERR", 109),
    ("CONTAINERERR", 110),
    ("TOKENERR", 112),
    ("POOLERR", 114),
    ("SYMBOLERR", 116),
    ("TEMPLATERR", 117),
    ("CSDERR", 119),
    ("DUPRES", 120),
    ("RESUNAVAIL", 121),
    ("CHANNELERR", 122),
    ("CCSIDERR", 123),
    ("CODEPAGEERR", 125),
    ("INCOMPLETE", 126),
    ("APPNOTFOUND", 127),
];

/// Programs write what they saw to this queue, whose file is `queues/cmdl.log` of the data directory.
const QUEUE: &str = "CMDL";
const QUEUE_FILE: &str = "data/queues/cmdl.log";
/// The program's screen once it has written all.
pub const RECORDED: &str = "ANSWERS ARE RECORDED";

#[derive(Clone, Debug)]
pub enum Expected {
    Answer { condition: String, resp2: Option<i32>, function: Option<String>, code: Option<String>, names: [Option<String>; 2] },
    Abend(String),
    Handled(String),
}

#[derive(Clone, Debug)]
pub struct Row {
    pub section: String,
    pub name: String,
    set_up: Vec<String>,
    pub command: String,
    expected: Option<Expected>,
    data: Vec<String>,
}

pub struct Table {
    program: String,
    pub transaction: String,
    data_division: Vec<String>,
    pub rows: Vec<Row>,
}

/// What one row's command answered, and for each part of its data whether it holds and the first operand's value.
#[derive(Default)]
pub struct Outcome {
    answer: Option<Answered>,
    data: HashMap<usize, (bool, String)>,
}

#[derive(Debug)]
struct Answered {
    resp: i32,
    resp2: i32,
    eibresp: i32,
    eibresp2: i32,
    function: String,
    code: String,
    names: [String; 2],
    /// Of a command nobody handles: its abend code, `HAND` where the label was reached, else `NONE`.
    ended: String,
}

fn condition_number(name: &str) -> u32 {
    CONDITIONS.iter().find(|condition| condition.0 == name).unwrap_or_else(|| panic!("no condition {name}")).1
}

/// Splits at `separator` outside quotes and parentheses.
fn split_outside<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut begin, mut depth, mut quoted) = (Vec::new(), 0, 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ if !quoted && depth == 0 && at >= begin && text[at..].starts_with(separator) => {
                parts.push(&text[begin..at]);
                begin = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn expected(cell: &str) -> Option<Expected> {
    let words: Vec<&str> = cell.split(' ').collect();
    let given = |at: usize| words.get(at).filter(|word| **word != "-").map(|word| word.to_string());
    match words[..] {
        [""] => None,
        ["ABEND", code] => Some(Expected::Abend(code.to_string())),
        ["HANDLED", condition] => Some(Expected::Handled(condition.to_string())),
        [condition, resp2, ..] => {
            condition_number(condition);
            let resp2 = (resp2 != "*").then(|| resp2.parse().unwrap_or_else(|_| panic!("RESP2 in '{cell}'")));
            let names = [given(4), given(5)];
            Some(Expected::Answer { condition: condition.to_string(), resp2, function: given(2), code: given(3), names })
        }
        _ => panic!("no answer: '{cell}'"),
    }
}

fn row(section: &str, line: &str) -> Row {
    let mut cells = line.split('\t').map(str::trim).chain(std::iter::repeat(""));
    let mut cell = || cells.next().expect("endless");
    let (name, set_up, command, answer, data) = (cell(), cell(), cell(), cell(), cell());
    let owned = |parts: Vec<&str>| parts.into_iter().map(str::to_string).collect();
    // `A OR B` is one check.
    let parts = if split_outside(data, " OR ").len() > 1 { vec![data] } else { split_outside(data, " AND ") };
    let row = Row {
        section: section.to_string(),
        name: name.to_string(),
        set_up: owned(split_outside(set_up, "; ")),
        command: command.to_string(),
        expected: expected(answer),
        data: owned(parts),
    };
    assert_eq!(row.command.is_empty(), row.expected.is_none(), "a command has an answer: {line}");
    row
}

impl Table {
    pub fn read(path: &Path) -> Table {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut table = Table { program: String::new(), transaction: String::new(), data_division: Vec::new(), rows: Vec::new() };
        let mut templates: HashMap<&str, Vec<&str>> = HashMap::new();
        let (mut section, mut template) = ("", None);
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                template = name.strip_prefix("template ");
                section = name;
                continue;
            }
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["program", name] => table.program = name.to_string(),
                ["transaction", name] => table.transaction = name.to_string(),
                ["data", line] => table.data_division.push(line.to_string()),
                ["use", name, arguments] => {
                    let lines = templates.get(name).unwrap_or_else(|| panic!("no template {name}"));
                    for line in lines {
                        let line = arguments
                            .split(' ')
                            .zip(1..)
                            .fold(line.to_string(), |line, (argument, number)| line.replace(&format!("{{{number}}}"), argument));
                        table.rows.push(row(section, &line));
                    }
                }
                _ => match template {
                    Some(name) => templates.entry(name).or_default().push(line),
                    None => table.rows.push(row(section, line)),
                },
            }
        }
        table
    }

    pub fn program_file(&self) -> String {
        format!("{}.cbl", self.program)
    }

    /// The program that runs all rows in their order and records what it saw.
    pub fn cobol(&self) -> String {
        let mut source = Source::default();
        for (number, row) in self.rows.iter().enumerate() {
            source.row(number, row, &self.data_division);
        }
        let mut text = Source::default();
        text.label("IDENTIFICATION DIVISION");
        text.label(&format!("PROGRAM-ID. {}", self.program));
        text.label("DATA DIVISION");
        text.label("WORKING-STORAGE SECTION");
        text.label("COPY TABWORK");
        text.label("01  CK-LOG");
        text.label(&format!("    05  CK-LOGGED PIC X(64) OCCURS {}", source.records.max(1)));
        for line in &self.data_division {
            text.lines.push(format!("       {line}"));
        }
        text.label("PROCEDURE DIVISION");
        text.label("MAIN-LINE");
        text.lines.append(&mut source.lines);
        text.statement("PERFORM CHECK-REPORT");
        text.statement("EXEC CICS RETURN END-EXEC.");
        text.label("COPY TABPROC");
        text.lines.join("\n") + "\n"
    }
}

#[derive(Default)]
struct Source {
    lines: Vec<String>,
    /// How many records the program keeps.
    records: usize,
}

impl Source {
    fn label(&mut self, text: &str) {
        self.lines.push(format!("       {text}."));
    }

    /// A statement in columns 12 to 72, broken between words.
    fn statement(&mut self, text: &str) {
        let mut line = String::new();
        for word in split_outside_quotes(text) {
            if !line.is_empty() && line.len() + word.len() + 1 > 60 {
                self.lines.push(format!("           {line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        assert!(line.len() <= 61, "too long for a line: {line}");
        self.lines.push(format!("           {line}"));
    }

    fn item(&mut self, item: &str) {
        const VERBS: [&str; 9] = ["ADD", "COMPUTE", "DIVIDE", "IF", "INSPECT", "PERFORM", "SET", "STRING", "SUBTRACT"];
        if let Some(command) = item.strip_prefix("EXEC ") {
            self.statement(&format!("EXEC CICS {command} END-EXEC"));
        } else if let Some(command) = item.strip_prefix("TRY ") {
            self.statement(&format!("EXEC CICS {command} RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC"));
        } else if VERBS.contains(&item.split(' ').next().unwrap_or_default()) {
            self.statement(item);
        } else {
            let (names, value) = item.split_once(" = ").unwrap_or_else(|| panic!("no statement: {item}"));
            self.statement(&format!("MOVE {value} TO {names}"));
        }
    }

    fn row(&mut self, number: usize, row: &Row, data_division: &[String]) {
        for item in &row.set_up {
            self.item(item);
        }
        self.statement(&format!("MOVE {number} TO CK-ROW"));
        let command = &row.command;
        match &row.expected {
            None => {}
            Some(Expected::Answer { .. }) => {
                self.statement(&format!("EXEC CICS {command} RESP(CK-RESP) RESP2(CK-RESP2) END-EXEC"));
                self.statement("PERFORM CHECK-COMMAND");
                self.records += 1;
            }
            Some(Expected::Abend(_)) => {
                self.handled(number, "ABEND LABEL", command, "EXEC CICS ASSIGN ABCODE(CK-ENDED) END-EXEC");
                self.statement("EXEC CICS HANDLE ABEND CANCEL END-EXEC");
            }
            Some(Expected::Handled(condition)) => {
                self.handled(number, &format!("CONDITION {condition}"), command, "MOVE 'HAND' TO CK-ENDED");
                self.statement(&format!("EXEC CICS HANDLE CONDITION {condition} END-EXEC"));
            }
        }
        for (part, condition) in row.data.iter().enumerate() {
            self.statement(&format!("MOVE {} TO CK-PART", part + 1));
            self.seen(condition, data_division);
            self.statement(&format!("IF {condition} MOVE 'T' TO CK-HOLDS ELSE MOVE 'F' TO CK-HOLDS END-IF"));
            self.statement("PERFORM CHECK-DATA");
            self.records += 1;
        }
    }

    /// A command without RESP; what happens is handled by a label.
    fn handled(&mut self, number: usize, what: &str, command: &str, at_label: &str) {
        self.statement(&format!("EXEC CICS HANDLE {what}(CK-LABEL-{number}) END-EXEC"));
        self.statement(&format!("EXEC CICS {command} END-EXEC"));
        self.statement("MOVE 'NONE' TO CK-ENDED");
        self.statement(&format!("GO TO CK-AFTER-{number}."));
        self.label(&format!("CK-LABEL-{number}"));
        self.statement(&format!("{at_label}."));
        self.label(&format!("CK-AFTER-{number}"));
        self.statement("PERFORM CHECK-COMMAND");
        self.records += 1;
    }

    /// Keeps the value of a condition's first operand, where it is an item of the table's own data division that can be moved.
    fn seen(&mut self, condition: &str, data_division: &[String]) {
        let operand = condition.split([' ', '(']).next().unwrap_or_default();
        let described = |line: &&String| line.split_whitespace().nth(1).is_some_and(|name| name.trim_end_matches('.') == operand);
        let picture = data_division.iter().find(described).and_then(|line| line.split_once("PIC ")).map(|(_, picture)| picture);
        let part = condition.strip_prefix(operand).filter(|rest| rest.starts_with(" (")).and_then(|rest| rest.split_once(')'));
        let operand = part.map_or(operand.to_string(), |(part, _)| format!("{operand}{part})"));
        match picture {
            Some(picture) if picture.starts_with('X') => self.statement(&format!("MOVE {operand} TO CK-SEEN")),
            Some(picture) if picture.contains('9') => {
                self.statement(&format!("MOVE {operand} TO CK-EDIT"));
                self.statement("MOVE CK-EDIT TO CK-SEEN");
            }
            _ => self.statement("MOVE SPACES TO CK-SEEN"),
        }
    }
}

/// Words with a blank between them outside quotes.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let (mut words, mut begin, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => {
                words.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[begin..]);
    words.retain(|word| !word.is_empty());
    words
}

/// What the programs recorded, by transaction and number of the row.
pub fn outcomes(data: &Path) -> HashMap<(String, usize), Outcome> {
    let mut outcomes: HashMap<(String, usize), Outcome> = HashMap::new();
    let text = std::fs::read_to_string(data.join(QUEUE_FILE)).unwrap_or_else(|error| panic!("the file of queue {QUEUE}: {error}"));
    for line in text.lines() {
        let (transaction, digits) = line.split_once(' ').expect("transaction and record");
        let bytes: Vec<u8> = (0..64).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal")).collect();
        let half = |at: usize| usize::from(bytes[at]) << 8 | usize::from(bytes[at + 1]);
        let full = |at: usize| i32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let hexadecimal = |from: usize, to: usize| digits[2 * from..2 * to].to_string();
        let code_page = codepage::by_ccsid(37).expect("the host's code page");
        let characters = |from: usize, to: usize| code_page.decode(&bytes[from..to]).trim_end_matches([' ', '\0']).to_string();
        let outcome = outcomes.entry((transaction.to_string(), half(0))).or_default();
        match half(2) {
            0 => {
                let names = [characters(28, 36), characters(36, 44)];
                let (function, code, ended) = (hexadecimal(20, 22), hexadecimal(22, 28), characters(44, 48));
                let answered =
                    Answered { resp: full(4), resp2: full(8), eibresp: full(12), eibresp2: full(16), function, code, names, ended };
                outcome.answer = Some(answered);
            }
            part => {
                outcome.data.insert(part - 1, (characters(4, 5) == "T", characters(5, 45)));
            }
        }
    }
    outcomes
}

impl Row {
    /// How many things it checks: the answer, and each part of its data.
    pub fn checks(&self) -> usize {
        usize::from(self.expected.is_some()) + self.data.len()
    }

    /// What differs between this row and what its program saw.
    pub fn faults(&self, outcome: Option<&Outcome>) -> Vec<String> {
        let command = if self.command.is_empty() { String::new() } else { format!("\n    EXEC CICS {}", self.command) };
        let mut faults = Vec::new();
        let mut fault = |text: String| faults.push(format!("{}:{command}\n    {text}", self.name));
        let Some(outcome) = outcome else {
            if self.checks() > 0 {
                fault("was not reached".to_string());
            }
            return faults;
        };
        if let Some(expected) = &self.expected {
            match &outcome.answer {
                Some(answered) if answered.is(expected) => {}
                Some(answered) => fault(format!("expected {}\n    got      {}", expected.text(), answered.text())),
                None => fault("was not reached".to_string()),
            }
        }
        for (part, condition) in self.data.iter().enumerate() {
            match outcome.data.get(&part) {
                Some((true, _)) => {}
                Some((false, seen)) => fault(format!("expected {condition}\n    got      '{seen}'")),
                None => fault(format!("{condition} was not reached")),
            }
        }
        faults
    }
}

impl Expected {
    fn text(&self) -> String {
        match self {
            Expected::Answer { condition, resp2, function, code, names } => {
                let any = |value: &Option<String>| value.clone().unwrap_or_else(|| "any".to_string());
                let resp2 = resp2.map_or("any".to_string(), |resp2| resp2.to_string());
                format!(
                    "{condition} ({}), RESP2 {resp2}, EIBFN {}, EIBRCODE {}, EIBRSRCE {}, EIBDS {}",
                    condition_number(condition),
                    any(function),
                    any(code),
                    any(&names[0]),
                    any(&names[1])
                )
            }
            Expected::Abend(code) => format!("abend {code}"),
            Expected::Handled(condition) => format!("HANDLE CONDITION {condition}"),
        }
    }
}

impl Answered {
    fn is(&self, expected: &Expected) -> bool {
        match expected {
            Expected::Answer { condition, resp2, function, code, names } => {
                let resp = condition_number(condition) as i32;
                let is = |expected: &Option<String>, found: &str| expected.as_ref().is_none_or(|expected| expected == found);
                (self.resp, self.eibresp) == (resp, resp)
                    && resp2.is_none_or(|resp2| (self.resp2, self.eibresp2) == (resp2, resp2))
                    && is(function, &self.function)
                    && is(code, &self.code[..2])
                    && is(&names[0], &self.names[0])
                    && is(&names[1], &self.names[1])
            }
            Expected::Abend(code) => &self.ended == code,
            Expected::Handled(_) => self.ended == "HAND",
        }
    }

    fn text(&self) -> String {
        let name = CONDITIONS.iter().find(|condition| condition.1 as i32 == self.resp).map_or("?", |condition| condition.0);
        let Answered { resp, resp2, eibresp, eibresp2, function, code, names: [resource, file], ended } = self;
        format!(
            "{name} ({resp}), RESP2 {resp2}, EIBFN {function}, EIBRCODE {code}, EIBRSRCE {resource}, EIBDS {file}; EIBRESP {eibresp}, \
             EIBRESP2 {eibresp2}; {ended}"
        )
    }
}
