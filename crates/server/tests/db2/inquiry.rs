//! What operators and programs see of the attachment: INQUIRE, statistics, monitoring, DSNC, the default connection.

use super::support::*;
use csd::Definition;
use exec::{command, cvda, option};
use region::exec_interface::Call;
use region::figures::{Reading, Record, ResourceType};

/// The record of a resource.
fn record(of: ResourceType, name: &str) -> Option<Record> {
    let kind = attachment::DOMAIN.records.iter().find(|kind| kind.of == of)?;
    (kind.one)(&Reading::new(setup().region, kernel::Peaks::Keep), name)
}

#[test]
fn a_region_with_a_database_has_a_connection_of_its_own_and_is_connected() {
    let (status, name, release) = run("IN01", "THREADSAFE", &[], |task, _| {
        let mut call = Call::new(command::INQUIRE_DB2CONN);
        call.integer(option::CONNECTST, 0).bytes(option::DB2RELEASE, &[0; 4]);
        call.execute(task)?;
        let (status, release) = (call.result(option::CONNECTST), call.result_text(task, option::DB2RELEASE));
        let mut call = Call::new(command::INQUIRE_SYSTEM);
        call.bytes(option::DB2CONN, &[0; 8]);
        call.execute(task)?;
        Ok((status, call.result_text(task, option::DB2CONN), release))
    })
    .unwrap();
    assert_eq!((status, name.as_str()), (Some(cvda::CONNECTED), "DFHDB2"));
    assert!(release.len() == 4 && release.bytes().all(|byte| byte.is_ascii_digit()), "{release}");
    assert!(messages().iter().any(|line| line.starts_with("DFHDB2023")), "{:#?}", messages());
}

#[test]
fn a_task_with_a_thread_shows_its_plan_and_counts_its_requests() {
    setup();
    let definition = Definition::new("DB2ENTRY", "PLANENT", "TEST").with("TRANSID", "IN02").with("PLAN", "PLANX").with("THREADLIMIT", "2");
    setup().region.install(&definition).unwrap();
    let (before, after, requests, time) = run("IN02", "THREADSAFE", &["select 1"], |task, program| {
        let plan = |task: &mut region::Task| {
            let mut call = Call::new(command::INQUIRE_TASK);
            call.integer(option::TASK, task.number.into()).bytes(option::DB2PLAN, &[0; 8]);
            call.execute(task)?;
            Ok::<_, region::Raised>(call.result_text(task, option::DB2PLAN))
        };
        let before = plan(task)?;
        program.run(task, 0)?;
        program.run(task, 0)?;
        let counted = task.performance;
        Ok((before, plan(task)?, counted.db2_requests, counted.rmi_db2.time.as_micros() as u64))
    })
    .unwrap();
    assert_eq!((before.as_str(), after.as_str(), requests), ("", "PLANX", 2));
    assert!(time > 0, "time in the resource manager is counted");
    let record = record(ResourceType::Db2Entry, "PLANENT").unwrap();
    let field = |name: &str| record.get(name);
    assert_eq!([field("D2R_CALLS"), field("D2R_TASK_TOTAL"), field("D2R_THREAD_HWM")], [Some(2), Some(1), Some(1)]);
    assert_eq!([field("D2R_SINGLE_PHASE"), field("D2R_ABORTS"), field("D2R_THREAD_TERM")], [Some(1), Some(0), Some(1)]);
}

#[test]
fn statistics_of_the_connection_are_records_and_a_section_of_the_report() {
    let calls = |_: ()| {
        let record = record(ResourceType::Db2Connection, "").unwrap();
        assert_eq!(record.get("D2G_TCB_LIMIT"), Some(80));
        record.get("D2G_POOL_CALLS").unwrap()
    };
    let before = calls(());
    run("IN03", "THREADSAFE", &["select 1"], |task, program| program.run(task, 0)).unwrap();
    assert!(calls(()) > before);
    let length = run("IN04", "THREADSAFE", &[], |task, _| {
        let mut call = Call::new(command::EXTRACT_STATISTICS);
        call.integer(option::RESTYPE, cvda::DB2CONN).integer(option::SET, 0);
        assert!(call.execute(task)?.is_normal());
        let address = call.result(option::SET).unwrap() as usize;
        Ok(region::storage_access::Area::new(address, 4).read()?)
    })
    .unwrap();
    assert_eq!(length[2..], [0, 102], "the identifier of the record");
    let text = region::statistics::report::text(setup().region);
    assert!(text.contains("Db2 Connection and Entries") && text.contains("*POOL"), "{text}");
}

/// A policy rule about SQL statements acts with the first one above its threshold.
#[test]
fn a_policy_limits_sql_statements() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sql_policy");
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    let manifest = "<manifest xmlns=\"http://www.ibm.com/xmlns/prod/cics/bundle\" id=\"sql\"><define name=\"SQLPOL\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/POLICY\" path=\"p.policy\"/></manifest>";
    let policy = "<p:policy xmlns:p=\"http://www.ibm.com/xmlns/prod/cics/managedplatform/policy\" policySchemaVersion=\"1\" policySchemaRelease=\"0\"><rule type=\"databaserequest\"><name>two</name><databaseRequestCondition item=\"sqlcommand\" operator=\"GT\" unit=\"\" value=\"2\"><contextFilter><TRANSACTION_ID filterOperator=\"EQ\" filterValue=\"IN08\"/></contextFilter></databaseRequestCondition><action><message/></action></rule></p:policy>";
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    std::fs::write(directory.join("p.policy"), policy).unwrap();
    let bundle = Definition::new("BUNDLE", "SQLPOL", "TEST").with("BUNDLEDIR", &directory.display().to_string());
    setup().region.install(&bundle).unwrap();
    let told = || messages().into_iter().filter(|line| line.starts_with("DFHMP3001") && line.contains("(IN08)")).collect::<Vec<_>>();
    let before = run("IN08", "THREADSAFE", &["select 1"], move |task, program| {
        program.run(task, 0)?;
        program.run(task, 0)?;
        let before = told().len();
        program.run(task, 0)?;
        Ok(before)
    });
    assert_eq!(before.unwrap(), 0, "at its threshold");
    let told = messages().into_iter().filter(|line| line.starts_with("DFHMP3001") && line.contains("(IN08)")).collect::<Vec<_>>();
    assert!(told.len() == 1 && told[0].contains("Category=sqlcommand, Threshold=2 (Value=2, Unit=), CurrentCount=3"), "{told:#?}");
}
