//! Statements of the procedure division, parsed.

use super::*;

fn kinds(working: &str, statements: &str) -> (Program, Vec<StatementKind>) {
    let p = program(working, statements);
    let kinds = body(&p).iter().map(|statement| statement.kind.clone()).collect();
    (p, kinds)
}

#[test]
fn add_combines_with_its_targets() {
    let (_, kinds) = kinds("01 A PIC 9(3).\n01 B PIC 9(3)V9.\n01 C PIC 9(5).", "ADD A 2 TO B ROUNDED C ON SIZE ERROR CONTINUE END-ADD");
    let StatementKind::Arithmetic(arithmetic) = &kinds[0] else { panic!("{:?}", kinds[0]) };
    let operation = &arithmetic.operations[0];
    assert_eq!(operation.combine, Combine::Add);
    assert_eq!(operation.targets.len(), 2);
    assert_eq!(operation.targets[0].rounding, Rounding::NearestAwayFromZero);
    // A + 2: three and one integer digits give four; with B: max(4, 3) + 1 integer digits and one decimal.
    assert!(matches!(operation.value.numeric, NumericType::Fixed { digits: 4, scale: 0, .. }));
    assert!(matches!(operation.targets[0].numeric, NumericType::Fixed { digits: 6, scale: 1, .. }));
    assert!(arithmetic.on_size_error.is_some() && arithmetic.not_on_size_error.is_none());
}

#[test]
fn compute_follows_precedence_and_precision_rules() {
    let (_, kinds) = kinds("01 A PIC 9(3).\n01 B PIC 9(3)V99.\n01 C PIC 9(5)V99.", "COMPUTE C = A + B * A / 2 - 1");
    let StatementKind::Arithmetic(arithmetic) = &kinds[0] else { panic!() };
    let value = &arithmetic.operations[0].value;
    // ((A + ((B * A) / 2)) - 1)
    let ExpressionKind::Binary { operator: Operator::Subtract, left, .. } = &value.kind else { panic!() };
    let ExpressionKind::Binary { operator: Operator::Add, right, .. } = &left.kind else { panic!() };
    let ExpressionKind::Binary { operator: Operator::Divide, left: product, .. } = &right.kind else { panic!() };
    assert!(matches!(product.numeric, NumericType::Fixed { digits: 8, scale: 2, .. }));
}

#[test]
fn floating_point_operands_make_the_expression_floating_point() {
    let (_, kinds) = kinds("01 A COMP-2.\n01 B PIC 9(3).", "COMPUTE B = B * 2 + A");
    let StatementKind::Arithmetic(arithmetic) = &kinds[0] else { panic!() };
    assert_eq!(arithmetic.operations[0].value.numeric, NumericType::Float);
}

#[test]
fn abbreviated_relations_are_expanded() {
    let (_, kinds) = kinds("01 A PIC 9.\n01 B PIC 9.\n01 C PIC 9.", "IF A = B OR C AND NOT < 3 OR > 7 CONTINUE END-IF");
    let StatementKind::If(statement) = &kinds[0] else { panic!() };
    let Condition::Or(terms) = &statement.condition else { panic!("{:?}", statement.condition) };
    assert_eq!(terms.len(), 3);
    let Condition::And(both) = &terms[1] else { panic!() };
    let operators: Vec<RelationOperator> = both
        .iter()
        .map(|term| match term {
            Condition::Relation(relation) => relation.operator,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(operators, [RelationOperator::Equal, RelationOperator::GreaterOrEqual]);
    let Condition::Relation(last) = &terms[2] else { panic!() };
    assert_eq!(last.operator, RelationOperator::Greater);
}

/// The words of the Language Reference, "General relation conditions", and the two older ones that other compilers take as well.
#[test]
fn every_relational_operator_may_stand_in_parentheses() {
    use RelationOperator::*;
    for (words, expected) in [
        ("=", Equal),
        ("EQUAL", Equal),
        ("IS EQUAL TO", Equal),
        ("EQUALS", Equal),
        ("NOT =", NotEqual),
        ("<>", NotEqual),
        ("UNEQUAL", NotEqual),
        ("UNEQUAL TO", NotEqual),
        ("<", Less),
        ("LESS THAN", Less),
        ("NOT LESS", GreaterOrEqual),
        ("<=", LessOrEqual),
        ("LESS THAN OR EQUAL TO", LessOrEqual),
        (">", Greater),
        ("GREATER", Greater),
        ("EXCEEDS", Greater),
        (">=", GreaterOrEqual),
        ("GREATER OR EQUAL", GreaterOrEqual),
    ] {
        let (_, kinds) = kinds("01 A PIC 9.\n01 B PIC 9.", &format!("IF (A {words} B) CONTINUE END-IF"));
        let StatementKind::If(statement) = &kinds[0] else { panic!("{words}: {:?}", kinds[0]) };
        let Condition::Relation(relation) = &statement.condition else { panic!("{words}: {:?}", statement.condition) };
        assert_eq!(relation.operator, expected, "{words}");
    }
}

#[test]
fn condition_names_become_relations() {
    let (_, kinds) =
        kinds("01 A PIC X.\n 88 YES VALUE 'Y' 'J'.\n 88 LOW VALUE 'A' THRU 'F'.", "IF YES OR LOW CONTINUE END-IF SET YES TO TRUE");
    let StatementKind::If(statement) = &kinds[0] else { panic!() };
    let Condition::Or(terms) = &statement.condition else { panic!() };
    assert!(matches!(&terms[0], Condition::Or(values) if values.len() == 2));
    assert!(matches!(&terms[1], Condition::And(range) if range.len() == 2));
    assert!(matches!(&kinds[1], StatementKind::Move(_)));
}

#[test]
fn comparisons_have_their_kinds() {
    let (_, kinds) = kinds(
        "01 A PIC X(4).\n01 N PIC 9(4).\n01 P PIC S9(4) COMP-3.\n01 F COMP-1.\n01 Q POINTER.",
        "IF A = N CONTINUE END-IF IF N = P CONTINUE END-IF IF N > F CONTINUE END-IF IF Q = NULL CONTINUE END-IF IF A = SPACES CONTINUE END-IF",
    );
    let found: Vec<CompareKind> = kinds
        .iter()
        .map(|kind| match kind {
            StatementKind::If(statement) => match &statement.condition {
                Condition::Relation(relation) => relation.kind,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    use CompareKind::*;
    assert_eq!(found, [Alphanumeric, Numeric, Float, Pointer, Alphanumeric]);
}

#[test]
fn evaluate_becomes_a_cascade() {
    let (_, kinds) = kinds(
        "01 A PIC 9.\n01 B PIC X.",
        "EVALUATE A ALSO TRUE WHEN 1 THRU 3 ALSO B = 'X' CONTINUE WHEN 4 ALSO ANY WHEN NOT 5 ALSO FALSE CONTINUE WHEN OTHER CONTINUE END-EVALUATE",
    );
    let StatementKind::Evaluate(evaluate) = &kinds[0] else { panic!() };
    assert_eq!(evaluate.branches.len(), 2);
    assert!(matches!(&evaluate.branches[0].condition, Condition::And(terms) if terms.len() == 2));
    assert!(matches!(&evaluate.branches[1].condition, Condition::Or(terms) if terms.len() == 2));
    assert_eq!(evaluate.other.len(), 1);
}

#[test]
fn perform_forms() {
    let p = program(
        "01 I PIC 99.\n01 T.\n 05 E OCCURS 5 INDEXED BY X PIC 9.",
        "PERFORM A THRU B 3 TIMES\n PERFORM VARYING I FROM 1 BY 1 UNTIL I > 5 AFTER X FROM 1 BY 2 UNTIL X > 4 CONTINUE END-PERFORM\n\
         PERFORM S WITH TEST AFTER UNTIL I = 3. GOBACK. A. CONTINUE. B. EXIT. S SECTION. S1. CONTINUE. S2. CONTINUE. Z SECTION. Z1.",
    );
    let statements = &p.procedures[0].statements;
    let StatementKind::Perform(first) = &statements[0].kind else { panic!() };
    let PerformBody::Range(range) = &first.body else { panic!() };
    assert_eq!((&*p.procedure(range.first).name, &*p.procedure(range.last).name), ("A", "B"));
    let StatementKind::Perform(second) = &statements[1].kind else { panic!() };
    let PerformControl::Varying(varying) = &second.control else { panic!() };
    assert!(matches!(varying.loops[0].initialize.kind, StatementKind::Move(_)));
    assert!(matches!(varying.loops[1].step.kind, StatementKind::SetIndexBy { .. }));
    let StatementKind::Perform(third) = &statements[2].kind else { panic!() };
    let PerformBody::Range(range) = &third.body else { panic!() };
    assert_eq!((&*p.procedure(range.first).name, &*p.procedure(range.last).name), ("S", "S2"));
}

#[test]
fn subscripts_and_modification() {
    let (p, kinds) = kinds(
        "01 T.\n 05 A OCCURS 3 INDEXED BY X.\n  10 B OCCURS 4 PIC X(6).\n01 I PIC 9.\n01 W PIC X(6).",
        "MOVE B (X + 1, I - 1) (2 : 3) TO W\n MOVE B (2 +1) TO W\n MOVE W (I:) TO W",
    );
    let StatementKind::Move(first) = &kinds[0] else { panic!() };
    let Operand::Reference(reference) = &first.from else { panic!() };
    assert!(matches!(reference.subscripts[0], Subscript::Index { plus: 1, .. }));
    assert!(matches!(reference.subscripts[1], Subscript::Item { plus: -1, .. }));
    assert!(reference.modification.is_some());
    assert_eq!(&*p.item(reference.item).name, "B");
    // A sign that touches its number begins the next subscript while one is missing.
    let StatementKind::Move(second) = &kinds[1] else { panic!() };
    let Operand::Reference(reference) = &second.from else { panic!() };
    assert!(matches!(reference.subscripts[..], [Subscript::Literal(2), Subscript::Literal(1)]));
}

#[test]
fn initialize_of_a_fixed_group_is_an_image() {
    let (p, kinds) = kinds(
        "01 G.\n 05 A PIC X(2).\n 05 FILLER PIC X.\n 05 B PIC 9(3) COMP-3.\n 05 T OCCURS 2.\n  10 C PIC S9 COMP.\n  10 D PIC XX.\n 05 E PIC ZZ9.",
        "INITIALIZE G. INITIALIZE A B REPLACING NUMERIC DATA BY 7",
    );
    // E is numeric-edited: its zero is edited at run time, so the group is done by steps.
    let StatementKind::Initialize(steps) = &kinds[0] else { panic!() };
    assert!(steps.iter().any(|step| matches!(step, InitializeStep::Loop { .. })));
    let StatementKind::Initialize(steps) = &kinds[1] else { panic!() };
    assert_eq!(steps.len(), 1);
    let InitializeStep::Move { target, .. } = &steps[0] else { panic!() };
    assert_eq!(&*p.item(target.item).name, "B");
    let (_, kinds) = self::kinds("01 G.\n 05 A PIC X(2).\n 05 FILLER PIC X.\n 05 B PIC 9(3) COMP-3.", "INITIALIZE G");
    let StatementKind::Initialize(steps) = &kinds[0] else { panic!() };
    let InitializeStep::Image { runs, .. } = &steps[0] else { panic!() };
    assert_eq!(runs.len(), 2);
    assert_eq!((runs[0].0, &*runs[0].1), (0, &[0x40, 0x40][..]));
    assert_eq!((runs[1].0, &*runs[1].1), (3, &[0x00, 0x0F][..]));
}

#[test]
fn corresponding_pairs_by_name() {
    let (_, kinds) = kinds(
        "01 A.\n 05 X PIC 9.\n 05 Y.\n  10 Z PIC X.\n 05 Q PIC 9.\n01 B.\n 05 Q PIC 9.\n 05 Y.\n  10 Z PIC X.\n 05 X OCCURS 2 PIC 9.",
        "MOVE CORRESPONDING A TO B. ADD CORR A TO B",
    );
    let StatementKind::Block(moves) = &kinds[0] else { panic!() };
    assert_eq!(moves.len(), 2);
    let StatementKind::Arithmetic(arithmetic) = &kinds[1] else { panic!() };
    assert_eq!(arithmetic.operations.len(), 1);
}

#[test]
fn next_sentence_points_behind_the_period() {
    let p = program("01 A PIC 9.", "IF A = 1 NEXT SENTENCE ELSE MOVE 2 TO A. MOVE 3 TO A.");
    let statements = body(&p);
    let StatementKind::If(statement) = &statements[0].kind else { panic!() };
    let StatementKind::NextSentence(number) = statement.then[0].kind else { panic!() };
    assert!(matches!(statements[1].kind, StatementKind::SentenceEnd(end) if end == number));
}

#[test]
fn altered_paragraphs_are_numbered() {
    let p = program("", "ALTER P TO PROCEED TO Q. GO TO P. P. GO TO R. Q. STOP RUN. R.");
    let id = p.procedures.iter().position(|procedure| &*procedure.name == "P").expect("P");
    assert_eq!(p.procedures[id].altered, Some(0));
    assert!(matches!(p.procedures[id].statements[0].kind, StatementKind::GoToAltered { initial: Some(_), .. }));
}

#[test]
fn strings_inspect_and_search() {
    let (_, kinds) = kinds(
        "01 S PIC X(20).\n01 D PIC X(20).\n01 N PIC 99.\n01 T.\n 05 E OCCURS 9 ASCENDING KEY K INDEXED BY X.\n  10 K PIC 9(3).\n  10 V PIC X.",
        "STRING S DELIMITED BY SPACE 'A' 'B' DELIMITED BY SIZE INTO D WITH POINTER N ON OVERFLOW CONTINUE END-STRING\n\
         UNSTRING S DELIMITED BY ALL ',' OR ';' INTO D COUNT IN N TALLYING IN N\n\
         INSPECT S TALLYING N FOR ALL 'A' 'B' BEFORE INITIAL 'C' REPLACING LEADING '0' BY SPACE\n\
         INSPECT S CONVERTING 'ab' TO 'AB' AFTER 'x'\n\
         SEARCH E AT END CONTINUE WHEN K (X) = 3 CONTINUE END-SEARCH\n\
         SEARCH ALL E WHEN K (X) = N CONTINUE END-SEARCH",
    );
    let StatementKind::StringInto(string) = &kinds[0] else { panic!() };
    assert_eq!(string.pieces.len(), 3);
    assert!(string.pieces[0].delimiter.is_some() && string.pieces[1].delimiter.is_none());
    let StatementKind::Unstring(unstring) = &kinds[1] else { panic!() };
    assert!(unstring.delimiters[0].all && !unstring.delimiters[1].all);
    let StatementKind::Inspect(inspect) = &kinds[2] else { panic!() };
    assert_eq!((inspect.tallying.len(), inspect.replacing.len()), (2, 1));
    assert!(inspect.tallying[1].region.before.is_some());
    assert!(matches!(&kinds[4], StatementKind::Search(search) if search.branches.len() == 1));
    assert!(matches!(&kinds[5], StatementKind::SearchAll(search) if search.keys.len() == 1));
}

#[test]
fn functions_and_special_registers() {
    let (_, kinds) = kinds(
        "01 A PIC X(10).\n01 N PIC 9(9).\n01 T.\n 05 V PIC 9(4) OCCURS 3.",
        "MOVE FUNCTION UPPER-CASE(A) TO A. MOVE FUNCTION CURRENT-DATE(1:8) TO A. COMPUTE N = FUNCTION MAX(1 -2 N) + FUNCTION SUM(V(ALL)).\n\
         MOVE LENGTH OF A TO N. MOVE FUNCTION LENGTH(A) TO N. MOVE 4 TO RETURN-CODE. MOVE FUNCTION TRIM(A TRAILING) TO A",
    );
    let StatementKind::Arithmetic(arithmetic) = &kinds[2] else { panic!() };
    let ExpressionKind::Binary { left, .. } = &arithmetic.operations[0].value.kind else { panic!() };
    let ExpressionKind::Function(call) = &left.kind else { panic!() };
    assert_eq!(call.arguments.len(), 3);
    let StatementKind::Move(length) = &kinds[3] else { panic!() };
    assert!(matches!(&length.from, Operand::Literal(Literal { value: LiteralValue::Numeric(number), .. }) if number.value == 10));
}

#[test]
fn call_passes_arguments_by_mode() {
    let (_, kinds) = kinds(
        "01 A PIC X(8).\n01 B PIC S9(8) COMP.",
        "CALL 'SUB' USING A BY CONTENT B BY VALUE 5 B BY REFERENCE OMITTED ON EXCEPTION CONTINUE END-CALL. CALL A. CANCEL 'SUB' A",
    );
    let StatementKind::Call(call) = &kinds[0] else { panic!() };
    let modes: Vec<CallMode> = call.arguments.iter().map(|argument| argument.mode).collect();
    assert_eq!(modes, [CallMode::Reference, CallMode::Content, CallMode::Value, CallMode::Value, CallMode::Omitted]);
    assert!(matches!(&call.target, CallTarget::Literal(name) if &**name == "SUB"));
    assert!(call.on_exception.is_some());
    assert!(matches!(&kinds[1], StatementKind::Call(call) if matches!(call.target, CallTarget::Name(_))));
}

#[test]
fn set_forms() {
    let mut compilation = compile(&source(
        "01 P POINTER.\n01 T.\n 05 E OCCURS 5 INDEXED BY X Y PIC 9.\n01 N PIC 9.\n01 F PIC X.\n 88 ON-F VALUE 'Y' WHEN SET TO FALSE 'N'.\n01 Z PROCEDURE-POINTER.",
        "01 L PIC X(10).",
        "SET X TO 1. SET X Y TO N. SET N TO X. SET X UP BY 2. SET ADDRESS OF L TO P. SET P TO ADDRESS OF L. SET P TO NULL.\n\
         SET P UP BY 4. SET ON-F TO FALSE. SET Z TO ENTRY 'SUB'.",
    ));
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    let p = compilation.programs.remove(0);
    let names: Vec<&str> = body(&p)
        .iter()
        .map(|statement| match &statement.kind {
            StatementKind::SetIndex { .. } => "index",
            StatementKind::SetIndexBy { .. } => "index by",
            StatementKind::SetAddress { .. } => "address",
            StatementKind::SetPointerBy { .. } => "pointer by",
            StatementKind::Move(_) => "move",
            StatementKind::SetEntry { .. } => "entry",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["index", "index", "index", "index by", "address", "address", "address", "pointer by", "move", "entry"]);
}
