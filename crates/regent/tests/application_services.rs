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
use support::{Region, root};

/// The tables, in the order in which the region runs them.
const TABLES: [&str; 5] = ["documents", "spool", "services", "options", "devices"];

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
        region.terminate();
        assert_eq!(region.wait_for_end(), Some(0));
        let output = region.output.join("\n");
        let text = std::fs::read_to_string(data.join("data/statistics/DFHSTATS")).expect("the statistics file");
        let statistics = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let messages = ["csmt", "CSMT"].iter().map(|name| std::fs::read_to_string(data.join(format!("data/queues/{name}.log"))));
        let messages = messages.flatten().collect::<String>();
        let spool = descriptions(&data.join("data/spool"));
        Run { outcomes: outcomes(data), tables, screens, statistics, output, messages, spool }
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
    fn counter_options;
    fn create_doctemplate;
    fn discard_doctemplate;
    fn document_create;
    fn document_delete;
    fn document_insert;
    fn document_retrieve;
    fn document_set;
    fn document_templates;
    fn handle_aids;
    fn handle_conditions;
    fn inquire_cfdtpool;
    fn inquire_doctemplate;
    fn inquire_options;
    fn journal;
    fn outside_of_activities;
    fn point;
    fn send_options;
    fn set_doctemplate;
    fn set_file_options;
    fn set_transaction_options;
    fn spoolclose;
    fn spoolopen_input;
    fn spoolopen_output;
    fn spoolread;
    fn spoolwrite;
    fn trace_types;
    fn wait_journal;
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
