//! INQUIRE POLICY and INQUIRE POLICYRULE.

use crate::browse::browse;
use crate::bundle::part::{Content, Status};
use crate::policy::{Action, Condition, Policy, Receiver, Rule};
use crate::{Policies, signature};
use exec::resp2::policies as resp2;
use exec::{CommandId, command, condition, cvda, option};
use region::clock::local_from_system;
use region::inquiry::{NULL_NUMBER, either};
use region::{Arguments, Handler, Outcome, Region, Task, raise};
use std::sync::Arc;
use std::time::SystemTime;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::INQUIRE_POLICY, inquire), (command::INQUIRE_POLICYRULE, inquire_rule)]
}

/// Between the names of a rule, a policy and a bundle, in the names of a browse: no name has it.
const SEPARATOR: char = '\0';

/// An installed policy, and what its bundle says of it.
struct Installed {
    policy: Arc<Policy>,
    is_enabled: bool,
    agent: i64,
    at: SystemTime,
}

fn installed(region: &Region) -> Vec<Installed> {
    let bundles = Policies::of(region).bundles.lock();
    let mut found = Vec::new();
    for bundle in bundles.values() {
        let agent = if bundle.is_created { cvda::CREATESPI } else { cvda::GRPLIST };
        for part in &bundle.parts {
            if let Content::Policy(policy) = &part.content {
                let is_enabled = part.status == Status::Enabled;
                found.push(Installed { policy: policy.clone(), is_enabled, agent, at: bundle.installed_at });
            }
        }
    }
    found
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let key = |found: &Installed| format!("{}{SEPARATOR}{}", found.policy.identity.policy, found.policy.identity.bundle);
    let names = || installed(region).iter().map(key).collect();
    let Some(name) = browse(task, arguments, option::POLICY, names)? else { return Ok(()) };
    // The name alone is that of the first policy which has it; a browse reaches those of all bundles.
    let is_meant = |found: &Installed| if name.contains(SEPARATOR) { key(found) == name } else { found.policy.identity.policy == name };
    let Some(found) = installed(region).into_iter().find(is_meant) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    let identity = &found.policy.identity;
    arguments.set_text(option::POLICY, &identity.policy)?;
    arguments.set_integer(option::ENABLESTATUS, either(found.is_enabled, cvda::ENABLED, cvda::DISABLED));
    arguments.set_text(option::BUNDLE, &identity.bundle)?;
    arguments.set_text(option::USERTAG, &identity.user_tag)?;
    signature::give(region, arguments, "BUNDLE", &identity.bundle, found.agent, found.at)?;
    // What a bundle defines is defined by its name.
    arguments.set_text(option::DEFINESOURCE, &identity.bundle)
}

/// The rule that a command names, and the policy, if it names one.
fn inquire_rule(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let given = if region::inquiry::is_browse(arguments) { None } else { arguments.text(option::POLICY)? };
    let all = || {
        let policies = installed(region);
        let rules = policies.iter().flat_map(|found| &found.policy.rules);
        rules.map(|rule| key_of(rule)).collect()
    };
    let Some(name) = browse(task, arguments, option::POLICYRULE, all)? else { return Ok(()) };
    let policy = given.filter(|policy| !policy.is_empty());
    let is_meant = |rule: &&Arc<Rule>| {
        let is_named = rule.name == name && policy.as_ref().is_none_or(|policy| *policy == rule.identity.policy);
        if name.contains(SEPARATOR) { key_of(rule) == name } else { is_named }
    };
    let policies = installed(region);
    let Some(rule) = policies.iter().flat_map(|found| &found.policy.rules).find(is_meant) else {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    };
    arguments.set_text(option::POLICYRULE, &rule.name)?;
    arguments.set_text(option::POLICY, &rule.identity.policy)?;
    give(arguments, rule)
}

/// A rule in the names of a browse: policies of different bundles may have the same name, with rules of the same name.
fn key_of(rule: &Rule) -> String {
    format!("{}{SEPARATOR}{}{SEPARATOR}{}", rule.name, rule.identity.policy, rule.identity.bundle)
}

fn give(arguments: &mut Arguments, rule: &Rule) -> Outcome {
    let (kind, item) = rule.kind();
    let (action, code, adapter, set) = match &rule.action {
        Action::Message => (cvda::MESSAGE, "", "", ""),
        Action::Event(Receiver::Adapter(name)) => (cvda::EVENT, "", name.as_str(), ""),
        Action::Event(Receiver::Set(name)) => (cvda::EVENT, "", "", name.as_str()),
        Action::Abend(code) => (cvda::ABEND, code.as_str(), "", ""),
    };
    let (group, threshold) = match &rule.condition {
        Condition::Task(threshold) => (cvda::TASK, i64::try_from(threshold.limit).unwrap_or(i64::MAX)),
        Condition::System(_) => (cvda::SYSTEM, NULL_NUMBER),
    };
    let count = i64::try_from(rule.taken.total()).unwrap_or(i64::MAX);
    // Fullwords: what does not fit is shown as the null value.
    let fullword = |number: i64| if i32::try_from(number).is_ok() { number } else { NULL_NUMBER };
    arguments.set_integers([
        (option::ACTIONTYPE, action),
        (option::ACTIONCOUNT, fullword(count)),
        (option::RULEGROUP, group),
        (option::THRESHOLD, fullword(threshold)),
        (option::LASTACTTIME, rule.taken.last().map_or(0, |last| local_from_system(last).0)),
    ]);
    arguments.set_text(option::ABENDCODE, code)?;
    arguments.set_text(option::RULEITEM, if item.is_empty() { kind } else { item })?;
    arguments.set_text(option::EPADAPTER, adapter)?;
    arguments.set_text(option::EPADAPTERSET, set)
}
