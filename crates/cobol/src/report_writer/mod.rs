//! Report writer: transforms a program with a REPORT SECTION into one without it, as IBM's Report Writer Precompiler does.
//!
//! Contents: reports as defined ([`definition`]), the reader of their descriptions ([`mod@describe`]), the COBOL that presents them
//! ([`produce`]) and the splicing of that COBOL into the program's tokens. INITIATE, GENERATE, TERMINATE and SUPPRESS become PERFORMs and
//! MOVEs; counters, sums and lines become items of WORKING-STORAGE; the procedures follow the program's own. Rules: COBOL 85, "Report
//! Writer module".
//!
//! Invariants: tokens outside the REPORT SECTION and the four verbs are not changed; every generated token has the place of the entry or
//! statement it was made from, so messages point there; generated names begin with `RW--`, which no program writes by chance.

mod code;
mod definition;
mod describe;
mod produce;

use crate::lexer::{Token, TokenKind};
use crate::report::{Part, Report};
pub use code::Code;
use definition::{Definition, GroupKind};
use describe::describe;

/// Replaces every REPORT SECTION. Tokens of programs without one are returned unchanged.
pub fn expand<'a>(tokens: &'a [Token], report: &mut Report, storage: &'a mut Vec<Token>) -> &'a [Token] {
    if !has_report_section(tokens) {
        return tokens;
    }
    let before = report.enter(Part::Data);
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 1000);
    let mut at = 0;
    // The end of the source belongs to no program: a REPORT SECTION reaches to the end of its own.
    let (source_end, tokens) = tokens.split_last().expect("a source has an end");
    // One program at a time, from its PROGRAM-ID to the next or to the end.
    while at < tokens.len() {
        let end = program_end(tokens, at);
        let unit = &tokens[at..end];
        if has_report_section(unit) {
            expand_program(unit, report, &mut out);
        } else {
            out.extend_from_slice(unit);
        }
        at = end;
    }
    out.push(source_end.clone());
    report.enter(before);
    *storage = out;
    storage
}

fn has_report_section(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| pair[0].is_word("REPORT") && pair[1].is_word("SECTION"))
}

/// The index of the division headers of the next program, or of its END PROGRAM.
fn program_end(tokens: &[Token], start: usize) -> usize {
    let mut seen = false;
    for at in start..tokens.len() {
        let next_is = |word: &str| tokens.get(at + 1).is_some_and(|next| next.is_word(word));
        let heads = matches!(tokens[at].word(), Some("IDENTIFICATION" | "ID")) && next_is("DIVISION");
        let ends = tokens[at].is_word("END") && next_is("PROGRAM");
        let bare = tokens[at].is_word("PROGRAM-ID") && !(at > 0 && tokens[at - 1].kind == TokenKind::Period && at < start + 5);
        if seen && (heads || ends || bare) {
            return at;
        }
        seen |= tokens[at].is_word("DIVISION");
    }
    tokens.len()
}

fn expand_program(unit: &[Token], report: &mut Report, out: &mut Vec<Token>) {
    let procedure = unit.windows(2).position(|pair| pair[0].is_word("PROCEDURE") && pair[1].is_word("DIVISION")).unwrap_or(unit.len());
    let is_report_section = |pair: &[Token]| pair[0].is_word("REPORT") && pair[1].is_word("SECTION");
    let Some(section) = unit[..procedure].windows(2).position(is_report_section) else {
        // It is in the procedure division: the parser reports it.
        out.extend_from_slice(unit);
        return;
    };
    let section_end = (section + 2..procedure)
        .find(|at| {
            let section = matches!(unit[*at].word(), Some("WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "FILE" | "COMMUNICATION"));
            section && unit.get(*at + 1).is_some_and(|next| next.is_word("SECTION"))
        })
        .unwrap_or(procedure);
    let files = report_files(&unit[..procedure]);
    let definitions = describe(&unit[section + 2..section_end], &files, report);
    let uses = before_reporting(&unit[procedure..], &definitions);
    copy_data(&unit[..section], &files, out);
    let mut data = Code::new(unit[section].span);
    data.text("WORKING-STORAGE SECTION .");
    for definition in &definitions {
        produce::data(definition, &mut data);
    }
    out.append(&mut data.tokens);
    out.extend_from_slice(&unit[section_end..procedure]);
    if procedure == unit.len() {
        return;
    }
    copy_procedures(&unit[procedure..], &definitions, &uses, report, out);
    let mut code = Code::new(unit[unit.len() - 1].span);
    code.text("RW--SECTION SECTION . RW--GUARD . GOBACK .");
    for definition in &definitions {
        produce::procedures(definition, &uses, &mut code);
    }
    out.append(&mut code.tokens);
}

/// A file that reports are written to.
pub struct ReportFile {
    reports: Vec<String>,
    /// Bytes of a line.
    width: u32,
    /// The FD entry's tokens that name the reports, and its period.
    clause: (usize, usize),
    period: usize,
}

/// FD entries with REPORT IS or REPORTS ARE.
fn report_files(tokens: &[Token]) -> Vec<ReportFile> {
    let mut files = Vec::new();
    for start in (0..tokens.len()).filter(|at| tokens[*at].is_word("FD")) {
        let Some(length) = tokens[start..].iter().position(|token| token.kind == TokenKind::Period) else { continue };
        let entry = &tokens[start..start + length];
        let Some(clause) = entry.iter().position(|token| matches!(token.word(), Some("REPORT" | "REPORTS"))) else { continue };
        let mut at = clause + 1;
        while entry.get(at).is_some_and(|token| matches!(token.word(), Some("IS" | "ARE"))) {
            at += 1;
        }
        let mut reports = Vec::new();
        while let Some(name) = entry.get(at).and_then(Token::word).filter(|word| !is_file_clause(word)) {
            reports.push(name.to_string());
            at += 1;
        }
        let contains = entry.iter().position(|token| token.is_word("RECORD"));
        let numbers = |from: usize| {
            entry[from..].iter().take(6).filter_map(|token| match &token.kind {
                TokenKind::Number(number) => number.integer(),
                _ => None,
            })
        };
        let width = contains.and_then(|from| numbers(from).next_back()).unwrap_or(132);
        let clause = (start + clause, start + at);
        files.push(ReportFile { reports, width: width.clamp(1, 32_760) as u32, clause, period: start + length });
    }
    files
}

fn is_file_clause(word: &str) -> bool {
    matches!(word, "BLOCK" | "RECORD" | "LABEL" | "VALUE" | "DATA" | "LINAGE" | "CODE-SET" | "RECORDING" | "IS" | "GLOBAL" | "EXTERNAL")
}

/// The data division before the REPORT SECTION: report files get a record of their own.
fn copy_data(tokens: &[Token], files: &[ReportFile], out: &mut Vec<Token>) {
    for (at, token) in tokens.iter().enumerate() {
        if files.iter().any(|file| (file.clause.0..file.clause.1).contains(&at)) {
            continue;
        }
        out.push(token.clone());
        if let Some((number, file)) = files.iter().enumerate().find(|(_, file)| file.period == at) {
            let mut code = Code::new(token.span);
            code.text(&format!("01 {} PIC X({}) .", record_name(number), file.width));
            out.append(&mut code.tokens);
        }
    }
}

fn record_name(file: usize) -> String {
    format!("RW--RECORD-{}", file + 1)
}

/// Declarative sections with USE BEFORE REPORTING: group and section.
fn before_reporting(tokens: &[Token], definitions: &[Definition]) -> Vec<(String, String)> {
    let mut uses = Vec::new();
    let mut section = String::new();
    for at in 0..tokens.len() {
        let word = |ahead: usize| tokens.get(at + ahead).and_then(Token::word).unwrap_or("");
        if word(1) == "SECTION" && at > 0 && tokens[at - 1].kind == TokenKind::Period {
            section = word(0).to_string();
        }
        if word(0) == "BEFORE" && word(1) == "REPORTING" {
            let known = definitions.iter().flat_map(|definition| &definition.groups).find(|group| group.name == word(2));
            if let Some(group) = known {
                uses.push((group.name.clone(), section.clone()));
            }
        }
    }
    uses
}

/// The procedure division with the four verbs replaced.
fn copy_procedures(tokens: &[Token], definitions: &[Definition], uses: &[(String, String)], report: &mut Report, out: &mut Vec<Token>) {
    let mut at = 0;
    let mut section = String::new();
    while at < tokens.len() {
        let token = &tokens[at];
        let word = |ahead: usize| tokens.get(at + ahead).and_then(Token::word).unwrap_or("");
        if word(1) == "SECTION" {
            section = word(0).to_string();
        }
        let mut code = Code::new(token.span);
        let taken = match word(0) {
            "INITIATE" | "TERMINATE" => verb_with_reports(&tokens[at..], definitions, report, &mut code),
            "GENERATE" if !matches!(tokens[..at].last().and_then(Token::word), Some("XML" | "JSON")) => {
                generate(&tokens[at..], definitions, report, &mut code)
            }
            "SUPPRESS" if matches!(word(1), "PRINTING") || tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Period) => {
                if let Some((group, _)) = uses.iter().find(|(_, used)| *used == section) {
                    code.text(&format!("MOVE 1 TO RW--SUPPRESS-{group}"));
                }
                1 + usize::from(word(1) == "PRINTING")
            }
            "USE" if before_place(&tokens[at..]).is_some() => {
                // The section is performed by the generated procedures; its USE sentence has no other effect.
                before_place(&tokens[at..]).unwrap_or(1)
            }
            _ => 0,
        };
        if taken == 0 {
            out.push(token.clone());
            at += 1;
        } else {
            out.append(&mut code.tokens);
            at += taken;
        }
    }
}

/// Tokens of a USE BEFORE REPORTING sentence with its period.
fn before_place(tokens: &[Token]) -> Option<usize> {
    let end = tokens.iter().position(|token| token.kind == TokenKind::Period)?;
    tokens[..end].iter().any(|token| token.is_word("REPORTING")).then_some(end + 1)
}

fn verb_with_reports(tokens: &[Token], definitions: &[Definition], report: &mut Report, code: &mut Code) -> usize {
    let paragraph = if tokens[0].is_word("INITIATE") { "INITIATE" } else { "TERMINATE" };
    let mut at = 1;
    while let Some(name) = tokens.get(at).and_then(Token::word) {
        let Some(definition) = definitions.iter().find(|definition| definition.name == name) else { break };
        code.text(&format!("PERFORM RW--{paragraph}-{}", definition.name));
        at += 1;
    }
    if at == 1 {
        report.severe(tokens[0].span, format!("{} needs the name of a report", tokens[0].word().unwrap_or("")));
        code.text("CONTINUE");
    }
    at
}

fn generate(tokens: &[Token], definitions: &[Definition], report: &mut Report, code: &mut Code) -> usize {
    let name = tokens.get(1).and_then(Token::word).unwrap_or("");
    let known = definitions.iter().any(|definition| {
        definition.name == name || definition.groups.iter().any(|group| group.name == name && group.kind == GroupKind::Detail)
    });
    if known {
        code.text(&format!("PERFORM RW--GENERATE-{name}"));
    } else {
        report.severe(tokens[0].span, format!("GENERATE {name}: it is not a report or a DETAIL group"));
        code.text("CONTINUE");
    }
    // Qualification by the report's name.
    match tokens.get(2).and_then(Token::word) {
        Some("OF" | "IN") => 4,
        _ => 2,
    }
}
