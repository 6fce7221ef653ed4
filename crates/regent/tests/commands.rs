//! Every command group, command by command: the normal path and each documented condition, as a program sees them.
//!
//! The tables of `applications/commands/tables` say what commands answer. A transaction for each of them issues the commands and records what it
//! saw; each section of the tables is a test here. What needs several tasks or programs is written in COBOL: such a transaction compares the answers
//! itself, and says how many checks it made and which of them failed. One region runs all of them, once.

mod support;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;
use std::time::Duration;
use support::application::Application;
use support::command_table::{Outcome, RECORDED, Table, outcomes};
use support::terminal::Terminal;
use support::{Region, root};

/// What the region runs, in this order: some find what others have left.
enum Step {
    Table(&'static str),
    /// A transaction of a COBOL program, and the number of its checks: one that ends early has made fewer.
    Program(&'static str, u32),
}

use Step::{Program, Table as Rows};

const STEPS: [Step; 34] = [
    Rows("organizations"),
    Rows("files"),
    Rows("paths"),
    Program("CMFA", 13),
    Rows("browses"),
    Program("CMTS", 38),
    Program("CMSQ", 38),
    Program("CMSH", 34),
    Rows("named_counters"),
    Rows("programs"),
    Rows("containers"),
    Program("CMHC", 22),
    Program("CMAY", 45),
    Rows("intervals"),
    Rows("system"),
    Program("CMAX", 20),
    Program("CMSW", 49),
    Program("CMWT", 66),
    Rows("programs_and_transactions"),
    Rows("input_messages"),
    Program("CMAS", 226),
    Program("CMTA", 21),
    Program("CMRM", 16),
    Program("CMAG", 8),
    Rows("enqueue_models"),
    Rows("utilities"),
    Rows("dumps"),
    Rows("trace"),
    Rows("resources"),
    Rows("storage"),
    Rows("creation"),
    Rows("csd"),
    Rows("statistics"),
    Program("CMIS", 21),
];

/// What another region that used the CSD before has left.
const LOCKED: &str = "DEFINE PROGRAM(LKPGM) GROUP(OTHERS)\nADD GROUP(OTHERS) LIST(OTHERLST)\n\
    *LOCKED GROUP(OTHERS) APPLID(OTHER) USER(BERT)\n*LOCKED LIST(OTHERLST) APPLID(OTHER) USER(BERT)\n";

const LIMIT: Duration = Duration::from_secs(60);

fn directory() -> std::path::PathBuf {
    root().join("crates/regent/tests/applications/commands")
}

/// What one region answered to all of them.
struct Run {
    tables: Vec<Table>,
    outcomes: HashMap<(String, usize), Outcome>,
    /// The screen that each transaction left.
    screens: HashMap<String, String>,
    /// The statistics file.
    statistics: Vec<serde_json::Value>,
    output: String,
}

static RUN: LazyLock<Run> = LazyLock::new(Run::new);

impl Run {
    fn new() -> Run {
        let tables: HashMap<&str, Table> = STEPS
            .iter()
            .filter_map(|step| match step {
                Rows(name) => Some((*name, Table::read(&directory().join("tables").join(name).with_extension("tsv")))),
                Program(..) => None,
            })
            .collect();
        let application = Application::new();
        for entry in std::fs::read_dir(directory()).expect("the application").flatten().filter(|entry| entry.path().is_file()) {
            std::fs::copy(entry.path(), application.path().join(entry.file_name())).expect("copied");
        }
        application.write("COMMANDS/featuretoggle.properties", "com.example.later=own\n");
        for table in tables.values() {
            application.write(&table.program_file(), &table.cobol());
        }
        // A group and a list that a user of another region has locked.
        std::fs::write(application.data().join("csd"), LOCKED).expect("written");
        let mut region = Region::start(application.path(), application.data(), &[]);
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CMFR");
        terminal.expect("DFHAC2261");
        let mut screens = HashMap::new();
        for step in &STEPS {
            let (transaction, end) = match step {
                Rows(name) => (tables[name].transaction.as_str(), RECORDED),
                Program(transaction, _) => (*transaction, " CHECKS, "),
            };
            terminal.transaction(transaction);
            // Or the message that it ended abnormally.
            terminal.expect_one_of(&[end, "DFHAC"], LIMIT);
            screens.insert(transaction.to_string(), terminal.text().join("\n").trim_end().to_string());
        }
        terminal.transaction("STAT");
        terminal.expect("data/reports/DFH0STAT-");
        drop(terminal);
        region.terminate();
        assert_eq!(region.wait_for_end(), Some(0));
        let output = region.output.join("\n");
        let text = std::fs::read_to_string(application.data().join("data/statistics/DFHSTATS")).expect("the statistics file");
        let statistics = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        Run { outcomes: outcomes(application.data()), tables: tables.into_values().collect(), screens, statistics, output }
    }

    /// Compares what the rows of a section answered with what they are documented to answer.
    fn assert_section(&self, section: &str) {
        let mut faults = Vec::new();
        for table in &self.tables {
            for (number, row) in table.rows.iter().enumerate().filter(|(_, row)| row.section == section) {
                let outcome = self.outcomes.get(&(table.transaction.clone(), number));
                if outcome.is_none() && row.checks() > 0 {
                    faults.push(format!("the screen of {}:\n{}", table.transaction, self.screens[&table.transaction]));
                }
                faults.extend(row.faults(outcome));
            }
        }
        assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), self.output);
    }

    fn assert_program(&self, transaction: &str) {
        let checks = STEPS.iter().find_map(|step| match step {
            Program(name, checks) if *name == transaction => Some(checks),
            _ => None,
        });
        let expected = format!("{transaction}: {:04} CHECKS, 0000 FAULTS", checks.expect("a step"));
        let screen = &self.screens[transaction];
        assert!(screen.lines().any(|line| line.contains(&expected)), "{expected} expected\n{screen}\n{}", self.output);
    }

    fn statistics<'a>(&'a self, reason: &str, record: &str) -> Vec<&'a serde_json::Value> {
        self.statistics.iter().filter(|line| line["reason"] == reason && line["record"] == record).collect()
    }
}

/// A test for each section of the tables.
macro_rules! sections {
    ($($(#[$documentation:meta])* fn $name:ident;)*) => {
        const SECTIONS: &[&str] = &[$(stringify!($name)),*];
        $($(#[$documentation])* #[test]
        fn $name() {
            RUN.assert_section(stringify!($name));
        })*
    };
}

/// A test for each transaction that compares answers itself.
macro_rules! programs {
    ($(fn $name:ident = $transaction:literal;)*) => {
        const PROGRAMS: &[&str] = &[$($transaction),*];
        $(#[test]
        fn $name() {
            RUN.assert_program($transaction);
        })*
    };
}

sections! {
    fn address_set;
    fn alternate_index;
    fn asktime;
    fn assign_and_address;
    fn assign_at_a_terminal;
    fn bif_deedit;
    fn bundles_and_adapters;
    fn cics_maintained_table;
    fn collect_statistics;
    fn converttime;
    fn counters;
    fn coupling_facility_table;
    fn autinstmodel;
    fn autoinstall;
    fn discard_profile;
    fn discard_terminal;
    fn inquire_enq;
    fn inquire_profile;
    fn inquire_reqid;
    fn monitor;
    fn association_list;
    fn vtam;
    fn create_enqmodel;
    fn create_faults;
    fn create_file;
    fn create_journalmodel;
    fn create_lsrpool;
    fn create_mapset;
    fn create_partitionset;
    fn create_profile;
    fn create_program;
    fn create_tdqueue;
    fn create_terminal;
    fn create_terminal_pool;
    fn create_tranclass;
    fn create_transaction;
    fn create_tsmodel;
    fn create_typeterm;
    fn csd_add;
    fn csd_alter;
    fn csd_append;
    fn csd_browse_definitions;
    fn csd_browse_groups;
    fn csd_browse_lists;
    fn csd_copy;
    fn csd_define;
    fn csd_delete;
    fn csd_inquiregroup;
    fn csd_inquirelist;
    fn csd_inquirersrce;
    fn csd_install;
    fn csd_lock;
    fn csd_remove;
    fn csd_rename;
    fn csd_unlock;
    fn csd_userdefine;
    fn delay;
    fn delete_channel;
    fn delete_container;
    fn delete_file;
    fn discard_enqmodel;
    fn discard_file;
    fn discard_journalmodel;
    fn discard_journalname;
    fn discard_program;
    fn discard_tdqueue;
    fn discard_tranclass;
    fn discard_transaction;
    fn discard_tsmodel;
    fn doubleword_counters;
    fn dump_statistics;
    fn dump_transaction;
    fn dumpds;
    fn endbr;
    fn enq_and_deq;
    fn enq_of_enqmodels;
    fn enter_traceid;
    fn enter_tracenum;
    fn esds_by_address;
    fn extract_statistics;
    fn formattime;
    fn formattime_datestring;
    fn get_container;
    fn get_container_byteoffset;
    fn get64_container;
    fn getmain_and_freemain;
    fn getnext_container;
    fn inquire_and_set_task;
    fn inquire_association;
    fn inquire_dispatcher;
    fn inquire_enqmodel;
    fn inquire_featurekey;
    fn inquire_file;
    fn inquire_journalmodel;
    fn inquire_journalname;
    fn inquire_netname;
    fn inquire_program;
    fn inquire_rrms;
    fn inquire_statistics;
    fn inquire_storage;
    fn inquire_mvstcb;
    fn inquire_storage64;
    fn inquire_streamname;
    fn inquire_subpool;
    fn inquire_system;
    fn inquire_task;
    fn inquire_tdqueue;
    fn inquire_terminal;
    fn inquire_tracedest;
    fn inquire_traceflag;
    fn inquire_tracetype;
    fn inquire_tranclass;
    fn inquire_transaction;
    fn inquire_tsmodel;
    fn inquire_tsqueue;
    fn inquire_uow;
    fn inquire_uowdsnfail;
    fn inquire_uowenq;
    fn inquire_uowlink;
    fn ksds_by_address;
    fn library_statistics;
    fn link;
    fn link_channel;
    fn link_inputmsg;
    fn load_and_release;
    fn loader_statistics;
    fn monitor_statistics;
    fn move_container;
    fn path_with_other_keys;
    fn path_with_unique_keys;
    fn perform_dump;
    fn perform_statistics;
    fn perform_statistics_resetnow;
    fn put64_container;
    fn put_container;
    fn query_channel;
    fn read_file;
    fn readnext;
    fn readprev;
    fn reset_on_state_change;
    fn resetbr;
    fn rewrite_file;
    fn rrds_of_variable_length;
    fn send_convid;
    fn set_dispatcher;
    fn set_dsname;
    fn set_enqmodel;
    fn set_journalname;
    fn set_program;
    fn set_statistics;
    fn set_system;
    fn set_terminal;
    fn set_tracedest;
    fn set_traceflag;
    fn set_tracetype;
    fn set_tranclass;
    fn set_transaction;
    fn set_tdqueue;
    fn set_tsqueue;
    fn set_uow;
    fn sizes_of_dynamic_storage_areas;
    fn start_and_cancel;
    fn startbr;
    fn status_of_files;
    fn status_of_programs;
    fn status_of_transactions;
    fn subpools_of_queues_and_tasks;
    fn syncpoint_of_files;
    fn tclass;
    fn sysdumpcodes;
    fn trandumpcodes;
    fn tracing_of_transactions_and_terminals;
    fn unlock_file;
    fn unsolicited_statistics;
    fn user_maintained_table;
    fn user_maintained_table_of_a_ksds;
    fn waits_for_events;
    fn write_file;
    fn write_journal;
    fn write_operator;
    fn xctl;
}

programs! {
    fn abend_codes_of_file_control = "CMFA";
    fn temporary_storage_and_transient_data = "CMTS";
    fn temporary_storage_of_a_shared_pool = "CMSQ";
    fn resources_of_temporary_storage = "CMSH";
    fn handling_of_conditions_and_abends = "CMHC";
    fn asynchronous_children = "CMAY";
    fn exit_programs_for_abends = "CMAX";
    fn starts_and_posts = "CMSW";
    fn waits_and_their_refusal = "CMWT";
    fn options_of_assign = "CMAS";
    fn tasks_and_tables = "CMTA";
    fn resources_of_other_systems = "CMRM";
    fn programs_changed_since_the_last_link = "CMAG";
    fn commands_for_other_terminals = "CMIS";
}

#[test]
fn every_section_and_program_has_a_test() {
    let sections: BTreeSet<&str> = RUN.tables.iter().flat_map(|table| &table.rows).map(|row| row.section.as_str()).collect();
    assert_eq!(sections, SECTIONS.iter().copied().collect());
    let programs: Vec<&str> = STEPS.iter().filter_map(|step| if let Program(name, _) = step { Some(*name) } else { None }).collect();
    assert_eq!(programs, PROGRAMS);
}

/// The reads of a file in the records that were written for a reason, in their order.
fn reads_written(reason: &str, file: &str) -> Vec<u64> {
    let of_file = RUN.statistics(reason, "DFHA17DS").into_iter().filter(|line| line["name"] == file);
    of_file.filter_map(|line| line["fields"]["A17DSRD"].as_u64()).collect()
}

/// CMST asks for the records while recording is off and FIXED has been read three times, while it is on and FIXED has been read once, and by
/// RECORDNOW as it sets recording off.
#[test]
fn requested_statistics_are_written_whether_recording_is_off_or_on() {
    assert_eq!(reads_written("REQ", "FIXED"), [3, 1, 1]);
    assert!(RUN.statistics("REQ", "DFHTSGDS").iter().any(|line| line["stid"] == 48));
}

/// CMST begins with a reset, which records what all transactions before it have done.
#[test]
fn a_reset_writes_what_it_resets() {
    let reads = reads_written("RRT", "FIXED");
    assert_eq!(reads.len(), 1);
    assert!(reads[0] > 0);
}

/// CMST reads VARIES once and closes it.
#[test]
fn a_closed_file_leaves_an_unsolicited_record() {
    assert_eq!(reads_written("USS", "VARIES").last(), Some(&1));
}

#[test]
fn the_end_of_the_region_writes_its_statistics() {
    assert_eq!(reads_written("EOD", "FIXED").len(), 1);
}

#[test]
fn messages_of_write_operator_come_to_the_console() {
    assert!(RUN.output.contains("A MESSAGE OF THE COMMAND TESTS"), "{}", RUN.output);
}

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    (Region::start(&directory(), data.path(), &[]), data)
}

/// ISSUE DISCONNECT ends the session with its task, PERFORM SHUTDOWN IMMEDIATE the region.
#[test]
fn a_program_ends_its_session_and_the_region() {
    let (mut region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.start_and_leave("CMDI");
    assert!(region.wait_for(|line| line.contains("DFHZC3462"), LIMIT), "{}", region.output.join("\n"));
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMDS");
    // NONVAL of ISSUE LOAD, and EIBFN of ISSUE DISCONNECT.
    terminal.expect("ANSWERED 0009 0000 RIGHT");
    terminal.clear();
    terminal.start_and_leave("CMDX");
    assert_eq!(region.wait_for_end(), Some(0), "{}", region.output.join("\n"));
    assert_eq!(shutdown_dumps(data.path()), 1, "{}", region.output.join("\n"));
}

/// System dumps with the code of a shutdown.
fn shutdown_dumps(data: &std::path::Path) -> usize {
    let output = support::regent().arg("dump").arg(data).arg("INDEX").arg("CODE=SHUTDOWN").output().expect("regent runs");
    String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("SHUTDOWN")).count()
}

/// PERFORM SHUTDOWN DUMP, without a shutdown assist transaction: the dump is of the region as it was, and the tasks end by themselves.
#[test]
fn a_program_shuts_the_region_down_with_a_dump() {
    let (mut region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.start_and_leave("CMDY");
    assert_eq!(region.wait_for_end(), Some(0), "{}", region.output.join("\n"));
    assert_eq!(shutdown_dumps(data.path()), 1, "{}", region.output.join("\n"));
    assert!(!region.output.iter().any(|line| line.contains("CESD")), "{}", region.output.join("\n"));
}

#[test]
fn terminal_commands_answer_as_documented() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMTM HELLO");
    terminal.expect("TYPE A WORD:");
    // The cursor is at the first position and the screen has no fields: all twelve characters are read.
    terminal.type_text("WORDLONG");
    terminal.enter();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "REGENT");
    terminal.fill(4, 11, "42");
    terminal.pf(5);
    terminal.expect("AGAIN");
    assert_eq!(terminal.cursor(), (4, 11), "CURSOR with a length of -1 puts it into that field");
    terminal.clear();
    terminal.expect("COMMAND CHECK");
    terminal.fill(3, 11, "PF");
    terminal.pf(3);
    terminal.expect("CMTM: 0017 CHECKS, 0000 FAULTS");
    // Data of a program in place of terminal input, for the next task and for the program that takes over.
    terminal.transaction("CMLX");
    terminal.expect("RECEIVED FROM RETURN KEPT 0011");
    terminal.transaction("CMLY");
    terminal.expect("RECEIVED FROM XCTL   KEPT 0009");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Starts a conversation and answers its empty screen with a word.
fn converse(terminal: &mut Terminal, transaction: &str, word: &str) {
    terminal.transaction(transaction);
    terminal.type_text(word);
    terminal.enter();
}

/// The default restart program restarts a task of a RESTART(YES) transaction that lost a deadlock, up to twenty times, if it has read nothing
/// more, written nothing to its terminal and taken no syncpoint.
#[test]
fn a_task_that_lost_a_deadlock_is_restarted() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    for (word, runs) in [("ONCE", "02"), ("RLS", "02")] {
        converse(&mut terminal, "CMRS", word);
        terminal.expect(&format!("RUNS {runs} {word:8} KEPT     AGAIN TD"));
    }
    for (transaction, word, code, runs) in [
        ("CMRS", "MANY", "AFCF", "21"),
        ("CMRS", "OTHER", "AFCY", "01"),
        ("CMRS", "SENT", "AFCF", "01"),
        ("CMRS", "SYNC", "AFCF", "01"),
        ("CMRN", "ONCE", "AFCF", "01"),
    ] {
        converse(&mut terminal, transaction, word);
        terminal.expect("DFHAC2206");
        terminal.expect(code);
        terminal.transaction("CMRQ");
        terminal.expect(&format!("RUNS {runs} {word}"));
    }
    // Started tasks: data retrieved and gone; data not retrieved yet; no data.
    for (start, runs, first) in [("S1", "01", "DATA"), ("S2", "02", "KEEP"), ("S3", "02", "NODATA")] {
        terminal.transaction(&format!("CMRQ {start}"));
        terminal.expect(&format!("RUNS {runs} {first}"));
    }
    converse(&mut terminal, "CMDD", "GO");
    terminal.expect("RESTARTED AFTER THE DEADLOCK");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// STARTs and triggers for a terminal wait until it is free; one task takes the data of all STARTs of its transaction that have expired.
#[test]
fn starts_for_a_terminal_wait_for_it() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("CMA1");
    terminal.expect("ATI SD R001 R002 R003");
    terminal.expect("CHECKS 0009 FAULTS 0000");
    terminal.expect("NEXT  S  0029");
    terminal.transaction("CMRW");
    terminal.expect("WAITED ONE  TWO");
    terminal.transaction("CMA4");
    terminal.expect("NEXT  QD 0023 CMDG 0003");
    let mut other = Terminal::connect(region.port);
    other.transaction("CMA1 WHO");
    other.expect("TERMINAL ");
    let name = other.row(1).trim_start().trim_start_matches("TERMINAL ").to_string();
    terminal.transaction(&format!("CMA1 {name}"));
    terminal.expect("STARTED.");
    // The other terminal is free: its task came at once, with the data that had expired then, and the later START brings another.
    other.expect("ATI SD R003");
    drop((terminal, other));
    assert_eq!(region.stop(), 0);
}

/// RRMS asks for registration with the recoverable resource management services of the system. There are none: a region that asks is told that they
/// are closed, and one that does not ask that they do not apply.
#[test]
fn registration_with_rrms_is_closed_when_asked_for_and_not_applicable_otherwise() {
    let application = root().join("crates/regent/tests/applications/overload");
    for (setting, status) in [("NO", "NOTAPPLIC"), ("YES", "CLOSED")] {
        let data = tempfile::tempdir().expect("a scratch directory");
        let region = Region::start(&application, data.path(), &["--sit", &format!("RRMS={setting}")]);
        let mut terminal = Terminal::connect(region.port);
        terminal.transaction("CECI INQUIRE RRMS OPENSTATUS");
        terminal.enter();
        terminal.expect("COMMAND EXECUTION COMPLETE");
        let shown = terminal.text().join("\n");
        assert!(shown.contains(status), "RRMS={setting}: {shown}");
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}
