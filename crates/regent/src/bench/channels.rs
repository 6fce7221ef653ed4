//! `regent bench channels`: PUT and GET of many containers in one channel, found by hash and in a list.
//!
//! The work is that of the commands on a channel without the EXEC interface, which costs the same whatever the number of containers.

use std::time::Instant;

use region::channel::{Channel, Container, Lookup};
use region::name::Name16;
use serde_json::{Value, json};

/// Numbers of containers; the study of the performance report goes to 9,000.
const COUNTS: [usize; 4] = [10, 100, 1_000, 9_000];
/// Operations of each measurement, at least.
const OPERATIONS: usize = 20_000;

pub fn run(rounds: u32) -> Value {
    let rows = COUNTS.iter().map(|count| {
        let [hash, list] = [Lookup::Hash, Lookup::List].map(|lookup| best(rounds, *count, lookup));
        json!({ "containers": count, "hash_put_ns": hash.0, "hash_get_ns": hash.1, "list_put_ns": list.0, "list_get_ns": list.1 })
    });
    rows.collect()
}

/// Nanoseconds of a PUT and of a GET; the best round counts for each.
fn best(rounds: u32, count: usize, lookup: Lookup) -> (f64, f64) {
    let all = (0..rounds.max(1)).map(|_| measure(count, lookup));
    all.fold((f64::INFINITY, f64::INFINITY), |best, round| (best.0.min(round.0), best.1.min(round.1)))
}

fn measure(count: usize, lookup: Lookup) -> (f64, f64) {
    let names: Vec<Name16> = (0..count).map(|number| Name16::new(&format!("CONTAINER{number:07}"))).collect();
    let repetitions = OPERATIONS.div_ceil(count);
    let (mut put, mut got) = (0, 0);
    for _ in 0..repetitions {
        let channel = Channel::new(Name16::new("BENCH"), lookup);
        let begun = Instant::now();
        for name in &names {
            channel.put(*name, Container { data: vec![0; 8], ..Container::default() });
        }
        put += begun.elapsed().as_nanos();
        let begun = Instant::now();
        let found: usize = names.iter().filter_map(|name| channel.with(*name, |container| container.data.len())).sum();
        got += begun.elapsed().as_nanos();
        assert_eq!(found, 8 * count);
    }
    let operations = (repetitions * count) as f64;
    (put as f64 / operations, got as f64 / operations)
}
