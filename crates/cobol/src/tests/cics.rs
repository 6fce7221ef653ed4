//! EXEC CICS commands: their translation, and their errors.

use super::*;

fn cics(working: &str, linkage: &str, statements: &str) -> Compilation {
    compile(&source(working, linkage, statements))
}

#[test]
fn the_interface_block_is_inserted() {
    let compilation = cics("01 A PIC X(8).", "", "EXEC CICS RETURN END-EXEC.");
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let p = &compilation.programs[0];
    assert!(p.cics);
    assert_eq!(place(p, "DFHEIBLK"), (0, 85));
    assert_eq!(place(p, "EIBCALEN"), (24, 2));
    assert_eq!(place(p, "EIBRESP"), (76, 4));
    assert_eq!(place(p, "EIBTASKN"), (12, 4));
    let parameters: Vec<&str> = p.parameters.iter().map(|parameter| &*p.item(parameter.item).name).collect();
    assert_eq!(parameters, ["DFHEIBLK", "DFHCOMMAREA"]);
    assert_eq!(find(p, "DFHCOMMAREA").length_max, 1);
}

#[test]
fn a_declared_commarea_is_kept() {
    let compilation = cics("", "01 DFHCOMMAREA.\n 05 X PIC X(100).", "EXEC CICS ASKTIME END-EXEC. MOVE EIBTRNID TO X");
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let p = &compilation.programs[0];
    assert_eq!(find(p, "DFHCOMMAREA").length_max, 100);
    assert_eq!(p.registers.commarea.map(|item| &*p.item(item).name), Some("DFHCOMMAREA"));
}

/// On the host such a program is compiled with the option CICS, which it needs for its parameters alone.
#[test]
fn a_program_with_a_commarea_is_for_cics_although_it_has_no_command() {
    let linkage = "01 DFHCOMMAREA.\n 05 X PIC X(100).";
    let parameters = |source: &str| -> Vec<String> {
        let compilation = compile(source);
        assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
        let p = &compilation.programs[0];
        p.parameters.iter().map(|parameter| p.item(parameter.item).name.to_string()).collect()
    };
    let text = source("", linkage, "MOVE SPACES TO X").replace("PROCEDURE DIVISION.", "PROCEDURE DIVISION USING DFHCOMMAREA.");
    assert_eq!(parameters(&text), ["DFHEIBLK", "DFHCOMMAREA"]);
    assert_eq!(parameters(&format!("       CBL NOCICS\n{text}")), ["DFHCOMMAREA"]);
}

#[test]
fn arguments_are_typed() {
    let compilation = cics(
        "01 R PIC X(80).\n01 K PIC X(6).\n01 L PIC S9(4) COMP.\n01 RC PIC S9(8) COMP.\n01 P POINTER.",
        "01 AREA1 PIC X(10).",
        "EXEC CICS READ FILE('CUST') INTO(R) LENGTH(L) RIDFLD(K) RESP(RC) END-EXEC\n\
         EXEC CICS ADDRESS CWA(ADDRESS OF AREA1) END-EXEC\n EXEC CICS GETMAIN SET(P) FLENGTH(100) END-EXEC\n\
         EXEC CICS HANDLE CONDITION NOTFND(MAIN) ERROR END-EXEC IF RC = DFHRESP(NOTFND) CONTINUE END-IF",
    );
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let p = &compilation.programs[0];
    let commands: Vec<&ExecCics> = body(p)
        .iter()
        .filter_map(|statement| if let StatementKind::ExecCics(command) = &statement.kind { Some(&**command) } else { None })
        .collect();
    let value = |command: &ExecCics, option: ::exec::OptionId| {
        command.arguments.iter().find(|argument| argument.option == option).map(|argument| argument.value.clone())
    };
    let read = commands[0];
    assert_eq!(read.command, ::exec::command::READ);
    assert_eq!(read.flags, ::exec::Block::NOHANDLE);
    assert!(matches!(value(read, ::exec::option::FILE), Some(ExecValue::Area(Operand::Literal(_)))));
    assert!(matches!(value(read, ::exec::option::INTO), Some(ExecValue::AreaOut(_))));
    assert!(matches!(value(read, ::exec::option::LENGTH), Some(ExecValue::IntegerInOut(_))));
    assert!(matches!(value(read, ::exec::option::RESP), Some(ExecValue::IntegerOut(_))));
    assert!(matches!(value(commands[1], ::exec::option::CWA), Some(ExecValue::PointerOut(AddressTarget::Base(_)))));
    assert!(matches!(value(commands[2], ::exec::option::SET), Some(ExecValue::PointerOut(AddressTarget::Item(_)))));
    assert!(matches!(value(commands[3], ::exec::option::NOTFND), Some(ExecValue::Label(LabelNumber(1)))));
    assert!(matches!(value(commands[3], ::exec::option::ERROR), Some(ExecValue::Flag)));
    assert_eq!(p.labels, [Label::Procedure(ProcedureId(0))]);
    let StatementKind::If(statement) = &body(p)[4].kind else { panic!() };
    let Condition::Relation(relation) = &statement.condition else { panic!() };
    assert!(matches!(&relation.right, Operand::Literal(Literal { value: LiteralValue::Numeric(number), .. }) if number.value == 13));
}

#[test]
fn wrong_commands_are_reported_at_the_option() {
    let compilation = cics("01 A PIC X(8).", "", "EXEC CICS READ FILE('X') INTO(NOWHERE) RIDFLD(A) END-EXEC. EXEC CICS NONSENSE END-EXEC.");
    assert!(!compilation.is_usable());
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(text.contains("NOWHERE is not defined"), "{text}");
}

#[test]
fn inquire_takes_a_literal_name_but_nothing_returns_into_one() {
    let compilation = cics("01 S PIC S9(8) COMP.", "", "EXEC CICS INQUIRE PROGRAM('MYPROG') STATUS(S) END-EXEC.");
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let compilation = cics("", "", "EXEC CICS ASSIGN APPLID('MYPROG') END-EXEC.");
    assert!(!compilation.is_usable());
}

/// The translator passes the address of a data area, and CICS uses the eight bytes there.
#[test]
fn a_packed_area_may_be_longer_with_a_warning() {
    let time = |area: &str| cics(area, "", "EXEC CICS ASKTIME ABSTIME(T) END-EXEC EXEC CICS FORMATTIME ABSTIME(T) TIME(T) END-EXEC.");
    for longer in ["01 T PIC X(20).", "01 T.\n 05 A PIC X(5).\n 05 B PIC X(5)."] {
        let compilation = time(longer);
        let text = compilation.diagnostics.render(&compilation.sources);
        assert!(compilation.is_usable() && compilation.diagnostics.return_code() == 4, "{text}");
        assert!(text.contains("ABSTIME is 8 bytes of packed decimal: the first 8 of the"), "{text}");
    }
    assert_eq!(time("01 T PIC X(8).").diagnostics.return_code(), 0);
    let shorter = time("01 T PIC X(6).");
    let text = shorter.diagnostics.render(&shorter.sources);
    assert!(!shorter.is_usable() && text.contains("ABSTIME needs 8 bytes of packed decimal; T is alphanumeric and has 6"), "{text}");
    // The length of a binary number is the documented one.
    assert!(!cics("01 L PIC X(8).\n01 R PIC X.", "", "EXEC CICS RECEIVE INTO(R) LENGTH(L) END-EXEC.").is_usable());
}
