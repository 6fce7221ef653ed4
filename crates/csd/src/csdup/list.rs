//! LIST: groups, lists and definitions in the listing.

use super::{Failure, Utility, is_keyword, matches_name};
use crate::file::Definition;
use crate::statement::Statement;
use std::fmt::Write as _;

impl Utility<'_> {
    pub(super) fn list(&mut self, statement: &Statement) -> Result<(), Failure> {
        let has = |keyword: &str| statement.operands.iter().find(|o| is_keyword(&o.keyword, keyword));
        let objects = has("OBJECTS").is_some();
        let value = |o: &super::statement::Operand| o.value.as_deref().unwrap_or("*").trim().to_ascii_uppercase();
        if let Some(list) = has("LIST").map(value) {
            self.list_lists(&list);
            return Ok(());
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
                let _ = writeln!(
                    self.report.text,
                    "    {:<14}{:<18}{}",
                    definition.resource.name,
                    definition.name,
                    definition.get("DESCRIPTION")
                );
                if objects {
                    self.list_attributes(&definition);
                }
            }
        }
        if has("ALL").is_some() {
            self.list_lists("*");
        }
        Ok(())
    }

    fn list_attributes(&mut self, definition: &Definition) {
        for pair in definition.resource.attributes.chunks(3) {
            let cells: Vec<String> = pair.iter().map(|a| format!("{}({})", a.name, definition.get(a.name))).collect();
            let _ = writeln!(self.report.text, "        {}", cells.iter().map(|cell| format!("{cell:<34}")).collect::<String>().trim_end());
        }
    }

    fn list_lists(&mut self, pattern: &str) {
        let lists: Vec<(String, Vec<String>)> =
            self.csd.lists.iter().filter(|(name, _)| matches_name(pattern, name)).map(|(n, g)| (n.clone(), g.to_vec())).collect();
        for (name, groups) in lists {
            let _ = writeln!(self.report.text, "\n  LIST NAME: {name}");
            for group in groups {
                let _ = writeln!(self.report.text, "    {group}");
            }
        }
    }
}
