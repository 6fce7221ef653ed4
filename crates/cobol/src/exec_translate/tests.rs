//! Expected results from the syntax of the commands in the CICS application programming reference.

use super::*;
use crate::lexer::tokenize;
use crate::options::Options;
use crate::source::NoCopies;
use exec::{command, option};

fn run(text: &str) -> (Option<ExecCommand>, Diagnostics) {
    let source = format!("       {}\n", text.replace('\n', "\n           "));
    let mut diagnostics = Diagnostics::default();
    let stream = tokenize("t", source.as_bytes(), &mut Options::default(), &NoCopies, &mut diagnostics);
    let token = &stream.tokens[0];
    let TokenKind::Exec(block) = &token.kind else { panic!("no block in {text}") };
    let command = translate(block, token.span, &mut diagnostics);
    (command, diagnostics)
}

fn clean(text: &str) -> ExecCommand {
    let (command, diagnostics) = run(text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    command.unwrap()
}

fn codes(text: &str) -> Vec<&'static str> {
    run(text).1.iter().map(|message| message.code).collect()
}

fn argument(command: &ExecCommand, id: exec::OptionId) -> String {
    let tokens = command.option(id).unwrap().argument.as_ref().unwrap();
    tokens.iter().map(|token| token.kind.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn options_in_any_order_over_lines() {
    let read = clean(
        "EXEC CICS READ\nRIDFLD(KEY-1 OF A (1 : 3)) DATASET('ACCT')\nINTO(REC) LENGTH(LENGTH OF REC)\n\
         UPDATE RESP(R) RESP2(WS-R2) NOHANDLE\nEND-EXEC.",
    );
    assert_eq!(read.command, command::READ);
    assert_eq!(argument(&read, option::RIDFLD), "KEY-1 OF A ( 1 : 3 )");
    assert_eq!(argument(&read, option::FILE), "'ACCT'");
    assert_eq!(argument(&read, option::LENGTH), "LENGTH OF REC");
    assert!(read.option(option::UPDATE).unwrap().argument.is_none());
    assert!(read.option(option::GTEQ).is_none());
    assert_eq!(read.resp2.as_ref().unwrap().argument[0].word(), Some("WS-R2"));
    assert!(read.nohandle && read.handles_no_conditions());
    assert_eq!((read.options[0].span.line, read.options[0].span.column), (2, 12));
}

#[test]
fn the_command_is_found_by_its_words() {
    let id = |text: &str| clean(&format!("EXEC CICS\n{text}\nEND-EXEC")).command;
    assert_eq!(id("SEND MAPSET('S') MAP('M') FROM(A) ERASE CURSOR"), command::SEND_MAP);
    assert_eq!(id("SEND MAP('M') CURSOR(-1) DATAONLY FREEKB"), command::SEND_MAP);
    assert_eq!(id("SEND FROM(A) LENGTH(10) ERASE"), command::SEND);
    assert_eq!(id("SEND TEXT FROM(A) ERASE"), command::SEND_TEXT);
    assert_eq!(id("SEND CONTROL ERASE FREEKB"), command::SEND_CONTROL);
    assert_eq!(id("READQ QUEUE(Q) TS INTO(A) ITEM(1)"), command::READQ_TS);
    assert_eq!(id("READQ QUEUE(Q) INTO(A)"), command::READQ_TS);
    assert_eq!(id("READQ TD QUEUE(Q) INTO(A)"), command::READQ_TD);
    assert_eq!(id("START TRANSID('T') CHANNEL('C')"), command::START_CHANNEL);
    assert_eq!(id("START TRANSID('T') INTERVAL(0) FROM(A)"), command::START);
    assert_eq!(id("SYNCPOINT"), command::SYNCPOINT);
    assert_eq!(id("SYNCPOINT ROLLBACK"), command::SYNCPOINT_ROLLBACK);
    assert_eq!(id("INQUIRE TRANSACTION(T) PROGRAM(P)"), command::INQUIRE_TRANSACTION);
    assert_eq!(id("INQUIRE DATASET(F) OPENSTATUS(S)"), command::INQUIRE_FILE);
    assert_eq!(id("SET FILE(F) OPEN"), command::SET_FILE);
    assert_eq!(id("GET CHANNEL(C) CONTAINER('X') INTO(A)"), command::GET_CONTAINER);
    assert_eq!(id("HANDLE CONDITION NOTFND(P1) ERROR DSIDERR(P2)"), command::HANDLE_CONDITION);
    assert_eq!(id("HANDLE ABEND LABEL(P1)"), command::HANDLE_ABEND);
    assert_eq!(id("ADDRESS SET(ADDRESS OF A) USING(P)"), command::ADDRESS_SET);
    assert_eq!(id("ADDRESS CWA(P)"), command::ADDRESS);
    assert_eq!(id("WRITE OPERATOR TEXT('x')"), command::WRITE_OPERATOR);
    assert_eq!(id("RETURN"), command::RETURN);
    assert_eq!(id("ASKTIME ABSTIME(A)"), command::ASKTIME);
    assert_eq!(id("FORMATTIME ABSTIME(A) DATESEP\nTIMESEP(':') YYYYMMDD(D)"), command::FORMATTIME);
}

#[test]
fn invalid_commands_are_reported() {
    let (none, diagnostics) = run("EXEC CICS RAED FILE('A') END-EXEC");
    assert!(none.is_none());
    let message = diagnostics.iter().next().unwrap();
    assert_eq!((message.code, message.expected.as_deref(), message.span.column), ("XL0005", Some("READ"), 18));
    assert_eq!(codes("EXEC CICS END-EXEC"), ["XL0001"]);
    assert_eq!(codes("EXEC CICS HANDLE NONSENSE END-EXEC"), ["XL0006"]);
}

#[test]
fn wrong_options_are_reported_at_the_option() {
    let (_, diagnostics) = run("EXEC CICS READ FILE('A') INTO(B) RIDFLD(C)\nLENGHT(D) END-EXEC");
    let message = diagnostics.iter().next().unwrap();
    assert_eq!((message.code, message.expected.as_deref()), ("XL0007", Some("LENGTH")));
    assert_eq!((message.span.line, message.span.column, message.span.length), (2, 12, 6));
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') PROGRAM('B') END-EXEC"), ["XL0008"]);
    assert_eq!(codes("EXEC CICS SEND MAP('A') ERASE(B) END-EXEC"), ["XL0009"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') COMMAREA END-EXEC"), ["XL0010"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') COMMAREA() END-EXEC"), ["XL0010"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') INTO('B') RIDFLD(C) END-EXEC"), ["XL0011"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('TOOLONGNAME') END-EXEC"), ["XL0012"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A' END-EXEC"), ["XL0002"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A')('B') END-EXEC"), ["XL0003"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') 'B' END-EXEC"), ["XL0004"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') RESP END-EXEC"), ["XL0010"]);
}

#[test]
fn options_that_go_together() {
    assert_eq!(codes("EXEC CICS READ FILE('A') INTO(B) END-EXEC"), ["XL0014"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') RIDFLD(B) END-EXEC"), ["XL0014"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') RIDFLD(B) INTO(C) SET(P) END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') RIDFLD(B) INTO(C) GTEQ EQUAL END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') RIDFLD(B) INTO(C) GENERIC END-EXEC"), ["XL0016"]);
    assert_eq!(codes("EXEC CICS LINK PROGRAM('A') COMMAREA(C) CHANNEL(D) END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS READ FILE('A') RIDFLD(B) INTO(C)\nUPDATE CONSISTENT END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS READNEXT FILE('A') RIDFLD(B) INTO(C)\nUPDATE TOKEN(T) REPEATABLE END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS WRITEQ TS QUEUE('A') FROM(B)\nNUMITEMS(C) ITEM(D) END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS SET FILE('A') OPEN CLOSED END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS SET FILE('A') OPENSTATUS(B) OPEN END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS SET UOW(A) COMMIT BACKOUT END-EXEC"), ["XL0015"]);
    assert_eq!(codes("EXEC CICS WRITE JOURNALNAME('A') JTYPEID('AA')\nFROM(B) PFXLENG(C) END-EXEC"), ["XL0016"]);
    assert_eq!(codes("EXEC CICS WEB OPEN HOST(H) SESSTOKEN(S) END-EXEC"), ["XL0013"]);
    // An option that the region refuses.
    assert_eq!(codes("EXEC CICS SEND FROM(A) LENGTH(L) LEAVEKB END-EXEC"), ["XL0027"]);
}

/// Every command of the catalogue with each of its options alone is recognized as that command or one that shares its words.
#[test]
fn every_command_translates() {
    for spec in exec::commands() {
        let mut text = format!("EXEC CICS {}", spec.words[0]);
        for word in &spec.words[1..] {
            let argument = spec.option_by_name(word).is_some_and(|option| option.argument == ArgumentRule::Required);
            text.push_str(&if argument { format!(" {word}(A)") } else { format!(" {word}") });
        }
        let (found, _) = run(&format!("{text} END-EXEC"));
        assert_eq!(found.map(|found| found.command.name()), Some(spec.name), "{text}");
    }
}

#[test]
fn options_that_do_not_go_together_are_diagnosed() {
    for (text, expected) in [
        ("WAIT EXTERNAL ECBLIST(P)\nNUMEVENTS(N) PURGEABLE NOTPURGEABLE", &["XL0015"][..]),
        ("WAIT TERMINAL CONVID(C) SESSION(S)", &["XL0027", "XL0027", "XL0015"]),
        ("READ FILE('F') INTO(R) RIDFLD(K)\nNOHANDLE NOHANDLE", &["XL0008"]),
        ("READ FILE('F') INTO(R) RIDFLD(K)\nRESP2(X)", &["XL0017"]),
        ("RECEIVE SET(P)", &["XL0017"]),
        ("CONVERSE INTO(A) MAXLENGTH(10)", &["XL0014"]),
    ] {
        assert_eq!(codes(&format!("EXEC CICS {text}\nEND-EXEC")), expected, "{text}");
    }
    clean("EXEC CICS RECEIVE SET(P) FLENGTH(L) END-EXEC");
    clean("EXEC CICS READ FILE('F') INTO(R) RIDFLD(K)\nRESP(R1) RESP2(R2) END-EXEC");
}
