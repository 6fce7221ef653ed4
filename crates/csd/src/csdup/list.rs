//! LIST: groups, lists and definitions in the listing.

use super::{Failure, Utility, is_keyword, matches_name};
use crate::file::Definition;
use crate::statement::Statement;
use std::fmt::Write as _;

/// Columns of attributes in the listing, and where they begin.
const COLUMNS: usize = 3;
const COLUMN_WIDTH: usize = 23;
const INDENT: usize = 25;

impl Utility<'_> {
    pub(super) fn list(&mut self, statement: &Statement) -> Result<(), Failure> {
        let has = |keyword: &str| statement.operands.iter().find(|o| is_keyword(&o.keyword, keyword));
        if has("SIGSUMM").is_some() {
            return Err(("DFH5202", "LIST SIGSUMM: A CSD FILE HAS NO DEFINITION SIGNATURES".to_string()));
        }
        let objects = has("OBJECTS").is_some();
        let value = |o: &super::statement::Operand| o.value.as_deref().unwrap_or("*").trim().to_ascii_uppercase();
        if let Some(list) = has("LIST").map(value) {
            return self.list_lists(&list, objects);
        }
        let pattern = has("GROUP").map_or("*".to_string(), value);
        let names: Vec<String> = self.csd.groups.keys().filter(|name| matches_name(&pattern, name)).cloned().collect();
        if names.is_empty() {
            return Err(("DFH5152", format!("GROUP {pattern} DOES NOT EXIST")));
        }
        for name in names {
            let _ = writeln!(self.report.text, "\n  GROUP NAME: {name}");
            let definitions: Vec<Definition> = self.csd.group(&name).cloned().collect();
            for definition in definitions {
                self.list_definition(&definition, objects);
            }
        }
        match has("ALL") {
            Some(_) => self.list_lists("*", false),
            None => Ok(()),
        }
    }

    fn list_definition(&mut self, definition: &Definition, objects: bool) {
        let Definition { resource, name, group, .. } = definition;
        if objects {
            let _ = writeln!(self.report.text, " {:<24}GROUP({group})", format!("{}({name})", resource.name));
            self.list_attributes(definition);
        } else {
            let _ = writeln!(self.report.text, "    {:<14}{name:<18}{}", resource.name, definition.get("DESCRIPTION"));
        }
    }

    /// Attributes in three columns; one that is longer than a column has a line of its own.
    fn list_attributes(&mut self, definition: &Definition) {
        let mut line = String::new();
        for attribute in &definition.resource.attributes {
            let cell = format!("{}({})", attribute.name, definition.get(attribute.name));
            let is_wide = cell.len() >= COLUMN_WIDTH;
            if !line.is_empty() && (is_wide || line.len() >= COLUMNS * COLUMN_WIDTH) {
                let _ = writeln!(self.report.text, "{:INDENT$}{}", "", std::mem::take(&mut line).trim_end());
            }
            if is_wide {
                let _ = writeln!(self.report.text, "{:INDENT$}{cell}", "");
            } else {
                let _ = write!(line, "{cell:<COLUMN_WIDTH$}");
            }
        }
        if !line.is_empty() {
            let _ = writeln!(self.report.text, "{:INDENT$}{}", "", line.trim_end());
        }
    }

    /// With OBJECTS, the definitions in the groups of one list.
    fn list_lists(&mut self, pattern: &str, objects: bool) -> Result<(), Failure> {
        let lists: Vec<(String, Vec<String>)> =
            self.csd.lists.iter().filter(|(name, _)| matches_name(pattern, name)).map(|(n, g)| (n.clone(), g.to_vec())).collect();
        if lists.is_empty() && pattern != "*" {
            return Err(("DFH5152", format!("LIST {pattern} DOES NOT EXIST")));
        }
        for (name, groups) in lists {
            let _ = writeln!(self.report.text, "\n  LIST NAME: {name}");
            for group in groups {
                let _ = writeln!(self.report.text, "    {group}");
                let definitions: Vec<Definition> = self.csd.group(&group).filter(|_| objects).cloned().collect();
                for definition in definitions {
                    self.list_definition(&definition, true);
                }
            }
        }
        Ok(())
    }
}
