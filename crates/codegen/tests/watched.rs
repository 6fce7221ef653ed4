//! TEST: a watched program tells its statements and PERFORMs in the order of control, an unwatched one nothing, and neither computes
//! anything else than without TEST.

mod common;

use common::{EBCDIC, module, program, run_module, settings};
use kernel::Departure;
use program::batch::BatchHost;
use program::module::{Module, attributes};
use program::rununit::{Ended, ExecOutcome, FrameId, Host, Invocation, Milestone, RunUnit, WatchWord};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

fn with_test(source: &str) -> Arc<Module> {
    let mut options = cobol::Options { codepage: EBCDIC, ..cobol::Options::default() };
    assert!(options.apply("TEST").is_empty());
    module(source, &options, &settings(true))
}

/// A batch job that writes down what its program tells, and can stop it.
struct Watcher<'a> {
    batch: BatchHost<'a>,
    word: WatchWord,
    told: Vec<String>,
    /// Ends the program when it has told so many.
    limit: usize,
}

impl Host for Watcher<'_> {
    fn exec(&mut self, frame: FrameId, block: &mut exec::block::Block) -> ExecOutcome {
        self.batch.exec(frame, block)
    }

    fn load(&mut self, name: &str) -> Result<Option<Arc<Module>>, Departure> {
        self.batch.load(name)
    }

    fn getmain(&mut self, length: u32) -> Result<u32, Departure> {
        self.batch.getmain(length)
    }

    fn getmain_now(&mut self, length: u32) -> Option<u32> {
        self.batch.getmain_now(length)
    }

    fn freemain(&mut self, address: u32, length: u32) {
        self.batch.freemain(address, length);
    }

    fn display(&mut self, target: u32, text: &str, advance: bool) {
        self.batch.display(target, text, advance);
    }

    fn accept(&mut self, source: u32) -> Option<String> {
        self.batch.accept(source)
    }

    fn now(&mut self) -> (i64, u32) {
        self.batch.now()
    }

    fn utc_offset_seconds(&mut self) -> i32 {
        self.batch.utc_offset_seconds()
    }

    fn watch(&mut self) -> Option<WatchWord> {
        Some(self.word.clone())
    }

    fn reached(&mut self, frame: FrameId, milestone: Milestone) -> Result<(), Departure> {
        let debugging = frame.module().debugging.as_ref().expect("compiled with TEST");
        let line = |statement: u32| debugging.statement(statement).map_or(0, |statement| statement.line);
        self.told.push(match milestone {
            Milestone::Entered => format!("entered {}", frame.name()),
            Milestone::Statement(statement) => {
                assert_eq!(frame.statement(), statement);
                line(statement).to_string()
            }
            Milestone::Performing(statement) => format!("{}(", line(statement)),
            Milestone::Performed(statement) => format!("){}", line(statement)),
        });
        if self.told.len() == self.limit { Err(Departure::Abend(Box::new(kernel::Abend::new("STOP", 0)))) } else { Ok(()) }
    }
}

/// What a program tells and displays.
fn watched(source: &str, is_on: bool, limit: usize) -> (String, String, Ended) {
    let mut output = Vec::new();
    let (told, ended) = {
        let batch = BatchHost::new(&mut output);
        let mut watcher = Watcher { batch, word: Arc::new(AtomicU32::new(u32::from(is_on))), told: Vec::new(), limit };
        kernel::guard::prepare_thread();
        let mut unit = RunUnit::new();
        let ended = unit.start(&mut watcher, &with_test(source), 0, 0, Invocation::default());
        unit.finish(&mut watcher);
        (watcher.told.join(" "), ended)
    };
    (told, String::from_utf8(output).expect("text"), ended)
}

const DATA: &str = "01 I PIC 9(3) VALUE 0.\n01 J PIC 9(3) VALUE 0.\n01 A.\n 05 B PIC 9 VALUE 0.\n01 C.\n 05 B PIC 9 VALUE 0.";

// The procedure division begins on line 12.
const PROCEDURE: &str = "MAIN-PARA.\nPERFORM ADD-PARA 2 TIMES\nPERFORM LONG-PARA THRU LONG-EXIT\nIF I = 2 DISPLAY 'TWO' ELSE DISPLAY 'OTHER' END-IF\n\
                         MOVE CORRESPONDING A TO C\nPERFORM UNTIL I > 3\nADD 1 TO I\nEND-PERFORM\nDISPLAY I\nSTOP RUN.\n\
                         ADD-PARA.\nADD 1 TO I.\n\
                         LONG-PARA.\nIF I = 2 GO TO LONG-EXIT END-IF.\nDISPLAY 'NEVER'.\nLONG-EXIT.\nEXIT.";

#[test]
fn statements_and_performs_are_told_in_the_order_of_control() {
    let (told, output, ended) = watched(&program(DATA, PROCEDURE), true, usize::MAX);
    assert!(matches!(ended, Ended::Stopped));
    assert_eq!(output, "TWO\n004\n");
    let expected = "entered T 13 13( 23 )13 13( 23 )13 14 14( 25 25 28 )14 15 15 16 17 18 18 20 21";
    assert_eq!(told, expected);
}

#[test]
fn a_program_that_nobody_watches_tells_nothing() {
    let (told, output, _) = watched(&program(DATA, PROCEDURE), false, usize::MAX);
    assert_eq!((told.as_str(), output.as_str()), ("", "TWO\n004\n"));
}

#[test]
fn a_watched_program_can_be_ended_at_each_milestone() {
    for limit in 1..=22 {
        let (told, _, ended) = watched(&program(DATA, PROCEDURE), true, limit);
        let Ended::Abended(failure) = ended else { panic!("it has ended at {limit}") };
        assert_eq!((&failure.abend.code, told.split(' ').filter(|word| *word != "T").count()), (b"STOP", limit));
    }
}

#[test]
fn contained_programs_and_entries_are_told() {
    let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       PROCEDURE DIVISION.\n           CALL 'INNER'\n           CALL 'INNER'\n\
                  \x20          STOP RUN.\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. INNER.\n       PROCEDURE DIVISION.\n           CONTINUE.\n\
                  \x20      END PROGRAM INNER.\n       END PROGRAM T.\n";
    let (told, ..) = watched(source, true, usize::MAX);
    assert_eq!(told, "entered T 4 entered INNER 10 5 entered INNER 10 6");
}

/// Without TEST there is nothing for a debugger in the module, and no code that tells anything.
#[test]
fn a_program_without_test_has_nothing_for_a_debugger() {
    let source = program(DATA, PROCEDURE);
    let (without, with) = (common::compile(&source, EBCDIC), with_test(&source));
    assert_eq!(without.programs[0].attributes & attributes::TEST, 0);
    assert!(without.debugging.is_none());
    assert_ne!(with.programs[0].attributes & attributes::TEST, 0);
    let names: Vec<&str> = with.debugging.as_ref().expect("it has").procedures.iter().map(|procedure| procedure.name.as_str()).collect();
    assert_eq!(names, ["MAIN-PARA", "ADD-PARA", "LONG-PARA", "LONG-EXIT"]);
    assert_eq!(run_module(&without, &[]).output, run_module(&with, &[]).output);
}
