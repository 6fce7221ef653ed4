//! Warnings about a correct program, requested by options. The analysis reads the typed program and the tokens and changes nothing.
//!
//! [`initialization`] follows the paths through a program; [`rules`] checks one item or statement at a time; [`references`] finds what a
//! statement uses and sets.

mod initialization;
mod references;
mod rules;

pub use references::each_reference;

use crate::diagnostics::Diagnostics;
use crate::lexer::Token;
use crate::options::{Options, Rules};
use crate::program::Program;
use crate::source::SourceMap;

pub fn run(programs: &[Program], tokens: &[Token], sources: &SourceMap, options: &Options, out: &mut Diagnostics) {
    if options.cics_words {
        rules::cics_words(tokens, out);
    }
    if options.rules.no_omitted_minimum {
        rules::omitted_minimum(tokens, out);
    }
    for program in programs {
        one(program, tokens, sources, out);
    }
}

fn one(program: &Program, tokens: &[Token], sources: &SourceMap, out: &mut Diagnostics) {
    let options = &program.options;
    if options.rules != Rules::default() {
        if options.rules.no_end_period {
            rules::end_period(program, tokens, out);
        }
        if options.rules.no_lax_performance {
            rules::performance(program, options, out);
        }
        rules::data(program, sources, &options.rules, out);
    }
    if options.diagnose_truncation {
        rules::truncation(program, out);
    }
    if let Some(how) = options.initcheck {
        initialization::check(program, how, out);
    }
    for nested in &program.nested {
        one(nested, tokens, sources, out);
    }
}
