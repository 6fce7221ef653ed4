//! Filters of conditions: comparisons of names and states with values of policy XML.
//!
//! Source: CICS TS 5.5, "Policy rule conditions"; the operators are those of event bindings. A filter compares characters: what is compared
//! has no trailing blanks. Invariant: a filter that is OFF accepts everything.

use crate::xml;
use roxmltree::Node;
use std::cmp::Ordering;

/// How a value is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Off,
    Equal,
    NotEqual,
    StartsWith,
    DoesNotStartWith,
    Greater,
    NotGreater,
    Less,
    NotLess,
}

/// The operators of names and states.
const OPERATORS: [(&str, Operator); 9] = [
    ("OFF", Operator::Off),
    ("EQ", Operator::Equal),
    ("NEQ", Operator::NotEqual),
    ("SW", Operator::StartsWith),
    ("NSW", Operator::DoesNotStartWith),
    ("GT", Operator::Greater),
    ("NGT", Operator::NotGreater),
    ("LT", Operator::Less),
    ("NLT", Operator::NotLess),
];

impl Operator {
    pub fn find(name: &str) -> Option<Operator> {
        OPERATORS.iter().find(|(known, _)| *known == name).map(|(_, operator)| *operator)
    }

    /// Whether it holds for what is compared: its order beside the value, and whether it starts with the value.
    pub fn holds(self, order: impl FnOnce() -> Ordering, starts: impl FnOnce() -> bool) -> bool {
        match self {
            Operator::Off => true,
            Operator::Equal => order().is_eq(),
            Operator::NotEqual => order().is_ne(),
            Operator::StartsWith => starts(),
            Operator::DoesNotStartWith => !starts(),
            Operator::Greater => order().is_gt(),
            Operator::NotGreater => order().is_le(),
            Operator::Less => order().is_lt(),
            Operator::NotLess => order().is_ge(),
        }
    }
}

/// A comparison with one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    operator: Operator,
    value: String,
}

impl Filter {
    pub const OFF: Filter = Filter { operator: Operator::Off, value: String::new() };

    /// The filter of an element with `filterOperator` and `filterValue`.
    ///
    /// # Errors
    ///
    /// The operator is not known.
    pub fn of(element: Node) -> Result<Filter, String> {
        let given = xml::attribute(element, "filterOperator");
        let Some(operator) = Operator::find(given) else {
            let known: Vec<&str> = OPERATORS.iter().map(|(name, _)| *name).collect();
            return Err(format!("{given} is not an operator of filter {}: {} is expected", element.tag_name().name(), known.join(", ")));
        };
        Ok(Filter { operator, value: xml::attribute(element, "filterValue").to_string() })
    }

    pub fn is_off(&self) -> bool {
        self.operator == Operator::Off
    }

    pub fn accepts(&self, given: &str) -> bool {
        let (given, value) = (given.trim_end(), self.value.as_str());
        self.operator.holds(|| given.cmp(value), || given.starts_with(value))
    }
}

/// A percentage of a limit of tasks that is crossed: GHT, it goes higher than the value; GLT, it goes lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    pub is_upward: bool,
    pub percent: u32,
}

impl Crossing {
    /// The crossing of an element with `filterOperator` and `filterValue`.
    ///
    /// # Errors
    ///
    /// The operator is not one of the two, or the value is not one of its percentages ("User tasks and transaction class tasks system
    /// rules").
    pub fn of(element: Node) -> Result<Crossing, String> {
        let name = element.tag_name().name();
        let is_upward = match xml::attribute(element, "filterOperator") {
            "GHT" => true,
            "GLT" => false,
            other => return Err(format!("{other} is not an operator of {name}: GHT, GLT is expected")),
        };
        let value = xml::attribute(element, "filterValue");
        let found = CROSSINGS.iter().find(|known| known.is_upward == is_upward && value.parse() == Ok(known.percent));
        found.copied().ok_or_else(|| format!("{value} is not a percentage of {name}: 60 to 100 with GHT, 50 to 90 with GLT, in tens"))
    }

    /// Whether so many tasks are beyond the percentage of their limit. All of it is reached, not exceeded.
    pub fn is_passed(self, active: u32, limit: u32) -> bool {
        let (share, bound) = (u64::from(active) * 100, u64::from(self.percent) * u64::from(limit));
        match (self.is_upward, self.percent) {
            (true, 100) => share >= bound,
            (true, _) => share > bound,
            (false, _) => share < bound,
        }
    }
}

/// The crossings that rules may be about.
pub const CROSSINGS: [Crossing; 10] = {
    let mut crossings = [Crossing { is_upward: true, percent: 0 }; 10];
    let mut at = 0;
    while at < 5 {
        crossings[at].percent = 60 + 10 * at as u32;
        crossings[5 + at] = Crossing { is_upward: false, percent: 50 + 10 * at as u32 };
        at += 1;
    }
    crossings
};

/// For which tasks a rule is: by transaction and user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextFilter {
    pub transaction: Filter,
    pub user: Filter,
}

impl ContextFilter {
    /// The `contextFilter` of a condition; without one the rule is for all tasks.
    ///
    /// # Errors
    ///
    /// An operator is not known, or the filter compares something else.
    pub fn of(condition: Node) -> Result<ContextFilter, String> {
        let mut filter = ContextFilter { transaction: Filter::OFF, user: Filter::OFF };
        let Some(context) = xml::child(condition, "contextFilter") else { return Ok(filter) };
        for element in xml::elements(context) {
            match element.tag_name().name() {
                "TRANSACTION_ID" => filter.transaction = Filter::of(element)?,
                "USER_ID" => filter.user = Filter::of(element)?,
                other => return Err(format!("{other} is not part of a context filter: TRANSACTION_ID, USER_ID is expected")),
            }
        }
        Ok(filter)
    }

    pub fn is_off(&self) -> bool {
        self.transaction.is_off() && self.user.is_off()
    }

    pub fn accepts(&self, transaction: &str, user: &str) -> bool {
        self.transaction.accepts(transaction) && self.user.accepts(user)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(operator: &str, value: &str) -> Result<Filter, String> {
        let text = format!(r#"<FILE filterOperator="{operator}" filterValue="{value}"/>"#);
        Filter::of(xml::parse(&text).unwrap().root_element())
    }

    #[test]
    fn operators_compare_names_without_their_trailing_blanks() {
        for (operator, value, accepted, refused) in [
            ("EQ", "ABC", "ABC  ", "ABCD"),
            ("NEQ", "ABC", "ABCD", "ABC"),
            ("SW", "AB", "ABC", "BAB"),
            ("NSW", "AB", "BAB", "AB"),
            ("GT", "B", "C", "B"),
            ("NGT", "B", "B", "C"),
            ("LT", "B", "A", "B"),
            ("NLT", "B", "B", "A"),
        ] {
            let filter = filter(operator, value).unwrap();
            assert!(filter.accepts(accepted) && !filter.accepts(refused), "{operator}");
        }
        let crossing = |operator: &str, value: &str| {
            let text = format!(r#"<PERCENT_MAXTASKS filterOperator="{operator}" filterValue="{value}"/>"#);
            Crossing::of(xml::parse(&text).unwrap().root_element())
        };
        let (higher, lower, all) = (crossing("GHT", "90").unwrap(), crossing("GLT", "90").unwrap(), crossing("GHT", "100").unwrap());
        assert!(higher.is_passed(91, 100) && !higher.is_passed(90, 100) && higher.is_passed(181, 200));
        assert!(lower.is_passed(89, 100) && !lower.is_passed(90, 100) && lower.is_passed(179, 200));
        assert!(all.is_passed(100, 100) && !all.is_passed(99, 100));
        for (operator, value) in [("GHT", "50"), ("GHT", "65"), ("GLT", "100"), ("GHT", "101"), ("EQ", "90")] {
            assert!(crossing(operator, value).is_err(), "{operator} {value}");
        }
        assert!(crossing("GHT", "60").is_ok() && crossing("GLT", "50").is_ok());
        assert!(filter("OFF", "X").unwrap().accepts("Y"));
        assert!(filter("LIKE", "X").unwrap_err().contains("LIKE is not an operator"));
    }
}
