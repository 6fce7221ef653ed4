//! Determines what a run of IDCAMS would define, need and copy, from its control statements and without running them. That is enough to
//! order the steps of many jobs and to leave out those that set nothing up.

use std::collections::BTreeSet;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Names of clusters, alternate indexes, paths, generation groups.
    pub defines: BTreeSet<String>,
    /// Names that must be defined before: RELATE, PATHENTRY, BLDINDEX, targets of REPRO.
    pub needs: BTreeSet<String>,
    pub copies: Vec<Copy>,
}

/// A REPRO: data set names, or DD names where the DD names no data set.
#[derive(Debug, PartialEq, Eq)]
pub struct Copy {
    pub from: String,
    pub to: String,
}

impl Effects {
    /// The step defines something, or loads something that a step of the application defines.
    pub fn sets_up(&self, provided: &BTreeSet<&str>) -> bool {
        !self.defines.is_empty() || self.needs.iter().any(|name| provided.contains(name.as_str()))
    }

    /// Everything the step needs has been defined, defines itself, or is not defined by any step.
    pub fn is_ready(&self, defined: &BTreeSet<String>, provided: &BTreeSet<&str>) -> bool {
        self.needs.iter().all(|name| defined.contains(name) || self.defines.contains(name) || !provided.contains(name.as_str()))
    }
}

/// Reads the statements; `data_set_of` gives the data set of a DD name.
pub fn effects(text: &str, data_set_of: &dyn Fn(&str) -> Option<String>) -> Effects {
    let words = words(text);
    let mut out = Effects::default();
    let mut at = 0;
    while at < words.len() {
        let end = (at + 1..words.len()).find(|&next| starts_command(&words, next)).unwrap_or(words.len());
        command(&words[at..end], data_set_of, &mut out);
        at = end;
    }
    out
}

/// The statements of a step that has failed in part: those that define what is not there, and those that load it, or load an empty data
/// set. Nothing that is there is deleted or defined. `None` if the statements cannot be separated.
pub fn remaining(
    text: &str,
    data_set_of: &dyn Fn(&str) -> Option<String>,
    is_there: &dyn Fn(&String) -> bool,
    is_empty: &dyn Fn(&String) -> bool,
) -> Option<String> {
    let words = words(text);
    if words.iter().any(|word| word.depth == 0 && word.text == "ELSE") {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let mut made: BTreeSet<String> = BTreeSet::new();
    let mut kept = String::new();
    let mut at = 0;
    while at < words.len() {
        let end = (at + 1..words.len()).find(|&next| starts_command(&words, next)).unwrap_or(words.len());
        // The end of a DO group belongs to no command.
        let own = (at..end).find(|&word| words[word].depth == 0 && matches!(words[word].text.as_str(), "DO" | "END")).unwrap_or(end);
        let mut effects = Effects::default();
        command(&words[at..own], data_set_of, &mut effects);
        let is_needed = match words[at].text.as_str() {
            "DEFINE" | "DEF" => !effects.defines.iter().any(is_there),
            "REPRO" => effects.copies.iter().any(|copy| made.contains(&copy.to) || is_empty(&copy.to)),
            "BLDINDEX" | "BIX" => effects.needs.iter().any(|name| made.contains(name)),
            _ => false,
        };
        if is_needed {
            made.extend(effects.defines);
            let until = words.get(own).map_or(characters.len(), |next| next.start);
            kept.push(' ');
            kept.extend(&characters[words[at].start..until]);
            kept.push('\n');
        }
        at = end;
    }
    Some(kept)
}

const VERBS: [&str; 16] = [
    "DEFINE", "DEF", "DELETE", "DEL", "REPRO", "PRINT", "LISTCAT", "VERIFY", "BLDINDEX", "BIX", "ALTER", "EXPORT", "IMPORT", "IF", "SET",
    "EXAMINE",
];

fn starts_command(words: &[Word], at: usize) -> bool {
    words[at].depth == 0 && VERBS.contains(&words[at].text.as_str())
}

/// A word and how many parentheses are open around it.
struct Word {
    text: String,
    depth: usize,
    /// Its first character in the text.
    start: usize,
}

fn words(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let (mut depth, mut current, mut comment) = (0usize, String::new(), false);
    let characters: Vec<char> = text.to_ascii_uppercase().chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let c = characters[at];
        let next = characters.get(at + 1).copied();
        if comment {
            comment = !(c == '*' && next == Some('/'));
            at += if comment { 1 } else { 2 };
            continue;
        }
        if c == '/' && next == Some('*') {
            comment = true;
        }
        let separates = comment
            || c.is_whitespace()
            || matches!(c, '(' | ')' | ',' | ';')
            || matches!(c, '-' | '+') && at_line_end(&characters[at + 1..]);
        if !separates {
            current.push(c);
        } else if !current.is_empty() {
            let start = at - current.chars().count();
            out.push(Word { text: std::mem::take(&mut current), depth, start });
        }
        match c {
            '(' if !comment => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    if !current.is_empty() {
        let start = characters.len() - current.chars().count();
        out.push(Word { text: current, depth, start });
    }
    out
}

fn at_line_end(rest: &[char]) -> bool {
    rest.iter().take_while(|c| **c != '\n').all(|c| c.is_whitespace())
}

fn command(words: &[Word], data_set_of: &dyn Fn(&str) -> Option<String>, out: &mut Effects) {
    let argument = |names: &[&str]| -> Option<String> {
        let at = words.iter().position(|word| names.contains(&word.text.as_str()))?;
        let value = words.get(at + 1).filter(|value| value.depth > words[at].depth)?;
        Some(value.text.trim_matches('\'').split('/').next().unwrap_or_default().to_string())
    };
    let data_set =
        |dd_names: &[&str], names: &[&str]| argument(names).or_else(|| argument(dd_names).map(|dd| data_set_of(&dd).unwrap_or(dd)));
    match words[0].text.as_str() {
        "DEFINE" | "DEF" => {
            out.defines.extend(argument(&["NAME"]));
            out.needs.extend(argument(&["RELATE", "REL"]));
            out.needs.extend(argument(&["PATHENTRY", "PENT"]));
        }
        "BLDINDEX" | "BIX" => {
            out.needs.extend(data_set(&["INFILE", "IFILE"], &["INDATASET", "IDS"]));
            out.needs.extend(data_set(&["OUTFILE", "OFILE"], &["OUTDATASET", "ODS"]));
        }
        "REPRO" => {
            let from = data_set(&["INFILE", "IFILE"], &["INDATASET", "IDS"]);
            let to = data_set(&["OUTFILE", "OFILE"], &["OUTDATASET", "ODS"]);
            if let (Some(from), Some(to)) = (from, to) {
                out.needs.insert(to.clone());
                out.copies.push(Copy { from, to });
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn definitions_needs_and_copies() {
        let text = "  DELETE A.B CLUSTER /* NAME(X) */\n  IF MAXCC LE 8 THEN SET MAXCC=0\n  DEFINE CLUSTER (NAME(A.B) -\n   KEYS(8 0)) -\n  DATA (NAME(A.B.DATA))\n\
                    DEF AIX(NAME(A.X) RELATE(A.B))\n DEFINE PATH (NAME(A.P) PENT(A.X))\n REPRO INFILE(IN) OUTDATASET(A.B)\n BIX IDS(A.B) ODS(A.X)\n";
        let effects = effects(text, &|dd| (dd == "IN").then(|| "FLAT.IN".to_string()));
        assert_eq!(effects.defines, set(&["A.B", "A.X", "A.P"]));
        assert_eq!(effects.needs, set(&["A.B", "A.X"]));
        assert_eq!(effects.copies, [Copy { from: "FLAT.IN".into(), to: "A.B".into() }]);
    }

    #[test]
    fn what_remains_of_a_step_is_what_it_has_not_made() {
        let text = "  DELETE A.B PURGE\n  IF LASTCC LE 8 THEN SET MAXCC=0\n  DEFINE CLUSTER (NAME(A.B) -\n   KEYS(8 0))\n\
                    \x20 IF LASTCC = 0 THEN DO\n  DEFINE CLUSTER (NAME(A.C) -\n   KEYS(4 0))\n  REPRO IFILE(IN) ODS(A.C)\n  END\n\
                    \x20 REPRO IFILE(IN) ODS(A.B)\n";
        let rest = |there: &[&str], empty: &[&str]| {
            let (there, empty) = (set(there), set(empty));
            remaining(text, &|_| None, &|name| there.contains(name), &|name| empty.contains(name)).expect("they can be separated")
        };
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(rest(&["A.B"], &[])), "DEFINE CLUSTER (NAME(A.C) - KEYS(4 0)) REPRO IFILE(IN) ODS(A.C)");
        assert_eq!(words(rest(&["A.B", "A.C"], &["A.B"])), "REPRO IFILE(IN) ODS(A.B)");
        assert_eq!(words(rest(&["A.B", "A.C"], &[])), "");
        assert_eq!(remaining("IF LASTCC=0 THEN DEF CL(NAME(A)) ELSE DEF CL(NAME(B))", &|_| None, &|_| false, &|_| false), None);
    }

    #[test]
    fn a_step_waits_for_what_another_step_defines() {
        let load = effects("REPRO IFILE(X) ODS(B)", &|_| None);
        let provided = BTreeSet::from(["B"]);
        assert!(load.sets_up(&provided));
        assert!(!load.is_ready(&set(&[]), &provided));
        assert!(load.is_ready(&set(&["B"]), &provided));
        assert!(!effects("PRINT IDS(B)", &|_| None).sets_up(&provided));
    }
}
