//! Policy XML to rules.
//!
//! Source: CICS TS 5.5, "Policy XML element name and attribute values", "Policy schema versions", messages DFHMP2004 and DFHMP2009. A rule
//! of a type that this region cannot watch is refused with its name, and the policy with it: a policy that is only partly in force would
//! deceive its owner. Invariant: every threshold is within the bounds of its item.

use super::filter::ContextFilter;
use super::system_rule::{Kind, SystemCondition};
use super::task_rule::{Item, rows};
use super::{ADAPTER_LENGTH_MAX, Action, Condition, Identity, NAME_LENGTH_MAX, Policy, Receiver, Rule, Taken, Threshold};
use crate::xml;
use roxmltree::Node;
use std::sync::Arc;

const NAMESPACE: &str = "http://www.ibm.com/xmlns/prod/cics/managedplatform/policy";
/// The newest schema that is understood.
const SCHEMA_VERSION_MAX: u32 = 5;
/// The abend code of a rule that names none.
const DEFAULT_ABEND_CODE: &str = "AMPB";
const USER_TAG_LENGTH_MAX: usize = 8;
/// Most rules of a policy.
const RULES_MAX: usize = 1_000;
/// Rules about what a region of this release does not have.
const REFUSED: [(&str, &str); 8] = [
    ("wmqrequest", "IBM MQ"),
    ("mqrequest", "IBM MQ"),
    ("containerstorage", "the container storage rule of later releases"),
    ("dlirequest", "DL/I"),
    ("dbctlConnection", "DBCTL"),
    ("ipconnStatus", "IP connections"),
    ("pipelineEnable", "pipelines"),
    ("compoundCondition", "the compound condition of later releases"),
];

/// The policy of a text, in the words of the policy editor.
///
/// # Errors
///
/// Why the policy cannot be created.
pub fn parse(text: &str, identity: Identity) -> Result<Policy, String> {
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "policy" || root.tag_name().namespace() != Some(NAMESPACE) {
        return Err(format!("the root element is not policy of {NAMESPACE}"));
    }
    let version = schema_number(root, "policySchemaVersion", 1)?;
    schema_number(root, "policySchemaRelease", 0)?;
    if version > SCHEMA_VERSION_MAX {
        return Err(format!("policy schema level {version} is not supported: {SCHEMA_VERSION_MAX} is the highest"));
    }
    let identity = Arc::new(Identity { user_tag: user_tag(xml::text(root, "userTag"))?, ..identity });
    let mut rules: Vec<Arc<Rule>> = Vec::new();
    for element in xml::elements(root) {
        match element.tag_name().name() {
            "description" | "userTag" => {}
            "rule" if rules.len() == RULES_MAX => return Err(format!("it has more than {RULES_MAX} rules")),
            "rule" => {
                let rule = rule(element, &identity)?;
                if rules.iter().any(|known| known.name == rule.name) {
                    return Err(format!("two rules are called {}", rule.name));
                }
                rules.push(Arc::new(rule));
            }
            other => return Err(format!("{other} is not an element of a policy")),
        }
    }
    if rules.is_empty() {
        return Err("it has no rule".to_string());
    }
    Ok(Policy { identity, rules })
}

/// One or two digits.
fn schema_number(root: Node, name: &str, minimum: u32) -> Result<u32, String> {
    let text = xml::attribute(root, name);
    let number = text.parse().ok().filter(|number| (minimum..=99).contains(number) && text.len() <= 2);
    number.ok_or_else(|| format!("{name} is invalid: {text}"))
}

fn user_tag(text: &str) -> Result<String, String> {
    let is_valid = text.len() <= USER_TAG_LENGTH_MAX
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().next().is_none_or(|first| first.is_ascii_alphabetic());
    if is_valid { Ok(text.to_string()) } else { Err(format!("USERTAG contains invalid characters: {text}")) }
}

fn rule(element: Node, identity: &Arc<Identity>) -> Result<Rule, String> {
    let name = xml::text(element, "name");
    if name.is_empty() || name.chars().count() > NAME_LENGTH_MAX {
        return Err(format!("the name of a rule has 1 to {NAME_LENGTH_MAX} characters: {name}"));
    }
    let of_rule = |fault: String| format!("rule {name}: {fault}");
    let kind = xml::attribute(element, "type");
    if let Some((_, what)) = REFUSED.iter().find(|(refused, _)| *refused == kind) {
        return Err(of_rule(format!("rule type {kind} needs {what}, which is not available")));
    }
    let action = xml::child(element, "action").ok_or_else(|| of_rule("it has no action".to_string()))?;
    let action = action_of(action).map_err(of_rule)?;
    let (condition, context) = condition_of(element, kind).map_err(of_rule)?;
    if matches!((&condition, &action), (Condition::System(_), Action::Abend(_))) {
        return Err(of_rule("a system rule cannot abend a task".to_string()));
    }
    Ok(Rule { identity: identity.clone(), name: name.to_string(), condition, context, action, taken: Taken::default() })
}

fn condition_of(element: Node, kind: &str) -> Result<(Condition, ContextFilter), String> {
    let has = |name: &str| xml::child(element, name).ok_or_else(|| format!("it has no {name}"));
    if let Some(row) = rows().iter().find(|row| row.kind == kind) {
        let condition = has(row.condition)?;
        return Ok((Condition::Task(threshold(condition, kind)?), ContextFilter::of(condition)?));
    }
    let kind = Kind::find(kind).ok_or_else(|| format!("rule type {kind} is not known"))?;
    let condition = has(kind.row().condition)?;
    Ok((Condition::System(SystemCondition::of(kind, condition)?), ContextFilter::of(condition)?))
}

fn threshold(element: Node, kind: &str) -> Result<Threshold, String> {
    let item = Item::find(kind, xml::attribute(element, "item"))?;
    let operator = xml::attribute(element, "operator");
    if operator != "GT" {
        return Err(format!("operator {operator} is not valid: GT is expected"));
    }
    let (value, unit, row) = (xml::attribute(element, "value"), xml::attribute(element, "unit"), item.row());
    let multiple = row.unit.multiple(unit).ok_or_else(|| format!("unit {unit} is not one of item {}", row.item))?;
    let number: u32 = value.parse().map_err(|_| format!("it specifies an invalid threshold value of {value}"))?;
    let limit = u64::from(number) * multiple;
    if limit > row.limit_max {
        return Err(format!("it specifies an invalid threshold value of {value}{unit}: {} is the greatest", row.limit_max));
    }
    Ok(Threshold { item, limit, value: value.to_string(), unit: unit.to_string() })
}

fn action_of(element: Node) -> Result<Action, String> {
    let mut actions = xml::elements(element);
    let (Some(action), None) = (actions.next(), actions.next()) else { return Err("it has not one action".to_string()) };
    match action.tag_name().name() {
        "message" => Ok(Action::Message),
        "event" => receiver(action).map(Action::Event),
        "abend" => abend_code(action).map(Action::Abend),
        other => Err(format!("action {other} is not available")),
    }
}

/// One adapter or one set of adapters, as an attribute or an element.
fn receiver(element: Node) -> Result<Receiver, String> {
    let given = |name: &str| match xml::attribute(element, name) {
        "" => xml::text(element, name).to_string(),
        value => value.to_string(),
    };
    let receiver = match (given("epAdapter"), given("epAdapterSet")) {
        (adapter, set) if set.is_empty() && !adapter.is_empty() => Receiver::Adapter(adapter),
        (adapter, set) if adapter.is_empty() && !set.is_empty() => Receiver::Set(set),
        _ => return Err("action event has not one of epAdapter and epAdapterSet".to_string()),
    };
    let (Receiver::Adapter(name) | Receiver::Set(name)) = &receiver;
    if name.chars().count() > ADAPTER_LENGTH_MAX {
        return Err(format!("{name} is longer than {ADAPTER_LENGTH_MAX} characters"));
    }
    Ok(receiver)
}

/// The code of an element, or of an attribute.
fn abend_code(element: Node) -> Result<String, String> {
    let code = match xml::attribute(element, "abendCode") {
        "" => xml::text(element, "abendCode"),
        code => code,
    };
    let code = if code.is_empty() { DEFAULT_ABEND_CODE } else { code };
    let is_valid = code.len() == 4 && code.chars().all(|c| c.is_ascii_alphanumeric() || "$@#".contains(c));
    if is_valid { Ok(code.to_string()) } else { Err(format!("abend code {code} is not four characters")) }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
