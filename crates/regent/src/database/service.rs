//! EXEC SQL of batch programs: one thread, whose unit of work the program ends itself, or the end of the program does.

use db2::{BindOptions, Context, Rules, Thread};
use kernel::Departure;
use kernel::name::Name8;
use postgres::ThreadWait;
use program::batch::SqlService;
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use std::cell::RefCell;
use std::rc::Rc;

use super::Database;

/// A thread that the command and the host of the program share.
#[derive(Clone)]
pub struct BatchSql {
    thread: Rc<RefCell<Thread>>,
    bind: Rc<BindOptions>,
    plan: Name8,
    user: Name8,
}

impl BatchSql {
    pub fn connect(database: &Database, schema: &str, plan: &str) -> Result<BatchSql, String> {
        let thread = Thread::connect(&database.config, &mut ThreadWait);
        let thread = thread.map_err(|failure| format!("database {}: {failure}", database.config.place()))?;
        let user = std::env::var("USER").unwrap_or_default().to_uppercase();
        Ok(BatchSql {
            thread: Rc::new(RefCell::new(thread)),
            bind: Rc::new(database.bind_options(schema)),
            plan: Name8::new(plan),
            user: Name8::new(&user.chars().take(8).collect::<String>()),
        })
    }

    /// The end of the program: what it has not committed is committed if it ended normally.
    pub fn end(&self, is_normal: bool) -> Result<(), String> {
        let mut thread = self.thread.borrow_mut();
        match is_normal {
            true => thread.commit(None, &mut ThreadWait).map_err(|failure| format!("the implicit COMMIT failed: {failure:?}")),
            false => thread.rollback(&mut ThreadWait).map_err(|_| "the session was lost; the database has rolled back".to_string()),
        }
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
        };
        self.thread.borrow_mut().execute(frame, request, &mut context)
    }
}
