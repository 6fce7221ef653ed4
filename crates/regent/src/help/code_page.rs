//! The page of an abend code, or of a message of IDCAMS or of a compiler. Abend codes of conditions have the page of their condition.

use super::page::Page;
use supplied::codes;

pub fn page(word: &str) -> Option<Page> {
    let (id, texts) = codes::code(word)?;
    let mut page = Page::new(id);
    texts.into_iter().for_each(|text| page.text(text));
    Some(page)
}
