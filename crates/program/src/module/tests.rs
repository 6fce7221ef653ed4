//! Load modules: writing, reading, and refusal of damaged files.
//!
//! `unsafe` here runs machine code that these tests have put into a module themselves.

use super::debugging::*;
use super::format::{Damage, read_header, read_metadata};
use super::*;

fn sample() -> ModuleImage {
    let program = ProgramInfo {
        name: "SAMPLE".into(),
        parent: None,
        attributes: attributes::CICS,
        options: Options { ccsid: 37, arith: 0, trunc: 0, numproc: 1, float_format: 0, currency: 0x5B, quote: 0x7F },
        code_offset: 0,
        code_length: 6,
        frame_length: 128,
        argument_capacity: 2,
        entries: vec![EntryPoint { name: "SAMPLE".into(), label: 0, parameter_count: 2 }],
        linkage: vec![LinkageRecord { name: "DFHCOMMAREA".into(), frame_offset: 88, length: 10 }],
        external: vec![ExternalRecord { name: "SHARED".into(), length: 8, frame_offset: 92, image: AreaImage::default() }],
        working_storage: AreaImage { length: 16, image_offset: 0, image_length: 4 },
        local_storage: AreaImage::default(),
        edit_programs: 0,
        collating: u32::MAX,
        called: vec!["OTHER".into()],
        labels: vec![LabelInfo { name: "MAIN".into(), number: 1, line: 7 }],
        statement_base: 0,
        resume_points: vec![ResumePoint { statement: 1, point: 0x0001_0001 }],
        files: vec![],
        fixups: vec![Fixup { offset: 8, target: 0 }],
        sql: vec![SqlText::new(b"statement".to_vec())],
    };
    ModuleImage {
        compiler_version: 3,
        features: 0,
        // mov eax, 5; ret
        code: vec![0xB8, 5, 0, 0, 0, 0xC3],
        constants: vec![0xC1, 0xC2],
        images: vec![1, 2, 3, 4],
        programs: vec![program],
        lines: vec![LineEntry { offset: 0, line: 7, statement: 1 }, LineEntry { offset: 5, line: 8, statement: 2 }],
        traps: vec![TrapEntry { offset: 5, code: 7 }],
        symbols: vec![Symbol {
            name: "A".into(),
            program: 0,
            level: 1,
            area: Area::WorkingStorage,
            base: 0,
            offset: 0,
            length: 4,
            usage: 1,
            sign: 0,
            digits: 0,
            scale: -2,
            occurs: 3,
            stride: 4,
            picture: "X(4)".into(),
            redefines: true,
        }],
        c: None,
        source: "cobol/SAMPLE.cbl".into(),
        operands: vec![StatementOperand {
            statement: 2,
            symbol: 0,
            subscripts: vec![OperandSubscript { stride: 4, occurs: 3, symbol: Some(0), plus: -1 }],
        }],
        debugging: Some(sample_debugging()),
    }
}

fn sample_debugging() -> Debugging {
    let item = ItemInfo {
        program: 0,
        name: "A".into(),
        level: 5,
        section: Section::WorkingStorage,
        parent: None,
        area: Area::WorkingStorage,
        base: 0,
        offset: 4,
        length: 8,
        moved_by: vec![Varying { table: 0, stride: 2 }],
        lengthened_by: vec![],
        length_least: 8,
        usage: 6,
        sign: 1,
        flags: 1,
        digits: 5,
        scale: -2,
        edit: 3,
        picture: "S9(5)PP".into(),
        occurs: Some(OccursInfo { least: 0, most: 3, stride: Some(8), depending: Some(1) }),
        redefines: true,
        global: false,
    };
    let child = ItemInfo { parent: Some(0), global: true, redefines: false, occurs: None, ..item.clone() };
    let values = [Constant::Number("-1.5".into()), Constant::Characters(1, vec![0xC1]), Constant::All(vec![0x5C]), Constant::Figurative(2)];
    Debugging {
        sources: vec!["/a/SAMPLE.cbl".into(), String::new()],
        statements: vec![StatementInfo { number: 1, program: 0, procedure: 0, source: 1, line: 7, column: 12, command: Some(5) }],
        procedures: vec![ProcedureInfo { program: 0, name: "MAIN".into(), is_section: true, first_statement: Some(1) }],
        items: vec![item, child],
        conditions: vec![ConditionInfo {
            name: "IS-A".into(),
            item: 1,
            values: values.into_iter().map(|value| (value, Some(Constant::Figurative(0)))).collect(),
        }],
    }
}

#[test]
fn a_module_survives_its_file() {
    let image = sample();
    let file = image.to_bytes();
    let header = read_header(&file).unwrap_or_else(|damage| panic!("{damage:?}"));
    let metadata = read_metadata(&file, &header).expect("metadata");
    assert_eq!(metadata.programs, image.programs);
    assert_eq!(metadata.lines, image.lines);
    assert_eq!(metadata.traps, image.traps);
    assert_eq!(metadata.symbols, image.symbols);
    assert_eq!((&metadata.source, &metadata.operands), (&image.source, &image.operands));
    assert_eq!(metadata.debugging, image.debugging);
    assert_eq!(header.compiler_version, 3);
}

/// A list of groups that leads back to itself would make a debugger run for ever.
#[test]
fn debugging_information_that_leads_nowhere_is_refused() {
    let damages: [fn(&mut Debugging); 5] = [
        |debugging| debugging.items[0].parent = Some(0),
        |debugging| debugging.items[0].moved_by[0].table = 2,
        |debugging| debugging.statements[0].source = 2,
        |debugging| debugging.conditions[0].item = 2,
        |debugging| debugging.procedures[0].program = 1,
    ];
    for damage in damages {
        let mut image = sample();
        damage(image.debugging.as_mut().expect("it has"));
        let file = image.to_bytes();
        let header = read_header(&file).unwrap_or_else(|damage| panic!("{damage:?}"));
        assert!(read_metadata(&file, &header).is_none());
    }
}

#[test]
fn every_damaged_byte_is_seen() {
    let file = sample().to_bytes();
    for at in (0..file.len()).step_by(97) {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        assert!(read_header(&damaged).is_err(), "byte {at}");
    }
    assert_eq!(read_header(&file[..file.len() - 1]).err(), Some(Damage::Corrupt));
    assert_eq!(read_header(&file[..100]).err(), Some(Damage::NotAModule));
}

#[test]
fn loaded_code_runs_and_is_located() {
    let module = Module::from_bytes(&sample().to_bytes()).expect("loads");
    let completion = unsafe { module.entry(0)(std::ptr::null_mut(), std::ptr::null_mut(), 0) };
    assert_eq!(completion, 5);
    assert_eq!(module.constants(), [0xC1, 0xC2]);
    assert_eq!(module.image(&module.programs[0].working_storage), [1, 2, 3, 4]);
    let (start, _) = module.code_range();
    let at = locate(start + 5).expect("inside");
    assert_eq!((at.line, at.statement, at.trap), (8, 2, Some(7)));
    assert!(locate(start + 6).is_none());
    drop(at);
    drop(module);
    assert!(locate(start).is_none());
}

/// `cp` over the file of a library writes into it.
#[test]
fn a_file_that_is_cut_in_its_place_changes_nothing_that_is_loaded() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = directory.path().join("SAMPLE.rlm");
    std::fs::write(&path, sample().to_bytes()).expect("written");
    let module = Module::load(&path).expect("loads");
    std::fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(0)).expect("cut");
    assert_eq!(unsafe { module.entry(0)(std::ptr::null_mut(), std::ptr::null_mut(), 0) }, 5);
    assert_eq!(module.constants(), [0xC1, 0xC2]);
    // A file of any length, without reading it.
    std::fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(1 << 40)).expect("it has holes");
    assert!(matches!(Module::load(&path), Err(LoadError::NotAModule)));
}

/// Several threads load and unload modules at the same addresses: the fault handler always finds the module that is currently there.
#[test]
fn the_fault_handler_never_finds_an_unloaded_module() {
    let bytes = sample().to_bytes();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let module = Module::from_bytes(&bytes).expect("loads");
                    let (start, _) = module.code_range();
                    assert_eq!(kernel::guard::find_code(start).map(|place| place.id), Some(module.code_id()));
                }
            });
        }
    });
}
