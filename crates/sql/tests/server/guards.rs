//! What the procedures of the support schema refuse, and to whom.

use crate::cluster::Database;
use crate::definitions::translated;
use sql::{DynamicOptions, translate};

fn run(database: &Database, input: &str) -> Result<Vec<String>, String> {
    database.run(&translated(input))
}

/// A query with what is executed ahead of it.
fn query(database: &Database, text: &str) -> Result<Vec<String>, String> {
    let dynamic = translate(text, &DynamicOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let check = if dynamic.check.is_empty() { String::new() } else { format!("{};", dynamic.check) };
    database.run(&format!("set search_path to prod, sysibm; {check} {}", dynamic.text))
}

#[test]
fn a_column_that_no_table_has_is_not_a_function_of_the_server() {
    let database = Database::new();
    run(&database, "CREATE TABLE PROD.T (A INT, TO_JSON INT); INSERT INTO PROD.T VALUES (1, 2); CREATE TABLE PROD.U (U INT)").unwrap();
    for text in ["SELECT T.ROW_TO_JSON FROM T", "SELECT X.PG_TYPEOF FROM PROD.T X", "SELECT T FROM T", "SELECT T FROM T, U"] {
        let error = query(&database, text).unwrap_err();
        assert!(error.contains("SQLCODE -206"), "{text}: {error}");
    }
    assert_eq!(query(&database, "SELECT T.TO_JSON FROM T").unwrap(), ["2"]);
    assert_eq!(query(&database, "SELECT COUNT(*) FROM U WHERE U = 1").unwrap(), ["0"]);
    assert!(query(&database, "SELECT X.ROW_TO_JSON FROM NOWHERE X").unwrap_err().contains("\"nowhere\" does not exist"));
    // The translator knows every function that the server would take for a column.
    let functions = database
        .run(
            "select distinct proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace and prokind in ('f', 'a')
             and (pronargs = 1 or pronargs - pronargdefaults = 1 or provariadic <> 0 and pronargs <= 1)
             and proargtypes[0] in ('record'::regtype, 'anyelement'::regtype, 'anynonarray'::regtype, '\"any\"'::regtype,
                 'anycompatible'::regtype, 'anycompatiblenonarray'::regtype)",
        )
        .unwrap();
    assert!(functions.len() > 10, "{functions:?}");
    let is_unknown = |function: &String| {
        let text = format!("SELECT T.{function} FROM PROD.T T");
        !translate(&text, &DynamicOptions::default()).unwrap().check.contains(function.as_str())
    };
    let unknown: Vec<String> = functions.into_iter().filter(is_unknown).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn a_role_is_dropped_by_those_who_may_and_only_if_it_was_made_by_a_definition() {
    let database = Database::new();
    database.run("create role guard_application login; create role guard_stranger login; create role guard_group").unwrap();
    database.run(&sql::support_grants("guard_application")).unwrap();
    let definition = |text: &str| translated(text).replace("set search_path to prod, sysibm, db2;", "");
    let as_user = |user: &str, text: &str| database.run(&format!("set session authorization {user}; {}", definition(text)));
    database.run("create schema guard_own authorization guard_application; create table guard_own.t (a int)").unwrap();
    database.run("alter table guard_own.t owner to guard_application").unwrap();
    as_user("guard_application", "GRANT SELECT ON GUARD_OWN.T TO GUARD_CLERK; COMMENT ON ROLE GUARD_CLERK IS 'reads'").unwrap();
    let comment = "select shobj_description(oid, 'pg_authid') from pg_roles where rolname = 'guard_clerk'";
    assert_eq!(database.run(comment).unwrap(), ["reads"]);
    for (user, text) in [
        ("guard_stranger", "CREATE ROLE GUARD_OTHER"),
        ("guard_stranger", "DROP ROLE GUARD_CLERK"),
        ("guard_stranger", "COMMENT ON ROLE GUARD_CLERK IS 'x'"),
        ("guard_application", "DROP ROLE GUARD_GROUP"),
        ("guard_application", "DROP ROLE GUARD_STRANGER"),
        ("guard_application", "DROP ROLE REGENT"),
        ("guard_application", "COMMENT ON ROLE PG_MONITOR IS 'x'"),
    ] {
        let error = as_user(user, text).unwrap_err();
        assert!(error.contains("permission denied") || error.contains("SQLCODE -551"), "{user} {text}: {error}");
    }
    assert!(as_user("guard_application", "DROP ROLE GUARD_NOBODY").unwrap_err().contains("SQLCODE -204"));
    as_user("guard_application", "DROP ROLE GUARD_CLERK").unwrap();
    assert!(database.run(comment).unwrap().is_empty());
    // One that an administrator has let in since is not.
    as_user("guard_application", "CREATE ROLE GUARD_CLERK").unwrap();
    database.run("alter role guard_clerk login").unwrap();
    assert!(as_user("guard_application", "DROP ROLE GUARD_CLERK").unwrap_err().contains("SQLCODE -551"));
}

#[test]
fn only_the_owner_of_a_table_says_where_it_is() {
    let database = Database::new();
    database
        .run("create role place_owner login; create role place_stranger login; create schema place_own authorization place_owner")
        .unwrap();
    let as_user = |user: &str, text: &str| database.run(&format!("set session authorization {user}; {text}"));
    as_user("place_owner", "create table place_own.t (a int); create table place_own.u (a int); call db2.place('place_own.u', 'd', 's')")
        .unwrap();
    as_user("place_owner", "grant usage on schema place_own to place_stranger").unwrap();
    as_user("place_stranger", "call db2.place('place_own.t', 'd', 's')").unwrap();
    assert!(as_user("place_stranger", "insert into db2.placement values ('place_own', 't', 'd', 's')").is_err());
    as_user("place_owner", "call db2.drop_placed('d', 's')").unwrap();
    let left = "select relname from pg_class where relnamespace = 'place_own'::regnamespace order by 1";
    assert_eq!(database.run(left).unwrap(), ["t"]);
    assert!(database.run("select from db2.placement").unwrap().is_empty());
    // A table made anew under the name of one that was placed is not in that space.
    as_user("place_owner", "call db2.place('place_own.t', 'd', 's'); drop table place_own.t; create table place_own.t (b int)").unwrap();
    as_user("place_owner", "call db2.drop_placed('d', 's')").unwrap();
    assert_eq!(database.run(left).unwrap(), ["t"]);
}
