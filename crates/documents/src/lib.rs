//! The document handler: documents that programs put together, and document templates.
//!
//! * `document`   a document: its blocks of data and its bookmarks, and the form in which a program retrieves it;
//! * `symbols`    symbol tables and symbol lists; `expand` templates with their symbols and embedded commands replaced;
//! * `template`   DOCTEMPLATEs and their cached copies; `source` where their text is read, `exit_program` the programs that make it, `text`
//!   their text for a program;
//! * `commands`   the DOCUMENT commands; `inquire` INQUIRE, SET, DISCARD and CREATE DOCTEMPLATE; `records` statistics records, `report` the
//!   section of the statistics report.
//!
//! Source: CICS TS 5.5, "CICS documents and document templates". Invariants: a document belongs to one task and ends with it; the text of a
//! template is not changed by its use.
#![deny(unsafe_code)]

mod commands;
mod document;
mod exit_program;
mod expand;
mod inquire;
mod records;
mod report;
mod source;
mod symbols;
mod template;
mod text;

use document::Document;
use region::Domain;
use region::domain::ResourceType;
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use template::Templates;

region::region_part!(Documents);
region::task_part!(TaskDocuments);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "documents",
    commands: &[commands::handlers, inquire::handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[ResourceType { name: "DOCTEMPLATE", install: Some(template::install), ..ResourceType::NONE }],
    task_ended: Some(|task| TaskDocuments::of_mut(&mut task.parts).documents.clear()),
    records: &[&records::TEMPLATES],
    report: Some(report::report),
    ..Domain::NONE
};

/// Bytes of a document token.
pub const TOKEN_BYTES: usize = 16;
/// The name of a document in its task.
pub type Token = [u8; TOKEN_BYTES];

/// This domain's part of a region.
#[derive(Default)]
pub struct Documents {
    templates: Templates,
    /// Documents created since the region's start.
    created: AtomicU64,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskDocuments {
    documents: HashMap<Token, Document>,
}
