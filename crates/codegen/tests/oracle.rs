//! Plain computation compared with GnuCOBOL: many generated checks in each program; every difference is either an error or explained by an
//! IBM rule (`oracle/rules.rs`).
//!
//! `ORACLE_PROGRAMS` and `ORACLE_SEED` request more or other checks than the fixed ones; `ORACLE_KIND` selects one kind.

#[path = "oracle/arithmetic.rs"]
mod arithmetic;
#[path = "oracle/big.rs"]
mod big;
#[path = "oracle/check.rs"]
mod check;
mod common;
#[path = "oracle/expected.rs"]
mod expected;
#[path = "oracle/functions.rs"]
mod functions;
#[path = "oracle/intermediate.rs"]
mod intermediate;
#[path = "oracle/item.rs"]
mod item;
#[path = "oracle/moves.rs"]
mod moves;
#[path = "oracle/peer.rs"]
mod peer;
#[path = "oracle/rules.rs"]
mod rules;
#[path = "oracle/text.rs"]
mod text;

use check::Check;
use std::collections::BTreeMap;
use testing::Random;

const CHECKS_PER_PROGRAM: usize = 250;
const PROGRAMS: usize = 12;
const SEED: u64 = 20_240_601;
/// Differences printed in full.
const SHOWN_MAX: usize = 12;

type Generator = fn(&mut Random, usize, u32) -> Check;

/// Kinds of checks, each as often as it stands here.
const GENERATORS: [Generator; 20] = [
    arithmetic::statement,
    arithmetic::statement,
    arithmetic::statement,
    arithmetic::statement,
    arithmetic::statement,
    arithmetic::statement,
    arithmetic::expression,
    arithmetic::expression,
    arithmetic::comparison,
    arithmetic::comparison,
    moves::editing,
    moves::editing,
    moves::movement,
    moves::movement,
    moves::movement,
    text::string,
    text::unstring,
    text::inspect,
    text::comparison,
    functions::numeric,
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn generate(seed: u64, extend: bool) -> Vec<Check> {
    let mut random = Random::new(seed);
    let digits_max = if extend { 31 } else { 18 };
    let kind = std::env::var("ORACLE_KIND").ok();
    let mut checks = Vec::new();
    while checks.len() < CHECKS_PER_PROGRAM {
        let number = checks.len();
        let generator = if number % 20 == 19 { functions::characters } else { GENERATORS[random.index(GENERATORS.len())] };
        let check = generator(&mut random, number, digits_max);
        if kind.as_ref().is_none_or(|kind| check.kind == kind.as_str()) {
            checks.push(check);
        }
    }
    checks
}

/// Regent's output in a code page, with inline code or the run time's, and what ended it early.
fn ours(source: &str, ccsid: u16, inline: bool, extend: bool) -> Result<(String, Option<String>), String> {
    let arith = if extend { cobol::options::Arith::Extend } else { cobol::options::Arith::Compat };
    let options = cobol::Options { codepage: ccsid, arith, ..cobol::Options::default() };
    let compiled = cobol::compile_source("ORACLE.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
    if !compiled.is_usable() {
        return Err(format!("{:#?}", compiled.diagnostics));
    }
    let image = codegen::compile(&compiled.programs, &common::settings(inline)).map_err(|error| error.to_string())?;
    let module = program::module::Module::from_bytes(&image.to_bytes()).map_err(|error| error.to_string())?;
    let outcome = common::run_module(&module, &[]);
    Ok((outcome.output, outcome.failure.map(|failure| failure.text())))
}

#[derive(Default)]
struct Report {
    checks: usize,
    explained: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
}

fn describe(check: &Check, ours: &[String], peers: &[String], how: &str) -> String {
    let data = check.data.join("\n  ");
    let code = check.code.join("\n    ");
    format!("{} {:?} ({how})\n  {data}\n    {code}\n  ours  {ours:?}\n  peers {peers:?}", check.kind, check.facts)
}

/// Checks of a program that may end it early.
const ABENDS_MAX: usize = 20;

/// Results by check. A check that ends the program is reported, and the program runs again without it.
fn our_results(checks: &[Check], ccsid: u16, inline: bool, extend: bool, how: &str, report: &mut Report) -> Vec<Vec<String>> {
    let mut usable = checks.to_vec();
    for _ in 0..ABENDS_MAX {
        let source = check::program("ORACLE", &usable);
        let (output, failure) = match ours(&source, ccsid, inline, extend) {
            Ok(ran) => ran,
            Err(error) => {
                report.differences.push(format!("{how}: {error}"));
                break;
            }
        };
        let form = if ccsid == common::ASCII { check::Form::Ascii } else { check::Form::Ebcdic };
        let results = check::results(&output, &usable, form);
        let Some(failure) = failure else { return results };
        let Some(at) = (0..usable.len()).find(|at| results[*at].len() < usable[*at].results.len()) else { return results };
        report.differences.push(describe(&checks[at], &[failure], &[], how));
        usable[at].code.clear();
        usable[at].results.clear();
    }
    vec![Vec::new(); checks.len()]
}

fn compare(seed: u64, extend: bool, directory: &std::path::Path, report: &mut Report) {
    let checks = generate(seed, extend);
    let source = check::program("ORACLE", &checks);
    let peers = match peer::run(directory, "oracle", &source) {
        Ok(output) => check::results(&output, &checks, check::Form::Peer),
        Err(error) => return report.differences.push(format!("seed {seed}: {error}")),
    };
    report.checks += checks.len();
    let mut known = vec![false; checks.len()];
    for (ccsid, inline) in [(common::ASCII, true), (common::ASCII, false), (common::EBCDIC, true)] {
        let how = format!("seed {seed}, CCSID {ccsid}, inline {inline}, extend {extend}");
        let results = our_results(&checks, ccsid, inline, extend, &how, report);
        for (number, check) in checks.iter().enumerate() {
            // What depends on the code page is compared in the peer's only.
            let other_page = ccsid != common::ASCII && check.has("code-page");
            let exact = check.expected.as_ref();
            if exact.is_some_and(|exact| *exact != results[number]) && !known[number] {
                known[number] = true;
                let exact = format!("{how}, exactly {exact:?}");
                report.differences.push(describe(check, &results[number], &peers[number], &exact));
            }
            if results[number] == peers[number] || known[number] || other_page {
                continue;
            }
            known[number] = true;
            match rules::explaining(check, &results[number], &peers[number]) {
                Some(rule) => *report.explained.entry(rule.name).or_insert(0) += 1,
                None => report.differences.push(describe(check, &results[number], &peers[number], &how)),
            }
        }
    }
}

#[test]
fn results_equal_gnucobol_or_an_ibm_rule_explains_the_difference() {
    if !peer::is_installed() {
        eprintln!("cobc is not installed: nothing to compare with");
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let mut report = Report::default();
    let seed = setting("ORACLE_SEED", SEED);
    for number in 0..setting("ORACLE_PROGRAMS", PROGRAMS as u64) {
        compare(seed + number, number % 3 == 2, directory.path(), &mut report);
    }
    for (name, count) in &report.explained {
        let rule = rules::RULES.iter().find(|rule| rule.name == *name).expect("a rule of the table");
        eprintln!("{count:>6} {name}: {}", rule.source);
    }
    eprintln!("{} checks, {} differences", report.checks, report.differences.len());
    let shown = report.differences[..report.differences.len().min(setting("ORACLE_SHOW", SHOWN_MAX as u64) as usize)].join("\n");
    assert!(report.differences.is_empty(), "{} differ\n{shown}", report.differences.len());
}
