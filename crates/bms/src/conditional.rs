//! Conditional assembly, as far as sources of maps use it: variable symbols, SETA, SETB and SETC, AIF and AGO with sequence symbols, COPY.
//!
//! It runs before the macros are looked at, and leaves statements without variables. Rules (High Level Assembler, "Conditional assembly
//! language"): a variable is declared by LCLx or GBLx, or by its first SETx; `&X.` ends the name; sequence symbols begin with a period.
//! &SYSPARM keeps its name in TYPE=&SYSPARM, because one assembly makes the physical and the symbolic maps; everywhere else it is MAP. Macro
//! definitions and attributes other than the length of a text (K') are refused. Invariants: at most `BRANCHES_MAX` branches are taken and
//! `STATEMENTS_MAX` statements left, so any source ends.

mod expression;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Mark, Statement, statements};
use expression::{Expressions, Failure};
use rustc_hash::FxHashMap;

/// AIF and AGO that branch; the assembler's own limit (ACTR).
const BRANCHES_MAX: usize = 4_096;
const STATEMENTS_MAX: usize = 200_000;
/// COPY within COPY.
const NESTING_MAX: usize = 8;

/// Finds a member that COPY names: what to call it in messages, and its text.
pub type CopyMembers<'a> = &'a dyn Fn(&str) -> Option<(String, Vec<u8>)>;

/// Values of variable symbols; numbers as their digits, SETB as 0 and 1.
type Variables = FxHashMap<String, String>;

pub(crate) struct Conditional<'a> {
    copy: CopyMembers<'a>,
    diagnostics: &'a mut Vec<Diagnostic>,
    variables: Variables,
    /// Arrays by their dimensions are refused; these names have been declared.
    branches: usize,
    out: Vec<(String, Statement)>,
}

/// The statements of a source that are assembled, each with the file it is in.
pub(crate) fn assembled(file: &str, source: &[u8], copy: CopyMembers, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, Statement)> {
    let mut conditional = Conditional { copy, diagnostics, variables: Variables::default(), branches: 0, out: Vec::new() };
    conditional.variables.insert("SYSPARM".to_string(), "MAP".to_string());
    conditional.file(file, source, 0);
    conditional.out
}

impl Conditional<'_> {
    fn at(&mut self, file: &str, statement: &Statement, message: String) {
        let column = statement.operands.first().map_or(1, |mark| mark.column);
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            file: file.to_string(),
            line: statement.line,
            column,
            operand: String::new(),
            message,
        });
    }

    /// One source: sequence symbols are known within it.
    fn file(&mut self, file: &str, source: &[u8], depth: usize) {
        let read = statements(file, source, self.diagnostics);
        let mut next = 0;
        while let Some(statement) = read.get(next) {
            next += 1;
            match self.statement(file, statement, depth) {
                Ok(None) => {}
                Ok(Some(target)) => match read.iter().position(|other| other.label == target) {
                    Some(found) if self.branches < BRANCHES_MAX => {
                        self.branches += 1;
                        next = found;
                    }
                    Some(_) => {
                        self.at(file, statement, format!("more than {BRANCHES_MAX} branches: the source may go round in a circle"));
                        return;
                    }
                    None => self.at(file, statement, format!("there is no sequence symbol {target}")),
                },
                Err(Failure(message)) => self.at(file, statement, message),
            }
            if self.out.len() > STATEMENTS_MAX {
                return self.at(file, statement, format!("more than {STATEMENTS_MAX} statements"));
            }
        }
    }

    /// Carries a statement out, or leaves it to the macros. The sequence symbol it branches to.
    fn statement(&mut self, file: &str, statement: &Statement, depth: usize) -> Result<Option<String>, Failure> {
        let text: String = statement.operands.iter().map(|mark| mark.character).collect();
        match statement.operation.as_str() {
            "ANOP" | "ACTR" => Ok(None),
            "AGO" => Ok(Some(sequence_symbol(&text)?)),
            "AIF" => self.branch(&text),
            "LCLA" | "LCLB" | "GBLA" | "GBLB" => self.declare(&text, "0"),
            "LCLC" | "GBLC" => self.declare(&text, ""),
            "SETA" | "SETB" | "SETC" => self.set(statement, &text),
            "COPY" => self.copy(file, text.trim(), depth),
            "MACRO" | "MEND" | "MEXIT" => Err(Failure("macro definitions in the source of a map are not supported".to_string())),
            _ => {
                let substituted = self.substituted(statement)?;
                self.out.push((file.to_string(), substituted));
                Ok(None)
            }
        }
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions::new(&self.variables)
    }

    /// AIF (expression).SYMBOL, and more pairs separated by commas.
    fn branch(&mut self, text: &str) -> Result<Option<String>, Failure> {
        let mut rest = text;
        loop {
            let inner = rest.strip_prefix('(').ok_or_else(|| Failure("AIF: expected an expression in parentheses".to_string()))?;
            let end = expression::closing(inner).ok_or_else(|| Failure("AIF: the parenthesis is not closed".to_string()))?;
            let (condition, after) = (&inner[..end], &inner[end + 1..]);
            let (symbol, further) = after.split_once(',').map_or((after, None), |(symbol, further)| (symbol, Some(further)));
            if self.expressions().logical(condition)? {
                return sequence_symbol(symbol).map(Some);
            }
            match further {
                Some(further) => rest = further,
                None => return Ok(None),
            }
        }
    }

    fn declare(&mut self, text: &str, value: &str) -> Result<Option<String>, Failure> {
        for name in text.split(',').filter(|name| !name.is_empty()) {
            let name = variable_name(name)?;
            self.variables.entry(name).or_insert_with(|| value.to_string());
        }
        Ok(None)
    }

    fn set(&mut self, statement: &Statement, text: &str) -> Result<Option<String>, Failure> {
        let name = variable_name(&statement.label)?;
        let value = match statement.operation.as_str() {
            "SETA" => self.expressions().number(text)?.to_string(),
            "SETB" => u8::from(self.expressions().logical(expression::without_parentheses(text))?).to_string(),
            _ => self.expressions().text(text)?,
        };
        if name.starts_with("SYS") {
            return Err(Failure(format!("&{name} is set by the assembler")));
        }
        self.variables.insert(name, value);
        Ok(None)
    }

    fn copy(&mut self, file: &str, member: &str, depth: usize) -> Result<Option<String>, Failure> {
        let name = member.split_whitespace().next().unwrap_or_default().to_uppercase();
        if depth >= NESTING_MAX {
            return Err(Failure(format!("COPY {name}: copied members are nested deeper than {NESTING_MAX}")));
        }
        match (self.copy)(&name) {
            Some((found, source)) => {
                self.file(&found, &source, depth + 1);
                Ok(None)
            }
            None => Err(Failure(format!("COPY {name}: there is no such member beside {file} or in the directories of copybooks"))),
        }
    }

    /// The statement with the values of its variables. A value keeps the place of its variable.
    fn substituted(&self, statement: &Statement) -> Result<Statement, Failure> {
        let is_type = |marks: &[Mark], at: usize| {
            let before: String = marks[..at].iter().rev().take(5).map(|mark| mark.character.to_ascii_uppercase()).collect();
            before == "=EPYT"
        };
        let marks = &statement.operands;
        let mut operands = Vec::with_capacity(marks.len());
        let mut at = 0;
        while at < marks.len() {
            let mark = marks[at];
            let name = self.name_at(marks, at);
            match name {
                Some((name, _)) if name == "SYSPARM" && is_type(marks, at) => {
                    operands.push(mark);
                    at += 1;
                }
                Some((name, end)) => {
                    let value = self.variables.get(&name).ok_or_else(|| Failure(format!("variable symbol &{name} has no value")))?;
                    operands.extend(value.chars().map(|character| Mark { character, ..mark }));
                    at = end;
                }
                // Two ampersands stand for one, and are left to the operands.
                None if mark.character == '&' && marks.get(at + 1).is_some_and(|next| next.character == '&') => {
                    operands.extend([mark, marks[at + 1]]);
                    at += 2;
                }
                None => {
                    operands.push(mark);
                    at += 1;
                }
            }
        }
        let label = if statement.label.starts_with('.') { String::new() } else { self.expressions().substituted(&statement.label)? };
        let operation = self.expressions().substituted(&statement.operation)?;
        Ok(Statement { label, operation, operands, line: statement.line })
    }

    /// A variable symbol that begins at a place, and where it ends; a period behind it belongs to it.
    fn name_at(&self, marks: &[Mark], at: usize) -> Option<(String, usize)> {
        if marks[at].character != '&' {
            return None;
        }
        let name: String = marks[at + 1..].iter().map(|mark| mark.character).take_while(|&c| is_of_name(c)).collect();
        if !name.starts_with(|first: char| !first.is_ascii_digit()) {
            return None;
        }
        let end = at + 1 + name.chars().count();
        let has_period = marks.get(end).is_some_and(|mark| mark.character == '.');
        Some((name.to_uppercase(), end + usize::from(has_period)))
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "#@$_".contains(character)
}

/// `&NAME` without the ampersand, in upper case.
fn variable_name(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let name = text.strip_prefix('&').unwrap_or(text);
    if name.contains('(') {
        return Err(Failure(format!("&{name}: arrays of variable symbols are not supported")));
    }
    if name.is_empty() || !name.chars().all(is_of_name) || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(Failure(format!("{text:?} is not a variable symbol")));
    }
    Ok(name.to_uppercase())
}

fn sequence_symbol(text: &str) -> Result<String, Failure> {
    let symbol = text.trim().to_uppercase();
    let is_symbol = symbol.strip_prefix('.').is_some_and(|name| !name.is_empty() && name.chars().all(is_of_name));
    if is_symbol { Ok(symbol) } else { Err(Failure(format!("{text:?}: expected a sequence symbol such as .END"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: &str) -> (Vec<String>, Vec<String>) {
        let member = |name: &str| (name == "PART").then(|| ("part.cpy".to_string(), b"        DFHMDF POS=(9,9),INITIAL='&T'\n".to_vec()));
        let mut diagnostics = Vec::new();
        let statements = assembled("t.bms", source.as_bytes(), &member, &mut diagnostics);
        let text = |(_, statement): &(String, Statement)| {
            let operands: String = statement.operands.iter().map(|mark| mark.character).collect();
            format!("{} {} {operands}", statement.label, statement.operation).trim().to_string()
        };
        (statements.iter().map(text).collect(), diagnostics.into_iter().map(|told| told.message).collect())
    }

    #[test]
    fn variables_are_replaced_and_branches_taken() {
        let source = "\
* Names and a number.
         LCLC  &T
         LCLA  &N
&T       SETC  'ACCOUNT'
&N       SETA  2*(3+1)
M&N      DFHMSD TYPE=&SYSPARM,SUFFIX=&SYSPARM
.LOOP    ANOP
F&N      DFHMDF POS=(&N,1),INITIAL='&T.S R&&D'
&N       SETA  &N+1
         AIF   (&N LT 10).LOOP
         AIF   ('&T' EQ 'OTHER' OR NOT (&N GT 9)).SKIP,(K'&T EQ 7).END
.SKIP    DFHMDF POS=(1,1)
.END     COPY  PART
";
        let (statements, messages) = run(source);
        assert!(messages.is_empty(), "{messages:?}");
        assert_eq!(
            statements,
            [
                "M8 DFHMSD TYPE=&SYSPARM,SUFFIX=MAP",
                "F8 DFHMDF POS=(8,1),INITIAL='ACCOUNTS R&&D'",
                "F9 DFHMDF POS=(9,1),INITIAL='ACCOUNTS R&&D'",
                "DFHMDF POS=(9,9),INITIAL='ACCOUNT'",
            ]
        );
    }

    #[test]
    fn text_is_joined_cut_and_repeated() {
        let source = "\
&A       SETC  'ABCDEF'(2,3)
&B       SETC  '&A'.'-'.(2)'XY'
&C       SETB  ('&A' EQ 'BCD' AND 1)
         DFHMDF INITIAL='&B &C'
         AIF   (&C).OVER
         DFHMDF INITIAL='NOT'
.OVER    ANOP
";
        assert_eq!(run(source), (vec!["DFHMDF INITIAL='BCD-XYXY 1'".to_string()], vec![]));
    }

    #[test]
    fn what_is_not_supported_is_named() {
        for (source, expected) in [
            ("         AGO   .NONE\n", "there is no sequence symbol .NONE"),
            ("         DFHMDF INITIAL='&X'\n", "variable symbol &X has no value"),
            ("         COPY  NONE\n", "COPY NONE: there is no such member"),
            ("         MACRO\n", "macro definitions"),
            ("&X(3)    SETC  'A'\n", "arrays of variable symbols"),
            ("         AIF   (T'&SYSPARM EQ 'O').A\n.A       ANOP\n", "T'"),
            (".A       ANOP\n         AGO   .A\n", "more than 4096 branches"),
            ("&SYSPARM SETC  'X'\n", "is set by the assembler"),
            ("         AIF   (1 EQ).A\n", "expected"),
        ] {
            let (_, messages) = run(source);
            assert!(messages.first().is_some_and(|message| message.contains(expected)), "{source}: {messages:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_expression_ends(text in "[&A-Z0-9'() .+*/=,KNOT-]{0,60}") {
            run(&format!("&A SETC 'X'\n AIF ({text}).A\n&B SETA {text}\n&C SETC {text}\n.A ANOP\n"));
        }
    }
}
