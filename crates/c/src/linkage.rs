//! CALL between C and other languages: functions that `#pragma linkage` names with COBOL, OS or FETCHABLE.
//!
//! Such a function is a program of its own. If the source defines one and has no main function, it is the entry of the load module. A call
//! of any other becomes a CALL; so does a call through a pointer to a named function type, to the program that fetch has found. Arguments
//! are passed as addresses of storage with the same contents for all languages: structures and characters unchanged, numbers and arrays of
//! them as copies whose bytes are reversed in both directions. An argument that C passes by value is the address of a copy for the others.
//! Assertions in the generated text make the compiler refuse unsuitable arguments ("Writing Interlanguage Communication Applications":
//! "Passing data by value (indirect) between C and COBOL", "Passing data by reference (indirect)").

use crate::generate::{is_place, replace_constants};
use crate::scan::{Place, Scanner, Unit};
use std::fmt::Write as _;

/// Arguments of a CALL.
pub const ARGUMENTS_MAX: usize = 64;

/// The linkage information of the source.
#[derive(Default)]
pub struct Linkage {
    names: Vec<String>,
    /// The parameters of named functions as they are declared.
    declared: Vec<(String, Vec<String>)>,
    /// Of the first pragma.
    pub place: Option<Place>,
    pub has_main: bool,
    /// The function of those named that the source defines.
    pub entry: Option<Entry>,
    calls: u32,
    /// Variables that are pointers to a named function type, with the type: what they lead to, fetch has found.
    pointers: Vec<(String, String)>,
}

/// The target of a call.
pub enum Callee<'a> {
    /// The program of this name.
    Name(&'a str),
    /// The program that a variable leads to, which is a pointer to a named function type.
    Pointer { variable: &'a str, function: &'a str },
}

pub struct Entry {
    name: String,
    line: u32,
    parameters: Vec<String>,
}

impl Entry {
    pub fn parameter_count(&self) -> usize {
        self.parameters.len()
    }
}

impl Linkage {
    /// `#pragma linkage(name, COBOL)`; the words of the directive.
    pub fn pragma(&mut self, directive: &str, place: Place) {
        let words: Vec<&str> =
            directive.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|word| !word.is_empty()).collect();
        if let [_, _, name, kinds @ ..] = words.as_slice()
            && kinds.iter().any(|kind| matches!(kind.to_ascii_uppercase().as_str(), "COBOL" | "OS" | "FETCHABLE"))
        {
            self.names.push(name.to_string());
            self.place.get_or_insert(place);
        }
    }

    pub fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Records the declaration of a named function.
    pub fn declare(&mut self, name: &str, list: &str) {
        self.declared.retain(|(known, _)| known != name);
        self.declared.push((name.to_string(), split(list)));
    }

    /// Records the declaration of a pointer to a named function type.
    pub fn declare_pointer(&mut self, variable: &str, function: &str) {
        self.pointers.retain(|(known, _)| known != variable);
        self.pointers.push((variable.to_string(), function.to_string()));
    }

    /// The function type that a variable is a pointer to.
    pub fn pointed(&self, variable: &str) -> Option<String> {
        self.pointers.iter().find(|(known, _)| known == variable).map(|(_, function)| function.clone())
    }

    /// Records the definition of a named function, or of main.
    pub fn define(&mut self, name: &str, line: u32, list: &str) {
        if name == "main" {
            self.has_main = true;
        } else if self.is_named(name) {
            let parameters = split(list).into_iter().filter(|parameter| parameter.trim() != "void").collect();
            self.entry = Some(Entry { name: name.to_string(), line, parameters });
        }
    }

    /// The entry of a load module without main.
    pub fn called(&self) -> Option<&Entry> {
        self.entry.as_ref().filter(|_| !self.has_main)
    }

    /// The expression a call becomes: its value is the return code.
    pub fn call(&mut self, callee: Callee<'_>, list: &str) -> String {
        self.calls += 1;
        let (name, written) = match callee {
            Callee::Name(name) => (name, name),
            Callee::Pointer { variable, function } => (function, variable),
        };
        let arguments = split(list);
        let (mut before, mut addresses, mut after) = (String::new(), String::new(), String::new());
        for (at, argument) in arguments.iter().enumerate() {
            let argument = replace_constants(argument.trim());
            let place = argument.strip_prefix('&').map(str::trim_start).filter(|place| is_place(place));
            let names = Names { function: name, at, call: self.calls };
            match place {
                Some(place) => by_address(place, &names, &mut before, &mut addresses, &mut after),
                None => {
                    let declared = self.declared.iter().find(|(known, _)| known == name).and_then(|(_, list)| list.get(at));
                    match declared.map(|parameter| parameter_type(parameter)) {
                        Some(Parameter::Value(kind)) => by_declared_value(&argument, &kind, &names, &mut before, &mut addresses),
                        Some(Parameter::Address) if is_null(&argument) => addresses.push_str("0, "),
                        _ => by_value(&argument, &names, &mut before, &mut addresses, &mut after),
                    }
                }
            }
        }
        let (call, count) = (self.calls, arguments.len());
        let (target, entered) = match callee {
            Callee::Name(name) => {
                let ascii: Vec<String> = name.to_ascii_uppercase().bytes().map(|byte| byte.to_string()).collect();
                let target = format!("static const char regent_n{call}[] = {{ {} }};", ascii.join(", "));
                (target, format!("regent_call(regent_n{call}, sizeof regent_n{call}"))
            }
            Callee::Pointer { variable, .. } => (String::new(), format!("regent_call_pointer((void (*)()){variable}")),
        };
        format!(
            "({{ (void)sizeof({written}({list})); {before}unsigned regent_c{call}[] = {{ {addresses}0 }}; {target} \
             int regent_r{call} = {entered}, regent_c{call}, {count}); {after}regent_r{call}; }})"
        )
    }
}

struct Names<'a> {
    function: &'a str,
    at: usize,
    call: u32,
}

/// `&variable`: a number goes through a copy with its most significant byte first.
fn by_address(place: &str, names: &Names<'_>, before: &mut String, addresses: &mut String, after: &mut String) {
    let number = format!("REGENT_IS_NUMBER(__builtin_classify_type({place}))");
    let (copy, at) = (format!("regent_v{}_{}", names.call, names.at), names.at + 1);
    let _ = write!(
        before,
        "_Static_assert(!REGENT_IS_REAL(__builtin_classify_type({place})), \"argument {at} of {0} is a floating-point number, which other \
         languages have in another form\"); \
         _Static_assert(!REGENT_IS_ADDRESS({place}), \"argument {at} of {0} is an address, which other languages have in another form\"); \
         unsigned long long {copy} = \
         regent_reversed((unsigned long long)__builtin_choose_expr({number}, {place}, 0), {number} ? sizeof({place}) : 8); ",
        names.function
    );
    let _ = write!(addresses, "(unsigned)(unsigned long)&__builtin_choose_expr({number}, {copy}, {place}), ");
    let _ = write!(
        after,
        "__builtin_choose_expr({number}, {place}, regent_ignored) = regent_reversed({copy}, {number} ? sizeof({place}) : 8); "
    );
}

/// Any other expression, evaluated once: an address is passed unchanged, or as that of a byte-reversed copy if it points to numbers; a
/// value is passed as a copy.
fn by_value(expression: &str, names: &Names<'_>, before: &mut String, addresses: &mut String, after: &mut String) {
    let kind = Kind::of(expression);
    let (at, call) = (names.at, names.call);
    before.push_str(&kind.assertions(&format!("argument {} of {}", at + 1, names.function)));
    let Kind { pointer, number, decayed, .. } = &kind;
    let (element, count, turns) = (kind.element(), kind.count(), kind.leads_to_numbers());
    let _ = write!(
        before,
        "void *regent_e{call}_{at} = (void *)(unsigned long)__builtin_choose_expr({pointer}, {decayed}, (char *)0); \
         __typeof__(__builtin_choose_expr({pointer} || {number}, 0ULL, ({expression}))) regent_v{call}_{at} = \
         __builtin_choose_expr({pointer}, 0ULL, __builtin_choose_expr({number}, \
         regent_reversed((unsigned long long)__builtin_choose_expr({number}, ({expression}), 0), \
         sizeof(+__builtin_choose_expr({number}, ({expression}), 0))), ({expression}))); \
         unsigned long long regent_b{call}_{at}[({turns} ? {element} * {count} : 0) / 8 + 1]; \
         if ({turns} && regent_e{call}_{at}) regent_turn(regent_b{call}_{at}, regent_e{call}_{at}, {element}, {count}); "
    );
    let _ = write!(
        addresses,
        "(unsigned)(unsigned long)({pointer} ? {turns} && regent_e{call}_{at} ? (void *)regent_b{call}_{at} : regent_e{call}_{at} : \
         (void *)&regent_v{call}_{at}), "
    );
    let is_constant = format!("__builtin_types_compatible_p(__typeof__({decayed} + 0), const __typeof__(*{decayed}) *)");
    let _ = write!(
        after,
        "if ({turns} && !{is_constant} && regent_e{call}_{at}) regent_turn(regent_e{call}_{at}, regent_b{call}_{at}, {element}, {count}); "
    );
}

/// The information in a declaration about a parameter.
#[derive(PartialEq, Eq, Debug)]
enum Parameter {
    /// Passed by value: its type.
    Value(String),
    Address,
    /// Nothing: the declaration has no parameters, or ends in dots.
    Unknown,
}

fn parameter_type(parameter: &str) -> Parameter {
    const TYPE_WORDS: [&str; 11] = ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "const", "volatile", "_Bool"];
    if parameter.contains(['*', '[', '(']) {
        return Parameter::Address;
    }
    let mut words: Vec<&str> = parameter.split_whitespace().collect();
    let tagged = words.len() > 1 && matches!(words[words.len() - 2], "struct" | "union" | "enum");
    let named = words.len() > 1 && !tagged && !words.last().is_some_and(|word| TYPE_WORDS.contains(word));
    if named {
        words.pop();
    }
    match words.as_slice() {
        [] | ["..."] | ["void"] => Parameter::Unknown,
        words => Parameter::Value(words.join(" ")),
    }
}

/// NULL or zero for an address: the argument is omitted.
fn is_null(argument: &str) -> bool {
    matches!(argument, "NULL" | "0")
}

/// A value becomes a copy of the declared type, as in any call of C.
fn by_declared_value(expression: &str, kind: &str, names: &Names<'_>, before: &mut String, addresses: &mut String) {
    let (at, call) = (names.at, names.call);
    let copy = format!("regent_t{call}_{at}");
    let number = format!("REGENT_IS_NUMBER(__builtin_classify_type({copy}))");
    let _ = write!(
        before,
        "{kind} {copy} = ({expression}); {}",
        Kind::of(&copy).assertions(&format!("argument {} of {}", at + 1, names.function))
    );
    let _ = write!(
        before,
        "unsigned long long regent_v{call}_{at} = \
         regent_reversed((unsigned long long)__builtin_choose_expr({number}, {copy}, 0), {number} ? sizeof({copy}) : 8); "
    );
    let _ = write!(addresses, "(unsigned)(unsigned long)({number} ? (const void *)&regent_v{call}_{at} : (const void *)&{copy}), ");
}

/// Questions the compiler answers about an expression.
struct Kind<'a> {
    expression: &'a str,
    pointer: String,
    number: String,
    /// Its address, or an unused one.
    decayed: String,
}

impl Kind<'_> {
    fn of(expression: &str) -> Kind<'_> {
        let class = format!("__builtin_classify_type({expression})");
        Kind {
            expression,
            pointer: format!("REGENT_IS_POINTER({class})"),
            number: format!("REGENT_IS_NUMBER({class})"),
            decayed: format!("REGENT_DECAYED({expression})"),
        }
    }

    /// The bytes of its target, or of itself.
    fn element(&self) -> String {
        format!("({} ? sizeof(*{}) : sizeof({}))", self.pointer, self.decayed, self.expression)
    }

    /// Elements of an array; an address leads to one.
    fn count(&self) -> String {
        format!("({0} && !REGENT_IS_ADDRESS({1}) ? sizeof({1}) / sizeof(*{2}) : 1)", self.pointer, self.expression, self.decayed)
    }

    fn leads_to_numbers(&self) -> String {
        format!("({} && REGENT_TURNS({}))", self.pointer, self.decayed)
    }

    fn assertions(&self, what: &str) -> String {
        let real = format!("REGENT_IS_REAL(__builtin_classify_type({}))", self.expression);
        format!(
            "_Static_assert(!{real}, \"{what} is a floating-point number, which other languages have in another form\"); \
             _Static_assert(REGENT_SHARED({0}), \"{what} leads to addresses or floating-point numbers in the form of the machine: use a structure\"); ",
            self.decayed
        )
    }
}

/// The function the run time enters, which calls the entry with what the addresses it is given lead to. Each parameter has a namesake of
/// its type that is declared and never defined, of which the compiler is asked.
pub fn entry_function(entry: &Entry, file: &str) -> String {
    let Entry { name, line, parameters } = entry;
    let (mut declared, mut before, mut after, mut arguments) = (String::new(), String::new(), String::new(), Vec::new());
    // At most this many argument words of C are on the stack: an address is one word, a structure as many as it has.
    let mut words = String::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let namesake = format!("regent_p{at}");
        let kind = Kind::of(&namesake);
        let (element, count) = (kind.element(), if has_length(parameter) { kind.count() } else { "1".to_string() });
        let Kind { pointer, number, .. } = &kind;
        let leads = kind.leads_to_numbers();
        let _ =
            write!(declared, "extern {}; {}", renamed(parameter, &namesake), kind.assertions(&format!("parameter {} of {name}", at + 1)));
        let _ = write!(
            before,
            "unsigned long long regent_b{at}[({number} || {leads} ? {element} * {count} : 0) / 8 + 1]; \
             void *regent_q{at} = (void *)(unsigned long)regent_l[{at}]; \
             if (({number} || {leads}) && regent_q{at}) {{ regent_turn(regent_b{at}, regent_q{at}, {element}, {count}); regent_q{at} = regent_b{at}; }} "
        );
        let _ = write!(
            after,
            "if ({leads} && regent_q{at}) regent_turn((void *)(unsigned long)regent_l[{at}], regent_b{at}, {element}, {count}); "
        );
        let _ = write!(words, " + ({pointer} ? 2 : (sizeof(__builtin_choose_expr({pointer}, (char *)0, {namesake})) + 15) / 16 * 2)");
        arguments.push(format!("__builtin_choose_expr({pointer}, regent_q{at}, *(__typeof__({namesake}) *)regent_q{at})"));
    }
    let call = format!("{name}({})", arguments.join(", "));
    format!(
        "\n#line {line} \"{file}\"\n{declared}int regent_called(const unsigned *regent_l) {{ {before}\
         int regent_r = __builtin_choose_expr(__builtin_types_compatible_p(__typeof__({call}), void), ({call}, 0), {call}); \
         {after}return regent_r; }} \
         void regent_called_native(void *regent_l) {{ regent_native(regent_l, (void (*)()){name}, 0{words}); }}\n"
    )
}

/// An array with an explicit number of elements.
fn has_length(parameter: &str) -> bool {
    parameter.find('[').zip(parameter.find(']')).is_some_and(|(open, close)| !parameter[open + 1..close].trim().is_empty())
}

/// The declaration of a parameter with another name.
fn renamed(parameter: &str, name: &str) -> String {
    let old = parameter_name(parameter);
    let (mut scanner, mut at, mut depth) = (Scanner::new(parameter), None, 0usize);
    loop {
        match scanner.next() {
            (Unit::End, ..) => break,
            (Unit::Other('['), ..) => depth += 1,
            (Unit::Other(']'), ..) => depth = depth.saturating_sub(1),
            (Unit::Word, word, place) if depth == 0 && word == old => at = Some(place.offset),
            _ => {}
        }
    }
    match at {
        Some(at) => format!("{}{name}{}", &parameter[..at], &parameter[at + old.len()..]),
        None => parameter.to_string(),
    }
}

/// The last word of a parameter that is not an array bound.
fn parameter_name(parameter: &str) -> String {
    let mut scanner = Scanner::new(parameter);
    let (mut depth, mut name) = (0usize, "0");
    loop {
        match scanner.next() {
            (Unit::End, ..) => return name.to_string(),
            (Unit::Other('['), ..) => depth += 1,
            (Unit::Other(']'), ..) => depth = depth.saturating_sub(1),
            (Unit::Word, word, _) if depth == 0 => name = word,
            _ => {}
        }
    }
}

/// The parts between commas outside brackets, joined to one line; none for an empty list.
fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0usize);
    let mut scanner = Scanner::new(list);
    loop {
        let (unit, text, _) = scanner.next();
        match unit {
            Unit::End => break,
            Unit::Other('(' | '[' | '{') => depth += 1,
            Unit::Other(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        match unit {
            Unit::Other(',') if depth == 0 => parts.push(String::new()),
            Unit::Space => parts.last_mut().expect("never empty").push(' '),
            _ => parts.last_mut().expect("never empty").push_str(text),
        }
    }
    if parts.len() == 1 && parts[0].trim().is_empty() {
        parts.clear();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_at_their_commas() {
        assert_eq!(split(" a, f(b, c) ,\n &d[1, 2] /* , */"), [" a", " f(b, c) ", " &d[1, 2]  "]);
        assert!(split(" ").is_empty());
        assert_eq!(parameter_name("const struct a *b"), "b");
        assert_eq!(parameter_name("char text[LENGTH]"), "text");
        let value = |kind: &str| Parameter::Value(kind.to_string());
        for (parameter, kind) in [
            ("short small", value("short")),
            (" unsigned long long", value("unsigned long long")),
            ("int16_t", value("int16_t")),
            ("int16_t x", value("int16_t")),
            ("const struct pair p", value("const struct pair")),
            ("struct pair", value("struct pair")),
            ("int *p", Parameter::Address),
            ("char t[]", Parameter::Address),
            ("void", Parameter::Unknown),
            ("...", Parameter::Unknown),
        ] {
            assert_eq!(parameter_type(parameter), kind, "{parameter}");
        }
        assert_eq!(renamed("const struct a *b", "p"), "const struct a *p");
        assert_eq!(renamed("char a[a]", "p"), "char p[a]");
        assert!(has_length("int a[3]") && !has_length("int a[ ]") && !has_length("int *a"));
    }

    #[test]
    fn a_defined_function_is_the_entry_unless_there_is_main() {
        let mut linkage = Linkage::default();
        linkage.pragma("#pragma linkage (PROG, COBOL)", Place { offset: 0, line: 1, column: 1, file: 0 });
        linkage.pragma("#pragma linkage(other, PLI)", Place { offset: 0, line: 2, column: 1, file: 0 });
        assert!(linkage.is_named("PROG") && !linkage.is_named("other"));
        linkage.define("PROG", 3, "struct a *x, char *y");
        assert_eq!(linkage.called().map(Entry::parameter_count), Some(2));
        linkage.define("main", 9, "void");
        assert!(linkage.called().is_none());
    }
}
