//! EXEC CICS as the gate sees it: the block, its arguments, the values stored afterwards, labels, resuming.

mod common;

use common::{EBCDIC, compile_with, settings};
use exec::block::{Argument, Block, Representation};
use kernel::{Abend, Departure};
use program::batch::BatchHost;
use program::module::Module;
use program::rununit::{Ended, ExecOutcome, FrameId, Host, Invocation, RunUnit};
use std::sync::Arc;

type Command = Box<dyn FnMut(&mut Block, &mut [Argument], FrameId) -> ExecOutcome>;

/// A host whose commands are closures, called in turn.
struct Scripted {
    batch: BatchHost<'static>,
    commands: std::collections::VecDeque<Command>,
    shown: Vec<String>,
}

impl Host for Scripted {
    /// It handles abends itself, as HANDLE ABEND does.
    fn abend_is_condition(&mut self, _: &Abend) -> bool {
        false
    }

    fn exec(&mut self, frame: FrameId, block: &mut Block) -> ExecOutcome {
        let count = block.argument_count as usize;
        // The block's arguments live until this returns.
        let arguments = unsafe { std::slice::from_raw_parts_mut(block.arguments, count) };
        let mut command = self.commands.pop_front().expect("a command too many");
        command(block, arguments, frame)
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
        self.batch.freemain(address, length)
    }
    fn display(&mut self, _: u32, text: &str, _: bool) {
        self.shown.push(text.trim_end().to_string());
    }
    fn accept(&mut self, _: u32) -> Option<String> {
        None
    }
    fn now(&mut self) -> (i64, u32) {
        (0, 0)
    }
    fn utc_offset_seconds(&mut self) -> i32 {
        0
    }
}

fn host(commands: Vec<Command>) -> Scripted {
    Scripted { batch: BatchHost::new(std::io::sink()), commands: commands.into(), shown: Vec::new() }
}

fn source(data: &str, procedure: &str) -> String {
    common::program(data, procedure)
}

fn bytes(argument: &Argument) -> &[u8] {
    unsafe { std::slice::from_raw_parts(argument.address as *const u8, argument.length as usize) }
}

fn find(arguments: &mut [Argument], option: exec::block::OptionId) -> &mut Argument {
    arguments.iter_mut().find(|argument| argument.option == option).expect("the option is there")
}

/// Storage for EIB and communication area below 2 GB.
fn areas(host: &mut Scripted) -> (u32, u32) {
    let address = host.getmain(256).expect("storage");
    unsafe { std::ptr::write_bytes(address as usize as *mut u8, 0, 256) };
    (address, address + 128)
}

fn start(host: &mut Scripted, unit: &mut RunUnit, module: &Arc<Module>) -> Ended {
    let (eib, commarea) = areas(host);
    let invocation = Invocation { eib, commarea, commarea_length: 10, arguments: &[eib, commarea] };
    unit.start(host, module, 0, 0, invocation)
}

#[test]
fn arguments_travel_both_ways() {
    let data = "01  REC PIC X(20) VALUE 'KEYVALUE'.\n01  LEN PIC S9(4) COMP VALUE 20.\n01  RC PIC S9(8) COMP VALUE 99.\n\
                01  RC2 PIC S9(7) COMP-3.\n01  N PIC 9(5).";
    let procedure = "    EXEC CICS READ FILE('ACCOUNTS') INTO(REC) RIDFLD(REC(1:8))\n    LENGTH(LEN) RESP(RC) RESP2(RC2)\n\
                     \x20   END-EXEC.\n    MOVE RC TO N. DISPLAY N. MOVE RC2 TO N. DISPLAY N.\n\
                     \x20   MOVE LEN TO N. DISPLAY N. DISPLAY REC.\n    GOBACK.";
    let module = compile_with(&source(data, procedure), EBCDIC, &settings(true));
    let command: Command = Box::new(|block, arguments, frame| {
        assert_eq!(block.command, exec::command::READ);
        assert_eq!(block.flags & Block::NOHANDLE, Block::NOHANDLE);
        assert_eq!(frame.name(), "T");
        let page = &le::code_page::CCSID_037;
        let file = find(arguments, exec::option::FILE);
        assert_eq!(page.decode(bytes(file)), "ACCOUNTS");
        let key = find(arguments, exec::option::RIDFLD);
        assert_eq!((page.decode(bytes(key)), key.representation), ("KEYVALUE".to_string(), Representation::Area));
        let length = find(arguments, exec::option::LENGTH);
        assert_eq!((length.value, length.representation), (20, Representation::Integer));
        length.value = 7;
        length.flags |= Argument::SET;
        let into = find(arguments, exec::option::INTO);
        assert_eq!(into.length, 20);
        let record = page.encode("RECORD!");
        unsafe { std::ptr::copy_nonoverlapping(record.as_ptr(), into.address as *mut u8, 7) };
        for (option, value) in [(exec::option::RESP, 13), (exec::option::RESP2, 80)] {
            let argument = find(arguments, option);
            argument.value = value;
            argument.flags |= Argument::SET;
        }
        ExecOutcome::Continue
    });
    let mut host = host(vec![command]);
    let mut unit = RunUnit::new();
    let ended = start(&mut host, &mut unit, &module);
    assert!(matches!(ended, Ended::Returned), "{}", text(&ended));
    assert_eq!(host.shown, ["00013", "00080", "00007", "RECORD!E"]);
    unit.finish(&mut host);
}

fn text(ended: &Ended) -> String {
    match ended {
        Ended::Abended(failure) => failure.text(),
        Ended::Left(value) => format!("left {value}"),
        Ended::Returned => "returned".into(),
        Ended::Stopped => "stopped".into(),
    }
}

#[test]
fn labels_leave_performed_ranges() {
    let data = "01  A PIC X(4).";
    let procedure = "MAIN-PARA.\n    EXEC CICS HANDLE CONDITION NOTFND(GONE) END-EXEC.\n    PERFORM READ-IT.\n    DISPLAY 'BACK'.\n\
                     \x20   GOBACK.\nREAD-IT.\n    EXEC CICS READ FILE('F') INTO(A) RIDFLD(A) END-EXEC.\n    DISPLAY 'READ'.\nGONE.\n\
                     \x20   DISPLAY 'GONE'.\n    EXEC CICS RETURN END-EXEC.";
    let module = compile_with(&source(data, procedure), EBCDIC, &settings(true));
    let handle: Command = Box::new(move |_, arguments, _| {
        let label = arguments.iter().find(|argument| argument.representation == Representation::Label).expect("label").value;
        assert_eq!(label, 1);
        ExecOutcome::Continue
    });
    let read: Command = Box::new(|_, _, _| ExecOutcome::GoTo(1));
    let leave: Command = Box::new(|block, _, _| {
        assert_eq!(block.command, exec::command::RETURN);
        ExecOutcome::Leave(42)
    });
    let mut host = host(vec![handle, read, leave]);
    let mut unit = RunUnit::new();
    let ended = start(&mut host, &mut unit, &module);
    assert!(matches!(ended, Ended::Left(42)), "{}", text(&ended));
    assert_eq!(host.shown, ["GONE"]);
}

#[test]
fn an_abend_can_be_resumed_at_a_label() {
    let data = "01  A PIC S9(3) COMP-3.\n01  B REDEFINES A PIC XX.";
    let procedure = "MAIN-PARA.\n    EXEC CICS HANDLE ABEND LABEL(RECOVER) END-EXEC.\n    MOVE SPACES TO B.\n    ADD 1 TO A.\n\
                     \x20   GOBACK.\nRECOVER.\n    DISPLAY 'RECOVERED'.\n    EXEC CICS ABEND ABCODE('MINE') END-EXEC.";
    let module = compile_with(&source(data, procedure), EBCDIC, &settings(true));
    let frame = std::rc::Rc::new(std::cell::Cell::new(None));
    let seen = frame.clone();
    let handle: Command = Box::new(move |_, _, frame| {
        seen.set(Some(frame));
        ExecOutcome::Continue
    });
    let abend: Command = Box::new(|_, _, _| ExecOutcome::Abend(Box::new(Abend::new("MINE", 0))));
    let mut host = host(vec![handle, abend]);
    let mut unit = RunUnit::new();
    let ended = start(&mut host, &mut unit, &module);
    let Ended::Abended(failure) = ended else { panic!("{}", text(&ended)) };
    assert_eq!((failure.interruption, &failure.abend.code), (Some(7), b"ASRA"));
    let ended = unit.resume(&mut host, frame.get().expect("seen"), 1);
    let Ended::Abended(failure) = ended else { panic!("{}", text(&ended)) };
    assert_eq!(&failure.abend.code, b"MINE");
    assert_eq!(host.shown, ["RECOVERED"]);
    assert_eq!(failure.place.map(|place| place.line), Some(15));
    unit.finish(&mut host);
}

#[test]
fn addresses_are_set_in_linkage() {
    let source = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  P USAGE POINTER.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(10).
       01  L PIC X(4).
       PROCEDURE DIVISION.
           DISPLAY EIBTRNID DFHCOMMAREA.
           EXEC CICS GETMAIN SET(ADDRESS OF L) FLENGTH(4) END-EXEC.
           DISPLAY L.
           EXEC CICS ADDRESS TWA(P) END-EXEC.
           SET ADDRESS OF L TO P.
           DISPLAY L.
           GOBACK.
";
    let module = compile_with(source, EBCDIC, &settings(true));
    let mut host = host(vec![]);
    let (eib, commarea) = areas(&mut host);
    let area = host.getmain(16).expect("storage");
    let page = &le::code_page::CCSID_037;
    let put = |address: u32, text: &str| {
        let bytes = page.encode(text);
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
    };
    put(eib + 8, "TRN1");
    put(commarea, "COMMAREA10");
    put(area, "GOT1TWA2");
    for offset in [0, 4] {
        host.commands.push_back(Box::new(move |_, arguments, _| {
            let argument = arguments
                .iter_mut()
                .find(|argument| argument.representation == Representation::Integer && argument.option != exec::option::FLENGTH);
            let argument = argument.expect("a pointer");
            argument.value = (area + offset) as i64;
            argument.flags |= Argument::SET;
            ExecOutcome::Continue
        }));
    }
    let mut unit = RunUnit::new();
    let invocation = Invocation { eib, commarea, commarea_length: 10, arguments: &[eib, commarea] };
    let ended = unit.start(&mut host, &module, 0, 0, invocation);
    assert!(matches!(ended, Ended::Returned), "{}", text(&ended));
    assert_eq!(host.shown, ["TRN1COMMAREA10", "GOT1", "TWA2"]);
}
