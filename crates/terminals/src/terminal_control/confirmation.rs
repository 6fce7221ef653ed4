//! Responses of clients to output (MSGINTEG of a profile, DEFRESP): a task waits for the one to the record that it has sent.

use super::display::DisplayTerminal;
use super::state::Confirmation;
use kernel::Waker;

impl DisplayTerminal {
    /// The next response of the client resumes this task; `None`: no response is awaited any more.
    pub(super) fn await_confirmation(&self, waiter: Option<Waker>) {
        self.state.lock().confirmation = waiter.map_or(Confirmation::None, Confirmation::Awaited);
    }

    /// The response, if it has come: whether it is positive.
    pub(super) fn confirmed(&self) -> Option<bool> {
        match self.state.lock().confirmation {
            Confirmation::Given(positive) => Some(positive),
            Confirmation::None | Confirmation::Awaited(_) => None,
        }
    }

    /// The client has responded to an output.
    pub(super) fn responded(&self, positive: bool) {
        let mut state = self.state.lock();
        if let Confirmation::Awaited(waiter) = std::mem::replace(&mut state.confirmation, Confirmation::None) {
            state.confirmation = Confirmation::Given(positive);
            drop(state);
            waiter.resume();
        }
    }
}
