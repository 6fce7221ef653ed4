//! From a source to a load module: what compiles, and where errors are reported.

use super::*;

fn compiler(ccsid: u16) -> Compiler {
    Compiler::new(Settings { ccsid, xplink: false, include: Vec::new(), sources: Vec::new() })
}

fn compile(compiler: &Compiler, source: &str) -> Compilation {
    compile_as("prog.c", compiler, source)
}

fn compile_as(name: &str, compiler: &Compiler, source: &str) -> Compilation {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, source).unwrap();
    compiler.compile(&path, None)
}

#[test]
fn a_program_becomes_a_module_in_the_code_page() {
    for (ccsid, bytes) in [(37, [0xC8, 0x85, 0x93, 0x93, 0x96]), (819, *b"Hello")] {
        let compilation =
            compile(&compiler(ccsid), "#pragma options(XPLINK)\nchar text[] = \"Hello\";\nint main(void)\n{\n return text[0]; }\n");
        assert!(compilation.messages.is_empty() && compilation.return_code == 0, "{:?}", compilation.messages);
        let image = compilation.image.expect("a module");
        assert!(image.images.windows(5).any(|window| window == bytes), "the string in code page {ccsid}");
        let program = &image.programs[0];
        assert_eq!(program.name, "PROG");
        assert_ne!(program.attributes & program::module::attributes::XPLINK, 0);
        assert!(image.lines.iter().any(|entry| entry.line == 5), "{:?}", image.lines);
    }
}

#[test]
fn errors_are_at_their_lines_and_options() {
    let compiler = compiler(37);
    let source =
        "int main(void)\n{\n    int rc;\n    EXEC CICS LINK PROGRAM(\"X\")\n        COMMAREA(nothing) RESP(rc);\n    return 0;\n}\n";
    let compilation = compile(&compiler, source);
    assert_eq!(compilation.return_code, 12);
    let text = compilation.messages.join("\n");
    assert!(text.contains("prog.c:5:18: RGTCC0002-S 'nothing' undeclared") && text.matches("RGTCC").count() == 1, "{text}");
    let text = compile(&compiler, "int main(void) { return fopen(\"a\", \"r\") != 0; }\n").messages.join("\n");
    assert!(text.contains("fopen"), "{text}");
    let text = compile(&compiler, "int other(void);\nint main(void) { return other(); }\n").messages.join("\n");
    assert!(text.contains("other is used and defined nowhere"), "{text}");
    let text =
        compile(&compiler, "int main(void)\n{ struct { int a; } s;\n EXEC CICS DELAY INTERVAL(s);\n return 0; }\n").messages.join("\n");
    assert!(text.contains("prog.c:3: RGTCC0004-S an argument does not fit the command"), "{text}");
    let text = compile(&compiler, "int f(void) { return 0; }\n").messages.join("\n");
    assert!(text.contains("there is no function main"), "{text}");
}

#[test]
fn every_kind_of_argument_compiles() {
    let source = r#"
#include <string.h>
#include "dfhaid.h"
struct record { short length; int amount; char key[6]; char *next; };
static struct record rec;
int main(int argc, char *argv[])
{
    char name[9] = "QUEUE", *pointer = name, abstime[8];
    short length = sizeof rec, item = 1;
    int resp, resp2;
    unsigned rba = 0;
    long long moment;
    struct record *area;
    void *commarea;
    EXEC CICS ADDRESS EIB(dfheiptr) COMMAREA(commarea);
    EXEC CICS READ FILE("ACCT") INTO(&rec) RIDFLD(rec.key) LENGTH(length) RESP(resp) RESP2(resp2);
    EXEC CICS READ FILE(name) SET(area) RIDFLD(rba) RBA LENGTH(rec.length);
    EXEC CICS READ FILE(pointer) INTO(rec) RIDFLD(&rba) RBA LENGTH(&length) NOHANDLE;
    EXEC CICS WRITEQ TS QUEUE("Q") FROM(area) LENGTH(sizeof(*area)) ITEM(item) REWRITE;
    EXEC CICS READQ TS QUEUE(pointer) INTO(area->key) ITEM(item + 1) RESP(rec.amount);
    EXEC CICS ASKTIME ABSTIME(abstime);
    EXEC CICS ASKTIME ABSTIME(moment);
    EXEC CICS FORMATTIME ABSTIME(moment) YYYYMMDD(name) TIME(area->key);
    EXEC CICS START TRANSID("ABCD") INTERVAL(100) FROM((char *)area) LENGTH(10);
    EXEC CICS DELAY FOR SECONDS(1);
    EXEC CICS GETMAIN SET(area) FLENGTH(100) INITIMG(name[0]);
    EXEC CICS FREEMAIN DATAPOINTER(area);
    EXEC CICS ASSIGN APPLID(name) SCRNHT(length) USERID(pointer);
    if (dfheiptr->eibaid == DFHENTER && dfheiptr->eibcalen > 0)
        EXEC CICS LINK PROGRAM("P") COMMAREA(&rec) LENGTH(sizeof rec);
    else
        EXEC CICS PUT CONTAINER("C") CHANNEL("H") FROM(name) FLENGTH(strlen(name));
    EXEC CICS GET CONTAINER("C") SET(commarea) FLENGTH(resp) END-EXEC;
    EXEC CICS ENQ RESOURCE(name) LENGTH(8) MAXLIFETIME(DFHVALUE(TASK));
    EXEC CICS RETURN TRANSID("ABCD") COMMAREA(&rec);
}
"#;
    let compilation = compile(&compiler(1047), &source.replace(" END-EXEC", ""));
    assert!(compilation.image.is_some() && compilation.return_code <= 4, "{}", compilation.messages.join("\n"));
}

#[test]
fn every_kind_of_argument_compiles_in_cpp() {
    let source = r#"
#include <cstring>
#include <stdio.h>
#include "dfhaid.h"
struct record { short length; int amount; char key[6]; char *next; };
static record rec;
int main()
{
    char name[9] = "QUEUE", *pointer = name, abstime[8];
    short length = sizeof rec, item = 1;
    int resp, resp2;
    unsigned rba = 0;
    long long moment;
    record *area;
    void *commarea;
    EXEC CICS ADDRESS EIB(dfheiptr) COMMAREA(commarea);
    EXEC CICS READ FILE("ACCT") INTO(&rec) RIDFLD(rec.key) LENGTH(length) RESP(resp) RESP2(resp2);
    EXEC CICS READ FILE(name) SET(area) RIDFLD(rba) RBA LENGTH(rec.length);
    EXEC CICS READ FILE(pointer) INTO(rec) RIDFLD(&rba) RBA LENGTH(&length) NOHANDLE;
    EXEC CICS WRITEQ TS QUEUE("Q") FROM(area) LENGTH(sizeof(*area)) ITEM(item) REWRITE;
    EXEC CICS READQ TS QUEUE(pointer) INTO(area->key) ITEM(item + 1) RESP(rec.amount);
    EXEC CICS ASKTIME ABSTIME(abstime);
    EXEC CICS ASKTIME ABSTIME(moment);
    EXEC CICS FORMATTIME ABSTIME(moment) YYYYMMDD(name) TIME(area->key);
    EXEC CICS START TRANSID("ABCD") INTERVAL(100) FROM((char *)area) LENGTH(10);
    EXEC CICS DELAY FOR SECONDS(1);
    EXEC CICS GETMAIN SET(area) FLENGTH(100) INITIMG(name[0]);
    EXEC CICS FREEMAIN DATAPOINTER(area);
    EXEC CICS ASSIGN APPLID(name) SCRNHT(length) USERID(pointer);
    if (dfheiptr->eibaid == DFHENTER && dfheiptr->eibcalen > 0)
        EXEC CICS LINK PROGRAM("P") COMMAREA(&rec) LENGTH(sizeof rec);
    else
        EXEC CICS PUT CONTAINER("C") CHANNEL("H") FROM(name) FLENGTH(std::strlen(name));
    EXEC CICS GET CONTAINER("C") SET(commarea) FLENGTH(resp);
    EXEC CICS ENQ RESOURCE(name) LENGTH(8) MAXLIFETIME(DFHVALUE(TASK));
    printf("%d %s\n", rec.amount, name);
    EXEC CICS RETURN TRANSID("ABCD") COMMAREA(&rec);
}
"#;
    let compilation = compile_as("prog.cpp", &compiler(1047), source);
    assert!(compilation.image.is_some() && compilation.return_code <= 4, "{}", compilation.messages.join("\n"));
}

#[test]
fn a_main_function_in_cpp_needs_no_return() {
    let compilation = compile_as("prog.cpp", &compiler(37), "struct s { int a; };\nint main()\n{\n    s one;\n    one.a = 1;\n}\n");
    assert!(compilation.image.is_some() && compilation.messages.is_empty(), "{}", compilation.messages.join("\n"));
}

#[test]
fn the_foundation_classes_compile_and_what_is_not_there_is_refused() {
    let compiler = compiler(37);
    let program = |body: &str| format!("#include \"icceh.hpp\"\n#include \"iccmain.hpp\"\nvoid IccUserControl::run()\n{{\n{body}\n}}\n");
    let compilation =
        compile_as("prog.cpp", &compiler, &program("IccTempStore store(\"Q\"); store.writeItem(\"x\"); throw store.condition();"));
    assert!(compilation.image.is_some() && compilation.messages.is_empty(), "{}", compilation.messages.join("\n"));
    for (body, message) in [
        ("IccSession session(\"SYS1\");", "prog.cpp:5:"),
        ("IccSession session(\"SYS1\");", "APPC conversations (IccSession) are not supported"),
        ("EXEC SQL COMMIT;", "RGTXL0026-S EXEC SQL is not supported in C++"),
        ("dynamic_cast<IccUserControl *>(IccControl::instance());", "dynamic_cast"),
        ("}\n#pragma options(XPLINK)\nvoid f() {", "RGTXL0023-S"),
        ("}\nextern \"COBOL\" int SUB(int);\nvoid f() {", "RGTXL0026-S extern \"COBOL\" is not supported in C++"),
        ("}\n#pragma linkage(SUB, COBOL)\nvoid f() {", "RGTXL0026-S #pragma linkage is not supported in C++"),
    ] {
        let compilation = compile_as("prog.cpp", &compiler, &program(body));
        let text = compilation.messages.join("\n");
        assert!(text.contains(message) && compilation.image.is_none(), "{body}:\n{text}");
    }
}
