//! A model of the buffers and strings of the queue data sets (DFHTEMP, DFHINTRA): the part shared by the control interval models of both
//! domains.
//!
//! * `buffers` the control intervals in buffers, and when they are written and read;
//! * `strings` the number of concurrent input and output operations.
//!
//! Invariant: a request that does input or output holds one string and its buffer, from `begin` until its `Transfer` is dropped.

mod buffers;
mod strings;

pub use buffers::Buffers;
pub use strings::Strings;

use parking_lot::Mutex;

/// A model of a data set of queues.
pub trait Modelled {
    fn parts(&mut self) -> (&mut Buffers, &mut Strings);
}

/// The input or output of a request: it holds its string and its buffer until this is dropped.
pub struct Transfer<'a, M: Modelled> {
    of: &'a Mutex<M>,
    interval: u32,
    waited: bool,
}

impl<'a, M: Modelled> Transfer<'a, M> {
    /// The end of a request on the model, with the interval that needs input or output, if any.
    pub fn begin(of: &'a Mutex<M>, model: &mut M, interval: Option<u32>) -> Option<Transfer<'a, M>> {
        let (buffers, strings) = model.parts();
        let waited = buffers.take_met_held();
        let interval = interval?;
        strings.begin();
        buffers.hold(interval, waited);
        Some(Transfer { of, interval, waited })
    }
}

impl<M: Modelled> Drop for Transfer<'_, M> {
    fn drop(&mut self) {
        let mut model = self.of.lock();
        let (buffers, strings) = model.parts();
        strings.end();
        buffers.let_go(self.interval, self.waited);
    }
}
