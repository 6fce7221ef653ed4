//! Symbolic maps: the copybook a program includes for a mapset. The text is that of DFHMSD TYPE=DSECT for COBOL, line for line (names,
//! levels, clauses, spacing), checked against copybooks made on z/OS.

use std::fmt::Write as _;

use crate::model::{Field, Map, MapSet, Mode, Storage, control_name};

/// COBOL copybook of a mapset; lines end with a line feed, text begins in column 8.
pub fn cobol_copybook(set: &MapSet) -> String {
    let mut out = String::new();
    for (index, map) in set.maps.iter().enumerate() {
        let over = match &set.storage {
            Storage::Base(area) => Some(area.clone()),
            Storage::Redefined if index > 0 => Some(structure_name(set, &set.maps[0])),
            _ => None,
        };
        let mut writer = Writer { out: &mut out, map, occurs_count: 0, image: 0 };
        match set.mode {
            Mode::In => writer.input(over.as_deref()),
            Mode::Out => writer.output(over.as_deref()),
            Mode::InOut => {
                writer.input(over.as_deref());
                writer.output(Some(&format!("{}I", map.name)));
            }
        }
    }
    out
}

fn structure_name(set: &MapSet, map: &Map) -> String {
    format!("{}{}", map.name, if set.mode == Mode::Out { 'O' } else { 'I' })
}

struct Writer<'a> {
    out: &'a mut String,
    map: &'a Map,
    occurs_count: u32,
    /// The end of what has been written of the image of the screen (DATA=BLOCK).
    image: u16,
}

impl Writer<'_> {
    /// `indent` counts levels below 01: 02 items stand in column 12, 03 items in column 14 ...
    fn line(&mut self, indent: usize, text: std::fmt::Arguments) {
        let column = if indent == 0 { 7 } else { 9 + 2 * indent };
        writeln!(self.out, "{:column$}{text}", "").expect("string");
    }

    fn header(&mut self, suffix: char, over: Option<&str>) {
        let name = &self.map.name;
        match over {
            Some(over) => self.line(0, format_args!("01  {name}{suffix} REDEFINES {over}.")),
            None => self.line(0, format_args!("01  {name}{suffix}.")),
        }
        if self.map.tioa_prefix {
            self.line(1, format_args!("02  FILLER PIC X(12)."));
        }
    }

    /// DATA=BLOCK: the fields where they are on the screen, with fillers between them. The attribute or flag is in front of the data.
    fn image(&mut self, suffix: char) {
        let map = self.map;
        let control_suffix = if suffix == 'I' { 'F' } else { 'A' };
        self.image = 0;
        map.for_each_symbolic(|members| {
            let field = &members[0];
            self.spacer(1, field.position);
            let is_repeated = field.group.is_empty() && field.occurs_given;
            let indent = if is_repeated || !field.group.is_empty() { 2 } else { 1 };
            if !field.group.is_empty() {
                self.line(1, format_args!("02  {}.", field.group));
            } else if is_repeated {
                self.occurs_count += 1;
                let name = if suffix == 'I' { format!("{}D", field.name) } else { format!("DFHMS{}", self.occurs_count) };
                self.line(1, format_args!("02  {name} OCCURS {} TIMES.", field.occurs));
            }
            self.line(indent, format_args!("0{}  {}{control_suffix}    PICTURE X.", indent + 1, control_name(members)));
            self.image = field.position + 1;
            for member in members {
                self.spacer(indent, member.position + 1);
                let picture = if suffix == 'I' { &member.picture_in } else { &member.picture_out };
                self.data(indent, member, suffix, picture.as_deref());
                self.image = member.position + 1 + member.length;
            }
            if is_repeated {
                self.image = field.position + field.occurs * (field.length + 1);
            }
        });
    }

    fn spacer(&mut self, indent: usize, position: u16) {
        if position > self.image {
            self.line(indent, format_args!("0{}  FILLER PICTURE X({}).", indent + 1, position - self.image));
        }
    }

    fn input(&mut self, over: Option<&str>) {
        self.header('I', over);
        if self.map.block {
            return self.image('I');
        }
        let map = self.map;
        map.for_each_symbolic(|members| {
            let field = &members[0];
            if !field.group.is_empty() {
                self.line(1, format_args!("02  {}.", field.group));
                self.input_control(2, control_name(members), true);
                for member in members {
                    self.input_data(2, member);
                }
            } else if field.occurs_given {
                self.line(1, format_args!("02  {}D OCCURS {} TIMES.", field.name, field.occurs));
                self.input_control(2, &field.name, false);
                self.input_data(2, field);
            } else {
                self.input_control(1, &field.name, true);
                self.input_data(1, field);
            }
        });
    }

    /// L, F, A and the place of the extended attributes.
    fn input_control(&mut self, indent: usize, name: &str, attribute: bool) {
        let level = indent + 1;
        self.line(indent, format_args!("0{level}  {name}L    COMP  PIC  S9(4)."));
        self.line(indent, format_args!("0{level}  {name}F    PICTURE X."));
        if attribute {
            self.line(indent, format_args!("0{level}  FILLER REDEFINES {name}F."));
            self.line(indent + 1, format_args!("0{} {name}A    PICTURE X.", level + 1));
        }
        let count = self.map.symbolic_attributes.len();
        if count > 0 {
            self.line(indent, format_args!("0{level}  FILLER   PICTURE X({count})."));
        }
    }

    fn input_data(&mut self, indent: usize, field: &Field) {
        self.data(indent, field, 'I', field.picture_in.as_deref());
    }

    fn data(&mut self, indent: usize, field: &Field, suffix: char, picture: Option<&str>) {
        let level = indent + 1;
        let name = if field.name.is_empty() { "FILLER".to_string() } else { format!("{}{suffix}", field.name) };
        match picture {
            // The macro puts one blank after an O name with PICOUT, two everywhere else.
            Some(picture) if suffix == 'O' => self.line(indent, format_args!("0{level}  {name} PIC {picture}.")),
            Some(picture) => self.line(indent, format_args!("0{level}  {name}  PIC {picture}.")),
            None => self.line(indent, format_args!("0{level}  {name}  PIC X({}).", field.length)),
        }
    }

    fn output(&mut self, over: Option<&str>) {
        self.header('O', over);
        if self.map.block {
            return self.image('O');
        }
        let map = self.map;
        let both = over.is_some_and(|over| over == format!("{}I", map.name));
        map.for_each_symbolic(|members| {
            let field = &members[0];
            let grouped = !field.group.is_empty();
            let indent = if grouped || field.occurs_given { 2 } else { 1 };
            if grouped {
                self.line(1, format_args!("02  {}.", field.group));
            } else if field.occurs_given {
                self.occurs_count += 1;
                let count = self.occurs_count;
                self.line(1, format_args!("02  DFHMS{count} OCCURS {} TIMES.", field.occurs));
            }
            let name = control_name(members);
            // The I structure of MODE=INOUT names A already, except in an OCCURS group.
            if both && !field.occurs_given {
                self.line(indent, format_args!("0{}  FILLER PICTURE X(3).", indent + 1));
            } else {
                self.line(indent, format_args!("0{}  FILLER PICTURE X(2).", indent + 1));
                self.line(indent, format_args!("0{}  {name}A    PICTURE X.", indent + 1));
            }
            for kind in map.symbolic_attributes.iter() {
                self.line(indent, format_args!("0{}  {name}{}    PICTURE X.", indent + 1, kind.suffix()));
            }
            for member in members {
                self.data(indent, member, 'O', member.picture_out.as_deref());
            }
        });
    }
}
