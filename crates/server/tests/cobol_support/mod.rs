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

    /// The directory of its library.
    pub fn library(&self) -> &std::path::Path {
        &self.library
    }

    pub fn define_transaction(&self, transid: &str, program: &str) {
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program);
        self.region.transactions().install(TransactionDefinition::from(&definition));
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
