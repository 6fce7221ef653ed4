//! Mutated programs: whatever is wrong with the text, the compiler ends with messages, never with a panic or a hang.

use super::*;
use testing::Random;

const SEED: &str = include_str!("mutation_seed.cbl");

fn mutate(words: &[&str], random: &mut Random) -> String {
    let mut words: Vec<&str> = words.to_vec();
    for _ in 0..1 + random.index(6) {
        if words.len() < 2 {
            break;
        }
        let (at, other) = (random.index(words.len()), random.index(words.len()));
        match random.index(6) {
            0 => {
                words.remove(at);
            }
            1 => words.swap(at, other),
            2 => words.insert(at, words[other]),
            3 => words[at] = words[other],
            4 => words.insert(at, ["(", ")", ".", "'", "-", "PIC", "END-IF", "9(99999999)", "OCCURS 99999", ":"][random.index(10)]),
            _ => words.truncate(at.max(1)),
        }
    }
    words.join(" ")
}

#[test]
fn mutated_programs_neither_panic_nor_hang() {
    let words: Vec<&str> = SEED.split_inclusive('\n').flat_map(|line| line.split(' ').filter(|word| !word.is_empty())).collect();
    let rounds: usize = std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let mut random = Random::new(0x2545_F491_4F6C_DD1D);
    for _ in 0..rounds {
        let text = mutate(&words, &mut random);
        let started = std::time::Instant::now();
        let compilation = compile(&text);
        let _ = compilation.diagnostics.render(&compilation.sources);
        assert!(started.elapsed().as_secs() < 20, "{text}");
    }
}

#[test]
fn the_seed_itself_is_clean() {
    let compilation = compile(SEED);
    assert!(compilation.diagnostics.return_code() <= 4, "{}", compilation.diagnostics.render(&compilation.sources));
}
