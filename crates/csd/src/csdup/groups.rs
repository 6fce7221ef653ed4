//! ADD, REMOVE, COPY and APPEND: groups and lists.

use super::{Failure, Severity, Utility, is_keyword, matches_name};
use crate::attributes::resource_type;
use crate::file::{Definition, Part};
use crate::statement::Statement;

impl Utility<'_> {
    pub(super) fn add(&mut self, statement: &Statement) -> Result<(), Failure> {
        let group = self.group_of(statement, "GROUP")?;
        let list = self.group_of(statement, "LIST")?;
        self.may_change(Part::List, &list)?;
        if !self.csd.lists.contains_key(&list) {
            self.say("DFH5131", Severity::Information, format!("LIST {list} CREATED."));
        }
        if !self.csd.add_to_list(&list, &group) {
            return Err(("DFH5136", format!("GROUP {group} IS ALREADY IN LIST {list}")));
        }
        self.touch(&group);
        // BEFORE and AFTER place the group; the list then has the order in which groups are installed.
        let position = statement.operands.iter().find(|o| o.keyword == "BEFORE" || o.keyword == "AFTER");
        if let (Some(operand), Some(groups)) = (position, self.csd.lists.get_mut(&list)) {
            let other = operand.value.as_deref().unwrap_or("").to_ascii_uppercase();
            groups.retain(|name| name != group);
            let at = groups.iter().position(|name| *name == other).map(|at| at + usize::from(operand.keyword == "AFTER"));
            groups.place(at.unwrap_or(groups.len()), &group);
        }
        self.say("DFH5135", Severity::Information, format!("GROUP {group} ADDED TO LIST {list}"));
        Ok(())
    }

    pub(super) fn remove(&mut self, statement: &Statement) -> Result<(), Failure> {
        let group = self.group_of(statement, "GROUP")?;
        let list = self.group_of(statement, "LIST")?;
        self.may_change(Part::List, &list)?;
        let Some(groups) = self.csd.lists.get_mut(&list) else {
            return Err(("DFH5152", format!("LIST {list} DOES NOT EXIST")));
        };
        let before = groups.len();
        groups.retain(|name| !matches_name(&group, name));
        if groups.len() == before {
            return Err(("DFH5137", format!("GROUP {group} IS NOT IN LIST {list}")));
        }
        if groups.is_empty() {
            self.csd.lists.remove(&list);
        }
        self.say("DFH5138", Severity::Information, format!("GROUP {group} REMOVED FROM LIST {list}"));
        Ok(())
    }

    pub(super) fn copy(&mut self, statement: &Statement) -> Result<(), Failure> {
        let from = self.group_of(statement, "GROUP")?;
        let to = self.group_of(statement, "TO")?;
        self.may_change(Part::Group, &to)?;
        const WORDS: [&str; 5] = ["GROUP", "TO", "REPLACE", "MERGE", "FROMCSD"];
        let only = match statement.operands.iter().find(|o| !WORDS.iter().any(|k| is_keyword(&o.keyword, k))) {
            Some(operand) => {
                let resource = resource_type(&operand.keyword);
                let resource = resource.ok_or(("DFH5206", format!("{} IS NOT A RESOURCE TYPE", operand.keyword)))?;
                let name = operand.value.as_deref().filter(|name| !name.is_empty());
                Some((resource, name.map_or("*".to_string(), |name| resource.folded(name))))
            }
            None => None,
        };
        let secondary = self.csd_of(statement)?;
        let is_chosen = |d: &&Definition| only.as_ref().is_none_or(|(o, name)| o.name == d.resource.name && matches_name(name, &d.name));
        let chosen: Vec<Definition> = secondary.as_ref().unwrap_or(&*self.csd).group(&from).filter(is_chosen).cloned().collect();
        if chosen.is_empty() {
            return Err(("DFH5152", format!("GROUP {from} DOES NOT EXIST OR HAS NOTHING TO COPY")));
        }
        let (replace, merge) = (statement.operand("REPLACE").is_some(), statement.operand("MERGE").is_some());
        for mut definition in chosen {
            let exists = self.csd.group(&to).any(|d| d.resource.name == definition.resource.name && d.name == definition.name);
            if exists && !replace {
                if !merge {
                    let text =
                        format!("{} {} ALREADY EXISTS IN GROUP {to}: SAY REPLACE OR MERGE", definition.resource.name, definition.name);
                    return Err(("DFH5145", text));
                }
                continue;
            }
            definition.group.clone_from(&to);
            let text = format!("{} {} COPIED TO GROUP {to}", definition.resource.name, definition.name);
            self.put(definition);
            self.say("DFH5161", Severity::Information, text);
        }
        self.touch(&to);
        Ok(())
    }

    pub(super) fn append(&mut self, statement: &Statement) -> Result<(), Failure> {
        let from = self.group_of(statement, "LIST")?;
        let to = self.group_of(statement, "TO")?;
        self.may_change(Part::List, &to)?;
        let secondary = self.csd_of(statement)?;
        let Some(groups) = secondary.as_ref().unwrap_or(&*self.csd).lists.get(&from).cloned() else {
            return Err(("DFH5152", format!("LIST {from} DOES NOT EXIST")));
        };
        for group in groups.into_ordered() {
            self.csd.add_to_list(&to, &group);
        }
        self.say("DFH5139", Severity::Information, format!("LIST {from} APPENDED TO LIST {to}"));
        Ok(())
    }
}
