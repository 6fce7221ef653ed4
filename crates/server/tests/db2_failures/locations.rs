//! Units of work of several databases, when a database is lost at each step of the commit.

use super::standby::AwaitedStandby;
use super::support::*;
use super::{said, terminate, turn};
use db2::UnitOfWorkMarker;
use exec::{command, condition};
use postgres::cluster::PrivateCluster;
use region::exec_interface::Call;
use region::{Raised, Task};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// A table in the region's database and at location NEAR. `slow`: a commit that has inserted into the former takes so many seconds.
fn tables(name: &str, slow: u32) {
    setup();
    direct(&format!("create table {name} (id int primary key)"));
    direct_near(&format!("create table {name} (id int primary key)"));
    if slow > 0 {
        direct(&format!(
            "create function wait_{name}() returns trigger language plpgsql as 'begin perform pg_sleep({slow}); return null; end'; \
             create constraint trigger wait_{name} after insert on {name} initially deferred for each row execute function wait_{name}()"
        ));
    }
}

fn counts(name: &str) -> [String; 2] {
    let query = format!("select count(*) from {name}");
    [direct(&query).unwrap(), direct_near(&query).unwrap()]
}

const PARTS: &str = "select count(*) from pg_prepared_xacts where gid like 'regent.%.DB2REG.%'";

fn no_parts_are_left() {
    testing::eventually("no part is left", || direct(PARTS).as_deref() == Some("0"));
}

/// Ends the sessions of the region at location NEAR.
fn end_near() {
    direct("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'near'");
}

/// A part is prepared, and the region's database is at its commit.
fn wait_for_the_decision() {
    testing::eventually("a part is prepared", || direct(PARTS).as_deref() == Some("1"));
    let committing = "select count(*) from pg_stat_activity where datname = 'regent' and state = 'active' and query like 'COMMIT%'";
    testing::eventually("it commits", || direct(committing).as_deref() == Some("1"));
}

type Told = mpsc::Receiver<Result<(exec::Condition, u64), String>>;

/// Attaches a task that changes a queue, its own database and a location, and then takes a syncpoint; where its condition and its unit of
/// work are told. `ahead` is called before the syncpoint. The part of the location waits for no standby.
fn begin(transid: &str, queue: &'static str, tables: (&str, &str), ahead: impl Fn() + Send + Sync + 'static) -> Told {
    begin_with(transid, queue, tables, "set local synchronous_commit = local", ahead)
}

fn begin_with(
    transid: &str,
    queue: &'static str,
    (table, location): (&str, &str),
    setting: &str,
    ahead: impl Fn() + Send + Sync + 'static,
) -> Told {
    define_recoverable_queues(queue);
    let statements = [
        format!("insert into {table} values (1)"),
        format!("connect to {location}"),
        setting.to_string(),
        format!("insert into {table} values (2)"),
        "connect reset".to_string(),
    ];
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let body = move |task: &mut Task, program: &Program| -> Result<(), Raised> {
        write_queue(task, queue)?;
        (0..5).try_for_each(|statement| program.run(task, statement))?;
        ahead();
        let unit = task.recovery.identity.id();
        let ended = Call::new(command::SYNCPOINT).execute(task);
        let told = match &ended {
            Ok(response) => Ok((response.condition, unit)),
            Err(Raised::Abend(abend)) => Err(abend.code_text()),
            Err(other) => Err(format!("{other:?}")),
        };
        sender.lock().unwrap().send(told).unwrap();
        ended.map(|_| ())
    };
    define(transid, "THREADSAFE", &statements, body);
    attach(transid);
    receiver
}

fn answer<T>(receiver: &mpsc::Receiver<T>) -> T {
    receiver.recv_timeout(Duration::from_secs(40)).expect("the task answers")
}

#[test]
fn a_location_lost_before_its_part_is_prepared_backs_all_out() {
    let _turn = turn();
    tables("unprepared", 0);
    let receiver = begin("FL01", "FLONE", ("unprepared", "NEAR"), end_near);
    assert_eq!(answer(&receiver).map(|(condition, _)| condition), Ok(condition::ROLLEDBACK));
    assert!(said(&["DFHDB2111", "NEAR"]), "{:#?}", messages());
    assert_eq!((counts("unprepared"), items("FLONE")), (["0".into(), "0".into()], 0));
    no_parts_are_left();
}

#[test]
fn a_part_whose_answer_was_lost_is_backed_out() {
    let _turn = turn();
    tables("prepared", 0);
    let standby = AwaitedStandby::new();
    // The part is durable, and waits.
    let receiver = begin_with("FL02", "FLTWO", ("prepared", "NEAR"), "set local synchronous_commit = on", || {});
    standby.end_who_waits("near");
    assert_eq!(answer(&receiver).map(|(condition, _)| condition), Ok(condition::ROLLEDBACK));
    no_parts_are_left();
    assert!(said(&["DFHDB2112", "NEAR"]) && said(&["DFHDB2113", "NEAR", "backed out"]), "{:#?}", messages());
    assert_eq!((counts("prepared"), items("FLTWO")), (["0".into(), "0".into()], 0));
}

#[test]
fn parts_follow_a_decision_whose_answer_was_lost() {
    let _turn = turn();
    tables("decided_not", 5);
    let receiver = begin("FL03", "FLTHREE", ("decided_not", "NEAR"), || {});
    terminate("COMMIT");
    assert_eq!(answer(&receiver), Err("ASP1".to_string()));
    testing::eventually("it is resolved", || setup().region.recovery().owners().is_empty());
    no_parts_are_left();
    assert_eq!((counts("decided_not"), items("FLTHREE")), (["0".into(), "0".into()], 0));

    tables("decided", 0);
    let standby = AwaitedStandby::new();
    let receiver = begin("FL04", "FLFOUR", ("decided", "NEAR"), || {});
    standby.end_who_waits("regent");
    assert_eq!(answer(&receiver), Err("ASP1".to_string()));
    testing::eventually("it is resolved", || setup().region.recovery().owners().is_empty());
    no_parts_are_left();
    assert_eq!((counts("decided"), items("FLFOUR")), (["1".into(), "1".into()], 1));
    assert!(said(&["DFHDB2113", "NEAR", ": unit of work"]), "{:#?}", messages());
}

#[test]
fn a_location_lost_after_the_decision_commits_later() {
    let _turn = turn();
    tables("told_later", 3);
    let receiver = begin("FL05", "FLFIVE", ("told_later", "NEAR"), || {});
    wait_for_the_decision();
    end_near();
    let (condition, unit) = answer(&receiver).unwrap();
    assert_eq!(condition, condition::NORMAL);
    no_parts_are_left();
    let unit = format!("{unit:016X}");
    assert!(said(&["DFHDB2112", &unit]) && said(&["DFHDB2113", &unit, "committed"]), "{:#?}", messages());
    assert_eq!((counts("told_later"), items("FLFIVE")), (["1".into(), "1".into()], 1));
}

#[test]
fn the_decision_is_kept_until_the_server_of_a_location_comes_back() {
    let _turn = turn();
    tables("far_away", 4);
    let far = make_far();
    directly(far.config(), "create table far_away (id int primary key)");
    testing::eventually("the location is open", || {
        run("FL06", "THREADSAFE", &["connect to FAR"], |task, program| Ok(program.execute(task, 0)?.1)) == Ok(0)
    });
    assert!(said(&["DFHDB2114", "FAR", "its server has not been made"]), "{:#?}", messages());
    let receiver = begin("FL07", "FLSEVEN", ("far_away", "FAR"), || {});
    let parts = || directly(FAR.lock().unwrap().clone().unwrap(), "select count(*) from pg_prepared_xacts");
    testing::eventually("a part is prepared", || parts().as_deref() == Some("1"));
    far.stop().unwrap();
    let (condition, unit) = answer(&receiver).unwrap();
    assert_eq!(condition, condition::NORMAL);
    let row = format!("select outcome from db2.units_of_work where unit = {unit}");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(direct(&row).as_deref(), Some("C"), "the row is kept as long as the location needs it");
    let again = make_far();
    testing::eventually("it commits", || parts().as_deref() == Some("0"));
    assert_eq!(directly(again.config(), "select count(*) from far_away").as_deref(), Some("1"));
    testing::eventually("the row is deleted", || direct(&row).is_none());
    assert_eq!((counts("far_away")[0].as_str(), items("FLSEVEN")), ("1", 1));
}

#[test]
fn parts_of_an_earlier_run_are_ended_when_the_attachment_connects() {
    let _turn = turn();
    tables("earlier", 0);
    let origin = direct("select id from db2.identity").unwrap();
    let marker = |unit| UnitOfWorkMarker { region: "DB2REG".to_string(), unit, origin: origin.clone() };
    for unit in [11, 12] {
        let name = marker(unit).part("NEAR");
        direct_near(&format!("begin; insert into earlier values ({unit}); prepare transaction '{name}'"));
    }
    // The region was killed when its database had decided one of them.
    direct(&marker(11).statement(&["NEAR".to_string()]));
    let set = |transid, option: exec::OptionId| {
        run(transid, "THREADSAFE", &[], move |task, _| {
            let mut call = Call::new(command::SET_DB2CONN);
            call.flag(option);
            call.execute(task).map(|_| ())
        })
    };
    set("FL08", exec::option::NOTCONNECTED).unwrap();
    set("FL09", exec::option::CONNECTED).unwrap();
    no_parts_are_left();
    assert_eq!(direct_near("select string_agg(id::text, ',') from earlier").as_deref(), Some("11"));
    testing::eventually("the row is deleted", || direct("select 1 from db2.units_of_work where unit = 11").is_none());
}

/// Starts the server of a cluster again with a setting.
fn start_with(cluster: PrivateCluster, setting: &str) {
    let root = cluster.log().parent().unwrap().to_path_buf();
    let program = std::fs::read_link(format!("/proc/{}/exe", cluster.process().unwrap())).unwrap();
    cluster.stop().unwrap();
    let owner = std::fs::metadata(root.join("data")).unwrap();
    let mut command = Command::new(program);
    command.arg("-D").arg(root.join("data")).arg("-k").arg(&root).args(["-c", "listen_addresses=", "-c", "port=5432", "-c", setting]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    if std::fs::metadata("/proc/self").unwrap().uid() != owner.uid() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    let mut server = command.spawn().unwrap();
    std::thread::spawn(move || server.wait());
}

#[test]
fn a_server_that_prepares_nothing_is_named_with_its_setting() {
    let _turn = turn();
    tables("one_phase", 0);
    let far = make_far();
    directly(far.config(), "create table one_phase (id int primary key)");
    start_with(far, "max_prepared_transactions=0");
    let far = make_far();
    testing::eventually("the location is open", || {
        run("FLA0", "THREADSAFE", &["connect to FAR"], |task, program| Ok(program.execute(task, 0)?.1)) == Ok(0)
    });
    let receiver = begin("FLA1", "FLAONE", ("one_phase", "FAR"), || {});
    assert_eq!(answer(&receiver).map(|(condition, _)| condition), Ok(condition::ROLLEDBACK));
    assert!(said(&["DFHDB2111", "location FAR", "max_prepared_transactions = 0"]), "{:#?}", messages());
    assert_eq!((counts("one_phase"), items("FLAONE")), (["0".into(), "0".into()], 0));
    // One database needs no part.
    let insert = "insert into one_phase values (1)";
    assert_eq!(
        run("FLA2", "THREADSAFE", &["connect to FAR", insert], |task, program| (0..2).try_for_each(|n| program.run(task, n))),
        Ok(())
    );
    assert_eq!(directly(far.config(), "select count(*) from one_phase").as_deref(), Some("1"));
    far.stop().unwrap();
    make_far();
}
