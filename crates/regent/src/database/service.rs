//! EXEC SQL of batch programs: one thread, whose unit of work the program ends itself, or the end of the program does.

use db2::{BindOptions, Context, Locations, Rules, Thread};
use kernel::Departure;
use kernel::name::Name8;
use postgres::ThreadWait;
use program::batch::SqlService;
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::units::Units;
use super::{Database, Surroundings};

/// A thread that the command and the host of the program share.
#[derive(Clone)]
pub struct BatchSql {
    thread: Rc<RefCell<Thread>>,
    units: Rc<Units>,
    bind: Arc<BindOptions>,
    plan: Name8,
    user: Name8,
}

impl BatchSql {
    /// `surroundings`: the further databases, which the program may CONNECT to.
    pub fn connect(database: &Database, schema: &str, plan: &str, surroundings: Option<Surroundings>) -> Result<BatchSql, String> {
        let thread = Thread::connect(&database.config, &mut ThreadWait);
        let thread = thread.map_err(|failure| format!("database {}: {failure}", database.config.place()))?;
        let user = std::env::var("USER").unwrap_or_default().to_uppercase();
        Ok(BatchSql {
            thread: Rc::new(RefCell::new(thread)),
            units: Rc::new(Units::new(&database.config, schema, surroundings)),
            bind: Arc::new(database.bind_options(schema)),
            plan: Name8::new(plan),
            user: Name8::new(&user.chars().take(8).collect::<String>()),
        })
    }

    /// The end of the program: what it has not committed is committed if it ended normally.
    pub fn end(&self, is_normal: bool) -> Result<(), String> {
        let mut thread = self.thread.borrow_mut();
        let ended = match is_normal {
            true => self.commit(&mut thread),
            false => thread.rollback(&mut ThreadWait).map_err(|_| "the session was lost; the database has rolled back".to_string()),
        };
        let forgotten = self.units.end();
        let closed = self.units.close();
        ended.and(forgotten).and(closed)
    }

    fn commit(&self, thread: &mut Thread) -> Result<(), String> {
        let failed = |failure: db2::CommitFailure| format!("the implicit COMMIT at the end of the program failed: {failure}");
        if !thread.has_parts(false) {
            return thread.commit(None, &mut ThreadWait).map_err(failed);
        }
        let marker = self.units.next_unit().ok_or("a batch program names its units of work")?;
        let done = thread.commit_alone(&marker, &mut ThreadWait);
        self.units.unit_ended(thread.report());
        done.map_err(failed)
    }
}

impl SqlService for BatchSql {
    fn execute(&mut self, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
        let mut wait = ThreadWait;
        let mut context = Context {
            wait: &mut wait,
            rules: Rules::Batch,
            plan: self.plan,
            authorization_id: self.user,
            rolls_back_deadlock: true,
            bind: &self.bind,
            locations: &*self.units,
        };
        self.thread.borrow_mut().execute(frame, request, &mut context)
    }
}
