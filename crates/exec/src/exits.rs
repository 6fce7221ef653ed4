//! User exits as programs see them: the exit points (`tables/exit_points.tsv`), their parameters, the return codes, and the structures
//! the parameters lead to (`tables/exit_structures.tsv`). Task-related user exits have their parameters and constants here too
//! (`tables/exit_constants.tsv`).
//!
//! The region calls exits by these rows, and the copy members and the header of exit programs are made of them. Names and meanings are those of
//! CICS ("Global user exit points", reference); the numbers of exit points and the layouts of structures are Regent's, so programs use names.
//!
//! Invariants: numbers of exit points are unique, from 1 without gaps; fields of a structure follow each other without gaps.

use std::fmt::Write as _;
use std::sync::OnceLock;

const POINTS: &str = include_str!("../tables/exit_points.tsv");
const PARAMETERS: &str = include_str!("../tables/exit_parameters.tsv");
const RETURN_CODES: &str = include_str!("../tables/exit_return_codes.tsv");
const STRUCTURES: &str = include_str!("../tables/exit_structures.tsv");
const EXIT_CONSTANTS: &str = include_str!("../tables/exit_constants.tsv");

/// Parameters that every exit point has, before its own.
pub const STANDARD_EXIT_PARAMETERS: usize = 12;
/// The parameters of a task-related user exit behind the standard ones, in their order (DFHUEPAR of DFHUEXIT TYPE=RM).
const TASK_RELATED: [&str; 14] = [
    "UEPTAA",
    "UEPTAL",
    "UEPEIB",
    "UEPURID",
    "UEPFLAGS",
    "UEPRMSTK",
    "UEPUOWDS",
    "UEPSECFLG",
    "UEPSECBLK",
    "UEPRMQUA",
    "UEPCALAM",
    "UEPSYNCA",
    "UEPTIND",
    "UEPPBTOK",
];
/// Bytes of an address in a parameter list.
pub const EXIT_ADDRESS_BYTES: usize = 4;

/// The number of an exit point, as UEPEXN leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExitPoint(pub u8);

/// A row of `exit_points.tsv`.
#[derive(Debug)]
pub struct ExitPointSpec {
    pub point: ExitPoint,
    pub name: &'static str,
    pub domain: &'static str,
    /// Its own parameters, without the standard ones.
    pub parameters: Vec<&'static ExitParameter>,
    pub return_codes: Vec<&'static ExitReturnCode>,
    /// Why it is never called; `None`: it is called.
    pub absent: Option<&'static str>,
    pub when: &'static str,
}

/// A parameter: an address.
#[derive(PartialEq, Eq, Debug)]
pub struct ExitParameter {
    pub name: &'static str,
    /// Bytes at the address; `None`: they depend on the call.
    pub length: Option<usize>,
    pub meaning: &'static str,
}

#[derive(PartialEq, Eq, Debug)]
pub struct ExitReturnCode {
    pub name: &'static str,
    pub value: u16,
    pub meaning: &'static str,
}

/// A row of `exit_constants.tsv`: a value that an exit program is given or gives.
#[derive(PartialEq, Eq, Debug)]
struct ExitConstant {
    /// The copy member that has it.
    member: &'static str,
    name: &'static str,
    /// 1: a byte of bits or a code; 2: a return code; 4: a bit of the schedule flag word.
    bytes: usize,
    value: u32,
    meaning: &'static str,
}

/// The form of a field of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitForm {
    Number(usize),
    Text(usize),
    Packed(usize),
    Address,
}

#[derive(Debug)]
pub struct ExitField {
    pub name: &'static str,
    pub offset: usize,
    pub form: ExitForm,
    pub meaning: &'static str,
    /// Values with their names and meanings; each is one character.
    pub values: Vec<(&'static str, &'static str, &'static str)>,
}

/// A structure that a parameter leads to.
#[derive(Debug)]
pub struct ExitStructure {
    pub name: &'static str,
    pub fields: Vec<ExitField>,
}

impl ExitForm {
    fn parse(text: &str) -> Self {
        let length = || text[1..].parse().expect("a length");
        match &text[..1] {
            "b" => Self::Number(1),
            "h" => Self::Number(2),
            "f" => Self::Number(4),
            "c" => Self::Text(length()),
            "p" => Self::Packed(length()),
            "a" => Self::Address,
            other => panic!("form {other} of a field"),
        }
    }

    pub fn length(self) -> usize {
        match self {
            Self::Number(length) | Self::Text(length) | Self::Packed(length) => length,
            Self::Address => EXIT_ADDRESS_BYTES,
        }
    }

    fn cobol(self) -> String {
        match self {
            Self::Number(1) => "PIC X".to_string(),
            Self::Number(2) => "PIC S9(4) COMP".to_string(),
            Self::Number(_) => "PIC S9(8) COMP".to_string(),
            Self::Text(length) => format!("PIC X({length})"),
            Self::Packed(length) => format!("PIC S9({}) COMP-3", length * 2 - 1),
            Self::Address => "POINTER".to_string(),
        }
    }

    fn c(self, name: &str) -> String {
        match self {
            Self::Number(1) => format!("unsigned char {name}"),
            Self::Number(2) => format!("short {name}"),
            Self::Number(_) => format!("int {name}"),
            Self::Text(length) | Self::Packed(length) => format!("char {name}[{length}]"),
            Self::Address => format!("unsigned {name}"),
        }
    }
}

impl ExitStructure {
    pub fn length(&self) -> usize {
        self.fields.last().map_or(0, |field| field.offset + field.form.length())
    }

    /// # Panics
    ///
    /// If no field has a value of this name.
    pub fn value(&self, name: &str) -> &'static str {
        let mut values = self.fields.iter().flat_map(|field| &field.values);
        values.find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("no value {name} in {}", self.name)).1
    }

    /// # Panics
    ///
    /// If it has no such field: the region names only fields of the table.
    pub fn field(&self, name: &str) -> &ExitField {
        self.fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name} in {}", self.name))
    }
}

impl ExitPointSpec {
    /// The place of a parameter of its own.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }
}

impl ExitPoint {
    pub fn spec(self) -> &'static ExitPointSpec {
        &exit_points()[usize::from(self.0) - 1]
    }
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).filter(|line| !line.is_empty()).map(|line| line.split('\t').collect())
}

/// All parameters; the standard ones come first.
pub fn exit_parameters() -> &'static [ExitParameter] {
    static ALL: OnceLock<Vec<ExitParameter>> = OnceLock::new();
    ALL.get_or_init(|| rows(PARAMETERS).map(|row| ExitParameter { name: row[0], length: row[1].parse().ok(), meaning: row[2] }).collect())
}

pub fn exit_return_codes() -> &'static [ExitReturnCode] {
    static ALL: OnceLock<Vec<ExitReturnCode>> = OnceLock::new();
    let code = |row: Vec<&'static str>| ExitReturnCode { name: row[0], value: row[1].parse().expect("a return code"), meaning: row[2] };
    ALL.get_or_init(|| rows(RETURN_CODES).map(code).collect())
}

/// The constants of exit programs besides their return codes.
fn exit_constants() -> &'static [ExitConstant] {
    static ALL: OnceLock<Vec<ExitConstant>> = OnceLock::new();
    let constant = |row: Vec<&'static str>| ExitConstant {
        member: row[0],
        name: row[1],
        bytes: row[2].parse().expect("a length"),
        value: u32::from_str_radix(row[3], 16).expect("a value in hexadecimal"),
        meaning: row[4],
    };
    ALL.get_or_init(|| rows(EXIT_CONSTANTS).map(constant).collect())
}

/// The value of a constant of exit programs.
///
/// # Panics
///
/// If the table has no such constant: the region names only those of the table.
pub fn exit_constant(name: &str) -> u32 {
    exit_constants().iter().find(|constant| constant.name == name).unwrap_or_else(|| panic!("no constant {name}")).value
}

/// The parameters of a task-related user exit behind the standard ones.
pub fn task_related_parameters() -> &'static [&'static ExitParameter] {
    static ALL: OnceLock<Vec<&'static ExitParameter>> = OnceLock::new();
    let parameter =
        |name: &&str| exit_parameters().iter().find(|known| known.name == *name).unwrap_or_else(|| panic!("no parameter {name}"));
    ALL.get_or_init(|| TASK_RELATED.iter().map(parameter).collect())
}

/// All exit points, by number.
pub fn exit_points() -> &'static [ExitPointSpec] {
    static ALL: OnceLock<Vec<ExitPointSpec>> = OnceLock::new();
    ALL.get_or_init(|| rows(POINTS).map(|row| point(&row)).collect())
}

fn point(row: &[&'static str]) -> ExitPointSpec {
    let words = |cell: &'static str| cell.split(' ').filter(|word| *word != "-");
    let parameter = |name: &str| exit_parameters().iter().find(|known| known.name == name).unwrap_or_else(|| panic!("no parameter {name}"));
    let code = |name: &str| exit_return_codes().iter().find(|known| known.name == name).unwrap_or_else(|| panic!("no return code {name}"));
    ExitPointSpec {
        point: ExitPoint(row[1].parse().expect("the number of an exit point")),
        name: row[0],
        domain: row[2],
        parameters: words(row[3]).map(parameter).collect(),
        return_codes: words(row[4]).map(code).collect(),
        absent: (row[5] != "driven").then_some(row[5]),
        when: row[6],
    }
}

/// The exit points that are called.
fn called() -> impl Iterator<Item = &'static ExitPointSpec> {
    exit_points().iter().filter(|spec| spec.absent.is_none())
}

pub fn exit_point_by_name(name: &str) -> Option<&'static ExitPointSpec> {
    exit_points().iter().find(|spec| spec.name == name)
}

pub fn exit_structures() -> &'static [ExitStructure] {
    static ALL: OnceLock<Vec<ExitStructure>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<ExitStructure> = Vec::new();
        for row in rows(STRUCTURES) {
            if all.last().is_none_or(|last| last.name != row[0]) {
                all.push(ExitStructure { name: row[0], fields: Vec::new() });
            }
            let structure = all.last_mut().expect("it has just been added");
            if let Some(value) = row[2].strip_prefix('=') {
                structure.fields.last_mut().expect("a value follows its field").values.push((row[1], value, row[3]));
                continue;
            }
            let offset = structure.length();
            structure.fields.push(ExitField { name: row[1], offset, form: ExitForm::parse(row[2]), meaning: row[3], values: Vec::new() });
        }
        all
    })
}

/// # Panics
///
/// If the table has no such structure.
pub fn exit_structure(name: &str) -> &'static ExitStructure {
    exit_structures().iter().find(|structure| structure.name == name).unwrap_or_else(|| panic!("no structure {name}"))
}

/// The copy member of WORKING-STORAGE that has the return codes and the numbers of the exit points.
const CONSTANTS: &str = "DFHUEXIT";
/// The copy member of the standard parameters alone.
const STANDARD: &str = "DFHUEPAR";
/// The copy members of task-related user exits: the parameter list, and the constants for the WORKING-STORAGE SECTION.
const TASK_RELATED_LIST: &str = "DFHUERM";
const TASK_RELATED_CONSTANTS: &str = "DFHUERMC";

fn hyphenated(name: &str) -> String {
    name.replace('_', "-")
}

/// A COBOL copy member for exit programs: DFHUEXIT, DFHUEPAR, the parameter list of an exit point, or a structure. Parameter lists and
/// structures are items of level 02, to follow an item of level 01 of the program's own.
pub fn exit_copy_member(name: &str) -> Option<String> {
    let standard = &exit_parameters()[..STANDARD_EXIT_PARAMETERS];
    let mut text = String::new();
    let mut pointer = |name: &str| writeln!(text, "           02  {:<20} POINTER.", hyphenated(name)).expect("a string takes all");
    if name == STANDARD {
        standard.iter().for_each(|parameter| pointer(parameter.name));
        return Some(text);
    }
    if name == TASK_RELATED_LIST {
        standard.iter().chain(task_related_parameters().iter().copied()).for_each(|parameter| pointer(parameter.name));
        return Some(text);
    }
    if name == TASK_RELATED_CONSTANTS {
        return Some(task_related_member());
    }
    if let Some(spec) = exit_point_by_name(name).filter(|spec| spec.absent.is_none()) {
        standard.iter().chain(spec.parameters.iter().copied()).for_each(|parameter| pointer(parameter.name));
        return Some(text);
    }
    if name == CONSTANTS {
        return Some(constants_member());
    }
    let structure = exit_structures().iter().find(|structure| structure.name == name)?;
    for field in &structure.fields {
        let _ = writeln!(text, "           02  {:<27} {}.", hyphenated(field.name), field.form.cobol());
        for (name, value, _) in &field.values {
            let _ = writeln!(text, "             88  {} VALUE '{value}'.", hyphenated(name));
        }
    }
    Some(text)
}

fn constants_member() -> String {
    let mut text = format!("       01  {CONSTANTS}.\n");
    for code in exit_return_codes() {
        let _ = writeln!(text, "           02  {:<10} PIC S9(4) COMP VALUE {}.", code.name, code.value);
    }
    for spec in called() {
        let _ = writeln!(text, "           02  {:<10} PIC X VALUE X'{:02X}'.", spec.name, spec.point.0);
    }
    text + &constants_of(CONSTANTS)
}

fn task_related_member() -> String {
    format!("       01  {TASK_RELATED_CONSTANTS}.\n{}", constants_of(TASK_RELATED_CONSTANTS))
}

fn constants_of(member: &str) -> String {
    let mut text = String::new();
    for constant in exit_constants().iter().filter(|constant| constant.member == member) {
        let (name, value) = (hyphenated(constant.name), constant.value);
        let picture = match constant.bytes {
            1 => format!("PIC X VALUE X'{value:02X}'"),
            2 => format!("PIC S9(4) COMP VALUE {value}"),
            _ => format!("PIC S9(8) COMP VALUE {value}"),
        };
        // COBOL names have 30 characters at most.
        let _ = writeln!(text, "           02  {:<10} {picture}.", shortened(&name));
    }
    text
}

/// A name as COBOL allows it: the long ones of file control lose syllables.
fn shortened(name: &str) -> String {
    name.replace("-PREVIOUS-", "-PREV-").replace("-UPDATE-", "-UPD-")
}

/// The C header `dfhuexit.h`. Addresses are numbers, because pointers in structures are in the order of the machine: UEP_AT makes them
/// pointers.
pub fn exit_header() -> String {
    let mut text = String::from("#ifndef DFHUEXIT_H\n#define DFHUEXIT_H\n#define UEP_AT(type, address) ((type *)(address))\n");
    for code in exit_return_codes() {
        let _ = writeln!(text, "#define {} {} /* {} */", code.name, code.value, code.meaning);
    }
    for spec in called() {
        let _ = writeln!(text, "#define UEX_{} {} /* {} */", spec.name, spec.point.0, spec.when);
    }
    let standard: Vec<&ExitParameter> = exit_parameters()[..STANDARD_EXIT_PARAMETERS].iter().collect();
    for constant in exit_constants() {
        let _ = writeln!(text, "#define {} 0x{:X} /* {} */", constant.name, constant.value, constant.meaning);
    }
    text.push_str(&list("DFHUEPAR", &standard));
    let task_related: Vec<&ExitParameter> = standard.iter().copied().chain(task_related_parameters().iter().copied()).collect();
    text.push_str(&list(TASK_RELATED_LIST, &task_related));
    for spec in called() {
        let all: Vec<&ExitParameter> = standard.iter().copied().chain(spec.parameters.iter().copied()).collect();
        text.push_str(&list(&format!("{}_PAR", spec.name), &all));
    }
    for (name, value, meaning) in exit_structures().iter().flat_map(|structure| &structure.fields).flat_map(|field| &field.values) {
        let _ = writeln!(text, "#define {name} '{value}' /* {meaning} */");
    }
    for structure in exit_structures() {
        let fields = structure.fields.iter().map(|field| (field.form.c(&field.name.to_ascii_lowercase()), field.meaning));
        text.push_str(&typedef(structure.name, fields));
    }
    text.push_str("#endif\n");
    text
}

fn list(name: &str, parameters: &[&ExitParameter]) -> String {
    typedef(name, parameters.iter().map(|parameter| (format!("unsigned {}", parameter.name.to_ascii_lowercase()), parameter.meaning)))
}

fn typedef(name: &str, fields: impl Iterator<Item = (String, &'static str)>) -> String {
    let mut text = String::from("typedef struct __attribute__((packed, scalar_storage_order(\"big-endian\"))) {\n");
    for (declaration, meaning) in fields {
        let _ = writeln!(text, "    {declaration}; /* {meaning} */");
    }
    let _ = writeln!(text, "}} {name};");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_points_are_numbered_without_gaps_and_have_members() {
        for (at, spec) in exit_points().iter().enumerate() {
            assert_eq!(usize::from(spec.point.0), at + 1, "{}", spec.name);
        }
        for spec in called() {
            let member = exit_copy_member(spec.name).unwrap();
            assert_eq!(member.lines().count(), STANDARD_EXIT_PARAMETERS + spec.parameters.len());
            assert!(member.lines().all(|line| line.len() <= 72), "{member}");
        }
        assert!(exit_parameters()[0].name == "UEPEXN" && exit_parameters()[STANDARD_EXIT_PARAMETERS - 1].name == "UEPTRACE");
        assert!(exit_copy_member("DFHUEXIT").unwrap().contains("02  UERCBYP    PIC S9(4) COMP VALUE 4."));
        assert!(exit_copy_member("DFHPCUE").unwrap().contains("02  PCUE-PROGRAM-NAME           PIC X(8)."));
        let autoinstall = exit_copy_member("DFHPGACO").unwrap();
        assert!(autoinstall.contains("             88  PGAC-RETURN-OK VALUE '1'."));
        assert!(autoinstall.lines().all(|line| line.len() <= 72), "{autoinstall}");
        assert!(exit_copy_member("XNOSUCH").is_none());
    }

    #[test]
    fn task_related_user_exits_have_members_and_declarations() {
        let list = exit_copy_member("DFHUERM").unwrap();
        assert_eq!(list.lines().count(), STANDARD_EXIT_PARAMETERS + 14);
        assert!(list.contains("02  UEPSYNCA             POINTER."));
        let constants = exit_copy_member("DFHUERMC").unwrap();
        assert!(constants.contains("02  UERTSYNC   PIC X VALUE X'04'.") && constants.contains("02  UEFMTASK   PIC S9(8) COMP VALUE 256."));
        assert!(constants.lines().all(|line| line.len() <= 72), "{constants}");
        // "An 18-word save area": register 15 is its fifth word, register 1 its seventh (DFHUEPAR).
        let save_area = exit_structure("DFHUEHSA");
        assert_eq!((save_area.length(), save_area.field("HSA_R15").offset, save_area.field("HSA_R1").offset), (72, 16, 24));
    }
}
