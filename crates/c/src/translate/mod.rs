//! The translator: turns C source with EXEC CICS and EXEC SQL into C source without them.
//!
//! Commands become calls of the run time; DFHRESP and DFHVALUE become numbers; `_Packed`, which only the host's compiler knows, becomes its
//! equivalent. Everything else is unchanged, and `#line` directives keep the compiler's messages at their places in the source. In C, every
//! command behaves as with NOHANDLE, and the commands that name labels do not exist ("C and C++ programming", condition handling).

pub mod headers;
mod sql;
mod structures;

use crate::embedded::{DECIMAL_INSTEAD, Embedded};
use crate::generate::{self, constant_value};
use crate::generate_cpp;
use crate::language::Language;
use crate::linkage::{Callee, Linkage, entry_function};
use crate::scan::{Place, Scanner, Unit, token};
use cobol::diagnostics::{Diagnostic, Diagnostics, Severity};
use cobol::exec_translate::{self, Naming, naming};
use cobol::lexer::{ExecBlock, ExecLanguage, Token};
use cobol::span::Span;
use exec::{ArgumentKind, CommandId, command, option};
use headers::Headers;
use std::path::Path;

/// The result of translating a source.
pub struct Translation {
    pub text: String,
    /// The source asks for XPLINK by `#pragma options(XPLINK)`, or refuses it by NOXPLINK.
    pub xplink: Option<bool>,
    /// `#pragma XOPTS(NOEDF)`: CEDF does not show its commands.
    pub noedf: bool,
    /// The place where the source declares functions with the linkage of other languages, if it does.
    pub linkage: Option<Span>,
    /// There is no main function: the number of parameters of the function that is CALLed.
    pub called_with: Option<usize>,
    /// There is a function to enter; else the source is a part of other programs.
    pub is_program: bool,
    /// It includes the foundation classes.
    pub uses_classes: bool,
    /// What its commands name by literals.
    pub named: Vec<Naming>,
}

/// Commands that handle conditions by leaving the program's structure.
const UNSTRUCTURED: [CommandId; 5] =
    [command::HANDLE_AID, command::HANDLE_CONDITION, command::IGNORE_CONDITION, command::PUSH_HANDLE, command::POP_HANDLE];

/// What the compiler must not accept, in headers and macros either: assembler statements, and its functions for instructions that take
/// the thread from the run time (the base of its storage, keys, flags, floating-point control).
const REFUSED: [&str; 14] = [
    "asm",
    "__asm",
    "__asm__",
    "__builtin_ia32_wrfsbase32",
    "__builtin_ia32_wrfsbase64",
    "__builtin_ia32_wrgsbase32",
    "__builtin_ia32_wrgsbase64",
    "__builtin_ia32_wrpkru",
    "__builtin_ia32_writeeflags_u32",
    "__builtin_ia32_writeeflags_u64",
    "__builtin_ia32_ldmxcsr",
    "__builtin_ia32_fldenv",
    "__builtin_ia32_fxrstor",
    "__builtin_ia32_xrstor",
];

/// Translates a source that is shown as `name`, and the headers it includes.
pub fn translate(
    name: &str,
    source: &str,
    headers: Option<&mut Headers<'_>>,
    embedded: &mut Embedded,
    diagnostics: &mut Diagnostics,
) -> Translation {
    let language = Language::of(Path::new(name)).unwrap_or(Language::C);
    if language == Language::C {
        sql::survey(embedded, source, parent_of(name), headers.as_deref());
    }
    let mut translation = translate_file((name, source, 0), language, headers, embedded, diagnostics);
    let first = if language == Language::C { "regent.h" } else { "regent.hpp" };
    translation.text.insert_str(0, &format!("#include <{first}>\n#include <dfheiblk.h>\n#pragma GCC poison {}\n", REFUSED.join(" ")));
    translation
}

/// Translates a source or header of a name, a text and a file number, which its messages have.
pub fn translate_file(
    (name, source, file): (&str, &str, u16),
    language: Language,
    headers: Option<&mut Headers<'_>>,
    embedded: &mut Embedded,
    diagnostics: &mut Diagnostics,
) -> Translation {
    let turned = (language == Language::Cpp).then(|| structures::turned(source));
    let source = turned.as_deref().unwrap_or(source);
    let mut translator = Translator {
        source,
        language,
        file: name.replace('\\', "\\\\").replace('"', "\\\""),
        parent: parent_of(name),
        headers,
        embedded,
        declared: 0,
        scanner: Scanner::of_file(source, file),
        text: String::with_capacity(source.len() * 2),
        xplink: None,
        noedf: false,
        statements: 0,
        linkage: Linkage::default(),
        depth: 0,
        uses_classes: false,
        named: Vec::new(),
    };
    translator.line(1);
    translator.run(diagnostics);
    translator.declare_to(translator.scanner.at);
    let Translator { mut text, xplink, noedf, linkage, file, named, uses_classes, .. } = translator;
    let called = linkage.called();
    if let Some(entry) = called {
        text.push_str(&entry_function(entry, &file));
    }
    Translation {
        text,
        xplink,
        noedf,
        linkage: linkage.place.map(|place| place.span(1)),
        called_with: called.map(|entry| entry.parameter_count()),
        is_program: linkage.has_main || called.is_some(),
        uses_classes,
        named,
    }
}

/// The directory of a source.
fn parent_of(name: &str) -> &Path {
    Path::new(name).parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

struct Translator<'a, 'h, 'd> {
    source: &'a str,
    language: Language,
    file: String,
    /// The directory of the source.
    parent: &'a Path,
    headers: Option<&'h mut Headers<'d>>,
    embedded: &'h mut Embedded,
    /// Declarations have been read up to here.
    declared: usize,
    scanner: Scanner<'a>,
    text: String,
    xplink: Option<bool>,
    noedf: bool,
    statements: u32,
    linkage: Linkage,
    /// Of braces.
    depth: usize,
    uses_classes: bool,
    named: Vec<Naming>,
}

impl<'s> Translator<'s, '_, '_> {
    fn run(&mut self, diagnostics: &mut Diagnostics) {
        loop {
            let (unit, text, place) = self.scanner.next();
            match unit {
                Unit::End => return,
                Unit::Word if text.eq_ignore_ascii_case("EXEC") => {
                    if self.language == Language::Cpp && self.refused_sql(place, diagnostics) {
                        continue;
                    }
                    if !self.exec_sql(place, diagnostics) {
                        self.exec(text, place, diagnostics);
                    }
                }
                Unit::Word if text == "extern" && self.language == Language::Cpp => self.external(text, place, diagnostics),
                Unit::Word if text.eq_ignore_ascii_case("SQL") && self.language == Language::C => self.sql_type(text, place, diagnostics),
                Unit::Word if matches!(text, "DFHRESP" | "DFHVALUE") => self.constant(text, place, diagnostics),
                Unit::Word if text == "_Packed" => self.packed(),
                Unit::Word if text == "decimal" => self.decimal(text, place, diagnostics),
                Unit::Word if text == "main" || self.linkage.is_named(text) => self.function(text, place),
                Unit::Word if self.depth > 0 && !is_member(&self.text) && self.linkage.pointed(text).is_some() => {
                    self.pointer_call(text, place);
                }
                Unit::Other('(') if self.depth > 0 && self.dereferenced().is_some() => {
                    let variable = self.dereferenced().unwrap_or_default();
                    while self.scanner.next().1 != ")" {}
                    self.pointer_call(&variable, place);
                }
                Unit::Directive => self.directive(text, place, diagnostics),
                Unit::Other(brace @ ('{' | '}')) => {
                    self.depth = if brace == '{' { self.depth + 1 } else { self.depth.saturating_sub(1) };
                    self.text.push_str(text);
                }
                _ => self.text.push_str(text),
            }
        }
    }

    fn line(&mut self, line: u32) {
        self.text.push_str(&format!("#line {line} \"{}\"\n", self.file));
    }

    /// The next unit that is not space, without taking it.
    fn peek(&mut self) -> (Unit, String) {
        let at = self.scanner.at;
        let mut ahead = Scanner::new(self.source);
        ahead.at = at;
        loop {
            match ahead.next() {
                (Unit::Space, ..) => {}
                (unit, text, _) => return (unit, text.to_string()),
            }
        }
    }

    fn skip_space(&mut self) {
        while self.peek_space() {
            self.scanner.next();
        }
    }

    fn peek_space(&self) -> bool {
        let mut ahead = Scanner::new(self.source);
        ahead.at = self.scanner.at;
        ahead.next().0 == Unit::Space
    }

    fn exec(&mut self, word: &str, place: Place, diagnostics: &mut Diagnostics) {
        let (unit, language) = self.peek();
        let language = language.to_ascii_uppercase();
        if unit != Unit::Word || language != "CICS" {
            self.text.push_str(word);
            return;
        }
        self.skip_space();
        self.scanner.next();
        let from = self.scanner.at;
        let (tokens, end) = self.command_tokens(place, diagnostics);
        let next_line = self.scanner.at.line;
        let text = self.source[from.offset..end.offset].split_whitespace().collect::<Vec<_>>().join(" ");
        let block = ExecBlock { language: ExecLanguage::Cics, tokens, text: text.into(), places: Vec::new(), end: end.span(1) };
        self.statements += 1;
        if let Some(command) = exec_translate::translate(&block, place.span(4), diagnostics) {
            refuse_unstructured(&command, diagnostics);
            refuse_nameless_map(&command, diagnostics);
            self.named.extend(naming(&command, &self.file));
            let context = generate::Context { source: self.source, file: &self.file, line: place.line, statement: self.statements };
            self.text.push_str(&match self.language {
                Language::C => generate::command(&context, &command),
                Language::Cpp => generate_cpp::command(&context, &command),
            });
        }
        self.text.push('\n');
        self.line(next_line);
        self.text.push_str(&" ".repeat(usize::from(self.scanner.at.column.saturating_sub(1))));
    }

    /// The tokens of a command to its semicolon, and where that stands. Without a semicolon, the command ends before the line of what
    /// cannot belong to a command.
    fn command_tokens(&mut self, start: Place, diagnostics: &mut Diagnostics) -> (Vec<Token>, Place) {
        let mut tokens: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        // The tokens of earlier lines, and the place behind the last of them.
        let (mut line, mut earlier) = (start.line, None);
        let mut behind = self.scanner.at;
        loop {
            let (unit, text, place) = self.scanner.next();
            if unit == Unit::Space {
                continue;
            }
            if place.line > line && unit != Unit::End {
                (line, earlier) = (place.line, Some((tokens.len(), behind)));
            }
            let begins_line = earlier.is_some_and(|(count, _)| count == tokens.len()) && !tokens.is_empty();
            match unit {
                Unit::Other(';') if depth == 0 => return (tokens, place),
                _ if unit == Unit::End || depth == 0 && self.ends_command(unit, text, begins_line) => {
                    let (count, end) = earlier.filter(|_| unit != Unit::End).unwrap_or((tokens.len(), place));
                    tokens.truncate(count);
                    self.scanner.at = end;
                    let words = self.source[start.offset..end.offset].split_whitespace();
                    let command = words.take(NAMED_WORDS_MAX).collect::<Vec<_>>().join(" ");
                    let next = if unit == Unit::End { String::new() } else { format!(" before line {line}") };
                    diagnostics.severe("XL0019", start.span(4), format!("{command} has no semicolon at its end{next}"));
                    return (tokens, end);
                }
                Unit::Other('(') => depth += 1,
                Unit::Other(')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            tokens.extend(token(unit, text, place));
            behind = self.scanner.at;
        }
    }

    /// Whether a unit outside parentheses cannot belong to a command.
    fn ends_command(&mut self, unit: Unit, text: &str, begins_line: bool) -> bool {
        match unit {
            Unit::Directive => true,
            Unit::Other(other) => NEVER_IN_COMMANDS.contains(other),
            Unit::Word if !begins_line => false,
            Unit::Word if matches!(text, "EXEC" | "exec") => self.peek().1.eq_ignore_ascii_case("CICS"),
            Unit::Word if matches!(text, "if" | "for" | "while" | "switch") => self.peek().1 == "(",
            Unit::Word if matches!(text, "return" | "break" | "continue" | "goto" | "do" | "else") => true,
            // A call of a function: no command has an option of that name.
            Unit::Word => {
                let is_option = |spec: &exec::CommandSpec| spec.option_by_name(&text.to_ascii_uppercase()).is_some();
                text.contains(char::is_lowercase) && self.peek().1 == "(" && !exec::commands().iter().any(is_option)
            }
            _ => false,
        }
    }

    /// DFHRESP(name) and DFHVALUE(name).
    fn constant(&mut self, word: &str, place: Place, diagnostics: &mut Diagnostics) {
        let written = |name: &str| format!("{word}({name})");
        let mut name = String::new();
        let mut open = false;
        loop {
            let (unit, text, _) = self.scanner.next();
            match unit {
                Unit::Space => {}
                Unit::Other('(') if !open => open = true,
                Unit::Word if open && name.is_empty() => name = text.to_ascii_uppercase(),
                Unit::Other(')') if open => break,
                _ => {
                    diagnostics.severe("XL0020", place.span(word.len()), format!("{word} needs a name in parentheses"));
                    return;
                }
            }
        }
        match constant_value(word, &name) {
            Some(value) => self.text.push_str(&value.to_string()),
            None => {
                let what = if word == "DFHRESP" { "condition" } else { "CICS value" };
                let text = format!("{} is not a {what}", written(&name));
                diagnostics.push(Diagnostic::new(Severity::Severe, "XL0021", place.span(word.len()), text));
                self.text.push('0');
            }
        }
    }

    /// `extern "COBOL"` is the CALL of another language.
    fn external(&mut self, word: &str, place: Place, diagnostics: &mut Diagnostics) {
        let (unit, language) = self.peek();
        if unit == Unit::String && !matches!(language.as_str(), "\"C\"" | "\"C++\"") {
            diagnostics.severe("XL0026", place.span(word.len()), format!("extern {language} {NO_CALL_IN_CPP}"));
        }
        self.text.push_str(word);
    }

    /// `_Packed struct` and `_Packed union`.
    fn packed(&mut self) {
        self.skip_space();
        let (unit, text, _) = self.scanner.next();
        self.text.push_str(text);
        if unit == Unit::Word && matches!(text, "struct" | "union") {
            self.text.push_str(" __attribute__((packed))");
        }
    }

    /// `decimal(p, s)` before a name is a type of the host's compiler.
    fn decimal(&mut self, word: &str, place: Place, diagnostics: &mut Diagnostics) {
        let mut ahead = Scanner::new(self.source);
        ahead.at = self.scanner.at;
        let mut units = std::iter::from_fn(|| Some(ahead.next())).filter(|(unit, ..)| *unit != Unit::Space);
        let is_type = units.next().is_some_and(|(unit, ..)| unit == Unit::Other('('))
            && units.by_ref().find(|(unit, ..)| matches!(unit, Unit::Other(')' | ';') | Unit::End)).is_some_and(|(_, text, _)| text == ")")
            && units.next().is_some_and(|(unit, text, _)| unit == Unit::Word || text == "*" && !ends_operand(&self.text));
        if is_type {
            diagnostics.severe("XL0025", place.span(word.len()), format!("the type decimal is not supported; {DECIMAL_INSTEAD}"));
        }
        self.text.push_str(word);
    }

    /// A function that is a program: its declaration or definition outside functions, else a call.
    fn function(&mut self, name: &str, place: Place) {
        let after_name = self.scanner.at;
        match self.peek().1.as_str() {
            "(" => {}
            "*" => {
                self.pointers(name);
                return self.text.push_str(name);
            }
            _ => return self.text.push_str(name),
        }
        let (list, end) = self.parenthesized();
        let written = &self.source[place.offset..end];
        if self.depth == 0 {
            self.linkage.declare(name, list);
            if self.peek().1 == "{" {
                self.linkage.define(name, place.line, list);
            }
            self.text.push_str(written);
        } else if name == "main" {
            self.scanner.at = after_name;
            self.text.push_str(name);
        } else {
            // Line breaks in the list are moved after the call, so that later text keeps its line.
            let call = self.linkage.call(Callee::Name(name), &list.split_whitespace().collect::<Vec<_>>().join(" "));
            self.text.push_str(&call);
            self.text.push_str(&"\n".repeat(written.matches('\n').count()));
        }
    }

    /// The variables of a declaration that begins with a named function type: those with one asterisk before them.
    fn pointers(&mut self, function: &str) {
        let mut ahead = Scanner::new(self.source);
        ahead.at = self.scanner.at;
        let (mut depth, mut asterisks, mut found) = (0usize, 0usize, Vec::new());
        // Else what comes next belongs to another declaration: a further parameter.
        let mut is_ours = true;
        loop {
            let (unit, text, _) = ahead.next();
            match unit {
                Unit::Space => continue,
                Unit::Word if matches!(text, "const" | "volatile") => continue,
                Unit::Word => {
                    if depth == 0 && asterisks == 1 && is_ours {
                        found.push(text.to_string());
                    }
                    is_ours &= depth > 0;
                }
                Unit::Other(',') if depth == 0 => is_ours = true,
                Unit::Other('*') if depth == 0 => {
                    asterisks += 1;
                    continue;
                }
                Unit::Other('(' | '[' | '{') => depth += 1,
                Unit::Other(')' | ']' | '}') if depth > 0 => depth -= 1,
                Unit::Other(')' | '}' | ';') | Unit::End => break,
                _ => {}
            }
            asterisks = 0;
        }
        found.iter().for_each(|variable| self.linkage.declare_pointer(variable, function));
    }

    /// `*variable)` and the list of arguments come next: the variable, if it is a pointer to a named function type.
    fn dereferenced(&self) -> Option<String> {
        let mut ahead = Scanner::new(self.source);
        ahead.at = self.scanner.at;
        let mut units = std::iter::from_fn(|| Some(ahead.next())).filter(|(unit, ..)| *unit != Unit::Space);
        let mut next = || units.next().map_or((Unit::End, ""), |(unit, text, _)| (unit, text));
        let parts = [next(), next(), next(), next()];
        let [(Unit::Other('*'), _), (Unit::Word, variable), (Unit::Other(')'), _), (Unit::Other('('), _)] = parts else { return None };
        self.linkage.pointed(variable).map(|_| variable.to_string())
    }

    /// A pointer to a named function type: its call, or its name.
    fn pointer_call(&mut self, variable: &str, place: Place) {
        let function = self.linkage.pointed(variable).filter(|_| self.peek().1 == "(");
        let Some(function) = function else { return self.text.push_str(variable) };
        let (list, end) = self.parenthesized();
        let lines = self.source[place.offset..end].matches('\n').count();
        let list = list.split_whitespace().collect::<Vec<_>>().join(" ");
        let call = self.linkage.call(Callee::Pointer { variable, function: &function }, &list);
        self.text.push_str(&call);
        self.text.push_str(&"\n".repeat(lines));
    }

    /// The text between the next parentheses, and the position after them.
    fn parenthesized(&mut self) -> (&'s str, usize) {
        let (mut depth, mut from) = (0usize, 0);
        loop {
            let (unit, _, place) = self.scanner.next();
            match unit {
                Unit::Other('(') => {
                    depth += 1;
                    if depth == 1 {
                        from = self.scanner.at.offset;
                    }
                }
                Unit::Other(')') if depth == 1 => return (&self.source[from..place.offset], self.scanner.at.offset),
                Unit::Other(')') => depth -= 1,
                Unit::End => return (&self.source[from..place.offset], place.offset),
                _ => {}
            }
        }
    }

    /// The stub of the foundation classes has the main function.
    fn note_classes(&mut self, line: &str) {
        if self.language == Language::C || self.has_header(line) {
            return;
        }
        let name = headers::included_name(line).map_or(String::new(), |(name, _)| name.to_ascii_lowercase());
        self.linkage.has_main |= name.starts_with(MAIN_OF_CLASSES);
        self.uses_classes |= name.starts_with("icc");
    }

    /// EXEC SQL is for C: a message, and what follows its semicolon.
    fn refused_sql(&mut self, place: Place, diagnostics: &mut Diagnostics) -> bool {
        let (unit, word) = self.peek();
        if unit != Unit::Word || !word.eq_ignore_ascii_case("SQL") {
            return false;
        }
        let text = "EXEC SQL is not supported in C++; write functions with it in a C source beside this one, and declare them extern \"C\"";
        diagnostics.severe("XL0026", place.span(4), text);
        while !matches!(self.scanner.next().0, Unit::Other(';') | Unit::End) {}
        true
    }

    /// An `#include` line names a header of the user.
    fn has_header(&self, line: &str) -> bool {
        self.headers.as_ref().is_some_and(|headers| headers.path(line, self.parent).is_some())
    }

    fn directive(&mut self, text: &str, place: Place, diagnostics: &mut Diagnostics) {
        let words: Vec<String> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_ascii_uppercase).collect();
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        match (word(0), word(1)) {
            ("PRAGMA", "OPTIONS") if words.iter().any(|word| word == "XPLINK") => self.xplink = Some(true),
            ("PRAGMA", "OPTIONS") if words.iter().any(|word| word == "NOXPLINK") => self.xplink = Some(false),
            // The options of the translator ("Specifying translator options"): the last one of EDF and NOEDF counts.
            ("PRAGMA", "XOPTS") => {
                let mut options = words[2..].iter().filter(|word| matches!(word.as_str(), "EDF" | "NOEDF"));
                self.noedf = options.next_back().map_or(self.noedf, |word| word == "NOEDF");
            }
            ("PRAGMA", "PACK") if word(2) == "PACKED" => return self.text.push_str("#pragma pack(1)"),
            ("PRAGMA", "PACK") if matches!(word(2), "RESET" | "FULL") => return self.text.push_str("#pragma pack()"),
            ("PRAGMA", "LINKAGE") if self.language == Language::Cpp => {
                diagnostics.severe("XL0026", place.span(1), format!("#pragma linkage {NO_CALL_IN_CPP}"));
                return;
            }
            ("PRAGMA", "LINKAGE") => self.linkage.pragma(text, place),
            ("DEFINE", _) => return self.text.push_str(&generate::replace_constants(text)),
            ("INCLUDE", _) => {
                let parent = self.parent;
                self.note_classes(text);
                self.declare_to(place);
                self.declared = self.scanner.at.offset;
                if word(1) == "DECIMAL" && word(2) == "H" && !self.has_header(text) {
                    let text = format!("the types and functions of decimal.h are not supported; {DECIMAL_INSTEAD}");
                    diagnostics.severe("XL0025", place.span(1), text);
                    return;
                }
                let instead = self.headers.as_mut().and_then(|headers| headers.include(text, parent, self.embedded, diagnostics));
                return self.text.push_str(instead.as_deref().unwrap_or(text));
            }
            _ => {}
        }
        self.text.push_str(text);
    }
}

/// What comes next continues an expression: `=`, an operator, or `return`.
fn ends_operand(text: &str) -> bool {
    let before = text.trim_end();
    before.ends_with(|c: char| "=+-*/%<>!&|^?:([~".contains(c)) || before.ends_with("return")
}

/// What comes next is the name of a member.
fn is_member(text: &str) -> bool {
    let before = text.trim_end();
    before.ends_with('.') || before.ends_with("->")
}

fn refuse_unstructured(command: &exec_translate::ExecCommand, diagnostics: &mut Diagnostics) {
    let label = command.options.iter().find(|option| option.spec.kind == ArgumentKind::Label);
    if UNSTRUCTURED.contains(&command.command) || label.is_some() {
        let span = label.map_or(command.span, |option| option.span);
        let text = format!("{} cannot be used in C; test RESP", command.command.name());
        diagnostics.push(Diagnostic::new(Severity::Severe, "XL0017", span, text));
    }
}

/// In COBOL the area of a map is identified by its name; a C program has unions or pointers, and must name one.
fn refuse_nameless_map(command: &exec_translate::ExecCommand, diagnostics: &mut Diagnostics) {
    let areas = match command.command {
        command::SEND_MAP => [option::FROM, option::MAPONLY],
        command::RECEIVE_MAP => [option::INTO, option::SET],
        _ => return,
    };
    if areas.iter().all(|area| command.option(*area).is_none()) {
        let text = format!("{} in C needs {} or {}", command.command.name(), areas[0].name(), areas[1].name());
        diagnostics.push(Diagnostic::new(Severity::Severe, "XL0022", command.span, text));
    }
}

/// Characters of C that stand in a command only within parentheses.
const NEVER_IN_COMMANDS: &str = "{}[]=*&+-!.?:<>|^%~";
const NO_CALL_IN_CPP: &str = "is not supported in C++; use LINK, or a function of a C source beside this one that makes the CALL";
/// The header of the foundation classes with the main function.
const MAIN_OF_CLASSES: &str = "iccmain";
/// Words of a command that a message about it shows.
const NAMED_WORDS_MAX: usize = 4;

#[cfg(test)]
mod tests;
