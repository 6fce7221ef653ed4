//! What a CSD file keeps in comments: the locks of users, the parts that were made from the sources of an application, and when definitions
//! were changed.
//!
//! Invariant: a comment of another form is passed over, so that a file from elsewhere can be read.

use crate::attributes::resource_type;
use crate::file::{Csd, Definition, Owner, Part, is_supplied};
use std::fmt::Write as _;

const LOCKED: &str = "*LOCKED ";
const MADE: &str = "*MADE ";
const CHANGED: &str = "*CHANGED ";

/// The comments about a CSD.
pub(crate) fn text(csd: &Csd) -> String {
    let mut text = String::new();
    for ((part, name), Owner { applid, user }) in &csd.locks {
        let _ = writeln!(text, "{LOCKED}{}({name}) APPLID({applid}) USER({user})", part.name());
    }
    for ((part, name), checksum) in &csd.made {
        let _ = writeln!(text, "{MADE}{}({name}) CHECKSUM({checksum:016X})", part.name());
    }
    let is_there = |group: &str, kind: &'static str, name: &str| csd.definition(group, kind, name).is_some();
    for ((group, (kind, name)), seconds) in csd.changed.iter().filter(|((group, (kind, name)), _)| is_there(group, kind, name)) {
        let _ = writeln!(text, "{CHANGED}{kind}({name}) GROUP({group}) SECONDS({seconds})");
    }
    text
}

/// Takes what the comments of a file say.
pub(crate) fn read(csd: &mut Csd, text: &str) {
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(LOCKED)
            && let Some(part) = part_of(rest)
            && let (Some(applid), Some(user)) = (value_of(rest, "APPLID"), value_of(rest, "USER"))
        {
            csd.locks.insert(part, Owner { applid: applid.to_string(), user: user.to_string() });
        }
        if let Some(rest) = line.strip_prefix(MADE)
            && let Some(part) = part_of(rest)
            && let Some(checksum) = value_of(rest, "CHECKSUM").and_then(|digits| u64::from_str_radix(digits, 16).ok())
        {
            csd.made.insert(part, checksum);
        }
        if let Some(rest) = line.strip_prefix(CHANGED)
            && let Some(kind) = rest.split('(').next().and_then(resource_type)
            && let (Some(name), Some(group), Some(at)) = (value_of(rest, kind.name), value_of(rest, "GROUP"), value_of(rest, "SECONDS"))
            && let Ok(seconds) = at.parse()
        {
            csd.changed.insert((group.to_string(), (kind.name, name.to_string())), seconds);
        }
    }
}

fn part_of(text: &str) -> Option<(Part, String)> {
    let named = |part: Part| value_of(text, part.name()).map(|name| (part, name.to_string()));
    named(Part::Group).or_else(|| named(Part::List))
}

fn value_of<'a>(text: &'a str, keyword: &str) -> Option<&'a str> {
    let word = text.split_whitespace().find_map(|word| word.strip_prefix(keyword))?;
    word.strip_prefix('(')?.strip_suffix(')')
}

impl Csd {
    /// Takes over what the sources of an application define, into the CSD of its earlier starts.
    ///
    /// A part that the sources do not define was made at run time and stays; one that they no longer define goes. A part that they define as at
    /// the earlier start keeps the changes that were made at run time; otherwise the sources replace it. Returns the parts that have lost such
    /// changes.
    pub fn remake(&mut self, sources: Csd) -> Vec<(Part, String)> {
        let mut lost = Vec::new();
        let earlier = std::mem::take(&mut self.made);
        let gone = earlier.iter().filter(|(part, _)| sources.checksum(part).is_none());
        for (part, before) in gone {
            lost.extend(self.checksum(part).filter(|kept| kept != before).map(|_| part.clone()));
            self.drop_part(part);
        }
        for part in sources.parts() {
            let made = sources.checksum(&part).expect("it is there");
            let kept = self.checksum(&part);
            let before = earlier.get(&part).copied();
            // The definitions as the sources have them also say where they were written.
            if before != Some(made) || kept == Some(made) {
                lost.extend(kept.filter(|kept| *kept != made && before != Some(*kept)).map(|_| part.clone()));
                self.take_part(&part, &sources);
            }
            self.made.insert(part, made);
        }
        lost
    }

    /// The groups and lists that are not supplied.
    fn parts(&self) -> Vec<(Part, String)> {
        let groups = self.groups.keys().map(|name| (Part::Group, name.clone()));
        let lists = self.lists.keys().map(|name| (Part::List, name.clone()));
        groups.chain(lists).filter(|(_, name)| !is_supplied(name)).collect()
    }

    fn drop_part(&mut self, (part, name): &(Part, String)) {
        match part {
            Part::Group => drop(self.groups.remove(name)),
            Part::List => drop(self.lists.remove(name)),
        }
    }

    fn take_part(&mut self, (part, name): &(Part, String), from: &Csd) {
        match part {
            Part::Group => drop(self.groups.insert(name.clone(), from.groups[name].clone())),
            Part::List => drop(self.lists.insert(name.clone(), from.lists[name].clone())),
        }
    }

    /// The checksum of a part's text; `None` if it is not there.
    fn checksum(&self, (part, name): &(Part, String)) -> Option<u64> {
        let text = match part {
            Part::Group => self.groups.get(name)?.values().map(Definition::statement).collect::<Vec<_>>().join("\n"),
            Part::List => self.lists.get(name)?.join("\n"),
        };
        Some(fnv1a(text.as_bytes()))
    }
}

/// The 64-bit FNV-1a hash: the same for every build, as a file keeps it.
fn fnv1a(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources of an application: one program in group APP, which is in a list.
    fn sources(program: &str) -> Csd {
        let mut csd = Csd::default();
        csd.put(Definition::new("PROGRAM", program, "APP"));
        csd.add_to_list("APPLIST", "APP");
        csd
    }

    fn one(program: &str, group: &str) -> Csd {
        let mut csd = Csd::default();
        csd.put(Definition::new("PROGRAM", program, group));
        csd
    }

    fn part(name: &str) -> (Part, String) {
        (Part::Group, name.to_string())
    }

    #[test]
    fn changes_made_at_run_time_stay_until_the_sources_change() {
        let mut kept = Csd::default();
        assert!(kept.remake(sources("P1")).is_empty());
        kept.put(Definition::new("PROGRAM", "P2", "APP"));
        kept.put(Definition::new("PROGRAM", "MINE", "ONLINE"));
        // The file has them, and what came from where.
        let mut again = Csd::default();
        read(&mut again, &text(&kept));
        assert_eq!(again.made, kept.made);
        assert!(kept.remake(sources("P1")).is_empty());
        assert_eq!((kept.group("APP").count(), kept.group("ONLINE").count()), (2, 1));
        let lost = kept.remake(sources("P3"));
        assert_eq!(lost, [part("APP")], "the sources have changed the group");
        assert!(kept.definition("APP", "PROGRAM", "P3").is_some() && kept.definition("APP", "PROGRAM", "P2").is_none());
        assert!(kept.remake(one("Q", "OTHER")).is_empty());
        assert!(!kept.has_group("APP") && kept.list("APPLIST").is_none() && kept.has_group("ONLINE"));
    }

    #[test]
    fn a_part_deleted_at_run_time_stays_away() {
        let mut kept = Csd::default();
        kept.remake(sources("P1"));
        kept.groups.remove("APP");
        assert!(kept.remake(sources("P1")).is_empty());
        assert!(!kept.has_group("APP") && kept.list("APPLIST").is_some());
        // Made at run time, then by the sources too.
        kept.put(Definition::new("PROGRAM", "MINE", "ONLINE"));
        assert_eq!(kept.remake(one("P", "ONLINE")), [part("ONLINE")]);
    }

    #[test]
    fn comments_of_another_form_are_passed_over() {
        let mut csd = Csd::default();
        read(&mut csd, "*LOCKED GROUP(A) APPLID(B)\n*LOCKED NOTHING\n*MADE GROUP(A) CHECKSUM(XYZ)\n*MADE \n* LOCKED GROUP(A)\n");
        assert!(csd.locks.is_empty() && csd.made.is_empty());
        read(&mut csd, "*LOCKED LIST(L) APPLID(REGENT1) USER(OPERATOR)\n");
        assert_eq!(csd.lock_of(Part::List, "L").map(|owner| owner.user.as_str()), Some("OPERATOR"));
    }
}
