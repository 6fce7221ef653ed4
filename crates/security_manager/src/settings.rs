//! What the system initialization parameters say about security: which classes protect which resources, and how names are looked up in them.
//!
//! Invariant: a class that is switched off (NO) has no name, and nothing is checked by it.

use region::Region;
use region::name::Name8;
use std::time::Duration;

const CLASSES: &str = include_str!("../tables/classes.tsv");

/// The class of a kind of resource, by the parameter that names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    Xcmd,
    Xdb2,
    Xdct,
    Xfct,
    Xjct,
    Xpct,
    Xppt,
    Xres,
    Xtran,
    Xtst,
}

impl Parameter {
    pub const ALL: [Parameter; 10] = [
        Parameter::Xcmd,
        Parameter::Xdb2,
        Parameter::Xdct,
        Parameter::Xfct,
        Parameter::Xjct,
        Parameter::Xpct,
        Parameter::Xppt,
        Parameter::Xres,
        Parameter::Xtran,
        Parameter::Xtst,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Parameter::Xcmd => "XCMD",
            Parameter::Xdb2 => "XDB2",
            Parameter::Xdct => "XDCT",
            Parameter::Xfct => "XFCT",
            Parameter::Xjct => "XJCT",
            Parameter::Xpct => "XPCT",
            Parameter::Xppt => "XPPT",
            Parameter::Xres => "XRES",
            Parameter::Xtran => "XTRAN",
            Parameter::Xtst => "XTST",
        }
    }

    /// The parameter of a name of the tables.
    pub fn named(name: &str) -> Option<Parameter> {
        Parameter::ALL.into_iter().find(|parameter| parameter.name() == name)
    }

    /// The parameter of a type of resource of QUERY SECURITY.
    pub fn of_type(restype: &str) -> Option<Parameter> {
        let mut rows = rows();
        rows.find(|row| row.types.split(' ').any(|known| known == restype)).map(|row| row.parameter)
    }
}

struct Row {
    parameter: Parameter,
    letter: &'static str,
    default: &'static str,
    types: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = CLASSES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let [parameter, letter, default, types] = columns[..] else { panic!("classes.tsv: {line}") };
        Row { parameter: Parameter::named(parameter).expect("classes.tsv: a parameter"), letter, default, types }
    })
}

/// The name of a class for the value of its parameter: the default one for YES, none for NO.
fn class_of(row: &Row, value: &str) -> Option<Name8> {
    match value {
        "NO" => None,
        "YES" if row.default == "-" => None,
        "YES" => Some(Name8::new(&format!("{}{}", row.letter, row.default))),
        name => Some(Name8::new(&format!("{}{name}", row.letter))),
    }
}

/// When and how the programs of PLTPI are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartPrograms {
    pub commands: bool,
    pub resources: bool,
}

/// The parameters of a region.
#[derive(Debug)]
pub struct Settings {
    /// In the order of [`Parameter::ALL`].
    classes: [Option<Name8>; Parameter::ALL.len()],
    /// Before the names of resources, with its period; empty for none.
    prefix: String,
    /// CMDSEC=ALWAYS.
    pub always_commands: bool,
    /// RESSEC=ALWAYS.
    pub always_resources: bool,
    pub surrogates: bool,
    /// XPTKT.
    pub tickets: bool,
    /// RACFSYNC=YES.
    pub synchronized: bool,
    /// SNPRESET=SHARED.
    pub shared_preset: bool,
    pub delay: Duration,
    pub start_programs: StartPrograms,
}

impl Settings {
    /// `region_user`: the user whose process the region is, for SECPRFX=YES.
    pub fn of(region: &Region, region_user: Name8) -> Settings {
        let sit = &region.sit;
        let mut classes = [None; Parameter::ALL.len()];
        for row in rows() {
            classes[row.parameter as usize] = class_of(&row, sit.get(row.parameter.name()));
        }
        let prefix = match sit.get("SECPRFX") {
            "NO" => String::new(),
            "YES" => format!("{region_user}."),
            prefix => format!("{prefix}."),
        };
        let plt = sit.get("PLTPISEC");
        Settings {
            classes,
            prefix,
            always_commands: sit.is("CMDSEC", "ALWAYS"),
            always_resources: sit.is("RESSEC", "ALWAYS"),
            surrogates: sit.is("XUSER", "YES"),
            tickets: sit.is("XPTKT", "YES"),
            synchronized: !sit.is("RACFSYNC", "NO"),
            shared_preset: sit.is("SNPRESET", "SHARED"),
            delay: Duration::from_secs(60 * u64::from(sit.number("USRDELAY"))),
            start_programs: StartPrograms { commands: matches!(plt, "CMDSEC" | "ALL"), resources: matches!(plt, "RESSEC" | "ALL") },
        }
    }

    /// The class that protects resources of a kind; `None`: they are not protected.
    #[inline]
    pub fn class(&self, parameter: Parameter) -> Option<Name8> {
        self.classes[parameter as usize]
    }

    /// The classes in use.
    pub fn classes(&self) -> impl Iterator<Item = Name8> {
        self.classes.iter().flatten().copied()
    }

    #[inline]
    pub fn has_prefix(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// The name by which profiles protect a resource.
    pub fn protected_name(&self, resource: &str) -> String {
        format!("{}{resource}", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_one_row() {
        let found: Vec<&str> = rows().map(|row| row.parameter.name()).collect();
        assert_eq!(found, Parameter::ALL.map(Parameter::name));
        for (at, parameter) in Parameter::ALL.into_iter().enumerate() {
            assert_eq!(parameter as usize, at);
        }
    }

    #[test]
    fn classes_have_the_letter_of_their_kind() {
        let class =
            |parameter, value| class_of(&rows().find(|row| row.parameter == parameter).unwrap(), value).map(|name| name.to_string());
        assert_eq!(class(Parameter::Xtran, "YES").as_deref(), Some("TCICSTRN"));
        assert_eq!(class(Parameter::Xfct, "$PAY").as_deref(), Some("F$PAY"));
        assert_eq!((class(Parameter::Xfct, "NO"), class(Parameter::Xdb2, "YES")), (None, None));
        assert_eq!(class(Parameter::Xdb2, "DBENTRY").as_deref(), Some("XDBENTRY"));
    }

    #[test]
    fn types_of_query_security_have_their_classes() {
        assert_eq!(Parameter::of_type("TRANSATTACH"), Some(Parameter::Xtran));
        assert_eq!(Parameter::of_type("TRANSACTION"), Some(Parameter::Xpct));
        assert_eq!(Parameter::of_type("BUNDLE"), Some(Parameter::Xres));
        assert_eq!(Parameter::of_type("NOTHING"), None);
    }
}
