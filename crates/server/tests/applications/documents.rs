//! The examples of `docs/applications.md`: two versions of its application, and the command that invokes one of them.

use crate::support::{compile_into, open, program, scratch, setup};
use csd::Definition;

const DOCUMENT: &str = include_str!("../../../../docs/applications.md");

/// The blocks of the page in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    DOCUMENT.split(&fence).skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block)).collect()
}

#[test]
fn the_application_of_the_page_is_invoked() {
    let xml = blocks("xml");
    let manifest = xml.iter().find(|block| block.starts_with("<manifest")).expect("a manifest");
    let scope = xml.iter().find(|block| block.starts_with("<policyscope")).expect("a policy scope");
    let definitions = DOCUMENT.split("```\n").find(|block| block.starts_with("DEFINE BUNDLE")).expect("the definitions");
    let value = |line: &str, keyword: &str| line.split(keyword).nth(1).unwrap().split(')').next().unwrap().to_string();
    for (at, define) in definitions.split("DEFINE ").skip(1).enumerate() {
        let (name, base_scope) = (value(define, "BUNDLE("), value(define, "BASESCOPE("));
        let library = scratch("versions").join(&name);
        std::fs::create_dir_all(&library).unwrap();
        let entry = format!("MAIN.\n    MOVE 'VERSION {at}' TO DFHCOMMAREA.\n    EXEC CICS RETURN END-EXEC.");
        compile_into(&library, "PAYENTRY", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(9).", &entry);
        let directory = scratch("bundles").join(&name);
        std::fs::create_dir_all(directory.join("META-INF")).unwrap();
        std::fs::write(directory.join("META-INF/cics.xml"), manifest.replace("</manifest>", &format!("{scope}</manifest>"))).unwrap();
        let dsname = format!("<cicsdefinitionlibrary name=\"PAYLIB\" ranking=\"50\" dsname01=\"{}\"/>", library.display());
        std::fs::write(directory.join("PAYLIB.library"), dsname).unwrap();
        for program in ["PAYSUB", "PAYENTRY"] {
            std::fs::write(directory.join(format!("{program}.program")), format!("<cicsdefinitionprogram name=\"{program}\"/>")).unwrap();
        }
        let bundle =
            Definition::new("BUNDLE", &name, "PAY").with("BUNDLEDIR", &directory.display().to_string()).with("BASESCOPE", &base_scope);
        setup().region.install(&bundle).unwrap();
        open(&format!("DCO{at}"), &name);
    }
    let invoke: String = blocks("cobol")[0].lines().map(|line| format!("    {line}\n")).collect();
    let procedure =
        format!("MAIN.\n{invoke}    .\n    EXEC CICS LINK PROGRAM('REPORT') COMMAREA(EMPLOYEE) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    program("DOCA", "DOCAPPL", "01 EMPLOYEE PIC X(9).", &procedure);
    assert_eq!(setup().reported("DOCA"), "VERSION 1", "the highest minor version of major version 1");
}
