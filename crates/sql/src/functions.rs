//! The built-in functions: `tables/functions.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../tables/functions.tsv");

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: &'static str,
    pub fewest: usize,
    pub most: usize,
    pub kind: FunctionKind,
    /// Type of the result, as the table spells it.
    pub result: &'static str,
    pub form: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    Scalar,
    Aggregate,
    Window,
}

static FUNCTIONS: LazyLock<HashMap<&'static str, Vec<Function>>> = LazyLock::new(|| {
    let mut functions: HashMap<&str, Vec<Function>> = HashMap::new();
    for row in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let function = parse(row).unwrap_or_else(|| panic!("functions.tsv: {row}"));
        functions.entry(function.name).or_default().push(function);
    }
    functions
});

fn parse(row: &'static str) -> Option<Function> {
    let mut fields = row.split('\t');
    let (name, fewest, most) = (fields.next()?, fields.next()?.parse().ok()?, fields.next()?);
    let most = if most == "*" { usize::MAX } else { most.parse().ok()? };
    let kind = match fields.next()? {
        "scalar" => FunctionKind::Scalar,
        "aggregate" => FunctionKind::Aggregate,
        "window" => FunctionKind::Window,
        _ => return None,
    };
    Some(Function { name, fewest, most, kind, result: fields.next()?, form: fields.next()? })
}

/// The function with this name and number of arguments. `Err`: the name is known, the number is not right.
pub fn find(name: &str, arguments: usize) -> Result<Option<&'static Function>, ()> {
    let Some(forms) = FUNCTIONS.get(name) else { return Ok(None) };
    match forms.iter().find(|form| (form.fewest..=form.most).contains(&arguments)) {
        Some(form) => Ok(Some(form)),
        None => Err(()),
    }
}

/// Every row.
#[cfg(test)]
pub fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.values().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_name_and_number_of_arguments() {
        assert_eq!(find("MAX", 1).unwrap().unwrap().kind, FunctionKind::Aggregate);
        assert_eq!(find("MAX", 2).unwrap().unwrap().form, "greatest");
        assert!(find("YEAR", 2).is_err());
        assert!(find("MY_FUNCTION", 2).unwrap().is_none());
    }

    #[test]
    fn every_form_is_a_template_a_rule_or_an_absence() {
        for function in all() {
            let absent = function.form == "!";
            assert!(absent || !function.form.is_empty(), "{}", function.name);
            assert!(function.fewest <= function.most, "{}", function.name);
        }
    }
}
