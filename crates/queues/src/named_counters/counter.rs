//! One named counter: its numbers, the effect of GET, UPDATE and REWIND on them, and its record in the store.
//!
//! Invariants: `minimum <= maximum`; `current` is from `minimum` to `maximum + 1`; at `maximum + 1` every number has been assigned and the
//! counter is at its limit. The limit has its own value even when `maximum` is the highest doubleword: see [`Counter::new`].

/// The numbers of a counter are unsigned doublewords, and its limit may be one more.
type Wide = u128;

/// Doubleword values that a counter may not use: one is its limit, the other distinguishes a counter at its limit from a new one ("DEFINE
/// DCOUNTER", MAXIMUM).
const RESERVED_VALUES: Wide = 2;
const DOUBLEWORD_VALUES: Wide = 1 << 64;

const VERSION: u8 = 1;
/// Version, then current, minimum and maximum.
const LENGTH: usize = 1 + 16 + 8 + 8;

/// Why a request is refused; the codes of the named counter server are in `exec::resp2::named_counters`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The maximum has been assigned, or the remaining range is smaller than the increment.
    AtLimit,
    /// REWIND of a counter that is not at its limit.
    NotAtLimit,
    /// The current value is outside COMPAREMIN and COMPAREMAX.
    OutOfRange,
    /// A new value outside minimum to maximum + 1.
    Value,
    /// An increment greater than the number of values.
    Increment,
    /// A minimum above the maximum.
    Bounds,
}

/// COMPAREMIN and COMPAREMAX.
#[derive(Clone, Copy, Default)]
pub struct Comparison {
    pub minimum: Option<u64>,
    pub maximum: Option<u64>,
}

impl Comparison {
    /// A minimum above the maximum selects the values outside: one of the comparisons is enough.
    fn accepts(self, value: Wide) -> bool {
        let above = self.minimum.is_none_or(|minimum| value >= Wide::from(minimum));
        let below = self.maximum.is_none_or(|maximum| value <= Wide::from(maximum));
        match (self.minimum, self.maximum) {
            (Some(minimum), Some(maximum)) if minimum > maximum => above || below,
            _ => above && below,
        }
    }
}

/// The request of GET.
#[derive(Clone, Copy, Default)]
pub struct Request {
    /// 1 if not given.
    pub increment: Option<u64>,
    /// A rest shorter than the increment is given instead.
    pub reduce: bool,
    /// A counter that cannot supply the increment restarts at its minimum.
    pub wrap: bool,
    pub comparison: Comparison,
}

const DEFAULT_INCREMENT: u64 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    current: Wide,
    minimum: u64,
    maximum: u64,
}

impl Counter {
    /// A maximum that leaves fewer than the reserved values of a doubleword unused is lowered until it does.
    pub fn new(value: u64, minimum: u64, maximum: u64) -> Result<Counter, Refusal> {
        if minimum > maximum {
            return Err(Refusal::Bounds);
        }
        let values_max = DOUBLEWORD_VALUES - RESERVED_VALUES;
        let maximum = Wide::from(maximum).min(Wide::from(minimum) + values_max - 1) as u64;
        let counter = Counter { current: value.into(), minimum, maximum };
        if counter.may_be(value) { Ok(counter) } else { Err(Refusal::Value) }
    }

    pub fn minimum(&self) -> u64 {
        self.minimum
    }

    pub fn maximum(&self) -> u64 {
        self.maximum
    }

    /// The next number to be assigned; at the limit the maximum plus 1, as a doubleword.
    pub fn current(&self) -> u64 {
        self.current as u64
    }

    fn limit(&self) -> Wide {
        Wide::from(self.maximum) + 1
    }

    fn values(&self) -> Wide {
        self.limit() - Wide::from(self.minimum)
    }

    fn may_be(&self, value: u64) -> bool {
        (Wide::from(self.minimum)..=self.limit()).contains(&Wide::from(value))
    }

    fn increment(&self, given: Option<u64>) -> Result<Wide, Refusal> {
        let increment = Wide::from(given.unwrap_or(DEFAULT_INCREMENT));
        if increment > self.values() { Err(Refusal::Increment) } else { Ok(increment) }
    }

    /// Assigns the current number, and with an increment those after it.
    pub fn get(&mut self, request: &Request) -> Result<u64, Refusal> {
        let increment = self.increment(request.increment)?;
        let rest = self.limit() - self.current;
        let fits = rest > 0 && (increment <= rest || request.reduce);
        let number = match fits {
            true => self.current,
            false if request.wrap => self.minimum.into(),
            false => return Err(Refusal::AtLimit),
        };
        if !request.comparison.accepts(number) {
            return Err(Refusal::OutOfRange);
        }
        self.current = (number + increment).min(self.limit());
        debug_assert!(number <= self.maximum.into() && self.current <= self.limit(), "{number} of {self:?}");
        Ok(number as u64)
    }

    pub fn update(&mut self, value: u64, comparison: Comparison) -> Result<(), Refusal> {
        if !self.may_be(value) {
            return Err(Refusal::Value);
        }
        if !comparison.accepts(self.current) {
            return Err(Refusal::OutOfRange);
        }
        self.current = value.into();
        Ok(())
    }

    /// Back to the minimum, if a GET with this increment would find the counter at its limit.
    pub fn rewind(&mut self, increment: Option<u64>) -> Result<(), Refusal> {
        let increment = self.increment(increment)?.max(DEFAULT_INCREMENT.into());
        if increment <= self.limit() - self.current {
            return Err(Refusal::NotAtLimit);
        }
        self.current = self.minimum.into();
        Ok(())
    }

    /// The record in the store, big endian: version 1, current 16, minimum 8, maximum 8.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.current.to_be_bytes());
        bytes.extend(self.minimum.to_be_bytes());
        bytes.extend(self.maximum.to_be_bytes());
        debug_assert_eq!(bytes.len(), LENGTH);
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<Counter> {
        let (&[VERSION], bytes) = bytes.split_first_chunk()? else { return None };
        let (current, bytes) = bytes.split_first_chunk()?;
        let (minimum, bytes) = bytes.split_first_chunk()?;
        let counter = Counter {
            current: Wide::from_be_bytes(*current),
            minimum: u64::from_be_bytes(*minimum),
            maximum: u64::from_be_bytes(bytes.try_into().ok()?),
        };
        let sound = counter.minimum <= counter.maximum && (Wide::from(counter.minimum)..=counter.limit()).contains(&counter.current);
        sound.then_some(counter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(value: u64, minimum: u64, maximum: u64) -> Counter {
        Counter::new(value, minimum, maximum).unwrap()
    }

    fn get(counter: &mut Counter, increment: u64, reduce: bool, wrap: bool) -> Result<u64, Refusal> {
        counter.get(&Request { increment: Some(increment), reduce, wrap, comparison: Comparison::default() })
    }

    #[test]
    fn numbers_are_assigned_up_to_the_maximum() {
        let mut three = counter(1, 1, 3);
        let numbers: Vec<_> = (0..4).map(|_| three.get(&Request::default())).collect();
        assert_eq!(numbers, [Ok(1), Ok(2), Ok(3), Err(Refusal::AtLimit)]);
        assert_eq!(three.current(), 4);
        assert_eq!(get(&mut three, 1, true, false), Err(Refusal::AtLimit), "REDUCE has no effect at the limit");
        assert_eq!(get(&mut three, 1, true, true), Ok(1), "WRAP is obeyed at the limit");
        assert_eq!(three.current(), 2);
    }

    #[test]
    fn a_rest_shorter_than_the_increment_is_reduced_before_it_is_wrapped() {
        let at = |current| counter(current, 0, 99);
        assert_eq!((get(&mut at(50), 50, false, false), get(&mut at(51), 50, false, false)), (Ok(50), Err(Refusal::AtLimit)));
        let mut reduced = at(51);
        assert_eq!(get(&mut reduced, 50, true, true), Ok(51));
        assert_eq!(reduced.current(), 100);
        let mut wrapped = at(51);
        assert_eq!(get(&mut wrapped, 50, false, true), Ok(0));
        assert_eq!(wrapped.current(), 50);
        assert_eq!((get(&mut at(0), 100, false, false), get(&mut at(0), 101, true, true)), (Ok(0), Err(Refusal::Increment)));
    }

    #[test]
    fn comparisons_look_at_the_number_to_be_assigned() {
        let compared = |current, minimum, maximum| {
            let comparison = Comparison { minimum, maximum };
            counter(current, 0, 99).get(&Request { comparison, ..Request::default() }).is_ok()
        };
        let between: Vec<bool> = [9, 10, 20, 21].map(|current| compared(current, Some(10), Some(20))).into();
        assert_eq!(between, [false, true, true, false]);
        let outside: Vec<bool> = [10, 11, 19, 20].map(|current| compared(current, Some(20), Some(10))).into();
        assert_eq!(outside, [true, false, false, true]);
        assert_eq!((compared(9, Some(10), None), compared(10, Some(10), None)), (false, true));
        assert_eq!((compared(20, None, Some(20)), compared(21, None, Some(20))), (true, false));
        let mut last = counter(100, 0, 99);
        let comparison = Comparison { minimum: None, maximum: Some(0) };
        assert_eq!(last.get(&Request { wrap: true, comparison, ..Request::default() }), Ok(0), "the number after the wrap counts");
    }

    #[test]
    fn a_value_may_be_from_the_minimum_to_one_more_than_the_maximum() {
        let made: Vec<bool> = [9, 10, 21, 22].map(|value| Counter::new(value, 10, 20).is_ok()).into();
        assert_eq!(made, [false, true, true, false]);
        assert_eq!(Counter::new(1, 1, 0), Err(Refusal::Bounds));
        let mut counter = counter(15, 10, 20);
        let updated: Vec<bool> = [9, 10, 21, 22].map(|value| counter.update(value, Comparison::default()).is_ok()).into();
        assert_eq!(updated, [false, true, true, false]);
        assert_eq!(counter.update(10, Comparison { minimum: None, maximum: Some(20) }), Err(Refusal::OutOfRange));
        assert_eq!(counter.current(), 21, "a refused update changes nothing");
    }

    #[test]
    fn a_rewind_needs_a_counter_at_its_limit() {
        let mut counter = counter(18, 10, 20);
        assert_eq!((counter.rewind(None), counter.rewind(Some(3))), (Err(Refusal::NotAtLimit), Err(Refusal::NotAtLimit)));
        assert_eq!(counter.rewind(Some(12)), Err(Refusal::Increment));
        assert_eq!(counter.rewind(Some(4)), Ok(()));
        assert_eq!(counter.current(), 10);
        counter.update(21, Comparison::default()).unwrap();
        assert_eq!(counter.rewind(None), Ok(()));
    }

    #[test]
    fn two_doubleword_values_stay_unused() {
        let maximum = |minimum| counter(minimum, minimum, u64::MAX).maximum();
        assert_eq!([0, 1, 2].map(maximum), [u64::MAX - 2, u64::MAX - 1, u64::MAX]);
        assert_eq!(counter(0, 0, u64::MAX - 2).maximum(), u64::MAX - 2);
        let mut last = counter(u64::MAX, 2, u64::MAX);
        assert_eq!((last.get(&Request::default()), last.get(&Request::default())), (Ok(u64::MAX), Err(Refusal::AtLimit)));
        assert_eq!(Counter::decode(&last.encode()), Some(last), "at its limit it stays there");
    }

    #[test]
    fn a_counter_record_round_trips() {
        let counter = counter(15, 10, 20);
        let bytes = counter.encode();
        assert_eq!(Counter::decode(&bytes), Some(counter));
        assert_eq!(Counter::decode(&bytes[..LENGTH - 1]), None);
    }
}
