//! MDECK: the source after library processing, written as a source of 80 columns.
//!
//! Rules: Enterprise COBOL for z/OS Programming Guide, "MDECK": COPY and REPLACE are carried out, COPY statements become comments, EXEC,
//! CBL and PROCESS statements are unchanged.
//!
//! Invariants: an unchanged line is written as it was; every other line is rebuilt from its text words, and none of them is lost; lines
//! that conditional compilation leaves out become comments.

use super::words::{TextWord, WordKind};
use super::{CopyResolver, SourceMap, preprocess};
use crate::diagnostics::Diagnostics;
use crate::options::Options;

/// Indexes of column 7, of the first of area A and of area B, and the end of column 72.
const INDICATOR: usize = 6;
const AREA_A: usize = 7;
const AREA_B: usize = 11;
const TEXT_END: usize = 72;

/// The source with everything copied in and replaced.
pub fn deck(name: &str, bytes: &[u8], options: &Options, resolver: &dyn CopyResolver) -> String {
    let mut options = options.clone();
    let mut ignored = Diagnostics::new(options.error_limit);
    let read = preprocess(name, bytes, &mut options, resolver, &mut ignored);
    let files = read.sources.files().len();
    let mut deck =
        Deck { sources: &read.sources, excluded: options.listing.excluded, passed: vec![0; files], open: vec![0], text: String::new() };
    for words in read.words.chunk_by(|a, b| (a.span.file, a.span.line) == (b.span.file, b.span.line)) {
        let (file, line) = (words[0].span.file, words[0].span.line);
        deck.reach(file, line);
        let source: Vec<char> = read.sources.line_text(file, line).chars().collect();
        if is_unchanged(&source, words) {
            deck.line(&source)
        } else {
            deck.anew(words)
        }
        deck.passed[usize::from(file)] = deck.passed[usize::from(file)].max(line as usize);
    }
    while let Some(file) = deck.open.pop() {
        deck.pass(file, usize::MAX);
    }
    deck.text
}

struct Deck<'a> {
    sources: &'a SourceMap,
    /// CONDCOMP(NOSKIPSRC): lines that are not compiled are there as comments.
    excluded: bool,
    /// Of each file, how many lines are done.
    passed: Vec<usize>,
    /// The files being read, the main source first.
    open: Vec<u16>,
    text: String,
}

impl Deck<'_> {
    /// Passes all lines before the given one.
    fn reach(&mut self, file: u16, line: u32) {
        let mut chain = vec![file];
        chain.extend(self.sources.copy_chain(file).iter().map(|at| at.file));
        chain.reverse();
        while self.open.last().is_some_and(|last| !chain.contains(last)) {
            let ended = self.open.pop().unwrap_or(0);
            self.pass(ended, usize::MAX);
        }
        for pair in chain.windows(2) {
            let end = self.sources.file(pair[1]).map_or(0, |copied| copied.included_end_line);
            self.pass(pair[0], end as usize);
        }
        self.open = chain;
        self.pass(file, line as usize - 1);
    }

    /// Lines without text words: comments stay, executed statements become comments.
    fn pass(&mut self, file: u16, to: usize) {
        let Some(source) = self.sources.file(file) else { return };
        let to = to.min(source.lines.len());
        for index in self.passed[usize::from(file)]..to {
            let line: Vec<char> = source.lines[index].chars().collect();
            let text: String = line.iter().collect::<String>().trim().to_ascii_uppercase();
            let card = text.starts_with("CBL ") || text.starts_with("PROCESS ");
            let is_comment = matches!(line.get(INDICATOR), Some('*' | '/'));
            let hidden = !self.excluded && source.is_excluded(index as u32 + 1);
            match () {
                () if hidden => {}
                () if text.is_empty() || card || is_comment => self.line(&line),
                () => self.comment(&line),
            }
        }
        self.passed[usize::from(file)] = self.passed[usize::from(file)].max(to);
    }

    /// A line as it is, to column 72.
    fn line(&mut self, line: &[char]) {
        let text: String = line.iter().take(TEXT_END).collect();
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn comment(&mut self, line: &[char]) {
        let in_text = line.iter().take(AREA_A).all(|character| *character == ' ' || character.is_ascii_digit());
        let mut comment: Vec<char> = if in_text { line.to_vec() } else { [&[' '; AREA_A], line].concat() };
        comment[INDICATOR] = '*';
        self.line(&comment);
    }

    /// The words on lines of their own.
    fn anew(&mut self, words: &[TextWord]) {
        let indicator = if words[0].debug { 'D' } else { ' ' };
        let mut line = vec![' '; if words[0].area_a { AREA_A } else { AREA_B }];
        line[INDICATOR] = indicator;
        let mut begun = line.len();
        for unit in words.chunk_by(|_, next| !next.spaced) {
            let length: usize = unit.iter().map(|word| word.text.chars().count()).sum();
            let gap = usize::from(line.len() > begun);
            if line.len() + gap + length > TEXT_END && line.len() > begun {
                self.line(&line);
                (line, begun) = (fresh(indicator), AREA_B);
            } else if gap > 0 {
                line.push(' ');
            }
            for word in unit {
                let text: Vec<char> = word.text.chars().collect();
                let fits = line.len() + text.len() <= TEXT_END;
                if !fits && word.kind != WordKind::Literal && line.len() > begun {
                    self.line(&line);
                    (line, begun) = (fresh(indicator), AREA_B);
                }
                if fits || word.kind != WordKind::Literal {
                    line.extend(text);
                } else {
                    self.long_literal(&mut line, &text);
                }
            }
        }
        self.line(&line);
    }

    /// A literal that continues in the next lines: to column 72, and after a hyphen and its quotation mark.
    fn long_literal(&mut self, line: &mut Vec<char>, text: &[char]) {
        let quote = text.last().copied().unwrap_or('\'');
        // A doubled quotation mark must not be split: then the literal begins one column later.
        let room = |start: usize| TEXT_END.saturating_sub(start);
        let splits =
            |start: usize, at: usize| at == room(start) || (at > room(start) && (at - room(start)).is_multiple_of(room(AREA_B + 1)));
        let is_torn = |start: usize| {
            (1..text.len()).any(|at| splits(start, at) && text[at] == quote && (text[at - 1] == quote || at + 1 == text.len()))
        };
        while line.len() < TEXT_END - 1 && is_torn(line.len()) {
            line.push(' ');
        }
        let mut rest = text;
        loop {
            let count = rest.len().min(TEXT_END - line.len());
            line.extend(&rest[..count]);
            rest = &rest[count..];
            if rest.is_empty() {
                return;
            }
            self.text.extend(line.iter());
            self.text.push('\n');
            *line = fresh('-');
            line.push(quote);
        }
    }
}

fn fresh(indicator: char) -> Vec<char> {
    let mut line = vec![' '; AREA_B];
    line[INDICATOR] = indicator;
    line
}

/// Whether the line has exactly these words at their places, apart from a comment at its end.
fn is_unchanged(line: &[char], words: &[TextWord]) -> bool {
    let mut at = AREA_A;
    for word in words {
        let start = usize::from(word.span.column).saturating_sub(1);
        let text: Vec<char> = word.text.chars().collect();
        let gap = line.get(at..start).is_some_and(|gap| gap.iter().all(|character| character.is_whitespace()));
        if start < at || !gap || line.get(start..start + text.len()) != Some(&text[..]) {
            return false;
        }
        at = start + text.len();
    }
    let rest: String = line.iter().take(TEXT_END).skip(at).collect();
    at <= TEXT_END && (rest.trim().is_empty() || rest.trim_start().starts_with("*>"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Members;

    fn made(source: &str, members: &Members) -> String {
        deck("T.cbl", source.as_bytes(), &Options::default(), members)
    }

    #[test]
    fn copies_are_carried_out_and_named() {
        let mut members = Members::new();
        members.insert("REC", "      * THE RECORD\n       01  :TAG:-REC.\n           05  :TAG:-NAME    PIC X(20).\n           COPY INNER.\n           05  LAST-ONE PIC X.\n");
        members.insert("INNER", "           05  INNER-ONE PIC 9.\n");
        let source = "       CBL ARITH(EXTEND)\n000100 IDENTIFICATION DIVISION.                                         COMMENT\n       PROGRAM-ID. T.\n       \
                      DATA DIVISION.\n       WORKING-STORAGE SECTION.\n           COPY REC REPLACING\n               ==:TAG:== BY ==CUSTOMER-OF-THE-BANK==.\n      \
                      * AFTER\n       01  B PIC X. COPY INNER.\n       PROCEDURE DIVISION.\n           EXEC CICS RETURN END-EXEC.\n";
        let expected = "       CBL ARITH(EXTEND)\n000100 IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       \
                        DATA DIVISION.\n       WORKING-STORAGE SECTION.\n      *    COPY REC REPLACING\n      *        ==:TAG:== BY ==CUSTOMER-OF-THE-BANK==.\n      \
                        * THE RECORD\n       01 CUSTOMER-OF-THE-BANK-REC.\n           05 CUSTOMER-OF-THE-BANK-NAME PIC X(20).\n      *    COPY INNER.\n           \
                        05  INNER-ONE PIC 9.\n           05  LAST-ONE PIC X.\n      * AFTER\n       01 B PIC X.\n           05  INNER-ONE PIC 9.\n       \
                        PROCEDURE DIVISION.\n           EXEC CICS RETURN END-EXEC.\n";
        assert_eq!(made(source, &members), expected);
        // The output is a fixed point: read again, it is unchanged.
        assert_eq!(made(expected, &Members::new()), expected);
    }

    #[test]
    fn replaced_text_keeps_to_the_columns() {
        let long = format!("'{}''{}'", "A".repeat(59), "B".repeat(70));
        let source = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       PROCEDURE DIVISION.\n           REPLACE ==XX== BY ==A-RATHER-LONG-NAME==\n               \
             ==TEXT== BY\n{}.\n           DISPLAY XX XX XX XX.\n           DISPLAY TEXT.\n",
            {
                let characters: Vec<char> = format!("=={long}==").chars().collect();
                let (first, rest) = characters.split_at(61);
                format!(
                    "           {}\n      -    '{}\n      -    '{}",
                    first.iter().collect::<String>(),
                    rest[..60].iter().collect::<String>(),
                    rest[60..].iter().collect::<String>()
                )
            }
        );
        let text = made(&source, &Members::new());
        assert!(text.lines().all(|line| line.chars().count() <= TEXT_END), "{text}");
        assert!(
            text.contains("           DISPLAY A-RATHER-LONG-NAME A-RATHER-LONG-NAME\n           A-RATHER-LONG-NAME A-RATHER-LONG-NAME.\n"),
            "{text}"
        );
        let words = |source: &str| {
            let mut diagnostics = Diagnostics::new(10);
            let read = preprocess("T.cbl", source.as_bytes(), &mut Options::default(), &Members::new(), &mut diagnostics);
            assert!(diagnostics.is_empty(), "{source}");
            read.words.into_iter().map(|word| word.text).collect::<Vec<_>>()
        };
        assert_eq!(words(&text), words(&source));
    }

    #[test]
    fn lines_that_are_not_compiled_are_comments() {
        let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       PROCEDURE DIVISION.\n      >>IF 1 = 2\n           DISPLAY 'NO'.\n      >>ELSE\n           \
                      DISPLAY 'YES'.\n      >>END-IF\n           GOBACK.\n";
        let text = made(source, &Members::new());
        assert!(text.contains("      *    DISPLAY 'NO'.\n") && text.contains("\n           DISPLAY 'YES'.\n"), "{text}");
        assert!(text.lines().filter(|line| line.starts_with("      >")).count() == 0, "{text}");
    }
}
