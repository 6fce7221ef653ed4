//! Reads the files of `conformance/sql`: fixtures, cases of several statements, and lists of expressions, each of which is a case of its own.
//! `conformance/sql/README.md` describes the form.

use std::collections::HashMap;
use std::path::Path;

/// A line of a case's code: COBOL as it is, or one of the runner's own statements with its text in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    Cobol(String),
    /// The name of a paragraph.
    Label(String),
    /// An SQL statement that must give SQLCODE 0; otherwise a line says so.
    Sql(String),
    /// An SQL statement after which SQLCODE and SQLSTATE are shown.
    Try(String),
    /// An SQL statement with nothing after it.
    Exec(String),
    /// An SQL statement that the compiler must refuse.
    Bad(String),
    /// The text of a dynamic statement, moved to STMT.
    Statement(String),
    /// Values shown in one line.
    Show(Vec<String>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The lines that the program prints.
    Lines(Vec<String>),
    /// The compiler refuses the `bad` statement with a message that has these words.
    Refused(Vec<String>),
}

#[derive(Clone, Debug)]
pub struct Case {
    pub file: String,
    pub line: usize,
    pub name: String,
    pub source: String,
    pub options: String,
    pub setup: Vec<String>,
    pub data: Vec<String>,
    pub members: Vec<(String, Vec<String>)>,
    pub code: Vec<Code>,
    pub expected: Expected,
}

impl Case {
    pub fn key(&self) -> String {
        format!("{}: {}", self.file, self.name)
    }
}

pub type Fixtures = HashMap<String, Vec<String>>;

/// A header and the lines below it, with the number of the first.
struct Block<'a> {
    line: usize,
    header: &'a str,
    lines: Vec<(usize, &'a str)>,
}

/// The file-wide `source:`, and the blocks that begin with `==` or `values`.
fn blocks(text: &str) -> (String, Vec<Block<'_>>) {
    let (mut source, mut found) = (String::new(), Vec::<Block>::new());
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        if line.starts_with("==") || line.starts_with("values ") {
            found.push(Block { line: number, header: line, lines: Vec::new() });
        } else if let Some(block) = found.last_mut() {
            if !line.starts_with('#') {
                block.lines.push((number, line));
            }
        } else if let Some(text) = line.strip_prefix("source:") {
            source = text.trim().to_string();
        }
    }
    (source, found)
}

pub fn fixtures(path: &Path) -> Fixtures {
    let text = std::fs::read_to_string(path).expect("the fixtures");
    let (_, blocks) = blocks(&text);
    let statements = |block: &Block| statements(&block.lines.iter().map(|(_, line)| *line).collect::<Vec<_>>());
    blocks.iter().map(|block| (block.header.trim_start_matches('=').trim().to_string(), statements(block))).collect()
}

/// SQL statements, each ended by a semicolon at the end of a line.
fn statements(lines: &[&str]) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        let current = found.last_mut().expect("at least one");
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(line.trim_end_matches(';'));
        if line.ends_with(';') {
            found.push(String::new());
        }
    }
    found.retain(|statement| !statement.is_empty());
    found
}

pub fn read(path: &Path, fixtures: &Fixtures) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let (source, blocks) = blocks(&text);
    let mut cases = Vec::new();
    for block in &blocks {
        let empty = Case {
            file: file.clone(),
            line: block.line,
            name: String::new(),
            source: source.clone(),
            options: String::new(),
            setup: Vec::new(),
            data: Vec::new(),
            members: Vec::new(),
            code: Vec::new(),
            expected: Expected::Lines(Vec::new()),
        };
        match block.header.strip_prefix("values ") {
            Some(kind) => cases.extend(expressions(block, kind.trim().trim_end_matches(':'), &empty)?),
            None => cases.push(case(block, empty, fixtures)?),
        }
    }
    Ok(cases)
}

/// Lines `EXPRESSION => RESULT`: each is selected from SYSIBM.SYSDUMMY1 into a variable of the list's kind.
fn expressions(block: &Block, kind: &str, empty: &Case) -> Result<Vec<Case>, String> {
    let (item, declaration) = match kind {
        "int" => ("B1", String::new()),
        "text" => ("VT", "01 VT.\n   49 VT-LEN PIC S9(4) COMP.\n   49 VT-TEXT PIC X(200).".to_string()),
        "float" => ("F1", String::new()),
        decimal => match decimal.strip_prefix("dec(").and_then(|rest| rest.strip_suffix(')')?.split_once(',')) {
            Some((precision, scale)) => {
                let (precision, scale) = (precision.trim().parse::<usize>(), scale.trim().parse::<usize>());
                let (Ok(precision), Ok(scale)) = (precision, scale) else { return Err(format!("{}: {}: {kind}", empty.file, block.line)) };
                let whole = if precision > scale { format!("9({})", precision - scale) } else { String::new() };
                let point = if scale > 0 { format!("V9({scale})") } else { String::new() };
                ("DX", format!("01 DX PIC S{whole}{point} COMP-3."))
            }
            None => return Err(format!("{}: {}: unknown kind {kind}", empty.file, block.line)),
        },
    };
    let lines = block.lines.iter().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let (expression, result) = line.rsplit_once(" => ").ok_or_else(|| format!("{}: {number}: no \" => \"", empty.file))?;
            // Without an indicator an arithmetic error is an error and not a warning.
            let quiet = result.trim().starts_with('-') && result.trim().split(' ').count() == 2;
            let indicator = if quiet { "" } else { " :N1" };
            let statement = format!("SELECT {} INTO :{item}{indicator} FROM SYSIBM.SYSDUMMY1", expression.trim());
            let code = if quiet { vec![Code::Try(statement)] } else { vec![Code::Sql(statement), Code::Show(vec![format!("{item}:N1")])] };
            Ok(Case {
                line: *number,
                name: expression.trim().to_string(),
                data: declaration.lines().map(str::to_string).collect(),
                code,
                expected: Expected::Lines(vec![result.trim().to_string()]),
                ..empty.clone()
            })
        })
        .collect()
}

fn case(block: &Block, mut case: Case, fixtures: &Fixtures) -> Result<Case, String> {
    case.name = block.header.trim_start_matches('=').trim().to_string();
    let mut sections: HashMap<String, Vec<&str>> = HashMap::new();
    let mut section = "code".to_string();
    let mut setup = Vec::new();
    for (number, line) in &block.lines {
        let (word, rest) = line.split_once(':').unwrap_or(("", ""));
        match word {
            "source" => case.source = rest.trim().to_string(),
            "options" => case.options = rest.trim().to_string(),
            "use" => {
                for name in rest.split(',').map(str::trim) {
                    let fixture = fixtures.get(name).ok_or_else(|| format!("{}: {number}: no fixture {name}", case.file))?;
                    setup.extend(fixture.iter().cloned());
                }
            }
            "setup" | "data" | "code" | "expect" | "refused" => section = word.to_string(),
            _ if word.starts_with("member ") => section = word.to_string(),
            _ => sections.entry(section.clone()).or_default().push(line),
        }
    }
    let mut take = |name: &str| sections.remove(name).unwrap_or_default();
    setup.extend(statements(&take("setup")));
    case.setup = setup;
    let text =
        |lines: Vec<&str>| lines.iter().filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    case.data = text(take("data"));
    case.code = code(&text(take("code")));
    let (lines, refused) = (text(take("expect")), take("refused"));
    case.expected = match refused.is_empty() {
        true => Expected::Lines(lines.iter().map(|line| line.trim().to_string()).collect()),
        false => Expected::Refused(text(refused).iter().flat_map(|line| line.split_whitespace()).map(str::to_string).collect()),
    };
    case.members =
        sections.into_iter().filter_map(|(name, lines)| Some((name.strip_prefix("member ")?.to_string(), text(lines)))).collect();
    match case.code.is_empty() || matches!(&case.expected, Expected::Lines(lines) if lines.is_empty()) {
        true => Err(format!("{}: {}: a case without code or expectation", case.file, case.line)),
        false => Ok(case),
    }
}

/// Words that are statements in a line of their own, not names of paragraphs.
const SENTENCES: [&str; 5] = ["GOBACK.", "CONTINUE.", "EXIT.", "END-EXEC.", "END-IF."];

fn code(lines: &[String]) -> Vec<Code> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in lines {
        let word = line.split(' ').next().unwrap_or_default();
        let own = ["sql", "try", "exec", "bad", "statement", "show"].contains(&word);
        match found.last_mut() {
            Some((keyword, text)) if line.starts_with("  ") && !keyword.is_empty() => {
                text.push(' ');
                text.push_str(line.trim());
            }
            _ if own => found.push((word.to_string(), line[word.len()..].trim().to_string())),
            _ => found.push((String::new(), line.clone())),
        }
    }
    let label = |line: &str| !line.contains(' ') && line.ends_with('.') && !SENTENCES.contains(&line);
    found
        .into_iter()
        .map(|(keyword, text)| match keyword.as_str() {
            "sql" => Code::Sql(text),
            "try" => Code::Try(text),
            "exec" => Code::Exec(text),
            "bad" => Code::Bad(text),
            "statement" => Code::Statement(text),
            "show" => Code::Show(text.split_whitespace().map(str::to_string).collect()),
            _ if label(&text) => Code::Label(text),
            _ => Code::Cobol(text),
        })
        .collect()
}
