//! The guard ahead of an INSERT or MERGE without a list of columns: a common table expression that nobody refers to. The server analyses it, and
//! so refuses the statement if the table has another number of columns, but neither plans nor executes it. Without it the server would fill
//! columns that receive no value, where Db2 gives -117.

const EXPRESSION: &str = "WITH db2_columns AS (SELECT ";
const TABLE: &str = "db2_t";
const END: &str = "AS db2_t) ";

/// The guard for a table, as PostgreSQL has it, that receives this many values.
pub fn text(table: &str, count: usize) -> String {
    let nulls = vec!["NULL"; count].join(", ");
    format!("{EXPRESSION}{nulls} UNION ALL SELECT {TABLE}.* FROM {table} {END}")
}

/// The statement behind its guard, if it has one.
pub fn behind(statement: &str) -> &str {
    let guarded = statement.strip_prefix(EXPRESSION).and_then(|rest| Some(rest.split_once(END)?.1));
    guarded.unwrap_or(statement)
}

/// A guard compares the number of columns here.
pub fn begins(text: &str) -> bool {
    text.strip_prefix(TABLE).is_some_and(|rest| rest.starts_with(".*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_is_found_again() {
        let guarded = format!("{}INSERT INTO t VALUES (1, 2)", text("prod.t", 2));
        assert_eq!(behind(&guarded), "INSERT INTO t VALUES (1, 2)");
        assert_eq!(behind("INSERT INTO t (a) VALUES (1)"), "INSERT INTO t (a) VALUES (1)");
        assert!(begins(&guarded[guarded.find("db2_t.").unwrap()..]));
        assert!(!begins(&guarded));
    }
}
