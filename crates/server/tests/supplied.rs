//! The supplied transactions as the operator documentation describes them.

use csd::{Definition, SUPPLIED_GROUPS, TransactionDefinition};
use region::Registry;
use region::transaction_manager::absent;

/// docs/operators.md lists each supplied transaction, the unsupported ones in its second table.
#[test]
fn the_page_for_operators_lists_every_supplied_transaction() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operators.md");
    let page = std::fs::read_to_string(page).unwrap();
    let tables: Vec<&str> = page.split("| transaction |").collect();
    assert_eq!(tables.len(), 3, "two tables of transactions");
    let lists = |table: &str, transid: &str| {
        let names = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        names.flat_map(|names| names.split(", ")).any(|name| name == transid)
    };
    let registry = Registry::new(&server::DOMAINS);
    let mut count = 0;
    for line in SUPPLIED_GROUPS.lines().filter(|line| line.starts_with("DEFINE TRANSACTION(")) {
        let value = |keyword: &str| line.split(&format!(" {keyword}(")).nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        let (transid, program) = (value("TRANSACTION"), value("PROGRAM"));
        let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program);
        let is_absent = absent(&registry, &TransactionDefinition::from(&definition)).is_some();
        assert_eq!((lists(tables[1], transid), lists(tables[2], transid)), (!is_absent, is_absent), "{transid}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// The table of CEMT in docs/operators.md says what the menus of CEMT offer.
#[test]
fn the_page_for_operators_lists_what_cemt_can_do() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operators.md");
    let page = std::fs::read_to_string(page).unwrap();
    let offered = |verb: &str| supplied::cemt::syntax(verb).unwrap().into_iter().map(|line| line.trim().to_string()).collect::<Vec<_>>();
    let table = page.split("| resource | CEMT |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    let listed: Vec<String> =
        table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).map(str::to_string).collect();
    let verbs = ["INQUIRE", "SET", "DISCARD"].map(|verb| (verb, offered(verb)));
    let row = |name: &String| {
        let can: Vec<&str> = verbs.iter().filter(|(_, offered)| offered.contains(name)).map(|(verb, _)| *verb).collect();
        format!("| {name} | {} |", can.join(", "))
    };
    let expected: Vec<String> =
        offered("INQUIRE").iter().map(row).chain(offered("PERFORM").iter().map(|name| format!("| {name} | PERFORM |"))).collect();
    assert!(listed == expected, "docs/operators.md should have:\n{}", expected.join("\n"));
}
