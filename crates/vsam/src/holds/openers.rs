//! SHAREOPTIONS: which users may have a data set open together.
//!
//! The users of a store are one region, and the jobs run beside it in the same process; a region's files share one set of control blocks
//! and count as one user. Rules, by the cross-region option: 1: any number of readers, or one user that writes; 2: one user that writes and
//! any number of readers; 3 and 4: the users are responsible for integrity. Invariant: an opener is listed from its open to the drop of its
//! file.

use parking_lot::Mutex;

/// The user that opens a data set, and whether to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The region is 0, every job has its own number.
    pub user: u32,
    pub output: bool,
}

/// The openers of a sphere.
#[derive(Default)]
pub(crate) struct Openers(Mutex<Vec<Opener>>);

impl Openers {
    /// Lists an opener if the option allows it together with the others.
    pub(crate) fn admit(&self, opener: Opener, cross_region: u32) -> bool {
        let mut openers = self.0.lock();
        let mut others = openers.iter().filter(|other| other.user != opener.user);
        let refused = match cross_region {
            1 => others.any(|other| opener.output || other.output),
            2 => opener.output && others.any(|other| other.output),
            _ => false,
        };
        if !refused {
            openers.push(opener);
        }
        !refused
    }

    pub(crate) fn leave(&self, opener: Opener) {
        let mut openers = self.0.lock();
        let at = openers.iter().position(|other| *other == opener);
        debug_assert!(at.is_some(), "an opener leaves that was not admitted");
        if let Some(at) = at {
            openers.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_options_as_documented() {
        let (reads, writes) = (|user| Opener { user, output: false }, |user| Opener { user, output: true });
        // Option, present user, new user, allowed.
        let cases = [
            (1, reads(1), reads(2), true),
            (1, reads(1), writes(2), false),
            (1, writes(1), reads(2), false),
            (1, writes(1), writes(1), true),
            (2, reads(1), writes(2), true),
            (2, writes(1), reads(2), true),
            (2, writes(1), writes(2), false),
            (3, writes(1), writes(2), true),
            (4, writes(1), writes(2), true),
        ];
        for (option, first, second, allowed) in cases {
            let openers = Openers::default();
            assert!(openers.admit(first, option));
            assert_eq!(openers.admit(second, option), allowed, "{option} {first:?} {second:?}");
            openers.leave(first);
            assert!(openers.admit(second, option));
        }
    }
}
