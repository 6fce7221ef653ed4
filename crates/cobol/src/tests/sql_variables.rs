//! Host variables of EXEC SQL: every form of item, structures, arrays and indicators. Rules: Db2 for z/OS Application Programming and SQL
//! Guide, "Equivalent SQL and COBOL data types", "Host structures in COBOL".

use super::*;
use ::sql::{Statement as Compiled, Variable, VariableType};

const AREA: &str = "EXEC SQL INCLUDE SQLCA END-EXEC.\n";

fn compilation(working: &str, statement: &str) -> Compilation {
    compile(&source(&format!("{AREA}{working}"), "", &format!("EXEC SQL {statement} END-EXEC.")))
}

/// The host variables of a statement, and the names of their items.
fn variables(working: &str, statement: &str) -> (Vec<Variable>, Vec<String>, Program) {
    let mut compilation = compilation(working, statement);
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(compilation.diagnostics.return_code() <= 4, "{text}");
    let program = compilation.programs.remove(0);
    let StatementKind::ExecSql(sql) = &body(&program)[0].kind else { panic!("an SQL statement") };
    let variables = Compiled::decode(&program.sql[0]).expect("an encoded statement").variables;
    let names = sql.variables.iter().map(|variable| program.item(variable.data.item).name.to_string()).collect();
    (variables, names, program)
}

fn one(description: &str) -> Variable {
    let (mut variables, ..) = variables(&format!("01 V {description}."), "SELECT A INTO :V FROM T");
    assert_eq!(variables.len(), 1);
    variables.remove(0)
}

fn refused(description: &str) -> String {
    let compilation = compilation(&format!("01 V {description}."), "SELECT A INTO :V FROM T");
    assert!(!compilation.is_usable(), "{description}");
    compilation.diagnostics.iter().map(|message| message.text.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn numbers_are_of_the_type_of_their_usage() {
    for (description, kind, precision, scale) in [
        ("PIC S9(4) COMP", VariableType::SmallInt, 4, 0),
        ("PIC S9(4) COMP-5", VariableType::SmallInt, 4, 0),
        ("PIC S9(3)V9 BINARY", VariableType::SmallInt, 4, 1),
        ("PIC S9(9) COMP-4", VariableType::Integer, 9, 0),
        ("PIC S9(18) COMP-5", VariableType::BigInt, 18, 0),
        ("PIC S9(7)V99 COMP-3", VariableType::Packed, 9, 2),
        ("PIC S9(5)V9", VariableType::Zoned { signed: true }, 6, 1),
        ("PIC 9(5)", VariableType::Zoned { signed: false }, 5, 0),
        ("PIC S9(5) SIGN LEADING SEPARATE", VariableType::SignSeparate { leading: true }, 5, 0),
        ("PIC S9(5) SIGN TRAILING SEPARATE", VariableType::SignSeparate { leading: false }, 5, 0),
    ] {
        let variable = one(description);
        assert_eq!((variable.kind, variable.precision, variable.scale), (kind, precision, scale), "{description}");
    }
    assert_eq!(one("COMP-1").kind, VariableType::Real);
    assert_eq!(one("COMP-2").kind, VariableType::Double);
}

#[test]
fn strings_have_their_length_in_characters() {
    for (description, kind, length) in [
        ("PIC X(20)", VariableType::Char, 20),
        ("PIC A(3)", VariableType::Char, 3),
        ("PIC N(10)", VariableType::Graphic, 10),
        ("PIC G(10) DISPLAY-1", VariableType::Graphic, 10),
        (".\n 49 L PIC S9(4) COMP.\n 49 D PIC X(254)", VariableType::VarChar, 254),
        (".\n 49 L PIC S9(4) COMP-5.\n 49 D PIC N(50)", VariableType::VarGraphic, 50),
        ("USAGE IS SQL TYPE IS CLOB(2K)", VariableType::Clob, 2_048),
        ("SQL TYPE IS BLOB(1M)", VariableType::Blob, 1_048_576),
        ("USAGE SQL TYPE IS DBCLOB(3 K)", VariableType::DbClob, 3_072),
        ("USAGE IS SQL TYPE IS BINARY(10)", VariableType::Binary, 10),
        ("USAGE IS SQL TYPE IS VARBINARY(10)", VariableType::VarBinary, 10),
        ("USAGE IS SQL TYPE IS ROWID", VariableType::RowId, 40),
        ("USAGE IS SQL TYPE IS CLOB-LOCATOR", VariableType::ClobLocator, 4),
        ("USAGE IS SQL TYPE IS XML AS CLOB(10)", VariableType::Clob, 10),
    ] {
        let variable = one(description);
        assert_eq!((variable.kind, variable.length), (kind, length), "{description}");
    }
}

#[test]
fn sql_types_become_items_of_the_program() {
    let (_, _, p) = variables("01 V USAGE IS SQL TYPE IS CLOB(100).", "SELECT A INTO :V FROM T");
    assert_eq!((place(&p, "V-LENGTH"), place(&p, "V-DATA")), ((0, 4), (4, 100)).map_offset(&p));
    let (_, _, p) = variables("01 G.\n 05 R USAGE IS SQL TYPE IS ROWID.\n 05 W PIC X.", "SELECT A INTO :R FROM T");
    assert_eq!(place(&p, "R-TEXT").1, 40);
    assert_eq!(place(&p, "W").0 - place(&p, "R").0, 42);
}

/// Offsets within the area of V.
trait Within {
    fn map_offset(self, program: &Program) -> Self;
}

impl Within for ((u32, u32), (u32, u32)) {
    fn map_offset(self, program: &Program) -> Self {
        let start = place(program, "V").0;
        ((self.0.0 + start, self.0.1), (self.1.0 + start, self.1.1))
    }
}

#[test]
fn other_items_are_refused_with_the_reason() {
    for (description, reason) in [
        ("PIC ZZ9", "V cannot be a host variable here: it is numeric-edited"),
        ("PIC XX/XX", "it is alphanumeric-edited"),
        ("POINTER", "it is a pointer"),
        ("PIC S9(5)PP COMP-3", "its PICTURE has the symbol P"),
        ("PIC S9(5) SIGN LEADING", "its sign is in the first digit"),
    ] {
        let text = refused(description);
        assert!(text.contains(reason), "{description}: {text}");
    }
    let text = refused("SQL TYPE IS CLOB(0)");
    assert!(text.contains("the length must be 1 to"), "{text}");
    let text = refused("SQL TYPE IS BLOB-FILE");
    assert!(text.contains("SQL TYPE IS BLOB-FILE is not supported"), "{text}");
}

#[test]
fn an_unsigned_binary_is_a_warning() {
    let compilation = compilation("01 V PIC 9(4) COMP.", "SELECT A INTO :V FROM T");
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(compilation.is_usable() && compilation.diagnostics.return_code() == 4 && text.contains("V has no sign"), "{text}");
}

const CUSTOMER: &str = "01 CUSTOMER.\n 05 ID-1 PIC S9(9) COMP.\n 05 NAME.\n  49 NAME-L PIC S9(4) COMP.\n  49 NAME-D PIC X(30).\n\
                        05 FILLER PIC X(5).\n 05 ADDR.\n  10 STREET PIC X(20).\n  10 CITY PIC X(10).\n\
                        05 CITY-CODE REDEFINES ADDR PIC X(30).\n\
                        01 NULL-TABLE.\n 05 NULL-IND PIC S9(4) COMP OCCURS 3 TIMES.\n";

#[test]
fn a_structure_stands_for_its_items() {
    let (found, names, p) = variables(CUSTOMER, "SELECT A, B, C, D INTO :CUSTOMER:NULL-IND FROM T");
    assert_eq!(names, ["ID-1", "NAME", "STREET", "CITY"]);
    assert_eq!(found.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>()[2], "CUSTOMER.STREET");
    assert_eq!(found[1].kind, VariableType::VarChar);
    // Fewer indicators than items: the rest have none.
    assert_eq!(found.iter().map(|variable| variable.indicator).collect::<Vec<_>>(), [true, true, true, false]);
    let StatementKind::ExecSql(sql) = &body(&p)[0].kind else { panic!() };
    let third = sql.variables[2].indicator.as_ref().expect("an indicator");
    assert!(matches!(third.subscripts.as_slice(), [Subscript::Literal(3)]));
}

#[test]
fn a_structure_is_refused_where_one_variable_stands() {
    let compilation = compilation(CUSTOMER, "DELETE FROM T WHERE A = :CUSTOMER");
    let text = compilation.diagnostics.render(&compilation.sources);
    assert!(text.contains("CUSTOMER is a structure, which cannot stand here"), "{text}");
}

#[test]
fn names_are_qualified_as_in_cobol_or_by_a_point() {
    let working = "01 A1.\n 05 X PIC X.\n01 B1.\n 05 X PIC XX.";
    for name in [":B1.X", ":X OF B1"] {
        let Compilation { programs, diagnostics, sources, .. } = compilation(working, &format!("SELECT A INTO {name} FROM T"));
        assert_eq!(diagnostics.return_code(), 0, "{name}: {}", diagnostics.render(&sources));
        let StatementKind::ExecSql(sql) = &body(&programs[0])[0].kind else { panic!("{name}") };
        assert_eq!(programs[0].item(sql.variables[0].data.item).length_max, 2, "{name}");
    }
    let text = compilation(working, "SELECT A INTO :X FROM T").diagnostics.iter().next().unwrap().text.clone();
    assert!(text.contains("X is not unique"), "{text}");
}

#[test]
fn indicators_are_halfwords() {
    let (found, ..) = variables("01 V PIC X.\n01 I PIC S9(4) COMP-5.", "SELECT A INTO :V:I FROM T");
    assert!(found[0].indicator);
    let (found, ..) = variables("01 V PIC X.\n01 I PIC S9(4) COMP-5.", "SELECT A INTO :V INDICATOR :I FROM T");
    assert!(found[0].indicator);
    let wrong = compilation("01 V PIC X.\n01 I PIC S9(9) COMP.", "SELECT A INTO :V:I FROM T");
    let text = wrong.diagnostics.render(&wrong.sources);
    assert!(text.contains("I cannot be an indicator: it must be PIC S9(4)"), "{text}");
    let (source, mark) = (text.lines().find(|line| line.contains(":V:I")), text.lines().find(|line| line.trim_end().ends_with('^')));
    let column = source.and_then(|line| line.find(":V:I")).map(|at| at + ":V:".len());
    assert!(column.is_some() && mark.and_then(|line| line.find('^')) == column, "{text}");
}

#[test]
fn tables_are_arrays_of_several_rows_only() {
    let working = "01 ROWS.\n 05 R OCCURS 10 TIMES.\n  10 A PIC X(4).\n  10 B PIC S9(4) COMP.\n  10 I PIC S9(4) COMP.\n\
                   01 LIST.\n 05 T PIC X(8) OCCURS 20 TIMES.\n\
                   EXEC SQL DECLARE C1 CURSOR WITH ROWSET POSITIONING FOR SELECT A, B FROM X END-EXEC.";
    let (found, _, p) = variables(working, "FETCH NEXT ROWSET FROM C1 FOR 10 ROWS INTO :A, :B:I");
    assert_eq!((found[0].stride, found[0].occurs), (8, 10));
    assert_eq!((found[1].stride, found[1].indicator_stride, found[1].occurs), (8, 8, 10));
    let StatementKind::ExecSql(sql) = &body(&p)[0].kind else { panic!() };
    assert!(matches!(sql.variables[0].data.subscripts.as_slice(), [Subscript::Literal(1)]));
    let (found, ..) = variables(working, "INSERT INTO X VALUES (:T) FOR 20 ROWS");
    assert_eq!((found[0].stride, found[0].occurs), (8, 20));
    let single = compilation(working, "SELECT A INTO :T FROM X");
    let text = single.diagnostics.render(&single.sources);
    assert!(text.contains("it is a table, which only FETCH and INSERT of several rows take"), "{text}");
}
