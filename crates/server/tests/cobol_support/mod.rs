//! A region that runs programs which its test compiles, and keeps its messages.
#![allow(dead_code)]

use csd::{Definition, TransactionDefinition};
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, Region, RegionConfig, StartCode, Task};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// How a program reports to its test.
pub const REPORT: &str = "EXEC CICS LINK PROGRAM('REPORT')\n       COMMAREA(WS-REPORT) END-EXEC";
/// A machine may be busy.
const REPORT_TIME_MAX: Duration = Duration::from_secs(20);

/// Who waits for the report of a transaction.
static REPORTS: parking_lot::Mutex<Option<HashMap<String, mpsc::Sender<Vec<u8>>>>> = parking_lot::Mutex::new(None);

/// A native program that passes its communication area to the test.
fn report(task: &mut Task) -> Result<(), Raised> {
    let bytes = task.level().unwrap().commarea.read()?;
    if let Some(sender) = REPORTS.lock().as_ref().and_then(|reports| reports.get(task.transid.as_str())) {
        let _ = sender.send(bytes);
    }
    Ok(())
}

type Lines = Arc<parking_lot::Mutex<Vec<String>>>;

struct Sink(Lines);

impl region::messages::Sink for Sink {
    fn message(&self, message: &region::messages::Message) {
        if message.is_on_console {
            self.0.lock().push(message.line());
        }
    }
}

pub struct Setup {
    pub region: &'static Region,
    library: PathBuf,
    lines: Lines,
}

impl Setup {
    /// A region whose runaway tasks end after a second, with an empty library.
    pub fn start(applid: &str) -> Setup {
        Self::start_with(applid, |_| ())
    }

    /// The same, with a configuration that `configure` has changed.
    pub fn start_with(applid: &str, configure: impl FnOnce(&mut RegionConfig)) -> Setup {
        let directory = crate::scratch::directory();
        let library = directory.join("library");
        std::fs::create_dir_all(&library).unwrap();
        let lines = Lines::default();
        let mut config = RegionConfig::new(directory.join("data"));
        config.sit.apply_text(&format!("APPLID={applid},ICVR=1000"));
        config.libraries = vec![library.clone()];
        config.workers = 2;
        config.sinks = vec![Arc::new(Sink(lines.clone()))];
        configure(&mut config);
        let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
        region.programs().install_native(Name8::new("REPORT"), report);
        Setup { region, library, lines }
    }

    /// The messages so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().clone()
    }

    /// Puts a program into the library. Data and procedure are in area A form already.
    pub fn compile(&self, name: &str, working_storage: &str, linkage: &str, procedure: &str) {
        let indent = |text: &str| text.lines().map(|line| format!("       {line}\n")).collect::<String>();
        let source = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n{}       LINKAGE SECTION.\n{}       PROCEDURE DIVISION.\n{}",
            indent(working_storage),
            indent(linkage),
            indent(procedure)
        );
        self.compile_source(name, source.as_bytes());
    }

    /// Puts a program into the library whose source is complete.
    pub fn compile_source(&self, name: &str, source: &[u8]) {
        let options = cobol::Options { codepage: 37, ..cobol::Options::default() };
        let path = format!("/application/cobol/{name}.cbl");
        let compilation = cobol::compile_source(&path, source, &options, &cobol::source::NoCopies);
        let shown = || String::from_utf8_lossy(source).into_owned();
        assert!(compilation.is_usable(), "{}\n{}", compilation.diagnostics.render(&compilation.sources), shown());
        let mut image = codegen::compile(&compilation.programs, &codegen::Settings::default()).unwrap_or_else(|error| panic!("{error}"));
        image.source = path;
        std::fs::write(self.library.join(format!("{name}.rlm")), image.to_bytes()).unwrap();
        // A program that the region has loaded stays as it was, whatever becomes of its file.
        let programs = self.region.programs();
        if let Some(program) = programs.find(Name8::new(name)).filter(|program| program.is_loaded()) {
            programs.new_copy(self.region, &program, true).unwrap();
        }
    }

    /// The directory of its library.
    pub fn library(&self) -> &std::path::Path {
        &self.library
    }

    pub fn define_transaction(&self, transid: &str, program: &str) {
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program);
        self.region.transactions().install(TransactionDefinition::from(&definition));
    }

    pub fn define_program(&self, name: &str, attributes: &[(&'static str, &str)]) {
        let definition = Definition::new("PROGRAM", name, "TEST");
        let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
        self.region.install(&definition).unwrap();
    }

    /// The reports of a transaction from now on.
    pub fn reports_of(&self, transid: &str) -> mpsc::Receiver<Vec<u8>> {
        let (sender, receiver) = mpsc::channel();
        REPORTS.lock().get_or_insert_default().insert(transid.to_string(), sender);
        receiver
    }

    /// Waits for a report; its text.
    pub fn report_in(&self, reports: &mpsc::Receiver<Vec<u8>>) -> String {
        let bytes = reports.recv_timeout(REPORT_TIME_MAX).unwrap_or_else(|_| panic!("no report; {:#?}", self.lines()));
        self.region.code_page.text(&bytes)
    }

    /// Runs a transaction; its report as text.
    pub fn reported(&self, transid: &str) -> String {
        let reports = self.reports_of(transid);
        self.attach(transid);
        self.report_in(&reports)
    }

    /// The dump that message DFHAP1201 says how to read, in readable form.
    pub fn dump_of(message: &str) -> String {
        let command = message.split("Dump: regent dump ").nth(1).unwrap_or_else(|| panic!("{message} names no dump"));
        let (path, keywords) = command.trim().rsplit_once(' ').expect("a path and keywords");
        assert!(path.starts_with('/'), "a path from anywhere: {path}");
        Self::formatted(path.as_ref(), keywords)
    }

    /// What `regent dump` shows of a file.
    pub fn formatted(path: &std::path::Path, keywords: &str) -> String {
        let selection = region::dump::format::Selection::parse(&[keywords.to_string()]).unwrap();
        let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut text = Vec::new();
        let shown = region::dump::format::format(std::io::BufReader::new(file), &selection, &mut text).unwrap();
        assert!(shown.is_ok_and(|shown| shown > 0), "{keywords} of {}", path.display());
        String::from_utf8(text).unwrap()
    }

    /// The number of the task.
    pub fn attach(&self, transid: &str) -> u32 {
        let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
        self.region.attach(request).unwrap_or_else(|failure| panic!("{}", failure.message.line()))
    }
}
