//! What the translator leaves as it is, what it replaces, and what it refuses.

use super::*;

fn translated(source: &str) -> (String, Vec<String>) {
    let mut diagnostics = Diagnostics::default();
    let translation = translate("t.c", source, None, &mut Embedded::new(37, true, 0), &mut diagnostics);
    (
        translation.text,
        diagnostics.iter().map(|message| format!("{}:{} {}", message.span.line, message.span.column, message.code)).collect(),
    )
}

#[test]
fn text_outside_commands_is_unchanged() {
    let source = "/* EXEC CICS */ char *a = \"EXEC CICS RETURN;\"; int exec_count; // DFHRESP(NORMAL)\n";
    assert!(translated(source).0.ends_with(source));
}

#[test]
fn constants_become_numbers() {
    let (text, messages) = translated("if (r == DFHRESP(notfnd) || r == DFHRESP( NORMAL )) s = DFHVALUE(OPEN);");
    assert!(text.ends_with("if (r == 13 || r == 0) s = 18;"), "{text}");
    assert!(messages.is_empty());
    assert_eq!(translated("\n x = DFHRESP(NONE);").1, ["2:6 XL0021"]);
}

#[test]
fn errors_of_commands_are_at_their_options() {
    assert_eq!(translated("  EXEC CICS RETRUN;").1, ["1:13 XL0005"]);
    assert_eq!(translated("EXEC CICS LINK PROGRAM(\"P\")\n   COMAREA(x);").1, ["2:4 XL0007"]);
    assert_eq!(translated("EXEC CICS HANDLE CONDITION ERROR(x);").1, ["1:28 XL0017"]);
    assert_eq!(translated("EXEC CICS HANDLE ABEND LABEL(x);").1, ["1:24 XL0017"]);
    assert!(translated("EXEC CICS HANDLE ABEND PROGRAM(\"X\");").1.is_empty());
    assert_eq!(translated("EXEC CICS SEND MAP(\"M\");\nEXEC CICS RECEIVE MAP(\"M\");").1, ["1:1 XL0022", "2:1 XL0022"]);
    assert!(translated("EXEC CICS SEND MAP(\"M\") MAPONLY; EXEC CICS RECEIVE MAP(\"M\") SET(p);").1.is_empty());
    assert_eq!(translated("EXEC CICS RETURN").1, ["1:1 XL0019"]);
}

#[test]
fn the_type_decimal_is_refused_where_it_is_one() {
    assert_eq!(
        translated("#include <decimal.h>\nstatic decimal(5,2) x;\ndecimal(31, 0) *p;").1,
        ["1:1 XL0025", "2:8 XL0025", "3:1 XL0025"]
    );
    assert!(translated("int decimal(int a, int b); int y = decimal(5, 2) * x, z = decimal(1);").1.is_empty());
}

#[test]
fn a_command_without_semicolon_is_named() {
    let told = |source: &str| {
        let mut diagnostics = Diagnostics::default();
        let text = translate("t.c", source, None, &mut Embedded::new(37, true, 0), &mut diagnostics).text;
        (diagnostics.iter().map(|message| format!("{}: {}", message.span.line, message.text)).collect::<Vec<_>>(), text)
    };
    for next in ["x = 1;", "}", "EXEC CICS RETURN;", "return;", "for (;;) x++;", "printf(\"x\");", "#define A 1"] {
        let (messages, text) = told(&format!("\nEXEC CICS READ FILE(\"F\")\n  INTO(a) RIDFLD(k)\n{next}\n"));
        assert_eq!(messages, ["2: EXEC CICS READ FILE(\"F\") has no semicolon at its end before line 4"], "{next}");
        assert!(next.starts_with("EXEC") || text.contains(next), "what follows is C: {text}");
    }
    assert_eq!(told("EXEC CICS SYNCPOINT").0, ["1: EXEC CICS SYNCPOINT has no semicolon at its end"]);
    assert!(told("exec cics delay\n for seconds(3);").0.is_empty());
}

#[test]
fn packed_and_pragmas_become_their_likes() {
    let (text, _) = translated("#pragma pack(packed)\n_Packed struct a { int b; };\n#pragma pack(reset)\n#pragma options(XPLINK)\n");
    assert!(text.contains("#pragma pack(1)\nstruct __attribute__((packed)) a"), "{text}");
    assert!(text.contains("#pragma pack()\n"));
    assert_eq!(
        translate("t.c", "#pragma options(NOXPLINK)", None, &mut Embedded::new(37, true, 0), &mut Diagnostics::default()).xplink,
        Some(false)
    );
}

#[test]
fn the_last_translator_option_about_edf_counts() {
    let noedf = |source: &str| translate("t.c", source, None, &mut Embedded::new(37, true, 0), &mut Diagnostics::default()).noedf;
    assert!(noedf("#pragma XOPTS(NOEDF)") && noedf("#pragma xopts(cics,noedf)") && noedf("#pragma XOPTS(EDF,NOEDF)"));
    assert!(!noedf("") && !noedf("#pragma XOPTS(SP)") && !noedf("#pragma XOPTS(NOEDF)\n#pragma XOPTS(EDF)"));
}
