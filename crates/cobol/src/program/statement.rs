//! Statements of the procedure division, normalized.

use super::{
    AddressTarget, CloseOptions, CompareKind, Condition, Delete, EntryId, ExecCics, ExecSql, Expression, FileId, ItemId, Markup,
    NumericType, OpenMode, OpenOptions, Operand, ProcedureId, Range, Read, Reference, ReturnRecord, Rewrite, Sort, SortTable, Span, Start,
    Write, XmlParse,
};

/// A statement with its place and number.
#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    /// From 1 in source order within the program.
    pub number: u32,
}

pub type Statements = Vec<Statement>;

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// CONTINUE, EXIT, and statements that have no effect.
    Continue,
    /// MOVE one sender to one or more receivers, in order. The sender's subscripts are evaluated once, before the first
    /// move; each receiver's just before its own. CORRESPONDING is expanded to several Move statements in a `Block`.
    Move(Box<Move>),
    /// Statements that represent one source statement (expanded CORRESPONDING, SET of several conditions).
    Block(Statements),
    Arithmetic(Box<Arithmetic>),
    /// DIVIDE ... GIVING ... REMAINDER.
    DivideRemainder(Box<DivideRemainder>),
    If(Box<If>),
    /// EVALUATE, normalized: the first branch whose condition is true.
    Evaluate(Box<Evaluate>),
    Perform(Box<Perform>),
    /// GO TO procedure.
    GoTo(ProcedureId),
    /// The GO TO of an altered paragraph; `None` as its initial target: GO TO without a name. The current target is
    /// state of the program, numbered by `Procedure::altered`.
    GoToAltered {
        paragraph: ProcedureId,
        initial: Option<ProcedureId>,
    },
    GoToDepending {
        targets: Vec<ProcedureId>,
        selector: Reference,
    },
    /// ALTER paragraph TO PROCEED TO target.
    Alter(Vec<(ProcedureId, ProcedureId)>),
    /// The altered GO TOs of these paragraphs are as written again.
    ResetAlter(Vec<ProcedureId>),
    /// NEXT SENTENCE: to the [`StatementKind::SentenceEnd`] of the same number.
    NextSentence(u32),
    /// End of a sentence that a NEXT SENTENCE refers to (only then present, at the outer level of the procedure).
    SentenceEnd(u32),
    StopRun {
        return_code: Option<Operand>,
    },
    /// STOP literal: shown to the operator, then continue.
    StopLiteral(Operand),
    GoBack,
    /// EXIT PROGRAM: returns if called, otherwise no effect.
    ExitProgram,
    /// EXIT PERFORM: behind the innermost inline PERFORM.
    ExitPerform,
    /// EXIT PERFORM CYCLE: to the end of the innermost inline PERFORM's body.
    ExitPerformCycle,
    /// EXIT PARAGRAPH, EXIT SECTION: to the end of that procedure (its PERFORM return point counts).
    ExitProcedure(ProcedureId),
    StringInto(Box<StringInto>),
    Unstring(Box<Unstring>),
    Inspect(Box<Inspect>),
    Initialize(Vec<InitializeStep>),
    Search(Box<Search>),
    SearchAll(Box<SearchAll>),
    /// SET index-names, index items or integer items TO a value. Occurrence numbers; index items take the index unchanged.
    SetIndex {
        targets: Vec<Reference>,
        value: Operand,
    },
    /// SET index-names UP BY or DOWN BY (`down`).
    SetIndexBy {
        targets: Vec<Reference>,
        by: Operand,
        down: bool,
    },
    /// SET ADDRESS OF item / pointer TO an address: pointer item, AddressOf, Figurative NULL.
    SetAddress {
        targets: Vec<AddressTarget>,
        value: Operand,
    },
    /// SET pointer UP BY or DOWN BY bytes.
    SetPointerBy {
        targets: Vec<Reference>,
        by: Operand,
        down: bool,
    },
    /// SET procedure-pointer or function-pointer TO ENTRY, to another pointer, or to NULL.
    SetEntry {
        targets: Vec<Reference>,
        value: EntryValue,
    },
    /// SET mnemonic-name TO ON or OFF.
    SetSwitch {
        switch: u8,
        on: bool,
    },
    Call(Box<Call>),
    Cancel(Vec<Operand>),
    /// The place of an ENTRY statement; no effect when reached from above.
    Entry(EntryId),
    Accept(Box<Accept>),
    Display(Box<Display>),
    Open(Vec<(FileId, OpenMode, OpenOptions)>),
    Close(Vec<(FileId, CloseOptions)>),
    Read(Box<Read>),
    Write(Box<Write>),
    Rewrite(Box<Rewrite>),
    Delete(Box<Delete>),
    Start(Box<Start>),
    Sort(Box<Sort>),
    Merge(Box<Sort>),
    /// SORT of a table in storage.
    SortTable(Box<SortTable>),
    /// RELEASE record FROM.
    Release {
        file: FileId,
        record: ItemId,
        from: Option<Operand>,
    },
    /// RETURN file INTO.
    Return(Box<ReturnRecord>),
    Allocate(Box<Allocate>),
    Free(Vec<AddressTarget>),
    ExecCics(Box<ExecCics>),
    ExecSql(Box<ExecSql>),
    Markup(Box<Markup>),
    XmlParse(Box<XmlParse>),
    /// A statement that the compiler accepts but cannot run (reported): executing it is an error with this text.
    Unsupported(Box<str>),
}

#[derive(Clone, Debug)]
pub struct Move {
    pub from: Operand,
    pub to: Vec<Reference>,
}

/// A receiver of arithmetic.
#[derive(Clone, Debug)]
pub struct Target {
    /// Numeric or numeric-edited item, or (SetIndex aside) an index is never here.
    pub reference: Reference,
    pub rounding: Rounding,
    /// Type of the value stored, after combining with the target (see [`Combine`]).
    pub numeric: NumericType,
}

/// The ROUNDED phrase: its modes are COBOL 2014's; without MODE it is nearest away from zero, as Enterprise COBOL rounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    #[default]
    Truncation,
    NearestAwayFromZero,
    NearestEven,
    NearestTowardZero,
    AwayFromZero,
    TowardGreater,
    TowardLesser,
    /// A result that would have to be rounded is a size error.
    Prohibited,
}

/// How an operation's value combines with each target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// target = value (COMPUTE and all GIVING forms).
    Store,
    /// target = target + value.
    Add,
    /// target = target - value.
    Subtract,
    /// target = target * value.
    Multiply,
    /// target = target / value.
    Divide,
}

/// Value computed once, then combined with each target from left to right.
#[derive(Clone, Debug)]
pub struct Operation {
    pub combine: Combine,
    pub value: Expression,
    pub targets: Vec<Target>,
}

/// ADD, SUBTRACT, MULTIPLY, DIVIDE, COMPUTE. More than one operation only for CORRESPONDING. With `size_error` present a target whose
/// result does not fit is left unchanged and the branch is taken at the end; without either branch high-order digits are lost according to
/// the target's usage and TRUNC.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    pub operations: Vec<Operation>,
    pub on_size_error: Option<Statements>,
    pub not_on_size_error: Option<Statements>,
}

#[derive(Clone, Debug)]
pub struct DivideRemainder {
    pub dividend: Expression,
    pub divisor: Expression,
    /// `numeric` of the quotient: digits and scale of the quotient target.
    pub quotient: Target,
    /// dividend - (quotient truncated to the quotient target's places) * divisor, stored after the quotient (subscripts of
    /// the remainder are evaluated then).
    pub remainder: Target,
    pub on_size_error: Option<Statements>,
    pub not_on_size_error: Option<Statements>,
}

#[derive(Clone, Debug)]
pub struct If {
    pub condition: Condition,
    pub then: Statements,
    pub otherwise: Statements,
}

#[derive(Clone, Debug)]
pub struct Evaluate {
    pub branches: Vec<Branch>,
    pub other: Statements,
}

#[derive(Clone, Debug)]
pub struct Branch {
    pub condition: Condition,
    pub statements: Statements,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Perform {
    pub body: PerformBody,
    pub control: PerformControl,
}

#[derive(Clone, Debug)]
pub enum PerformBody {
    Range(Range),
    Inline(Statements),
}

#[derive(Clone, Debug)]
pub enum PerformControl {
    Once,
    /// An integer operand, evaluated once; not positive: not at all.
    Times(Operand),
    Until {
        condition: Condition,
        test_after: bool,
    },
    Varying(Box<PerformVarying>),
}

/// VARYING and AFTER, outermost first.
#[derive(Clone, Debug)]
pub struct PerformVarying {
    pub test_after: bool,
    pub loops: Vec<Varying>,
}

#[derive(Clone, Debug)]
pub struct Varying {
    /// Sets the variable to its FROM value (Move or SetIndex).
    pub initialize: Statement,
    /// Adds BY (Arithmetic or SetIndexBy).
    pub step: Statement,
    pub until: Condition,
}

#[derive(Clone, Debug)]
pub struct StringInto {
    pub pieces: Vec<StringPiece>,
    pub into: Reference,
    pub pointer: Option<Reference>,
    pub on_overflow: Option<Statements>,
    pub not_on_overflow: Option<Statements>,
}

#[derive(Clone, Debug)]
pub struct StringPiece {
    /// Alphanumeric or national; a numeric integer DISPLAY item is treated as its digits.
    pub from: Operand,
    /// `None`: DELIMITED BY SIZE. A figurative constant is one character.
    pub delimiter: Option<Operand>,
}

#[derive(Clone, Debug)]
pub struct Unstring {
    pub from: Operand,
    pub delimiters: Vec<UnstringDelimiter>,
    pub into: Vec<UnstringInto>,
    pub pointer: Option<Reference>,
    pub tallying: Option<Reference>,
    pub on_overflow: Option<Statements>,
    pub not_on_overflow: Option<Statements>,
}

#[derive(Clone, Debug)]
pub struct UnstringDelimiter {
    pub all: bool,
    pub value: Operand,
}

#[derive(Clone, Debug)]
pub struct UnstringInto {
    pub into: Reference,
    pub delimiter: Option<Reference>,
    pub count: Option<Reference>,
}

/// INSPECT: TALLYING, then REPLACING or CONVERTING.
#[derive(Clone, Debug)]
pub struct Inspect {
    pub target: Operand,
    pub tallying: Vec<InspectTally>,
    pub replacing: Vec<InspectReplace>,
    pub converting: Option<Box<InspectConvert>>,
}

/// One comparison of TALLYING; those of all counters are made together, in order, as the standard requires.
#[derive(Clone, Debug)]
pub struct InspectTally {
    pub counter: Reference,
    pub mode: InspectMode,
    /// Absent for CHARACTERS.
    pub value: Option<Operand>,
    pub region: InspectRegion,
}

#[derive(Clone, Debug)]
pub struct InspectReplace {
    pub mode: InspectMode,
    pub value: Option<Operand>,
    pub by: Operand,
    pub region: InspectRegion,
}

#[derive(Clone, Debug)]
pub struct InspectConvert {
    pub from: Operand,
    pub to: Operand,
    pub region: InspectRegion,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InspectMode {
    Characters,
    All,
    Leading,
    First,
}

/// BEFORE INITIAL and AFTER INITIAL.
#[derive(Clone, Debug, Default)]
pub struct InspectRegion {
    pub before: Option<Operand>,
    pub after: Option<Operand>,
}

/// INITIALIZE, expanded.
#[derive(Clone, Debug)]
pub enum InitializeStep {
    /// Move a constant or the REPLACING value to an elementary item.
    Move { target: Reference, value: Operand },
    /// Write constant bytes at offsets from the start of the target.
    Image { target: Reference, runs: Vec<(u32, Box<[u8]>)> },
    /// For each occurrence (`Subscript::Loop(depth)` = 1 to the current number of occurrences of `table`).
    Loop { table: ItemId, depth: u32, body: Vec<InitializeStep> },
}

/// SEARCH (serial).
#[derive(Clone, Debug)]
pub struct Search {
    /// The table's first INDEXED BY name, or the VARYING index if it belongs to the table: advanced by 1 each time.
    pub index: ItemId,
    /// Also advanced: another table's index-name, an index data item or an integer item.
    pub varying: Option<Reference>,
    pub table: ItemId,
    pub at_end: Statements,
    pub branches: Vec<Branch>,
}

/// SEARCH ALL (binary).
#[derive(Clone, Debug)]
pub struct SearchAll {
    pub index: ItemId,
    pub table: ItemId,
    /// Equalities of the WHEN, by key order (major first); together they are the condition.
    pub keys: Vec<SearchKey>,
    pub at_end: Statements,
    /// Executed when found. (A WHEN with NEXT SENTENCE is a NextSentence statement.)
    pub when: Statements,
}

#[derive(Clone, Debug)]
pub struct SearchKey {
    /// The key item, subscripted by `index`.
    pub key: Reference,
    pub value: Operand,
    pub kind: CompareKind,
    pub ascending: bool,
}

#[derive(Clone, Debug)]
pub enum EntryValue {
    /// ENTRY literal.
    Literal(Box<str>),
    /// ENTRY identifier: a name at run time.
    Name(Reference),
    /// Another procedure-pointer, function-pointer or pointer.
    Pointer(Reference),
    Null,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub target: CallTarget,
    pub arguments: Vec<CallArgument>,
    pub returning: Option<CallReturning>,
    /// ON EXCEPTION or ON OVERFLOW: the program could not be made available.
    pub on_exception: Option<Statements>,
    pub not_on_exception: Option<Statements>,
}

/// A user-defined function called in an expression: conversions of arguments, the call, and the item of its result.
#[derive(Clone, Debug)]
pub struct UserCall {
    pub conversions: Vec<(Operand, Reference)>,
    pub call: Call,
    pub item: ItemId,
}

#[derive(Clone, Debug)]
pub enum CallReturning {
    Item(Reference),
    /// RETURNING ADDRESS OF.
    Address(AddressTarget),
}

#[derive(Clone, Debug)]
pub enum CallTarget {
    /// CALL literal: static unless DYNAM. Upper case name.
    Literal(Box<str>),
    /// CALL identifier: dynamic, the name is the item's value.
    Name(Reference),
    /// CALL procedure-pointer or function-pointer.
    Pointer(Reference),
    /// A program contained in this one: path of indexes in `nested`, from the program `levels` outwards (0 = this one).
    Nested { levels: u32, path: Vec<u32> },
}

#[derive(Clone, Debug)]
pub struct CallArgument {
    pub mode: CallMode,
    pub value: Operand,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallMode {
    Reference,
    /// A copy is passed by reference. (LENGTH OF and literals too.)
    Content,
    Value,
    /// OMITTED: a null address; `value` is Figurative NULL.
    Omitted,
}

#[derive(Clone, Debug)]
pub struct Accept {
    pub into: Reference,
    pub from: AcceptSource,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcceptSource {
    /// SYSIN or the console (`true`).
    Device {
        console: bool,
    },
    /// YYMMDD, or YYYYMMDD when `four_digit_year`: an unsigned integer moved to the receiver.
    Date {
        four_digit_year: bool,
    },
    Day {
        four_digit_year: bool,
    },
    DayOfWeek,
    /// HHMMSShh.
    Time,
    CommandLine,
    EnvironmentValue,
}

#[derive(Clone, Debug)]
pub struct Display {
    pub values: Vec<Operand>,
    pub upon: DisplayTarget,
    pub no_advancing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DisplayTarget {
    #[default]
    SystemOutput,
    Console,
    Punch,
    EnvironmentName,
    EnvironmentValue,
}

#[derive(Clone, Debug)]
pub struct Allocate {
    /// ALLOCATE expression CHARACTERS, or the length of a based linkage item.
    pub characters: Option<Expression>,
    pub item: Option<ItemId>,
    pub initialized: bool,
    pub location_31: bool,
    pub returning: Option<AddressTarget>,
    /// INITIALIZED with an item: the steps of an INITIALIZE.
    pub initialize: Vec<InitializeStep>,
}
