//! What an application may name: the schemas of the server and of the support functions are not its own.
//!
//! The server looks for a name without a schema in its own catalog first, so a name that Db2 does not have could be one of the server's. The
//! translator does not know what the server has: it collects such names, and `db2.check_names`, ahead of the statement, refuses those that
//! are not the application's.

use crate::ast::Name;
use crate::codes::SqlError;
use crate::names::{delimited, folded, object, string};
use crate::problem::Problem;
use std::collections::BTreeSet;

/// The schema of the support functions and of Regent's own tables, and that of the catalog.
const SUPPORT: &str = "db2";
const CATALOG: &str = "sysibm";
/// Schemas of the functions of Db2: they have only those of the table of functions.
const FUNCTION_SCHEMAS: &[&str] = &[CATALOG, "sysfun"];
/// Names that the server takes for types in a definition although it has no such types.
const NO_TYPES: &[&str] = &["serial", "serial2", "serial4", "serial8", "smallserial", "bigserial"];
/// Begins the names of the server's schemas, and of every table of its catalog.
const OF_THE_SERVER: &str = "pg_";

/// Schemas behind that of unqualified names: tables without a schema of their own, the catalog, and last the declared temporary tables,
/// which have SESSION as their qualifier.
const SCHEMAS_BEHIND: &str = "public, sysibm, pg_temp";
/// The name of a schema that is not for this authorization ID.
const SCHEMA_NOT_ALLOWED: i32 = -553;

/// The search path for names without a qualifier, which have this schema: none if it is blank.
pub fn search_path(schema: &str) -> Result<String, SqlError> {
    let schema = schema.trim();
    if is_reserved(schema) {
        return Err(SqlError::new(SCHEMA_NOT_ALLOWED, &[schema]));
    }
    let own = if schema.is_empty() { String::new() } else { format!("{}, ", delimited(&schema.to_lowercase())) };
    Ok(format!("{own}{SCHEMAS_BEHIND}"))
}

/// A schema in which an application has nothing, in whatever case: some statements fold what others take as it is.
fn is_reserved(schema: &str) -> bool {
    let schema = schema.trim().to_lowercase();
    is_of_the_server(&schema) || schema == SUPPORT
}

/// A schema in which an application changes nothing.
pub fn is_protected(schema: &str) -> bool {
    is_reserved(schema) || schema.trim().eq_ignore_ascii_case(CATALOG)
}

fn is_of_the_server(schema: &str) -> bool {
    schema.starts_with(OF_THE_SERVER) || schema == "information_schema"
}

fn schema(name: &Name) -> Option<String> {
    name.qualifiers().last().map(|schema| folded(schema))
}

fn denied(name: &Name, operation: &str) -> Problem {
    let object = name.parts.join(".");
    let text = format!("{operation} is not permitted on {object}: the schema is not the application's");
    Problem::new(-551, "42501", name.offset, &["*N", operation, &object], text)
}

/// An object that the statement changes, or defines something for.
pub fn changeable(name: &Name, operation: &str) -> Result<(), Problem> {
    match schema(name) {
        Some(schema) if is_protected(&schema) => Err(denied(name, operation)),
        _ => Ok(()),
    }
}

/// A schema that the statement makes or drops.
pub fn changeable_schema(name: &Name, operation: &str) -> Result<(), Problem> {
    if is_protected(name.last()) { Err(denied(name, operation)) } else { Ok(()) }
}

/// An object that the statement reads.
fn readable(name: &Name) -> Result<(), Problem> {
    match schema(name) {
        Some(schema) if is_of_the_server(&schema) => {
            let object = name.parts.join(".");
            Err(Problem::new(-204, "42704", name.offset, &[&object], format!("{object} is not defined")))
        }
        Some(schema) if schema == SUPPORT => Err(denied(name, "SELECT")),
        _ => Ok(()),
    }
}

/// The names of a statement that only the server can check, as it reads them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    functions: BTreeSet<String>,
    types: BTreeSet<String>,
    tables: BTreeSet<String>,
}

impl Names {
    /// A function or procedure that is not built in.
    pub fn function(&mut self, name: &Name) -> Result<String, Problem> {
        if schema(name).is_some_and(|schema| is_reserved(&schema) || FUNCTION_SCHEMAS.contains(&schema.as_str())) {
            let routine = name.parts.join(".");
            return Err(Problem::new(-440, "42884", name.offset, &[&routine], format!("there is no function {routine}")));
        }
        let name = object(name);
        self.functions.insert(name.clone());
        Ok(name)
    }

    /// A distinct type.
    pub fn distinct_type(&mut self, name: &Name) -> Result<String, Problem> {
        readable(name)?;
        if name.qualifiers().is_empty() && NO_TYPES.contains(&folded(name.last()).as_str()) {
            let text = format!("{} is not defined", name.last());
            return Err(Problem::new(-204, "42704", name.offset, &[name.last()], text));
        }
        let name = object(name);
        self.types.insert(name.clone());
        Ok(name)
    }

    /// A table that is looked at; as PostgreSQL has it.
    pub fn read(&mut self, name: &Name) -> Result<String, Problem> {
        readable(name)?;
        self.table(name);
        Ok(object(name))
    }

    /// A table that the operation changes.
    pub fn changed(&mut self, name: &Name, operation: &str) -> Result<String, Problem> {
        changeable(name, operation)?;
        self.table(name);
        Ok(object(name))
    }

    /// Every name of the server's catalog begins alike.
    fn table(&mut self, name: &Name) {
        if name.qualifiers().is_empty() && folded(name.last()).starts_with(OF_THE_SERVER) {
            self.tables.insert(object(name));
        }
    }

    pub fn merge(&mut self, other: Names) {
        self.functions.extend(other.functions);
        self.types.extend(other.types);
        self.tables.extend(other.tables);
    }

    /// The statement that checks them; empty if there is nothing to check.
    pub fn check(&self) -> String {
        let sets = [&self.functions, &self.types, &self.tables];
        if sets.iter().all(|set| set.is_empty()) {
            return String::new();
        }
        let array = |set: &BTreeSet<String>| {
            let items: Vec<String> = set.iter().map(|name| string(name)).collect();
            format!("ARRAY[{}]::text[]", items.join(", "))
        };
        format!("CALL db2.check_names({})", sets.map(array).join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(parts: &[&str]) -> Name {
        Name { offset: 0, parts: parts.iter().map(|part| part.to_string()).collect() }
    }

    #[test]
    fn schemas_of_the_server_are_known_however_they_are_spelt() {
        for schema in ["PG_CATALOG", "pg_catalog", "PG_TOAST", "INFORMATION_SCHEMA", "DB2", "db2", "Db2", "Pg_Catalog", " DB2 "] {
            assert!(is_reserved(schema), "{schema}");
        }
        for schema in ["SYSIBM", "DB2X", "PROD", "PG"] {
            assert!(!is_reserved(schema), "{schema}");
        }
    }

    #[test]
    fn the_schema_of_unqualified_names_is_not_a_reserved_one() {
        assert_eq!(search_path("Prod ").unwrap(), "\"prod\", public, sysibm, pg_temp");
        assert_eq!(search_path(" ").unwrap(), SCHEMAS_BEHIND);
        for schema in ["DB2", "Db2", "Pg_Catalog"] {
            assert_eq!(search_path(schema).unwrap_err().code, SCHEMA_NOT_ALLOWED, "{schema}");
        }
    }

    #[test]
    fn a_location_does_not_hide_the_schema() {
        assert_eq!(changeable(&name(&["HERE", "DB2", "SET_UP"]), "DELETE").unwrap_err().code, -551);
        assert_eq!(readable(&name(&["HERE", "PG_CATALOG", "PG_CLASS"])).unwrap_err().code, -204);
        assert!(readable(&name(&["SYSIBM", "SYSTABLES"])).is_ok());
        assert_eq!(changeable(&name(&["SYSIBM", "SYSTABLES"]), "DELETE").unwrap_err().code, -551);
    }

    #[test]
    fn names_are_collected_for_the_server() {
        let mut names = Names::default();
        assert_eq!(names.check(), "");
        assert!(names.function(&name(&["SYSIBM", "LO_IMPORT"])).is_err());
        names.function(&name(&["LO_IMPORT"])).unwrap();
        names.table(&name(&["CUSTOMER"]));
        names.table(&name(&["PG_CLASS"]));
        assert_eq!(names.check(), "CALL db2.check_names(ARRAY['lo_import']::text[], ARRAY[]::text[], ARRAY['pg_class']::text[])");
    }
}
