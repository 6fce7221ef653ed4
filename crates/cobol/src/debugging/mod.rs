//! USE FOR DEBUGGING: the debugging sections of a program compiled WITH DEBUGGING MODE (Language Reference, "DEBUG-ITEM" and the
//! debugging declarative; ANSI X3.23-1985, module DEB, for files and identifiers, which IBM's declarative does not name).
//!
//! This module monitors procedures, by extending the program's tokens: DEBUG-ITEM in WORKING-STORAGE; before a GO TO, PERFORM or ALTER,
//! MOVEs that note the cause and the line; at the head of a monitored procedure, a PERFORM of its debugging section. Files and identifiers
//! are left in the USE sentence: the parser monitors them statement by statement ([`crate::parse`]). Programs without such sections, or
//! without DEBUGGING MODE, are not changed (the parser then skips the sections).
//!
//! Invariants: only statements of procedures outside the debugging sections are extended; generated names begin with [`DEBUGGING_PREFIX`]; a
//! debugging section is performed only while the run-time option DEBUG is on.

use crate::lexer::{Token, TokenKind};
use crate::names::DEBUGGING_PREFIX;
use crate::report_writer::Code;
use crate::words;

/// The condition-name of the object-time switch.
pub const SWITCH: &str = "DB--SWITCH";
/// Minimum length of DEBUG-CONTENTS, which is as long as the longest monitored item.
const CONTENTS: u32 = 120;
/// Longest cause: a procedure name or a text such as PERFORM LOOP.
const CAUSE: u32 = 30;

/// Extends the tokens of a program that monitors its procedures; others are returned unchanged.
pub fn expand<'a>(tokens: &'a [Token], storage: &'a mut Vec<Token>) -> &'a [Token] {
    let pair = |first: &str, second: &str| tokens.windows(2).any(|pair| pair[0].is_word(first) && pair[1].is_word(second));
    let monitors = pair("FOR", "DEBUGGING") || pair("USE", "DEBUGGING");
    if !pair("DEBUGGING", "MODE") || !monitors {
        return tokens;
    }
    let Some(start) = tokens.windows(2).position(|pair| pair[0].is_word("PROCEDURE") && pair[1].is_word("DIVISION")) else {
        return tokens;
    };
    let mut monitor = Monitor::default();
    monitor.sections(&tokens[start..]);
    if monitor.sections.is_empty() {
        return tokens;
    }
    let mut out = data(&tokens[..start], &monitor.items);
    monitor.procedures(&tokens[start..], &mut out);
    *storage = out;
    storage
}

/// The preceding divisions, with DEBUG-ITEM after all other data. DEBUG-CONTENTS has room for each of `items`.
fn data(tokens: &[Token], items: &[Vec<String>]) -> Vec<Token> {
    let mut out = tokens.to_vec();
    let mut code = Code::new(tokens.last().map_or(crate::span::Span::NONE, |token| token.span));
    if !tokens.windows(2).any(|pair| pair[0].is_word("DATA") && pair[1].is_word("DIVISION")) {
        code.text("DATA DIVISION .");
    }
    code.text("WORKING-STORAGE SECTION . 01 DEBUG-ITEM . 02 DEBUG-LINE PIC X(6) . 02 FILLER PIC X VALUE SPACE .");
    code.text("02 DEBUG-NAME PIC X(30) . 02 FILLER PIC X VALUE SPACE .");
    for number in 1..=3 {
        code.text(&format!("02 DEBUG-SUB-{number} PIC S9(4) SIGN LEADING SEPARATE VALUE 0 . 02 FILLER PIC X VALUE SPACE ."));
    }
    code.text(&format!("02 DEBUG-CONTENTS . 03 {DEBUGGING_PREFIX}CONTENTS PIC X({CONTENTS}) ."));
    for (number, names) in items.iter().flat_map(|names| described(tokens, names)).enumerate() {
        code.text(&format!("03 {DEBUGGING_PREFIX}CONTENTS-{number} REDEFINES {DEBUGGING_PREFIX}CONTENTS SAME AS {} .", names.join(" OF ")));
    }
    code.text(&format!("01 {DEBUGGING_PREFIX}LINE PIC X(6) VALUE SPACES . 01 {DEBUGGING_PREFIX}SORT PIC X({CAUSE}) VALUE SPACES ."));
    code.text(&format!("01 {DEBUGGING_PREFIX}CAUSE PIC X({CAUSE}) VALUE"));
    code.literal("START PROGRAM");
    code.text(".");
    out.append(&mut code.tokens);
    out
}

/// The items whose contents DEBUG-CONTENTS shows: the item itself, or the records of a file.
fn described(tokens: &[Token], names: &[String]) -> Vec<Vec<String>> {
    let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or("");
    let Some(file) = (0..tokens.len()).find(|at| word(*at) == "FD" && word(*at + 1) == names[0]) else {
        return vec![names.to_vec()];
    };
    let mut records = Vec::new();
    for at in file + 2..tokens.len() {
        if matches!(word(at), "FD" | "SD") || word(at + 1) == "SECTION" {
            break;
        }
        let begins = tokens[at - 1].kind == TokenKind::Period;
        let is_record = matches!(&tokens[at].kind, TokenKind::Number(level) if begins && matches!(&*level.text, "1" | "01"));
        if is_record && !matches!(word(at + 1), "" | "FILLER") {
            records.push(vec![word(at + 1).to_string(), names[0].clone()]);
        }
    }
    records
}

#[derive(Default)]
struct Monitor {
    /// Debugging sections, with the names they monitor; `None`: ALL PROCEDURES.
    sections: Vec<(String, Option<Vec<String>>)>,
    /// Monitored files and identifiers, each with its qualifiers.
    items: Vec<Vec<String>>,
    all_names: Vec<String>,
    /// Sections that are output procedures of SORT or MERGE.
    outputs: Vec<String>,
    /// A debugging section, or another section of the declaratives, is being copied.
    in_debugging: bool,
    in_declaratives: bool,
}

impl Monitor {
    /// Finds USE FOR DEBUGGING sections, all procedure names and output procedures.
    fn sections(&mut self, tokens: &[Token]) {
        let mut section = String::new();
        let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or("");
        for at in 1..tokens.len() {
            if let Some(name) = heading(tokens, at) {
                self.all_names.push(name.to_string());
            }
            if word(at) == "OUTPUT" && word(at + 1) == "PROCEDURE" {
                let name = if word(at + 2) == "IS" { word(at + 3) } else { word(at + 2) };
                self.outputs.push(name.to_string());
            }
        }
        for at in 1..tokens.len() {
            if heading(tokens, at).is_some() && word(at + 1) == "SECTION" {
                section = word(at).to_string();
            }
            if word(at) == "USE" && (word(at + 1) == "DEBUGGING" || (word(at + 1) == "FOR" && word(at + 2) == "DEBUGGING")) {
                self.section(&section, &tokens[at..]);
            }
        }
    }

    /// The names monitored by one section, from its USE sentence.
    fn section(&mut self, section: &str, tokens: &[Token]) {
        let (mut monitored, mut all) = (Vec::new(), false);
        let words: Vec<&str> = tokens.iter().take_while(|token| token.kind != TokenKind::Period).filter_map(Token::word).collect();
        for (at, name) in words.iter().enumerate() {
            // OF follows a name, or REFERENCES.
            let qualifies = at > 1 && matches!(words[at - 1], "OF" | "IN") && words[at - 2] != "REFERENCES";
            match *name {
                "PROCEDURES" => all = true,
                "USE" | "FOR" | "DEBUGGING" | "ON" | "ALL" | "REFERENCES" | "OF" | "IN" => {}
                name if qualifies => {
                    if let Some(item) = self.items.last_mut() {
                        item.push(name.to_string());
                    }
                }
                name if self.all_names.iter().any(|known| known == name) => monitored.push(name.to_string()),
                name => self.items.push(vec![name.to_string()]),
            }
        }
        self.sections.push((section.to_string(), (!all).then_some(monitored)));
    }

    /// The debugging section of a procedure.
    fn section_of(&self, name: &str) -> Option<&str> {
        let by_name = self.sections.iter().find(|(_, names)| names.as_ref().is_some_and(|names| names.iter().any(|known| known == name)));
        by_name.or_else(|| self.sections.iter().find(|(_, names)| names.is_none())).map(|(section, _)| section.as_str())
    }

    fn procedures(&mut self, tokens: &[Token], out: &mut Vec<Token>) {
        let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or("");
        let mut at = 0;
        while at < tokens.len() {
            match (word(at), word(at + 1)) {
                ("DECLARATIVES", _) => (self.in_declaratives, self.in_debugging) = (word(at.wrapping_sub(1)) != "END", false),
                ("END", "DECLARATIVES") => self.in_debugging = false,
                _ => {}
            }
            if let Some(name) = heading(tokens, at).filter(|_| at > 0) {
                at = self.heading(tokens, at, name, out);
                continue;
            }
            if word(at) == "USE" && self.in_debugging {
                at += self.use_sentence(&tokens[at..], out);
                continue;
            }
            let taken = if self.in_debugging { 0 } else { self.statement(&tokens[at..], out) };
            if taken == 0 {
                out.push(tokens[at].clone());
                at += 1;
            } else {
                at += taken;
            }
        }
    }

    /// The USE sentence of a debugging section, without the procedures: generated statements perform the section for those.
    fn use_sentence(&self, tokens: &[Token], out: &mut Vec<Token>) -> usize {
        let end = tokens.iter().position(|token| token.kind == TokenKind::Period).unwrap_or(0) + 1;
        let is_procedure =
            |token: &Token| token.is_word("PROCEDURES") || token.word().is_some_and(|word| self.all_names.iter().any(|name| name == word));
        out.extend(tokens[..end].iter().filter(|token| !is_procedure(token)).cloned());
        end
    }

    /// A procedure header: the fall-through from the procedure before, and the monitoring of this one.
    fn heading(&mut self, tokens: &[Token], at: usize, name: &str, out: &mut Vec<Token>) -> usize {
        let is_section = tokens.get(at + 1).is_some_and(|next| next.is_word("SECTION"));
        if is_section {
            self.in_debugging = self.sections.iter().any(|(section, _)| section == name);
        }
        let mut code = Code::new(tokens[at].span);
        let end = at + tokens[at..].iter().position(|token| token.kind == TokenKind::Period).unwrap_or(0) + 1;
        out.extend_from_slice(&tokens[at..end]);
        if self.in_debugging {
            return end;
        }
        // In the declaratives USE follows the header of a section, which an error enters.
        let uses = tokens.get(end).is_some_and(|next| next.is_word("USE"));
        let mut end = end;
        if uses {
            let after = end + tokens[end..].iter().position(|token| token.kind == TokenKind::Period).unwrap_or(0) + 1;
            out.extend_from_slice(&tokens[end..after]);
            end = after;
        }
        let is_output = self.outputs.iter().any(|output| output == name);
        if is_output {
            // The SORT noted it before its input procedure ran.
            code.text("IF DB--SORT NOT = SPACES MOVE DB--SORT TO DB--CAUSE MOVE SPACES TO DB--SORT END-IF");
        }
        if let Some(section) = self.section_of(name).map(str::to_string) {
            code.text(&format!("IF {SWITCH} MOVE SPACES TO DEBUG-ITEM MOVE DB--LINE TO DEBUG-LINE MOVE"));
            if uses {
                code.literal("USE PROCEDURE");
            } else {
                code.text("DB--CAUSE");
            }
            code.text("TO DEBUG-CONTENTS MOVE");
            code.literal(name);
            code.text(&format!("TO DEBUG-NAME PERFORM {section} END-IF"));
        }
        code.text("MOVE");
        code.literal("FALL THROUGH");
        code.text("TO DB--CAUSE MOVE");
        code.literal(&format!("{:06}", tokens[at].span.line));
        code.text("TO DB--LINE .");
        out.append(&mut code.tokens);
        end
    }

    /// A GO TO, PERFORM, ALTER, SORT or MERGE with the note of its effect; returns the number of tokens taken.
    fn statement(&self, tokens: &[Token], out: &mut Vec<Token>) -> usize {
        match tokens[0].word() {
            Some("GO") => {
                note(tokens, "", out);
                out.push(tokens[0].clone());
                1
            }
            Some("PERFORM") => self.perform(tokens, out),
            Some("ALTER") => self.alter(tokens, out),
            Some("SORT") => {
                note(tokens, "SORT INPUT", out);
                if !self.outputs.is_empty() {
                    let mut code = Code::new(tokens[0].span);
                    code.text("MOVE");
                    code.literal("SORT OUTPUT");
                    code.text("TO DB--SORT");
                    out.append(&mut code.tokens);
                }
                out.push(tokens[0].clone());
                1
            }
            Some("MERGE") => {
                note(tokens, "MERGE OUTPUT", out);
                out.push(tokens[0].clone());
                1
            }
            _ => 0,
        }
    }

    /// PERFORM of procedures: each execution of the range notes the loop, so an out-of-line loop becomes an inline one around it.
    fn perform(&self, tokens: &[Token], out: &mut Vec<Token>) -> usize {
        let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or("");
        if !self.all_names.iter().any(|name| name == word(1)) {
            return 0;
        }
        let mut range = 2;
        if matches!(word(range), "OF" | "IN") {
            range += 2;
        }
        if matches!(word(range), "THRU" | "THROUGH") {
            range += 2;
            if matches!(word(range), "OF" | "IN") {
                range += 2;
            }
        }
        let ends = |token: &Token| {
            token.kind == TokenKind::Period
                || token.is_end()
                || token.word().is_some_and(|word| words::is_verb(word) || word.starts_with("END-") || matches!(word, "ELSE" | "WHEN"))
        };
        let end = range + tokens[range..].iter().position(ends).unwrap_or(0);
        if end > range {
            out.push(tokens[0].clone());
            out.extend_from_slice(&tokens[range..end]);
        }
        note(tokens, "PERFORM LOOP", out);
        out.extend_from_slice(&tokens[..range]);
        if end > range {
            let mut code = Code::new(tokens[0].span);
            code.text("END-PERFORM");
            out.append(&mut code.tokens);
        }
        end
    }

    /// ALTER: the debugging section runs after it, with the new target.
    fn alter(&self, tokens: &[Token], out: &mut Vec<Token>) -> usize {
        let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or("");
        let mut at = 1;
        let mut code = Code::new(tokens[0].span);
        while self.all_names.iter().any(|name| name == word(at)) {
            let name = word(at);
            while !matches!(word(at), "TO" | "") {
                at += 1;
            }
            while matches!(word(at), "TO" | "PROCEED") {
                at += 1;
            }
            if let Some(section) = self.section_of(name) {
                code.text(&format!("IF {SWITCH} MOVE SPACES TO DEBUG-ITEM MOVE"));
                code.literal(&format!("{:06}", tokens[0].span.line));
                code.text("TO DEBUG-LINE MOVE");
                code.literal(name);
                code.text("TO DEBUG-NAME MOVE");
                code.literal(word(at));
                code.text(&format!("TO DEBUG-CONTENTS PERFORM {section} END-IF"));
            }
            at += 1;
        }
        out.extend_from_slice(&tokens[..at]);
        out.append(&mut code.tokens);
        at
    }
}

/// MOVEs of the cause and the line of a statement.
fn note(tokens: &[Token], cause: &str, out: &mut Vec<Token>) {
    let mut code = Code::new(tokens[0].span);
    code.text("MOVE");
    match cause {
        "" => code.text("SPACES"),
        cause => code.literal(cause),
    }
    code.text("TO DB--CAUSE MOVE");
    code.literal(&format!("{:06}", tokens[0].span.line));
    code.text("TO DB--LINE");
    out.append(&mut code.tokens);
}

/// The procedure name that begins at a token.
fn heading(tokens: &[Token], at: usize) -> Option<&str> {
    let before = at.checked_sub(1).map(|before| &tokens[before].kind)?;
    let next = tokens.get(at + 1)?;
    let name = match &tokens[at].kind {
        TokenKind::Word(word) if !words::is_reserved(word) => word,
        TokenKind::Number(number) => &number.text,
        _ => return None,
    };
    let heads = *before == TokenKind::Period && (next.kind == TokenKind::Period || next.is_word("SECTION"));
    heads.then_some(&**name)
}
