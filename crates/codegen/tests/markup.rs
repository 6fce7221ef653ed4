//! JSON and XML statements end to end. Expected texts follow from the rules of the Language Reference and the examples of the Programming
//! Guide; XML GENERATE was compared with GnuCOBOL 3.1.2 (which takes no tables and puts no underscore before `xml`).

mod common;

use common::output;

const CUSTOMER: &str = r#"
01  Customer.
    05  Cust-Id     PIC 9(5) VALUE 42.
    05  Name        PIC X(12) VALUE 'A "B" \ C'.
    05  FILLER      PIC X(3) VALUE 'xyz'.
    05  Balance     PIC S9(5)V99 COMP-3 VALUE -1234.50.
    05  Flag        PIC X VALUE 'Y'.
        88  Is-On VALUE 'Y' FALSE 'N'.
    05  Flag-2 REDEFINES Flag PIC X.
    05  Notes.
        10  Line-Count PIC 9 VALUE 2.
        10  Note OCCURS 0 TO 3 DEPENDING ON Line-Count PIC X(4).
01  Txt PIC X(300).
01  Txt-Ebcdic PIC X(300).
01  Len PIC 9(4).
"#;

/// Shows a UTF-8 text that is in TXT.
const SHOW: &str = "MOVE FUNCTION DISPLAY-OF(FUNCTION NATIONAL-OF(Txt(1:Len) 1208))
 TO Txt-Ebcdic
DISPLAY Txt-Ebcdic(1:Len).";

#[test]
fn json_generate_writes_names_as_spelled_and_values_by_category() {
    let procedure = format!(
        "MOVE 'one' TO Note(1) MOVE 'two ' TO Note(2)
JSON GENERATE Txt FROM Customer COUNT IN Len
  ON EXCEPTION DISPLAY 'EXCEPTION'
  NOT ON EXCEPTION DISPLAY 'OK ' Len ' ' JSON-CODE
END-JSON.
{SHOW}
STOP RUN."
    );
    let expected = concat!(
        r#"{"Customer":{"Cust-Id":42,"Name":"A \"B\" \\ C","Balance":-1234.50,"Flag":"Y","#,
        r#""Notes":{"Line-Count":2,"Note":["one","two"]}}}"#
    );
    assert_eq!(output(CUSTOMER, &procedure), format!("OK {:04} 000000000\n{expected}\n", expected.len()));
}

#[test]
fn json_generate_phrases() {
    let procedure = format!(
        "MOVE 0 TO Line-Count MOVE ZERO TO Balance
JSON GENERATE Txt FROM Customer COUNT Len
  NAME OF Customer IS OMITTED Cust-Id IS 'customer number'
  SUPPRESS Name EVERY NUMERIC WHEN ZERO
  CONVERTING Flag TO JSON BOOLEAN USING Is-On
END-JSON.
{SHOW}
STOP RUN."
    );
    assert_eq!(output(CUSTOMER, &procedure), "{\"customer number\":42,\"Flag\":true,\"Notes\":{\"Note\":[]}}\n");
}

#[test]
fn json_generate_into_too_small_an_item_is_an_exception() {
    let data = "01 G. 05 A PIC X(5) VALUE 'abcde'.\n01 N PIC N(8).\n01 T PIC X(8) VALUE ALL '.'.\n01 C PIC 9(4).";
    let procedure = "JSON GENERATE T FROM G COUNT C
ON EXCEPTION DISPLAY 'X ' JSON-CODE ' ' C
END-JSON
JSON GENERATE N FROM A COUNT C
ON EXCEPTION DISPLAY 'X ' JSON-CODE ' ' C END-JSON
DISPLAY N STOP RUN.";
    assert_eq!(output(data, procedure), "X 000000001 0008\nX 000000001 0008\n{\"A\":\"ab\n");
}

/// The literal in UTF-8 in TXT, its length in LEN.
fn utf8(json: &str) -> String {
    // Long literals are concatenated, so that no line passes column 72.
    let pieces: Vec<String> = json.as_bytes().chunks(40).map(|piece| format!("'{}'", String::from_utf8_lossy(piece))).collect();
    format!(
        "STRING {}
 DELIMITED BY SIZE INTO Txt-Ebcdic WITH POINTER Ptr
COMPUTE Len = Ptr - 1
MOVE FUNCTION DISPLAY-OF(
 FUNCTION NATIONAL-OF(Txt-Ebcdic(1:Len)) 1208) TO Txt",
        pieces.join("\n")
    )
}

fn parse(data: &str, json: &str, statement: &str, after: &str) -> String {
    let data = format!("{data}\n01 Txt PIC X(400).\n01 Txt-Ebcdic PIC X(400).\n01 Len PIC 9(4).\n01 Ptr PIC 9(4) VALUE 1.");
    let procedure = format!(
        "{}\nJSON PARSE Txt(1:Len)
 INTO {statement}
ON EXCEPTION DISPLAY 'EXCEPTION ' JSON-CODE
END-JSON
DISPLAY JSON-STATUS
{after}
STOP RUN.",
        utf8(json)
    );
    output(&data, &procedure)
}

/// The group of the Programming Guide's examples of matches and mismatches.
const G: &str = "01 G.\n  05 h.\n    10 a pic x(10).\n    10 3_ pic 9.\n    10 C-c pic x(10).";

#[test]
fn json_parse_matches_by_structure_and_not_by_case() {
    let show = "DISPLAY a '/' 3_ '/' C-c";
    for json in [r#"{"g": {"H": {"A": "Eh?", "3_": 5, "c-C": "See"}}}"#, r#"{"g": {"H": {"3_": 5, "A": "Eh?", "c-C": "See"}}}"#] {
        assert_eq!(parse(G, json, "G", show), "000000000\nEh?       /5/See       \n");
    }
    let superfluous = r#"{"G": {"h": {"A": "Eh?", "B": "Bee", "3_": 5, "c-C": "See"}}}"#;
    assert_eq!(parse(G, superfluous, "G", show), "000000002\nEh?       /5/See       \n");
    // A level left out is no match; nothing matches then.
    let level = r#"{"g": {"A": "Eh?", "3_": 5, "c-C": "See"}}"#;
    assert_eq!(parse(G, level, "G", ""), "EXCEPTION 000000106\n000000003\n");
}

#[test]
fn json_parse_statuses_and_exceptions() {
    let data = "01 D.\n 05 N PIC 9(3).\n 05 S PIC S9(3)V9 COMP-3.\n 05 X PIC X(3).\n 05 T PIC 9 OCCURS 3.\n 05 F COMP-2.";
    let whole = |members: &str| format!("{{\"d\":{{{members}}}}}");
    let show = "DISPLAY N '/' S '/' X '/' T(1) T(2) T(3)";
    let ok = r#""n":7,"s":1.25,"x":"ab","t":[1,2,3],"f":2.5e3"#;
    assert_eq!(parse(data, &whole(ok), "D", show), "000000000\n007/0012/ab /123\n");
    // SIZE ERROR, truncation, short array, null, item without a name: 128 + 256 + 8 + 32 + 1.
    let status = r#""n":1234,"s":null,"x":"abcd","t":[9]"#;
    let initial = "INITIALIZE D";
    let data_initial = data.replace("PIC 9 OCCURS", "PIC 9 VALUE 0 OCCURS").replace("COMP-3.", "COMP-3 VALUE 0.");
    let got = parse(&data_initial, &whole(status), "D", show);
    assert_eq!(got, "000000425\n234/0000/abc/900\n", "{initial}");
    for (members, code) in [(r#""n":"x""#, 104), (r#""n":[1]"#, 104), (r#""n":1,"n":2"#, 103), (r#""n":true"#, 107), (r#""n":"#, 100)] {
        let got = parse(data, &whole(members), "D", "");
        assert!(got.starts_with(&format!("EXCEPTION {code:09}\n")), "{members}: {got}");
    }
    assert!(parse(data, "{}", "D", "").starts_with("EXCEPTION 000000106"));
    assert!(parse(data, "   ", "D", "").starts_with("EXCEPTION 000000101"));
    assert!(parse(data, "{\"d\":{\"n\":1}} x", "D", "").starts_with("EXCEPTION 000000102"));
    assert!(parse(data, "[1]", "D", "").starts_with("EXCEPTION 000000108"));
}

#[test]
fn json_parse_phrases() {
    // The Programming Guide's examples of NAME and SUPPRESS.
    let got = parse("01 mydata pic 999.", r#"{"abc+":100}"#, "mydata NAME OF mydata IS 'abc+'", "DISPLAY 'mydata is ' mydata");
    assert_eq!(got, "000000000\nmydata is 100\n");
    let message = "01 msg.\n 4 ver usage comp-1.\n 4 uid pic 9999 value 2.\n 4 txt2 pic x(32).";
    let json = r#"{"msg":{"ver":5,"uid":10,"txt2":"Hello"}}"#;
    let got = parse(message, json, "msg SUPPRESS uid", "DISPLAY uid txt2(1:6) '.'");
    assert_eq!(got, "000000002\n0002Hello .\n");
    let truth = "01 b. 05 t1 pic x. 05 t2 pic x. 05 n1 pic x(4) value 'abcd'.";
    let json = r#"{"b":{"t1":true,"t2":false,"n1":null}}"#;
    let phrases = "b CONVERTING t1 FROM JSON BOOLEAN USING 'J' AND 'N'
ALSO t2 FROM JSON BOOL USING 'J' AND 'N'
ALSO n1 FROM JSON NULL USING SPACES";
    assert_eq!(parse(truth, json, phrases, "DISPLAY t1 t2 n1 '.'"), "000000000\nJN    .\n");
}

const XML_DATA: &str = "01 Txt PIC X(400).\n01 Len PIC 9(4).\n01 Start-At PIC 9(4).
01 Greeting.
 05 Msg-severity PIC 9 VALUE 3.
 05 3D PIC X(5) VALUE 'a<b&c'.
 05 Msg-text PIC X(10) VALUE SPACES.
 05 xml-Amount PIC S9(4)V99 VALUE -12.3.
 05 Grp OCCURS 2.
  10 Val PIC 99.";

#[test]
fn xml_generate_elements() {
    let procedure = "MOVE 1 TO Val(1) MOVE 22 TO Val(2)
XML GENERATE Txt FROM Greeting COUNT IN Len
 ON EXCEPTION DISPLAY 'X' XML-CODE NOT ON EXCEPTION DISPLAY 'OK' END-XML
DISPLAY Txt(1:Len) STOP RUN.";
    let expected = "<Greeting><Msg-severity>3</Msg-severity><_3D>a&lt;b&amp;c</_3D><Msg-text> </Msg-text>\
        <_xml-Amount>-12.30</_xml-Amount><Grp><Val>1</Val></Grp><Grp><Val>22</Val></Grp></Greeting>";
    assert_eq!(output(XML_DATA, procedure), format!("OK\n{expected}\n"));
}

#[test]
fn xml_generate_phrases() {
    let procedure = "MOVE 0 TO Val(1) MOVE 22 TO Val(2)
XML GENERATE Txt FROM Greeting COUNT IN Len WITH ATTRIBUTES
 NAMESPACE IS 'http://x' NAMESPACE-PREFIX IS 'pre'
 NAME OF Msg-severity IS 'sev'
 TYPE OF Msg-text IS CONTENT
 SUPPRESS 3D WHEN SPACES OR ZERO EVERY NUMERIC ELEMENT WHEN ZERO
 END-XML
DISPLAY Txt(1:Len)
XML GENERATE Txt FROM Greeting COUNT IN Len XML-DECLARATION
 SUPPRESS Grp EVERY NONNUMERIC WHEN SPACES xml-Amount 3D
MOVE Len TO Start-At SUBTRACT 39 FROM Start-At
DISPLAY Txt(Start-At:40) STOP RUN.";
    let first = "<pre:Greeting xmlns:pre=\"http://x\" sev=\"3\" _3D=\"a&lt;b&amp;c\" _xml-Amount=\"-12.30\"> \
        <pre:Grp Val=\"0\"></pre:Grp><pre:Grp Val=\"22\"></pre:Grp></pre:Greeting>";
    let got = output(XML_DATA, procedure);
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines[0], first);
    assert!(lines[1].ends_with("severity>3</Msg-severity></Greeting>"), "{got}");
}

#[test]
fn xml_generate_exceptions() {
    let data = "01 T PIC X(10).\n01 C PIC 9(4).\n01 G. 05 A PIC X(4) VALUE X'00C1C2C3'.\n01 U PIC X(60).\n
01 O PIC X(9) VALUE 'OVERFLOW'.";
    let procedure = "XML GENERATE T FROM O ON EXCEPTION DISPLAY XML-CODE END-XML
XML GENERATE U FROM G COUNT IN C
 ON EXCEPTION DISPLAY XML-CODE ' ' U(1:C)
END-XML
STOP RUN.";
    assert_eq!(output(data, procedure), "000000400\n000000417 <G><hex.A>00C1C2C3</hex.A></G>\n");
}

#[test]
fn xml_parse_performs_its_procedure_for_each_event() {
    let data = "01 Doc PIC X(120) VALUE '<?xml version=\"1.0\"?><!--c--><a k=\"v\">T &amp; U\n-    '<b/> </a>'.
01 N PIC 99 VALUE 0.";
    let data = data.replace("T &amp; U\n-    '", "T &amp; U");
    let procedure = "MAIN-PARA.
 XML PARSE Doc PROCESSING PROCEDURE Handler THRU Handler-End
  ON EXCEPTION DISPLAY 'BAD' NOT ON EXCEPTION DISPLAY 'GOOD'
 END-XML
 DISPLAY N STOP RUN.
Handler.
 ADD 1 TO N
 IF XML-EVENT = 'COMMENT' GO TO Handler-End.
 DISPLAY XML-EVENT(1:24) FUNCTION LENGTH(XML-TEXT)
  ':' XML-TEXT ':'
 .
Handler-End. EXIT.";
    let got = output(&wrap(&data), procedure);
    let expected = [
        "START-OF-DOCUMENT       000000000::",
        "VERSION-INFORMATION     000000003:1.0:",
        "START-OF-ELEMENT        000000001:a:",
        "ATTRIBUTE-NAME          000000001:k:",
        "ATTRIBUTE-CHARACTERS    000000001:v:",
        "CONTENT-CHARACTERS      000000005:T & U:",
        "START-OF-ELEMENT        000000001:b:",
        "END-OF-ELEMENT          000000001:b:",
        "CONTENT-CHARACTERS      000000001: :",
        "END-OF-ELEMENT          000000001:a:",
        "END-OF-DOCUMENT         000000000::",
        "GOOD",
        "12",
    ];
    assert_eq!(got.lines().collect::<Vec<_>>(), expected);
}

/// Breaks the VALUE literal of a line that passes column 72.
fn wrap(data: &str) -> String {
    let mut out = String::new();
    for line in data.lines() {
        match line.split_once(" VALUE '") {
            Some((head, literal)) if line.len() > 60 => {
                let text = literal.trim_end_matches("'.");
                let pieces: Vec<String> = text.as_bytes().chunks(40).map(|piece| format!("'{}'", String::from_utf8_lossy(piece))).collect();
                out.push_str(&format!("{head} VALUE\n {}.\n", pieces.join("\n & ")));
            }
            _ => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[test]
fn xml_parse_ends_at_an_exception_or_by_the_procedure() {
    let data = "01 D1 PIC X(20) VALUE '<a><b></a>'.\n01 D2 PIC N(20) VALUE N'<a><b/></a>'.";
    let procedure = "M.
 XML PARSE D1 PROCESSING PROCEDURE P
  ON EXCEPTION DISPLAY 'X ' XML-CODE END-XML
 XML PARSE D2 PROCESSING PROCEDURE Q
  ON EXCEPTION IF XML-CODE = -1 DISPLAY 'Y' END-IF END-XML
 STOP RUN.
P. DISPLAY XML-EVENT(1:16) XML-CODE.
Q. DISPLAY XML-EVENT(1:16) XML-NTEXT
   IF XML-EVENT = 'START-OF-ELEMENT' AND XML-NTEXT = N'b'
     MOVE -1 TO XML-CODE.";
    let expected = "START-OF-DOCUMEN000000000\nSTART-OF-ELEMENT000000000\nSTART-OF-ELEMENT000000000\nEXCEPTION       000786437\nX 000786437\n\
        START-OF-DOCUMEN\nSTART-OF-ELEMENTa\nSTART-OF-ELEMENTb\nY\n";
    assert_eq!(output(data, procedure), expected);
}
