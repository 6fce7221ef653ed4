//! EXTRACT: a user program gets the definitions of a group or a list, part by part ("Invoking a user program from DFHCSDUP").

use super::{Failure, Severity, Utility, is_keyword, matches_name};
use crate::file::Definition;
use crate::statement::Statement;

/// Characters of the command that a user program sees.
const COMMAND_LENGTH: usize = 75;

/// A point of the extraction at which the user program is called. The fields that the point does not have are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Point<'a> {
    /// The function code, one of the constants below.
    pub function: i16,
    /// The EXTRACT command, without its line breaks.
    pub command: &'a str,
    pub list: Option<&'a str>,
    pub group: Option<&'a str>,
    /// Type and name.
    pub object: Option<(&'a str, &'a str)>,
    /// Name of an attribute and its value.
    pub keyword: Option<(&'a str, &'a str)>,
}

impl Point<'_> {
    pub const INITIAL: i16 = 0;
    pub const LIST_START: i16 = 2;
    pub const GROUP_START: i16 = 4;
    pub const OBJECT_START: i16 = 6;
    pub const KEYWORD: i16 = 8;
    pub const OBJECT_END: i16 = 10;
    pub const GROUP_END: i16 = 12;
    pub const LIST_END: i16 = 14;
    pub const FINAL: i16 = 16;
}

/// Who runs user programs. A program begins with its initial call and ends with its final one.
pub trait UserPrograms {
    /// Calls the program of this name; the error says why it cannot be called, or how it failed.
    fn call(&mut self, program: &str, point: &Point) -> Result<(), String>;
}

/// What an EXTRACT selects.
struct Selection {
    program: String,
    command: String,
    list: Option<String>,
    /// Groups with their definitions.
    groups: Vec<(String, Vec<Definition>)>,
    objects: bool,
}

impl Utility<'_> {
    pub(super) fn extract(&mut self, statement: &Statement) -> Result<(), Failure> {
        let selection = self.selection(statement)?;
        let Some(programs) = self.surroundings.programs.as_mut() else {
            return Err(("DFH5202", "EXTRACT NEEDS A BATCH JOB, WHICH RUNS ITS USER PROGRAM".to_string()));
        };
        let mut call = |point: Point| programs.call(&selection.program, &Point { command: &selection.command, ..point });
        selection.walk(&mut call).map_err(|why| ("DFH5602", format!("USER PROGRAM {}: {why}", selection.program)))?;
        let text = format!("{} GROUP(S) EXTRACTED BY USER PROGRAM {}", selection.groups.len(), selection.program);
        self.say("DFH5601", Severity::Information, text);
        Ok(())
    }

    fn selection(&self, statement: &Statement) -> Result<Selection, Failure> {
        let has = |keyword: &str| statement.operands.iter().find(|operand| is_keyword(&operand.keyword, keyword));
        let program = self.group_of(statement, "USERPROGRAM")?;
        let list = has("LIST").is_some().then(|| self.group_of(statement, "LIST")).transpose()?;
        let names: Vec<String> = match &list {
            Some(list) => {
                let groups = self.csd.list(list).ok_or(("DFH5152", format!("LIST {list} DOES NOT EXIST")))?;
                groups.iter().filter(|group| self.csd.has_group(group)).cloned().collect()
            }
            None => {
                let pattern = self.group_of(statement, "GROUP")?;
                let names: Vec<String> = self.csd.groups.keys().filter(|name| matches_name(&pattern, name)).cloned().collect();
                if names.is_empty() {
                    return Err(("DFH5152", format!("GROUP {pattern} DOES NOT EXIST")));
                }
                names
            }
        };
        let groups = names.into_iter().map(|name| (name.clone(), self.csd.group(&name).cloned().collect())).collect();
        let command = statement.text.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ");
        let command = command.chars().take(COMMAND_LENGTH).collect();
        Ok(Selection { program, command, list, groups, objects: has("OBJECTS").is_some() })
    }
}

impl Selection {
    /// All points in their order.
    fn walk(&self, call: &mut dyn FnMut(Point) -> Result<(), String>) -> Result<(), String> {
        let list = self.list.as_deref();
        call(Point { function: Point::INITIAL, ..Point::default() })?;
        if list.is_some() {
            call(Point { function: Point::LIST_START, list, ..Point::default() })?;
        }
        for (name, definitions) in &self.groups {
            let group = Point { group: Some(name), ..Point::default() };
            call(Point { function: Point::GROUP_START, ..group.clone() })?;
            // Of a list without OBJECTS, only the groups are extracted.
            if list.is_none() || self.objects {
                definitions.iter().try_for_each(|definition| self.object(&group, definition, call))?;
            }
            call(Point { function: Point::GROUP_END, ..group })?;
        }
        if list.is_some() {
            call(Point { function: Point::LIST_END, list, ..Point::default() })?;
        }
        call(Point { function: Point::FINAL, ..Point::default() })
    }

    fn object(&self, group: &Point, definition: &Definition, call: &mut dyn FnMut(Point) -> Result<(), String>) -> Result<(), String> {
        let object = Point { object: Some((definition.resource.name, &definition.name)), ..group.clone() };
        call(Point { function: Point::OBJECT_START, ..object.clone() })?;
        for attribute in definition.resource.attributes.iter().filter(|_| self.objects) {
            let keyword = Some((attribute.name, definition.get(attribute.name)));
            call(Point { function: Point::KEYWORD, keyword, ..object.clone() })?;
        }
        call(Point { function: Point::OBJECT_END, ..object })
    }
}
