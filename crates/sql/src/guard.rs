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
/// The tables of the catalog, which are found without a schema too.
const CATALOG_TABLES: &[&str] = &[
    "syscolumns",
    "sysdummy1",
    "sysdummya",
    "sysdummye",
    "sysdummyu",
    "sysindexes",
    "syskeys",
    "sysrels",
    "syssequences",
    "systables",
    "sysviews",
];
/// Schemas of the functions of Db2: they have only those of the table of functions.
const FUNCTION_SCHEMAS: &[&str] = &[CATALOG, "sysfun"];
/// Names that the server takes for types in a definition although it has no such types.
const NO_TYPES: &[&str] = &["serial", "serial2", "serial4", "serial8", "smallserial", "bigserial"];
/// Columns that every table of the server has, and functions of the server that take a whole row: `t.f` is `f(t)` there if table t has no
/// column f. Those of PostgreSQL 15 to 18.
const SYSTEM_COLUMNS: &[&str] = &["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];
const FUNCTIONS_OF_ROWS: &[&str] = &[
    "any_out",
    "any_value",
    "anycompatible_out",
    "anycompatiblenonarray_out",
    "anyelement_out",
    "anynonarray_out",
    "array_agg",
    "concat",
    "count",
    "cume_dist",
    "dense_rank",
    "hash_record",
    "json_agg",
    "json_agg_strict",
    "json_build_array",
    "json_build_object",
    "jsonb_agg",
    "jsonb_agg_strict",
    "jsonb_build_array",
    "jsonb_build_object",
    "max",
    "min",
    "mode",
    "num_nonnulls",
    "num_nulls",
    "percent_rank",
    "pg_collation_for",
    "pg_column_compression",
    "pg_column_size",
    "pg_column_toast_chunk_id",
    "pg_typeof",
    "quote_literal",
    "quote_nullable",
    "rank",
    "record_out",
    "record_send",
    "row_to_json",
    "to_json",
    "to_jsonb",
];
/// Between the parts of an entry that names a column and the tables that may have it.
const SEPARATOR: &str = "\u{1f}";
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
fn is_protected(schema: &str) -> bool {
    is_reserved(schema) || schema.trim().eq_ignore_ascii_case(CATALOG)
}

/// A table, by the parts of its name, that no utility of an application changes.
pub fn is_protected_table(parts: &[String]) -> bool {
    match parts {
        [] => false,
        [table] => {
            let table = table.to_lowercase();
            table.starts_with(OF_THE_SERVER) || CATALOG_TABLES.contains(&table.as_str())
        }
        [.., schema, _] => is_protected(schema),
    }
}

/// A column of the server's own, which no table of Db2 has.
pub fn is_system_column(name: &str) -> bool {
    SYSTEM_COLUMNS.contains(&folded(name).as_str())
}

/// A function that the server would call for a column which a table does not have.
pub fn is_function_of_rows(name: &str) -> bool {
    FUNCTIONS_OF_ROWS.contains(&folded(name).as_str())
}

/// A column that is none of Db2's tables.
pub fn no_column(name: &Name) -> Problem {
    let column = name.last();
    Problem::new(-206, "42703", name.offset, &[column], format!("{column} is not a column of the tables that are named"))
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

/// The check of a statement in which only columns are in question.
const CHECK_COLUMNS: &str = "CALL db2.check_columns";

/// The check of a statement looks at more than columns: the statement may run code that is not Db2's.
pub fn is_foreign(check: &str) -> bool {
    !check.is_empty() && !check.starts_with(CHECK_COLUMNS)
}

/// The names of a statement that only the server can check, as it reads them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    functions: BTreeSet<String>,
    types: BTreeSet<String>,
    tables: BTreeSet<String>,
    columns: BTreeSet<String>,
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
        if name.qualifiers().is_empty() && CATALOG_TABLES.contains(&folded(name.last()).as_str()) {
            return Err(denied(name, operation));
        }
        self.table(name);
        Ok(object(name))
    }

    /// A column that one of these tables must have, as the server names them.
    pub fn column(&mut self, name: &str, tables: &[String]) {
        let parts: Vec<String> = std::iter::once(folded(name)).chain(tables.iter().cloned()).collect();
        self.columns.insert(parts.join(SEPARATOR));
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
        self.columns.extend(other.columns);
    }

    /// The statement that checks them; empty if there is nothing to check.
    pub fn check(&self) -> String {
        let sets = [&self.functions, &self.types, &self.tables];
        let array = |set: &BTreeSet<String>| {
            let items: Vec<String> = set.iter().map(|name| string(name)).collect();
            format!("ARRAY[{}]::text[]", items.join(", "))
        };
        let columns = array(&self.columns);
        match (sets.iter().all(|set| set.is_empty()), self.columns.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!("{CHECK_COLUMNS}({columns})"),
            (false, true) => format!("CALL db2.check_names({})", sets.map(array).join(", ")),
            (false, false) => format!("CALL db2.check_names({}, {columns})", sets.map(array).join(", ")),
        }
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
    fn the_catalog_is_protected_without_its_schema_too() {
        let views = crate::SUPPORT.lines().filter_map(|line| line.strip_prefix("create or replace view sysibm.")?.split(' ').next());
        let mut views: Vec<&str> = views.collect();
        views.sort_unstable();
        assert_eq!(views, CATALOG_TABLES);
        let mut names = Names::default();
        assert_eq!(names.changed(&name(&["SYSTABLES"]), "DROP").unwrap_err().code, -551);
        assert!(names.changed(&name(&["PROD", "SYSTABLES"]), "DROP").is_ok() && names.read(&name(&["SYSTABLES"])).is_ok());
        let parts = |text: &str| text.split('.').map(str::to_string).collect::<Vec<String>>();
        for table in ["Db2.T", "here.Pg_Catalog.t", "SysIbm.systables", "Systables", "PG_CLASS", "Information_Schema.T"] {
            assert!(is_protected_table(&parts(table)), "{table}");
        }
        assert!(!is_protected_table(&parts("T")) && !is_protected_table(&parts("PROD.SYSTABLES")));
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
        assert!(is_foreign(&names.check()));
    }

    #[test]
    fn a_column_is_looked_for_in_the_tables_that_may_have_it() {
        let mut names = Names::default();
        names.column("ROW_TO_JSON", &["h.t".to_string(), "u".to_string()]);
        assert_eq!(names.check(), "CALL db2.check_columns(ARRAY['row_to_json\u{1f}h.t\u{1f}u']::text[])");
        assert!(!is_foreign(&names.check()));
        names.table(&name(&["PG_CLASS"]));
        assert!(names.check().starts_with("CALL db2.check_names(") && names.check().contains("row_to_json"));
    }
}
