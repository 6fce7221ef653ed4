//! Contained programs and the names they see.

use super::*;

const NESTED: &str = "IDENTIFICATION DIVISION.\nPROGRAM-ID. OUTER.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n\
01 G GLOBAL.\n 05 G1 PIC X(4).\n  88 G-ON VALUE 'Y'.\n 05 T OCCURS 3 INDEXED BY GX PIC 9.\n01 H PIC 9.\n\
PROCEDURE DIVISION.\nM.\n CALL 'INNER' USING H. CALL 'OTHER'. GOBACK.\n\
IDENTIFICATION DIVISION.\nPROGRAM-ID. INNER.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n01 W PIC 9.\nLINKAGE SECTION.\n01 P PIC 9.\n\
PROCEDURE DIVISION USING P.\nM.\n MOVE 'A' TO G1. IF G-ON SET GX TO 1 MOVE T (GX) TO W. MOVE 3 TO RETURN-CODE. CALL 'LEAF'. GOBACK.\n\
END PROGRAM INNER.\nIDENTIFICATION DIVISION.\nPROGRAM-ID. LEAF IS COMMON.\nPROCEDURE DIVISION.\nM.\n GOBACK.\nEND PROGRAM LEAF.\n\
END PROGRAM OUTER.\nIDENTIFICATION DIVISION.\nPROGRAM-ID. SECOND.\nPROCEDURE DIVISION.\nM.\n GOBACK.\n";

#[test]
fn global_names_reach_contained_programs() {
    let compilation = compile(NESTED);
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let names: Vec<&str> = compilation.programs.iter().map(|program| &*program.name).collect();
    assert_eq!(names, ["OUTER", "SECOND"]);
    let outer = &compilation.programs[0];
    assert_eq!(outer.nested.len(), 2);
    let inner = &outer.nested[0];
    let g1 = find(inner, "G1");
    assert!(matches!(inner.base(g1.base).kind, BaseKind::Outer { levels: 1, .. }));
    assert_eq!(g1.offset.fixed, 0);
    let t = find(inner, "T");
    assert_eq!(t.offset.fixed, 4);
    assert_eq!(t.occurs.as_ref().map(|occurs| occurs.indexes.len()), Some(1));
    assert!(outer.nested[1].common);
}

#[test]
fn calls_find_contained_and_common_programs() {
    let compilation = compile(NESTED);
    let outer = &compilation.programs[0];
    let target = |statement: &Statement| match &statement.kind {
        StatementKind::Call(call) => call.target.clone(),
        other => panic!("{other:?}"),
    };
    let calls = &outer.procedures[0].statements;
    assert!(matches!(target(&calls[0]), CallTarget::Nested { levels: 0, path } if path == [0]));
    assert!(matches!(target(&calls[1]), CallTarget::Literal(_)));
    let inner = &outer.nested[0].procedures[0].statements;
    let call = inner.iter().find(|statement| matches!(statement.kind, StatementKind::Call(_))).expect("call");
    assert!(matches!(target(call), CallTarget::Nested { levels: 1, path } if path == [1]));
}

#[test]
fn names_that_are_not_global_stay_inside() {
    let text = NESTED.replace("MOVE 'A' TO G1", "MOVE 1 TO H");
    let found = messages(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("H is not defined"));
}

#[test]
fn a_contained_program_cannot_be_recursive() {
    let text = "IDENTIFICATION DIVISION.\nPROGRAM-ID. A.\nPROCEDURE DIVISION.\n    GOBACK.\nIDENTIFICATION DIVISION.\n\
                PROGRAM-ID. B IS RECURSIVE.\nPROCEDURE DIVISION.\n    GOBACK.\nEND PROGRAM B.\nEND PROGRAM A.\n";
    let found = messages(text);
    assert!(matches!(found.as_slice(), [only] if only.contains("a contained program cannot be recursive")), "{found:?}");
    assert!(messages("IDENTIFICATION DIVISION.\nPROGRAM-ID. A IS RECURSIVE.\nPROCEDURE DIVISION.\n    GOBACK.\n").is_empty());
    let outer = text.replace("B IS RECURSIVE", "B").replace("PROGRAM-ID. A.", "PROGRAM-ID. A IS RECURSIVE.");
    assert_eq!(messages(&outer), ["S A is RECURSIVE; such a program cannot contain others"]);
}

/// Language Reference, "Scope of names": the search for a name goes outwards and ends with the first program that has it.
#[test]
fn a_global_name_further_in_hides_the_one_further_out() {
    let text = "IDENTIFICATION DIVISION.\nPROGRAM-ID. OUTER.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n\
                01 A PIC X(5) GLOBAL.\n01 B PIC X(5) GLOBAL.\n01 G GLOBAL.\n 05 X PIC X(5).\nPROCEDURE DIVISION.\n GOBACK.\n\
                IDENTIFICATION DIVISION.\nPROGRAM-ID. MIDDLE.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n\
                01 A PIC X(6) GLOBAL.\n01 B PIC X(6).\n01 H GLOBAL.\n 05 X PIC X(5).\nPROCEDURE DIVISION.\n GOBACK.\n\
                IDENTIFICATION DIVISION.\nPROGRAM-ID. INNER.\nPROCEDURE DIVISION.\n\
                 MOVE 'A' TO A. MOVE 'B' TO B. MOVE 'X' TO X. MOVE 'X' TO X OF G. GOBACK.\n\
                END PROGRAM INNER.\nEND PROGRAM MIDDLE.\nEND PROGRAM OUTER.\n";
    let compilation = compile(text);
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let inner = &compilation.programs[0].nested[0].nested[0];
    let levels = |statement: &Statement| {
        let StatementKind::Move(statement) = &statement.kind else { panic!("{statement:?}") };
        match inner.base(inner.item(statement.to[0].item).base).kind {
            BaseKind::Outer { levels, .. } => levels,
            ref other => panic!("{other:?}"),
        }
    };
    let found: Vec<u32> = inner.procedures[0].statements[..4].iter().map(levels).collect();
    assert_eq!(found, [1, 2, 1, 2]);
    // Twice in one program it is still not unique.
    let twice = text.replace("01 B PIC X(6).", "01 C GLOBAL.\n 05 B PIC 9.\n01 D GLOBAL.\n 05 B PIC 9.");
    let found = messages(&twice);
    assert!(matches!(found.as_slice(), [only] if only.contains("B is not unique")), "{found:?}");
}
