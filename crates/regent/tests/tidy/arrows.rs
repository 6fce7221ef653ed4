//! Dependency arrows between names: finds cycles, or an order in which all arrows point down.

use std::collections::{BTreeMap, BTreeSet};

pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Names so that every arrow points to a later one; the names that are in a cycle when there is no such order.
pub fn downward(arrows: &Arrows) -> Result<Vec<String>, Vec<String>> {
    let mut left = arrows.clone();
    let mut order = Vec::new();
    while !left.is_empty() {
        // What nothing that is left uses comes next, by name.
        let used: BTreeSet<&String> = left.values().flatten().collect();
        let Some(next) = left.keys().find(|name| !used.contains(name)).cloned() else {
            return Err(in_cycles(&left));
        };
        left.remove(&next);
        order.push(next);
    }
    Ok(order)
}

/// Takes away what is not in a cycle: what uses nothing of what is left, again and again.
fn in_cycles(arrows: &Arrows) -> Vec<String> {
    let mut left = arrows.clone();
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, uses| uses.iter().any(|name| names.contains(name)));
        if left.len() == before {
            return names.into_iter().collect();
        }
    }
}

#[test]
fn an_order_is_found_or_the_cycle_is_named() {
    let arrows = |rows: &[(&str, &[&str])]| -> Arrows {
        rows.iter().map(|(name, uses)| (name.to_string(), uses.iter().map(ToString::to_string).collect())).collect()
    };
    let order = downward(&arrows(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]));
    assert_eq!(order, Ok(["c", "b", "a"].map(String::from).to_vec()));
    let cycle = downward(&arrows(&[("a", &["c"]), ("b", &["a"]), ("c", &["b", "d"]), ("d", &[]), ("e", &["a"])]));
    assert_eq!(cycle, Err(["a", "b", "c"].map(String::from).to_vec()));
}
