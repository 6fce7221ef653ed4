//! Random sequences of file requests from three units of work on every organization, against a model in plain maps written from the
//! command descriptions: condition and RESP2, data, positions of browses, browse after delete, locks between units of work, duplicates.
//!
//! A sequence is a list of numbers, and the meaning of a number depends only on the state. A failing sequence is therefore shortened by
//! leaving out numbers, and the shortest that still fails is shown.

mod file_model_support;

use file_model_support::{run, shorten};
use testing::Random;

/// Steps of one sequence: a new store each time, small enough that a failure is shortened quickly.
const SEQUENCE_STEPS: usize = 4_000;

fn sequence(seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..SEQUENCE_STEPS).map(|_| random.number()).collect()
}

#[test]
fn a_million_random_requests_agree_with_the_model() {
    let steps: usize = std::env::var("MODEL_STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    for seed in 1..=steps.div_ceil(SEQUENCE_STEPS) as u64 {
        let numbers = sequence(seed);
        if let Err(why) = run(&numbers) {
            let shortest = shorten(&numbers);
            let (_, trace) = file_model_support::traced(&shortest);
            panic!("seed {seed}: {why}\nshortest sequence ({} steps):\n{}", shortest.len(), trace.join("\n"));
        }
    }
}

#[test]
fn a_failing_sequence_is_shortened() {
    // A step that can never succeed stands for a defect: only that step remains.
    let mut numbers = sequence(7);
    numbers.truncate(300);
    numbers[211] = file_model_support::NEVER_AGREES;
    assert!(run(&numbers).is_err());
    assert_eq!(shorten(&numbers), [file_model_support::NEVER_AGREES]);
}
