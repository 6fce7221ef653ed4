//! The crates and their dependencies, checked against the table in ARCHITECTURE.md.

use crate::arrows::{Arrows, downward};
use crate::source::{crates, root, text};
use std::collections::BTreeSet;

/// What each manifest names of the workspace, dependencies of tests left out.
fn used() -> Arrows {
    let names = crates();
    let of = |name: &String| {
        let manifest = text(&root().join("crates").join(name).join("Cargo.toml"));
        let dependencies = manifest.split("\n[").find_map(|section| section.strip_prefix("dependencies]")).unwrap_or("").to_string();
        let keys = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).map(str::to_string);
        keys.filter(|key| names.contains(key)).collect::<BTreeSet<String>>()
    };
    names.iter().map(|name| (name.clone(), of(name))).collect()
}

/// The table of ARCHITECTURE.md: crate, what it may use.
fn allowed() -> Vec<(String, String)> {
    let document = text(&root().join("ARCHITECTURE.md"));
    let table = document.split("| crate | what lives there | may use |").nth(1).expect("the table of crates");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let columns: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        (columns[0].trim_matches('`').to_string(), columns[2].to_string())
    })
    .collect()
}

#[test]
fn crate_dependencies_match_architecture_and_point_downward() {
    let (used, allowed) = (used(), allowed());
    assert!(downward(&used).is_ok(), "crates that use each other in a circle: {:?}", downward(&used));
    let order: Vec<&str> = allowed.iter().map(|(name, _)| name.as_str()).collect();
    let mut faults = Vec::new();
    for (name, uses) in &used {
        let Some(at) = order.iter().position(|known| known == name) else {
            faults.push(format!("{name} is not in the table"));
            continue;
        };
        if allowed[at].1 == "all" {
            continue;
        }
        let named: BTreeSet<String> = allowed[at].1.split('`').skip(1).step_by(2).map(str::to_string).collect();
        if *uses != named {
            faults.push(format!("{name} uses {uses:?}, the table says {named:?}"));
        }
        for lower in uses.iter().filter(|lower| order.iter().position(|known| known == lower).is_none_or(|below| below < at)) {
            faults.push(format!("{name} uses {lower}, which stands above it"));
        }
    }
    faults.extend(order.iter().filter(|name| !used.contains_key(**name)).map(|name| format!("there is no crate {name}")));
    assert!(faults.is_empty(), "ARCHITECTURE.md, The crates:\n{}", faults.join("\n"));
}
