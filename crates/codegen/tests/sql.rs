//! EXEC SQL as the database sees it: the request, the addresses of host variables, WHENEVER; and DSNTIAR, which needs no database.

mod common;

use common::{ASCII, EBCDIC, compile_with, settings};
use kernel::Departure;
use program::batch::{BatchHost, SqlService};
use program::module::Module;
use program::requests::{SqlOutcome, SqlRequest, SqlVariable};
use program::rununit::{Ended, FrameId};
use std::sync::Arc;

/// What a statement does: its statement, the request and its variables.
type Step = Box<dyn FnMut(&sql::Statement, &SqlRequest, &[SqlVariable]) -> SqlOutcome>;

struct Scripted(std::vec::IntoIter<Step>);

impl SqlService for Scripted {
    fn execute(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
        let text = &frame.program_info().sql[request.statement as usize];
        let statement = sql::Statement::decode(&text.bytes).expect("a statement of this compiler");
        // The variables of a request live until this returns.
        let variables = match request.variable_count {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(request.variables, count as usize) },
        };
        assert_eq!(statement.variables.len(), variables.len());
        let mut step = self.0.next().expect("a statement too many");
        Ok(step(&statement, request, variables))
    }
}

fn run(module: &Arc<Module>, others: &[Arc<Module>], steps: Vec<Step>) -> String {
    let mut output = Vec::new();
    let mut host = BatchHost::new(&mut output);
    others.iter().for_each(|other| host.add(other));
    host.sql = Some(Box::new(Scripted(steps.into_iter())));
    let (ended, _) = host.run(module, None);
    if let Ended::Abended(failure) = &ended {
        panic!("{}", failure.text());
    }
    drop(host);
    String::from_utf8(output).expect("DISPLAY writes UTF-8")
}

fn set(address: u64, bytes: &[u8]) {
    assert!(address < 1 << 31, "storage of programs is below 2 GB");
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
}

fn get(address: u64, length: usize) -> Vec<u8> {
    unsafe { std::slice::from_raw_parts(address as usize as *const u8, length) }.to_vec()
}

const AREA: &str = "    EXEC SQL INCLUDE SQLCA END-EXEC.\n";

fn module(data: &str, procedure: &str, inline: bool) -> Arc<Module> {
    compile_with(&common::program(&format!("{AREA}{data}"), procedure), EBCDIC, &settings(inline))
}

#[test]
fn a_select_reads_and_sets_the_items_of_the_program() {
    let data = "01  K PIC S9(9) COMP VALUE 7.\n01  CUSTOMER.\n    05  NAME PIC X(6).\n    05  CITY.\n        49  CITY-L PIC S9(4) COMP.\n\
                \x20       49  CITY-D PIC X(10).\n01  IND PIC S9(4) COMP OCCURS 2.\n";
    let data = data.replace("01  IND PIC S9(4) COMP OCCURS 2.", "01  INDS.\n    05  IND PIC S9(4) COMP OCCURS 2.");
    let procedure = "    EXEC SQL SELECT NAME, CITY INTO :CUSTOMER:IND FROM T\n        WHERE ID = :K END-EXEC.\n\
                     \x20   DISPLAY NAME '/' CITY-D(1:CITY-L) '/' IND(2) '/' SQLCODE.\n    GOBACK.";
    for inline in [true, false] {
        let step: Step = Box::new(|statement, request, variables| {
            let page = &le::code_page::CCSID_037;
            assert!(matches!(statement.action, sql::Action::SelectInto { .. }), "{:?}", statement.action);
            let key = statement.inputs[0] as usize;
            assert_eq!(get(variables[key].address, 4), 7_i32.to_be_bytes());
            assert_eq!(variables[key].indicator, 0);
            let [name, city] = [0, 1].map(|index| variables[statement.outputs[index] as usize]);
            set(name.address, &page.encode("SMITH "));
            set(city.address, &[0, 4]);
            set(city.address + 2, &page.encode("ROME"));
            assert_eq!(city.indicator, name.indicator + 2);
            set(city.indicator, &5_i16.to_be_bytes());
            set(request.sqlca + 12, &0_i32.to_be_bytes());
            assert_eq!((request.sqlcode, request.sqlstate), (0, 0));
            SqlOutcome::Successful
        });
        let shown = run(&module(&data, procedure, inline), &[], vec![step]);
        assert_eq!(shown.trim_end(), "SMITH /ROME/0005/0000000000");
    }
}

/// Each outcome goes where WHENEVER says, from a performed paragraph in a loop too.
#[test]
fn whenever_branches_on_the_outcome() {
    let data = "01  N PIC S9(4) COMP.\n01  TOTAL PIC 9(5) VALUE 0.";
    let procedure = "    EXEC SQL WHENEVER NOT FOUND GO TO 900-DONE END-EXEC.\n    EXEC SQL WHENEVER SQLERROR GOTO FAILED END-EXEC.\n\
                     \x20   EXEC SQL WHENEVER SQLWARNING GO TO WARNED END-EXEC.\n\
                     \x20   PERFORM FETCH-ONE UNTIL N = 999.\n    DISPLAY 'NEVER'.\n    GOBACK.\n\
                     FETCH-ONE.\n    EXEC SQL SELECT N INTO :N FROM T END-EXEC.\n    ADD N TO TOTAL.\n\
                     WARNED.\n    DISPLAY 'WARNED ' TOTAL.\n    EXEC SQL WHENEVER SQLWARNING CONTINUE END-EXEC.\n\
                     \x20   EXEC SQL DELETE FROM T END-EXEC.\n    DISPLAY 'ON'.\n    EXEC SQL DELETE FROM T END-EXEC.\n\
                     \x20   DISPLAY 'NEVER'.\n\
                     FAILED.\n    DISPLAY 'FAILED'.\n    EXEC SQL SELECT N INTO :N FROM T END-EXEC.\n    DISPLAY 'NEVER'.\n\
                     900-DONE.\n    DISPLAY 'DONE'.\n    GOBACK.";
    let outcome = |outcome: SqlOutcome, value: i16| -> Step {
        Box::new(move |_, _, variables| {
            variables.iter().for_each(|variable| set(variable.address, &value.to_be_bytes()));
            outcome
        })
    };
    for inline in [true, false] {
        let steps = vec![
            outcome(SqlOutcome::Successful, 20),
            outcome(SqlOutcome::Successful, 22),
            outcome(SqlOutcome::Warning, 1),
            outcome(SqlOutcome::Warning, 0),
            outcome(SqlOutcome::Error, 0),
            outcome(SqlOutcome::NotFound, 0),
        ];
        let shown = run(&module(data, procedure, inline), &[], steps);
        assert_eq!(shown.lines().map(str::trim_end).collect::<Vec<_>>(), ["WARNED 00042", "ON", "FAILED", "DONE"]);
    }
}

#[test]
fn arrays_have_the_address_of_their_first_element() {
    let data = "01  TAB.\n    05  ROW-X OCCURS 3.\n        10  A PIC X(4).\n        10  B PIC S9(4) COMP.\n\
                \x20       10  IND PIC S9(4) COMP.\n\
                \x20   EXEC SQL DECLARE C1 CURSOR WITH ROWSET POSITIONING FOR\n        SELECT A, B FROM T END-EXEC.";
    let procedure = "    EXEC SQL FETCH NEXT ROWSET FROM C1 FOR 3 ROWS\n        INTO :A, :B:IND END-EXEC.\n\
         \x20   DISPLAY A(1) A(3) B(3) IND(2).\n    GOBACK.";
    let step: Step = Box::new(|statement, _, variables| {
        let page = &le::code_page::CCSID_037;
        let (first, second) = (&statement.variables[0], &statement.variables[1]);
        assert_eq!((first.stride, first.occurs, second.stride, second.indicator_stride), (8, 3, 8, 8));
        set(variables[0].address, &page.encode("ONE "));
        set(variables[0].address + 16, &page.encode("TREE"));
        set(variables[1].address + 16, &33_i16.to_be_bytes());
        set(variables[1].indicator + 8, &2_i16.to_be_bytes());
        SqlOutcome::Successful
    });
    let shown = run(&module(data, procedure, true), &[], vec![step]);
    assert_eq!(shown.trim_end(), "ONE TREE00330002");
}

/// LINKAGE and LOCAL-STORAGE items, and those of a containing program.
#[test]
fn host_variables_are_found_in_every_section() {
    let inner = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. CALLED.\n       DATA DIVISION.\n\
         \x20      WORKING-STORAGE SECTION.\n       01  SQLCODE PIC S9(9) COMP-5 GLOBAL.\n\
         \x20      01  G PIC X(3) GLOBAL VALUE 'GLO'.\n       LOCAL-STORAGE SECTION.\n\
         \x20      01  L PIC X(3) VALUE 'LOC'.\n       LINKAGE SECTION.\n       01  P PIC X(3).\n\
         \x20      PROCEDURE DIVISION USING P.\n\
         \x20          EXEC SQL DELETE FROM T WHERE A = :P AND B = :L END-EXEC.\n           CALL 'NESTED'.\n\
         \x20          GOBACK.\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. NESTED.\n\
         \x20      PROCEDURE DIVISION.\n           EXEC SQL DELETE FROM T WHERE A = :G END-EXEC.\n\
         \x20          DISPLAY SQLCODE.\n           GOBACK.\n       END PROGRAM NESTED.\n\
         \x20      END PROGRAM CALLED.\n";
    let outer = common::program("01  ARG PIC X(3) VALUE 'LNK'.", "    CALL 'CALLED' USING ARG.\n    GOBACK.");
    let text = |variables: &[SqlVariable], index: usize| le::code_page::CCSID_037.decode(&get(variables[index].address, 3)).to_string();
    let first: Step = Box::new(move |_, _, variables| {
        assert_eq!((text(variables, 0), text(variables, 1)), ("LNK".to_string(), "LOC".to_string()));
        SqlOutcome::Successful
    });
    let second: Step = Box::new(move |_, request, variables| {
        assert_eq!((text(variables, 0).as_str(), request.sqlca, request.statement), ("GLO", 0, 0));
        set(request.sqlcode, &(-204_i32).to_be_bytes());
        SqlOutcome::Error
    });
    let called = compile_with(inner, EBCDIC, &settings(true));
    let shown = run(&compile_with(&outer, EBCDIC, &settings(true)), &[called], vec![first, second]);
    assert_eq!(shown.trim_end(), "000000020M");
}

#[test]
fn dsntiar_makes_lines_of_an_sqlca() {
    let data = "    EXEC SQL INCLUDE SQLCA END-EXEC.\n01  MSG.\n    05  MSG-L PIC S9(4) COMP VALUE 720.\n\
                \x20   05  MSG-T PIC X(72) OCCURS 10.\n\
                01  LINE-L PIC S9(9) COMP VALUE 72.\n";
    let procedure = "    MOVE -204 TO SQLCODE. MOVE '42704' TO SQLSTATE.\n    MOVE 8 TO SQLERRML. MOVE 'OWNER.T1' TO SQLERRMC.\n\
                     \x20   MOVE 'DSNXOTL' TO SQLERRP.\n    MOVE SPACES TO SQLWARN SQLWARN8 SQLWARN9 SQLWARNA.\n\
                     \x20   CALL 'DSNTIAR' USING SQLCA MSG LINE-L.\n    DISPLAY MSG-T(1).\n\
                     \x20   MOVE 71 TO LINE-L.\n    CALL 'DSNTIAR' USING SQLCA MSG LINE-L.\n    DISPLAY RETURN-CODE.\n    GOBACK.";
    for ccsid in [EBCDIC, ASCII] {
        let module = compile_with(&common::program(data, procedure), ccsid, &settings(true));
        let shown = common::run_module(&module, &[]);
        assert!(shown.failure.is_none());
        let lines: Vec<&str> = shown.output.lines().collect();
        assert!(lines[0].starts_with(" DSNT408I SQLCODE = -204, ERROR:  OWNER.T1 "), "{}", shown.output);
        assert_eq!(lines[0].len(), 72);
        // A line of less than 72 bytes.
        assert!(lines[1].trim_start_matches(['+', '0']).starts_with('8'), "{}", shown.output);
    }
}
