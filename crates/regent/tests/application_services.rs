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
const TABLES: [&str; 1] = ["documents"];

const LIMIT: Duration = Duration::from_secs(60);

/// What one region answered to all of them.
struct Run {
    tables: Vec<Table>,
    outcomes: HashMap<(String, usize), Outcome>,
    /// The screen that each transaction left.
    screens: HashMap<String, String>,
    /// The statistics file.
    statistics: Vec<serde_json::Value>,
    /// The performance class records.
    output: String,
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
        Run { outcomes: outcomes(data), tables, screens, statistics, output }
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
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            RUN.assert_section(stringify!($name));
        })*
    };
}

sections! {
    create_doctemplate discard_doctemplate document_create document_delete document_insert document_retrieve document_set document_templates
    inquire_doctemplate set_doctemplate
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
