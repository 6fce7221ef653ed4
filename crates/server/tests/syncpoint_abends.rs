//! The abend codes of the syncpoint, as ABCODEO and ABCODEC of the performance record and the parent of an asynchronous child see them.
//!
//! Which code means what: "Abend codes", ASP1 and its relatives. ASPF, ASPN, ASPQ and ASP8 tell of partners in other systems, of which a
//! region has none.

mod managers;
mod scratch;
mod tasks_support;

use csd::{Definition, TransactionDefinition};
use exec::{command, cvda, option};
use managers::Manager;
use region::exec_interface::call::Call;
use region::monitoring::{Record, RecordSink};
use region::resource_manager::Outcome;
use region::{Raised, ResourceManager, Task, Vote};
use std::sync::{Arc, Mutex, OnceLock};
use tasks_support::{define_program, response, run, the_region};

#[derive(Default)]
struct Records(Mutex<Vec<Record>>);

impl RecordSink for Records {
    fn record(&self, record: &Record) {
        self.0.lock().unwrap().push(record.clone());
    }
}

/// The performance records of the region, which has recoverable queues for all tests.
fn records() -> &'static Arc<Records> {
    static RECORDS: OnceLock<Arc<Records>> = OnceLock::new();
    RECORDS.get_or_init(|| {
        let region = the_region();
        let model = Definition::new("TSMODEL", "ASPMODEL", "TEST").with("PREFIX", "ASPQ").with("LOCATION", "AUXILIARY");
        region.install(&model.with("RECOVERY", "YES")).unwrap();
        let records = Arc::new(Records::default());
        region.monitoring().add_sink(records.clone());
        region.monitoring().switch(true);
        records
    })
}

type Managers = Vec<Arc<Manager>>;

/// Runs a transaction as a child: its program changes a queue, if it is to, and lets the managers take part in its unit of work, which ends
/// with the task. The response, COMPSTATUS and ABCODE that the parent fetches, then the codes of the performance record of the child.
fn abended(transid: &'static str, attributes: &[(&'static str, &str)], changes: bool, managers: Managers) -> (i64, String, [String; 2]) {
    let records = records();
    let program = format!("PGM{transid}");
    define_program(&program, &[("CONCURRENCY", "REQUIRED")], move |task| {
        if changes {
            let mut write = Call::new(command::WRITEQ_TS);
            write.text(task, option::QUEUE, &format!("ASPQ{transid}")).bytes(option::FROM, b"CHANGE");
            assert_eq!(response(&mut write, task)?, (0, 0));
        }
        for manager in &managers {
            let manager: Arc<dyn ResourceManager> = manager.clone();
            task.enlist(&manager)?;
        }
        Ok(())
    });
    let mut definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &program);
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    the_region().transactions().install(TransactionDefinition::from(&definition));
    let parent = format!("{}P", &transid[..3]);
    let fetched = run(&parent, move |task| fetched(task, transid)).expect("the parent ends");
    let found = || records.0.lock().unwrap().iter().find(|record| record.transid.as_str() == transid).cloned();
    testing::eventually("the performance record", || found().is_some());
    let record = found().unwrap();
    let code = |code: [u8; 4]| String::from_utf8_lossy(&code).into_owned();
    (fetched.0, fetched.1, [code(record.original_abend_code), code(record.abend_code)])
}

/// COMPSTATUS and ABCODE of a child that is run and fetched.
fn fetched(task: &mut Task, transid: &str) -> Result<(i64, String), Raised> {
    let mut child = Call::new(command::RUN_TRANSID);
    child.text(task, option::TRANSID, transid).bytes(option::CHILD, &[0; 16]);
    assert_eq!(response(&mut child, task)?, (0, 0));
    let mut fetch = Call::new(command::FETCH_CHILD);
    fetch.bytes(option::CHILD, &child.result_bytes(option::CHILD)).integer(option::COMPSTATUS, 0).bytes(option::ABCODE, &[0; 4]);
    assert_eq!(response(&mut fetch, task)?, (0, 0));
    Ok((fetch.result(option::COMPSTATUS).unwrap_or(0), fetch.result_text(task, option::ABCODE)))
}

#[track_caller]
fn expect(code: &str, found: (i64, String, [String; 2])) {
    assert_eq!(found, (cvda::ABEND, code.to_string(), [code.to_string(), code.to_string()]));
}

/// Contact with the last agent is lost; WAIT(YES): the unit of work is shunted.
#[test]
fn asp1_a_unit_of_work_is_shunted() {
    expect("ASP1", abended("AS1C", &[], true, vec![Manager::lost("LOST1")]));
}

/// Two managers with a single phase.
#[test]
fn asp2_two_managers_have_a_single_phase() {
    let managers =
        vec![Manager::new("SINGLE1", true, Vote::No, Outcome::Committed), Manager::new("SINGLE2", true, Vote::No, Outcome::Committed)];
    expect("ASP2", abended("AS2C", &[], true, managers));
}

/// The last agent has backed out what was to be committed.
#[test]
fn asp3_another_manager_has_backed_out() {
    expect("ASP3", abended("AS3C", &[], true, vec![Manager::new("BACKOUT3", true, Vote::No, Outcome::BackedOut)]));
}

/// A manager votes against the commitment.
#[test]
fn asp7_a_manager_cannot_prepare() {
    expect("ASP7", abended("AS7C", &[], true, vec![Manager::new("VOTESNO7", false, Vote::No, Outcome::Committed)]));
}

/// Contact is lost, and the transaction does not wait: WAIT(NO) with ACTION(COMMIT).
#[test]
fn aspo_all_updates_are_committed() {
    expect("ASPO", abended("ASOC", &[("WAIT", "NO"), ("ACTION", "COMMIT")], true, vec![Manager::lost("LOSTO")]));
    assert_eq!(items("ASPQASOC"), 1);
}

/// The same with ACTION(BACKOUT).
#[test]
fn aspp_all_updates_are_backed_out() {
    expect("ASPP", abended("ASBC", &[("WAIT", "NO"), ("ACTION", "BACKOUT")], true, vec![Manager::lost("LOSTP")]));
    assert_eq!(items("ASPQASBC"), 0);
}

/// Contact is lost, and only that manager has changes: it alone knows the outcome.
#[test]
fn aspr_only_the_lost_manager_knows_the_outcome() {
    expect("ASPR", abended("ASRC", &[], false, vec![Manager::lost("LOSTR")]));
}

/// The items of a queue.
fn items(queue: &'static str) -> i64 {
    let transid = if queue.ends_with("ASOC") { "ASOI" } else { "ASBI" };
    let counted = run(transid, move |task| {
        let mut inquire = Call::new(command::INQUIRE_TSQUEUE);
        inquire.text(task, option::TSQUEUE, queue).integer(option::NUMITEMS, 0);
        let code = response(&mut inquire, task)?;
        Ok(if code == (0, 0) { inquire.result(option::NUMITEMS).unwrap_or(0) } else { 0 })
    });
    counted.unwrap()
}
