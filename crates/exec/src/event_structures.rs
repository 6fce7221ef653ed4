//! The structures of events (`tables/event_structures.tsv`), and the copy members and headers that programs have of them.
//!
//! Source: CICS TS 5.4 and 5.5, data areas DFHEPCXK, DFHEPFEK and DFHEPAPK. Of DFHEPDEK the public pages end before the offsets: the fields of
//! EPDE are those it names, and their places are unverified. Invariant: fields follow each other without gaps.

use std::fmt::Write as _;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../tables/event_structures.tsv");

/// A copy member and a header of one structure.
struct Member {
    cobol: &'static str,
    c: &'static str,
    structure: &'static str,
    /// The structure that is repeated behind it, and the field with its number.
    repeated: Option<(&'static str, &'static str)>,
}

const MEMBERS: [Member; 4] = [
    Member { cobol: "DFHEPCXO", c: "dfhepcxh.h", structure: "EPCX", repeated: None },
    Member { cobol: "DFHEPDEO", c: "dfhepdeh.h", structure: "EPDE", repeated: Some(("EPDE_ITEM", "EPDE_ITEMCOUNT")) },
    Member { cobol: "DFHEPFEO", c: "dfhepfeh.h", structure: "EPFE", repeated: None },
    Member { cobol: "DFHEPAPO", c: "dfhepaph.h", structure: "EPAP", repeated: None },
];
/// Most items of an event.
pub const EVENT_ITEMS_MAX: usize = 999;

/// A field: its name (`-`: reserved), place and length, and the form of its value.
#[derive(Debug)]
pub struct EventField {
    pub name: &'static str,
    pub offset: usize,
    pub length: usize,
    form: char,
    meaning: &'static str,
    /// Values of one character, with their names.
    values: Vec<(&'static str, &'static str)>,
}

#[derive(Debug)]
pub struct EventStructure {
    pub name: &'static str,
    pub fields: Vec<EventField>,
}

impl EventStructure {
    pub fn length(&self) -> usize {
        self.fields.last().map_or(0, |field| field.offset + field.length)
    }

    /// # Panics
    ///
    /// If it has no such field: the region names only fields of the table.
    pub fn field(&self, name: &str) -> &EventField {
        self.fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name} in {}", self.name))
    }
}

impl EventField {
    fn picture(&self) -> String {
        match self.form {
            'h' => "S9(4) COMP".to_string(),
            'f' => "S9(8) COMP".to_string(),
            'p' => format!("S9({}) COMP-3", self.length * 2 - 1),
            _ => format!("X({})", self.length),
        }
    }

    fn c(&self, number: usize) -> String {
        let name = if self.name == "-" { format!("reserved_{number}") } else { self.name.to_ascii_lowercase() };
        match self.form {
            'h' => format!("short {name}"),
            'f' => format!("int {name}"),
            _ => format!("char {name}[{}]", self.length),
        }
    }
}

fn structures() -> &'static [EventStructure] {
    static ALL: OnceLock<Vec<EventStructure>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<EventStructure> = Vec::new();
        for line in TABLE.lines().skip(1).filter(|line| !line.is_empty()) {
            let row: Vec<&'static str> = line.split('\t').collect();
            if all.last().is_none_or(|last| last.name != row[0]) {
                all.push(EventStructure { name: row[0], fields: Vec::new() });
            }
            let structure = all.last_mut().expect("it has just been added");
            if let Some(value) = row[2].strip_prefix('=') {
                structure.fields.last_mut().expect("a value follows its field").values.push((row[1], value));
                continue;
            }
            let (form, length) = row[2].split_at(1);
            let length = match form {
                "h" => 2,
                "f" => 4,
                _ => length.parse().expect("a length"),
            };
            let form = form.chars().next().unwrap_or('c');
            let offset = structure.length();
            structure.fields.push(EventField { name: row[1], offset, length, form, meaning: row[3], values: Vec::new() });
        }
        all
    })
}

/// # Panics
///
/// If the table has no such structure.
pub fn event_structure(name: &str) -> &'static EventStructure {
    structures().iter().find(|structure| structure.name == name).unwrap_or_else(|| panic!("no structure {name}"))
}

fn cobol_fields(text: &mut String, level: &str, structure: &EventStructure) {
    for field in &structure.fields {
        let name = if field.name == "-" { "FILLER".to_string() } else { field.name.replace('_', "-") };
        let _ = writeln!(text, "{level}  {name:<22} PIC {}.", field.picture());
        for (name, value) in &field.values {
            let _ = writeln!(text, "             88  {} VALUE '{value}'.", name.replace('_', "-"));
        }
    }
}

/// The COBOL copy member of that name (DFHEPCXO, DFHEPDEO, DFHEPFEO, DFHEPAPO), in fixed format.
pub fn event_copy_member(name: &str) -> Option<String> {
    let Member { structure, repeated, .. } = MEMBERS.iter().find(|member| member.cobol == name)?;
    let mut text = format!("       01  {structure}.\n");
    cobol_fields(&mut text, "           02", event_structure(structure));
    if let Some((item, count)) = repeated {
        let (item_name, count) = (item.replace('_', "-"), count.replace('_', "-"));
        let _ = writeln!(text, "           02  {item_name} OCCURS 1 TO {EVENT_ITEMS_MAX} TIMES");
        let _ = writeln!(text, "                   DEPENDING ON {count}.");
        cobol_fields(&mut text, "               03", event_structure(item));
    }
    Some(text)
}

fn typedef(name: &str, structure: &EventStructure, last: Option<String>) -> String {
    let mut text = String::from("typedef struct __attribute__((packed, scalar_storage_order(\"big-endian\"))) {\n");
    for (number, field) in structure.fields.iter().enumerate() {
        let _ = writeln!(text, "    {}; /* {} */", field.c(number), field.meaning);
    }
    text.extend(last);
    let _ = writeln!(text, "}} {name};");
    for (name, value) in structure.fields.iter().flat_map(|field| &field.values) {
        let _ = writeln!(text, "#define {name} '{value}'");
    }
    text
}

/// The names of the C headers.
pub fn event_header_names() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().map(|member| member.c)
}

/// The C headers: name and text.
pub fn event_headers() -> impl Iterator<Item = (&'static str, String)> {
    MEMBERS.iter().map(|Member { c, structure, repeated, .. }| {
        let guard = c.to_ascii_uppercase().replace('.', "_");
        let mut text = format!("#ifndef {guard}\n#define {guard}\n");
        let mut last = None;
        if let Some((item, _)) = repeated {
            text.push_str(&typedef(item, event_structure(item), None));
            last = Some(format!("    {item} {}[1]; /* one for each item */\n", item.to_ascii_lowercase()));
        }
        text.push_str(&typedef(structure, event_structure(structure), last));
        text.push_str("#endif\n");
        (*c, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DFHEPCXK, DFHEPFEK and DFHEPAPK have these lengths and offsets.
    #[test]
    fn structures_are_as_documented() {
        let (context, flattened, parameters) = (event_structure("EPCX"), event_structure("EPFE"), event_structure("EPAP"));
        assert_eq!((context.length(), flattened.length(), parameters.length()), (195, 228, 44));
        for (name, offset) in [
            ("EPCX_EVENT_BINDING", 0xC),
            ("EPCX_CS_NAME", 0x2C),
            ("EPCX_BUSINESSEVENT", 0x54),
            ("EPCX_APPLID", 0x7C),
            ("EPCX_ABSTIME", 0x90),
            ("EPCX_EVENT_TYPE", 0x98),
            ("EPCX_PROGRAM", 0x9C),
            ("EPCX_RESP", 0xA4),
            ("EPCX_UOWID", 0xA8),
        ] {
            assert_eq!(context.field(name).offset, offset, "{name}");
        }
        for (name, offset) in [("EPFE_BUSINESSEVENT", 0x30), ("EPFE_NETWORKUOWID", 0x50), ("EPFE_DATETIME", 0x97), ("EPFE_CSNAME", 0xB4)] {
            assert_eq!(flattened.field(name).offset, offset, "{name}");
        }
        assert_eq!(parameters.field("EPAP_RECOVER").offset, 0x28);
    }

    #[test]
    fn members_and_headers_have_the_fields() {
        let context = event_copy_member("DFHEPCXO").unwrap();
        assert!(context.contains("02  EPCX-ABSTIME           PIC S9(15) COMP-3."), "{context}");
        assert!(context.contains("88  EPCX-SYSTEM-EVENT VALUE 'S'."));
        let descriptor = event_copy_member("DFHEPDEO").unwrap();
        assert!(descriptor.contains("DEPENDING ON EPDE-ITEMCOUNT.") && descriptor.contains("03  EPDE-FORMATLEN         PIC S9(8) COMP."));
        assert!(event_copy_member("DFHEPCXH").is_none() && event_copy_member("DFHEPXXO").is_none());
        for member in MEMBERS {
            assert!(event_copy_member(member.cobol).unwrap().lines().all(|line| line.len() <= 72), "{}", member.cobol);
        }
        let (name, header) = event_headers().nth(1).unwrap();
        assert!(name == "dfhepdeh.h" && header.contains("    EPDE_ITEM epde_item[1]; /* one for each item */\n} EPDE;"), "{header}");
    }
}
