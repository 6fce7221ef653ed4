//! The commands of documents, spool files, events and other services, command by command: the normal path and each documented condition, as a
//! program sees them.
//!
//! As in `commands.rs`, the tables of `applications/services/tables` say what commands answer, and one region runs the programs made of them.

mod support;

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;
use support::application::Application;
use support::command_table::{Outcome, RECORDED, Table, outcomes};
use support::terminal::Terminal;
use support::{Region, regent, root};

/// The tables, in the order in which the region runs them.
const TABLES: [&str; 10] =
    ["documents", "spool", "services", "options", "devices", "records", "systems", "terminals", "database", "csd_types"];

const LIMIT: Duration = Duration::from_secs(60);

/// What one region answered to all of them.
struct Run {
    tables: Vec<Table>,
    outcomes: HashMap<(String, usize), Outcome>,
    /// The screen that each transaction left.
    screens: HashMap<String, String>,
    /// The statistics file.
    statistics: Vec<serde_json::Value>,
    output: String,
    /// The region's messages to CSMT and others.
    messages: String,
    /// The reports that are left in the spool, with their descriptions.
    spool: Vec<(String, String)>,
    /// The queue of the attributes that CREATE logs.
    created: String,
    /// The dumps of SRSY, by code.
    dumps: HashMap<&'static str, String>,
    /// The last screen of each conversation of SRTK.
    conversations: HashMap<&'static str, String>,
}

static RUN: LazyLock<Run> = LazyLock::new(Run::new);

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true if entry.file_name() == "tables" => {}
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).expect("copied")),
        }
    }
}

/// The descriptions below a directory, by their directories.
fn descriptions(directory: &std::path::Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(descriptions(&path));
        } else if path.extension().is_some_and(|extension| extension == "report") {
            let text = std::fs::read_to_string(&path).expect("text");
            found.push((path.parent().expect("a directory").display().to_string(), text));
        }
    }
    found
}

/// The codes of the dumps of SRSY.
const DUMPED: [&str; 11] = ["SRD1", "SRD2", "SRD3", "SRD4", "SRD5", "SRD6", "SRD7", "SRD8", "SRD9", "SRDA", "SRDB"];

fn dumped(data: &std::path::Path, code: &str) -> String {
    let file = data.join("data/dumps/DFHDMPA");
    let output = regent().arg("dump").arg(file).arg(format!("CODE={code}")).output().expect("regent runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn is_released(terminal: &mut Terminal) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !terminal.is_connected()
    })
}

/// What becomes of a conversation whose terminal another one changes by SET TERMINAL.
fn changed_by_another(port: u16, word: &str) -> String {
    let (mut terminal, mut other) = (Terminal::connect(port), Terminal::connect(port));
    terminal.transaction("SRTK WHO");
    terminal.expect("TERMINAL ");
    let name = terminal.row(1).replace("TERMINAL ", "").trim().to_string();
    terminal.clear();
    if word != "RELEASED" {
        terminal.transaction("SRTK FOLD");
        terminal.expect("WORD:");
    }
    other.transaction(&format!("SRTK {word:<10} {name}"));
    other.expect("SET");
    if word == "RELEASED" {
        return if is_released(&mut terminal) { "RELEASED".to_string() } else { "CONNECTED".to_string() };
    }
    terminal.expect("DFHAC2206");
    terminal.text().join(" ")
}

/// What SRTK shows at the end of each of its conversations, at a terminal with 43 lines.
fn conversations(port: u16) -> HashMap<&'static str, String> {
    let mut shown = HashMap::new();
    for (word, answers, end) in [
        ("FOLD", &["abc", "def"][..], "FOLDED"),
        ("WHOLE", &["abcdef"], "FIRST"),
        ("SIZES", &["a", "b"], "ALTERNATE"),
        ("QUERY", &[], "QUERY REPLY"),
        ("PARTN", &["abc"], "PARTITION"),
    ] {
        let mut terminal = Terminal::connect_as(port, "3279-4-E", &[]);
        terminal.transaction(&format!("SRTK {word}"));
        for (prompt, answer) in ["WORD:", "NEXT:"].into_iter().zip(answers) {
            terminal.expect(prompt);
            terminal.type_text(answer);
            terminal.enter();
        }
        terminal.expect_one_of(&[end, "DFHAC", "NO QUERY"], LIMIT);
        shown.insert(word, terminal.row(1));
    }
    let mut terminal = Terminal::connect(port);
    terminal.transaction("SRTK MAP");
    terminal.expect("LABEL");
    terminal.type_text("TOLD");
    terminal.enter();
    terminal.expect_one_of(&["GOT", "DFHAC"], LIMIT);
    shown.insert("MAP", terminal.row(5));
    for word in ["PURGE", "FORCEPURGE", "FORCE", "KILL", "RELEASED"] {
        shown.insert(word, changed_by_another(port, word));
    }
    for mode in ["AUTO", "CURRENT", "NOAUTO"] {
        let mut terminal = Terminal::connect(port);
        terminal.transaction(&format!("SRTK {mode}"));
        terminal.expect_one_of(&["PAGE", "DFHAC"], LIMIT);
        let first = terminal.row(1);
        terminal.clear();
        terminal.type_text("P/2");
        terminal.enter();
        terminal.expect_one_of(&["PAGE 2", "DFH"], LIMIT);
        shown.insert(mode, format!("{} {}", first.trim(), terminal.row(1).trim()));
    }
    shown
}

impl Run {
    fn new() -> Run {
        let applications = root().join("crates/regent/tests/applications");
        let directory = applications.join("services");
        let application = Application::new();
        copy(&directory, application.path());
        for member in ["TABWORK.cpy", "TABPROC.cpy"] {
            std::fs::copy(applications.join("commands").join(member), application.path().join(member)).expect("copied");
        }
        let tables: Vec<Table> =
            TABLES.iter().map(|name| Table::read(&directory.join("tables").join(name).with_extension("tsv"))).collect();
        for table in &tables {
            application.write(&table.program_file(), &table.cobol());
        }
        let data = application.data();
        for (name, text) in [("data/templates/page.html", "A file, &A;"), ("library/SRVTMPL.template", "A program, &A;")] {
            let path = data.join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        let mut region = Region::start(application.path(), data, &[]);
        let mut terminal = Terminal::connect(region.port);
        let mut screens = HashMap::new();
        for table in &tables {
            terminal.transaction(&table.transaction);
            terminal.expect_one_of(&[RECORDED, "DFHAC"], LIMIT);
            screens.insert(table.transaction.clone(), terminal.text().join("\n").trim_end().to_string());
        }
        drop(terminal);
        let conversations = conversations(region.port);
        region.terminate();
        assert_eq!(region.wait_for_end(), Some(0));
        let output = region.output.join("\n");
        let text = std::fs::read_to_string(data.join("data/statistics/DFHSTATS")).expect("the statistics file");
        let statistics = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let messages = ["csmt", "CSMT"].iter().map(|name| std::fs::read_to_string(data.join(format!("data/queues/{name}.log"))));
        let messages = messages.flatten().collect::<String>();
        let spool = descriptions(&data.join("data/spool"));
        let dumps = DUMPED.map(|code| (code, dumped(data, code)));
        // CSDL leads to CSSL, whose data set is MSGUSR.
        let log = std::fs::read_to_string(data.join("data/queues/msgusr.log")).unwrap_or_default();
        let created = log.lines().filter(|line| line.contains(" CREATE ")).collect::<Vec<_>>().join("\n");
        Run { outcomes: outcomes(data), tables, screens, statistics, output, messages, spool, created, conversations, dumps: dumps.into() }
    }

    /// Compares what the rows of a section answered with what they are documented to answer.
    fn assert_section(&self, section: &str) {
        let (mut faults, mut rows) = (Vec::new(), 0);
        for table in &self.tables {
            for (number, row) in table.rows.iter().enumerate().filter(|(_, row)| row.section == section) {
                let outcome = self.outcomes.get(&(table.transaction.clone(), number));
                if outcome.is_none() && row.checks() > 0 {
                    faults.push(format!("the screen of {}:\n{}", table.transaction, self.screens[&table.transaction]));
                }
                faults.extend(row.faults(outcome));
                rows += 1;
            }
        }
        assert!(rows > 0, "no table has section {section}");
        assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), self.output);
    }

    /// The record of a resource at the end of the region.
    fn last_record(&self, record: &str, field: &str, name: &str) -> &serde_json::Value {
        let found = self.statistics.iter().rev().find(|line| line["record"] == record && line["fields"][field] == name);
        found.unwrap_or_else(|| panic!("no {record} of {name}: {:?}", self.statistics.last()))
    }
}

macro_rules! sections {
    ($(fn $name:ident;)*) => {
        $(#[test]
        fn $name() {
            RUN.assert_section(stringify!($name));
        })*
    };
}

sections! {
    fn batch_data_interchange;
    fn bif_digest;
    fn collected_times;
    fn containers_above_the_bar;
    fn counter_options;
    fn create_doctemplate;
    fn created_and_logged;
    fn csd_compatibility;
    fn csd_install_types;
    fn csd_types;
    fn csd_types_of_other_releases;
    fn dates;
    fn db2conn_attributes;
    fn db2entry_attributes;
    fn db2tran_attributes;
    fn discard_doctemplate;
    fn document_create;
    fn document_delete;
    fn document_insert;
    fn document_retrieve;
    fn document_set;
    fn document_templates;
    fn dump_parts;
    fn exits_enabled;
    fn handle_aids;
    fn handle_conditions;
    fn inquire_cfdtpool;
    fn inquire_doctemplate;
    fn inquire_enq_options;
    fn inquire_options;
    fn inquire_profile_signature;
    fn inquire_tsqueue_options;
    fn journal;
    fn map_streams;
    fn mapping_device;
    fn messages_to_operators;
    fn more_outside_of_activities;
    fn other_systems_of_files;
    fn other_terminals;
    fn outside_of_activities;
    fn paged_messages;
    fn perform_statistics_types;
    fn point;
    fn read_integrity_of_rls;
    fn readprev_options;
    fn request_identifiers;
    fn resetbr_options;
    fn send_options;
    fn set_db2conn_attributes;
    fn set_db2entry_attributes;
    fn set_doctemplate;
    fn set_dsname_options;
    fn set_dump_codes;
    fn set_file_more_options;
    fn set_file_options;
    fn set_of_programs_and_transactions;
    fn set_system_options;
    fn set_terminal_options;
    fn set_transaction_options;
    fn set_wlmhealth_options;
    fn spoolclose;
    fn spoolopen_input;
    fn spoolopen_output;
    fn spoolread;
    fn spoolwrite;
    fn starts_of_tasks;
    fn storage_of_64_bit_commands;
    fn trace_settings;
    fn trace_types;
    fn wait_journal;
    fn ways_to_other_systems;
}

#[test]
fn templates_count_their_uses() {
    let record = RUN.last_record("DFHDHDDS", "DHD_DOCTEMPLATE_NAME", "SRVTSQ");
    let fields = &record["fields"];
    // Used twice, once from the cache; NEWCOPY twice, the first time in vain.
    for (field, value) in [
        ("DHD_TEMPLATE_USE_COUNT", 2),
        ("DHD_TEMPLATE_CACHE_USED", 1),
        ("DHD_TEMPLATE_NEWCOPIES", 2),
        ("DHD_TEMPLATE_READ_COUNT", 3),
        ("DHD_TEMPLATE_CACHE_SIZE", 4),
    ] {
        assert_eq!(fields[field], value, "{field} of {record}");
    }
    assert_eq!(fields["DHD_TEMPLATE_TSQUEUE_NAME"], "SRVTEMPLATE");
}

/// The report of `NODE('*') USERID('*')` with OUTDESCR is the only one that no command has deleted.
#[test]
fn a_report_lies_in_the_directory_of_its_destination() {
    let [(directory, description)] = &RUN.spool[..] else { panic!("{:?}", RUN.spool) };
    assert!(directory.ends_with("spool/LOCAL/CICSUSER/A"), "{directory}");
    for line in ["outdescr=WRITER(MYPROG)", "transid=SRSP", "applid=SERVICES", "records=0"] {
        assert!(description.lines().any(|of| of == line), "{line}: {description}");
    }
}

/// The report that transaction SRSP leaves open.
#[test]
fn a_report_left_open_is_deleted_and_told() {
    let told = RUN.output.lines().any(|line| line.contains("DFHPS0110")) || RUN.messages.contains("DFHPS0110");
    assert!(told, "{}", RUN.output);
}

/// CONVERSE: letters, lengths, screens, structured fields.
#[test]
fn conversations_with_a_display() {
    for (word, expected) in [
        ("FOLD", "FOLDED ABC    AS IT IS def"),
        ("WHOLE", "FIRST AB OF 0005 THEN CDEF"),
        ("SIZES", "ALTERNATE 0043 DEFAULT 0024"),
        ("QUERY", "QUERY REPLY OF THE DISPLAY"),
        ("PARTN", "PARTITION abc 0006"),
        ("MAP", "LABEL    GOT TOLD"),
    ] {
        assert_eq!(RUN.conversations[word].trim(), expected, "{word}");
    }
}

/// SET TERMINAL purges the task of another terminal, or ends the session.
#[test]
fn terminals_are_purged_and_released() {
    for word in ["PURGE", "FORCEPURGE", "FORCE", "KILL"] {
        assert!(RUN.conversations[word].contains("AEXY"), "{word}: {}", RUN.conversations[word]);
    }
    assert_eq!(RUN.conversations["RELEASED"], "RELEASED");
}

/// AUTOPAGE "does not apply to 3270 display terminals" (SEND PAGE): the operator retrieves the pages, whatever the command says.
#[test]
fn a_display_takes_pages_one_by_one() {
    for mode in ["AUTO", "CURRENT", "NOAUTO"] {
        assert_eq!(RUN.conversations[mode], "PAGE 1 PAGE 2", "{mode}");
    }
}

/// What DUMP is asked for is in the dump, and no other part is.
#[test]
fn dumps_have_the_parts_that_are_asked_for() {
    const PARTS: [&str; 9] = [
        "Transaction storage",
        "PG: WORKING-STORAGE of SRVSYST",
        "TCP: Terminal",
        "FILE: definitions",
        "TRANSACTION: definitions",
        "PROGRAM: definitions",
        "System initialization parameters",
        "TERMINAL: definitions",
        "AP: Segment 1",
    ];
    for (code, expected) in [
        ("SRD1", &[0][..]),
        ("SRD2", &[1]),
        ("SRD3", &[2]),
        ("SRD4", &[3, 4, 5, 6, 7]),
        ("SRD5", &[3]),
        ("SRD6", &[4]),
        ("SRD7", &[5]),
        ("SRD8", &[6]),
        ("SRD9", &[7]),
        ("SRDA", &[0, 1, 2, 3, 4, 5, 6, 7]),
        ("SRDB", &[8]),
    ] {
        let text = &RUN.dumps[code];
        let sections: Vec<&str> = text.lines().filter(|line| line.starts_with("===")).collect();
        let found: Vec<usize> = (0..PARTS.len()).filter(|part| sections.iter().any(|line| line.contains(PARTS[*part]))).collect();
        assert_eq!(found, expected, "{code}: {sections:#?}");
    }
}

/// LOG of CREATE writes the attributes to CSDL; NOLOG does not.
#[test]
fn created_resources_are_logged() {
    for logged in [
        "TYPETERM(SRLTT) DEVICE(LUTYPE2)",
        "TSMODEL(SRLTS) PREFIX(SRLOG)",
        "TRANSACTION(SRL1) PROGRAM(SRVDOC)",
        "TRANCLASS(SRLTC) MAXACTIVE(5)",
        "TERMINAL(SRL2) TYPETERM(DFHLU2)",
        "TDQUEUE(SRL3) TYPE(INTRA)",
        "PROGRAM(SRLPGM) DESCRIPTION(Logged)",
        "PROFILE(SRLPROF) DESCRIPTION(Logged)",
        "PARTITIONSET(SRLPART) DESCRIPTION(Logged)",
        "MAPSET(SRLMAPS) DESCRIPTION(Logged)",
        "LSRPOOL(SRLPOOL) LSRPOOLNUM(11)",
        "JOURNALMODEL(SRLJM) JOURNALNAME(SRL*) TYPE(DUMMY)",
        "FILE(SRLFILE) DESCRIPTION(Logged)",
        "ENQMODEL(SRLENQ) ENQNAME(SRLOG*)",
        "DOCTEMPLATE(SRLDOC) TSQUEUE(SRLOGT)",
        "BUNDLE(SRLBUND) BUNDLEDIR(",
        "LIBRARY(SRVLIB) DSNAME01(SRV.LOADLIB)",
        "DUMPCODE(SRLD) MAXIMUM(7) DUMPACTION(BOTH)",
        "DB2CONN(SDCON) ",
        "DB2TRAN(SDTRN1) ",
        "DB2TRAN(SDTRN2) ",
        "DB2ENTRY(SDENT3) ",
    ] {
        assert!(RUN.created.contains(&format!("CREATE {logged}")), "{logged}: {}", RUN.created);
    }
    for not_logged in [
        "SRLDOC2",
        "SRLDOC3",
        "SRLBUN2",
        "SRLBUN3",
        "SRVLIB2",
        "SRVLIB3",
        "SRLDSYS",
        "DB2ENTRY(SDENT1)",
        "SDENT2",
        "SDTRN3",
        "SDCON2",
        "SDCON3",
    ] {
        assert!(!RUN.created.contains(not_logged), "{not_logged}: {}", RUN.created);
    }
}

#[test]
fn messages_of_programs_come_to_the_operator() {
    for text in ["CONSOLE", "EVENTUAL", "CRITICAL", "IMMEDIATE"] {
        assert!(RUN.output.contains(&format!("SERVICES {text} TEXT")), "{}", RUN.output);
    }
}

/// The records that PERFORM STATISTICS RECORD wrote, request by request: SRSY asks for STATS between TRANCLASS and TCLASS, which are the same.
#[test]
fn statistics_are_recorded_by_type() {
    let mut requested: Vec<&str> =
        RUN.statistics.iter().filter(|line| line["reason"] == "REQ").filter_map(|line| line["record"].as_str()).collect();
    requested.dedup();
    let expected = [
        "DFHASGDS", "DFHDSGDS", "DFHDHDDS", "DFHA17DS", "DFHLGRDS", "DFHA08DS", "DFHLGRDS", "DFHLDGDS", "DFHLDRDS", "DFHXMCDS", "DFHSTGDS",
        "DFHXMCDS", "DFHD2GDS", "DFHD2RDS",
    ];
    assert_eq!(requested, expected);
}
