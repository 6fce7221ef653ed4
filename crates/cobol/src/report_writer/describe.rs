//! Reads RD entries and report group descriptions.

use super::ReportFile;
use super::definition::{Content, Definition, Field, Group, GroupKind, Line, Page, Place, Sum};
use crate::data::picture::{PictureRules, analyze};
use crate::lexer::{Token, TokenKind};
use crate::report::Report;
use crate::span::Span;

/// All reports of a REPORT SECTION.
pub fn describe(tokens: &[Token], files: &[ReportFile], report: &mut Report) -> Vec<Definition> {
    let mut reader = Reader { tokens, at: 0, report, rules: PictureRules::default(), counters: 0 };
    reader.accept_period();
    let mut definitions = Vec::new();
    while reader.at < tokens.len() {
        if reader.accept("RD") {
            let definition = reader.definition(files);
            definitions.extend(definition);
        } else {
            reader.at += 1;
        }
    }
    definitions
}

struct Reader<'a, 'r> {
    tokens: &'a [Token],
    at: usize,
    report: &'r mut Report,
    rules: PictureRules,
    counters: u32,
}

impl Reader<'_, '_> {
    fn word(&self) -> &str {
        self.tokens.get(self.at).and_then(Token::word).unwrap_or("")
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::NONE, |token| token.span)
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += usize::from(found);
        found
    }

    fn accept_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.accept(word))
    }

    /// Takes the keyword at hand, which begins a clause, and those of the optional words that follow it in this order.
    fn begin_clause(&mut self, optional: &[&str]) {
        self.at += 1;
        for word in optional {
            self.accept(word);
        }
    }

    fn at_period(&self) -> bool {
        self.tokens.get(self.at).is_none_or(|token| token.kind == TokenKind::Period)
    }

    fn accept_period(&mut self) {
        if self.at_period() {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Option<u32> {
        let TokenKind::Number(number) = &self.tokens.get(self.at)?.kind else { return None };
        let value = u32::try_from(number.integer()?).ok()?;
        self.at += 1;
        Some(value)
    }

    fn wrong(&mut self, expected: &str) {
        let span = self.span();
        let found = self.tokens.get(self.at).map_or_else(|| "the end".to_string(), Token::describe);
        self.report.expected(span, &found, expected);
        self.at += 1;
    }

    fn definition(&mut self, files: &[ReportFile]) -> Option<Definition> {
        let span = self.span();
        let name = self.word().to_string();
        self.at += 1;
        let file = files.iter().position(|file| file.reports.contains(&name));
        if file.is_none() {
            self.report.severe(span, format!("no file description names the report {name}"));
        }
        let mut definition =
            Definition { name, file: file.unwrap_or(0), code: None, controls: Vec::new(), page: None, groups: Vec::new(), span };
        while !self.at_period() {
            self.report_clause(&mut definition);
        }
        self.accept_period();
        while self.number_follows() {
            self.entry(&mut definition);
        }
        (!files.is_empty()).then_some(definition)
    }

    fn number_follows(&self) -> bool {
        matches!(self.tokens.get(self.at).map(|token| &token.kind), Some(TokenKind::Number(_)))
    }

    fn report_clause(&mut self, definition: &mut Definition) {
        if self.accept_any(&["IS", "GLOBAL", "WITH"]) {
            return;
        }
        if self.accept("CODE") {
            self.accept("IS");
            match self.tokens.get(self.at).map(|token| &token.kind) {
                Some(TokenKind::Literal(literal)) => definition.code = Some(literal.text.to_string()),
                _ => return self.wrong("a literal"),
            }
            self.at += 1;
        } else if self.accept_any(&["CONTROL", "CONTROLS"]) {
            self.accept_any(&["IS", "ARE"]);
            while !self.at_period() && !matches!(self.word(), "PAGE" | "CODE") {
                if self.accept("FINAL") {
                    definition.controls.insert(0, Vec::new());
                } else {
                    let identifier = self.identifier();
                    definition.controls.push(identifier);
                }
            }
        } else if self.accept("PAGE") {
            self.page(definition);
        } else {
            self.wrong("a clause of a report description");
        }
    }

    fn page(&mut self, definition: &mut Definition) {
        self.accept_any(&["LIMIT", "LIMITS"]);
        self.accept_any(&["IS", "ARE"]);
        let Some(limit) = self.number() else { return self.wrong("the number of lines of a page") };
        self.accept_any(&["LINE", "LINES"]);
        let (mut heading, mut first, mut last, mut footing) = (None, None, None, None);
        loop {
            let slot = if self.accept("HEADING") {
                &mut heading
            } else if self.accept("FIRST") {
                self.accept_any(&["DETAIL", "DE"]);
                &mut first
            } else if self.accept("LAST") {
                self.accept_any(&["DETAIL", "DE"]);
                &mut last
            } else if self.accept("FOOTING") {
                &mut footing
            } else {
                break;
            };
            // IS may stand before the number.
            let is = self.tokens.get(self.at).is_some_and(|token| token.is_word("IS"));
            self.at += usize::from(is);
            let TokenKind::Number(number) = &self.tokens[self.at.min(self.tokens.len() - 1)].kind else {
                return self.wrong("a line number");
            };
            *slot = number.integer().and_then(|value| u32::try_from(value).ok());
            self.at += 1;
        }
        let heading = heading.unwrap_or(1);
        let first_detail = first.unwrap_or(heading);
        let last_detail = last.or(footing).unwrap_or(limit);
        let footing = footing.or(last).unwrap_or(limit);
        definition.page = Some(Page { heading, first_detail, last_detail, footing });
    }

    /// A name with qualifiers and subscripts.
    fn identifier(&mut self) -> Vec<Token> {
        let start = self.at;
        self.at += 1;
        loop {
            if matches!(self.word(), "OF" | "IN") {
                self.at += 2;
            } else if self.tokens.get(self.at).is_some_and(|token| token.kind == TokenKind::LeftParenthesis) {
                while self.tokens.get(self.at).is_some_and(|token| token.kind != TokenKind::RightParenthesis) {
                    self.at += 1;
                }
                self.at += 1;
            } else {
                break;
            }
        }
        self.tokens[start.min(self.tokens.len())..self.at.min(self.tokens.len())].to_vec()
    }

    fn entry(&mut self, definition: &mut Definition) {
        let span = self.span();
        let level = self.number().unwrap_or(1);
        let mut entry = Entry { span, ..Entry::default() };
        if !self.at_period() && !is_clause(self.word()) && !self.word().is_empty() {
            entry.name = Some(self.word().to_string());
            self.at += 1;
        }
        while !self.at_period() {
            let before = self.at;
            self.entry_clause(&mut entry, definition);
            if self.at == before {
                self.wrong("a clause of a report group description");
            }
        }
        self.accept_period();
        if level == 1 {
            self.begin_group(&entry, definition);
        }
        self.add_to_group(entry, definition, level);
    }

    fn begin_group(&mut self, entry: &Entry, definition: &mut Definition) {
        let number = definition.groups.len() + 1;
        let Some((kind, control)) = entry.kind else {
            self.report.severe(entry.span, "a report group needs a TYPE clause");
            return;
        };
        let name = entry.name.clone().unwrap_or_else(|| format!("RW--{}-{number}", definition.name));
        definition.groups.push(Group {
            name,
            kind,
            control,
            lines: Vec::new(),
            unprinted: Vec::new(),
            next_group: entry.next_group,
            span: entry.span,
        });
    }

    fn add_to_group(&mut self, entry: Entry, definition: &mut Definition, level: u32) {
        let report_name = definition.name.clone();
        let Some(group) = definition.groups.last_mut() else { return };
        if let Some(place) = entry.line {
            group.lines.push(Line { place, fields: Vec::new() });
        }
        if level > 1 && entry.next_group.is_some() {
            group.next_group = entry.next_group;
        }
        let Some((text, description)) = entry.picture else {
            if entry.content.is_some() {
                self.report.severe(entry.span, "a printable item needs a PICTURE clause");
            }
            return;
        };
        let picture = match analyze(&text, &self.rules) {
            Ok(picture) => picture,
            Err(message) => {
                self.report.severe(entry.span, format!("PICTURE {text} is not valid: {message}"));
                return;
            }
        };
        let content = match (entry.content, entry.sum) {
            (_, Some(mut sum)) => {
                self.counters += 1;
                sum.counter = entry.name.unwrap_or_else(|| format!("RW--SUM-{report_name}-{}", self.counters));
                Content::Sum(sum)
            }
            (Some(content), None) => content,
            (None, None) => {
                self.report.severe(entry.span, "a printable item needs SOURCE, SUM or VALUE");
                return;
            }
        };
        let width = picture.characters + u32::from(entry.sign_separate && picture.signed);
        let field =
            Field { column: entry.column, width, description, picture, content, group_indicate: entry.group_indicate, span: entry.span };
        match group.lines.last_mut() {
            Some(line) if field.column > 0 => line.fields.push(field),
            _ => group.unprinted.push(field),
        }
    }

    fn entry_clause(&mut self, entry: &mut Entry, definition: &Definition) {
        if self.accept_any(&["IS", "ARE", "ON", "FOR"]) {
            return;
        }
        let span = self.span();
        match self.word().to_string().as_str() {
            "TYPE" => {
                self.begin_clause(&["IS"]);
                self.group_type(entry, definition);
            }
            "LINE" | "LINES" => {
                self.at += 1;
                self.accept_any(&["NUMBER", "NUMBERS"]);
                self.accept_any(&["IS", "ARE"]);
                entry.line = self.place();
            }
            "NEXT" => {
                self.begin_clause(&["GROUP", "IS"]);
                entry.next_group = self.place();
            }
            "COLUMN" | "COL" => {
                self.begin_clause(&["NUMBER", "IS"]);
                match self.number() {
                    Some(column) => entry.column = column,
                    None => self.wrong("a column number"),
                }
            }
            "PIC" | "PICTURE" => self.picture(entry),
            "SOURCE" => {
                self.begin_clause(&["IS"]);
                let identifier = self.source();
                entry.content = Some(Content::Source(identifier));
            }
            "VALUE" => {
                self.begin_clause(&["IS"]);
                let all = self.word() == "ALL";
                let end = (self.at + 1 + usize::from(all)).min(self.tokens.len());
                entry.content = Some(Content::Value(self.tokens[self.at..end].to_vec()));
                self.at = end;
            }
            "SUM" => self.sum(entry),
            "UPON" => self.upon(entry),
            "RESET" => {
                self.begin_clause(&["ON"]);
                let control = self.control(definition);
                if let Some(sum) = &mut entry.sum {
                    sum.reset = control;
                }
            }
            "GROUP" => {
                self.begin_clause(&["INDICATE"]);
                entry.group_indicate = true;
            }
            "BLANK" | "JUST" | "JUSTIFIED" | "SIGN" | "LEADING" | "TRAILING" | "USAGE" | "DISPLAY" => self.pass_clause(entry),
            "OCCURS" => {
                self.report.severe(span, "OCCURS is not supported in the REPORT SECTION");
                self.at += 1;
            }
            _ => {}
        }
    }

    /// PICTURE: the text, and the clause for the field of the line.
    fn picture(&mut self, entry: &mut Entry) {
        let start = self.at;
        self.begin_clause(&["IS"]);
        if let Some(TokenKind::Picture(text)) = self.tokens.get(self.at).map(|token| token.kind.clone()) {
            self.at += 1;
            let tokens = self.tokens[start..self.at].to_vec();
            let rest = entry.picture.take().map_or_else(Vec::new, |(_, rest)| rest);
            entry.picture = Some((text.to_string(), [tokens, rest].concat()));
        }
    }

    /// UPON: the report groups whose lines are summed.
    fn upon(&mut self, entry: &mut Entry) {
        self.at += 1;
        while !self.at_period() && !is_clause(self.word()) {
            let name = self.word().to_string();
            if let Some(sum) = &mut entry.sum {
                sum.upon.push(name);
            }
            self.at += 1;
        }
    }

    /// Clauses that are copied unchanged to the field of the line.
    fn pass_clause(&mut self, entry: &mut Entry) {
        let start = self.at;
        self.at += 1;
        while !self.at_period() && (!is_clause(self.word()) || matches!(self.word(), "LEADING" | "TRAILING" | "DISPLAY")) {
            entry.sign_separate |= self.word() == "SEPARATE";
            self.at += 1;
        }
        let tokens = &self.tokens[start..self.at];
        if tokens[0].is_word("USAGE") || tokens[0].is_word("DISPLAY") {
            return;
        }
        let (text, mut description) = entry.picture.take().unwrap_or_default();
        description.extend_from_slice(tokens);
        entry.picture = Some((text, description));
    }

    /// SOURCE: an identifier or a literal.
    fn source(&mut self) -> Vec<Token> {
        match self.tokens.get(self.at).map(|token| &token.kind) {
            Some(TokenKind::Word(_)) => self.identifier(),
            Some(_) => {
                self.at += 1;
                self.tokens[self.at - 1..self.at].to_vec()
            }
            None => Vec::new(),
        }
    }

    fn sum(&mut self, entry: &mut Entry) {
        self.at += 1;
        self.accept("OF");
        let mut operands = Vec::new();
        while !self.at_period() && !is_clause(self.word()) {
            operands.push(self.identifier());
        }
        match &mut entry.sum {
            Some(sum) => sum.operands.append(&mut operands),
            None => entry.sum = Some(Sum { counter: String::new(), operands, upon: Vec::new(), reset: None }),
        }
    }

    /// `integer [ON NEXT PAGE]`, `PLUS integer` or `NEXT PAGE`.
    fn place(&mut self) -> Option<Place> {
        if self.accept("PLUS") || self.accept_plus() {
            return self.number().map(Place::Relative);
        }
        if self.accept("NEXT") {
            self.accept("PAGE");
            return Some(Place::NextPage);
        }
        let line = self.number()?;
        self.accept("ON");
        let next_page = self.word() == "NEXT" && self.tokens.get(self.at + 1).is_some_and(|token| token.is_word("PAGE"));
        self.at += if next_page { 2 } else { 0 };
        Some(Place::Absolute { line, next_page })
    }

    fn accept_plus(&mut self) -> bool {
        let plus = self.tokens.get(self.at).is_some_and(|token| token.kind == TokenKind::Plus);
        self.at += usize::from(plus);
        plus
    }

    fn group_type(&mut self, entry: &mut Entry, definition: &Definition) {
        let word = self.word().to_string();
        self.at += 1;
        let long = |reader: &mut Self| {
            let heading = reader.accept("HEADING");
            if !heading {
                reader.accept("FOOTING");
            }
            heading
        };
        let (kind, is_control) = match word.as_str() {
            "RH" => (GroupKind::ReportHeading, false),
            "RF" => (GroupKind::ReportFooting, false),
            "PH" => (GroupKind::PageHeading, false),
            "PF" => (GroupKind::PageFooting, false),
            "CH" => (GroupKind::ControlHeading, true),
            "CF" => (GroupKind::ControlFooting, true),
            "DE" | "DETAIL" => (GroupKind::Detail, false),
            "REPORT" => (if long(self) { GroupKind::ReportHeading } else { GroupKind::ReportFooting }, false),
            "PAGE" => (if long(self) { GroupKind::PageHeading } else { GroupKind::PageFooting }, false),
            "CONTROL" => (if long(self) { GroupKind::ControlHeading } else { GroupKind::ControlFooting }, true),
            _ => {
                self.at -= 1;
                return self.wrong("a type of report group");
            }
        };
        let control = if is_control {
            self.accept_any(&["ON", "FOR"]);
            self.control(definition).unwrap_or(0)
        } else {
            0
        };
        entry.kind = Some((kind, control));
    }

    /// A control by its name or FINAL; the only one when none is named.
    fn control(&mut self, definition: &Definition) -> Option<usize> {
        let span = self.span();
        if self.at_period() || is_clause(self.word()) {
            return Some(0);
        }
        let wanted = if self.accept("FINAL") { Vec::new() } else { self.identifier() };
        let words = |tokens: &[Token]| tokens.iter().map(Token::describe).collect::<Vec<_>>();
        let found = definition.controls.iter().position(|control| words(control) == words(&wanted));
        if found.is_none() {
            self.report.severe(span, "this is not a control of the report");
        }
        found
    }
}

#[derive(Default)]
struct Entry {
    name: Option<String>,
    kind: Option<(GroupKind, usize)>,
    line: Option<Place>,
    next_group: Option<Place>,
    column: u32,
    picture: Option<(String, Vec<Token>)>,
    content: Option<Content>,
    sum: Option<Sum>,
    group_indicate: bool,
    sign_separate: bool,
    span: Span,
}

fn is_clause(word: &str) -> bool {
    matches!(
        word,
        "TYPE"
            | "LINE"
            | "LINES"
            | "NEXT"
            | "COLUMN"
            | "COL"
            | "PIC"
            | "PICTURE"
            | "SOURCE"
            | "VALUE"
            | "SUM"
            | "UPON"
            | "RESET"
            | "GROUP"
            | "BLANK"
            | "JUST"
            | "JUSTIFIED"
            | "SIGN"
            | "LEADING"
            | "TRAILING"
            | "USAGE"
            | "DISPLAY"
            | "OCCURS"
    )
}
