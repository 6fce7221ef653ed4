//! The categories of supplied transactions (`tables/categories.tsv`), by which profiles protect them.
//!
//! "Category 3 transactions are available to all users, whether signed-on or not. These transactions are not subject to security checking"
//! (Security for CICS transactions).

use region::name::Name4;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../tables/categories.tsv");

/// A category of supplied transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// For the region itself: no user runs them.
    Internal,
    /// For users who are permitted to.
    Restricted,
    /// For everybody, without a check.
    Exempt,
}

impl Category {
    const fn number(self) -> &'static str {
        match self {
            Category::Internal => "1",
            Category::Restricted => "2",
            Category::Exempt => "3",
        }
    }

    /// The transactions of the category, in order.
    ///
    /// # Panics
    ///
    /// The table has no row of the category.
    pub fn transactions(self) -> impl Iterator<Item = &'static str> {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut rows = lines.filter_map(|line| line.split_once('\t'));
        let row = rows.find(|(category, _)| *category == self.number());
        row.expect("categories.tsv has all categories").1.split(' ')
    }
}

static EXEMPT: LazyLock<Vec<Name4>> = LazyLock::new(|| Category::Exempt.transactions().map(Name4::new).collect());

pub fn is_exempt(transid: Name4) -> bool {
    EXEMPT.contains(&transid)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples are no supplied transactions: "Sample applications should not require RACF protection".
    #[test]
    fn every_supplied_transaction_has_one_category() {
        let categories = [Category::Internal, Category::Restricted, Category::Exempt];
        let mut all: Vec<&str> = categories.into_iter().flat_map(Category::transactions).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{all:?}");
        let is_sample = |group: &str| group.starts_with("DFH$");
        for line in include_str!("../../csd/tables/supplied.csd").lines() {
            let Some(rest) = line.strip_prefix("DEFINE TRANSACTION(") else { continue };
            let (name, rest) = rest.split_once(')').unwrap();
            let group = rest.split("GROUP(").nth(1).unwrap().split(')').next().unwrap();
            assert!(is_sample(group) || all.contains(&name), "{name}");
        }
        assert!(is_exempt(Name4::new("CESN")) && !is_exempt(Name4::new("CEMT")));
    }
}
