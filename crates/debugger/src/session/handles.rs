//! The numbers by which a client names frames and variables of stopped tasks.
//!
//! Invariants: a number is given once and never again in a session; the numbers of a task are void when it goes on; there are at most
//! [`HANDLES_MAX`] at a time, and a client that asks for more is told so.

use crate::variables::Inside;
use rustc_hash::FxHashMap;

const HANDLES_MAX: usize = 200_000;

#[derive(Clone, Debug)]
pub enum Handle {
    /// Index of the entry.
    Frame(usize),
    Variables(Inside),
}

#[derive(Default)]
pub struct Handles {
    last: u64,
    known: FxHashMap<u64, (u32, Handle)>,
}

impl Handles {
    pub fn add(&mut self, task: u32, handle: Handle) -> Result<u64, String> {
        if self.known.len() >= HANDLES_MAX {
            return Err(format!("more than {HANDLES_MAX} frames and variables are open"));
        }
        self.last += 1;
        self.known.insert(self.last, (task, handle));
        Ok(self.last)
    }

    /// The task and entry of a frame.
    pub fn frame(&self, number: u64) -> Result<(u32, usize), String> {
        match self.known.get(&number) {
            Some((task, Handle::Frame(entry))) => Ok((*task, *entry)),
            _ => Err(format!("there is no frame {number}: its task has gone on")),
        }
    }

    pub fn variables(&self, number: u64) -> Result<(u32, Inside), String> {
        match self.known.get(&number) {
            Some((task, Handle::Variables(inside))) => Ok((*task, inside.clone())),
            _ => Err(format!("there are no variables {number}: their task has gone on")),
        }
    }

    pub fn forget(&mut self, task: u32) {
        self.known.retain(|_, (of, _)| *of != task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_void_when_their_task_goes_on_and_are_not_given_again() {
        let mut handles = Handles::default();
        let (one, other) = (handles.add(1, Handle::Frame(3)).unwrap(), handles.add(2, Handle::Variables(Inside::Task)).unwrap());
        assert_eq!(handles.frame(one), Ok((1, 3)));
        assert!(handles.frame(other).is_err() && handles.variables(other).is_ok() && handles.variables(one).is_err());
        handles.forget(1);
        assert!(handles.frame(one).is_err() && handles.variables(other).is_ok());
        assert!(![one, other].contains(&handles.add(1, Handle::Frame(0)).unwrap()));
    }

    #[test]
    fn there_are_no_more_handles_than_allowed() {
        let mut handles = Handles::default();
        (0..HANDLES_MAX).for_each(|_| assert!(handles.add(1, Handle::Frame(0)).is_ok()));
        assert!(handles.add(1, Handle::Frame(0)).is_err());
    }
}
