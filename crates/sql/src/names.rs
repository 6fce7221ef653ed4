//! Names of PostgreSQL: folded to lower case, quoted where the server would not read them as names.

use crate::ast::Name;

/// Words that PostgreSQL 15 and later reserve, or reads as something else in a place where a name may stand.
const RESERVED: &[&str] = &[
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "authorization",
    "between",
    "bigint",
    "binary",
    "bit",
    "boolean",
    "both",
    "case",
    "cast",
    "char",
    "character",
    "check",
    "coalesce",
    "collate",
    "collation",
    "column",
    "concurrently",
    "constraint",
    "create",
    "cross",
    "current_catalog",
    "current_date",
    "current_role",
    "current_schema",
    "current_time",
    "current_timestamp",
    "current_user",
    "dec",
    "decimal",
    "default",
    "deferrable",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "exists",
    "extract",
    "false",
    "fetch",
    "float",
    "for",
    "foreign",
    "freeze",
    "from",
    "full",
    "grant",
    "greatest",
    "group",
    "grouping",
    "having",
    "ilike",
    "in",
    "initially",
    "inner",
    "inout",
    "int",
    "integer",
    "intersect",
    "interval",
    "into",
    "is",
    "isnull",
    "join",
    "json",
    "json_array",
    "json_arrayagg",
    "json_exists",
    "json_object",
    "json_objectagg",
    "json_query",
    "json_scalar",
    "json_serialize",
    "json_table",
    "json_value",
    "lateral",
    "leading",
    "least",
    "left",
    "like",
    "limit",
    "localtime",
    "localtimestamp",
    "merge_action",
    "national",
    "natural",
    "nchar",
    "none",
    "normalize",
    "not",
    "notnull",
    "null",
    "nullif",
    "numeric",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "out",
    "outer",
    "overlaps",
    "overlay",
    "placing",
    "position",
    "precision",
    "primary",
    "real",
    "references",
    "returning",
    "right",
    "row",
    "select",
    "session_user",
    "setof",
    "similar",
    "smallint",
    "some",
    "substring",
    "symmetric",
    "system_user",
    "table",
    "tablesample",
    "then",
    "time",
    "timestamp",
    "to",
    "trailing",
    "treat",
    "trim",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "values",
    "varchar",
    "variadic",
    "verbose",
    "when",
    "where",
    "window",
    "with",
    "xmlattributes",
    "xmlconcat",
    "xmlelement",
    "xmlexists",
    "xmlforest",
    "xmlnamespaces",
    "xmlparse",
    "xmlpi",
    "xmlroot",
    "xmlserialize",
    "xmltable",
];

/// A name in the case that the server has it.
pub fn folded(name: &str) -> String {
    if name.chars().any(char::is_lowercase) { name.to_string() } else { name.to_lowercase() }
}

/// A name as PostgreSQL reads it. Upper case is folded; a delimited name with lower-case letters keeps its case.
pub fn identifier(name: &str) -> String {
    let folded = folded(name);
    let mut characters = folded.chars();
    let plain = characters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_')
        && characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if plain && RESERVED.binary_search(&folded.as_str()).is_err() {
        return folded;
    }
    delimited(&folded)
}

/// A name exactly as it is.
pub fn delimited(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A table, view, sequence or procedure: the location of a name of three parts is dropped, SESSION is the schema of temporary tables.
pub fn object(name: &Name) -> String {
    let parts = &name.parts[name.parts.len().saturating_sub(2)..];
    let parts: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| match (index, parts.len(), part.as_str()) {
            (0, 2, "SESSION") => "pg_temp".to_string(),
            _ => identifier(part),
        })
        .collect();
    parts.join(".")
}

/// Characters as the database has them: it has no U+0000 in a text. X'00' is U+0001 there, which is lowest too, and X'01' is a character
/// that no code page has.
pub const STORED_00: char = '\u{1}';
pub const STORED_01: char = '\u{FDD1}';

/// A text of a program as the database has it.
pub fn stored(text: &str) -> String {
    let stored = |character| match character {
        '\0' => STORED_00,
        '\u{1}' => STORED_01,
        other => other,
    };
    text.chars().map(stored).collect()
}

/// The name that an identifier of the server means.
pub fn plain(identifier: &str) -> String {
    match identifier.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => identifier.to_string(),
    }
}

/// The name of an object that belongs to a column: that of the column's table with more at its end. All are as PostgreSQL reads them.
pub fn derived(table: &str, column: &str, end: &str) -> String {
    let mut in_quotes = false;
    let mut begin = 0;
    for (at, byte) in table.bytes().enumerate() {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'.' if !in_quotes => begin = at + 1,
            _ => {}
        }
    }
    let name = format!("{}_{}_{end}", plain(&table[begin..]), plain(column));
    format!("{}{}", &table[..begin], identifier(&name))
}

/// A string constant.
pub fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_in_order() {
        assert!(RESERVED.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_derived_name_is_one_name() {
        assert_eq!(derived("prod.policy", "number", "seq"), "prod.policy_number_seq");
        assert_eq!(derived("\"a.b\".t", "n", "seq"), "\"a.b\".t_n_seq");
        assert_eq!(derived("h.\"T; x\"\"\"", "\"user\"", "seq"), "h.\"T; x\"\"_user_seq\"");
    }

    #[test]
    fn names_are_folded_and_quoted_where_needed() {
        assert_eq!(identifier("CUSTOMER_NO"), "customer_no");
        assert_eq!(identifier("USER"), "\"user\"");
        assert_eq!(identifier("Mixed Case"), "\"Mixed Case\"");
        assert_eq!(identifier("A#1"), "\"a#1\"");
    }
}
