//! Turns `tables/*.tsv` into Rust tables (`OUT_DIR/tables.rs`), so that a fact about a command is written once, as data.
//!
//! Invariants checked here, so that an inconsistent table does not compile: every option row names a known command, every group and
//! `implemented` row names known commands and options of that command, numbers parse, names are unique.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Rows of one table without its heading; every row has at least `columns` cells.
fn read(name: &str, columns: usize) -> Vec<Vec<String>> {
    let path = Path::new("tables").join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
        let row: Vec<String> = line.split('\t').map(str::to_string).collect();
        assert!(row.len() >= columns, "{name}:{}: {} cells, not {columns}", index + 1, row.len());
        rows.push(row);
    }
    rows
}

fn constant(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    text
}

/// Names of groups of commands in `resp2.tsv`, with the first byte of their function codes and how their names end. A row for a group applies to
/// those of its commands that raise the condition.
const FUNCTIONS_OF_GROUPS: [(&str, &str, &str); 3] =
    [("FILE CONTROL", "06", ""), ("TEMPORARY STORAGE", "0A", ""), ("NAMED COUNTERS", "20", "COUNTER")];

struct Tables {
    option_ids: BTreeMap<String, usize>,
    condition_numbers: BTreeMap<String, u16>,
    /// Rows of `option_meanings.tsv`.
    meanings: Vec<Vec<String>>,
    out: String,
}

/// The commands a row of `resp2.tsv` is about, as places in the list.
fn ids_of(row: &[String], commands: &[(&str, Vec<String>)]) -> Vec<usize> {
    let mut ids = Vec::new();
    for name in row[2].split('/') {
        let before = ids.len();
        for (index, (_, command)) in commands.iter().enumerate() {
            let in_group = |(group, function, end): &(&str, &str, &str)| {
                *group == name && command[1].starts_with(function) && command[0].ends_with(end)
            };
            let raises = command[3].split(' ').any(|condition| condition == row[3]);
            if command[0] == name || raises && FUNCTIONS_OF_GROUPS.iter().any(in_group) {
                ids.push(index);
            }
        }
        assert!(ids.len() > before, "resp2.tsv: no command {name} with {}", row[3]);
    }
    ids
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let meanings = read("option_meanings.tsv", 3);
    let mut tables = Tables { option_ids: BTreeMap::new(), condition_numbers: BTreeMap::new(), meanings, out: String::new() };
    tables.conditions();
    tables.commands();
    tables.values();
    tables.layouts();
    tables.exit_points();
    let directory = std::env::var("OUT_DIR").expect("OUT_DIR is set by cargo");
    std::fs::write(Path::new(&directory).join("tables.rs"), &tables.out).expect("OUT_DIR is writable");
}

impl Tables {
    fn conditions(&mut self) {
        let rows = read("conditions.tsv", 4);
        let mut constants = String::new();
        writeln!(self.out, "pub(crate) static CONDITIONS: &[ConditionSpec] = &[").unwrap();
        for row in &rows {
            let number: u16 = row[0].parse().expect("condition number");
            assert!(self.condition_numbers.insert(row[1].clone(), number).is_none(), "condition {} twice", row[1]);
            let abend = if row[2] == "-" { "None".to_string() } else { format!("Some({:?})", row[2]) };
            let action = match row[3].as_str() {
                "none" => "Return",
                "abend" => "Abend",
                "ignore" => "Ignore",
                "return" => "Return",
                "suspend" => "Suspend",
                other => panic!("default action {other}"),
            };
            writeln!(
                self.out,
                "ConditionSpec {{ condition: Condition({number}), name: {:?}, abend_code: {abend}, default_action: DefaultAction::{action} }},",
                row[1]
            )
            .unwrap();
            writeln!(constants, "pub const {}: Condition = Condition({number});", constant(&row[1])).unwrap();
        }
        writeln!(self.out, "];\npub mod condition {{ //! The conditions by name.\nuse super::Condition;\n{constants}}}").unwrap();
    }

    fn condition_list(&self, names: &str) -> String {
        let mut list = String::new();
        for name in names.split_whitespace() {
            let number = self.condition_numbers.get(name).unwrap_or_else(|| panic!("condition {name}"));
            write!(list, "Condition({number}),").unwrap();
        }
        list
    }

    fn commands(&mut self) {
        let mut commands = Vec::new();
        let mut options: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for (family, name) in [("Api", "api"), ("Spi", "spi")] {
            for row in read(&format!("{name}_commands.tsv"), 4) {
                commands.push((family, row));
            }
            for row in read(&format!("{name}_options.tsv"), 7) {
                self.option_ids.insert(row[1].clone(), 0);
                options.entry(row[0].clone()).or_default().push(row);
            }
        }
        for name in ["RESP", "RESP2", "NOHANDLE"] {
            self.option_ids.insert(name.to_string(), 0);
        }
        for (index, id) in self.option_ids.values_mut().enumerate() {
            *id = index;
        }
        let implemented: BTreeSet<String> = read("implemented.tsv", 1).into_iter().map(|mut row| row.remove(0)).collect();
        let mut groups: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for row in read("groups.tsv", 3) {
            groups.entry(row[0].clone()).or_default().push(row);
        }
        let mut resources: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in read("resources.tsv", 5) {
            assert!(resources.insert(row[0].clone(), row.clone()).is_none(), "{} names two resources", row[0]);
        }
        let descriptions = self.descriptions(&implemented);
        self.check_meanings(&options);
        let known: BTreeSet<String> = commands.iter().map(|(_, row)| row[0].clone()).collect();
        assert_eq!(known.len(), commands.len(), "a command is listed twice");
        for name in implemented.iter().chain(groups.keys()).chain(options.keys()).chain(resources.keys()) {
            assert!(known.contains(name), "unknown command {name}");
        }
        commands.sort_by(|a, b| a.1[0].cmp(&b.1[0]));
        let mut constants = String::new();
        writeln!(self.out, "pub(crate) static COMMANDS: &[CommandSpec] = &[").unwrap();
        for (index, (family, row)) in commands.iter().enumerate() {
            writeln!(constants, "pub const {}: CommandId = CommandId({index});", constant(&row[0])).unwrap();
            let empty = Vec::new();
            let (own_groups, own_options) = (groups.get(&row[0]).unwrap_or(&empty), options.get(&row[0]).unwrap_or(&empty));
            let specs = self.option_specs(own_options, own_groups);
            let written: String = own_options.iter().map(|option| format!("OptionId({}),", self.option_ids[&option[1]])).collect();
            let rules = self.group_rules(&row[0], own_groups, own_options);
            let resource = resources.get(&row[0]).map_or("None".to_string(), |resource| self.resource_option(resource, own_options));
            let description = descriptions.get(&row[0]).map_or("None", String::as_str);
            let words: Vec<&str> = row[0].split(' ').collect();
            let function = u16::from_str_radix(&row[1], 16).unwrap_or_else(|_| panic!("EIBFN of {}", row[0]));
            let safe = match row[2].as_str() {
                "yes" => "Yes",
                "no" => "No",
                "conditional" => "Conditional",
                other => panic!("threadsafe {other}"),
            };
            writeln!(
                self.out,
                "CommandSpec {{ id: CommandId({index}), name: {:?}, words: &{words:?}, family: Family::{family}, eibfn: {function}, \
                 threadsafe: Threadsafe::{safe}, implemented: {}, options: &[{specs}], as_written: &[{written}], rules: &[{rules}], \
                 conditions: &[{}], resource: {resource}, description: {description} }},",
                row[0],
                implemented.contains(&row[0]),
                self.condition_list(&row[3])
            )
            .unwrap();
        }
        writeln!(self.out, "];\npub mod command {{ //! The commands by name.\nuse super::CommandId;\n{constants}}}").unwrap();
        self.resp2(&commands);
        self.option_names();
        self.synonyms(&known);
    }

    /// The description of each implemented command, as Rust expressions, and the list of groups of commands in the order of the table.
    fn descriptions(&mut self, implemented: &BTreeSet<String>) -> BTreeMap<String, String> {
        let (mut descriptions, mut groups) = (BTreeMap::new(), Vec::new());
        for row in read("descriptions.tsv", 4) {
            assert!(implemented.contains(&row[0]), "descriptions.tsv: {} is not implemented", row[0]);
            if !groups.contains(&row[1]) {
                groups.push(row[1].clone());
            }
            assert!(row[2].ends_with('.'), "descriptions.tsv: {} is not described by a sentence", row[0]);
            let notes = if row[3] == "-" { "" } else { &row[3] };
            let text = format!("Some(Description {{ group: {:?}, text: {:?}, notes: {notes:?} }})", row[1], row[2]);
            assert!(descriptions.insert(row[0].clone(), text).is_none(), "{} is described twice", row[0]);
        }
        for name in implemented {
            assert!(descriptions.contains_key(name), "descriptions.tsv: {name} is missing");
        }
        writeln!(self.out, "pub(crate) static COMMAND_GROUPS: &[&str] = &{groups:?};").unwrap();
        descriptions
    }

    fn check_meanings(&self, options: &BTreeMap<String, Vec<Vec<String>>>) {
        for row in &self.meanings {
            for option in row[0].split('/') {
                assert!(self.option_ids.contains_key(option), "option_meanings.tsv: no option {option}");
                for command in row[1].split('/').filter(|command| *command != "*") {
                    let has = options.get(command).is_some_and(|own| own.iter().any(|row| row[1] == option));
                    assert!(has, "option_meanings.tsv: {command} has no option {option}");
                }
            }
        }
    }

    /// The meaning of an option of a command: the row for that command, else (for a value of a CVDA option) the meaning of the value, else
    /// the row for all commands.
    fn meaning(&self, row: &[String], groups: &[Vec<String>], options: &[Vec<String>]) -> String {
        let (command, option) = (row[0].as_str(), row[1].as_str());
        let names = |cell: &str, name: &str| cell.split('/').any(|one| one == name);
        let of = |wanted: &str| self.meanings.iter().find(|row| names(&row[0], option) && names(&row[1], wanted)).map(|row| row[2].clone());
        let cvda = || {
            let group = groups.iter().find(|group| {
                matches!(group[1].as_str(), "at-most-one" | "exactly-one") && group[2].split(' ').skip(1).any(|name| name == option)
            })?;
            let first = group[2].split(' ').next()?;
            let is_cvda = options.iter().any(|other| other[1] == first && other[3] == "cvda");
            (is_cvda && row[2] == "none").then(|| format!("the same as {first}(DFHVALUE({option}))"))
        };
        let condition = || {
            let number = self.condition_numbers.get(option).filter(|_| command.ends_with("CONDITION"))?;
            Some(format!("condition {number}"))
        };
        of(command).or_else(condition).or_else(cvda).or_else(|| of("*")).unwrap_or_default()
    }

    fn option_specs(&self, rows: &[Vec<String>], groups: &[Vec<String>]) -> String {
        let mut specs: Vec<(usize, String)> = Vec::new();
        for row in rows {
            let id = self.option_ids[&row[1]];
            let argument = match row[2].as_str() {
                "none" => "None",
                "optional" => "Optional",
                "required" => "Required",
                other => panic!("argument {other}"),
            };
            let kind = match row[3].as_str() {
                "-" => "Flag",
                "data-value" => "DataValue",
                "data-area" => "DataArea",
                "ptr-ref" | "ptr-ref64" => "PointerReference",
                "ptr-value" | "ptr-value64" => "PointerValue",
                "name" | "endpoint-name" | "jvmserver" => "Name",
                "filename" => "FileName",
                "systemname" => "SystemName",
                "label" => "Label",
                "cvda" => "Cvda",
                "hhmmss" => "Hhmmss",
                other => panic!("type {other} of {} {}", row[0], row[1]),
            };
            let direction = match row[4].as_str() {
                "flag" => "Flag",
                "in" => "In",
                "out" => "Out",
                "in/out" => "InOut",
                other => panic!("direction {other} of {} {}", row[0], row[1]),
            };
            let numeric = match row[5].as_str() {
                "-" => "Not",
                "half" => "Halfword",
                "full" => "Fullword",
                "double" => "Doubleword",
                "abstime" => "Abstime",
                "hhmmss" => "Hhmmss",
                "task" => "TaskNumber",
                "pointer" => "Pointer",
                "pointer64" => "Pointer64",
                other => panic!("numeric {other} of {} {}", row[0], row[1]),
            };
            let length: u16 = if row[6] == "-" { 0 } else { row[6].parse().expect("length") };
            let meaning = self.meaning(row, groups, rows);
            specs.push((
                id,
                format!(
                    "OptionSpec {{ id: OptionId({id}), name: {:?}, argument: ArgumentRule::{argument}, kind: ArgumentKind::{kind}, \
                     direction: Direction::{direction}, numeric: Numeric::{numeric}, length: {length}, meaning: {meaning:?} }},",
                    row[1]
                ),
            ));
        }
        specs.sort();
        assert!(specs.windows(2).all(|pair| pair[0].0 < pair[1].0), "an option twice in {}", rows[0][0]);
        specs.into_iter().map(|(_, text)| text).collect()
    }

    /// Which option names the resource a command is about: a row of `resources.tsv`.
    fn resource_option(&self, row: &[String], options: &[Vec<String>]) -> String {
        let mut list = String::new();
        for name in row[1].split_whitespace() {
            let option = options.iter().find(|option| option[1] == name);
            let option = option.unwrap_or_else(|| panic!("resource of {}: no option {name}", row[0]));
            let length: u16 = option[6].parse().unwrap_or_else(|_| panic!("length of {name} of {}", row[0]));
            write!(list, "(OptionId({}), {length}),", self.option_ids[name]).unwrap();
        }
        let fields = match row[3].as_str() {
            "-" => "Nothing",
            "EIBRSRCE" => "Resource",
            "EIBDS" => "ResourceAndDataSet",
            other => panic!("EIB field {other}"),
        };
        let sysid = match row[4].as_str() {
            "-" => "None".to_string(),
            resp2 => format!("Some({})", resp2.parse::<i32>().expect("RESP2 of SYSIDERR")),
        };
        format!("Some(ResourceOption {{ options: &[{list}], resource: {:?}, in_eib: InEib::{fields}, sysiderr_resp2: {sysid} }})", row[2])
    }

    fn group_rules(&self, command: &str, rows: &[Vec<String>], options: &[Vec<String>]) -> String {
        let mut rules = String::new();
        for row in rows {
            let mut list = String::new();
            for name in row[2].split_whitespace() {
                assert!(options.iter().any(|option| option[1] == name), "rule of {command}: no option {name}");
                write!(list, "OptionId({}),", self.option_ids[name]).unwrap();
            }
            let kind = match row[1].as_str() {
                "required" => "Required",
                "exactly-one" => "ExactlyOne",
                "at-most-one" => "AtMostOne",
                "needs" => "Needs",
                "requires" => "Requires",
                other => panic!("rule {other}"),
            };
            write!(rules, "Rule {{ kind: RuleKind::{kind}, options: &[{list}] }},").unwrap();
        }
        rules
    }

    fn option_names(&mut self) {
        let mut constants = String::new();
        writeln!(self.out, "pub(crate) static OPTION_NAMES: &[&str] = &[").unwrap();
        for (name, id) in &self.option_ids {
            writeln!(self.out, "{name:?},").unwrap();
            writeln!(constants, "pub const {}: OptionId = OptionId({id});", constant(name)).unwrap();
        }
        writeln!(self.out, "];\npub mod option {{ //! The options by name.\nuse super::OptionId;\n{constants}}}").unwrap();
    }

    fn synonyms(&mut self, known: &BTreeSet<String>) {
        let (mut options, mut commands, mut conditions) = (String::new(), String::new(), String::new());
        for row in read("synonyms.tsv", 3) {
            match row[0].as_str() {
                "option" => writeln!(options, "({:?}, OptionId({})),", row[1], self.option_ids[&row[2]]).unwrap(),
                "command" => {
                    assert!(known.contains(&row[2]));
                    writeln!(commands, "({:?}, {:?}),", row[1], row[2]).unwrap();
                }
                "condition" => writeln!(conditions, "({:?}, Condition({})),", row[1], self.condition_numbers[&row[2]]).unwrap(),
                other => panic!("synonym of {other}"),
            }
        }
        writeln!(self.out, "pub(crate) static OPTION_SYNONYMS: &[(&str, OptionId)] = &[{options}];").unwrap();
        writeln!(self.out, "pub(crate) static COMMAND_SYNONYMS: &[(&str, &str)] = &[{commands}];").unwrap();
        writeln!(self.out, "pub(crate) static CONDITION_SYNONYMS: &[(&str, Condition)] = &[{conditions}];").unwrap();
    }

    fn values(&mut self) {
        let (mut table, mut constants) = (BTreeMap::new(), String::new());
        for row in read("cvda.tsv", 2) {
            let value: i64 = row[1].parse().expect("CVDA value");
            assert!(table.insert(row[0].clone(), value).is_none(), "CVDA {} twice", row[0]);
            writeln!(constants, "pub const {}: i64 = {value};", constant(&row[0])).unwrap();
        }
        writeln!(self.out, "pub(crate) static CVDAS: &[(&str, i64)] = &[").unwrap();
        for (name, value) in &table {
            writeln!(self.out, "({name:?}, {value}),").unwrap();
        }
        writeln!(self.out, "];\n#[doc(hidden)] pub mod cvda_constants {{\n{constants}}}").unwrap();
        self.byte_table("aid.tsv", "AIDS", "aid_constants");
        self.byte_table("bmsca.tsv", "BMS_ATTRIBUTES", "bmsca_constants");
    }

    /// RESP2 values by command, and their names: a module of constants for each group. The third cell of a row has commands, or a name for
    /// all commands of a function.
    fn resp2(&mut self, commands: &[(&str, Vec<String>)]) {
        let (mut list, mut values) = (String::new(), BTreeSet::new());
        let mut groups: BTreeMap<String, BTreeMap<String, (i32, Vec<String>)>> = BTreeMap::new();
        for row in read("resp2.tsv", 7) {
            let number: i32 = row[4].parse().unwrap_or_else(|_| panic!("resp2.tsv: RESP2 {}", row[4]));
            let condition = self.condition_numbers.get(&row[3]).unwrap_or_else(|| panic!("resp2.tsv: condition {}", row[3]));
            assert!(number > 0 && !row[5].is_empty() && !row[6].is_empty(), "resp2.tsv: {} {}", row[0], row[1]);
            let named = groups.entry(row[0].clone()).or_default().entry(row[1].clone()).or_insert((number, Vec::new()));
            assert_eq!(named.0, number, "resp2.tsv: {} of {} has two values", row[1], row[0]);
            if !named.1.contains(&row[5]) {
                named.1.push(row[5].clone());
            }
            let ids = ids_of(&row, commands);
            for index in &ids {
                assert!(values.insert((*index, *condition, number)), "resp2.tsv: {} {} {number} twice", commands[*index].1[0], row[3]);
            }
            let ids: String = ids.iter().map(|index| format!("CommandId({index}),")).collect();
            let meaning = format!("condition: Condition({condition}), resp2: {number}, meaning: {:?}", row[5]);
            writeln!(list, "Resp2Meaning {{ commands: &[{ids}], {meaning} }},").unwrap();
        }
        writeln!(self.out, "pub(crate) static RESP2_MEANINGS: &[Resp2Meaning] = &[{list}];").unwrap();
        writeln!(self.out, "pub mod resp2 {{ //! RESP2 values by name, a module for each group of commands.").unwrap();
        writeln!(self.out, "/// The condition says everything.\npub const NONE: i32 = 0;").unwrap();
        for (group, names) in groups {
            writeln!(self.out, "pub mod {group} {{\npub use super::NONE;").unwrap();
            for (name, (number, meanings)) in names {
                writeln!(self.out, "/// {}\npub const {name}: i32 = {number};", meanings.join("; ").replace('[', "(")).unwrap();
            }
            writeln!(self.out, "}}").unwrap();
        }
        writeln!(self.out, "}}").unwrap();
    }

    fn byte_table(&mut self, file: &str, table: &str, module: &str) {
        let mut constants = String::new();
        writeln!(self.out, "pub(crate) static {table}: &[NamedByte] = &[").unwrap();
        for row in read(file, 3) {
            let value = u8::from_str_radix(&row[1], 16).expect("hexadecimal byte");
            let short = row[2] == "yes" && row.len() > 3;
            let meaning = row.last().expect("a row has cells");
            writeln!(self.out, "NamedByte {{ name: {:?}, value: {value}, short_read: {short}, meaning: {meaning:?} }},", row[0]).unwrap();
            let name = constant(row[0].strip_prefix("DFH").filter(|rest| rest.starts_with(|c: char| c.is_alphabetic())).unwrap_or(&row[0]));
            writeln!(constants, "/// {}\npub const {name}: u8 = 0x{value:02X};", meaning.trim()).unwrap();
        }
        writeln!(self.out, "];\n#[doc(hidden)] pub mod {module} {{\n{constants}}}").unwrap();
    }

    fn layouts(&mut self) {
        let (mut constants, mut end) = (String::new(), 0usize);
        writeln!(self.out, "pub(crate) static EIB_FIELDS: &[EibField] = &[").unwrap();
        for row in read("eib_layout.tsv", 6) {
            let (offset, length): (usize, usize) = (row[2].parse().expect("offset"), row[3].parse().expect("length"));
            assert_eq!(offset, end, "{} leaves a gap or overlaps", row[0]);
            end = offset + length;
            writeln!(
                self.out,
                "EibField {{ name: {:?}, cobol_name: {:?}, offset: {offset}, length: {length}, picture: {:?}, meaning: {:?} }},",
                row[0], row[1], row[4], row[5]
            )
            .unwrap();
            writeln!(constants, "/// {} ({length} bytes, {})\npub const {}: usize = {offset};", row[5], row[4], row[0]).unwrap();
        }
        writeln!(
            self.out,
            "];\n#[doc(hidden)] pub mod eib_constants {{\n{constants}\n/// Bytes of the EIB.\npub const LENGTH: usize = {end};\n}}"
        )
        .unwrap();
        let mut list = String::new();
        for row in read("eibfn.tsv", 3) {
            writeln!(list, "(0x{}, {:?}),", row[0], row[1]).unwrap();
        }
        writeln!(self.out, "pub(crate) static FUNCTIONS: &[(u16, &str)] = &[{list}];").unwrap();
    }

    /// The numbers of the exit points, by name.
    fn exit_points(&mut self) {
        let mut constants = String::new();
        for row in read("exit_points.tsv", 7).iter().filter(|row| row[5] == "driven") {
            writeln!(constants, "/// Called {}.\npub const {}: ExitPoint = ExitPoint({});", row[6], row[0], row[1]).unwrap();
        }
        writeln!(self.out, "pub mod exit_point {{ //! The global user exit points by name.\nuse crate::ExitPoint;\n{constants}}}").unwrap();
    }
}
