//! Units of work of several databases: committed in all of them or in none.

use super::support::*;
use exec::{command, condition};
use region::exec_interface::Call;

/// A table in the region's database and at location NEAR.
fn tables(name: &str) {
    setup();
    direct(&format!("create table {name} (id int primary key)"));
    direct_near(&format!("create table {name} (id int primary key)"));
}

fn counts(name: &str) -> [String; 2] {
    let query = format!("select count(*) from {name}");
    [direct(&query).unwrap(), direct_near(&query).unwrap()]
}

fn parts() -> Option<String> {
    direct("select count(*) from pg_prepared_xacts where gid like 'regent.%.DB2REG.%'")
}

/// The statements of a task that inserts into both.
fn both(name: &str) -> Vec<String> {
    vec![
        format!("insert into {name} values (1)"),
        "connect to NEAR".into(),
        format!("insert into {name} values (2)"),
        "connect reset".into(),
    ]
}

fn run_both<T: Send + 'static>(
    transid: &str,
    name: &str,
    body: impl Fn(&mut region::Task, &Program) -> Result<T, region::Raised> + Send + Sync + 'static,
) -> Result<T, String> {
    let statements = both(name);
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    run(transid, "THREADSAFE", &statements, body)
}

fn rows_of(unit: u64) -> Option<String> {
    direct(&format!("select outcome || array_to_string(locations, ',') from db2.units_of_work where unit = {unit}"))
}

#[test]
fn two_databases_are_committed_together_and_the_row_is_deleted() {
    tables("two_done");
    let marked = run_both("LO01", "two_done", |task, program| {
        (0..4).try_for_each(|statement| program.run(task, statement))?;
        let unit = task.recovery.identity.id();
        syncpoint(task)?;
        Ok(rows_of(unit))
    });
    assert_eq!(marked, Ok(Some("CNEAR".to_string())));
    assert_eq!((counts("two_done"), parts().as_deref()), (["1".into(), "1".into()], Some("0")));
    testing::eventually("the rows are deleted", || {
        direct("select count(*) from db2.units_of_work where region = 'DB2REG' and locations is not null").as_deref() == Some("0")
    });
}

#[test]
fn the_region_and_a_location_are_committed_together_without_a_change_of_its_own_database() {
    define_recoverable_queues("LQ");
    tables("remote_only");
    let marked = run_both("LO02", "remote_only", |task, program| {
        write_queue(task, "LQDONE")?;
        program.run(task, 1)?;
        program.run(task, 2)?;
        let unit = task.recovery.identity.id();
        syncpoint(task)?;
        Ok(rows_of(unit))
    });
    assert_eq!(marked, Ok(Some("CNEAR".to_string())));
    assert_eq!((counts("remote_only"), items("LQDONE")), (["0".into(), "1".into()], 1));
}

#[test]
fn one_location_alone_is_committed_without_a_row() {
    tables("single_remote");
    let marked = run_both("LO03", "single_remote", |task, program| {
        program.run(task, 1)?;
        program.run(task, 2)?;
        let unit = task.recovery.identity.id();
        syncpoint(task)?;
        // The connection is still the current one.
        let again = program.execute(task, 2)?.1;
        assert_eq!(again, -803);
        Ok(rows_of(unit))
    });
    assert_eq!((marked, counts("single_remote")), (Ok(None), ["0".into(), "1".into()]));
}

#[test]
fn a_backout_reaches_all_databases() {
    define_recoverable_queues("LB");
    tables("back_all");
    run_both("LO04", "back_all", |task, program| {
        write_queue(task, "LBACK")?;
        (0..4).try_for_each(|statement| program.run(task, statement))?;
        command(task, Call::new(command::SYNCPOINT_ROLLBACK))
    })
    .unwrap();
    assert_eq!((counts("back_all"), items("LBACK")), (["0".into(), "0".into()], 0));
}

#[test]
fn a_location_that_refuses_has_all_backed_out_with_a_message() {
    define_recoverable_queues("LR");
    tables("refused");
    direct_near(
        "create function refuse() returns trigger language plpgsql as 'begin raise exception ''not today''; end'; \
         create constraint trigger refuse after insert on refused initially deferred for each row execute function refuse()",
    );
    let ended = run_both("LO05", "refused", |task, program| {
        write_queue(task, "LREFUSED")?;
        (0..4).try_for_each(|statement| program.run(task, statement))?;
        Ok(Call::new(command::SYNCPOINT).execute(task)?.condition)
    });
    assert_eq!(ended, Ok(condition::ROLLEDBACK));
    assert_eq!((counts("refused"), items("LREFUSED"), parts().as_deref()), (["0".into(), "0".into()], 0, Some("0")));
    let told = messages().iter().any(|line| ["DFHDB2111", "NEAR", "not today"].iter().all(|word| line.contains(word)));
    assert!(told, "{:#?}", messages());
}

#[test]
fn the_next_task_begins_at_its_own_database() {
    tables("next_user");
    let codes = |transid| {
        run_both(transid, "next_user", |task, program| {
            program.run(task, 1)?;
            program.run(task, 2)
        })
    };
    assert_eq!(codes("LO06"), Ok(()));
    assert_eq!(run_both("LO07", "next_user", |task, program| program.run(task, 2)), Ok(()));
    assert_eq!(counts("next_user"), ["1".to_string(), "1".to_string()]);
}

#[test]
fn a_location_that_is_not_there_has_its_code() {
    setup();
    let codes = run("LO08", "THREADSAFE", &["connect to NOWHERE", "connect to FAR", "release NEAR"], |task, program| {
        (0..3).map(|statement| Ok(program.execute(task, statement)?.1)).collect::<Result<Vec<i32>, _>>()
    });
    assert_eq!(codes, Ok(vec![-950, -30081, -843]));
}
