//! DEFINE, USERDEFINE, ALTER and DELETE: single definitions.

use super::{Failure, Mode, Severity, Utility, is_keyword, matches_name, near};
use crate::attributes::{Match, ResourceType, resource_type, resource_types};
use crate::file::{Definition, Origin, Part};
use crate::rules;
use crate::statement::Statement;
use std::collections::BTreeMap;

impl Utility<'_> {
    /// The resource named by a DEFINE, ALTER, DELETE or SCAN: the first operand that is a resource type.
    pub(super) fn resource<'s>(&self, statement: &'s Statement) -> Result<Option<(&'static ResourceType, &'s str)>, Failure> {
        for operand in &statement.operands {
            if is_keyword(&operand.keyword, "GROUP") || is_keyword(&operand.keyword, "LIST") {
                continue;
            }
            if let Some(resource) = resource_type(&operand.keyword) {
                return Ok(Some((resource, operand.value.as_deref().unwrap_or(""))));
            }
            return match statement.verb.as_str() {
                "DELETE" => Ok(None),
                _ => {
                    let near = near(&operand.keyword, resource_types().iter().map(|resource| resource.name));
                    Err(("DFH5206", format!("{} IS NOT A RESOURCE TYPE{near}", operand.keyword)))
                }
            };
        }
        Ok(None)
    }

    /// Applies the attribute operands of a statement; every fault is reported, then the command fails.
    fn apply(&mut self, statement: &Statement, definition: &mut Definition) -> Result<(), Failure> {
        let mut faults: Vec<Failure> = Vec::new();
        let mut resource_seen = false;
        for operand in &statement.operands {
            let is_group =
                is_keyword(&operand.keyword, "GROUP") && !definition.resource.attributes.iter().any(|a| a.name == operand.keyword);
            if is_group {
                continue;
            }
            if !resource_seen && resource_type(&operand.keyword).is_some_and(|r| std::ptr::eq(r, definition.resource)) {
                resource_seen = true;
                continue;
            }
            let resource = definition.resource;
            match (resource.attribute(&operand.keyword), operand.value.as_deref()) {
                (Match::Attribute(attribute), Some(value)) => match attribute.check(value) {
                    Ok(value) => {
                        definition.attributes.insert(attribute.name, value);
                    }
                    Err(why) => faults.push(("DFH5213", format!("LINE {}: {why}", operand.line))),
                },
                (Match::Attribute(attribute), None) => {
                    faults.push(("DFH5204", format!("LINE {}: {} NEEDS A VALUE IN PARENTHESES", operand.line, attribute.name)));
                }
                (Match::Ignored, _) => {}
                (Match::Ambiguous(names), _) => {
                    let text = format!("LINE {}: {} MAY BE {}", operand.line, operand.keyword, names.join(", "));
                    faults.push(("DFH5205", text));
                }
                (Match::Unknown, _) => {
                    let near = near(&operand.keyword, resource.attributes.iter().map(|attribute| attribute.name));
                    let text = format!("LINE {}: {} IS NOT AN ATTRIBUTE OF {}{near}", operand.line, operand.keyword, resource.name);
                    faults.push(("DFH5203", text));
                }
            }
        }
        let Some(last) = faults.pop() else { return Ok(()) };
        for (id, text) in faults {
            self.say(id, Severity::Error, text);
        }
        Err(last)
    }

    pub(super) fn define(&mut self, statement: &Statement) -> Result<(), Failure> {
        self.define_with(statement, BTreeMap::new())
    }

    /// DEFINE with the attributes of a definition named USER in group USERDEF as defaults ("The DFHCSDUP USERDEFINE command").
    pub(super) fn userdefine(&mut self, statement: &Statement) -> Result<(), Failure> {
        let Some((resource, _)) = self.resource(statement)? else { return self.define_with(statement, BTreeMap::new()) };
        match self.csd.user_defaults(resource) {
            Some(defaults) => {
                let attributes = defaults.attributes.clone();
                self.define_with(statement, attributes)
            }
            None => Err(("DFH5151", format!("{} USER NOT FOUND IN GROUP USERDEF", resource.name))),
        }
    }

    fn define_with(&mut self, statement: &Statement, attributes: BTreeMap<&'static str, String>) -> Result<(), Failure> {
        let verb = &statement.verb;
        let Some((resource, name)) = self.resource(statement)? else {
            return Err(("DFH5206", format!("{verb} NEEDS A RESOURCE TYPE AND NAME")));
        };
        let name = resource.check_name(name).map_err(|why| ("DFH5208", why))?;
        let group = self.group_of(statement, "GROUP")?;
        self.may_change(Part::Group, &group)?;
        if self.csd.group(&group).any(|d| d.resource.name == resource.name && d.name == name) {
            return Err(("DFH5145", format!("{} {name} ALREADY EXISTS IN GROUP {group}", resource.name)));
        }
        let origin = Origin { source: self.surroundings.source.to_string(), line: statement.line };
        let mut definition = Definition { resource, name: name.clone(), group: group.clone(), attributes, origin };
        self.apply(statement, &mut definition)?;
        self.check_complete(&definition)?;
        if !self.csd.has_group(&group) {
            self.say("DFH5131", Severity::Information, format!("GROUP {group} CREATED."));
        }
        self.touch(&group);
        self.put(definition);
        self.say("DFH5143", Severity::Information, format!("{} {name} DEFINED IN GROUP {group}", resource.name));
        Ok(())
    }

    fn check_complete(&mut self, definition: &Definition) -> Result<(), Failure> {
        let (resource, name) = (definition.resource.name, &definition.name);
        match rules::check(definition) {
            Ok(()) => {}
            Err(rules::Fault::Missing(attribute)) => return Err(("DFH5209", format!("{resource} {name} NEEDS {attribute}"))),
            Err(rules::Fault::Conflict(why)) => return Err(("DFH5220", format!("{resource} {name}: {why}"))),
        }
        if definition.name.starts_with("DFH") && definition.resource.name == "PROGRAM" && self.mode != Mode::Supplied {
            let text = format!("PROGRAM {} BEGINS WITH DFH, WHICH IS RESERVED", definition.name);
            self.say("DFH5164", Severity::Warning, text);
        }
        Ok(())
    }

    pub(super) fn alter(&mut self, statement: &Statement) -> Result<(), Failure> {
        let Some((resource, name)) = self.resource(statement)? else {
            return Err(("DFH5206", "ALTER NEEDS A RESOURCE TYPE AND NAME".to_string()));
        };
        let group = self.group_of(statement, "GROUP")?;
        let pattern = if name.trim() == "*" { "*".to_string() } else { generic_name(resource, name)? };
        let chosen: Vec<Definition> = self
            .csd
            .groups
            .iter()
            .filter(|(candidate, _)| matches_name(&group, candidate))
            .flat_map(|(_, group)| group.values())
            .filter(|d| d.resource.name == resource.name && matches_name(&pattern, &d.name))
            .cloned()
            .collect();
        if chosen.is_empty() {
            return Err(("DFH5151", format!("{} {name} NOT FOUND IN GROUP {group}", resource.name)));
        }
        for mut definition in chosen {
            self.may_change(Part::Group, &definition.group)?;
            self.apply(statement, &mut definition)?;
            self.check_complete(&definition)?;
            let text = format!("{} {} ALTERED IN GROUP {}", resource.name, definition.name, definition.group);
            self.put(definition);
            self.say("DFH5144", Severity::Information, text);
        }
        Ok(())
    }

    pub(super) fn delete(&mut self, statement: &Statement) -> Result<(), Failure> {
        if let Some(list) = statement.operands.iter().find(|o| is_keyword(&o.keyword, "LIST")) {
            let list = list.value.as_deref().unwrap_or("").trim().to_ascii_uppercase();
            self.may_change(Part::List, &list)?;
            if self.csd.lists.remove(&list).is_none() {
                return Err(("DFH5152", format!("LIST {list} DOES NOT EXIST")));
            }
            self.say("DFH5153", Severity::Information, format!("LIST {list} DELETED"));
            return Ok(());
        }
        let group = self.group_of(statement, "GROUP")?;
        self.may_change(Part::Group, &group)?;
        if !self.csd.has_group(&group) {
            return Err(("DFH5152", format!("GROUP {group} DOES NOT EXIST")));
        }
        match self.resource(statement)? {
            Some((resource, name)) => {
                let name = resource.check_name(name).map_err(|why| ("DFH5208", why))?;
                let definitions = self.csd.groups.get_mut(&group).expect("checked");
                if definitions.remove(&(resource.name, name.clone())).is_none() {
                    return Err(("DFH5151", format!("{} {name} NOT FOUND IN GROUP {group}", resource.name)));
                }
                self.say("DFH5155", Severity::Information, format!("{} {name} DELETED FROM GROUP {group}", resource.name));
                if self.csd.groups[&group].is_empty() {
                    self.drop_group(&group, statement.operand("REMOVE").is_some());
                }
            }
            None => self.drop_group(&group, statement.operand("REMOVE").is_some()),
        }
        Ok(())
    }

    fn drop_group(&mut self, group: &str, from_lists: bool) {
        self.csd.groups.remove(group);
        self.say("DFH5153", Severity::Information, format!("GROUP {group} DELETED FROM THE CSD"));
        if from_lists {
            for groups in self.csd.lists.values_mut() {
                groups.retain(|name| name != group);
            }
            self.csd.lists.retain(|_, groups| !groups.is_empty());
        }
    }
}

fn generic_name(resource: &ResourceType, name: &str) -> Result<String, Failure> {
    let plain = name.replace(['*', '+'], "A");
    resource.check_name(&plain).map_err(|why| ("DFH5208", why))?;
    Ok(resource.folded(name))
}
