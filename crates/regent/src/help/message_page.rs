//! The page of a message of the region, found by its identifier, and the list of the messages whose identifiers begin alike.

use region::messages::{Row, table};
use supplied::codes;

use super::page::Page;

/// The letters that the identifiers of all messages begin with.
pub const PREFIX: &str = "DFH";

pub fn page(word: &str) -> Option<Page> {
    if let Some((id, row)) = table().get_key_value(word) {
        return Some(of_message(id, row));
    }
    let alike: Vec<Vec<String>> = table()
        .iter()
        .filter(|(id, _)| word.starts_with(PREFIX) && id.starts_with(word))
        .map(|(id, row)| vec![(*id).to_string(), row.text.to_string()])
        .collect();
    let mut page = Page::new(format!("Messages {word}"));
    let found = !alike.is_empty();
    page.table(&["Message", "Text"], alike);
    found.then_some(page)
}

fn of_message(id: &str, row: &Row) -> Page {
    let mut page = Page::new(id);
    page.text(row.text);
    page.text(format!("{} All messages are in the log too, which `regent logs` shows.", codes::importance(row)));
    if row.text.contains('{') {
        page.text("A name in braces stands for a value.");
    }
    page
}
