//! The layout of CEMT's answers, the same for the screen and for plain text.
//!
//! A row begins in column 3, its further lines in column 6. A column that can be typed over is enclosed in attribute bytes, which look like
//! blanks; so `Pri( 001 )` can be changed and `Pro(DFHEMTP )` cannot.

use super::command::{Unknown, Verb};
use super::engine::{Reply, Row};
use super::keywords::short;
use super::perform;
use super::resources::{self, Column, Naming, Resource, Shape};

const FIRST_COLUMN: usize = 3;
const FURTHER_COLUMN: usize = 6;
/// Where the response of a row is shown.
const RESPONSE_COLUMN: usize = 66;
/// The last column of a line on the narrowest screen.
const LAST_COLUMN: usize = 79;
/// The second of two columns of attributes of a single resource.
const SINGLE_SECOND_COLUMN: usize = 42;

/// Longest line of a syntax display.
const SYNTAX_WIDTH: usize = 76;

/// Part of a line. An input piece knows its row, line and column.
#[derive(Clone, Debug)]
pub struct Piece {
    /// From 1.
    pub column: usize,
    pub text: String,
    pub width: usize,
    pub input: Option<Place>,
    pub bright: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub row: usize,
    pub line: usize,
    pub column: usize,
}

pub type Line = Vec<Piece>;

/// Lays pieces on a line from left to right.
struct Layout {
    line: Line,
    at: usize,
}

impl Layout {
    fn from(column: usize) -> Self {
        Self { line: Vec::new(), at: column }
    }

    /// Text without an attribute is appended to the text before it.
    fn text(&mut self, text: &str) {
        let width = text.chars().count();
        let joins = self.line.last().is_some_and(|last| last.input.is_none() && last.column + last.width == self.at);
        match self.line.last_mut() {
            Some(last) if joins => {
                last.text.push_str(text);
                last.width += width;
            }
            _ => self.line.push(Piece { column: self.at, text: text.to_string(), width, input: None, bright: false }),
        }
        self.at += width;
    }

    fn input(&mut self, text: &str, width: usize, place: Place) {
        // The attribute before.
        self.at += 1;
        self.line.push(Piece { column: self.at, text: text.to_string(), width, input: Some(place), bright: false });
        self.at += width;
        // The attribute behind.
        self.at += 1;
    }
}

/// The display of a CVDA in a column: three characters, blanks for values that do not apply or begin with NO.
fn shown(cvda: &str) -> String {
    let negative = cvda.starts_with("NO") && !cvda.starts_with("NOR") && cvda != "NONE";
    if negative { "   ".to_string() } else { short(cvda) }
}

fn put(layout: &mut Layout, column: &Column, value: &str, place: Place, long: bool) {
    match column.shape {
        Shape::Name(width) | Shape::Digits(width) => layout.text(&format!("{}({value:width$})", column.label)),
        Shape::Hex(width) => layout.text(&format!("{}({value:width$})", column.label, width = 2 * width)),
        Shape::Number(width) | Shape::Text(width) => {
            layout.text(&format!("{}(", column.label));
            layout.input(&format!("{value:width$}"), width, place);
            layout.text(")");
        }
        Shape::Cvda if long => layout.text(&format!("{}( {:12} )", column.label, capitalized(value))),
        Shape::Cvda => layout.text(&shown(value)),
        Shape::Choice(_) | Shape::Action(_) if long => {
            layout.text(&format!("{}(", column.label));
            layout.input(&format!("{:12}", capitalized(value)), 12, place);
            layout.text(")");
        }
        Shape::Time => layout.text(&format!("{}({value:17})", column.label)),
        Shape::Choice(_) => {
            // Neighbouring fields share an attribute: the one behind a field is the one before the next.
            layout.at = layout.at.saturating_sub(1);
            layout.input(&shown(value), 3, place);
            layout.at -= 1;
        }
        Shape::Action(_) => {
            layout.at = layout.at.saturating_sub(1);
            layout.input("", 3, place);
            layout.at -= 1;
        }
    }
}

fn capitalized(value: &str) -> String {
    value.chars().enumerate().map(|(at, c)| if at == 0 { c } else { c.to_ascii_lowercase() }).collect()
}

/// The lines of one row. `long`: each column has its name, and values in full.
fn row_lines(resource: &Resource, row: &Row, number: usize, long: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if row.cells.is_empty() {
        let label = resource.lines[0][0].label;
        let mut layout = Layout::from(FIRST_COLUMN);
        layout.text(&format!("{label}({:width$})", row.name, width = resource.name_length));
        lines.push(layout.line);
    }
    let single = long;
    for (line, (columns, cells)) in resource.lines.iter().zip(&row.cells).enumerate() {
        // A resource may have many names of a kind, most of which are blank.
        if line > 0 && !single && cells.iter().all(|cell| cell.trim().is_empty()) && columns.iter().all(|column| column.is_name()) {
            continue;
        }
        let mut layout = Layout::from(if line == 0 || single { FIRST_COLUMN } else { FURTHER_COLUMN });
        for (column, (spec, value)) in columns.iter().zip(cells).enumerate() {
            if column > 0 {
                layout.at = if single { SINGLE_SECOND_COLUMN } else { layout.at + 1 };
            }
            put(&mut layout, spec, value, Place { row: number, line, column }, single);
        }
        lines.push(layout.line);
    }
    if let Some(response) = &row.response {
        let mut texts = wrapped(response, LAST_COLUMN - FURTHER_COLUMN);
        let width = texts[0].chars().count();
        let column = RESPONSE_COLUMN.min(LAST_COLUMN + 1 - width);
        let piece = |column, text: String| Piece { column, width: text.chars().count(), text, input: None, bright: row.failed };
        let is_free = lines[0].last().is_none_or(|last| last.column + last.width < column - 1);
        if texts.len() == 1 && is_free {
            lines[0].push(piece(column, texts.remove(0)));
        } else {
            let column = if texts.len() == 1 { column } else { FURTHER_COLUMN };
            lines.extend(texts.into_iter().map(|text| vec![piece(column, text)]));
        }
    }
    lines
}

/// A text in lines of a width, parted at blanks; a word that is longer is cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        while !word.is_empty() {
            let line = lines.last_mut().expect("there is always a line");
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= width {
                line.push_str(&" ".repeat(gap));
                line.extend(word.drain(..));
            } else if used == 0 {
                line.extend(word.drain(..width));
            } else {
                lines.push(String::new());
            }
        }
    }
    lines
}

fn plain_lines(text: &str) -> Vec<Line> {
    wrapped(text, LAST_COLUMN - FIRST_COLUMN).iter().map(|line| plain(line)).collect()
}

fn plain(text: &str) -> Line {
    vec![Piece { column: FIRST_COLUMN - 1, width: text.chars().count(), text: text.to_string(), input: None, bright: false }]
}

/// All lines of an answer.
pub fn lines(reply: &Reply) -> Vec<Line> {
    match reply {
        Reply::Menu { verb: None, .. } | Reply::Unknown(_, None) => Verb::ALL.iter().map(|(_, name)| plain(name)).collect(),
        Reply::Menu { verb: Some(Verb::Perform), .. } | Reply::Unknown(_, Some(Verb::Perform)) => perform_lines(),
        Reply::Syntax { verb, resource } => syntax_lines(*verb, resource),
        Reply::PerformSyntax(spec) => perform_syntax_lines(spec),
        Reply::Menu { verb: Some(verb), prefix } => menu_lines(*verb, prefix),
        Reply::Unknown(_, Some(verb)) => menu_lines(*verb, ""),
        Reply::Rows { .. } => rows_lines(reply).into_iter().flatten().collect(),
        Reply::Expanded { resource, row } => row_lines(resource, row, 0, true),
        Reply::Done { text, .. } => plain_lines(text),
        Reply::Refused(_) => Vec::new(),
    }
}

/// The lines of each row.
pub fn rows_lines(reply: &Reply) -> Vec<Vec<Line>> {
    let Reply::Rows { resource, rows, .. } = reply else { return Vec::new() };
    let long = resource.naming == Naming::Single;
    rows.iter().enumerate().map(|(number, row)| row_lines(resource, row, number, long)).collect()
}

fn menu_lines(verb: Verb, prefix: &str) -> Vec<Line> {
    let shown = resources::all().filter(|resource| resource.takes(verb) && resource.begins_with(prefix));
    shown.map(|resource| plain(&menu_name(resource))).collect()
}

/// What went wrong, besides what the rows say.
pub fn messages(reply: &Reply) -> Vec<String> {
    let text = |unknown: &Unknown| {
        let near = unknown.1.map(|near| format!(" DID YOU MEAN {near}?")).unwrap_or_default();
        format!("E '{}' IS NOT VALID AND IS IGNORED.{near}", unknown.0)
    };
    match reply {
        Reply::Unknown(unknown, _) => vec![text(unknown)],
        Reply::Rows { ignored, .. } => ignored.iter().map(text).collect(),
        Reply::Refused(why) => vec![why.clone()],
        _ => Vec::new(),
    }
}

/// The PERFORM commands: two letters distinguish them, except for SHUTDOWN.
fn perform_lines() -> Vec<Line> {
    let mut names: Vec<&str> = perform::performable().iter().map(|spec| spec.words[1]).collect();
    names.dedup();
    names.into_iter().map(|name| plain(&perform_name(name))).collect()
}

/// `SHUTdown`
fn perform_name(name: &str) -> String {
    let letters = if name == "SHUTDOWN" { perform::SHUTDOWN_LETTERS_MIN } else { 2 };
    format!("{}{}", &name[..letters], name[letters..].to_ascii_lowercase())
}

/// The words of a PERFORM command.
fn perform_syntax_lines(spec: &exec::CommandSpec) -> Vec<Line> {
    let mut lines = vec![plain(&format!("CEMT Perform {}", perform_name(spec.words[1])))];
    let all = exec::commands_of_verb("PERFORM").iter().filter(|other| other.words[1] == spec.words[1]);
    let further = all.clone().filter_map(|other| other.words.get(2)).map(|word| word.to_string());
    let mut options: Vec<String> = all.flat_map(|spec| spec.options.iter().map(item_of)).chain(further).collect();
    options.sort();
    options.dedup();
    lines.extend(in_brackets(options.into_iter()));
    lines
}

fn item_of(option: &exec::OptionSpec) -> String {
    if option.argument == exec::ArgumentRule::None { option.name.to_string() } else { format!("{}()", option.name) }
}

/// The possible words after the verb and the resource. They are CEMT's own: what its display shows and, for SET, what can be typed over it.
fn syntax_lines(verb: Verb, resource: &Resource) -> Vec<Line> {
    let mut lines = vec![plain(&format!("CEMT {} {}", verb.name(), menu_name(resource)))];
    if resource.naming != Naming::Single {
        lines.push(plain(&format!(
            "  < ({}) | ALl >",
            if resource.naming == Naming::Tasks { "number, ..." } else { "name, ..., generic*" }
        )));
    }
    let inquired = |column: &Column| match column.shape {
        Shape::Choice(words) => Some(words.join(" | ")),
        Shape::Action(_) => None,
        Shape::Cvda => Some(column.option.name().to_string()),
        _ => Some(format!("{}()", column.option.name())),
    };
    let set = |column: &Column| match column.shape {
        Shape::Choice(words) | Shape::Action(words) => Some(words.join(" | ")),
        Shape::Number(_) | Shape::Text(_) => Some(format!("{}()", column.option.name())),
        _ => None,
    };
    let shown = |column: &&Column| column.option != resource.name_option;
    let columns = resource.columns().filter(shown);
    let items: Vec<String> = match verb {
        Verb::Inquire => columns.filter_map(inquired).collect(),
        // The table of a resource that is generated has nothing to type over.
        Verb::Set if !resource.columns().any(|column| set(column).is_some()) => {
            resource.set.spec().options.iter().filter(|option| option.id != resource.name_option).map(item_of).collect()
        }
        Verb::Set => {
            let shown: Vec<String> = columns.filter_map(set).collect();
            // Other words without a value, as FORCE of SET FILE.
            let flags = resource.set.spec().options.iter().filter(|option| option.argument == exec::ArgumentRule::None);
            let is_shown = |name: &str| shown.iter().any(|item| item.split(" | ").any(|word| word == name));
            let others: Vec<String> = flags.filter(|option| !is_shown(option.name)).map(item_of).collect();
            shown.into_iter().chain(others).collect()
        }
        _ => Vec::new(),
    };
    lines.extend(in_brackets(items.into_iter()));
    lines
}

/// `< A > < B >`, as many on a line as fit.
fn in_brackets(items: impl Iterator<Item = String>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = String::from(" ");
    for item in items {
        if line.len() + item.len() + 5 > SYNTAX_WIDTH && line.len() > 1 {
            lines.push(plain(&std::mem::replace(&mut line, String::from(" "))));
        }
        line.push_str(&format!(" < {item} >"));
    }
    if line.len() > 1 {
        lines.push(plain(&line));
    }
    lines
}

/// The letters that must be typed are capitals.
fn menu_name(resource: &Resource) -> String {
    let (must, may) = resource.keyword.split_at(resource.letters_min);
    format!("{must}{}", may.to_ascii_lowercase())
}

/// The line below the command line.
pub fn status(reply: &Reply) -> &'static str {
    match reply {
        Reply::Menu { .. } | Reply::Unknown(..) => "STATUS:  ENTER ONE OF THE FOLLOWING",
        Reply::Syntax { .. } | Reply::PerformSyntax(_) | Reply::Refused(_) => "STATUS:  COMMAND SYNTAX CHECK",
        Reply::Expanded { .. } => "RESULT - OVERTYPE TO MODIFY",
        Reply::Rows { .. } => "STATUS:  RESULTS - OVERTYPE TO MODIFY",
        Reply::Done { .. } => "STATUS:  COMMAND EXECUTION COMPLETE",
    }
}

/// `NORMAL`, or how many errors there were; a menu has no response.
pub fn response(reply: &Reply) -> Option<String> {
    match (reply, reply.errors()) {
        (Reply::Menu { .. } | Reply::Syntax { .. } | Reply::PerformSyntax(_), _) => None,
        // The row says it itself.
        (Reply::Expanded { .. }, _) => None,
        (_, 0) => Some("NORMAL".to_string()),
        (_, 1) => Some("1 ERROR".to_string()),
        (_, count) => Some(format!("{count} ERRORS")),
    }
}

/// A line as plain text.
pub fn text(line: &Line) -> String {
    let mut text = String::new();
    for piece in line {
        let length = text.chars().count();
        text.extend(std::iter::repeat_n(' ', (piece.column - 1).saturating_sub(length)));
        text.push_str(&format!("{:width$}", piece.text, width = piece.width));
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::resources::by_word;
    use super::*;

    #[test]
    fn a_row_looks_as_documented() {
        let resource = by_word("TRA").unwrap();
        let cells = vec![
            ["CEBR", "001", "DFHEDFBR", "DFHTCL00", "ENABLED", "STANTRACE"].map(String::from).to_vec(),
            ["DFHCICST", "USERDATAKEY", "ANY", "ISOLATE", "PURGEABLE", "TRANDUMP", "BACKOUT", "WAIT"].map(String::from).to_vec(),
        ];
        let row = Row { name: "CEBR".to_string(), cells, ..Row::default() };
        let reply = Reply::Rows { resource, rows: vec![row], after_set: false, ignored: Vec::new() };
        let text: Vec<String> = lines(&reply).iter().map(text).collect();
        assert_eq!(text[0], "  Tra(CEBR) Pri( 001 ) Pro(DFHEDFBR) Tcl( DFHTCL00 ) Ena Sta");
        assert_eq!(text[1], "     Prf(DFHCICST) Uda Any Iso Pur Tra Bac Wai");
        assert_eq!(response(&reply).as_deref(), Some("NORMAL"));
    }

    /// Column 80 is the last of a model 2 screen: what is said of a row stays on its lines.
    #[test]
    fn responses_end_before_the_last_column() {
        let resource = by_word("FILE").unwrap();
        let cells: Vec<Vec<String>> = resource.lines.iter().map(|line| line.iter().map(|_| String::new()).collect()).collect();
        let texts = ["NORMAL".to_string(), "'ABCDEFGHIJK' IS NOT NUMERIC".to_string(), "NOT AVAILABLE ".repeat(20), "X".repeat(200)];
        for response in texts {
            let row = Row { name: "F".to_string(), cells: cells.clone(), response: Some(response.clone()), failed: true, ..Row::default() };
            let lines = lines(&Reply::Rows { resource, rows: vec![row], after_set: true, ignored: Vec::new() });
            assert!(lines.iter().flatten().all(|piece| piece.column + piece.width <= 80), "{response}: {lines:?}");
            let said: String = lines.iter().flatten().filter(|piece| piece.bright).map(|piece| piece.text.replace(' ', "")).collect();
            assert_eq!(said, response.replace(' ', ""));
        }
    }

    #[test]
    fn menus_show_the_letters_to_type() {
        assert_eq!(menu_name(by_word("TRA").unwrap()), "TRAnsaction");
        assert_eq!(lines(&Reply::Menu { verb: None, prefix: String::new() }).len(), 4);
    }
}
