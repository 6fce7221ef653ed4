//! The examples of `docs/policies.md`: a bundle with its manifest, policy and event adapter is installed, and its rules do what the page says.

use crate::support::{install, program, run, setup};

const DOCUMENT: &str = include_str!("../../../../docs/policies.md");

/// The XML blocks of the page that contain this text.
fn example(part: &str) -> &'static str {
    let blocks = DOCUMENT.split("```xml\n").skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    let found: Vec<&str> = blocks.filter(|block| block.contains(part)).collect();
    assert_eq!(found.len(), 1, "{part} is in one example");
    found[0]
}

#[test]
fn the_bundle_of_the_page_is_installed_and_limits_links() {
    let policy = example("<policy:policy");
    // The system rule of the page, the filter of tasks and the adapter belong to the same bundle here.
    let filter = example("<contextFilter>\n  <TRANSACTION_ID filterOperator=\"SW\"");
    let policy = policy.replace("</policy:policy>", &format!("{}</policy:policy>", example("fileOpenFilter")));
    let condition = "<programRequestCondition item=\"link\" operator=\"GT\" unit=\"\" value=\"100\"";
    assert!(policy.contains(&format!("{condition}/>")), "the rule about links");
    let policy = policy.replace(&format!("{condition}/>"), &format!("{condition}>{filter}</programRequestCondition>"));
    let manifest = example("<manifest").replace(
        "</manifest>",
        "<define name=\"DOCADAPT\" type=\"http://www.ibm.com/xmlns/prod/cics/bundle/EPADAPTER\" path=\"a.epadapter\"/></manifest>",
    );
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles/DOCUMENT");
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    for (name, text) in
        [("META-INF/cics.xml", manifest.as_str()), ("BANKLIMITS.policy", &policy), ("a.epadapter", example("<ep:EPAdapter"))]
    {
        std::fs::write(directory.join(name), text).unwrap();
    }
    install("DOCUMENT", &directory, "ENABLED").unwrap();
    program("", "PLDOC0", "01 WS-X PIC X.", "MAIN.\n    EXEC CICS RETURN END-EXEC.");
    let linker =
        "MAIN.\n    PERFORM 101 TIMES\n       EXEC CICS LINK PROGRAM('PLDOC0') END-EXEC\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.";
    program("BADO", "PLDOC1", "01 WS-X PIC X.", linker);
    program("DOCO", "PLDOC2", "01 WS-X PIC X.", linker);
    assert_eq!(run("DOCO"), Vec::<String>::new(), "the filter accepts transactions that begin with BA");
    let told = run("BADO");
    // The message of the page has the number of another task.
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>().join(" ");
    let shown = DOCUMENT.split("```\n").find(|block| block.starts_with("DFHMP3001")).expect("the message");
    let shown = words(shown).split_once(" exceeded").expect("what it says").1.to_string();
    assert!(told.len() == 1 && words(&told[0]).ends_with(&shown), "{told:#?}\n{shown}");
    assert!(setup().lines().iter().any(|line| line.contains("BUNDLE DOCUMENT is enabled")));
}
