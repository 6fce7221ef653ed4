//! The syntax of a command as the command reference writes it: `[ ]` optional, `{ | }` one of several.

use exec::{ArgumentRule, CommandSpec, OptionId, OptionSpec, Rule, RuleKind};

/// Columns of a line, without the indent of the page.
const WIDTH: usize = 78;
const INDENT: &str = "    ";
/// With more options than these, several stand on one line.
const ONE_A_LINE_MAX: usize = 24;

fn written(option: &OptionSpec) -> String {
    match option.argument {
        ArgumentRule::None => option.name.to_string(),
        ArgumentRule::Optional => format!("{}[({})]", option.name, option.kind.word()),
        ArgumentRule::Required => format!("{}({})", option.name, option.kind.word()),
    }
}

/// Builds the syntax option by option; each is written once.
struct Writer {
    command: &'static CommandSpec,
    done: Vec<OptionId>,
    items: Vec<String>,
    /// Rules that brackets do not show.
    rules: Vec<String>,
}

/// The lines of the syntax, and sentences about options that go together.
pub fn syntax(command: &'static CommandSpec) -> (Vec<String>, Vec<String>) {
    if command.name.ends_with(" CONDITION") {
        let label = if command.words[0] == "HANDLE" { "[(label)]" } else { "" };
        return (vec![format!("{} condition{label} ...", command.name)], Vec::new());
    }
    let mut writer = Writer { command, done: Vec::new(), items: Vec::new(), rules: Vec::new() };
    let browse = writer.browse();
    let head = writer.head("");
    for &id in command.as_written {
        writer.option(id);
    }
    writer.sentences();
    let mut lines = laid_out(head, &writer.items);
    lines.extend(browse);
    (lines, writer.rules)
}

impl Writer {
    fn spec(&self, id: OptionId) -> &'static OptionSpec {
        self.command.option(id).expect("an option of the command")
    }

    fn named(&self, name: &str) -> Option<&'static OptionSpec> {
        self.command.options.iter().find(|option| option.name == name)
    }

    /// The words of the command; one that is an option with an argument too is written with it.
    fn head(&mut self, argument: &str) -> String {
        let mut words = Vec::new();
        for word in self.command.words {
            match self.named(word) {
                Some(option) if option.argument != ArgumentRule::None => {
                    self.done.push(option.id);
                    words.push(if argument.is_empty() { format!("{word}({})", option.kind.word()) } else { format!("{word}{argument}") });
                }
                Some(option) => {
                    self.done.push(option.id);
                    words.push(word.to_string());
                }
                None => words.push(word.to_string()),
            }
        }
        words.join(" ")
    }

    /// The forms of an INQUIRE that browses; its options are the same as without START, NEXT and END.
    fn browse(&mut self) -> Vec<String> {
        let marks: Vec<&OptionSpec> = ["START", "NEXT", "END", "AT"].iter().filter_map(|name| self.named(name)).collect();
        if marks.len() < 3 || self.command.words[0] != "INQUIRE" {
            return Vec::new();
        }
        self.done.extend(marks.iter().map(|option| option.id));
        let name = self.command.name;
        let at = if marks.len() == 4 { " [AT(data-value)]" } else { "" };
        let next = self.head("(data-area)");
        vec![String::new(), format!("{name} START{at}"), format!("{next} NEXT [options]"), format!("{name} END")]
    }

    fn rules_of(&self, id: OptionId, kind: RuleKind) -> impl Iterator<Item = &'static Rule> + use<> {
        self.command.rules.iter().filter(move |rule| rule.kind == kind && rule.options.contains(&id))
    }

    /// The members of a group that are not written yet.
    fn alternatives(&mut self, rule: &Rule) -> String {
        let open: Vec<OptionId> = rule.options.iter().copied().filter(|id| !self.done.contains(id)).collect();
        self.done.extend(&open);
        open.iter().map(|id| written(self.spec(*id))).collect::<Vec<_>>().join(" | ")
    }

    fn option(&mut self, id: OptionId) {
        if self.done.contains(&id) || self.parent(id).is_some_and(|parent| !self.done.contains(&parent)) {
            return;
        }
        let item = if let Some(rule) = self.rules_of(id, RuleKind::ExactlyOne).next() {
            format!("{{{}}}", self.alternatives(rule))
        } else if let Some(rule) = self.rules_of(id, RuleKind::AtMostOne).next() {
            format!("[{}]", self.alternatives(rule))
        } else {
            self.done.push(id);
            let mut text = written(self.spec(id));
            let children: Vec<OptionId> = self
                .command
                .as_written
                .iter()
                .copied()
                .filter(|child| !self.done.contains(child) && self.parent(*child) == Some(id))
                .collect();
            for child in children {
                self.done.push(child);
                text.push_str(&format!(" [{}]", written(self.spec(child))));
            }
            if self.rules_of(id, RuleKind::Required).next().is_some() { text } else { format!("[{text}]") }
        };
        self.items.push(item);
    }

    /// The only option that this one goes with, when both are in no group: it is written behind that one.
    fn parent(&self, id: OptionId) -> Option<OptionId> {
        let is_grouped = |id| [RuleKind::ExactlyOne, RuleKind::AtMostOne].into_iter().any(|kind| self.rules_of(id, kind).next().is_some());
        let mut needs = self.rules_of(id, RuleKind::Needs).filter(|rule| rule.options[0] == id);
        let rule = needs.next().filter(|rule| rule.options.len() == 2)?;
        let parent = rule.options[1];
        let has_parent = self.rules_of(parent, RuleKind::Needs).any(|rule| rule.options[0] == parent);
        (!is_grouped(id) && !is_grouped(parent) && !has_parent && needs.next().is_none()).then_some(parent)
    }

    fn sentences(&mut self) {
        let mut grouped: Vec<OptionId> = Vec::new();
        for rule in self.command.rules {
            let names: Vec<&str> = rule.options.iter().map(|id| id.name()).collect();
            match rule.kind {
                RuleKind::Needs if self.parent(rule.options[0]).is_none() => {
                    self.rules.push(format!("{} is valid only with {}.", names[0], any_of(&names[1..])));
                }
                RuleKind::Requires => self.rules.push(format!("{} must be specified with {}.", names[0], any_of(&names[1..]))),
                RuleKind::AtMostOne | RuleKind::ExactlyOne => {
                    // The brackets show a group whose members are in no earlier group.
                    if rule.options.iter().any(|id| grouped.contains(id)) {
                        self.rules.push(format!("Only one of {} may be specified.", any_of(&names)));
                    }
                    grouped.extend(rule.options);
                }
                RuleKind::Needs | RuleKind::Required => {}
            }
        }
    }
}

/// `A, B or C`.
pub fn any_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn laid_out(head: String, items: &[String]) -> Vec<String> {
    let mut lines = vec![head];
    let is_packed = items.len() > ONE_A_LINE_MAX;
    for item in items {
        let last = lines.last_mut().expect("the head");
        let fits = last.starts_with(INDENT) && last.chars().count() + 1 + item.chars().count() <= WIDTH;
        if is_packed && fits {
            last.push(' ');
            last.push_str(item);
        } else {
            lines.extend(broken(item));
        }
    }
    lines
}

/// An item on as many lines as it takes, broken between alternatives.
fn broken(item: &str) -> Vec<String> {
    let mut lines = vec![INDENT.to_string()];
    for (index, part) in item.split(" | ").enumerate() {
        let last = lines.last_mut().expect("a line");
        if index > 0 && last.chars().count() + 3 + part.chars().count() > WIDTH {
            lines.push(format!("{INDENT} | {part}"));
        } else {
            let bar = if index > 0 { " | " } else { "" };
            last.push_str(&format!("{bar}{part}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(command: &str) -> Vec<String> {
        syntax(exec::command_by_name(command).expect("a command")).0
    }

    /// The syntax diagrams of the command reference, as text.
    #[test]
    fn groups_are_shown_by_brackets() {
        let read = lines("READ");
        assert_eq!(read[..2], ["READ", "    FILE(filename)"]);
        for line in
            ["    RIDFLD(data-area)", "    {INTO(data-area) | SET(ptr-ref)}", "    [KEYLENGTH(data-value) [GENERIC]]", "    [EQUAL | GTEQ]"]
        {
            assert!(read.iter().any(|other| other == line), "{line} in {read:?}");
        }
        assert_eq!(lines("SEND MAP")[0], "SEND MAP(name)");
        assert_eq!(lines("HANDLE CONDITION"), ["HANDLE CONDITION condition[(label)] ..."]);
        assert!(lines("WRITEQ TS").contains(&"    {QUEUE(name) | QNAME(name)}".to_string()));
    }

    #[test]
    fn an_inquiry_has_the_forms_of_its_browse() {
        let lines = lines("INQUIRE FILE");
        assert_eq!(lines[0], "INQUIRE FILE(data-area)");
        assert_eq!(lines[lines.len() - 3..], ["INQUIRE FILE START", "INQUIRE FILE(data-area) NEXT [options]", "INQUIRE FILE END"]);
    }

    #[test]
    fn every_option_is_written() {
        for spec in exec::commands().iter().filter(|spec| !spec.name.ends_with(" CONDITION")) {
            let text = syntax(spec).0.join(" ");
            for option in spec.options {
                let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
                assert!(words.any(|word| word == option.name), "{} {}:\n{text}", spec.name, option.name);
            }
        }
    }
}
