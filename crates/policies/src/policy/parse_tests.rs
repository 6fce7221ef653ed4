//! Policies that are read, and policies that are refused, at the bounds of what they may contain.

use super::*;

fn identity() -> Identity {
    let name = |text: &str| text.to_string();
    Identity { policy: name("P"), user_tag: String::new(), bundle: name("B"), bundle_id: name("id"), directory: name("/b") }
}

fn policy(rules: &str) -> String {
    format!(
        r#"<policy:policy xmlns:policy="{NAMESPACE}" policySchemaVersion="4" policySchemaRelease="0"><description/><userTag>TAG_1</userTag>{rules}</policy:policy>"#
    )
}

fn limit(kind: &str, condition: &str, item: &str, unit: &str, value: &str, action: &str) -> String {
    format!(
        r#"<rule type="{kind}"><name>R</name><description/><{condition} item="{item}" operator="GT" unit="{unit}" value="{value}"/><action>{action}</action></rule>"#
    )
}

fn link(value: &str, action: &str) -> String {
    policy(&limit("programrequest", "programRequestCondition", "link", "", value, action))
}

fn fault(text: &str) -> String {
    parse(text, identity()).unwrap_err()
}

#[test]
fn a_rule_has_its_threshold_action_and_tag() {
    let read = parse(&link("5", "<abend abendCode=\"LIMT\"/>"), identity()).unwrap();
    assert_eq!((read.rules.len(), read.identity.user_tag.as_str()), (1, "TAG_1"));
    let threshold = read.rules[0].threshold().unwrap();
    assert_eq!((threshold.item, threshold.limit), (Item::Link, 5));
    assert_eq!(read.rules[0].action, Action::Abend("LIMT".to_string()));
    let default = parse(&link("5", "<abend/>"), identity()).unwrap();
    assert_eq!(default.rules[0].action, Action::Abend("AMPB".to_string()));
    let element = parse(&link("5", "<abend><abendCode>A$#@</abendCode></abend>"), identity()).unwrap();
    assert_eq!(element.rules[0].action, Action::Abend("A$#@".to_string()));
}

#[test]
fn every_item_of_the_table_can_be_limited() {
    for item in super::super::task_rule::ITEMS {
        let row = item.row();
        let text = policy(&limit(row.kind, row.condition, row.item, "", "1", "<message/>"));
        let read = parse(&text, identity()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(read.rules[0].kind(), (row.kind, row.item));
    }
}

#[test]
fn thresholds_are_bounded_by_their_item_and_unit() {
    let storage = |item: &str, unit: &str, value: &str| policy(&limit("storage", "storageUsedCondition", item, unit, value, "<message/>"));
    for (item, unit, most) in [
        ("task24", "B", "16777215"),
        ("task24", "K", "16383"),
        ("task24", "M", "15"),
        ("task31", "M", "2047"),
        ("task31", "G", "1"),
        ("shared64", "G", "4294967295"),
    ] {
        assert!(parse(&storage(item, unit, most), identity()).is_ok(), "{item} {most}{unit}");
        let over = (most.parse::<u64>().unwrap() + 1).to_string();
        assert!(fault(&storage(item, unit, &over)).contains("invalid threshold"), "{item} {over}{unit}");
    }
    let time = |unit: &str, value: &str| policy(&limit("time", "timeCondition", "cpulimit", unit, value, "<message/>"));
    assert!(parse(&time("S", "86400"), identity()).is_ok());
    assert!(fault(&time("S", "86401")).contains("invalid threshold"));
    for value in ["-1", "1.5", "", "x", "4294967296"] {
        assert!(fault(&link(value, "<message/>")).contains("invalid threshold"), "{value}");
    }
    assert!(fault(&time("K", "1")).contains("unit K"));
}

#[test]
fn what_cannot_be_watched_is_refused_by_name() {
    assert!(fault(&policy(&limit("wmqrequest", "wmqRequestCondition", "mqcommand", "", "1", "<message/>"))).contains("IBM MQ"));
    assert!(fault(&policy(&limit("weather", "x", "rain", "", "1", "<message/>"))).contains("rule type weather is not known"));
    assert!(
        fault(&policy(&limit("databaserequest", "databaseRequestCondition", "dlicommand", "", "1", "<message/>"))).contains("dlicommand")
    );
    assert!(fault(&link("1", "<setwlmopen/>")).contains("setwlmopen is not available"));
}

#[test]
fn identities_and_schema_levels_are_checked() {
    assert!(fault("<policy/>").contains("root element"));
    assert!(fault(&policy("")).contains("no rule"));
    let rule = limit("programrequest", "programRequestCondition", "link", "", "1", "<message/>");
    assert!(fault(&policy(&rule.repeat(2))).contains("two rules"));
    let named = |length: usize| policy(&rule.replace("<name>R<", &format!("<name>{}<", "r".repeat(length))));
    assert!(parse(&named(NAME_LENGTH_MAX), identity()).is_ok());
    assert!(fault(&named(NAME_LENGTH_MAX + 1)).contains("characters"));
    for (tag, is_valid) in [("ABCDEFGH", true), ("ABCDEFGHI", false), ("1A", false), ("A-B", false), ("", true)] {
        assert_eq!(parse(&policy(&rule).replace("TAG_1", tag), identity()).is_ok(), is_valid, "{tag}");
    }
    let version = |text: &str| policy(&rule).replace("policySchemaVersion=\"4\"", &format!("policySchemaVersion=\"{text}\""));
    assert!(parse(&version("5"), identity()).is_ok());
    assert!(fault(&version("6")).contains("not supported"));
    assert!(
        fault(&version("0")).contains("invalid") && fault(&version("100")).contains("invalid") && fault(&version("a")).contains("invalid")
    );
}

#[test]
fn abend_codes_have_four_characters() {
    assert!(fault(&link("1", "<abend abendCode=\"ABC\"/>")).contains("four characters"));
    assert!(fault(&link("1", "<abend abendCode=\"ABCDE\"/>")).contains("four characters"));
    assert!(fault(&link("1", "<message/><abend/>")).contains("not one action"));
    assert!(fault(&link("1", "")).contains("not one action"));
}

#[test]
fn system_rules_are_those_that_cics_explorer_writes() {
    let rule = |action: &str| {
        policy(&format!(
            r#"<rule group="SYSTEM" type="taskThreshold"><name>above_90</name><description/><taskThresholdCondition><contextFilter><TRANSACTION_ID filterOperator="OFF" filterValue=""/><USER_ID filterOperator="OFF" filterValue=""/></contextFilter><taskThresholdFilter><PERCENT_MAXTASKS filterFieldLength="4" filterOperator="GHT" filterValue="90" keyword="PERCENT_MAXTASKS"/></taskThresholdFilter></taskThresholdCondition><action>{action}</action></rule>"#
        ))
    };
    let read = parse(&rule("<message/>"), identity()).unwrap();
    assert_eq!(read.rules[0].kind(), ("taskThreshold", ""));
    assert!(fault(&rule("<abend/>")).contains("cannot abend a task"));
    assert!(fault(&rule("<event/>")).contains("epAdapter"));
    let event = parse(&rule("<event epAdapter=\"ALERT\"/>"), identity()).unwrap();
    assert_eq!(event.rules[0].action, Action::Event(Receiver::Adapter("ALERT".to_string())));
}
