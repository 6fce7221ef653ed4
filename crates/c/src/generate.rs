//! The translation of a command: a block that fills the arguments, calls the run time and stores the returned values.
//!
//! An argument is any C expression, so its type is unknown here; the generated text lets the compiler determine it. For an area, an array
//! or pointer is the address, and the address of anything else is taken; `&x` and `x` mean the same. A number used as an area of bytes
//! (RIDFLD of a relative record) is passed with the most significant byte first, as in other languages.

use crate::scan::{Scanner, Unit};
use cobol::exec_translate::{ExecCommand, ExecOption};
use cobol::lexer::Token;
use exec::block::{Argument, Block, Representation};
use exec::{ArgumentKind, Direction, Numeric, OptionId, OptionSpec};
use std::fmt::Write as _;

/// The file name given to the compiler for generated text: messages about it are useless if there is one about the source.
pub const GENERATED: &str = "<command>";

pub struct Context<'a> {
    pub source: &'a str,
    pub file: &'a str,
    pub line: u32,
    pub statement: u32,
}

/// An argument as written.
pub struct Written {
    /// With DFHRESP and DFHVALUE replaced.
    pub text: String,
    pub line: u32,
    pub column: usize,
    /// `&` stood before it; it is not in the text.
    pub ampersand: bool,
    /// Something that can be assigned to: a variable, member or element.
    pub is_place: bool,
    pub is_string: bool,
}

/// Numbers that the host has as packed decimal areas may be such areas here, too: the length of the area.
pub fn packed_bytes(numeric: Numeric) -> Option<u32> {
    matches!(numeric, Numeric::Abstime | Numeric::Hhmmss | Numeric::TaskNumber).then(|| numeric.width_bytes())
}

/// The command's text, which ends on a separate line.
pub fn command(context: &Context<'_>, command: &ExecCommand) -> String {
    let mut body = Body { context, text: String::new(), after: String::new(), count: 0 };
    for option in &command.options {
        body.option(option);
    }
    for (id, response) in [(exec::option::RESP, &command.resp), (exec::option::RESP2, &command.resp2)] {
        if let Some(response) = response {
            let written = written(context, &response.argument);
            body.place(&written);
            body.begin(id, Representation::Integer);
            body.number_out(&written, Numeric::Fullword);
            body.count += 1;
        }
    }
    let Body { text, after, count, .. } = body;
    // Statements are on the line of the command; only directives have separate lines.
    let (text, after) = (text.replace(";\n", "; "), after.replace(";\n", "; "));
    let (number, flags) = (command.command.0, Block::NOHANDLE);
    format!(
        "\n#line {0} \"{GENERATED}\"\n{{ struct regent_argument regent_a[{1}] = {{ {{ 0 }} }}; {text}\
         regent_execute({number}, {flags}, {0}, {2}, regent_a, {count}); {after}}}",
        context.line,
        count.max(1),
        context.statement
    )
}

/// How an argument goes into its place of the block.
pub(crate) enum Passing {
    Flag,
    PointerIn,
    PointerOut,
    Number,
    Area,
}

/// How the argument of an option is passed, in C and in C++.
pub(crate) fn passing(spec: &OptionSpec) -> Passing {
    let is_pointer = matches!(spec.numeric, Numeric::Pointer | Numeric::Pointer64);
    match (spec.kind, spec.direction) {
        (ArgumentKind::Flag | ArgumentKind::Label, _) => Passing::Flag,
        (ArgumentKind::PointerReference, Direction::Out | Direction::InOut) => Passing::PointerOut,
        (_, Direction::Out) if is_pointer => Passing::PointerOut,
        (ArgumentKind::PointerReference | ArgumentKind::PointerValue, _) => Passing::PointerIn,
        (_, Direction::In) if is_pointer => Passing::PointerIn,
        _ if spec.numeric.is_number() => Passing::Number,
        _ => Passing::Area,
    }
}

struct Body<'a> {
    context: &'a Context<'a>,
    text: String,
    after: String,
    count: usize,
}

impl Body<'_> {
    fn option(&mut self, option: &ExecOption) {
        let spec = option.spec;
        let Some(tokens) = &option.argument else {
            self.begin(spec.id, Representation::Flag);
            self.count += 1;
            return;
        };
        let argument = written(self.context, tokens);
        self.place(&argument);
        match passing(spec) {
            Passing::Flag => self.begin(spec.id, Representation::Flag),
            Passing::PointerOut => self.pointer_out(spec.id, &argument),
            Passing::PointerIn => self.pointer_in(spec.id, &argument),
            Passing::Number => self.number(spec, spec.direction, &argument),
            Passing::Area => self.area(spec, &argument),
        }
        self.count += 1;
    }

    fn begin(&mut self, option: OptionId, representation: Representation) {
        let at = self.count;
        let _ = writeln!(self.text, "regent_a[{at}].option = {}; regent_a[{at}].representation = {};", option.0, representation as u8);
    }

    /// Shows the expression to the compiler at its place in the source without using it, so that its errors are found there.
    fn place(&mut self, argument: &Written) {
        let Context { file, line, .. } = self.context;
        let indent = " ".repeat(argument.column.saturating_sub(1));
        let _ = writeln!(
            self.text,
            "(void)__builtin_classify_type(\n#line {} \"{file}\"\n{indent}{}\n#line {line} \"{GENERATED}\"\n);",
            argument.line, argument.text
        );
    }

    fn number(&mut self, spec: &OptionSpec, direction: Direction, argument: &Written) {
        self.begin(spec.id, Representation::Integer);
        let stores = direction.is_output() && argument.is_place;
        if direction != Direction::Out || !stores {
            self.number_in(argument, spec.numeric);
        }
        if stores {
            self.number_out(argument, spec.numeric);
        }
    }

    fn number_in(&mut self, argument: &Written, numeric: Numeric) {
        let (at, text) = (self.count, &argument.text);
        match packed_bytes(numeric) {
            Some(bytes) if argument.is_place => {
                let _ = writeln!(
                    self.text,
                    "regent_a[{at}].value = REGENT_IS_POINTER(__builtin_classify_type({text})) ? regent_packed(__builtin_choose_expr(\
                     REGENT_IS_POINTER(__builtin_classify_type({text})), ({text}), regent_ignored_pointer), {bytes}) : (long long)\
                     __builtin_choose_expr(REGENT_IS_POINTER(__builtin_classify_type({text})), 0, ({text}));"
                );
            }
            _ => {
                let _ = writeln!(self.text, "regent_a[{at}].value = (long long)({text});");
            }
        }
    }

    fn number_out(&mut self, argument: &Written, numeric: Numeric) {
        let (at, text) = (self.count, &argument.text);
        let set = Argument::SET;
        let line = match packed_bytes(numeric) {
            Some(bytes) => format!(
                "if (regent_a[{at}].flags & {set}) {{ if (REGENT_IS_POINTER(__builtin_classify_type({text}))) regent_set_packed(\
                 __builtin_choose_expr(REGENT_IS_POINTER(__builtin_classify_type({text})), ({text}), regent_ignored_pointer), {bytes}, \
                 regent_a[{at}].value); else __builtin_choose_expr(REGENT_IS_POINTER(__builtin_classify_type({text})), regent_ignored, {text}) = \
                 regent_a[{at}].value; }};"
            ),
            None => format!("if (regent_a[{at}].flags & {set}) {text} = regent_a[{at}].value;"),
        };
        self.after.push_str(&line);
        self.after.push('\n');
    }

    fn pointer_in(&mut self, option: OptionId, argument: &Written) {
        self.begin(option, Representation::Integer);
        let ampersand = if argument.ampersand { "&" } else { "" };
        let _ = writeln!(self.text, "regent_a[{}].value = (unsigned long)({ampersand}({}));", self.count, argument.text);
    }

    fn pointer_out(&mut self, option: OptionId, argument: &Written) {
        self.begin(option, Representation::Integer);
        let (at, set) = (self.count, Argument::SET);
        let _ = writeln!(self.after, "if (regent_a[{at}].flags & {set}) {} = (void *)(unsigned long)regent_a[{at}].value;", argument.text);
    }

    fn area(&mut self, spec: &OptionSpec, argument: &Written) {
        self.begin(spec.id, Representation::Area);
        let (at, text) = (self.count, &argument.text);
        if argument.is_string {
            let _ = writeln!(self.text, "regent_a[{at}].address = (unsigned long)({text}); regent_a[{at}].length = sizeof({text}) - 1;");
            return;
        }
        if !argument.is_place {
            self.value_area(spec, argument);
            self.text += &name_length(spec, at);
            return;
        }
        self.place_area(spec, argument);
        self.text += &name_length(spec, at);
    }

    /// An area given as an expression: an address, or a number whose bytes are the area.
    fn value_area(&mut self, spec: &OptionSpec, argument: &Written) {
        let at = self.count;
        let text = format!("{}({})", if argument.ampersand { "&" } else { "" }, argument.text);
        let is_number = format!("REGENT_IS_NUMBER(__builtin_classify_type({text}))");
        let pointer = format!("__builtin_choose_expr({is_number}, (char *)0, {text})");
        let length = match spec.length {
            0 => format!("({is_number} ? sizeof({text}) : sizeof(*{pointer}))"),
            fixed => fixed.to_string(),
        };
        let _ = writeln!(
            self.text,
            "unsigned long long regent_t{at} = regent_reversed((unsigned long long)__builtin_choose_expr({is_number}, {text}, 0), \
             {length} > 8 ? 8 : {length});\n\
             regent_a[{at}].address = (unsigned long)__builtin_choose_expr({is_number}, &regent_t{at}, {text}); regent_a[{at}].length = {length};"
        );
    }

    /// An area given as a variable, member or element of whatever type.
    fn place_area(&mut self, spec: &OptionSpec, argument: &Written) {
        let (at, text) = (self.count, &argument.text);
        let class = format!("__builtin_classify_type({text})");
        // A pointer for an array or pointer; otherwise an unused one.
        let decayed = format!("__builtin_choose_expr(REGENT_IS_POINTER({class}), ({text}), (char *)0)");
        let is_pointer =
            format!("(REGENT_IS_POINTER({class}) && __builtin_types_compatible_p(__typeof__({text}), __typeof__({decayed} + 0)))");
        let is_address = match argument.ampersand {
            true => format!("(REGENT_IS_POINTER({class}) && !{is_pointer})"),
            false => format!("REGENT_IS_POINTER({class})"),
        };
        let reads = spec.direction.is_input() || spec.direction == Direction::Flag;
        let before = if reads {
            format!("regent_reversed((unsigned long long)__builtin_choose_expr(REGENT_IS_NUMBER({class}), ({text}), 0), sizeof({text}))")
        } else {
            "0".to_string()
        };
        let length = match spec.length {
            0 if argument.ampersand => format!("sizeof({text})"),
            0 => format!("({is_pointer} ? sizeof(*{decayed}) : sizeof({text}))"),
            fixed => format!("({is_pointer} ? {fixed} : sizeof({text}) < {fixed} ? sizeof({text}) : {fixed})"),
        };
        let _ = writeln!(
            self.text,
            "unsigned long long regent_t{at} = {before};\n\
             regent_a[{at}].address = (unsigned long)__builtin_choose_expr({is_address}, {decayed}, \
             &__builtin_choose_expr({is_address} || REGENT_IS_NUMBER({class}), regent_t{at}, {text}));\n\
             regent_a[{at}].length = {length};"
        );
        if spec.direction.is_output() {
            let _ = writeln!(
                self.after,
                "if (REGENT_IS_NUMBER({class}) && regent_a[{at}].flags & {}) __builtin_choose_expr(REGENT_IS_NUMBER({class}), {text}, regent_ignored) = \
                 regent_reversed(regent_t{at}, sizeof({text}));",
                Argument::SET
            );
        }
    }
}

/// The statement that finds the length of a name. In an array or behind a pointer it ends with a binary zero or with the option's length; a
/// token has the length of the option. Nothing for an argument that is no name.
pub(crate) fn name_length(spec: &OptionSpec, at: usize) -> String {
    let name = matches!(spec.kind, ArgumentKind::Name | ArgumentKind::FileName | ArgumentKind::SystemName | ArgumentKind::DataValue);
    if !name || spec.direction != Direction::In || spec.length == 0 || spec.is_binary() {
        return String::new();
    }
    let (address, length) = (format!("regent_a[{at}].address"), format!("regent_a[{at}].length"));
    format!("{length} = regent_name_length((const void *)(unsigned long){address}, {length});\n")
}

/// The argument's text in the source, from its first token to its last.
pub fn written(context: &Context<'_>, tokens: &[Token]) -> Written {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Written { text: "0".into(), line: context.line, column: 1, ampersand: false, is_place: false, is_string: false };
    };
    let start = offset(context.source, first.span.line, first.span.column);
    let end = offset(context.source, last.span.line, last.span.column + last.span.length);
    let whole = &context.source[start..end.max(start)];
    let ampersand = whole.starts_with('&') && !whole.starts_with("&&");
    let text = if ampersand { whole[1..].trim_start() } else { whole };
    let skipped = whole.len() - text.len();
    Written {
        line: first.span.line,
        column: usize::from(first.span.column) + skipped,
        ampersand,
        is_place: is_place(text),
        is_string: is_string(text),
        text: replace_constants(text),
    }
}

fn offset(source: &str, line: u32, column: u16) -> usize {
    let start: usize = source.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let text = source[start..].split('\n').next().unwrap_or("");
    start + text.char_indices().nth(usize::from(column) - 1).map_or(text.len(), |(at, _)| at)
}

/// A variable, possibly with members, elements and leading asterisks: an expression that can be assigned to, or has an address.
pub fn is_place(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    let (mut depth, mut words, mut was_word) = (0usize, 0, false);
    loop {
        let (unit, text, _) = scanner.next();
        match unit {
            Unit::Space => continue,
            Unit::End => return depth == 0 && words > 0,
            Unit::Other('[') => depth += 1,
            Unit::Other(']') if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            // Two adjacent words are a type and something else.
            Unit::Word if was_word || matches!(text, "sizeof" | "DFHVALUE" | "DFHRESP") => return false,
            Unit::Word => words += 1,
            Unit::Other('*') if words == 0 => {}
            Unit::Other('.' | '-' | '>') if words > 0 => {
                if text == "-" && !scanner.next().1.starts_with('>') {
                    return false;
                }
            }
            _ => return false,
        }
        was_word = unit == Unit::Word;
    }
}

fn is_string(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    let mut strings = 0;
    loop {
        match scanner.next().0 {
            Unit::Space => {}
            Unit::String => strings += 1,
            Unit::End => return strings > 0,
            _ => return false,
        }
    }
}

/// DFHVALUE and DFHRESP in an argument.
pub fn replace_constants(text: &str) -> String {
    let mut result = text.to_string();
    for word in ["DFHVALUE", "DFHRESP"] {
        while let Some(at) = result.find(word) {
            let after = &result[at + word.len()..];
            let Some((open, close)) = after.find('(').zip(after.find(')')).filter(|(open, close)| open < close) else { break };
            let name = after[open + 1..close].trim().to_ascii_uppercase();
            // An invalid name is left to the compiler, which reports it.
            let Some(value) = constant_value(word, &name) else { break };
            result.replace_range(at..at + word.len() + close + 1, &value.to_string());
        }
    }
    result
}

/// The number of a name, also where the name is an argument of a command.
pub fn constant_value(word: &str, name: &str) -> Option<i64> {
    if word == "DFHRESP" { exec::dfhresp(name) } else { exec::dfhvalue(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lvalues_are_distinguished_from_other_expressions() {
        for place in ["a", "*p", "a.b", "p->q[i + 1].r", "table[f(x)]", " a "] {
            assert!(is_place(place), "{place}");
        }
        for other in ["1", "a + 1", "f(x)", "(char *)p", "sizeof a", "a - b", "\"x\"", "sizeof(a)", "DFHVALUE(OPEN)", ""] {
            assert!(!is_place(other), "{other}");
        }
        assert!(is_string("\"a\" \"b\"") && !is_string("\"a\"[0]"));
    }

    #[test]
    fn constants_in_arguments_become_numbers() {
        assert_eq!(replace_constants("DFHVALUE(open) + 1"), "18 + 1");
        assert_eq!(replace_constants("DFHVALUE(NOTHING)"), "DFHVALUE(NOTHING)");
    }
}
