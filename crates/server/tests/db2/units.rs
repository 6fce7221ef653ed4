//! Units of work with the database: alone, with changes of the region, backed out, and read only.

use super::support::*;
use exec::command;
use region::exec_interface::Call;

fn table(name: &str) {
    direct(&format!("create table {name} (id int primary key)"));
}

fn count(name: &str) -> String {
    direct(&format!("select count(*) from {name}")).unwrap()
}

#[test]
fn a_statement_is_executed_and_committed_at_the_end_of_the_task() {
    setup();
    table("alone");
    let code = run("UN01", "THREADSAFE", &["insert into alone values (1)"], |task, program| Ok(program.execute(task, 0)?.1)).unwrap();
    assert_eq!(code, 0);
    assert_eq!(count("alone"), "1");
}

#[test]
fn a_backout_takes_changes_of_region_and_database_back_together() {
    define_recoverable_queues("UB");
    table("both_back");
    run("UN02", "THREADSAFE", &["insert into both_back values (1)"], |task, program| {
        write_queue(task, "UBACK")?;
        program.run(task, 0)?;
        command(task, Call::new(command::SYNCPOINT_ROLLBACK))
    })
    .unwrap();
    assert_eq!((count("both_back").as_str(), items("UBACK")), ("0", 0));
}

#[test]
fn a_commit_of_both_leaves_a_marker_row_until_the_region_needs_it_no_more() {
    define_recoverable_queues("UC");
    table("with_both");
    let marked = run("UN03", "THREADSAFE", &["insert into with_both values (1)"], |task, program| {
        write_queue(task, "UCOMMIT")?;
        program.run(task, 0)?;
        let unit = task.recovery.identity.id();
        syncpoint(task)?;
        Ok(direct(&format!("select outcome from db2.units_of_work where unit = {unit}")))
    })
    .unwrap();
    assert_eq!(marked.as_deref(), Some("C"));
    assert_eq!((count("with_both").as_str(), items("UCOMMIT")), ("1", 1));
    testing::eventually("the marker rows are deleted", || {
        direct("select count(*) from db2.units_of_work where region = 'DB2REG'").as_deref() == Some("0")
    });
}

#[test]
fn a_unit_of_work_of_the_database_alone_needs_no_marker() {
    table("single");
    let marked = run("UN04", "THREADSAFE", &["insert into single values (1)"], |task, program| {
        program.run(task, 0)?;
        let unit = task.recovery.identity.id();
        syncpoint(task)?;
        Ok(direct(&format!("select outcome from db2.units_of_work where unit = {unit}")))
    })
    .unwrap();
    assert_eq!((marked, count("single").as_str()), (None, "1"));
}

#[test]
fn a_unit_of_work_that_only_read_the_database_is_committed_by_the_region() {
    define_recoverable_queues("UR");
    table("read_only");
    run("UN05", "THREADSAFE", &["select id from read_only"], |task, program| {
        write_queue(task, "UREAD")?;
        program.run(task, 0)?;
        syncpoint(task)
    })
    .unwrap();
    assert_eq!(items("UREAD"), 1);
}

#[test]
fn an_error_of_a_statement_does_not_end_the_unit_of_work() {
    table("errors");
    let statements = ["insert into errors values (1)", "insert into errors values (1)", "insert into errors values (2)"];
    let codes = run("UN06", "THREADSAFE", &statements, |task, program| {
        (0..3).map(|statement| Ok(program.execute(task, statement)?.1)).collect::<Result<Vec<i32>, _>>()
    })
    .unwrap();
    assert_eq!((codes, count("errors").as_str()), (vec![0, -803, 0], "2"));
}

#[test]
fn a_task_that_abends_leaves_nothing_in_the_database() {
    table("abends");
    let ended = run("UN07", "THREADSAFE", &["insert into abends values (1)"], |task, program| {
        program.run(task, 0)?;
        Err::<(), _>(region::Raised::abend("TEST"))
    });
    assert_eq!((ended, count("abends").as_str()), (Err("TEST".to_string()), "0"));
}
