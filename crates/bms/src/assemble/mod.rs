//! The map assembler: DFHMSD, DFHMDI and DFHMDF to `MapSet`, DFHPSD and DFHPDI to `PartitionSet`. Defaults go from mapset to map to field. It continues after an error, so that
//! one run reports all of them. A mapset with an error (8 or above) is still returned, but the caller must not use it.

mod field;
mod overlap;
mod partitions;
mod values;

use crate::conditional::{self, CopyMembers};
use crate::diagnostic::{Diagnostic, Severity};
use crate::model::*;
use crate::object::{FIELD_COUNT_MAX, MAP_COUNT_MAX};
use crate::operand::{Operand, Value, operands};
use crate::partition::PartitionSet;
use crate::source::Statement;
use crate::text::CodePage;
use rustc_hash::{FxHashMap, FxHashSet};
use values::Inherited;

/// Lines and columns a map may have.
const MAP_SIDE_MAX: u16 = 240;

#[derive(Debug, Clone, Default)]
pub struct Assembly {
    pub mapsets: Vec<MapSet>,
    pub partition_sets: Vec<PartitionSet>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Assembly {
    /// 0, 4, 8 or 12, as the assembler's return code.
    pub fn return_code(&self) -> u8 {
        self.diagnostics.iter().map(|diagnostic| diagnostic.severity as u8).max().unwrap_or(0)
    }

    pub fn has_errors(&self) -> bool {
        self.return_code() >= Severity::Error as u8
    }
}

/// Assembles one source file that copies nothing. Character data becomes EBCDIC of `page`.
pub fn assemble(file: &str, source: &[u8], page: &CodePage) -> Assembly {
    assemble_with(file, source, page, &|_| None)
}

/// Assembles one source file; `copy` finds the members that COPY names.
pub fn assemble_with(file: &str, source: &[u8], page: &CodePage, copy: CopyMembers) -> Assembly {
    let mut diagnostics = Vec::new();
    let read = conditional::assembled(file, source, copy, &mut diagnostics);
    let assembly = Assembly { diagnostics, ..Assembly::default() };
    let mut assembler = Assembler { file: file.to_string(), page, assembly, state: State::default() };
    for (file, statement) in &read {
        if assembler.file != *file {
            assembler.file.clone_from(file);
        }
        if !assembler.statement(statement) || assembler.state.stopped {
            break;
        }
    }
    assembler.check_overlaps();
    if let Some(set) = assembler.state.set.take().filter(|_| !assembler.state.stopped) {
        let line = read.last().map_or(1, |(_, statement)| statement.line);
        assembler.at(Severity::Warning, line, 1, "", format!("mapset {} has no DFHMSD TYPE=FINAL", set.name));
        assembler.keep(set);
    }
    if let Some(line) = assembler.state.partition_set.is_some().then(|| read.last().map_or(1, |(_, statement)| statement.line)) {
        assembler.at(Severity::Error, line, 1, "", "the partition set has no DFHPSD TYPE=FINAL".to_string());
    }
    let assembly = &assembler.assembly;
    if assembly.mapsets.is_empty() && assembly.partition_sets.is_empty() && !assembly.has_errors() {
        assembler.at(Severity::Error, 1, 1, "", "there is no DFHMSD in this source".to_string());
    }
    assembler.assembly
}

/// The state of the assembly.
#[derive(Default)]
struct State {
    set: Option<MapSet>,
    partition_set: Option<partitions::SetAtHand>,
    set_defaults: Inherited,
    map_defaults: Inherited,
    /// Lines of the fields of the map at hand.
    field_lines: Vec<u32>,
    /// Names of the fields of the map at hand, and of the maps of the mapset.
    field_names: FxHashSet<String>,
    map_names: FxHashSet<String>,
    /// Where the mapsets kept are in the assembly, by name and suffix.
    kept: FxHashMap<(String, Option<char>), usize>,
    /// Diagnostics that have been looked at for errors, and whether one of them is an error.
    judged: usize,
    failed: bool,
    /// The source exceeds a limit: the rest of it is not read.
    stopped: bool,
}

struct Assembler<'a> {
    /// Of the statement at hand.
    file: String,
    page: &'a CodePage,
    assembly: Assembly,
    state: State,
}

/// Statements of the assembler language that have no meaning for a map.
const IGNORED: &[&str] = &[
    "TITLE", "PRINT", "EJECT", "SPACE", "PUNCH", "CSECT", "RSECT", "AMODE", "RMODE", "LTORG", "ICTL", "ISEQ", "MNOTE", "PUSH", "POP",
    "OPSYN",
];

impl Assembler<'_> {
    fn at(&mut self, severity: Severity, line: u32, column: u32, operand: &str, message: String) {
        self.assembly.diagnostics.push(Diagnostic {
            severity,
            file: self.file.clone(),
            line,
            column,
            operand: operand.to_string(),
            message,
        });
    }

    fn error(&mut self, operand: &Operand, message: impl Into<String>) {
        self.at(Severity::Error, operand.line, operand.column, &operand.key, message.into());
    }

    fn warning(&mut self, operand: &Operand, message: impl Into<String>) {
        self.at(Severity::Warning, operand.line, operand.column, &operand.key, message.into());
    }

    /// As [`Assembly::has_errors`], looking at each diagnostic once.
    fn has_errors(&mut self) -> bool {
        let new = &self.assembly.diagnostics[self.state.judged..];
        self.state.failed |= new.iter().any(|diagnostic| diagnostic.severity >= Severity::Error);
        self.state.judged = self.assembly.diagnostics.len();
        self.state.failed
    }

    /// A limit is exceeded: reported once, because every statement that follows would exceed it too.
    fn stop(&mut self, statement: &Statement, message: String) {
        self.at(Severity::Severe, statement.line, 1, "", message);
        self.state.stopped = true;
    }

    /// Warns about overlapping fields of the current map. A field with an error has no place yet.
    fn check_overlaps(&mut self) {
        let lines = std::mem::take(&mut self.state.field_lines);
        if self.has_errors() {
            return;
        }
        let last = self.state.set.as_ref().and_then(|set| set.maps.last());
        let Some(map) = last.filter(|map| map.fields.len() == lines.len()) else { return };
        for (index, text) in overlap::overlaps(map, &lines) {
            self.at(Severity::Warning, lines[index], 1, "POS", text);
        }
    }

    /// False at END.
    fn statement(&mut self, statement: &Statement) -> bool {
        match statement.operation.as_str() {
            "DFHMSD" => self.mapset(statement),
            "DFHMDI" => self.map(statement),
            "DFHMDF" => self.field(statement),
            "END" => return false,
            "DFHPSD" => self.partition_set(statement),
            "DFHPDI" => self.partition(statement),
            operation if IGNORED.contains(&operation) => {}
            operation => self.at(
                Severity::Error,
                statement.line,
                1,
                "",
                format!("unknown operation {operation:?}: expected DFHMSD, DFHMDI or DFHMDF"),
            ),
        }
        true
    }

    fn operands(&mut self, statement: &Statement) -> Vec<Operand> {
        let list = operands(&self.file, statement, &mut self.assembly.diagnostics);
        let mut kept: Vec<Operand> = Vec::with_capacity(list.len());
        for operand in list {
            if matches!(&operand.value, Value::Word(word) if word.is_empty()) && !operand.key.is_empty() {
                // To the assembler, a keyword without a value is one that is left out.
                continue;
            }
            if operand.key.is_empty() {
                self.error(&operand, "expected KEYWORD=value");
            } else if kept.iter().any(|earlier| earlier.key == operand.key) {
                self.error(&operand, "the operand is given twice");
            } else {
                kept.push(operand);
            }
        }
        kept
    }

    /// Names are assembler symbols; COBOL copybooks may have up to 30 characters and hyphens.
    fn check_name(&mut self, statement: &Statement, length_max: usize, what: &str) -> bool {
        let name = &statement.label;
        let starts = name.chars().next().is_some_and(|first| first.is_alphabetic() || "#@$".contains(first));
        let rest = name.chars().all(|character| character.is_ascii_alphanumeric() || "#@$_-".contains(character));
        if name.is_empty() {
            self.at(Severity::Error, statement.line, 1, "", format!("a {what} needs a name in column 1"));
        } else if name.len() > length_max || !starts || !rest {
            self.at(
                Severity::Error,
                statement.line,
                1,
                "",
                format!("{name:?} is not a valid {what} name (1 to {length_max} characters, a letter first)"),
            );
        } else {
            return true;
        }
        false
    }

    fn keep(&mut self, set: MapSet) {
        debug_assert!(self.state.field_lines.is_empty(), "the fields of the last map have been checked");
        // The same source is assembled twice, TYPE=MAP and TYPE=DSECT: one mapset here.
        let next = self.assembly.mapsets.len();
        let at = *self.state.kept.entry((set.name.clone(), set.suffix)).or_insert(next);
        match self.assembly.mapsets.get_mut(at) {
            Some(known) => *known = set,
            None => self.assembly.mapsets.push(set),
        }
    }

    fn mapset(&mut self, statement: &Statement) {
        let operands = self.operands(statement);
        self.check_overlaps();
        let kind = operands.iter().find(|operand| operand.key == "TYPE");
        if let Some(kind) = kind.filter(|kind| kind.value.word() == Some("FINAL")) {
            match self.state.set.take() {
                Some(set) => self.keep(set),
                None => self.error(kind, "TYPE=FINAL without a mapset before it"),
            }
            return;
        }
        match kind {
            None => {
                self.at(Severity::Error, statement.line, 1, "", "TYPE is missing: expected TYPE=&SYSPARM, MAP, DSECT or FINAL".to_string())
            }
            Some(kind) if !matches!(kind.value.word(), Some("&SYSPARM" | "&&SYSPARM" | "MAP" | "DSECT")) => {
                self.error(kind, "expected &SYSPARM, MAP, DSECT or FINAL");
            }
            Some(_) => {}
        }
        if let Some(previous) = self.state.set.take() {
            self.at(Severity::Warning, statement.line, 1, "", format!("mapset {} has no DFHMSD TYPE=FINAL", previous.name));
            self.keep(previous);
        }
        self.check_name(statement, 7, "mapset");
        let mut set = MapSet { name: statement.label.chars().take(8).collect(), ..MapSet::default() };
        let mut defaults = Inherited::default();
        for operand in &operands {
            if !self.inherited_operand(operand, &mut defaults) {
                self.mapset_operand(operand, &mut set);
            }
        }
        if let Some(base) = operands.iter().find(|operand| operand.key == "BASE")
            && operands.iter().any(|operand| operand.key == "STORAGE")
        {
            self.error(base, "cannot be used together with STORAGE=AUTO");
        }
        // DFHMSD, STORAGE: with AUTO, TIOAPFX=YES is assumed unless it is given.
        if set.storage == Storage::Auto {
            defaults.tioa_prefix = defaults.tioa_prefix.or(Some(true));
        }
        self.state.set = Some(set);
        self.state.map_names.clear();
        self.state.set_defaults = defaults.clone();
        self.state.map_defaults = defaults;
    }

    fn mapset_operand(&mut self, operand: &Operand, set: &mut MapSet) {
        let word = operand.value.word().unwrap_or_default();
        match operand.key.as_str() {
            "TYPE" => {}
            "MODE" => match word {
                "IN" => set.mode = Mode::In,
                "OUT" => set.mode = Mode::Out,
                "INOUT" => set.mode = Mode::InOut,
                _ => self.error(operand, "expected IN, OUT or INOUT"),
            },
            "LANG" => match word {
                "ASM" => set.language = Language::Assembler,
                "COBOL" | "COBOL2" => set.language = Language::Cobol,
                "PLI" | "PL/I" => set.language = Language::Pli,
                "C" => set.language = Language::C,
                _ => self.error(operand, "expected ASM, COBOL, COBOL2, PLI or C"),
            },
            "STORAGE" if word == "AUTO" => set.storage = Storage::Auto,
            "STORAGE" => self.error(operand, "expected AUTO"),
            "BASE" if !word.is_empty() && word.len() <= 30 => set.storage = Storage::Base(word.to_string()),
            "BASE" => self.error(operand, "expected a name"),
            "SUFFIX" if word.chars().count() == 1 && word.is_ascii() => set.suffix = word.chars().next(),
            "SUFFIX" => self.error(operand, "expected one character"),
            "TERM" => match values::terminal_suffix(word) {
                Some(suffix) => set.suffix = suffix,
                None => self.error(operand, "unknown terminal type"),
            },
            "FOLD" => match word {
                "UPPER" | "LOWER" => set.c_text.upper_case = word == "UPPER",
                _ => self.error(operand, "expected LOWER or UPPER"),
            },
            "TRIGRAPH" => match word {
                "YES" | "NO" => set.c_text.trigraphs = word == "YES",
                _ => self.error(operand, "expected NO or YES"),
            },
            "DSECT" if word == "ADSL" => self.error(operand, "the long form of the 3270 bridge is not supported: expected ADS"),
            "LDC" | "HTAB" | "VTAB" | "DSECT" | "LOGONMSG" => {}
            _ => self.error(operand, "DFHMSD has no such operand"),
        }
    }

    fn map(&mut self, statement: &Statement) {
        let operands = self.operands(statement);
        self.check_overlaps();
        self.check_name(statement, 7, "map");
        if self.state.set.is_none() {
            return self.at(Severity::Error, statement.line, 1, "", "DFHMDI without a DFHMSD before it".to_string());
        }
        let mut own = Inherited::default();
        // DFHMDI, full BMS: LINE=NEXT unless it is given.
        let mut map = Map { name: statement.label.chars().take(8).collect(), line: Place::Next, ..Map::default() };
        for operand in &operands {
            if !self.inherited_operand(operand, &mut own) {
                self.map_operand(operand, &mut map);
            }
        }
        if map.lines == 0 {
            self.at(Severity::Warning, statement.line, 1, "SIZE", "SIZE is missing: 24 lines of 80 columns taken".to_string());
            (map.lines, map.columns) = (24, 80);
        }
        let defaults = own.over(&self.state.set_defaults);
        map.control = defaults.control;
        map.cursor_located = defaults.cursor_located.unwrap_or(false);
        map.tioa_prefix = defaults.tioa_prefix.unwrap_or(false);
        map.block = defaults.block.unwrap_or(false);
        (map.partition, map.activates_partition) = defaults.partition.clone().unwrap_or_default();
        // The symbolic map of DATA=BLOCK has no extended attributes, whatever DSATTS says.
        map.symbolic_attributes = defaults.symbolic_attributes.filter(|_| !map.block).unwrap_or_default();
        map.map_attributes = defaults.map_attributes.unwrap_or_default();
        self.state.map_defaults = defaults;
        let set = self.state.set.as_mut().expect("checked above");
        if set.maps.len() >= MAP_COUNT_MAX {
            return self.stop(statement, format!("a mapset has {MAP_COUNT_MAX} maps at most: divide it into several mapsets"));
        }
        let is_new = self.state.map_names.insert(map.name.clone());
        self.state.field_names.clear();
        set.maps.push(map);
        if !is_new {
            self.at(Severity::Error, statement.line, 1, "", "there is already a map of this name".to_string());
        }
    }

    fn map_operand(&mut self, operand: &Operand, map: &mut Map) {
        let yes = operand.value.word() == Some("YES");
        match operand.key.as_str() {
            "SIZE" => match numbers(&operand.value).as_deref() {
                Some(&[lines, columns]) if in_map(lines) && in_map(columns) => (map.lines, map.columns) = (lines as u16, columns as u16),
                _ => self.error(operand, format!("expected (lines,columns), each from 1 to {MAP_SIDE_MAX}")),
            },
            "LINE" | "COLUMN" => match (operand.value.word(), operand.value.number()) {
                (Some("NEXT"), _) => *place_of(map, operand) = Place::Next,
                (Some("SAME"), _) => *place_of(map, operand) = Place::Same,
                (_, Some(number)) if in_map(number) => *place_of(map, operand) = Place::At(number as u16),
                _ => self.error(operand, format!("expected a number from 1 to {MAP_SIDE_MAX}, NEXT or SAME")),
            },
            "JUSTIFY" => {
                for word in operand.value.words().unwrap_or_default() {
                    match word {
                        "LEFT" => map.justify.right = false,
                        "RIGHT" => map.justify.right = true,
                        "FIRST" => map.justify.first = true,
                        "LAST" => map.justify.last = true,
                        "BOTTOM" => map.justify.bottom = true,
                        _ => self.error(operand, "expected LEFT, RIGHT, FIRST, LAST or BOTTOM"),
                    }
                }
            }
            "HEADER" => map.header = yes,
            "TRAILER" => map.trailer = yes,
            "FIELDS" => map.no_fields = operand.value.word() == Some("NO"),
            "TERM" | "SUFFIX" | "MODE" | "LANG" | "TYPE" => self.warning(operand, "belongs to DFHMSD and is ignored here"),
            _ => self.error(operand, "DFHMDI has no such operand"),
        }
    }

    fn field(&mut self, statement: &Statement) {
        let operands = self.operands(statement);
        let mut field_count = 0;
        let shape = self.state.set.as_ref().and_then(|set| set.maps.last()).map(|map| {
            field_count = map.fields.len();
            (map.lines, map.columns)
        });
        let Some((lines, columns)) = shape else {
            return self.at(Severity::Error, statement.line, 1, "", "DFHMDF without a DFHMDI before it".to_string());
        };
        if !statement.label.is_empty() {
            self.check_name(statement, 30, "field");
        }
        if field_count >= FIELD_COUNT_MAX {
            return self.stop(statement, format!("a map has {FIELD_COUNT_MAX} fields at most: divide it into several maps"));
        }
        if let Some(field) = self.build_field(statement, &operands, lines, columns) {
            let map = self.state.set.as_mut().and_then(|set| set.maps.last_mut()).expect("checked above");
            let is_symbolic = |field: &Field| !field.name.is_empty() || !field.group.is_empty();
            let last = map.fields.iter().rev().find(|earlier| is_symbolic(earlier));
            let is_behind = last.is_some_and(|last| map.block && is_symbolic(&field) && field.position < last.position);
            let twice = !field.name.is_empty() && !self.state.field_names.insert(field.name.clone());
            map.fields.push(field);
            self.state.field_lines.push(statement.line);
            if is_behind {
                let message = "a map with DATA=BLOCK has its fields in the order of their positions".to_string();
                self.at(Severity::Error, statement.line, 1, "POS", message);
            }
            if twice {
                self.at(Severity::Error, statement.line, 1, "", format!("there is already a field {}", statement.label));
            }
        }
    }
}

fn place_of<'a>(map: &'a mut Map, operand: &Operand) -> &'a mut Place {
    if operand.key == "LINE" { &mut map.line } else { &mut map.column }
}

fn in_map(number: u32) -> bool {
    (1..=MAP_SIDE_MAX as u32).contains(&number)
}

fn numbers(value: &Value) -> Option<Vec<u32>> {
    match value {
        Value::List(items) => items.iter().map(Value::number).collect(),
        Value::Word(_) => value.number().map(|number| vec![number]),
        Value::Text { .. } => None,
    }
}

#[cfg(test)]
mod tests;
