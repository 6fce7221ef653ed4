//! The text of an EXEC SQL statement in C: from the words EXEC SQL to its semicolon, over lines and comments of C, with its host variables.
//!
//! Host variables are C expressions (`:*p`, `:s.f`, `:p->f`, `:a[n]`) whose case matters. The parser of SQL knows simple names, so each is
//! given a name of its own for it: that of the expression if no other expression has it.
//!
//! Invariant: time is linear in the length of the text.

use crate::scan::Place;
use std::collections::HashMap;

/// A host variable as the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub stars: usize,
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    Name(String),
    Member(String),
    /// `->` and a member.
    Arrow(String),
    /// What stands between brackets.
    Element(String),
}

impl Written {
    /// The expression in C.
    pub fn text(&self) -> String {
        let mut text = "*".repeat(self.stars);
        self.steps.iter().for_each(|step| text.push_str(&step.text()));
        text
    }

    /// A name for the parser of SQL.
    fn simple_name(&self) -> String {
        let names = self.steps.iter().filter_map(|step| match step {
            Step::Name(name) | Step::Member(name) | Step::Arrow(name) => Some(name.to_uppercase()),
            Step::Element(_) => None,
        });
        names.collect::<Vec<_>>().join(".")
    }
}

impl Step {
    pub fn text(&self) -> String {
        match self {
            Step::Name(name) => name.clone(),
            Step::Member(name) => format!(".{name}"),
            Step::Arrow(name) => format!("->{name}"),
            Step::Element(index) => format!("[{index}]"),
        }
    }
}

/// The host variables of a source by the names that the parser of SQL knows.
#[derive(Default, Debug)]
pub struct HostNames {
    by_name: HashMap<String, Written>,
    by_text: HashMap<String, String>,
    /// Numbers behind a name that other expressions have.
    taken: HashMap<String, usize>,
}

impl HostNames {
    fn name(&mut self, written: &Written) -> String {
        let text = written.text();
        if let Some(known) = self.by_text.get(&text) {
            return known.clone();
        }
        let simple = written.simple_name();
        let mut name = simple.clone();
        while self.by_name.contains_key(&name) {
            // Expressions that differ in case or subscripts alone. The count passes each number once, and so ends.
            let count = self.taken.entry(simple.clone()).or_default();
            *count += 1;
            name = format!("{simple}_{count}");
        }
        self.by_name.insert(name.clone(), written.clone());
        self.by_text.insert(text, name.clone());
        name
    }

    pub fn written(&self, name: &[String]) -> Option<&Written> {
        self.by_name.get(&name.join("."))
    }
}

/// A statement without EXEC SQL and its semicolon.
#[derive(Clone, Debug)]
pub struct Block {
    pub text: String,
    /// Offsets in `text` and where they are in the source, ascending.
    places: Vec<(usize, Place)>,
    /// Behind the semicolon.
    pub end: Place,
    /// The last word, in its own case: the label of a WHENEVER.
    pub last_word: (String, Place),
}

impl Block {
    /// Where in the source an offset of the text is.
    pub fn place(&self, offset: usize) -> Place {
        let at = self.places.partition_point(|(from, _)| *from <= offset).saturating_sub(1);
        let Some((from, place)) = self.places.get(at) else { return self.end };
        let mut place = *place;
        let characters = self.text.get(*from..offset).map_or(0, |skipped| skipped.chars().count());
        place.column = place.column.saturating_add(u16::try_from(characters).unwrap_or(u16::MAX));
        place
    }
}

/// Why a statement cannot be read: where, and what is missing. The text behind `resume` is C again.
#[derive(Debug)]
pub struct Unfinished {
    pub place: Place,
    pub length: usize,
    pub text: String,
    pub resume: Place,
}

struct Reader<'a> {
    source: &'a str,
    at: Place,
    out: String,
    places: Vec<(usize, Place)>,
    /// The next byte of `out` does not follow the last one in the source.
    jumped: bool,
    last_word: (String, Place),
}

/// Reads the statement behind the words EXEC SQL, which begin at `start`.
pub fn read(source: &str, start: Place, from: Place, names: &mut HostNames) -> Result<Block, Unfinished> {
    let mut reader = Reader { source, at: from, out: String::new(), places: Vec::new(), jumped: true, last_word: (String::new(), from) };
    loop {
        let Some(next) = reader.peek() else { return Err(reader.without_semicolon(start, None)) };
        match next {
            ';' => {
                reader.advance();
                let Reader { out, places, at, last_word, .. } = reader;
                return Ok(Block { text: out, places, end: at, last_word });
            }
            '\'' | '"' => reader.quoted(next)?,
            '/' | '-' if reader.skip_comment()? => {}
            '\\' if reader.rest().starts_with("\\\n") || reader.rest().starts_with("\\\r\n") => reader.blank(),
            '\n' => reader.line_end(start)?,
            ':' => reader.host(names)?,
            c if starts_word(c) => reader.word(),
            c if c.is_ascii_digit() => reader.number(),
            _ => reader.copy(),
        }
    }
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$' | '#' | '@')
}

fn continues_word(c: char) -> bool {
    starts_word(c) || c.is_ascii_digit()
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) {
        let Some(c) = self.peek() else { return };
        self.at.offset += c.len_utf8();
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
    }

    fn copy(&mut self) {
        let Some(c) = self.peek() else { return };
        if std::mem::take(&mut self.jumped) {
            self.places.push((self.out.len(), self.at));
        }
        self.out.push(c);
        self.advance();
    }

    /// One blank in place of what comes next.
    fn blank(&mut self) {
        self.advance();
        self.out.push(' ');
        self.jumped = true;
    }

    /// The end of a line: a statement that has begun another is not ended.
    fn line_end(&mut self, start: Place) -> Result<(), Unfinished> {
        let line_end = self.at;
        self.blank();
        let next = self.rest().trim_start_matches([' ', '\t']);
        let begins_another = next.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("EXEC "))
            && next[5..].trim_start().get(..4).is_some_and(|word| word.eq_ignore_ascii_case("SQL ") || word.eq_ignore_ascii_case("CICS"));
        if begins_another || next.starts_with('#') {
            return Err(self.without_semicolon(start, Some(line_end)));
        }
        Ok(())
    }

    fn without_semicolon(&self, start: Place, line_end: Option<Place>) -> Unfinished {
        let words = self.source[start.offset..self.at.offset].split_whitespace();
        let named = words.take(4).collect::<Vec<_>>().join(" ");
        let before = line_end.map_or(String::new(), |_| format!(" before line {}", self.at.line));
        let resume = line_end.unwrap_or(self.at);
        Unfinished { place: start, length: 4, text: format!("{named} has no semicolon at its end{before}"), resume }
    }

    /// A string or delimited name. It ends on its line, or goes on behind a backslash at the end of the line.
    fn quoted(&mut self, quote: char) -> Result<(), Unfinished> {
        let start = self.at;
        self.copy();
        loop {
            match self.peek() {
                Some('\\') if self.rest().starts_with("\\\n") || self.rest().starts_with("\\\r\n") => {
                    while self.peek() != Some('\n') {
                        self.advance();
                    }
                    self.advance();
                    self.jumped = true;
                }
                Some('\n') | None => {
                    let what = if quote == '"' { "the delimited name" } else { "the string" };
                    let text = format!("{what} has no {quote} at its end; one that goes on has a backslash at the end of the line");
                    return Err(Unfinished { place: start, length: 1, text, resume: self.at });
                }
                Some(c) if c == quote => {
                    self.copy();
                    return Ok(());
                }
                Some(_) => self.copy(),
            }
        }
    }

    /// A comment of C or SQL becomes a blank, if one stands here.
    fn skip_comment(&mut self) -> Result<bool, Unfinished> {
        let rest = self.rest();
        if rest.starts_with("/*") {
            self.comment()?;
        } else if rest.starts_with("//") || rest.starts_with("--") {
            self.line_comment();
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn comment(&mut self) -> Result<(), Unfinished> {
        let place = self.at;
        let Some(length) = self.rest()[2..].find("*/") else {
            let text = "the comment has no */ at its end".to_string();
            return Err(Unfinished { place, length: 2, text, resume: Place { offset: self.source.len(), ..place } });
        };
        let end = self.at.offset + length + 4;
        while self.at.offset < end {
            self.advance();
        }
        self.out.push(' ');
        self.jumped = true;
        Ok(())
    }

    fn line_comment(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.advance();
        }
        self.jumped = true;
    }

    fn take_word(&mut self) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !continues_word(c)).unwrap_or(rest.len());
        let word = rest[..length].to_string();
        word.chars().for_each(|_| self.advance());
        word
    }

    fn word(&mut self) {
        let place = self.at;
        if std::mem::take(&mut self.jumped) {
            self.places.push((self.out.len(), place));
        }
        let word = self.take_word();
        self.out.push_str(&word);
        self.last_word = (word, place);
    }

    fn number(&mut self) {
        while self.peek().is_some_and(|c| continues_word(c) || c == '.') {
            self.copy();
        }
    }

    /// What may stand between a colon and its name, as in the parser of SQL: blanks, ends of lines and comments.
    fn skip_blanks(&mut self) -> Result<(), Unfinished> {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() => self.advance(),
                Some('/' | '-') if self.skip_comment()? => {}
                _ => return Ok(()),
            }
        }
    }

    /// A colon: a host variable, or a label. What is none is left to the parser of SQL.
    fn host(&mut self, names: &mut HostNames) -> Result<(), Unfinished> {
        let place = self.at;
        self.advance();
        self.skip_blanks()?;
        let mut written = Written { stars: 0, steps: Vec::new() };
        while self.peek() == Some('*') {
            self.advance();
            self.skip_blanks()?;
            written.stars += 1;
        }
        self.jumped = true;
        self.places.push((self.out.len(), place));
        self.out.push(':');
        if !self.peek().is_some_and(starts_word) {
            self.out.push_str(&"*".repeat(written.stars));
            return Ok(());
        }
        self.last_word.1 = self.at;
        let name = self.take_word();
        self.last_word.0.clone_from(&name);
        written.steps.push(Step::Name(name));
        while let Some(step) = self.step() {
            written.steps.push(step);
        }
        let name = names.name(&written);
        self.out.push_str(&name);
        // A minus sign may follow, which a name must not swallow.
        self.out.push(' ');
        Ok(())
    }

    fn step(&mut self) -> Option<Step> {
        let rest = self.rest();
        let named = |text: &str| text.chars().next().is_some_and(starts_word);
        if rest.starts_with('.') && named(&rest[1..]) {
            self.advance();
            return Some(Step::Member(self.take_word()));
        }
        if rest.starts_with("->") && named(&rest[2..]) {
            self.advance();
            self.advance();
            return Some(Step::Arrow(self.take_word()));
        }
        if rest.starts_with('[') {
            let length = rest.find([']', ';', '\n'])?;
            let inner = rest[1..length].trim();
            if !rest[length..].starts_with(']') || inner.is_empty() || inner.contains('[') {
                return None;
            }
            rest[..=length].chars().for_each(|_| self.advance());
            return Some(Step::Element(inner.to_string()));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Place {
        Place { offset: 0, line: 1, column: 1, file: 0 }
    }

    fn block(source: &str) -> (Block, HostNames) {
        let mut names = HostNames::default();
        let block = read(source, start(), start(), &mut names).expect("a statement");
        (block, names)
    }

    #[test]
    fn host_variables_are_expressions_with_names_of_their_own() {
        let (block, names) = block("SELECT :a, :A, :p->f:ind, :*q -1, :s.f.g, :t[n], ';' /* ; */ FROM X // ;\n;");
        assert_eq!(
            block.text.split_whitespace().collect::<Vec<_>>().join(" "),
            "SELECT :A , :A_1 , :P.F :IND , :Q -1, :S.F.G , :T , ';' FROM X"
        );
        let texts: Vec<String> =
            ["A", "A_1", "P.F", "Q", "S.F.G", "T"].iter().map(|name| names.written(&[name.to_string()]).unwrap().text()).collect();
        assert_eq!(texts, ["a", "A", "p->f", "*q", "s.f.g", "t[n]"]);
    }

    #[test]
    fn no_expression_gets_the_name_of_another() {
        for source in ["INTO :a_2, :a, :A;", "INTO :a_1, :a, :A;", "INTO :t_2, :t[0], :t[1];", "INTO :x_1, :x_2, :x, :X, :x[0];"] {
            let (block, names) = block(source);
            let given = block.text.split(':').skip(1).map(|name| name.trim_matches([' ', ',']).to_string());
            let texts: Vec<String> = given.map(|name| names.written(&[name]).expect("a name").text()).collect();
            let expected: Vec<&str> = source.split(':').skip(1).map(|name| name.trim_matches([' ', ',', ';'])).collect();
            assert_eq!(texts, expected, "{source}");
        }
    }

    #[test]
    fn a_name_may_stand_behind_blanks_and_comments() {
        for source in ["SET A = :\n total;", "SET A = :/*x*/total;", "SET A = : -- x\n total;", "SET A = :* // x\n total;"] {
            let (block, names) = block(source);
            assert!(block.text.contains(":TOTAL "), "{source}: {}", block.text);
            assert!(names.written(&["TOTAL".to_string()]).is_some(), "{source}");
        }
    }

    #[test]
    fn places_lead_back_to_the_source() {
        let (block, _) = block("SELECT A /* x\n */ INTO :b\n  FROM WRONG;");
        let place = block.place(block.text.find("WRONG").unwrap());
        assert_eq!((place.line, place.column), (3, 8));
        let place = block.place(block.text.find(':').unwrap());
        assert_eq!((place.line, place.column), (2, 10));
    }

    #[test]
    fn unfinished_statements_say_what_they_lack() {
        let lack = |source: &str| {
            let unfinished = read(source, start(), start(), &mut HostNames::default()).unwrap_err();
            (unfinished.text, unfinished.place.line, unfinished.place.column)
        };
        assert_eq!(lack("SELECT 1\n EXEC SQL COMMIT;"), ("SELECT 1 has no semicolon at its end before line 2".into(), 1, 1));
        assert_eq!(lack("SELECT 'a;\n;").1, 1);
        assert!(lack("SELECT 'a;\n;").0.starts_with("the string has no '"));
        assert_eq!(lack("COMMIT").0, "COMMIT has no semicolon at its end");
        assert_eq!(lack("A\n /* ;").1, 2);
        let (continued, _) = block("SELECT 'a\\\nb' X;");
        assert_eq!(continued.text, "SELECT 'ab' X");
    }
}
