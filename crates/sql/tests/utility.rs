//! Control statements of LOAD and commands of the DSN command processor.

use sql::utility::*;

fn load(text: &str) -> Load {
    match utilities(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).remove(0) {
        Utility::Load(load) => *load,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_name_of_the_input_may_stand_in_parentheses() {
    let load = load("LOAD DATA INDDN(TBLRECS) INTO TABLE Z1.Z1T (ACCTNO POSITION( 1) CHAR(8), LIMIT POSITION( 9) DECIMAL PACKED)");
    assert_eq!((load.input.as_str(), load.into[0].fields.len()), ("TBLRECS", 2));
}

#[test]
fn a_load_statement_of_an_unload_is_read() {
    let load = load(
        "LOAD DATA INDDN SYSREC00 LOG NO RESUME YES
           EBCDIC CCSID(00037,00000,00000)
           INTO TABLE \"PROD\".\"ACCOUNT\" WHEN(00001:00002) = X'0003'
           ( \"NUMBER\" POSITION(00003:00010) CHAR(00008),
             NAME POSITION(11) VARCHAR NULLIF(00040)=X'FF', -- the name
             BALANCE POSITION(41:47) DECIMAL PACKED,
             LIMIT POSITION(*) DECIMAL EXTERNAL(7,2), N INTEGER, B BIGINT,
             OPENED DATE EXTERNAL(10) DEFAULTIF(OPENED='          '), T TIMESTAMP EXTERNAL, F FLOAT(53))",
    );
    assert_eq!((load.input.as_str(), load.replace, load.resume, load.ccsid), ("SYSREC00", false, true, Some(37)));
    assert_eq!(load.notes, ["accepted, no effect: LOG NO"]);
    let into = &load.into[0];
    assert_eq!(into.table, ["PROD", "ACCOUNT"]);
    let when = Condition { place: Ok(Place::Between(1, 2)), is_equal: true, value: ConditionValue::Bytes(vec![0, 3]) };
    assert_eq!(into.when, [when]);
    let kinds: Vec<FieldKind> = into.fields.iter().map(|field| field.kind).collect();
    let expected = [
        FieldKind::Char(Some(8)),
        FieldKind::VarChar,
        FieldKind::Packed,
        FieldKind::DecimalExternal(Some(7), 2),
        FieldKind::Integer,
        FieldKind::BigInt,
        FieldKind::DateExternal(Some(10)),
        FieldKind::TimestampExternal(None),
        FieldKind::Float(Some(53)),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(into.fields[0].place, Place::Between(3, 10));
    assert_eq!(into.fields[1].place, Place::From(11));
    assert_eq!(into.fields[3].place, Place::Next);
    let null_if = Condition { place: Ok(Place::From(40)), is_equal: true, value: ConditionValue::Bytes(vec![0xFF]) };
    assert_eq!(into.fields[1].null_if, Some(null_if));
    assert_eq!(into.fields[6].default_if.as_ref().unwrap().place, Err("OPENED".to_string()));
}

#[test]
fn delimited_files_and_several_tables_are_read() {
    let load = load(
        "LOAD DATA REPLACE FORMAT DELIMITED COLDEL ';' CHARDEL '''' DECPT ',' UNICODE INTO TABLE A INTO TABLE B.C WHEN (1:1) <> 'X' (X, Y CHAR)",
    );
    assert!(load.replace);
    assert_eq!(load.encoding, Encoding::Unicode);
    assert_eq!(load.format, Format::Delimited { column: ';', character: '\'', decimal: ',' });
    assert_eq!((load.into[0].fields.len(), load.into[1].fields.len()), (0, 2));
    assert_eq!(load.into[1].fields[0].kind, FieldKind::OfColumn);
    assert!(!load.into[1].when[0].is_equal);
}

#[test]
fn other_utilities_have_no_effect() {
    let found = utilities(
        "REORG TABLESPACE A.B\n  SORTDEVT SYSDA\nRUNSTATS TABLESPACE A.B TABLE(ALL)\nLOAD DATA INTO TABLE T\nCOPY TABLESPACE A.B",
    )
    .unwrap();
    let names: Vec<String> = found
        .iter()
        .map(|utility| match utility {
            Utility::Load(load) => load.into[0].table.join("."),
            Utility::NoEffect(name) => name.clone(),
        })
        .collect();
    assert_eq!(names, ["REORG", "RUNSTATS", "T", "COPY"]);
}

#[test]
fn a_wrong_statement_is_an_error_at_its_place() {
    let error = utilities("LOAD DATA INTO TABLE T (A POSITION(5:1) CHAR(1))").unwrap_err();
    assert!(error.offset > 30, "{error:?}");
    let error = utilities("FROB A").unwrap_err();
    assert_eq!((error.offset, error.text.as_str()), (0, "FROB is not expected here"));
    assert!(utilities("LOAD DATA INTO TABLE T (A CHAR(1) NULLIF(1)='").is_err());
}

#[test]
fn commands_of_dsn_are_read_with_their_continuations() {
    let commands = dsn_commands(
        "/* a comment */\n DSN SYSTEM(DBCG)\n  RUN PROGRAM(DSNTEP2)  PLAN(DSNTEP12) -\n       LIB('DSNC10.DBCG.RUNLIB.LOAD') PARMS('/ALIGN(MID)')\n\n\
         BIND PACKAGE(PCBSA) OWNER(IBMUSER) -\n QUALIFIER(IBMUSER) -\n MEMBER(CREACC) -\n ACT(REPLACE)\n BIND PLAN(CBSA) ISOLATION(UR) +\n \
         PKLIST( -\n NULLID.*,PCBSA.* )\n FREE PLAN(X)\n PROFILE PREFIX(A)\n END",
    )
    .unwrap();
    assert_eq!(commands[0], DsnCommand::Dsn { system: "DBCG".to_string() });
    let run = Run {
        program: "DSNTEP2".to_string(),
        plan: Some("DSNTEP12".to_string()),
        library: Some("DSNC10.DBCG.RUNLIB.LOAD".to_string()),
        parameters: "/ALIGN(MID)".to_string(),
    };
    assert_eq!(commands[1], DsnCommand::Run(run));
    let DsnCommand::Bind(package) = &commands[2] else { panic!("{commands:?}") };
    assert_eq!((package.is_plan, package.name.as_str(), package.option("QUALIFIER")), (false, "PCBSA", Some("IBMUSER")));
    assert_eq!((package.option("ACTION"), package.option("MEMBER"), package.option("ISOLATION")), (Some("REPLACE"), Some("CREACC"), None));
    let DsnCommand::Bind(plan) = &commands[3] else { panic!("{commands:?}") };
    assert_eq!((plan.is_plan, plan.option("ISOLATION"), plan.option("PKLIST")), (true, Some("UR"), Some("NULLID.*,PCBSA.*")));
    assert!(matches!(&commands[4], DsnCommand::Bind(free) if free.verb == BindVerb::Free));
    assert_eq!(commands[5], DsnCommand::Other("PROFILE PREFIX(A)".to_string()));
    assert_eq!(commands[6], DsnCommand::End);
    assert!(dsn_commands("RUN PLAN(X)").is_err());
}

#[test]
fn programs_that_execute_sql_are_known_by_name() {
    assert_eq!(sql_program("DSNTEP4"), Some(SqlProgram::Listing));
    assert_eq!(sql_program("dsntiad"), Some(SqlProgram::Statements));
    assert_eq!(sql_program("DSNTIAUL"), Some(SqlProgram::Unload));
    assert_eq!(sql_program("PROG1"), None);
}

#[test]
fn truncated_input_does_not_panic() {
    let load = "LOAD DATA LOG NO CCSID(37,0) FORMAT DELIMITED COLDEL X'05' INTO TABLE \"É\".T WHEN ((1:2)='é') AND (A)=X'00' \
                (A POSITION(1:2) DECIMAL ZONED(5,2) NULLIF(A='x'), B CHAR MIXED(3)) REORG TABLESPACE X";
    let commands = "DSN S(DB2P)\n/* é */ RUN PROG(É) PARMS('é''(') -\n LIB('x')\nBIND PLAN(X) PKLIST(A.*, (B)) +\n";
    for text in [load, commands] {
        for (at, _) in text.char_indices() {
            let _ = utilities(&text[..at]);
            let _ = utilities(&text[at..]);
            let _ = dsn_commands(&text[..at]);
            let _ = dsn_commands(&text[at..]);
        }
    }
}
