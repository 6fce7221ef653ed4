//! The variables in scope at a place in a C source: declarations are read as far as host variables need them.
//!
//! What is no declaration is skipped to its end, so unknown text never hides a later declaration. The compiler checks what is found here:
//! the generated text asserts the size of each host variable.

use super::constants::Constants;
use super::initial;
use super::sql_type;
use super::types::{Structure, Type, size};
use crate::scan::{Unit, units};
use std::collections::HashMap;
use std::rc::Rc;

/// Levels of declarators and structures.
const DEPTH_MAX: usize = 40;

/// Names that a suggestion is looked for among.
const SUGGESTED_MAX: usize = 2000;

/// A declared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub kind: Type,
    /// A parameter: an array is the address of one.
    pub parameter: bool,
}

#[derive(Default, Debug)]
struct Scope {
    variables: HashMap<String, Declared>,
    types: HashMap<String, Type>,
    tags: HashMap<String, Rc<Structure>>,
}

/// A token of C with its text.
pub type Token<'a> = (Unit, &'a str);

#[derive(Debug)]
pub struct Declarations {
    scopes: Vec<Scope>,
    pub constants: Constants,
    /// Structures have the least significant byte first: `#pragma scalar_storage_order little-endian`.
    reversed: bool,
    packed: bool,
}

impl Default for Declarations {
    fn default() -> Declarations {
        let mut declarations =
            Declarations { scopes: vec![Scope::default()], constants: Constants::default(), reversed: false, packed: false };
        let types = &mut declarations.scopes[0].types;
        let integer = |bytes, unsigned| Type::Integer { bytes, unsigned };
        for (name, kind) in [
            ("int8_t", Type::Character),
            ("int16_t", integer(2, false)),
            ("int32_t", integer(4, false)),
            ("sqlint32", integer(4, false)),
            ("sqlint64", integer(8, false)),
            ("int64_t", integer(8, false)),
            ("uint8_t", Type::Character),
            ("uint16_t", integer(2, true)),
            ("uint32_t", integer(4, true)),
            ("uint64_t", integer(8, true)),
            ("size_t", integer(4, true)),
            ("sqldbchar", Type::DoubleByte),
            ("wchar_t", Type::DoubleByte),
        ] {
            types.insert(name.to_string(), kind);
        }
        declarations
    }
}

/// Types of double-byte characters, which are numbers to the compiler.
const DOUBLE_BYTE: [&str; 2] = ["sqldbchar", "wchar_t"];
/// Words that may begin a declaration and are no types.
const STORAGE: [&str; 11] =
    ["auto", "extern", "static", "const", "volatile", "register", "inline", "typedef", "_Packed", "__inline", "restrict"];
const BASIC: [&str; 10] = ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "void", "_Bool"];

impl Declarations {
    pub fn find(&self, name: &str) -> Option<&Declared> {
        self.scopes.iter().rev().find_map(|scope| scope.variables.get(name))
    }

    /// The names in scope, for a suggestion.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.scopes.iter().flat_map(|scope| scope.variables.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.truncate(SUGGESTED_MAX);
        names
    }

    /// Reads a piece of source that begins and ends between statements.
    pub fn read(&mut self, text: &str) {
        let tokens: Vec<Token<'_>> = units(text).filter(|(unit, _)| *unit != Unit::Space).collect();
        Reader { declarations: self, tokens: &tokens, at: 0, depth: 0 }.statements();
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope stays")
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        self.scopes.iter().rev().find_map(|scope| scope.types.get(name)).cloned()
    }

    fn tag(&self, name: &str) -> Option<Rc<Structure>> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).cloned()
    }

    fn directive(&mut self, text: &str) {
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            ["define", ..] => self.constants.define(text),
            ["pragma", "scalar_storage_order", order, ..] => self.reversed = *order == "little-endian",
            ["pragma", "pack", what, ..] => self.packed = matches!(*what, "packed" | "1"),
            ["pragma", "pack"] => self.packed = false,
            _ => {}
        }
    }

    /// The bytes of what stands in the parentheses of sizeof: a variable or a type without a declarator.
    fn size_of(&self, text: &str) -> Option<i64> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind = match words.as_slice() {
            ["struct" | "union", tag] => Type::Structure(self.tag(tag)?),
            [name] if self.named_type(name).is_some() => self.named_type(name)?,
            [name] if self.find(name).is_some() => self.find(name)?.kind.clone(),
            words if words.iter().all(|word| BASIC.contains(word)) => basic(words),
            _ => return None,
        };
        size(&kind).map(|(bytes, _)| i64::from(bytes))
    }

    fn length(&self, text: &str) -> Option<u32> {
        let value = self.constants.value(text, &|inner| self.size_of(inner))?;
        u32::try_from(value).ok()
    }
}

/// The type that words of the language name.
fn basic(words: &[&str]) -> Type {
    let has = |word: &str| words.contains(&word);
    let unsigned = has("unsigned");
    if has("char") {
        return Type::Character;
    }
    if has("float") {
        return Type::Real { bytes: 4 };
    }
    if has("double") {
        return if has("long") { Type::Other("long double".to_string()) } else { Type::Real { bytes: 8 } };
    }
    if has("void") || has("_Bool") {
        return Type::Other(if has("void") { "void" } else { "_Bool" }.to_string());
    }
    let bytes = match words.iter().filter(|word| **word == "long").count() {
        2.. => 8,
        1 => 4,
        _ if has("short") => 2,
        _ => 4,
    };
    Type::Integer { bytes, unsigned }
}

/// What declarators share.
struct Specifiers {
    kind: Type,
    is_typedef: bool,
}

/// A declarator: its name, type and, if it is a function, its parameters.
struct Declarator {
    name: String,
    kind: Type,
    parameters: Option<Vec<(String, Type)>>,
}

struct Reader<'d, 't> {
    declarations: &'d mut Declarations,
    tokens: &'t [Token<'t>],
    at: usize,
    depth: usize,
}

impl<'t> Reader<'_, 't> {
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.at).copied().unwrap_or((Unit::End, ""))
    }

    fn text(&self) -> &'t str {
        self.peek().1
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.text() == text && self.at < self.tokens.len();
        self.at += usize::from(found);
        found
    }

    fn statements(&mut self) {
        while self.at < self.tokens.len() {
            match self.peek() {
                (Unit::Other('{'), _) => {
                    self.declarations.scopes.push(Scope::default());
                    self.at += 1;
                }
                (Unit::Other('}'), _) => {
                    if self.declarations.scopes.len() > 1 {
                        self.declarations.scopes.pop();
                    }
                    self.at += 1;
                }
                (Unit::Other(';'), _) => self.at += 1,
                (Unit::Directive, text) => {
                    self.declarations.directive(text);
                    self.at += 1;
                }
                (Unit::Word, word) if self.begins_declaration(word) => self.declaration(),
                _ => self.skip_statement(),
            }
        }
    }

    fn begins_declaration(&self, word: &str) -> bool {
        if BASIC.contains(&word) || STORAGE.contains(&word) || matches!(word, "struct" | "union" | "enum") || self.at_sql_type() {
            return true;
        }
        let follows = self.tokens.get(self.at + 1).copied().unwrap_or((Unit::End, ""));
        let is_declarator = follows.0 == Unit::Word || matches!(follows.1, "*" | "(");
        is_declarator && self.declarations.named_type(word).is_some()
            || matches!(word, "decimal" | "_Decimal32" | "_Decimal64" | "_Decimal128")
    }

    /// To the end of a statement, or to a brace.
    fn skip_statement(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().0 {
                Unit::End => return,
                Unit::Directive => return,
                Unit::Other('(' | '[') => depth += 1,
                Unit::Other(')' | ']') => depth = depth.saturating_sub(1),
                Unit::Other('{' | '}') => return,
                Unit::Other(';') if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn declaration(&mut self) {
        let start = self.at;
        let specifiers = self.specifiers();
        while let Some(declarator) = self.declarator(&specifiers.kind) {
            if self.text() == "{"
                && let Some(parameters) = declarator.parameters
            {
                self.at += 1;
                let variables = parameters.into_iter().map(|(name, kind)| (name, Declared { kind, parameter: true })).collect();
                self.declarations.scopes.push(Scope { variables, ..Scope::default() });
                return;
            }
            self.declare(&specifiers, declarator);
            self.skip_initial_value();
            if !self.accept(",") {
                break;
            }
        }
        if self.at == start {
            self.at += 1;
        }
        if self.text() != "}" && self.text() != "{" {
            self.skip_statement();
        }
    }

    fn declare(&mut self, specifiers: &Specifiers, declarator: Declarator) {
        let Declarator { name, kind, parameters } = declarator;
        if name.is_empty() || parameters.is_some() {
            return;
        }
        let kind = self.completed(kind);
        let scope = self.declarations.scope();
        if specifiers.is_typedef {
            // The program may declare what it is compiled with anyway.
            if !DOUBLE_BYTE.contains(&name.as_str()) {
                scope.types.insert(name, kind);
            }
        } else {
            scope.variables.insert(name, Declared { kind, parameter: false });
        }
    }

    /// An array whose length is that of its initial value, which comes next.
    fn completed(&self, kind: Type) -> Type {
        match kind {
            Type::Array(element, None) if self.text() == "=" => {
                let length = initial::elements(&self.tokens[self.at + 1..], *element == Type::Character);
                Type::Array(element, length)
            }
            known => known,
        }
    }

    /// `= value`, up to the comma or semicolon.
    fn skip_initial_value(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().0 {
                Unit::End | Unit::Directive if depth == 0 => return,
                Unit::End => return,
                Unit::Other('(' | '[' | '{') => depth += 1,
                Unit::Other(')' | ']' | '}') if depth == 0 => return,
                Unit::Other(')' | ']' | '}') => depth -= 1,
                Unit::Other(',' | ';') if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn specifiers(&mut self) -> Specifiers {
        let (mut words, mut kind, mut is_typedef, mut packed) = (Vec::new(), None, false, false);
        loop {
            let (unit, text) = self.peek();
            match text {
                _ if unit != Unit::Word => break,
                "typedef" => is_typedef = true,
                "_Packed" => packed = true,
                _ if STORAGE.contains(&text) => {}
                _ if BASIC.contains(&text) => words.push(text),
                "struct" | "union" => {
                    kind = Some(self.structure(packed));
                    continue;
                }
                "enum" => {
                    kind = Some(self.enumeration());
                    continue;
                }
                "__attribute__" => {
                    self.at += 1;
                    self.skip_parentheses();
                    continue;
                }
                _ if kind.is_some() || !words.is_empty() => break,
                _ if self.at_sql_type() => {
                    kind = Some(self.sql_type());
                    continue;
                }
                "decimal" => {
                    self.at += 1;
                    self.skip_parentheses();
                    kind = Some(Type::Other("decimal".to_string()));
                    continue;
                }
                name => match self.declarations.named_type(name) {
                    Some(named) => kind = Some(named),
                    None if name.starts_with("_Decimal") => kind = Some(Type::Other(name.to_string())),
                    None => break,
                },
            }
            self.at += 1;
        }
        let kind = kind.unwrap_or_else(|| basic(&words));
        Specifiers { kind, is_typedef }
    }

    fn at_sql_type(&self) -> bool {
        let word = |ahead: usize| self.tokens.get(self.at + ahead).map_or("", |(_, text)| text);
        word(0).eq_ignore_ascii_case("SQL") && word(1).eq_ignore_ascii_case("TYPE") && word(2).eq_ignore_ascii_case("IS")
    }

    fn sql_type(&mut self) -> Type {
        self.at += 3;
        match sql_type::parse(&self.tokens[self.at..]) {
            Some((kind, length, tokens)) => {
                self.at += tokens;
                Type::Sql(kind, length)
            }
            None => Type::Other("SQL TYPE".to_string()),
        }
    }

    fn skip_parentheses(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().0 {
                Unit::End => return,
                Unit::Other('(') => depth += 1,
                Unit::Other(')') => depth = depth.saturating_sub(1),
                _ if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// `struct` or `union`, with its tag and members if they are there.
    fn structure(&mut self, packed: bool) -> Type {
        let is_union = self.text() == "union";
        self.at += 1;
        let mut packed = packed || self.declarations.packed;
        while self.text() == "__attribute__" {
            packed |= self.tokens[self.at..].iter().take(6).any(|(_, text)| matches!(*text, "packed" | "__packed__"));
            self.at += 1;
            self.skip_parentheses();
        }
        let tag = match self.peek() {
            (Unit::Word, name) => {
                self.at += 1;
                Some(name.to_string())
            }
            _ => None,
        };
        let reversed = self.declarations.reversed;
        if self.text() != "{" {
            let known = tag.as_deref().and_then(|tag| self.declarations.tag(tag));
            return Type::Structure(known.unwrap_or_else(|| Rc::new(Structure::unknown(is_union))));
        }
        self.at += 1;
        let members = self.members();
        let structure = Rc::new(Structure::new(is_union, members, reversed, packed));
        if let Some(tag) = tag {
            self.declarations.scope().tags.insert(tag, structure.clone());
        }
        Type::Structure(structure)
    }

    /// Up to the closing brace, which is taken.
    fn members(&mut self) -> Vec<(String, Type)> {
        let mut members = Vec::new();
        self.depth += 1;
        while !self.accept("}") {
            let start = self.at;
            if self.peek().0 == Unit::End {
                break;
            }
            if self.depth <= DEPTH_MAX && self.peek().0 == Unit::Word {
                let specifiers = self.specifiers();
                while let Some(Declarator { name, kind, .. }) = self.declarator(&specifiers.kind) {
                    let is_bit_field = self.text() == ":";
                    members.push((name, if is_bit_field { Type::Other("a bit field".to_string()) } else { kind }));
                    self.skip_initial_value();
                    if !self.accept(",") {
                        break;
                    }
                }
            }
            self.accept(";");
            if self.at == start {
                self.at += 1;
            }
        }
        self.depth -= 1;
        members
    }

    fn enumeration(&mut self) -> Type {
        self.at += 1;
        if self.peek().0 == Unit::Word {
            self.at += 1;
        }
        if self.accept("{") {
            let mut next = 0i64;
            while self.peek().0 == Unit::Word {
                let name = self.text();
                self.at += 1;
                let start = self.at;
                self.skip_initial_value();
                if self.tokens.get(start).is_some_and(|(_, text)| *text == "=") {
                    let text = self.joined(start + 1, self.at);
                    next = self.declarations.constants.value(&text, &|_| None).unwrap_or(next);
                }
                self.declarations.constants.set(name, next);
                next = next.saturating_add(1);
                self.accept(",");
            }
            self.accept("}");
        }
        Type::Integer { bytes: 4, unsigned: false }
    }

    fn joined(&self, from: usize, to: usize) -> String {
        self.tokens[from.min(to)..to].iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ")
    }

    /// `None`: there is none here.
    fn declarator(&mut self, base: &Type) -> Option<Declarator> {
        self.depth += 1;
        let declarator = if self.depth > DEPTH_MAX { None } else { self.bounded_declarator(base.clone()) };
        self.depth -= 1;
        declarator
    }

    fn bounded_declarator(&mut self, mut kind: Type) -> Option<Declarator> {
        loop {
            match self.text() {
                "*" => kind = Type::pointer(kind),
                "const" | "volatile" | "restrict" => {}
                _ => break,
            }
            self.at += 1;
        }
        if self.text() == "(" {
            // The inner declarator applies to what follows the parentheses.
            let inner = self.at + 1;
            self.skip_parentheses();
            let (kind, _) = self.suffixes(kind);
            let behind = self.at;
            self.at = inner;
            let declarator = self.declarator(&kind);
            self.at = behind;
            return declarator.map(|declarator| Declarator { parameters: None, ..declarator });
        }
        let name = match self.peek() {
            (Unit::Word, name) => name.to_string(),
            _ => return None,
        };
        self.at += 1;
        let (kind, parameters) = self.suffixes(kind);
        Some(Declarator { name, kind, parameters })
    }

    /// `[length]` and parameters.
    fn suffixes(&mut self, kind: Type) -> (Type, Option<Vec<(String, Type)>>) {
        let (mut lengths, mut parameters) = (Vec::new(), None);
        loop {
            let start = self.at;
            match self.text() {
                "[" => {
                    while self.peek().0 != Unit::End && self.text() != "]" {
                        self.at += 1;
                    }
                    let text = self.joined(start + 1, self.at);
                    lengths.push(self.declarations.length(&text));
                    self.accept("]");
                }
                "(" if parameters.is_none() => parameters = Some(self.parameters()),
                "__attribute__" => {
                    self.at += 1;
                    self.skip_parentheses();
                }
                _ => break,
            }
        }
        let kind = lengths.into_iter().rev().fold(kind, Type::array);
        (kind, parameters)
    }

    fn parameters(&mut self) -> Vec<(String, Type)> {
        self.at += 1;
        let mut parameters = Vec::new();
        while self.peek().0 != Unit::End && !self.accept(")") {
            let start = self.at;
            let specifiers = self.specifiers();
            if let Some(Declarator { name, kind, .. }) = self.declarator(&specifiers.kind) {
                parameters.push((name, kind));
            }
            self.skip_initial_value();
            if !self.accept(",") && self.at == start {
                self.at += 1;
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests;
