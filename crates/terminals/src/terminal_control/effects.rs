//! What the attributes of PROFILE, TERMINAL and TYPETERM do (`tables/attributes.tsv`), and the definitions that are not installed.
//!
//! Invariant: every attribute of these types has a row, so no attribute is accepted and ignored without a reason.

use csd::Definition;

const TABLE: &str = include_str!("../../tables/attributes.tsv");
/// Positions of the default screen of every TN3270 client.
const DEFAULT_SCREEN: &str = "24,80";
/// Characters of a page (PAGESIZE, ALTPAGE).
const PAGE_AREA_MAX: u32 = 32_767;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Effective,
    None,
    Refused,
}

/// A row of the table.
struct Effect {
    resource: &'static str,
    names: &'static str,
    state: State,
    values: &'static str,
    text: &'static str,
}

fn rows() -> impl Iterator<Item = Effect> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let (resource, names, state, values, text) = (next(), next(), next(), next(), next());
        let state = match state {
            "effective" => State::Effective,
            "none" => State::None,
            "refused" => State::Refused,
            other => panic!("{other} is not a state of an attribute"),
        };
        Effect { resource, names, state, values, text }
    })
}

impl Effect {
    /// Whether it refuses a value. A blank value asks for nothing.
    fn refuses(&self, value: &str) -> bool {
        let is_listed = |list: &str| list.split('|').any(|one| one == value);
        let is_refused = match (self.values, self.values.strip_prefix('!')) {
            ("*", _) => true,
            (_, Some(accepted)) => !is_listed(accepted),
            (refused, None) => is_listed(refused),
        };
        self.state == State::Refused && !value.is_empty() && is_refused
    }
}

/// Whether a definition may be installed.
///
/// # Errors
///
/// The attributes that the region does not have, each with the reason; or values that contradict each other.
pub(super) fn check(definition: &Definition) -> Result<(), String> {
    let mut refused = Vec::new();
    for row in rows().filter(|row| row.resource == definition.resource.name && row.state == State::Refused) {
        for name in row.names.split(' ') {
            let value = definition.get(name).trim();
            if row.refuses(value) {
                refused.push(format!("{name}({value}): {}", row.text));
            }
        }
    }
    if definition.resource.name == "TYPETERM" {
        refused.extend(check_sizes(definition));
    }
    if refused.is_empty() { Ok(()) } else { Err(refused.join("; ")) }
}

/// Sizes are two numbers; a page of a display is as wide as its screen, and no longer than it.
fn check_sizes(definition: &Definition) -> Vec<String> {
    let mut faults = Vec::new();
    let mut size = |name: &str, unit: &str| {
        let value = definition.get(name).trim();
        let pair = csd::number_pair(value);
        if pair.is_none() && !value.is_empty() {
            faults.push(format!("{name}({value}) is not {unit}"));
        }
        if let Some((rows, columns)) = pair
            && name.contains("PAGE")
            && u32::from(rows) * u32::from(columns) > PAGE_AREA_MAX
        {
            faults.push(format!("{name}({value}): a page has at most {PAGE_AREA_MAX} characters"));
        }
        pair.filter(|pair| *pair != (0, 0))
    };
    let page = size("PAGESIZE", "rows,columns");
    let alternate_page = size("ALTPAGE", "rows,columns");
    let default_screen = size("DEFSCREEN", "rows,columns").or(csd::number_pair(DEFAULT_SCREEN));
    let alternate_screen = size("ALTSCREEN", "rows,columns");
    size("CGCSGID", "character set,code page");
    if super::autoinstall::is_printer_device(definition.get("DEVICE")) {
        return faults;
    }
    for (name, page, screen) in [("PAGESIZE", page, default_screen), ("ALTPAGE", alternate_page, alternate_screen)] {
        if let (Some((rows, columns)), Some(screen)) = (page, screen)
            && (rows > screen.0 || columns != screen.1)
        {
            faults.push(format!(
                "{name}({rows},{columns}): a page of a display is as wide as its screen of {} by {} and no longer",
                screen.0, screen.1
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [&str; 3] = ["PROFILE", "TERMINAL", "TYPETERM"];

    #[test]
    fn every_attribute_has_a_row_and_every_row_an_attribute() {
        for resource in TYPES {
            let known = csd::attributes::resource_type(resource).expect("a type of resource");
            let names = || rows().filter(|row| row.resource == resource).flat_map(|row| row.names.split(' '));
            for attribute in &known.attributes {
                assert!(names().any(|name| name == attribute.name), "{resource} {} has no row", attribute.name);
            }
            for name in names() {
                assert!(known.attributes.iter().any(|attribute| attribute.name == name), "{resource} has no attribute {name}");
            }
        }
        assert!(rows().all(|row| TYPES.contains(&row.resource) && !row.text.is_empty()));
        assert!(rows().all(|row| (row.state == State::Refused) != row.values.is_empty()), "what is refused is listed");
    }

    /// No definition is refused for what it does not say.
    #[test]
    fn defaults_are_accepted() {
        for resource in TYPES {
            assert_eq!(check(&Definition::new(resource, "X", "TEST")), Ok(()), "{resource}");
        }
    }

    #[test]
    fn a_refusal_names_attribute_value_and_reason() {
        let typeterm = Definition::new("TYPETERM", "X", "TEST").with("DEVICE", "LUTYPE2");
        assert_eq!(check(&typeterm), Ok(()));
        let asked = typeterm.clone().with("AUTOCONNECT", "YES").with("BRACKET", "NO");
        let reason = check(&asked).unwrap_err();
        assert!(reason.contains("AUTOCONNECT(YES): a TN3270 client connects by itself"), "{reason}");
        assert!(reason.contains("BRACKET(NO): "), "{reason}");
        assert!(check(&typeterm.clone().with("DEVICE", "3600")).is_err());
        assert!(check(&typeterm.clone().with("PAGESIZE", "20,40")).unwrap_err().starts_with("PAGESIZE(20,40): a page of a display"));
        assert!(check(&typeterm.clone().with("PAGESIZE", "25,80")).is_err());
        assert!(check(&typeterm.clone().with("CGCSGID", "697")).unwrap_err().contains("character set,code page"));
        assert_eq!(check(&typeterm.with("PAGESIZE", "20,80").with("ALTSCREEN", "43,80").with("ALTPAGE", "40,80")), Ok(()));
        let printer = Definition::new("TYPETERM", "X", "TEST").with("DEVICE", "SCSPRINT").with("PAGESIZE", "60,132");
        assert_eq!(check(&printer), Ok(()));
    }

    /// The table of the documentation has these rows.
    #[test]
    fn the_page_of_terminals_shows_the_table() {
        let page = include_str!("../../../../docs/terminals.md");
        for Effect { resource, names, state, values, text } in rows() {
            let of = names.split(' ').map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
            let state = match state {
                State::Effective => "effective".to_string(),
                State::None => "no effect".to_string(),
                State::Refused => format!("refused: {}", shown(values)),
            };
            let line = format!("| {resource} | {of} | {state} | {text} |");
            assert!(page.contains(&line), "docs/terminals.md lacks:\n{line}");
        }
    }

    fn shown(values: &str) -> String {
        match (values, values.strip_prefix('!')) {
            ("*", _) => "any value".to_string(),
            (_, Some(accepted)) => format!("all but {}", accepted.replace('|', " ")),
            _ => values.replace('|', " "),
        }
    }
}
