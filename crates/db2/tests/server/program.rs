//! A program by hand: its storage below 2 GB, its variables, and a thread to the server of these tests.
//!
//! `unsafe` code here maps storage and reads and writes it; all of these tests use it.

use db2::{BindOptions, Compiled, Context, Locations, NoLocations, Rules, Thread};
use kernel::Departure;
use kernel::name::Name8;
use postgres::ThreadWait;
use postgres::cluster::PrivateCluster;
use program::requests::{SqlOutcome, SqlRequest, SqlVariable};
use sql::{Action, Cursor, CursorOf, Number, Orientation, Scroll, Statement, Variable, VariableType};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Stops the server with the last test that uses it.
pub struct Server {
    cluster: PrivateCluster,
    _directory: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.cluster.stop();
    }
}

fn server() -> Arc<Server> {
    static RUNNING: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(server) = running.upgrade() {
        return server;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let cluster = PrivateCluster::open(&directory.path().join("database"), 40).expect("a server");
    query(&cluster.owner_config(), &format!("{}{}", sql::SUPPORT, sql::support_grants(&cluster.config().user)));
    let server = Arc::new(Server { cluster, _directory: directory });
    *running = Arc::downgrade(&server);
    server
}

/// Executes statements that succeed.
fn query(config: &postgres::Config, statements: &str) {
    let mut session = postgres::Session::connect(config, &mut ThreadWait).expect("a session");
    session.query(statements);
    session.finish(&mut ThreadWait, |_| {}).unwrap_or_else(|failure| panic!("{failure}"));
}

const AREA_BYTES: usize = 1 << 20;

/// A variable of the program.
#[derive(Clone)]
pub struct Item {
    pub variable: Variable,
    pub place: SqlVariable,
}

pub struct Program {
    pub thread: Thread,
    pub bind: BindOptions,
    pub rules: Rules,
    pub rolls_back_deadlock: bool,
    pub locations: Arc<dyn Locations>,
    pub schema: String,
    pub package: usize,
    server: Arc<Server>,
    area: usize,
    next: usize,
    sqlca: u64,
}

impl Program {
    /// With a schema of its own, in which these statements were executed.
    pub fn new(statements: &str) -> Program {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let schema = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        Program::in_schema(&schema, &format!("CREATE SCHEMA {schema}; SET search_path TO {schema}; {statements}"))
    }

    fn in_schema(schema: &str, statements: &str) -> Program {
        let server = server();
        let config = server.cluster.config();
        query(&config, statements);
        let thread = Thread::connect(&config, &mut ThreadWait).expect("a thread");
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_32BIT;
        let area = unsafe { libc::mmap(std::ptr::null_mut(), AREA_BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) } as usize;
        assert!(area != usize::MAX);
        let bind = BindOptions { qualifier: schema.to_string(), ..BindOptions::DEFAULT };
        Program {
            thread,
            bind,
            rules: Rules::Batch,
            rolls_back_deadlock: true,
            locations: Arc::new(NoLocations),
            schema: schema.to_string(),
            package: 1,
            server,
            area,
            next: 256,
            sqlca: area as u64,
        }
    }

    /// A further database of the server, in which these statements were executed in a schema of the name of the program's.
    pub fn further(&self, name: &str, statements: &str) -> postgres::Config {
        static MAKING: Mutex<()> = Mutex::new(());
        let _alone = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let config = self.server.cluster.add_database(name).expect("a database");
        let support = format!("{}{}", sql::SUPPORT, sql::support_grants(&config.user));
        query(&self.server.cluster.owner_config_of(name), &support);
        let schema = &self.schema;
        query(&config, &format!("CREATE SCHEMA {schema}; SET search_path TO {schema}; {statements}"));
        config
    }

    /// The identity of the local database.
    pub fn origin(&self) -> String {
        let mut session = postgres::Session::connect(&self.server.cluster.config(), &mut ThreadWait).expect("a session");
        db2::prepared::origin(&mut session).expect("an identity")
    }

    /// Another program that uses the same tables on a thread of its own.
    pub fn another(&self) -> Program {
        Program::in_schema(&self.schema, "SELECT 1")
    }

    /// Loads records on a session of its own.
    pub fn load(&self, load: &sql::utility::Load, records: &[Vec<u8>]) -> Result<db2::load::Loaded, db2::load::LoadError> {
        let mut session = postgres::Session::connect(&self.server.cluster.config(), &mut ThreadWait).expect("a session");
        db2::load::load(&mut session, load, 0, records, &mut ThreadWait)
    }

    fn allocate(&mut self, bytes: usize) -> u64 {
        let address = self.area + self.next;
        self.next += bytes.next_multiple_of(8);
        assert!(self.next <= AREA_BYTES);
        address as u64
    }

    /// A variable with an indicator.
    pub fn item(&mut self, kind: VariableType, length: u32, precision: u8, scale: i8) -> Item {
        self.array(kind, length, precision, scale, 1, 0)
    }

    pub fn array(&mut self, kind: VariableType, length: u32, precision: u8, scale: i8, occurs: u32, stride: u32) -> Item {
        let variable = Variable {
            name: "ITEM".to_string(),
            kind,
            length,
            precision,
            scale,
            ccsid: 0,
            indicator: true,
            stride,
            indicator_stride: if stride == 0 { 0 } else { 2 },
            reversed: false,
            indicator_reversed: false,
            occurs,
        };
        let address = self.allocate(length as usize + 64 + stride as usize * occurs as usize);
        let indicator = self.allocate(2 * occurs as usize);
        Item { variable, place: SqlVariable { address, indicator } }
    }

    pub fn integer(&mut self) -> Item {
        self.item(VariableType::Integer, 4, 9, 0)
    }

    pub fn char(&mut self, length: u32) -> Item {
        self.item(VariableType::Char, length, 0, 0)
    }

    pub fn put(&mut self, address: u64, bytes: &[u8]) {
        let offset = address as usize - self.area;
        assert!(offset + bytes.len() <= AREA_BYTES);
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
    }

    pub fn get(&self, address: u64, length: usize) -> Vec<u8> {
        let offset = address as usize - self.area;
        assert!(offset + length <= AREA_BYTES);
        unsafe { std::slice::from_raw_parts(address as usize as *const u8, length) }.to_vec()
    }

    pub fn set_integer(&mut self, item: &Item, value: i32) {
        self.put(item.place.address, &value.to_be_bytes());
    }

    pub fn integer_of(&self, item: &Item) -> i32 {
        i32::from_be_bytes(self.get(item.place.address, 4).try_into().unwrap())
    }

    pub fn set_text(&mut self, item: &Item, text: &str) {
        let mut bytes = codepage::CCSID_037.encode(text);
        bytes.resize(item.variable.length as usize, 0x40);
        self.put(item.place.address, &bytes);
    }

    pub fn text_of(&self, item: &Item) -> String {
        codepage::CCSID_037.decode(&self.get(item.place.address, item.variable.length as usize))
    }

    pub fn set_indicator(&mut self, item: &Item, value: i16) {
        self.put(item.place.indicator, &value.to_be_bytes());
    }

    pub fn indicator_of(&self, item: &Item) -> i16 {
        i16::from_be_bytes(self.get(item.place.indicator, 2).try_into().unwrap())
    }

    /// Executes a statement; its SQLCODE.
    pub fn run(&mut self, statement: &Made) -> i32 {
        self.try_run(statement).expect("no departure");
        self.sqlcode()
    }

    pub fn try_run(&mut self, made: &Made) -> Result<SqlOutcome, Departure> {
        let places: Vec<SqlVariable> = made.items.iter().map(|item| item.place).collect();
        let request = SqlRequest {
            statement: 0,
            variable_count: places.len() as u32,
            variables: places.as_ptr(),
            sqlca: self.sqlca,
            sqlcode: 0,
            sqlstate: 0,
            line: 1,
            number: 1,
        };
        let mut wait = ThreadWait;
        let mut context = Context {
            wait: &mut wait,
            rules: self.rules,
            plan: Name8::new("PLAN"),
            authorization_id: Name8::new("TESTER"),
            rolls_back_deadlock: self.rolls_back_deadlock,
            bind: &Arc::new(self.bind.clone()),
            locations: &*self.locations,
        };
        self.thread.execute_compiled(&made.compiled, self.package, &request, &mut context)
    }

    /// Executes a statement that succeeds.
    pub fn ok(&mut self, statement: &Made) {
        let code = self.run(statement);
        assert_eq!(code, 0, "{} {:?}", made_text(statement), self.tokens());
    }

    /// SQLERRP.
    pub fn module(&self) -> String {
        codepage::CCSID_037.decode(&self.get(self.sqlca + 88, 8))
    }

    fn word(&self, offset: u64) -> i32 {
        i32::from_be_bytes(self.get(self.sqlca + offset, 4).try_into().unwrap())
    }

    pub fn sqlcode(&self) -> i32 {
        self.word(12)
    }

    /// SQLERRD(3).
    pub fn rows(&self) -> i32 {
        self.word(104)
    }

    pub fn sqlstate(&self) -> String {
        codepage::CCSID_037.decode(&self.get(self.sqlca + 131, 5))
    }

    pub fn warnings(&self) -> String {
        codepage::CCSID_037.decode(&self.get(self.sqlca + 120, 11))
    }

    pub fn tokens(&self) -> Vec<String> {
        let length = u16::from_be_bytes(self.get(self.sqlca + 16, 2).try_into().unwrap());
        self.get(self.sqlca + 18, usize::from(length)).split(|byte| *byte == 0xFF).map(|token| codepage::CCSID_037.decode(token)).collect()
    }

    /// The only value of a query that needs no host variables.
    pub fn query(&mut self, text: &str) -> String {
        let item = self.char(60);
        let code = self.run(&select(&format!("SELECT ({text})::varchar"), &[], &[&item]));
        assert!(code == 0, "{text}: {code} {:?}", self.tokens());
        if self.indicator_of(&item) < 0 { "null".to_string() } else { self.text_of(&item).trim_end().to_string() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.area as *mut libc::c_void, AREA_BYTES) };
    }
}

/// A compiled statement, and where its variables are.
#[derive(Clone)]
pub struct Made {
    pub compiled: Arc<Compiled>,
    pub items: Vec<Item>,
}

fn made_text(made: &Made) -> String {
    made.compiled.source().to_string()
}

pub fn statement(action: Action, text: &str, inputs: &[&Item], outputs: &[&Item]) -> Made {
    let items: Vec<Item> = inputs.iter().chain(outputs).map(|item| (*item).clone()).collect();
    let count = inputs.len() as u16;
    let statement = Statement {
        action,
        source: text.to_string(),
        text: text.to_string(),
        check: String::new(),
        variables: items.iter().map(|item| item.variable.clone()).collect(),
        inputs: (0..count).collect(),
        outputs: (count..items.len() as u16).collect(),
        isolation: None,
        read_only: false,
        is_unobserved: false,
    };
    Made { compiled: Arc::new(Compiled::new(statement, 37)), items }
}

pub fn change(text: &str, inputs: &[&Item]) -> Made {
    statement(Action::Execute { changes: true, searched: true, rows: None, atomic: true }, text, inputs, &[])
}

/// A change whose result nobody looks at.
pub fn unobserved(text: &str, inputs: &[&Item]) -> Made {
    let made = change(text, inputs);
    let statement = Statement { is_unobserved: true, ..made.compiled.statement.clone() };
    Made { compiled: Arc::new(Compiled::new(statement, 37)), ..made }
}

pub fn define(text: &str) -> Made {
    statement(Action::Execute { changes: true, searched: false, rows: None, atomic: true }, text, &[], &[])
}

pub fn select(text: &str, inputs: &[&Item], outputs: &[&Item]) -> Made {
    statement(Action::SelectInto { changes: false }, text, inputs, outputs)
}

pub fn cursor(name: &str) -> Cursor {
    Cursor {
        name: name.to_string(),
        of: CursorOf::Query,
        with_hold: false,
        scroll: Scroll::No,
        rowset: false,
        updatable: false,
        with_return: false,
        isolation: None,
    }
}

pub fn open(cursor: Cursor, text: &str, inputs: &[&Item]) -> Made {
    statement(Action::Open { cursor }, text, inputs, &[])
}

pub fn fetch(name: &str, orientation: Orientation, outputs: &[&Item]) -> Made {
    statement(Action::Fetch { cursor: name.to_string(), orientation, rows: None, descriptor: None }, "", &[], outputs)
}

pub fn fetch_rows(name: &str, orientation: Orientation, rows: i64, outputs: &[&Item]) -> Made {
    let rows = Some(Number::Literal(rows));
    statement(Action::Fetch { cursor: name.to_string(), orientation, rows, descriptor: None }, "", &[], outputs)
}

pub fn close(name: &str) -> Made {
    statement(Action::Close { cursor: name.to_string() }, "", &[], &[])
}

pub fn plain(action: Action) -> Made {
    statement(action, "", &[], &[])
}

/// Records of EBCDIC characters.
pub fn records_of(lines: &[&str]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| codepage::CCSID_037.encode(line)).collect()
}
