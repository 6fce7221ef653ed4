//! Input of SPUFI and DSNTEP2 is split into statements.

use sql::script;

fn texts(input: &str) -> Vec<String> {
    script(input, ';').into_iter().map(|statement| statement.text).collect()
}

#[test]
fn statements_end_at_the_terminator_or_the_end() {
    assert_eq!(texts("SELECT 1;\n  INSERT INTO T VALUES ('a;b') ; ;COMMIT"), ["SELECT 1", "INSERT INTO T VALUES ('a;b')", "COMMIT"]);
    assert_eq!(texts("SELECT \"A;B\", 'it''s;' FROM T;"), ["SELECT \"A;B\", 'it''s;' FROM T"]);
    assert_eq!(texts(" ;;\n-- nothing\n"), Vec::<String>::new());
}

#[test]
fn comments_do_not_end_statements() {
    let input = "* heading;\n-- one; two\n/* a ; b */ SELECT A -- x ; y\n  , B /* ; */ FROM T;\nCOMMIT;";
    assert_eq!(texts(input), ["SELECT A -- x ; y\n  , B /* ; */ FROM T", "COMMIT"]);
}

#[test]
fn the_terminator_can_be_changed() {
    let input = "COMMIT;\n--#SET TERMINATOR #\nCREATE TRIGGER T BEGIN ATOMIC A; B; END#\n--#set terminator ;\nCOMMIT;";
    assert_eq!(texts(input), ["COMMIT", "CREATE TRIGGER T BEGIN ATOMIC A; B; END", "COMMIT"]);
    assert_eq!(script("A#B", '#').len(), 2);
}

#[test]
fn a_statement_knows_where_it_begins() {
    let found = script("-- first\n\n  SELECT 1;\n\nCOMMIT;", ';');
    assert_eq!((found[0].line, found[0].offset), (3, 12));
    assert_eq!((found[1].line, found[1].offset), (5, 23));
}

#[test]
fn no_input_causes_a_panic() {
    let input = "SELECT 'é;' \"x\" /* é */ -- ü\n--#SET TERMINATOR ü\n* é;";
    for (at, _) in input.char_indices() {
        script(&input[..at], ';');
        script(&input[at..], 'é');
    }
}
