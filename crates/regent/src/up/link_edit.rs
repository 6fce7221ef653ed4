//! The binder's control statements: the names of load modules, and the programs they are made of.
//!
//! Rules (z/OS MVS Program Management: User's Guide and Reference, "Binder control statements"): an operation after a blank in column 1, then
//! operands; `*` in column 1 is a comment; a character in column 72 continues the operands. NAME ends a load module; without one its name is
//! the member of SYSLMOD. ALIAS gives it further names.

/// One load module that the statements describe.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LoadModule {
    /// Empty when no NAME statement says it.
    pub name: String,
    pub aliases: Vec<String>,
    /// ENTRY, then the members that INCLUDE names: what it may be made of.
    pub parts: Vec<String>,
    pub line: usize,
}

const OPERATIONS: [&str; 17] = [
    "ALIAS", "AUTOCALL", "CHANGE", "ENTRY", "EXPAND", "IDENTIFY", "IMPORT", "INCLUDE", "INSERT", "LIBRARY", "MODE", "NAME", "ORDER",
    "OVERLAY", "PAGE", "REPLACE", "SETCODE",
];

/// True for a text of nothing but binder statements, among them NAME or ENTRY.
pub fn is_deck(text: &str) -> bool {
    let mut words = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('*') && !line.trim().is_empty()) {
        if !line.starts_with(' ') {
            return false;
        }
        let word = line.split_whitespace().next().unwrap_or_default().to_uppercase();
        if !OPERATIONS.contains(&word.as_str()) {
            return false;
        }
        words.push(word);
    }
    words.iter().any(|word| word == "NAME" || word == "ENTRY")
}

/// The load modules of a text of binder statements.
pub fn load_modules(text: &str) -> Vec<LoadModule> {
    let mut modules = Vec::new();
    let mut current = LoadModule::default();
    let mut has_entry = false;
    for (line, operation, operands) in statements(text) {
        let names = || operands.split(',').map(|name| bare(name).to_string()).filter(|name| !name.is_empty());
        match operation.as_str() {
            "INCLUDE" => current.parts.extend(included(&operands)),
            "ENTRY" => {
                current.parts.splice(0..0, names()).for_each(drop);
                has_entry = true;
            }
            "ALIAS" => current.aliases.extend(names()),
            "NAME" => {
                current.name = bare(&operands).to_string();
                current.line = line;
                // Without ENTRY, control goes to the object that was compiled, not to what comes from other load modules.
                if let Some(own) = current.parts.iter().position(|part| *part == current.name).filter(|_| !has_entry) {
                    current.parts[..=own].rotate_right(1);
                }
                has_entry = false;
                modules.push(std::mem::take(&mut current));
            }
            _ => {}
        }
    }
    if current != LoadModule::default() {
        modules.push(current);
    }
    modules
}

/// Line, operation and operands of each statement, in upper case.
fn statements(text: &str) -> Vec<(usize, String, String)> {
    let mut out: Vec<(usize, String, String)> = Vec::new();
    let mut continues = false;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('*')) {
        let card: String = line.chars().take(71).collect::<String>().to_uppercase();
        let mut words = card.split_whitespace();
        if continues {
            if let (Some((_, _, operands)), Some(more)) = (out.last_mut(), words.next()) {
                operands.push_str(more);
            }
        } else if let Some(operation) = words.next() {
            out.push((index + 1, operation.to_string(), words.next().unwrap_or_default().to_string()));
        }
        continues = line.chars().nth(71).is_some_and(|mark| mark != ' ');
    }
    out
}

/// `NAME` of `NAME(R)` and of `'NAME'`.
fn bare(name: &str) -> &str {
    name.split('(').next().unwrap_or(name).trim_matches('\'')
}

/// Members of `DD(A,B),DD2(C)`; a DD name alone is a file of object code and names none.
fn included(operands: &str) -> Vec<String> {
    let (mut members, mut depth, mut current) = (Vec::new(), 0, String::new());
    for c in operands.chars() {
        match c {
            '(' => depth += 1,
            ')' | ',' => {
                if depth > 0 && !current.is_empty() {
                    members.push(std::mem::take(&mut current));
                }
                depth -= i32::from(c == ')');
            }
            _ if depth > 0 => current.push(c),
            _ => {}
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_with_the_name_of_the_module_is_its_program() {
        let parts = |text: &str| load_modules(text).remove(0).parts;
        assert_eq!(parts(" INCLUDE SYSLMOD(SUB)\n INCLUDE SYSLIB(MAIN)\n NAME MAIN(R)\n"), ["MAIN", "SUB"]);
        assert_eq!(parts(" INCLUDE SYSLIB(SUB,MAIN)\n ENTRY SUB\n NAME MAIN(R)\n"), ["SUB", "SUB", "MAIN"]);
    }

    #[test]
    fn statements_make_load_modules() {
        let text = format!(
            "* MAIN\n  INCLUDE SYSLIB(DFHELII),OBJ(PAY01,{:>36}\n               PAYSUB)\n ENTRY PAY01\n ALIAS PAYA,PAYB(PAYENT)\n NAME PAYROLL(R)\n INCLUDE OBJ(X)\n NAME Y\n ALIAS Z\n",
            "X"
        );
        let modules = load_modules(&text);
        assert_eq!(modules[0].parts, ["PAY01", "DFHELII", "PAY01", "PAYSUB"]);
        assert_eq!((modules[0].name.as_str(), &modules[0].aliases[..]), ("PAYROLL", &["PAYA".to_string(), "PAYB".to_string()][..]));
        assert_eq!((modules[1].name.as_str(), modules[2].name.as_str()), ("Y", ""));
        assert_eq!(modules.len(), 3);
    }

    #[test]
    fn a_deck_has_nothing_but_its_statements() {
        assert!(is_deck("* X\n INCLUDE OBJ(A)\n NAME A(R)\n"));
        assert!(!is_deck(" INCLUDE OBJ(A)\n"), "names no load module");
        assert!(!is_deck(" NAME A\n       MOVE A TO B\n") && !is_deck("NAME Miller\n") && !is_deck(""));
    }
}
