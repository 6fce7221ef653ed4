//! EXEC SQL: where its messages stand, WHENEVER, the SQLCA, and the options of the coprocessor. Rules: Db2 for z/OS Application Programming
//! and SQL Guide, "Coding SQL statements in COBOL application programs".

use super::*;
use ::sql::{Action, Statement as Compiled};

const AREA: &str = "EXEC SQL INCLUDE SQLCA END-EXEC.\n01 K PIC S9(9) COMP.\n01 N PIC X(20).\n";

fn sql(working: &str, statements: &str) -> Compilation {
    compile(&source(&format!("{AREA}{working}"), "", statements))
}

/// The program and its SQL statements in order.
fn compiled(working: &str, statements: &str) -> (Program, Vec<ExecSql>) {
    let mut compilation = sql(working, statements);
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(compilation.diagnostics.return_code() <= 4, "{text}");
    let program = compilation.programs.remove(0);
    let found = statements_of(&program);
    (program, found)
}

fn statements_of(program: &Program) -> Vec<ExecSql> {
    let mut found = Vec::new();
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            if let StatementKind::ExecSql(sql) = &statement.kind {
                found.push((**sql).clone());
            }
        });
    }
    found
}

fn decoded(program: &Program, statement: &ExecSql) -> Compiled {
    Compiled::decode(&program.sql[statement.statement as usize]).expect("the compiler's own encoding")
}

/// Line, column and text of every message.
fn places(compilation: &Compilation) -> Vec<(u32, u16, String)> {
    compilation.diagnostics.iter().map(|message| (message.span.line, message.span.column, message.text.clone())).collect()
}

#[test]
fn a_select_has_its_host_variables_in_order() {
    let (p, statements) = compiled("", "EXEC SQL SELECT NAME INTO :N FROM CUSTOMER WHERE ID = :K END-EXEC.");
    let [select] = statements.as_slice() else { panic!("one statement") };
    let statement = decoded(&p, select);
    assert!(matches!(statement.action, Action::SelectInto { changes: false }));
    let names: Vec<&str> = statement.variables.iter().map(|variable| variable.name.as_str()).collect();
    let items: Vec<&str> = select.variables.iter().map(|variable| &*p.item(variable.data.item).name).collect();
    assert_eq!((names, items), (vec!["N", "K"], vec!["N", "K"]));
    assert_eq!((statement.inputs, statement.outputs), (vec![1], vec![0]));
    assert_eq!(select.variables.iter().map(|variable| variable.is_set).collect::<Vec<_>>(), [true, false]);
    let area = select.result.sqlca.as_ref().expect("the SQLCA");
    assert_eq!((&*p.item(area.item).name, p.item(area.item).length_max), ("SQLCA", 136));
    assert_eq!(&*select.text, "SELECT NAME INTO : N FROM CUSTOMER WHERE ID = : K".replace(": ", ":"));
}

#[test]
fn messages_stand_at_the_line_and_column_of_the_word() {
    let compilation =
        sql("", "    EXEC SQL\n      SELECT NAME -- a comment's quote\n        INTO :N, :NOWHERE\n        FROM CUSTOMER\n    END-EXEC.");
    let (line, column, text) = &places(&compilation)[0];
    assert_eq!((*line, *column), (15, 19), "{text}");
    assert!(text.contains("NOWHERE is not defined"), "{text}");
    let compilation = sql("", "    EXEC SQL DELETE FROM CUSTOMER\n      WHERE ID IS NOT 'x  y'\n    END-EXEC.");
    let (line, column, text) = &places(&compilation)[0];
    assert_eq!((*line, *column), (14, 23), "{text}");
}

/// Fixed format: a literal continued on the next line, comment lines, and words after column 72.
#[test]
fn continued_literals_keep_their_characters() {
    let text = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n\
         \x20      WORKING-STORAGE SECTION.\n           EXEC SQL INCLUDE SQLCA END-EXEC.\n\
         \x20      PROCEDURE DIVISION.\n           EXEC SQL\n\
         \x20            UPDATE CUSTOMER SET NAME = 'it''s  a long text that reaches up to\n\
         \x20     *  a comment of COBOL\n      -    ' the end'\n           END-EXEC.\n           GOBACK.\n";
    let options = Options { format: crate::options::SourceFormat::Fixed, ..Options::default() };
    let compilation = compile_source("TEST.cbl", text.as_bytes(), &options, &NoCopies);
    assert!(compilation.diagnostics.return_code() <= 4, "{}", compilation.diagnostics.render(&compilation.sources));
    let statements = statements_of(&compilation.programs[0]);
    let written = &statements[0].text;
    assert_eq!(&**written, "UPDATE CUSTOMER SET NAME = 'it''s  a long text that reaches the end'");
}

#[test]
fn a_program_needs_an_sqlca_or_its_own_sqlcode() {
    let statement = "EXEC SQL DELETE FROM T END-EXEC EXEC SQL COMMIT END-EXEC.";
    let compilation = compile(&source("01 A PIC X.", "", statement));
    let found: Vec<_> = compilation.diagnostics.iter().collect();
    assert_eq!(found.len(), 1, "{}", compilation.diagnostics.render(&compilation.sources));
    assert_eq!(found[0].expected.as_deref(), Some("EXEC SQL INCLUDE SQLCA END-EXEC in WORKING-STORAGE"));
    let own = "01 SQLCODE PIC S9(9) COMP-5.\n01 SQLSTATE PIC X(5).";
    let compilation = compile(&source(own, "", statement));
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let first = &statements_of(&compilation.programs[0])[0].result;
    assert!(first.sqlca.is_none() && first.sqlcode.is_some() && first.sqlstate.is_some());
}

#[test]
fn whenever_applies_to_the_text_behind_it() {
    let (p, statements) = compiled(
        "",
        "EXEC SQL DELETE FROM A END-EXEC.\n EXEC SQL WHENEVER NOT FOUND GO TO NONE-LEFT END-EXEC.\n\
         EXEC SQL WHENEVER SQLERROR GOTO :FAILED END-EXEC.\n\
         PERFORM SECOND. GOBACK.\nSECOND.\n EXEC SQL DELETE FROM B END-EXEC.\n EXEC SQL WHENEVER NOT FOUND CONTINUE END-EXEC.\n\
         EXEC SQL DELETE FROM C END-EXEC.\nNONE-LEFT.\n CONTINUE.\nFAILED.\n CONTINUE.",
    );
    let name = |id: Option<ProcedureId>| id.map(|id| p.procedure(id).name.to_string());
    let targets: Vec<_> =
        statements.iter().map(|sql| (name(sql.whenever.not_found), name(sql.whenever.error), name(sql.whenever.warning))).collect();
    let failed = Some("FAILED".to_string());
    assert_eq!(targets, [(None, None, None), (Some("NONE-LEFT".to_string()), failed.clone(), None), (None, failed, None)]);
}

#[test]
fn the_label_of_whenever_must_exist() {
    let compilation = sql("", "    EXEC SQL WHENEVER SQLERROR GO TO NO-SUCH-LABEL END-EXEC.");
    let (line, column, text) = &places(&compilation)[0];
    assert_eq!((*line, *column, text.as_str()), (13, 38, "the procedure NO-SUCH-LABEL is not defined"));
}

/// The names of paragraphs may begin with digits.
#[test]
fn a_label_may_begin_with_a_digit() {
    let (p, statements) =
        compiled("", "EXEC SQL WHENEVER SQLERROR GO TO 9999-FAILED END-EXEC.\n EXEC SQL DELETE FROM B END-EXEC.\n9999-FAILED.\n CONTINUE.");
    assert_eq!(statements[0].whenever.error.map(|id| &*p.procedure(id).name), Some("9999-FAILED"));
}

#[test]
fn cursors_are_declared_anywhere_before_their_use() {
    let working = "EXEC SQL DECLARE C1 CURSOR FOR SELECT NAME FROM CUSTOMER WHERE ID > :K END-EXEC.";
    let (p, statements) = compiled(working, "EXEC SQL OPEN C1 END-EXEC EXEC SQL FETCH C1 INTO :N END-EXEC EXEC SQL CLOSE C1 END-EXEC.");
    let open = decoded(&p, &statements[0]);
    assert!(matches!(&open.action, Action::Open { cursor } if cursor.name == "C1"));
    assert_eq!(open.variables.len(), 1);
    assert_eq!(&*p.item(statements[0].variables[0].data.item).name, "K");
    let Action::Fetch { cursor, .. } = decoded(&p, &statements[1]).action else { panic!("FETCH") };
    assert_eq!(cursor, "C1");
}

#[test]
fn declarations_of_the_data_division_are_checked() {
    let compilation = sql("EXEC SQL DECLARE C1 CURSOR FOR SELECT NAME FROM CUSTOMER WHERE ID > :MISSING END-EXEC.", "CONTINUE.");
    assert!(places(&compilation)[0].2.contains("MISSING is not defined"));
    let compilation = sql("EXEC SQL DELETE FROM CUSTOMER END-EXEC.", "CONTINUE.");
    assert!(places(&compilation)[0].2.contains("not valid in the DATA DIVISION"));
    // DCLGEN's form.
    let table = "EXEC SQL DECLARE CUSTOMER TABLE\n (ID INTEGER NOT NULL,\n NAME CHAR(20)\n ) END-EXEC.\n\
                 EXEC SQL BEGIN DECLARE SECTION END-EXEC.\n01 X PIC X.\nEXEC SQL END DECLARE SECTION END-EXEC.";
    assert!(sql(table, "EXEC SQL SELECT NAME INTO :N FROM CUSTOMER END-EXEC.").is_usable());
}

#[test]
fn commit_under_cics_is_told_its_code() {
    let compilation = sql("", "EXEC CICS ASKTIME END-EXEC EXEC SQL COMMIT END-EXEC EXEC SQL ROLLBACK END-EXEC.");
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(text.contains("COMMIT gives SQLCODE -925") && text.contains("ROLLBACK gives SQLCODE -926"), "{text}");
    assert!(compilation.is_usable());
}

#[test]
fn options_reach_the_translation() {
    let text = |options: &str| format!("       CBL {options}\n");
    let program = |card: &str| {
        let body = "       ID DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n\
         \x20          EXEC SQL INCLUDE SQLCA END-EXEC.\n       PROCEDURE DIVISION.\n\
         \x20          EXEC SQL DELETE FROM T WHERE A = \"x\" END-EXEC.\n           GOBACK.\n";
        let options = Options { format: crate::options::SourceFormat::Fixed, ..Options::default() };
        compile_source("TEST.cbl", format!("{card}{body}").as_bytes(), &options, &NoCopies)
    };
    let compilation = program(&text("SQL(\"QUOTESQL DEC(31)\")"));
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    assert!(compilation.options.sql.quotes && compilation.options.sql.long_decimals);
    let p = &compilation.programs[0];
    assert!(decoded(p, &statements_of(p)[0]).text.contains("'x'"));
    let unknown = program(&text("SQL(\"NONSENSE\")"));
    let messages = unknown.diagnostics.render(&unknown.sources);
    assert!(messages.contains("NONSENSE of SQL"), "{messages}");
}

/// A nested program uses the cursors of the program around it and global items; WHENEVER stays outside.
#[test]
fn nested_programs_share_cursors_but_not_whenever() {
    let text = "IDENTIFICATION DIVISION.\nPROGRAM-ID. T.\nDATA DIVISION.\nWORKING-STORAGE SECTION.\n01 K PIC S9(9) COMP-5 GLOBAL.\n\
                01 SQLCODE PIC S9(9) COMP-5 GLOBAL.\nEXEC SQL DECLARE C1 CURSOR FOR SELECT A FROM T WHERE B = :K END-EXEC.\n\
                PROCEDURE DIVISION.\nMAIN.\n EXEC SQL WHENEVER SQLERROR GO TO MAIN END-EXEC.\n CALL 'INNER'. GOBACK.\n\
                IDENTIFICATION DIVISION.\nPROGRAM-ID. INNER.\nPROCEDURE DIVISION.\n EXEC SQL OPEN C1 END-EXEC. GOBACK.\n\
                END PROGRAM INNER.\nEND PROGRAM T.\n";
    let compilation = compile(text);
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let inner = &compilation.programs[0].nested[0];
    let statements = statements_of(inner);
    assert_eq!(statements[0].whenever.error, None);
    assert_eq!(decoded(inner, &statements[0]).variables.len(), 1);
}

#[test]
fn a_change_directly_ahead_of_another_statement_is_unobserved() {
    let working = "EXEC SQL INCLUDE SQLCA END-EXEC.\n01 AGAIN REDEFINES SQLCA.\n    05 FILLER PIC X(12).\n    05 ALIAS PIC S9(9) COMP.\n\
                   \x20   05 WARNED PIC S9(4) COMP.\n01 K PIC S9(9) COMP.\n01 N-OUT PIC S9(9) COMP.";
    let insert = "EXEC SQL INSERT INTO A VALUES (1) END-EXEC";
    for (text, expected) in [
        (format!("{insert} {insert} {insert}."), vec![true, true, false]),
        (format!("{insert}. {insert}. IF SQLCODE = 0 {insert} {insert} END-IF. {insert}."), vec![true, false, true, false, false]),
        (format!("{insert}. CONTINUE. {insert}. EXEC SQL COMMIT END-EXEC."), vec![false, false, false]),
        (format!("{insert}. EXEC SQL SELECT N INTO :N-OUT FROM A END-EXEC. {insert}."), vec![true, false, false]),
        (format!("{insert}. EXEC SQL INSERT INTO A VALUES (:SQLCODE) END-EXEC. {insert}."), vec![false, true, false]),
        (format!("{insert}. EXEC SQL INSERT INTO A VALUES (:ALIAS) END-EXEC. {insert}."), vec![false, true, false]),
        (format!("{insert}. EXEC SQL INSERT INTO A VALUES (:K:WARNED) END-EXEC. {insert}."), vec![false, true, false]),
        (format!("{insert}. EXEC SQL INSERT INTO A VALUES (:PASSED) END-EXEC. {insert}."), vec![false, true, false]),
        (format!("EXEC SQL WHENEVER SQLERROR GO TO MAIN END-EXEC. {insert}. {insert}."), vec![false, false]),
        (format!("{insert}. EXEC SQL WHENEVER SQLERROR CONTINUE END-EXEC. {insert}."), vec![false, false]),
        (format!("{insert}. SECOND. {insert}."), vec![false, false]),
    ] {
        let text = text.replace(". ", ".\n    ");
        let compilation = compile(&source(working, "01 PASSED PIC S9(9) COMP.", &text));
        assert!(compilation.diagnostics.return_code() <= 4, "{}", compilation.diagnostics.render(&compilation.sources));
        let flags: Vec<bool> = compilation.programs[0].sql.iter().map(|bytes| Compiled::decode(bytes).unwrap().is_unobserved).collect();
        assert_eq!(flags, expected, "{text}");
    }
}
