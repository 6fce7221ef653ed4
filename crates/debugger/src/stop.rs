//! A stopped task: it waits for orders, and carries them out itself.
//!
//! The thread of a client never touches a task. It gives work to the stopped task and waits for the answer, so all storage is read and
//! changed by the task that owns it, between two of its statements.
//!
//! Invariants: work is done only while the task is stopped; a task that goes on, is purged or ends drops what is left of its work, whose
//! sender is then told; a stopped task is suspended, so other tasks run, QR included.

use crate::follow::Pace;
use crate::place::Entry;
use kernel::{Resumed, Wait};
use parking_lot::Mutex;
use region::Task;
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// What a client waits for the answer of a stopped task: it has to get a processor, and perhaps QR.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);

/// A task while it is stopped.
pub struct View<'a> {
    pub task: &'a mut Task,
    /// Innermost first.
    pub entries: &'a [Entry],
}

pub type Work = Box<dyn FnOnce(&mut View) + Send>;

/// What a stopped task is to do.
pub enum Order {
    Work(Work),
    Go(Pace),
    /// The task ends by an abend.
    End,
}

/// Where the orders for a task are put.
#[derive(Default)]
pub struct Desk {
    orders: Mutex<Orders>,
    bell: kernel::Ecb,
}

#[derive(Default)]
struct Orders {
    is_open: bool,
    waiting: VecDeque<Order>,
}

impl Desk {
    pub fn is_open(&self) -> bool {
        self.orders.lock().is_open
    }

    /// The task has stopped.
    pub fn open(&self) {
        *self.orders.lock() = Orders { is_open: true, waiting: VecDeque::new() };
    }

    /// The task goes on.
    pub fn close(&self) {
        let left = std::mem::take(&mut *self.orders.lock());
        drop(left);
    }

    /// False if the task is not stopped.
    pub fn order(&self, order: Order) -> bool {
        let mut orders = self.orders.lock();
        if !orders.is_open {
            return false;
        }
        orders.waiting.push_back(order);
        drop(orders);
        self.bell.post(0);
        true
    }

    /// The next order for the task, which is suspended until there is one; `None` if the task was purged meanwhile.
    pub fn wait(&self, task: &Task) -> Option<Order> {
        let wait = Wait::new("DEBUGGER").named(region::name::resized(&task.program_name()));
        loop {
            // Before the list is looked at: an order that comes now rings the bell again.
            self.bell.reset();
            if let Some(order) = self.orders.lock().waiting.pop_front() {
                return Some(order);
            }
            if let Resumed::Purged(_) = task.kernel.wait_ecb(&self.bell, &wait) {
                return None;
            }
        }
    }

    /// Lets the stopped task do work, and waits for its answer.
    pub fn ask<R: Send + 'static>(&self, work: impl FnOnce(&mut View) -> R + Send + 'static) -> Result<R, String> {
        let (answer, answers) = sync_channel(1);
        let order = Order::Work(Box::new(move |view: &mut View| {
            // Nobody listens any more if the client has given up.
            let _ = answer.send(work(view));
        }));
        if !self.order(order) {
            return Err("the task is not stopped".to_string());
        }
        answers.recv_timeout(ANSWER_TIME_MAX).map_err(|error| match error {
            RecvTimeoutError::Disconnected => "the task has gone on".to_string(),
            RecvTimeoutError::Timeout => "the task does not answer: the region is too busy".to_string(),
        })
    }
}
