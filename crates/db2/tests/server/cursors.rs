//! Cursors: blocks, positions, holding, scrolling, rowsets, positioned changes.

use crate::program::{Item, Program, change, close, cursor, fetch, fetch_rows, open, plain, statement};
use sql::{Action, Cursor, Number, Orientation, Scroll};

const TABLE: &str = "CREATE TABLE t (id int PRIMARY KEY, v varchar(10)); \
     INSERT INTO t SELECT n, 'V' || n FROM generate_series(1, 100) AS n;";
const QUERY: &str = "SELECT id, v FROM t WHERE id <= $1 ORDER BY id";

struct Reader {
    program: Program,
    limit: Item,
    id: Item,
    v: Item,
}

impl Reader {
    fn new(limit: i32) -> Reader {
        let mut program = Program::new(TABLE);
        let (limit_item, id, v) = (program.integer(), program.integer(), program.char(10));
        program.set_integer(&limit_item, limit);
        Reader { program, limit: limit_item, id, v }
    }

    fn open(&mut self, cursor: Cursor, query: &str) {
        let open = open(cursor, query, &[&self.limit.clone()]);
        self.program.ok(&open);
    }

    fn fetch(&mut self, orientation: Orientation) -> i32 {
        let fetch = fetch("C1", orientation, &[&self.id.clone(), &self.v.clone()]);
        match self.program.run(&fetch) {
            0 => self.program.integer_of(&self.id),
            code => -code.abs(),
        }
    }

    fn next(&mut self) -> i32 {
        self.fetch(Orientation::Next)
    }
}

#[test]
fn a_small_result_is_one_round_trip() {
    let mut reader = Reader::new(5);
    reader.open(cursor("C1"), QUERY);
    reader.program.ok(&close("C1"));
    let before = reader.program.thread.statistics().round_trips;
    reader.open(cursor("C1"), QUERY);
    assert_eq!((1..=6).map(|_| reader.next()).collect::<Vec<_>>(), [1, 2, 3, 4, 5, -100]);
    assert_eq!(reader.next(), -100);
    reader.program.ok(&close("C1"));
    // One for each OPEN's new statement object, prepared apart because tests make it anew.
    assert!(reader.program.thread.statistics().round_trips - before <= 2);
}

#[test]
fn a_large_result_comes_in_blocks() {
    let mut reader = Reader::new(100);
    reader.open(cursor("C1"), QUERY);
    let before = reader.program.thread.statistics().round_trips;
    assert_eq!((1..=101).map(|_| reader.next()).filter(|id| *id > 0).sum::<i32>(), 5050);
    assert_eq!(reader.program.thread.statistics().round_trips - before, 2);
    assert_eq!(reader.program.text_of(&reader.v).trim_end(), "V100");
}

#[test]
fn states_of_a_cursor_are_checked() {
    let mut reader = Reader::new(5);
    assert_eq!(reader.next(), -501);
    assert_eq!(reader.program.run(&close("C1")), -501);
    reader.open(cursor("C1"), QUERY);
    let again = open(cursor("C1"), QUERY, &[&reader.limit.clone()]);
    assert_eq!(reader.program.run(&again), -502);
    reader.program.ok(&plain(Action::Commit));
    assert_eq!(reader.next(), -501);
    // A cursor of another program with the same name is another cursor.
    reader.open(cursor("C1"), QUERY);
    reader.program.package = 2;
    assert_eq!(reader.next(), -501);
}

#[test]
fn a_held_cursor_outlives_commit_but_not_rollback() {
    let mut reader = Reader::new(100);
    reader.open(Cursor { with_hold: true, ..cursor("C1") }, QUERY);
    for expected in 1..=40 {
        assert_eq!(reader.next(), expected);
        if expected % 10 == 0 {
            reader.program.ok(&change("UPDATE t SET v = 'X' WHERE id = 99", &[]));
            reader.program.ok(&plain(Action::Commit));
        }
    }
    assert!(reader.program.thread.holds_over_commit());
    reader.program.ok(&plain(Action::Rollback));
    assert_eq!(reader.next(), -501);
}

#[test]
fn scrollable_cursors_go_anywhere() {
    let mut reader = Reader::new(10);
    reader.open(Cursor { scroll: Scroll::Insensitive, ..cursor("C1") }, QUERY);
    let absolute = |number| Orientation::Absolute(Number::Literal(number));
    let relative = |number| Orientation::Relative(Number::Literal(number));
    let steps = [
        (Orientation::Next, 1),
        (Orientation::Last, 10),
        (Orientation::Prior, 9),
        (Orientation::Current, 9),
        (absolute(4), 4),
        (relative(3), 7),
        (relative(-2), 5),
        (absolute(-1), 10),
        (Orientation::Next, -100),
        (Orientation::Prior, 10),
        (Orientation::First, 1),
        (Orientation::Prior, -100),
        (absolute(11), -100),
    ];
    for (step, expected) in steps {
        assert_eq!(reader.fetch(step.clone()), expected, "{step:?}");
    }
    reader.program.ok(&fetch("C1", Orientation::Before, &[]));
    assert_eq!(reader.next(), 1);
    reader.program.ok(&fetch("C1", Orientation::After, &[]));
    assert_eq!(reader.fetch(Orientation::Prior), 10);
}

fn positioned(text: &str, row: Option<i64>, inputs: &[&Item]) -> crate::program::Made {
    let action = Action::Positioned { cursor: "C1".to_string(), row: row.map(Number::Literal) };
    statement(action, text, inputs, &[])
}

#[test]
fn changes_of_the_current_row() {
    let mut reader = Reader::new(5);
    let update = positioned("UPDATE t SET v = 'NEW' WHERE CURRENT OF \"C1\"", None, &[]);
    assert_eq!(reader.program.run(&update), -507);
    reader.open(Cursor { updatable: true, ..cursor("C1") }, "SELECT id, v FROM t WHERE id <= $1 FOR UPDATE");
    assert_eq!(reader.program.run(&update), -508);
    assert_eq!((reader.next(), reader.next()), (1, 2));
    reader.program.ok(&update);
    assert_eq!(reader.program.rows(), 1);
    reader.program.ok(&update);
    assert_eq!(reader.next(), 3);
    let delete = positioned("DELETE FROM t WHERE CURRENT OF \"C1\"", None, &[]);
    reader.program.ok(&delete);
    assert_eq!(reader.program.run(&delete), -508);
    assert_eq!(reader.program.query("SELECT string_agg(id || v, ' ' ORDER BY id) FROM t WHERE id <= 4"), "1V1 2NEW 4V4");
}

#[test]
fn changes_of_the_current_row_of_a_held_cursor() {
    let mut reader = Reader::new(5);
    let open = Cursor { updatable: true, with_hold: true, ..cursor("C1") };
    reader.open(open, "SELECT id, v FROM t WHERE id <= $1 ORDER BY id FOR UPDATE OF t");
    let name = reader.program.char(10);
    reader.program.set_text(&name, "HELD");
    let update = positioned("UPDATE t SET v = $1 WHERE CURRENT OF \"C1\"", None, &[&name]);
    for expected in 1..=5 {
        assert_eq!(reader.next(), expected);
        reader.program.ok(&update);
        reader.program.ok(&update);
        reader.program.ok(&plain(Action::Commit));
    }
    assert_eq!(reader.next(), -100);
    assert_eq!(reader.program.query("SELECT count(*) FROM t WHERE rtrim(v) = 'HELD'"), "5");
}

#[test]
fn rowsets_fill_arrays() {
    let mut reader = Reader::new(10);
    let ids = reader.program.array(sql::VariableType::Integer, 4, 9, 0, 4, 4);
    reader.open(Cursor { rowset: true, ..cursor("C1") }, QUERY);
    let next = fetch_rows("C1", Orientation::Next, 4, &[&ids]);
    let read = |program: &Program, count: u64| {
        (0..count).map(|index| i32::from_be_bytes(program.get(ids.place.address + 4 * index, 4).try_into().unwrap())).collect::<Vec<_>>()
    };
    reader.program.ok(&next);
    assert_eq!((read(&reader.program, 4), reader.program.rows()), (vec![1, 2, 3, 4], 4));
    reader.program.ok(&next);
    assert_eq!((reader.program.run(&next), reader.program.rows()), (100, 2));
    assert_eq!(read(&reader.program, 2), [9, 10]);
    assert_eq!((reader.program.run(&next), reader.program.rows()), (100, 0));
}

#[test]
fn changes_of_rows_of_a_rowset() {
    let mut reader = Reader::new(10);
    let ids = reader.program.array(sql::VariableType::Integer, 4, 9, 0, 4, 4);
    reader.open(Cursor { rowset: true, updatable: true, ..cursor("C1") }, "SELECT id, v FROM t WHERE id <= $1 ORDER BY id FOR UPDATE");
    let next = fetch_rows("C1", Orientation::Next, 4, &[&ids]);
    reader.program.ok(&next);
    reader.program.ok(&next);
    reader.program.ok(&positioned("UPDATE t SET v = 'ONE' WHERE CURRENT OF \"C1\"", Some(2), &[]));
    assert_eq!(reader.program.run(&positioned("UPDATE t SET v = 'ONE' WHERE CURRENT OF \"C1\"", Some(5), &[])), -508);
    assert_eq!(reader.program.query("SELECT min(id) FROM t WHERE v = 'ONE'"), "6");
    reader.program.ok(&positioned("UPDATE t SET v = 'ALL' WHERE CURRENT OF \"C1\"", None, &[]));
    assert_eq!(reader.program.rows(), 4);
    assert_eq!(reader.program.query("SELECT string_agg(id::text, ' ' ORDER BY id) FROM t WHERE v = 'ALL'"), "5 6 7 8");
    reader.program.ok(&fetch_rows("C1", Orientation::Prior, 4, &[&ids]));
    assert_eq!(reader.program.integer_of(&ids), 1);
}

#[test]
fn an_error_between_fetches_leaves_the_cursor_open() {
    let mut reader = Reader::new(100);
    reader.open(cursor("C1"), QUERY);
    assert_eq!(reader.next(), 1);
    assert_eq!(reader.program.run(&change("INSERT INTO t VALUES (1, 'X')", &[])), -803);
    assert_eq!((2..=100).map(|_| reader.next()).filter(|id| *id > 0).count(), 99);
}
