//! Typed PROGRAM, MAPSET, PARTITIONSET and LIBRARY definitions.

use super::Definition;
use kernel::name::{Name4, Name8};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concurrency {
    Quasirent,
    Threadsafe,
    Required,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    Cicsapi,
    Openapi,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    User,
    Cics,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramType {
    Program,
    Mapset,
    Partitionset,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    NotDefined,
    Assembler,
    C,
    Cobol,
    Le370,
    Pli,
}

/// PROGRAM, MAPSET and PARTITIONSET.
#[derive(Clone, Debug)]
pub struct ProgramDefinition {
    pub name: Name8,
    pub program_type: ProgramType,
    pub language: Language,
    pub concurrency: Concurrency,
    pub api: Api,
    pub execkey: Key,
    /// DATALOCATION(ANY): what SET options give it may lie above 16 MB.
    pub data_anywhere: bool,
    pub enabled: bool,
    pub cedf: bool,
    pub resident: bool,
    pub reload: bool,
    pub dpl_subset: bool,
    pub dynamic: bool,
    pub jvm: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
    pub transid: Name4,
}

impl ProgramDefinition {
    pub fn from(definition: &Definition) -> Self {
        let program_type = match definition.resource.name {
            "MAPSET" => ProgramType::Mapset,
            "PARTITIONSET" => ProgramType::Partitionset,
            _ => ProgramType::Program,
        };
        let language = match definition.get("LANGUAGE") {
            "ASSEMBLER" => Language::Assembler,
            "C" => Language::C,
            "COBOL" => Language::Cobol,
            "LE370" => Language::Le370,
            "PLI" => Language::Pli,
            _ => Language::NotDefined,
        };
        let openapi = definition.is("API", "OPENAPI");
        let concurrency = match definition.get("CONCURRENCY") {
            // OPENAPI with THREADSAFE is kept for compatibility and means REQUIRED.
            "THREADSAFE" if openapi => Concurrency::Required,
            "THREADSAFE" => Concurrency::Threadsafe,
            "REQUIRED" => Concurrency::Required,
            _ => Concurrency::Quasirent,
        };
        Self {
            name: definition.name.as_str().into(),
            program_type,
            language,
            concurrency,
            api: if openapi { Api::Openapi } else { Api::Cicsapi },
            execkey: key(definition.get("EXECKEY")),
            data_anywhere: !definition.is("DATALOCATION", "BELOW"),
            enabled: !definition.is("STATUS", "DISABLED"),
            cedf: !definition.is("CEDF", "NO"),
            resident: definition.is("RESIDENT", "YES"),
            reload: definition.is("RELOAD", "YES"),
            dpl_subset: definition.is("EXECUTIONSET", "DPLSUBSET"),
            dynamic: definition.is("DYNAMIC", "YES"),
            jvm: definition.is("JVM", "YES"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
            transid: definition.get("TRANSID").into(),
        }
    }

    /// The attributes that make the definition again: [`ProgramDefinition::from`] of them is equal. Blank ones are left out.
    pub fn attributes(&self) -> Vec<(&'static str, String)> {
        let choose = |yes: &str, no: &str, is: bool| if is { yes } else { no }.to_string();
        let yes = |is| choose("YES", "NO", is);
        let language = match self.language {
            Language::Assembler => "ASSEMBLER",
            Language::C => "C",
            Language::Cobol => "COBOL",
            Language::Le370 => "LE370",
            Language::Pli => "PLI",
            Language::NotDefined => "",
        };
        let concurrency = match self.concurrency {
            Concurrency::Quasirent => "QUASIRENT",
            Concurrency::Threadsafe => "THREADSAFE",
            Concurrency::Required => "REQUIRED",
        };
        let all = [
            ("LANGUAGE", language.to_string()),
            ("CONCURRENCY", concurrency.to_string()),
            ("API", choose("OPENAPI", "CICSAPI", self.api == Api::Openapi)),
            ("EXECKEY", choose("CICS", "USER", self.execkey == Key::Cics)),
            ("DATALOCATION", choose("ANY", "BELOW", self.data_anywhere)),
            ("STATUS", choose("ENABLED", "DISABLED", self.enabled)),
            ("CEDF", yes(self.cedf)),
            ("RESIDENT", yes(self.resident)),
            ("RELOAD", yes(self.reload)),
            ("EXECUTIONSET", choose("DPLSUBSET", "FULLAPI", self.dpl_subset)),
            ("DYNAMIC", yes(self.dynamic)),
            ("REMOTESYSTEM", self.remote_system.as_str().trim_end().to_string()),
            ("REMOTENAME", self.remote_name.as_str().trim_end().to_string()),
            ("TRANSID", self.transid.as_str().trim_end().to_string()),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

pub(super) fn key(value: &str) -> Key {
    if value == "CICS" { Key::Cics } else { Key::User }
}

#[derive(Clone, Debug)]
pub struct LibraryDefinition {
    pub name: Name8,
    pub ranking: u32,
    pub enabled: bool,
    pub critical: bool,
    pub datasets: Vec<String>,
}

impl LibraryDefinition {
    pub fn from(definition: &Definition) -> Self {
        let dataset = |number: usize| definition.get(&format!("DSNAME{number:02}")).to_string();
        Self {
            name: definition.name.as_str().into(),
            ranking: definition.number("RANKING").unwrap_or(50),
            enabled: !definition.is("STATUS", "DISABLED"),
            critical: definition.is("CRITICAL", "YES"),
            datasets: (1..=16).map(dataset).filter(|name| !name.is_empty()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_make_the_definition_again() {
        let definition = Definition::new("PROGRAM", "P", "G")
            .with("LANGUAGE", "COBOL")
            .with("CONCURRENCY", "REQUIRED")
            .with("API", "OPENAPI")
            .with("EXECKEY", "CICS")
            .with("DATALOCATION", "BELOW")
            .with("STATUS", "DISABLED")
            .with("CEDF", "NO")
            .with("EXECUTIONSET", "DPLSUBSET")
            .with("REMOTESYSTEM", "SYS1")
            .with("TRANSID", "TRN1");
        let first = ProgramDefinition::from(&definition);
        let text: Vec<String> = first.attributes().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let again = ProgramDefinition::from(&Definition::new("PROGRAM", "P", "G").with_pairs(&text.join(" ")));
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
    }

    #[test]
    fn openapi_with_threadsafe_is_required() {
        let definition = Definition::new("PROGRAM", "P", "G").with("API", "OPENAPI").with("CONCURRENCY", "THREADSAFE");
        assert_eq!(ProgramDefinition::from(&definition).concurrency, Concurrency::Required);
    }
}
