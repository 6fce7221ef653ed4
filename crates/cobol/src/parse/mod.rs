//! The parser: tokens to the typed program, in one pass.
//!
//! The data division is laid out before the procedure division is read, and procedure names are found by a scan ahead, so every reference
//! is resolved and checked where it is parsed. After an error the parser continues at the next statement, phrase or period; it reports
//! everything in one run and never panics.

mod arithmetic;
mod calls;
mod condition;
mod control;
mod corresponding;
mod cursor;
mod data;
mod debugging;
mod environment;
mod evaluate;
mod exec;
mod expression;
mod file_checks;
mod file_section;
mod files;
mod functions;
mod host_variables;
mod initialize;
mod inspect;
mod literal;
mod macro_level;
mod markup;
mod markup_registers;
mod move_set;
mod operand;
mod procedure;
mod search;
mod segments;
mod special_names;
mod sql;
mod sql_type;
mod statement;
mod strings;
mod structure;
mod user_functions;

use cursor::Failed;

use crate::data::picture::PictureRules;
use crate::data::tree::DataDivision;
use crate::data::value::Encoder;
use crate::lexer::Token;
use crate::names::Names;
use crate::options::Options;
use crate::program::*;
use crate::report::Report;
use crate::source::SourceMap;
use crate::words;

/// Statements nest at most this deep; keeps the stack bounded.
pub const STATEMENT_DEPTH_MAX: u32 = 400;
/// Expressions and conditions nest at most this deep.
pub const EXPRESSION_DEPTH_MAX: u32 = 120;
/// The tree of an expression is as deep as it has operators; keeps the stack of those who walk through it bounded.
pub const EXPRESSION_OPERATORS_MAX: u32 = 5_000;
/// Programs nest at most this deep.
pub const PROGRAM_DEPTH_MAX: usize = 20;

/// State of one program while it is parsed.
pub struct Unit {
    pub program: Program,
    /// The name in PROGRAM-ID or FUNCTION-ID, which END PROGRAM must repeat.
    pub written_name: Box<str>,
    pub names: Names,
    pub division: DataDivision,
    pub rules: PictureRules,
    /// Names of directly contained programs with their index in `nested`, found by a scan ahead.
    pub contained: Vec<Box<str>>,
    /// Whether each of `contained` is COMMON.
    pub contained_common: Vec<bool>,
    /// Procedure the parser is in.
    pub procedure: Option<ProcedureId>,
    /// Section the parser is in.
    pub section: Option<ProcedureId>,
    /// Number of the sentence, and whether it contains a NEXT SENTENCE.
    pub sentence: u32,
    pub next_sentence_used: bool,
    /// Inline PERFORMs around the statement.
    pub inline_performs: u32,
    pub alterable: u32,
    /// PROGRAM COLLATING SEQUENCE, resolved after SPECIAL-NAMES.
    pub pending_collation: Option<(Box<str>, Span)>,
    /// Names of the SELECT entries.
    pub select_names: Vec<(FileId, environment::SelectNames)>,
    /// Files whose FD or SD was found, whose record format was given, and LINAGE clauses as written.
    pub described: Vec<FileId>,
    pub recording_given: Vec<FileId>,
    pub linages: Vec<file_section::LinageClause>,
    /// Procedures that an ALTER names, found by a scan ahead.
    pub altered: Vec<ProcedureId>,
    /// Scope terminators of statements that were wrong in this sentence.
    pub orphans: Vec<Box<str>>,
    /// Trouble with an undefined name is reported once for each name.
    pub reported: rustc_hash::FxHashSet<Box<str>>,
    /// FUNCTION-ID instead of PROGRAM-ID; a prototype has no code.
    pub is_function: bool,
    pub is_prototype: bool,
    pub repository: user_functions::Repository,
    /// Files and identifiers that debugging sections monitor.
    pub debugging: debugging::Debugging,
    pub sql: sql::SqlState,
}

pub struct Parser<'a> {
    pub tokens: &'a [Token],
    pub at: usize,
    pub options: Options,
    pub encoder: Encoder,
    pub report: Report,
    pub unit: Unit,
    /// Containing programs, outermost first.
    pub outer: Vec<Unit>,
    pub depth: u32,
    pub expression_depth: u32,
    /// Arithmetic operands around the one at hand, and operators in the outermost of them.
    pub operand_depth: u32,
    pub operators: u32,
    /// Inside LENGTH OF: a table element may be named without subscripts.
    pub subscripts_optional: bool,
    /// Directly in a branch of IF or SEARCH, where NEXT SENTENCE is allowed.
    pub takes_next_sentence: bool,
    /// Inside a list of subscripts or arguments: ` -1` begins a new one.
    pub in_list: bool,
    /// The source has EXEC CICS somewhere, or the CICS option is on.
    pub cics: bool,
    /// The SQL statements of the outermost program.
    pub sql: sql::SqlUnit,
    /// The text of the source, for names whose spelling matters.
    pub sources: &'a SourceMap,
    /// Functions compiled so far in this source, and prototypes.
    pub functions: rustc_hash::FxHashMap<Box<str>, std::rc::Rc<user_functions::Signature>>,
}

/// Parses all programs of a token stream.
pub fn parse(tokens: &[Token], sources: &SourceMap, options: &Options, report: Report) -> (Vec<Program>, Report) {
    if tokens.is_empty() {
        return (Vec::new(), report);
    }
    let cics = options.cics.unwrap_or_else(|| structure::has_cics(tokens));
    let mut parser = Parser {
        tokens,
        at: 0,
        options: options.clone(),
        encoder: Encoder::new(options),
        report,
        unit: Unit::new(options),
        outer: Vec::new(),
        depth: 0,
        expression_depth: 0,
        operand_depth: 0,
        operators: 0,
        subscripts_optional: false,
        takes_next_sentence: false,
        in_list: false,
        cics,
        sql: sql::SqlUnit::default(),
        sources,
        functions: rustc_hash::FxHashMap::default(),
    };
    assert!(parser.tokens.last().is_some_and(Token::is_end), "the tokens end with the end of the source");
    let programs = parser.source();
    (programs, parser.report)
}

impl Unit {
    pub fn new(options: &Options) -> Unit {
        let mut rules = PictureRules::default();
        if options.currency != '$' {
            rules.currencies = vec![(rules.stand_in(options.currency), 1)];
        }
        let mut names = Names::default();
        let switch = crate::names::Special::SwitchCondition(DEBUG_SWITCH, true);
        names.special.insert(crate::debugging::SWITCH.into(), switch);
        Unit {
            program: empty_program(options),
            written_name: "".into(),
            names,
            division: DataDivision::default(),
            rules,
            contained: Vec::new(),
            contained_common: Vec::new(),
            procedure: None,
            section: None,
            sentence: 0,
            next_sentence_used: false,
            inline_performs: 0,
            alterable: 0,
            pending_collation: None,
            select_names: Vec::new(),
            described: Vec::new(),
            recording_given: Vec::new(),
            linages: Vec::new(),
            altered: Vec::new(),
            orphans: Vec::new(),
            reported: rustc_hash::FxHashSet::default(),
            is_function: false,
            is_prototype: false,
            repository: user_functions::Repository::default(),
            debugging: debugging::Debugging::default(),
            sql: sql::SqlState::default(),
        }
    }
}

fn empty_program(options: &Options) -> Program {
    Program {
        name: Box::default(),
        options: options.clone(),
        initial: options.initial,
        recursive: false,
        common: false,
        cics: false,
        span: Span::NONE,
        bases: Vec::new(),
        items: Vec::new(),
        condition_names: Vec::new(),
        files: Vec::new(),
        special_names: SpecialNames::default(),
        registers: Registers::default(),
        procedures: Vec::new(),
        start: None,
        parameters: Vec::new(),
        returning: None,
        entries: Vec::new(),
        labels: Vec::new(),
        declaratives: Vec::new(),
        statement_count: 0,
        user_calls: Vec::new(),
        sql: Vec::new(),
        nested: Vec::new(),
    }
}
