//! The server accepts every text that the translation of the pairs gives.

use crate::cluster::Database;

#[path = "../pairs/cases.rs"]
mod cases;

/// Prepares a text: null, or the error.
const PROBE: &str = r"
create function pg_temp.probe(statement text) returns text language plpgsql as $$
begin
    execute 'prepare probed as ' || statement;
    deallocate probed;
    return null;
exception when others then
    return sqlstate || ' ' || sqlerrm;
end $$;";

/// Statements that no PREPARE takes, or that name objects the schema lacks on purpose.
fn is_left_out(text: &str) -> bool {
    ["LOCK ", "TRUNCATE ", "CALL ", "(", "COMMENT "].iter().any(|start| text.starts_with(start))
        || ["nosuch", "CURRENT OF", "pg_temp", "VALUES ('A00', 'X')"].iter().any(|part| text.contains(part))
}

#[test]
fn the_server_accepts_what_is_emitted() {
    let database = Database::new();
    database.run(include_str!("../pairs/schema.sql")).expect("the schema");
    let mut texts = Vec::new();
    for (declared, table) in [(false, cases::STATIC), (true, cases::DECLARED), (true, cases::STATIC)] {
        let unit = cases::unit(declared);
        for case in cases::cases(table) {
            if let Ok(compiled) = cases::compiled(&unit, &case.source) {
                texts.extend(compiled.statement.map(|statement| statement.text));
            }
        }
    }
    texts.extend(cases::cases(cases::DYNAMIC).iter().filter_map(|case| {
        let dynamic = sql::translate(&case.source, &sql::UnitOptions::default()).ok()?;
        Some(dynamic.text)
    }));
    texts.retain(|text| !text.is_empty() && !is_left_out(text));
    assert!(texts.len() > 250, "{}", texts.len());

    let mut script = format!("{PROBE}\n");
    for text in &texts {
        script += &format!("select coalesce(pg_temp.probe($probe${text}$probe$), 'accepted');\n");
    }
    script += "select pg_temp.probe('select nonsense');\n";
    let mut found = database.run(&script).expect("the probes");
    assert!(found.pop().is_some_and(|answer| answer.starts_with("42703")), "the probe tells errors");
    assert_eq!(found.len(), texts.len());
    let refused: Vec<String> =
        texts.iter().zip(&found).filter(|(_, found)| *found != "accepted").map(|(text, found)| format!("{text}\n    {found}")).collect();
    assert!(refused.is_empty(), "{} of {}:\n{}", refused.len(), texts.len(), refused.join("\n"));
}

#[test]
fn the_support_schema_has_every_function_of_the_table() {
    let database = Database::new();
    let names = database.run("select distinct proname from pg_proc where pronamespace = 'db2'::regnamespace").expect("names");
    let table = include_str!("../../tables/functions.tsv");
    let forms = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').nth(5)?.strip_prefix("db2."));
    let absent: Vec<&str> = forms.filter_map(|form| form.split('(').next()).filter(|name| names.iter().all(|own| own != name)).collect();
    assert!(absent.is_empty(), "{absent:?}");
}
