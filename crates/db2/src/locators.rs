//! LOB locators: handles of values that the program has not copied to its storage. A value lives until the unit of work ends, the program
//! frees its locator, or, if it holds the locator, until the thread is used by another.

use rustc_hash::FxHashMap;

/// The locators of one thread.
#[derive(Default, Debug)]
pub struct Locators {
    values: FxHashMap<i32, Held>,
    last: i32,
}

#[derive(Debug)]
struct Held {
    content: Vec<u8>,
    beyond_commit: bool,
}

impl Locators {
    /// The handle of a copy of this value, in the server's format.
    pub fn add(&mut self, content: &[u8]) -> i32 {
        self.last += 1;
        self.values.insert(self.last, Held { content: content.to_vec(), beyond_commit: false });
        self.last
    }

    /// The value of a locator in the storage of a program.
    pub fn content(&self, handle: &[u8]) -> Option<&[u8]> {
        Some(&self.values.get(&handle_of(handle)?)?.content)
    }

    /// False: there is no such locator.
    pub fn free(&mut self, handle: &[u8]) -> bool {
        handle_of(handle).is_some_and(|handle| self.values.remove(&handle).is_some())
    }

    pub fn hold(&mut self, handle: &[u8]) -> bool {
        let held = handle_of(handle).and_then(|handle| self.values.get_mut(&handle));
        held.map(|held| held.beyond_commit = true).is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn unit_ended(&mut self, committed: bool) {
        if !self.values.is_empty() {
            self.values.retain(|_, held| committed && held.beyond_commit);
        }
    }
}

fn handle_of(bytes: &[u8]) -> Option<i32> {
    Some(i32::from_be_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locator_ends_with_its_unit_of_work_unless_it_is_held() {
        let mut locators = Locators::default();
        let (first, second) = (locators.add(b"first").to_be_bytes(), locators.add(b"second").to_be_bytes());
        assert_eq!(locators.content(&first), Some(&b"first"[..]));
        assert!(locators.hold(&second));
        locators.unit_ended(true);
        assert_eq!((locators.content(&first), locators.content(&second)), (None, Some(&b"second"[..])));
        assert!(locators.free(&second) && !locators.free(&second));
    }
}
