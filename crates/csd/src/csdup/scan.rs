//! SCAN: a resource in the supplied groups, compared with the definitions of the same name in the groups of users.

use super::{Failure, Severity, Utility, is_keyword};
use crate::file::Definition;
use crate::statement::Statement;

impl Utility<'_> {
    /// "The DFHCSDUP SCAN command": the DESCRIPTION is not compared; with ALIAS the definitions of users have that name.
    pub(super) fn scan(&mut self, statement: &Statement) -> Result<(), Failure> {
        let Some((resource, name)) = self.resource(statement)? else {
            return Err(("DFH5206", "SCAN NEEDS A RESOURCE TYPE AND NAME".to_string()));
        };
        let name = resource.check_name(name).map_err(|why| ("DFH5208", why))?;
        let alias =
            statement.operands.iter().find(|operand| is_keyword(&operand.keyword, "ALIAS")).and_then(|alias| alias.value.as_deref());
        let alias = alias.map(|alias| resource.check_name(alias)).transpose().map_err(|why| ("DFH5208", why))?;
        let of_users = alias.as_ref().unwrap_or(&name);
        let all =
            || self.csd.groups.values().flat_map(|group| group.values()).filter(|definition| definition.resource.name == resource.name);
        let supplied = all().find(|definition| definition.group.starts_with("DFH") && definition.name == name).cloned();
        let users: Vec<Definition> =
            all().filter(|definition| !definition.group.starts_with("DFH") && definition.name == *of_users).cloned().collect();
        let kind = resource.name;
        match &supplied {
            Some(supplied) => {
                self.say("DFH5562", Severity::Information, format!("{kind} {name} FOUND IN SUPPLIED GROUP {}", supplied.group))
            }
            None => self.say("DFH5563", Severity::Information, format!("{kind} {name} NOT FOUND IN ANY SUPPLIED GROUP")),
        }
        if users.is_empty() {
            self.say("DFH5564", Severity::Information, format!("{kind} {of_users} NOT FOUND IN ANY USER GROUP"));
        }
        for user in &users {
            let Some(supplied) = &supplied else {
                self.say("DFH5565", Severity::Information, format!("{kind} {of_users} FOUND IN GROUP {}", user.group));
                continue;
            };
            let differs = |attribute: &&str| *attribute != "DESCRIPTION" && user.get(attribute) != supplied.get(attribute);
            let different: Vec<&str> = resource.attributes.iter().map(|attribute| attribute.name).filter(differs).collect();
            let (group, of) = (&user.group, &supplied.group);
            match different[..] {
                [] => self.say("DFH5566", Severity::Information, format!("{kind} {of_users} IN GROUP {group} MATCHES THAT OF GROUP {of}")),
                _ => {
                    let names = different.join(", ");
                    let text = format!("{kind} {of_users} IN GROUP {group} DOES NOT MATCH THAT OF GROUP {of}: {names}");
                    self.say("DFH5567", Severity::Warning, text);
                }
            }
        }
        Ok(())
    }
}
