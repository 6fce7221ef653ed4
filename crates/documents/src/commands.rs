//! DOCUMENT CREATE, INSERT, SET, RETRIEVE and DELETE.

use crate::document::{Document, Element, Form, Misplaced, TOP};
use crate::expand::{Expansion, Fault, Included};
use crate::source::Unread;
use crate::symbols::{self, Given, SymbolTable};
use crate::{Documents, TOKEN_BYTES, TaskDocuments, Token, text};
use codepage::CodePage;
use exec::resp2::documents as resp2;
use exec::{CommandId, OptionId, command, condition, option};
use region::code_page::RegionCodePage;
use region::name::{Name, Name16};
use region::{Arguments, Handler, Outcome, Raised, Task, raise, raise_length};
use std::sync::atomic::Ordering;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::DOCUMENT_CREATE, create),
        (command::DOCUMENT_INSERT, insert),
        (command::DOCUMENT_SET, set),
        (command::DOCUMENT_RETRIEVE, retrieve),
        (command::DOCUMENT_DELETE, delete),
    ]
}

/// The 48 characters of a template's name.
type TemplateName = Name<48>;

fn token(arguments: &Arguments, option: OptionId) -> Result<Token, Raised> {
    let bytes = arguments.bytes_of_length(option, TOKEN_BYTES)?.unwrap_or_default();
    Ok(bytes.try_into().unwrap_or_default())
}

/// Takes the document of DOCTOKEN out of the task, for the time of the command.
fn taken(task: &mut Task, arguments: &Arguments) -> Result<(Token, Document), Raised> {
    let token = token(arguments, option::DOCTOKEN)?;
    match TaskDocuments::of_mut(&mut task.parts).documents.remove(&token) {
        Some(document) => Ok((token, document)),
        None => raise(condition::NOTFND, resp2::NO_DOCUMENT),
    }
}

fn put_back(task: &mut Task, token: Token, document: Document) {
    TaskDocuments::of_mut(&mut task.parts).documents.insert(token, document);
}

/// The code page of the data that is added.
fn host_page(task: &Task, arguments: &Arguments) -> Result<&'static CodePage, Raised> {
    let Some(name) = arguments.text(option::HOSTCODEPAGE)? else { return Ok(task.region.code_page.page()) };
    RegionCodePage::by_name(&name).ok_or(Raised::new(condition::NOTFND, resp2::NO_HOST_CODE_PAGE))
}

/// The first bytes of an area, as many as a length option says.
fn data(arguments: &Arguments, area: OptionId, length: OptionId) -> Result<Option<Vec<u8>>, Raised> {
    let Some(found) = arguments.area(area) else { return Ok(None) };
    let length = arguments.integer(length).unwrap_or(found.length as i64);
    match usize::try_from(length) {
        Ok(length) => arguments.bytes_of_length(area, length),
        Err(_) => raise(condition::LENGERR, resp2::LENGTH),
    }
}

/// The symbols of SYMBOLLIST.
fn symbol_list(task: &Task, arguments: &Arguments, length: OptionId) -> Result<Option<Vec<(String, Vec<u8>)>>, Raised> {
    let Some(list) = data(arguments, option::SYMBOLLIST, length)? else { return Ok(None) };
    let page = task.region.code_page.page();
    let delimiter = match arguments.bytes_of_length(option::DELIMITER, 1)?.as_deref() {
        Some([delimiter]) if !symbols::is_delimiter(*delimiter, page) => return raise(condition::INVREQ, resp2::DELIMITER),
        Some([delimiter]) => *delimiter,
        _ => page.ascii(b'&'),
    };
    let given = Given { page, delimiter, unescaped: arguments.has(option::UNESCAPED) };
    match symbols::parse(&list, &given) {
        Ok(symbols) => Ok(Some(symbols)),
        Err(offset) => raise(condition::SYMBOLERR, offset as i32),
    }
}

/// Adds symbols to the table of a document.
fn add_symbols(task: &Task, document: &mut Document, symbols: Vec<(String, Vec<u8>)>) -> Outcome {
    document.keep(task.reserve(SymbolTable::memory_bytes(&symbols))?);
    for (name, value) in symbols {
        document.symbols.set(name, value);
    }
    Ok(())
}

/// Why a template is not there, as a condition; the operator is told.
fn unread(task: &Task, name: &str, unread: Unread) -> Raised {
    match unread {
        Unread::NotFound => Raised::new(condition::NOTFND, resp2::NO_TEMPLATE),
        Unread::Raised(raised) => raised,
        Unread::Failed(reason) => {
            task.region.messages.send("DFHDH0507", &[("template", name), ("reason", &reason)]);
            Raised::new(condition::TEMPLATERR, resp2::NONE)
        }
    }
}

/// The elements of a template's text, with its symbols and commands replaced.
fn expanded(task: &mut Task, text: &[u8], page: &'static CodePage, symbols: &mut SymbolTable) -> Result<Vec<Element>, Raised> {
    let include = |name: &str| -> Result<Included, Raised> {
        let text = text::named(task, name).map_err(|reason| unread(task, name, reason))?;
        let data = text.data.to_vec();
        Ok(if text.is_binary { Err(data) } else { Ok(data) })
    };
    let mut expansion = Expansion { page, symbols, include, elements: Vec::new() };
    match expansion.template(text, 0) {
        Ok(()) => Ok(expansion.elements),
        Err(Fault::Levels) => raise(condition::TEMPLATERR, resp2::NONE),
        Err(Fault::Command(offset)) => raise(condition::TEMPLATERR, offset as i32),
        Err(Fault::Include(raised)) => Err(raised),
    }
}

/// What CREATE and INSERT add, besides symbols and bookmarks.
fn content(task: &mut Task, arguments: &Arguments, symbols: &mut SymbolTable) -> Result<Vec<Element>, Raised> {
    let page = host_page(task, arguments)?;
    if let Some(text) = data(arguments, option::TEXT, option::LENGTH)? {
        return Ok(vec![Element::Text(page, text)]);
    }
    if let Some(binary) = data(arguments, option::BINARY, option::LENGTH)? {
        return Ok(vec![Element::Binary(binary)]);
    }
    if let Some(from) = data(arguments, option::FROM, option::LENGTH)? {
        let home = task.region.code_page.page();
        return match Document::parse(&from, home) {
            Ok(Some(elements)) => Ok(elements),
            Ok(None) => expanded(task, &from, home, symbols),
            Err(_) => raise(condition::INVREQ, resp2::NOT_RETRIEVED),
        };
    }
    if arguments.has(option::FROMDOC) {
        let token = token(arguments, option::FROMDOC)?;
        let document = TaskDocuments::of(&task.parts).documents.get(&token);
        return document.map(Document::copied).ok_or(Raised::new(condition::NOTFND, resp2::NO_FROMDOC));
    }
    let Some(name) = arguments.name(option::TEMPLATE)? else { return Ok(Vec::new()) };
    let name: TemplateName = name;
    let text = text::named(task, name.as_str()).map_err(|reason| unread(task, name.as_str(), reason))?;
    if text.is_binary {
        return Ok(vec![Element::Binary(text.data.to_vec())]);
    }
    expanded(task, &text.data, page, symbols)
}

fn create(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.document_total += 1;
    task.performance.document_creations += 1;
    let mut document = Document::default();
    if let Some(symbols) = symbol_list(task, arguments, option::LISTLENGTH)? {
        add_symbols(task, &mut document, symbols)?;
    }
    let elements = content(task, arguments, &mut document.symbols)?;
    let charge = task.reserve(Document::memory_bytes(&elements))?;
    if document.insert(elements, None, None, charge).is_err() {
        // A retrieved document with a bookmark twice is none that a command has made.
        return raise(condition::INVREQ, resp2::NOT_RETRIEVED);
    }
    document.keep(task.reserve(crate::document::ELEMENT_BYTES)?);
    let region = task.region;
    let size = document.size(region.code_page.page());
    task.performance.document_bytes += size as u64;
    let number = Documents::of(region).created.fetch_add(1, Ordering::Relaxed) + 1;
    let token: Token = (u128::from(number) << 64 | u128::from(task.number)).to_be_bytes();
    put_back(task, token, document);
    arguments.set_bytes(option::DOCTOKEN, &token)?;
    arguments.set_integer(option::DOCSIZE, size as i64);
    Ok(())
}

fn insert(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.document_total += 1;
    task.performance.document_insertions += 1;
    let (token, mut document) = taken(task, arguments)?;
    let inserted = inserted(task, arguments, &mut document, token);
    let size = document.size(task.region.code_page.page());
    put_back(task, token, document);
    let grown = inserted?;
    task.performance.document_bytes += grown as u64;
    arguments.set_integer(option::DOCSIZE, size as i64);
    Ok(())
}

/// Inserts what the command says; how many bytes the document has grown.
fn inserted(task: &mut Task, arguments: &Arguments, document: &mut Document, token: Token) -> Result<usize, Raised> {
    let at: Option<Name16> = arguments.name(option::AT)?;
    let to: Option<Name16> = arguments.name(option::TO)?;
    let elements = if let Some(name) = arguments.name::<16>(option::BOOKMARK)? {
        if name.as_bytes().starts_with(b" ") || name.as_str().contains(' ') {
            return raise(condition::INVREQ, resp2::BOOKMARK);
        }
        if name.as_str() == TOP {
            return raise(condition::DUPREC, resp2::NONE);
        }
        vec![Element::Bookmark(name)]
    } else if arguments.has(option::SYMBOL) {
        let bytes = arguments.bytes(option::SYMBOL)?.unwrap_or_default();
        let page = host_page(task, arguments)?;
        let home = task.region.code_page.page();
        let name = symbols::name_of(trimmed(&bytes, home), home);
        let value = name.and_then(|name| document.symbols.get(&name).map(<[u8]>::to_vec));
        vec![Element::Text(page, value.ok_or(Raised::new(condition::NOTFND, resp2::NO_SYMBOL))?)]
    } else if arguments.has(option::FROMDOC) && self::token(arguments, option::FROMDOC)? == token {
        document.copied()
    } else {
        let mut symbols = std::mem::take(&mut document.symbols);
        let elements = content(task, arguments, &mut symbols);
        document.symbols = symbols;
        elements?
    };
    let bytes = Document::memory_bytes(&elements);
    let charge = task.reserve(bytes)?;
    match document.insert(elements, at, to, charge) {
        Ok(()) => Ok(bytes),
        Err(Misplaced::NoAt) => raise(condition::NOTFND, resp2::NO_AT),
        Err(Misplaced::NoTo) => raise(condition::NOTFND, resp2::NO_TO),
        Err(Misplaced::Order) => raise(condition::INVREQ, resp2::ORDER),
        Err(Misplaced::Duplicate) => raise(condition::DUPREC, resp2::NONE),
    }
}

fn trimmed<'a>(bytes: &'a [u8], page: &CodePage) -> &'a [u8] {
    let end = bytes.iter().rposition(|byte| *byte != page.space && *byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.document_total += 1;
    task.performance.document_sets += 1;
    let (token, mut document) = taken(task, arguments)?;
    let outcome = given_symbols(task, arguments).and_then(|symbols| add_symbols(task, &mut document, symbols));
    put_back(task, token, document);
    outcome
}

/// The symbols of SET: a list, or one with its value.
fn given_symbols(task: &Task, arguments: &Arguments) -> Result<Vec<(String, Vec<u8>)>, Raised> {
    if let Some(symbols) = symbol_list(task, arguments, option::LENGTH)? {
        return Ok(symbols);
    }
    let page = task.region.code_page.page();
    let bytes = arguments.bytes(option::SYMBOL)?.unwrap_or_default();
    let Some(name) = symbols::name_of(trimmed(&bytes, page), page) else { return raise(condition::SYMBOLERR, resp2::NONE) };
    let value = data(arguments, option::VALUE, option::LENGTH)?.unwrap_or_default();
    let given = Given { page, delimiter: 0, unescaped: arguments.has(option::UNESCAPED) };
    Ok(vec![(name, symbols::value_of(&value, &given))])
}

fn retrieve(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.document_total += 1;
    task.performance.document_retrievals += 1;
    let token = token(arguments, option::DOCTOKEN)?;
    let Some(document) = TaskDocuments::of(&task.parts).documents.get(&token) else {
        return raise(condition::NOTFND, resp2::NO_DOCUMENT);
    };
    let client = match arguments.text(option::CHARACTERSET)? {
        None => None,
        Some(name) => match RegionCodePage::by_name(&name) {
            Some(page) => Some(page),
            None => return raise(condition::NOTFND, resp2::NO_CHARACTERSET),
        },
    };
    let room = arguments.integer(option::MAXLENGTH).unwrap_or(0);
    if room < 0 {
        return raise(condition::LENGERR, resp2::LENGTH);
    }
    let form = Form { data_only: arguments.has(option::DATAONLY), client };
    let bytes = document.retrieved(task.region.code_page.page(), &form);
    let length = bytes.len() as i64;
    arguments.set_bytes_unbounded(option::INTO, &bytes[..bytes.len().min(room as usize)])?;
    arguments.set_integer(option::LENGTH, length);
    if length > room { raise_length(resp2::TRUNCATED, room, length) } else { Ok(()) }
}

fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.document_total += 1;
    task.performance.document_deletions += 1;
    taken(task, arguments).map(|_| ())
}
