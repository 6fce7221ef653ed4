//! The freed elements of an arena by class, with memory only for the classes that have had any: most tasks free elements of few sizes.
//!
//! Invariant: `lists` has a list for each class in `known`, in their order; those in `filled` are not empty, and no others.

/// Most classes.
pub(super) const CLASSES: usize = u128::BITS as usize;

#[derive(Debug, Default)]
pub(super) struct FreeLists {
    lists: Vec<Vec<usize>>,
    known: u128,
    filled: u128,
}

impl FreeLists {
    pub fn is_empty(&self) -> bool {
        self.filled == 0
    }

    #[inline]
    fn place(&self, class: usize) -> usize {
        debug_assert!(class < CLASSES);
        (self.known & ((1 << class) - 1)).count_ones() as usize
    }

    /// The element of the class that was freed last.
    #[inline]
    pub fn pop(&mut self, class: usize) -> Option<usize> {
        let bit = 1 << class;
        if self.filled & bit == 0 {
            return None;
        }
        let place = self.place(class);
        let list = &mut self.lists[place];
        let address = list.pop();
        if list.is_empty() {
            self.filled &= !bit;
        }
        address
    }

    #[inline]
    pub fn push(&mut self, class: usize, address: usize) {
        let (bit, place) = (1 << class, self.place(class));
        if self.known & bit == 0 {
            self.lists.insert(place, Vec::new());
            self.known |= bit;
        }
        self.lists[place].push(address);
        self.filled |= bit;
    }

    /// Forgets all elements; the memory of the lists stays.
    pub fn clear(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_by_class_the_last_one_first() {
        let mut lists = FreeLists::default();
        for (class, address) in [(5, 50), (CLASSES - 1, 127), (0, 1), (5, 51), (2, 20)] {
            lists.push(class, address);
        }
        assert_eq!(
            [5, 5, 5, 0, 2, CLASSES - 1, 1].map(|class| lists.pop(class)),
            [Some(51), Some(50), None, Some(1), Some(20), Some(127), None]
        );
        assert!(lists.is_empty());
        lists.push(3, 30);
        lists.clear();
        assert!(lists.is_empty() && lists.pop(3).is_none());
    }
}
