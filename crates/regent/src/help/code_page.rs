//! The page of an abend code, or of a message of IDCAMS or of a compiler, from `tables/codes.tsv`. Abend codes of conditions have the page
//! of their condition.

use super::page::Page;

/// Identifier, text, what to do; a test compares the identifiers with those that the sources use.
const TABLE: &str = include_str!("../../tables/codes.tsv");

/// A message of a compiler is found with and without its severity, which is behind a hyphen.
pub fn page(word: &str) -> Option<Page> {
    let id = word.split('-').next().unwrap_or(word);
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let mut row = rows.map(|mut row| (row.next(), row)).find(|(key, _)| *key == Some(id))?.1;
    let mut page = Page::new(id);
    row.by_ref().filter(|text| !text.is_empty()).for_each(|text| page.text(text));
    Some(page)
}
