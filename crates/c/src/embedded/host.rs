//! Host variables: what an expression of an SQL statement is in C, described for the run time, and the C text of its address.
//!
//! Rules: Db2 for z/OS Application Programming and SQL Guide, "Host variables in C and C++", "Host structures in C and C++", "Referencing
//! pointer host variables in C and C++ programs", "Indicator variables in C and C++". Members of structures cannot be addressed with `&`,
//! because their numbers are in the order of the host; their addresses are formed from that of the structure and `offsetof`.

use super::declarations::{Declarations, Declared};
use super::text::{Step, Written};
use super::types::{Structure, Type, described, size};
use sql::{HostReference, Role, Variable, VariableType};
use std::fmt::Write as _;

/// Groups in a host structure: one level.
const NESTING_MAX: u32 = 1;
const SQLDA: &str = "sqlda";
/// What a program uses for decimal numbers, which the machine's compiler does not have.
pub const DECIMAL_INSTEAD: &str =
    "use double or, for exact digits, an array of characters, CHAR(column) to read and DECIMAL(:name, p, s) to write it";

/// One variable of a statement, and where the program has it.
#[derive(Debug)]
pub struct Host {
    pub variable: Variable,
    /// C expressions of its address and that of its indicator; `0`: none.
    pub address: String,
    pub indicator: String,
    /// Declarations that let the compiler check what was found here.
    pub check: String,
}

/// Something that can be read and set.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    kind: Type,
    reversed: bool,
    /// The address is that of `base` (an expression whose address can be taken) and the offset of `path`; without path, of `base`.
    base: String,
    path: String,
    /// The parameter of a function, an array: its name is its address.
    is_address: bool,
}

impl Place {
    fn address(&self) -> String {
        match (self.path.is_empty(), self.is_address) {
            (true, true) => format!("(unsigned long)({})", self.base),
            (true, false) => format!("(unsigned long)&({})", self.base),
            (false, _) => format!("(unsigned long)&({0}) + __builtin_offsetof(__typeof__({0}), {1})", self.base, self.path),
        }
    }

    fn member(&self, name: &str, kind: &Type, structure: &Structure) -> Place {
        let path = if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) };
        Place {
            text: format!("{}.{name}", self.text),
            kind: kind.clone(),
            reversed: structure.reversed,
            path,
            base: self.base.clone(),
            is_address: false,
        }
    }

    /// What a pointer or the name of a parameter array leads to; `text` is the C expression of it.
    fn target(&self, text: String, kind: Type) -> Place {
        Place { base: text.clone(), text, kind, reversed: true, path: String::new(), is_address: false }
    }

    /// An element of an array.
    fn element(&self, index: &str, kind: Type) -> Place {
        let suffixed = |text: &str| format!("{text}[{index}]");
        let (base, path) = match self.path.is_empty() {
            true => (suffixed(&self.base), String::new()),
            false => (self.base.clone(), suffixed(&self.path)),
        };
        Place { text: suffixed(&self.text), kind, base, path, is_address: false, ..self.clone() }
    }
}

/// The place that an expression names.
fn place(declarations: &Declarations, written: &Written) -> Result<Place, String> {
    let Some(Step::Name(name)) = written.steps.first() else { return Err("a host variable has a name".to_string()) };
    let Some(Declared { kind, parameter }) = declarations.find(name) else {
        let hint = exec::meant(name, declarations.names().into_iter());
        return Err(format!("the host variable {name} is not declared{hint}"));
    };
    let is_address = *parameter && matches!(kind, Type::Array(..));
    let mut place = Place { text: name.clone(), kind: kind.clone(), reversed: true, base: name.clone(), path: String::new(), is_address };
    for step in &written.steps[1..] {
        place = stepped(&place, step)?;
    }
    for _ in 0..written.stars {
        let Type::Pointer(target) = &place.kind else {
            return Err(format!("{} is {}, not a pointer", place.text, described(&place.kind)));
        };
        place = place.target(format!("*{}", place.text), (**target).clone());
    }
    Ok(place)
}

fn stepped(place: &Place, step: &Step) -> Result<Place, String> {
    let wrong = |wanted: &str| Err(format!("{} is {}, not {wanted}", place.text, described(&place.kind)));
    match (step, &place.kind) {
        (Step::Member(name), Type::Structure(structure)) => member(place, structure, name),
        (Step::Arrow(name), Type::Pointer(target)) => match &**target {
            Type::Structure(structure) => {
                let led = place.target(format!("*{}", place.text), (**target).clone());
                let mut found = member(&led, structure, name)?;
                found.text = format!("{}->{name}", place.text);
                Ok(found)
            }
            _ => wrong("a pointer to a structure"),
        },
        (Step::Element(index), Type::Array(element, _)) => Ok(place.element(index, (**element).clone())),
        (Step::Element(index), Type::Pointer(target)) => Ok(place.target(format!("{}[{index}]", place.text), (**target).clone())),
        (Step::Member(_), _) => wrong("a structure"),
        (Step::Arrow(_), _) => wrong("a pointer to a structure"),
        _ => wrong("an array"),
    }
}

fn member(place: &Place, structure: &Structure, name: &str) -> Result<Place, String> {
    match structure.member(name) {
        Some(kind) => Ok(place.member(name, kind, structure)),
        None if !structure.complete => Err(format!("the members of {} are not known here", place.text)),
        None => {
            let hint = exec::meant(name, structure.members.iter().map(|(name, _)| name.as_str()));
            Err(format!("{} has no member {name}{hint}", place.text))
        }
    }
}

/// What a place is for SQL.
struct Form {
    kind: VariableType,
    length: u32,
}

fn form(place: &Place) -> Result<Form, String> {
    let form = |kind, length| Ok(Form { kind, length });
    match &place.kind {
        Type::Integer { unsigned: true, .. } => {
            Err("it is an unsigned number, which SQL does not have; declare a signed one, if need be a longer one".to_string())
        }
        Type::Integer { bytes: 2, .. } => form(VariableType::SmallInt, 2),
        Type::Integer { bytes: 4, .. } => form(VariableType::Integer, 4),
        Type::Integer { .. } => form(VariableType::BigInt, 8),
        Type::Character => form(VariableType::Char, 1),
        Type::DoubleByte => form(VariableType::Graphic, 1),
        Type::Real { bytes: 4 } => form(VariableType::IeeeReal, 4),
        Type::Real { .. } => form(VariableType::IeeeDouble, 8),
        Type::Sql(kind, length) => form(*kind, *length),
        Type::Array(element, Some(length)) if **element == Type::Character => form(VariableType::NulTerminated, *length),
        Type::Array(element, Some(length)) if **element == Type::DoubleByte => form(VariableType::NulTerminatedGraphic, *length),
        Type::Array(_, None) => Err("its length is not known here".to_string()),
        Type::Structure(structure) => match structure.varying() {
            Some(_) if structure.reversed => {
                Err("its length has the least significant byte first; declare it without #pragma scalar_storage_order".to_string())
            }
            Some((kind, length)) => form(kind, length),
            None if structure.is_bounded_pointer() => {
                Err("a structure of a length and a pointer is not supported; declare a pointer to an array, char (*name)[length]"
                    .to_string())
            }
            None => Err(format!("it is {}", described(&place.kind))),
        },
        Type::Pointer(target) if matches!(**target, Type::Character | Type::DoubleByte) => {
            Err("it points to characters of unknown length; declare a pointer to an array, char (*name)[length], and name it :*name"
                .to_string())
        }
        Type::Pointer(target) if **target == Type::Other("void".to_string()) => Err("it is a pointer without a type".to_string()),
        Type::Pointer(_) => Err("it is a pointer; an asterisk before it names what it points to".to_string()),
        Type::Other(name) if name == "decimal" || name.starts_with("_Decimal") => {
            Err(format!("{name} is not supported; {DECIMAL_INSTEAD}"))
        }
        other => Err(format!("it is {}", described(other))),
    }
}

/// Several rows of a variable: the first element, the bytes from one to the next, and how many there are. Characters that end with X'00'
/// are one value.
fn rows(place: &Place) -> Option<(Place, u32, u32)> {
    let Type::Array(element, Some(count)) = &place.kind else { return None };
    if matches!(**element, Type::Character | Type::DoubleByte) {
        return None;
    }
    let (stride, _) = size(element)?;
    Some((place.element("0", (**element).clone()), stride, *count))
}

/// The members of a host structure, which has at most two levels.
fn elements(place: Place, reference: &HostReference) -> Result<Vec<Place>, String> {
    let Type::Structure(structure) = &place.kind else { return Ok(vec![place]) };
    if structure.varying().is_some() || structure.is_bounded_pointer() {
        return Ok(vec![place]);
    }
    if !reference.structure {
        return Err("it is a structure, which cannot stand here; name one of its members".to_string());
    }
    let mut all = Vec::new();
    collect(&place, &structure.clone(), 0, &mut all)?;
    Ok(all)
}

fn collect(place: &Place, structure: &Structure, depth: u32, all: &mut Vec<Place>) -> Result<(), String> {
    if structure.is_union || !structure.complete {
        return Err(if structure.is_union { "it is a union" } else { "its members are not known here" }.to_string());
    }
    for (name, kind) in &structure.members {
        let inner = place.member(name, kind, structure);
        match kind {
            Type::Structure(below) if below.varying().is_none() => {
                if depth == NESTING_MAX {
                    return Err(format!("{} is a structure at the third level", inner.text));
                }
                collect(&inner, below, depth + 1, all)?;
            }
            _ => all.push(inner),
        }
    }
    Ok(())
}

/// The variables that a reference stands for. `Err`: why it cannot stand for any.
pub fn hosts(
    declarations: &Declarations,
    reference: &HostReference,
    written: &Written,
    indicator: Option<&Written>,
) -> Result<Vec<Host>, String> {
    let name = written.text();
    let refused = |reason: String| format!("{name} cannot be a host variable here: {reason}");
    let found = place(declarations, written)?;
    if reference.role == Role::Descriptor {
        return descriptor(&found, &name).map(|host| vec![host]);
    }
    let indicators = indicator.map(|written| Indicators::of(declarations, written)).transpose()?;
    let places = elements(found, reference).map_err(refused)?;
    let several = places.len() > 1;
    let mut hosts = Vec::with_capacity(places.len());
    for (index, place) in places.into_iter().enumerate() {
        let array = rows(&place);
        if array.is_some() && !reference.array {
            return Err(refused(format!("{} is an array, which only FETCH and INSERT of several rows take", place.text)));
        }
        let check = check(&place);
        let shown = place.text.clone();
        let (place, stride, occurs) = array.unwrap_or((place, 0, 0));
        let Form { kind, length } = form(&place).map_err(&refused)?;
        let indicator = match &indicators {
            Some(indicators) => indicators.place(index, several, stride > 0)?,
            None => None,
        };
        let mut variable = Variable { name: shown, reversed: place.reversed, stride, occurs, ..Variable::single(kind, length, 0, 0) };
        let mut indicator_address = "0".to_string();
        if let Some((address, reversed, indicator_stride)) = indicator {
            (variable.indicator, variable.indicator_reversed, variable.indicator_stride) = (true, reversed, indicator_stride);
            indicator_address = address;
        }
        hosts.push(Host { variable, address: place.address(), indicator: indicator_address, check });
    }
    Ok(hosts)
}

/// The compiler agrees on the size, and on what is a number.
fn check(place: &Place) -> String {
    let Some((bytes, _)) = size(&place.kind).filter(|_| !place.is_address) else { return String::new() };
    let mut text = String::new();
    let expression = &place.text;
    let class = match &place.kind {
        Type::Integer { .. } | Type::Character => format!(" && REGENT_IS_NUMBER(__builtin_classify_type({expression}))"),
        Type::Real { .. } => format!(" && REGENT_IS_REAL(__builtin_classify_type({expression}))"),
        _ => String::new(),
    };
    let _ = write!(
        text,
        "_Static_assert(sizeof({expression}) == {bytes}{class}, \"the declaration of the host variable {} is not understood: write its type \
         and length without macros that have parameters\"); ",
        expression.replace(['"', '\\'], "'")
    );
    text
}

/// An SQLDA, or a pointer to one.
fn descriptor(place: &Place, name: &str) -> Result<Host, String> {
    let structure = |kind: &Type| matches!(kind, Type::Structure(structure) if !structure.is_union);
    let address = match &place.kind {
        Type::Pointer(target) if structure(target) => format!("(unsigned long)({})", place.text),
        kind if structure(kind) => place.address(),
        other => return Err(format!("{name} cannot stand for an {SQLDA} here: it is {}", described(other))),
    };
    let variable = Variable { name: name.to_string(), reversed: true, ..Variable::single(VariableType::Descriptor, 0, 0, 0) };
    Ok(Host { variable, address, indicator: "0".to_string(), check: String::new() })
}

/// The indicators of a reference.
struct Indicators {
    places: Vec<Place>,
    is_structure: bool,
}

impl Indicators {
    fn of(declarations: &Declarations, written: &Written) -> Result<Indicators, String> {
        let found = place(declarations, written)?;
        let Type::Structure(structure) = &found.kind else { return Ok(Indicators { places: vec![found], is_structure: false }) };
        let places = structure.members.iter().map(|(name, kind)| found.member(name, kind, structure)).collect();
        Ok(Indicators { places, is_structure: true })
    }

    /// Address, order of bytes and distance of the indicator of element `index`. A structure may have more members than indicators.
    fn place(&self, index: usize, several: bool, is_array: bool) -> Result<Option<(String, bool, u32)>, String> {
        let Some(place) = self.places.get(if self.is_structure { index } else { 0 }) else { return Ok(None) };
        let mut place = place.clone();
        if several && !self.is_structure {
            match &place.kind {
                Type::Array(element, Some(count)) => {
                    if index as u64 >= u64::from(*count) {
                        return Ok(None);
                    }
                    place = place.element(&index.to_string(), (**element).clone());
                }
                _ if index > 0 => return Ok(None),
                _ => {}
            }
        }
        let mut stride = 0;
        if is_array {
            match rows(&place) {
                Some((first, bytes, _)) => (place, stride) = (first, bytes),
                None => {
                    return Err(format!("{} cannot be an indicator here: it must be an array with an element for each row", place.text));
                }
            }
        }
        match &place.kind {
            Type::Integer { bytes: 2, unsigned: false } => Ok(Some((place.address(), place.reversed, stride))),
            other => Err(format!("{} cannot be an indicator: it must be a short, and is {}", place.text, described(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(source: &str, written: Written, reference: HostReference) -> Result<Vec<Host>, String> {
        let mut declarations = Declarations::default();
        declarations.read(source);
        hosts(&declarations, &reference, &written, None)
    }

    fn reference() -> HostReference {
        HostReference { name: Vec::new(), indicator: None, offset: 0, indicator_offset: 0, role: Role::In, structure: true, array: false }
    }

    fn named(stars: usize, steps: &[Step]) -> Written {
        Written { stars, steps: steps.to_vec() }
    }

    fn name(name: &str) -> Step {
        Step::Name(name.to_string())
    }

    #[test]
    fn addresses_are_formed_without_those_of_members() {
        let source = "struct t { short a; struct { short len; char data[5]; } v; }; struct t s, *p; struct { struct t *q[3]; } r; short *n; int f(char c[9]) {";
        let (member, arrow) = (|name: &str| Step::Member(name.to_string()), |name: &str| Step::Arrow(name.to_string()));
        for (written, address, reversed) in [
            (named(0, &[name("s"), member("a")]), "(unsigned long)&(s) + __builtin_offsetof(__typeof__(s), a)", false),
            (named(0, &[name("p"), arrow("v")]), "(unsigned long)&(*p) + __builtin_offsetof(__typeof__(*p), v)", false),
            (named(1, &[name("n")]), "(unsigned long)&(*n)", true),
            (named(0, &[name("c")]), "(unsigned long)(c)", true),
            (
                named(0, &[name("r"), member("q"), Step::Element("i".into()), arrow("a")]),
                "(unsigned long)&(*r.q[i]) + __builtin_offsetof(__typeof__(*r.q[i]), a)",
                false,
            ),
        ] {
            let hosts = resolved(source, written.clone(), reference()).unwrap();
            assert_eq!((hosts[0].address.as_str(), hosts[0].variable.reversed), (address, reversed), "{}", written.text());
        }
        let hosts = resolved(source, named(0, &[name("s")]), reference()).unwrap();
        let kinds: Vec<_> = hosts.iter().map(|host| (host.variable.kind, host.variable.length)).collect();
        assert_eq!(kinds, [(VariableType::SmallInt, 2), (VariableType::VarChar, 5)]);
    }

    #[test]
    fn what_cannot_be_a_host_variable_says_why() {
        for (source, written, why) in [
            ("int total;", named(0, &[name("totl")]), "the host variable totl is not declared; did you mean total?"),
            (
                "unsigned x;",
                named(0, &[name("x")]),
                "x cannot be a host variable here: it is an unsigned number, which SQL does not have; declare a signed one, if need be a \
                 longer one",
            ),
            (
                "struct { unsigned long len; char *data; } x;",
                named(0, &[name("x")]),
                "x cannot be a host variable here: a structure of a length and a pointer is not supported; declare a pointer to an array, \
                 char (*name)[length]",
            ),
            ("void *x;", named(0, &[name("x")]), "x cannot be a host variable here: it is a pointer without a type"),
            (
                "static decimal(5,2) x;",
                named(0, &[name("x")]),
                "x cannot be a host variable here: decimal is not supported; use double or, for exact digits, an array of characters, \
                 CHAR(column) to read and DECIMAL(:name, p, s) to write it",
            ),
            (
                "char *x;",
                named(0, &[name("x")]),
                "x cannot be a host variable here: it points to characters of unknown length; \
              declare a pointer to an array, char (*name)[length], and name it :*name",
            ),
            (
                "short x[3];",
                named(0, &[name("x")]),
                "x cannot be a host variable here: x is an array, which only FETCH and INSERT of several rows take",
            ),
            ("short x;", named(1, &[name("x")]), "x is a number, not a pointer"),
            ("struct { int a; } x;", named(0, &[name("x"), Step::Member("b".into())]), "x has no member b; did you mean a?"),
        ] {
            assert_eq!(resolved(source, written, reference()).unwrap_err(), why, "{source}");
        }
    }
}
