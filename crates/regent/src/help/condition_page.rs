//! The page of a condition, found by its name, its number or its abend code.

use exec::{Condition, ConditionSpec, DefaultAction};

use super::page::Page;

pub fn page(word: &str) -> Option<Page> {
    let specs = exec::catalogue().conditions;
    let by_number = || word.parse::<u16>().ok().and_then(|number| Condition(number).spec());
    let by_abend = || specs.iter().find(|spec| spec.abend_code == Some(word));
    let spec = exec::condition_by_name(word).and_then(Condition::spec).or_else(by_number).or_else(by_abend)?;
    let mut page = Page::new(spec.name);
    page.text(format!("Condition {}: the value of EIBRESP, RESP and DFHRESP({}).", spec.condition.0, spec.name));
    page.text(action(spec));
    let raising: Vec<&str> = exec::commands()
        .iter()
        .filter(|command| {
            command.implemented
                && (command.conditions.contains(&spec.condition) || exec::resp2_of(command.id).any(|row| row.condition == spec.condition))
        })
        .map(|command| command.name)
        .collect();
    if !raising.is_empty() {
        page.heading("Commands that can raise the condition");
        page.text(raising.join(" · "));
    }
    Some(page)
}

fn action(spec: &ConditionSpec) -> String {
    match (spec.default_action, spec.abend_code) {
        (DefaultAction::Abend, Some(code)) => {
            format!("A program that neither handles the condition nor specifies RESP or NOHANDLE ends with abend {code}.")
        }
        (DefaultAction::Abend, None) => "A program that neither handles the condition nor specifies RESP or NOHANDLE abends.".to_string(),
        (DefaultAction::Ignore, _) => "The condition is ignored unless the program handles it.".to_string(),
        (DefaultAction::Return, _) => "Control returns to the program unless it handles the condition.".to_string(),
        (DefaultAction::Suspend, _) => {
            "The task waits until the command can be executed, unless the program handles the condition.".to_string()
        }
    }
}
