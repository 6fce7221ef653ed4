//! INQUIRE ASSOCIATION LIST and SET ASSOCIATION USERCORRDATA: tasks by the user correlation data of their origin.
//!
//! Rules: "INQUIRE ASSOCIATION LIST" (System Programming Reference). In a filter, `*` stands for any characters and `+` for one. No task has a
//! distinguished name or a realm.

use super::storage::{free_lists, give_lists};
use crate::control_blocks::origin::{Origin, UserCorrelation};
use crate::{Arguments, Outcome, Task, TaskShared, raise};
use exec::resp2::tasks as resp2;
use exec::{condition, option};
use std::sync::Arc;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    free_lists(task, arguments, &[option::SET]);
    let filter = arguments.bytes(option::USERCORRDATA)?.map(|bytes| arguments.code_page().text(&bytes).trim_end().to_string());
    let of_client = [option::DNAME, option::DNAMELEN, option::REALM, option::REALMLEN].into_iter().any(|option| arguments.has(option));
    let page = &task.region.code_page;
    let is_wanted = |shared: &TaskShared| match (&filter, correlation(shared)) {
        (None, _) => true,
        (Some(filter), Some(data)) => matches(filter.as_bytes(), page.text(&data[..]).trim_end().as_bytes()),
        (Some(_), None) => false,
    };
    let mut numbers = Vec::new();
    if !of_client {
        for shared in task.region.transactions().attached_tasks().into_iter().filter(|shared| is_wanted(shared)) {
            numbers.extend(crate::packed::<4>(shared.number.into()));
        }
    }
    if numbers.is_empty() {
        return raise(condition::NOTFND, resp2::NO_ASSOCIATION);
    }
    arguments.set_integer(option::LISTSIZE, (numbers.len() / size_of::<[u8; 4]>()) as i64);
    give_lists(task, arguments, [(option::SET, numbers)])
}

/// The data of the task where the work began.
fn correlation(shared: &TaskShared) -> Option<Arc<UserCorrelation>> {
    match &shared.ancestry {
        Some(ancestry) => ancestry.origin.user_correlation.clone(),
        None => Origin::of(shared).user_correlation,
    }
}

/// Only the task where the work began has data of its own.
pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if task.shared.ancestry.is_some() {
        return raise(condition::INVREQ, resp2::NOT_THE_ORIGIN);
    }
    let given = arguments.bytes(option::USERCORRDATA)?.unwrap_or_default();
    let mut data: UserCorrelation = [task.region.code_page.space(); size_of::<UserCorrelation>()];
    let length = given.len().min(data.len());
    data[..length].copy_from_slice(&given[..length]);
    *task.shared.user_correlation.lock() = Some(Arc::new(data));
    Ok(())
}

/// Whether a filter matches: tries the longest rest behind each `*` from the left.
fn matches(filter: &[u8], text: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    // The last `*`, and where in the text the rest behind it is tried.
    let mut again: Option<(usize, usize)> = None;
    while from < text.len() {
        match filter.get(at) {
            Some(b'*') => {
                again = Some((at, from));
                at += 1;
            }
            Some(wanted) if *wanted == b'+' || *wanted == text[from] => (at, from) = (at + 1, from + 1),
            _ => match &mut again {
                Some((star, tried)) => {
                    *tried += 1;
                    (at, from) = (*star + 1, *tried);
                }
                None => return false,
            },
        }
    }
    filter[at..].iter().all(|left| *left == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn filters_have_asterisks_and_plus_signs() {
        for (filter, text, expected) in [
            ("ABC", "ABC", true),
            ("ABC", "ABCD", false),
            ("A*", "ABCD", true),
            ("*D", "ABCD", true),
            ("*B*D*", "ABCD", true),
            ("A+C", "ABC", true),
            ("A+", "A", false),
            ("*AB", "AAB", true),
            ("*", "", true),
            ("", "", true),
            ("", "A", false),
        ] {
            assert_eq!(matches(filter.as_bytes(), text.as_bytes()), expected, "{filter} {text}");
        }
    }
}
