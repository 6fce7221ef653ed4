//! DEFINE, DELETE, GET, QUERY, REWIND and UPDATE of COUNTER and DCOUNTER.
//!
//! All numbers are kept as unsigned doublewords. COUNTER passes fullwords: input is taken as 32 bits, and a number that is not a positive
//! fullword is returned as its low-order 32 bits with LENGERR, after the request has been carried out.

use super::counter::{Comparison, Counter, Request};
use super::{CounterName, check_name, pool};
use exec::resp2::named_counters as resp2;
use exec::{CommandId, OptionId, command, condition, option};
use region::name::Name16;
use region::{Arguments, Handler, Outcome, Raised, Task, raise};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::DEFINE_COUNTER, define),
        (command::DEFINE_DCOUNTER, define),
        (command::DELETE_COUNTER, delete),
        (command::DELETE_DCOUNTER, delete),
        (command::GET_COUNTER, get),
        (command::GET_DCOUNTER, get),
        (command::QUERY_COUNTER, query),
        (command::QUERY_DCOUNTER, query),
        (command::REWIND_COUNTER, rewind),
        (command::REWIND_DCOUNTER, rewind),
        (command::UPDATE_COUNTER, update),
        (command::UPDATE_DCOUNTER, update),
    ]
}

/// How the numbers of a command are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Fullword,
    Doubleword,
}

impl Width {
    fn of(arguments: &Arguments) -> Width {
        if arguments.has(option::DCOUNTER) { Width::Doubleword } else { Width::Fullword }
    }

    /// MAXIMUM of a DEFINE without it.
    fn highest(self) -> u64 {
        match self {
            Width::Fullword => i32::MAX as u64,
            Width::Doubleword => u64::MAX,
        }
    }

    fn number(self, arguments: &Arguments, option: OptionId) -> Option<u64> {
        let number = arguments.integer(option)?;
        Some(match self {
            Width::Fullword => u64::from(number as u32),
            Width::Doubleword => number as u64,
        })
    }

    /// Gives a number to the program.
    fn give(self, arguments: &mut Arguments, option: OptionId, number: u64) {
        let passed = match self {
            Width::Fullword => i64::from(number as i32),
            Width::Doubleword => number as i64,
        };
        arguments.set_integer(option, passed);
    }

    /// RESP2 of LENGERR for a number given ("Return codes" of the call interface).
    fn overflow(self, number: u64) -> i32 {
        match (self, number >> 32) {
            (Width::Doubleword, _) => resp2::NONE,
            (Width::Fullword, 0) if number > self.highest() => resp2::SIGN_BIT,
            (Width::Fullword, 0) => resp2::NONE,
            (Width::Fullword, 1) => resp2::ONE_BIT_LOST,
            (Width::Fullword, _) => resp2::MORE_BITS_LOST,
        }
    }
}

/// LENGERR for the number among these that lost most.
fn warn_of_overflow(width: Width, numbers: impl IntoIterator<Item = u64>) -> Outcome {
    match numbers.into_iter().map(|number| width.overflow(number)).max() {
        None | Some(resp2::NONE) => Ok(()),
        Some(code) => raise(condition::LENGERR, code),
    }
}

/// The counter a command names.
fn counter_name(task: &Task, arguments: &Arguments) -> Result<CounterName, Raised> {
    let option = if arguments.has(option::DCOUNTER) { option::DCOUNTER } else { option::COUNTER };
    let name: Name16 = arguments.name(option)?.unwrap_or_default();
    let pool = pool(task.region, arguments.name(option::POOL)?.unwrap_or_default())?;
    check_name(name)?;
    Ok(CounterName { pool, name })
}

fn comparison(width: Width, arguments: &Arguments) -> Comparison {
    Comparison { minimum: width.number(arguments, option::COMPAREMIN), maximum: width.number(arguments, option::COMPAREMAX) }
}

/// Changes a counter that must be there.
fn change<T>(task: &Task, of: CounterName, change: impl FnOnce(&mut Counter) -> Result<T, super::Refusal>) -> Result<T, Raised> {
    super::change_named_counter(task, of, |present| {
        let mut counter = present.ok_or(Raised::new(condition::INVREQ, resp2::NOT_FOUND))?;
        let answer = change(&mut counter)?;
        Ok((Some(counter), answer))
    })
}

fn define(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let width = Width::of(arguments);
    let of = counter_name(task, arguments)?;
    let minimum = width.number(arguments, option::MINIMUM).unwrap_or(0);
    let maximum = width.number(arguments, option::MAXIMUM).unwrap_or(width.highest());
    let value = width.number(arguments, option::VALUE).unwrap_or(minimum);
    let counter = Counter::new(value, minimum, maximum)?;
    super::change_named_counter(task, of, |present| match present {
        Some(_) => raise(condition::INVREQ, resp2::DUPLICATE),
        None => Ok((Some(counter), ())),
    })
}

fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let of = counter_name(task, arguments)?;
    super::change_named_counter(task, of, |present| match present {
        Some(_) => Ok((None, ())),
        None => raise(condition::INVREQ, resp2::NOT_FOUND),
    })
}

fn get(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.named_counter_gets += 1;
    let width = Width::of(arguments);
    let of = counter_name(task, arguments)?;
    let request = Request {
        increment: width.number(arguments, option::INCREMENT),
        reduce: arguments.has(option::REDUCE),
        wrap: arguments.has(option::WRAP),
        comparison: comparison(width, arguments),
    };
    let number = change(task, of, |counter| counter.get(&request))?;
    width.give(arguments, option::VALUE, number);
    warn_of_overflow(width, [number])
}

fn query(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let width = Width::of(arguments);
    let of = counter_name(task, arguments)?;
    let counter = super::named_counter(task, of)?;
    let numbers = [(option::VALUE, counter.current()), (option::MINIMUM, counter.minimum()), (option::MAXIMUM, counter.maximum())];
    let wanted = numbers.map(|(option, number)| if arguments.has(option) { number } else { 0 });
    for (option, number) in numbers {
        width.give(arguments, option, number);
    }
    warn_of_overflow(width, wanted)
}

fn rewind(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let of = counter_name(task, arguments)?;
    let increment = Width::of(arguments).number(arguments, option::INCREMENT);
    change(task, of, |counter| counter.rewind(increment))
}

fn update(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let width = Width::of(arguments);
    let of = counter_name(task, arguments)?;
    let value = width.number(arguments, option::VALUE).unwrap_or(0);
    let comparison = comparison(width, arguments);
    change(task, of, |counter| counter.update(value, comparison))
}
