//! Symbolic maps for C: the header a program includes for a mapset. A union for each map with the structures `mapi` and `mapo` over each
//! other; names in lower case unless FOLD=UPPER, brackets as trigraphs with TRIGRAPH=YES. With STORAGE=AUTO the unions are variables;
//! else they are based: pointers, all of a mapset the same one, whose name is that of BASE or BMSMAPBR ("BASE and STORAGE options").
//!
//! The layout is that of `MapLayout`: bytes without gaps, L a halfword. A test compiles the header and compares the two.

use std::fmt::Write as _;

use crate::layout::TIOA_PREFIX_LENGTH;
use crate::model::{Field, Map, MapSet, Mode, Storage};

/// The pointer of based maps when BASE names none.
const BASE_DEFAULT: &str = "BMSMAPBR";

/// C header of a mapset; lines end with a line feed.
pub fn c_header(set: &MapSet) -> String {
    let mut text = format!("/* Symbolic maps of mapset {} */\n#pragma pack(1)\n", set.name);
    let base = match &set.storage {
        Storage::Auto => None,
        Storage::Base(name) => Some(name.as_str()),
        Storage::Redefined => Some(BASE_DEFAULT),
    };
    if let Some(base) = base {
        let _ = writeln!(text, "void *{};", set.c_name(base, ""));
    }
    for map in &set.maps {
        map_union(set, map, base, &mut text);
    }
    text.push_str("#pragma pack()\n");
    if set.c_text.trigraphs {
        text = text.replace('{', "??<").replace('}', "??>").replace('[', "??(").replace(']', "??)").replace('#', "??=");
    }
    text
}

fn map_union(set: &MapSet, map: &Map, base: Option<&str>, text: &mut String) {
    let name = set.c_name(&map.name, "");
    let tag = if base.is_some() { format!(" {name}_") } else { String::new() };
    let _ = writeln!(text, "union{tag} {{");
    let mut structures = Structures { set, map, text, fillers: 0, image: 0 };
    if set.mode != Mode::Out {
        structures.structure(Side::Input);
    }
    if set.mode != Mode::In {
        structures.structure(Side::Output);
    }
    let _ = match base {
        None => writeln!(text, "}} {name};"),
        Some(base) => writeln!(text, "}};\n#define {name} (*(union {name}_ **)&{})", set.c_name(base, "")),
    };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn suffix(self) -> &'static str {
        if self == Side::Input { "I" } else { "O" }
    }
}

struct Structures<'a> {
    set: &'a MapSet,
    map: &'a Map,
    text: &'a mut String,
    fillers: u32,
    /// The end of what has been written of the image of the screen (DATA=BLOCK).
    image: u16,
}

impl Structures<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", indent * 2);
    }

    fn structure(&mut self, side: Side) {
        (self.fillers, self.image) = (0, 0);
        self.line(1, "struct {");
        if self.map.tioa_prefix {
            self.filler(2, TIOA_PREFIX_LENGTH);
        }
        let map = self.map;
        let mut repeated = 0;
        map.for_each_symbolic(|members| {
            let field = &members[0];
            if map.block {
                self.spacer(2, field.position);
            }
            let close = match (field.group.is_empty(), field.occurs_given) {
                (false, _) => Some(self.set.c_name(&field.group, "")),
                (true, true) => {
                    repeated += 1;
                    let name = if side == Side::Input {
                        self.set.c_name(&field.name, "D")
                    } else {
                        self.set.c_name(&format!("DFHMS{repeated}"), "")
                    };
                    Some(format!("{name}[{}]", field.occurs))
                }
                (true, false) => None,
            };
            let indent = if close.is_some() { 3 } else { 2 };
            if close.is_some() {
                self.line(2, "struct {");
            }
            self.members(indent, side, members);
            if let Some(name) = close {
                self.line(2, &format!("}} {name};"));
            }
            if map.block && field.group.is_empty() {
                self.image = field.position + field.occurs * (field.length + 1);
            }
        });
        let name = self.set.c_name(&map.name, side.suffix());
        self.line(1, &format!("}} {name};"));
    }

    fn filler(&mut self, indent: usize, length: usize) {
        self.fillers += 1;
        let name = self.set.c_name(&format!("DFHFILL{}", self.fillers), "");
        self.line(indent, &format!("char {name}[{length}];"));
    }

    fn spacer(&mut self, indent: usize, position: u16) {
        if position > self.image {
            self.filler(indent, usize::from(position - self.image));
        }
    }

    /// DATA=BLOCK: the attribute or flag, and the data where they are on the screen.
    fn image(&mut self, indent: usize, side: Side, members: &[Field]) {
        let control = crate::model::control_name(members);
        let name = self.set.c_name(control, if side == Side::Input { "F" } else { "A" });
        self.line(indent, &format!("char {name};"));
        self.image = members[0].position + 1;
        for member in members {
            self.spacer(indent, member.position + 1);
            self.data(indent, side, member);
            self.image = member.position + 1 + member.length;
        }
    }

    fn data(&mut self, indent: usize, side: Side, member: &Field) {
        if member.name.is_empty() {
            self.filler(indent, usize::from(member.length));
        } else {
            self.line(indent, &format!("char {}[{}];", self.set.c_name(&member.name, side.suffix()), member.length));
        }
    }

    fn members(&mut self, indent: usize, side: Side, members: &[Field]) {
        let (set, map) = (self.set, self.map);
        if map.block {
            return self.image(indent, side, members);
        }
        let control = crate::model::control_name(members);
        if side == Side::Input {
            self.line(indent, &format!("short int {};", set.c_name(control, "L")));
            self.line(indent, &format!("char {};", set.c_name(control, "F")));
            match map.symbolic_attributes.iter().count() {
                0 => {}
                count => self.filler(indent, count),
            }
        } else {
            self.filler(indent, 2);
            self.line(indent, &format!("char {};", set.c_name(control, "A")));
            for kind in map.symbolic_attributes.iter() {
                self.line(indent, &format!("char {};", set.c_name(control, &kind.suffix().to_string())));
            }
        }
        for member in members {
            self.data(indent, side, member);
        }
    }
}
