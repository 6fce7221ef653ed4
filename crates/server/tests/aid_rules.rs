//! The system rule about automatic initiate descriptors: STARTs of a task for its own terminal.

mod scratch;
mod terminal_support;

use csd::Definition;
use exec::{command, option};
use region::exec_interface::call::Call;
use region::messages::{Message, Sink};
use region::{Raised, Task};
use std::sync::{Arc, Mutex};
use terminal_support::{connect, define, the_region};

#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl Sink for Lines {
    fn message(&self, message: &Message) {
        self.0.lock().unwrap().push(message.line());
    }
}

const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/cics";
const RULE: &str = r#"<rule group="SYSTEM" type="aidThreshold"><name>two_aids</name><description/><aidThresholdCondition><contextFilter><TRANSACTION_ID filterOperator="OFF" filterValue=""/><USER_ID filterOperator="OFF" filterValue=""/></contextFilter><aidThresholdFilter><AID_COUNT filterOperator="GT" filterValue="2"/></aidThresholdFilter></aidThresholdCondition><action><message/></action></rule>"#;

fn install_rule() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("aid_rules");
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    let manifest = format!(
        "<manifest xmlns=\"{NAMESPACE}/bundle\" id=\"aids\"><define name=\"AIDPOL\" type=\"{NAMESPACE}/bundle/POLICY\" path=\"p.policy\"/></manifest>"
    );
    let policy = format!(
        "<p:policy xmlns:p=\"{NAMESPACE}/managedplatform/policy\" policySchemaVersion=\"5\" policySchemaRelease=\"0\">{RULE}</p:policy>"
    );
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    std::fs::write(directory.join("p.policy"), policy).unwrap();
    let definition = Definition::new("BUNDLE", "AIDS", "TEST").with("BUNDLEDIR", &directory.display().to_string());
    the_region().install(&definition).unwrap();
}

/// START for a terminal; with data, after a second or at once.
fn start(task: &mut Task, transid: &str, data: bool, waits: bool) -> Result<(), Raised> {
    let own = task.terminal_name();
    let mut call = Call::new(command::START);
    call.text(task, option::TRANSID, transid).text(task, option::TERMID, own.as_str());
    if data {
        call.bytes(option::FROM, b"DATA").integer(option::LENGTH, 4);
    }
    if waits {
        call.integer(option::INTERVAL, 1);
    }
    assert!(call.execute(task)?.is_normal());
    Ok(())
}

/// Two descriptors are allowed. The third START with data, at once and for the own terminal, is told, and every one after it; one without data and
/// one with a time are not.
#[test]
fn starts_for_the_own_terminal_are_told_above_the_threshold() {
    let lines = Arc::new(Lines::default());
    the_region().messages.add_sink(lines.clone());
    install_rule();
    define("AIDN", |_| Ok(()));
    define("AIDS", |task| {
        start(task, "AIDN", true, false)?;
        start(task, "AIDN", true, false)?;
        start(task, "AIDN", false, false)?;
        start(task, "AIDN", true, true)?;
        start(task, "AIDN", true, false)?;
        start(task, "AIDN", true, false)
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("AIDS").unwrap();
    let told =
        || -> Vec<String> { lines.0.lock().unwrap().iter().filter(|line| line.contains("system rule two_aids ")).cloned().collect() };
    testing::eventually("the messages", || told().len() >= 2);
    let told = told();
    // One descriptor is that of the START without data.
    assert!(told.len() == 2 && told[0].contains("(AIDN, FROM=3, TO=4)") && told[1].contains("(AIDN, FROM=4, TO=5)"), "{told:#?}");
}
