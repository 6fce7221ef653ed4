//! A region that runs programs which its test compiles, and keeps its messages.
#![allow(dead_code)]

use csd::{Definition, TransactionDefinition};
use region::name::Name4;
use region::{AttachRequest, Region, RegionConfig, StartCode};
use std::path::PathBuf;
use std::sync::Arc;

type Lines = Arc<parking_lot::Mutex<Vec<String>>>;

struct Sink(Lines);

impl region::messages::Sink for Sink {
    fn message(&self, message: &region::messages::Message) {
        self.0.lock().push(message.line());
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
        let directory = crate::scratch::directory();
        let library = directory.join("library");
        std::fs::create_dir_all(&library).unwrap();
        let lines = Lines::default();
        let mut config = RegionConfig::new(directory.join("data"));
        config.sit.apply_text(&format!("APPLID={applid},ICVR=1000"));
        config.libraries = vec![library.clone()];
        config.workers = 2;
        config.sinks = vec![Arc::new(Sink(lines.clone()))];
        let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
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
        let options = cobol::Options { codepage: 37, ..cobol::Options::default() };
        let path = format!("/application/cobol/{name}.cbl");
        let compilation = cobol::compile_source(&path, source.as_bytes(), &options, &cobol::source::NoCopies);
        assert!(compilation.is_usable(), "{}\n{source}", compilation.diagnostics.render(&compilation.sources));
        let mut image = codegen::compile(&compilation.programs, &codegen::Settings::default()).unwrap_or_else(|error| panic!("{error}"));
        image.source = path;
        std::fs::write(self.library.join(format!("{name}.rlm")), image.to_bytes()).unwrap();
    }

    pub fn define_transaction(&self, transid: &str, program: &str) {
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program);
        self.region.transactions().install(TransactionDefinition::from(&definition));
    }

    /// The number of the task.
    pub fn attach(&self, transid: &str) -> u32 {
        let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
        self.region.attach(request).unwrap_or_else(|failure| panic!("{}", failure.message.line()))
    }
}
