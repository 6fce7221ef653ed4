//! Commands of SYSTSIN in a TSO batch step (IKJEFT01): those of the DSN command processor of Db2 that matter to an application's set-up.
//!
//! Rules (TSO/E User's Guide, "Continuing a command"; Db2 Command Reference, RUN and BIND): a command goes on in the next line after a
//! hyphen or a plus sign; `/* */` is a comment. A keyword's value stands in parentheses, a text in apostrophes.

/// A command of the DSN processor.
#[derive(Debug, PartialEq, Eq)]
pub enum DsnCommand {
    Run {
        program: String,
        plan: String,
        /// PARMS.
        parm: String,
    },
    /// BIND PACKAGE and BIND PLAN: what decides names without a qualifier.
    Bind { member: Option<String>, qualifier: Option<String>, owner: Option<String> },
}

/// The program names of TSO in batch.
pub const TERMINAL_MONITORS: [&str; 3] = ["IKJEFT01", "IKJEFT1A", "IKJEFT1B"];

/// The commands of SYSTSIN; others are left out.
pub fn commands(text: &str) -> Vec<DsnCommand> {
    lines(text).iter().filter_map(|line| command(line)).collect()
}

/// Commands with their continuations joined, comments left out.
fn lines(text: &str) -> Vec<String> {
    let mut without_comments = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        without_comments.push_str(before);
        let Some((_, behind)) = after.split_once("*/") else {
            rest = "";
            break;
        };
        rest = behind;
    }
    without_comments.push_str(rest);
    let (mut out, mut current) = (Vec::new(), String::new());
    for line in without_comments.lines() {
        // Columns 73 to 80 are sequence numbers.
        let line = line.char_indices().nth(72).map_or(line, |(at, _)| &line[..at]).trim();
        match line.strip_suffix(['-', '+']) {
            Some(part) => current.push_str(&format!("{part} ")),
            None => {
                current.push_str(line);
                out.push(std::mem::take(&mut current));
            }
        }
    }
    out.push(current);
    out.retain(|line| !line.trim().is_empty());
    out
}

fn command(line: &str) -> Option<DsnCommand> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.first()?.to_uppercase().as_str() {
        "RUN" => Some(DsnCommand::Run {
            program: value(line, &["PROGRAM", "PROG"])?.to_uppercase(),
            plan: value(line, &["PLAN"]).unwrap_or_default().to_uppercase(),
            parm: value(line, &["PARMS", "PARM"]).unwrap_or_default(),
        }),
        "BIND" => {
            let upper = |names: &[&str]| value(line, names).map(|value| value.to_uppercase()).filter(|value| is_name(value));
            Some(DsnCommand::Bind { member: upper(&["MEMBER", "MEM"]), qualifier: upper(&["QUALIFIER", "QUAL"]), owner: upper(&["OWNER"]) })
        }
        _ => None,
    }
}

/// A placeholder without a value is no name.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'))
}

/// The value in parentheses behind the first of the keywords that is there; apostrophes around it are taken away.
fn value(line: &str, names: &[&str]) -> Option<String> {
    let upper = line.to_uppercase();
    for name in names {
        for (at, _) in upper.match_indices(name) {
            let is_word = !upper[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let Some(rest) = line.get(at + name.len()..).map(str::trim_start).and_then(|rest| rest.strip_prefix('(')) else { continue };
            if is_word {
                return Some(in_parentheses(rest));
            }
        }
    }
    None
}

fn in_parentheses(rest: &str) -> String {
    let mut quoted = false;
    let end = rest.char_indices().find(|(_, c)| {
        quoted ^= *c == '\'';
        *c == ')' && !quoted
    });
    super::unquote(rest[..end.map_or(rest.len(), |(at, _)| at)].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_its_plan_and_parameter() {
        let text = " DSN SYSTEM(DBCG)\n RUN PROGRAM(BANKDATA)  -\n PLAN(CBSA) -\n PARM('1,100,1,(A)') -\n LIB('X.LOAD')\n END\n";
        let run = DsnCommand::Run { program: "BANKDATA".into(), plan: "CBSA".into(), parm: "1,100,1,(A)".into() };
        assert_eq!(commands(text), [run]);
        let text = "/* A\n B */\n  DSN SYSTEM(DAZ1)                                                     00010000\n  RUN PROGRAM(DSNTEP4) -\n  PLAN(DSNTEP4) -\n  PARMS('/ALIGN(LHS) MIXED')";
        let run = DsnCommand::Run { program: "DSNTEP4".into(), plan: "DSNTEP4".into(), parm: "/ALIGN(LHS) MIXED".into() };
        assert_eq!(commands(text), [run]);
    }

    #[test]
    fn qualifiers_of_packages() {
        let text = "DSN S(D)\nBIND PACKAGE (P) -\n MEMBER(A) -\n OWNER(<SQLID>) QUALIFIER(GENA) -\n VALIDATE(BIND)\n\nBIND PLAN(X) OWNER(IBMUSER)\nEND";
        let bind = |member: Option<&str>, qualifier: Option<&str>, owner: Option<&str>| DsnCommand::Bind {
            member: member.map(str::to_string),
            qualifier: qualifier.map(str::to_string),
            owner: owner.map(str::to_string),
        };
        assert_eq!(commands(text), [bind(Some("A"), Some("GENA"), None), bind(None, None, Some("IBMUSER"))]);
    }
}
