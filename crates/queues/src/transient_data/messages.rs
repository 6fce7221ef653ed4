//! The queues CICS supplies for messages, and how the region's messages get into them.
//!
//! All of them lead to the file of CSSL by default; CESE and CESO have files of their own for the output of programs.

use super::Queue;
use crate::transient_data::TransientData;
use csd::{Definition, TdQueueDefinition, TdQueueType};
use region::Region;
use region::messages::{Message, Sink};
use region::name::Name4;
use std::sync::Arc;

/// Queues that lead to CSSL.
const INDIRECT: [&str; 28] = [
    "CADL", "CADO", "CAFF", "CAIL", "CCPI", "CCSE", "CCSO", "CDBC", "CDB2", "CDUL", "CKQQ", "CMIG", "COPR", "CPLI", "CQRY", "CRDI", "CSBA",
    "CSCC", "CSCS", "CSDH", "CSDL", "CSFL", "CSKL", "CSML", "CSMT", "CSNE", "CSPL", "CSRL",
];
const INDIRECT_MORE: [&str; 7] = ["CECO", "CEPO", "CMPO", "CSTL", "CSZL", "CWBO", "CJRM"];
/// Queues with a file.
const FILES: [(&str, &str); 3] = [("CSSL", "MSGUSR"), ("CESE", "CEEMSG"), ("CESO", "CEEOUT")];

/// The definitions of group DFHDCTG.
pub(super) fn supplied_queues() -> Vec<TdQueueDefinition> {
    let file = |(name, dd): &(&str, &str)| {
        let definition = Definition::new("TDQUEUE", name, "DFHDCTG").with("TYPE", "EXTRA").with("TYPEFILE", "OUTPUT");
        definition.with("RECORDSIZE", "132").with("RECORDFORMAT", "VARIABLE").with("DDNAME", dd).with("DISPOSITION", "MOD")
    };
    let indirect = |name: &&str| Definition::new("TDQUEUE", name, "DFHDCTG").with("TYPE", "INDIRECT").with("INDIRECTNAME", "CSSL");
    let files = FILES.iter().map(file);
    let all = files.chain(INDIRECT.iter().chain(&INDIRECT_MORE).map(indirect));
    all.map(|definition| TdQueueDefinition::from(&definition)).collect()
}

/// Whether errors on this queue must not be reported in a message.
pub(super) fn is_message_queue(name: Name4) -> bool {
    FILES.iter().any(|(file, _)| Name4::new(file) == name)
}

struct Log(&'static Region);

impl Sink for Log {
    fn message(&self, message: &Message) {
        message.queues.iter().for_each(|queue| write_text(self.0, *queue, &message.line()));
    }
}

pub(super) fn add_sink(region: &'static Region) {
    region.messages.add_sink(Arc::new(Log(region)));
}

/// Writes a line of text to a queue on behalf of the region (messages, DISPLAY). It is dropped if the queue does not exist.
pub fn write_text(region: &'static Region, queue: Name4, text: &str) {
    let Some(queue) = TransientData::of(region).resolve(queue) else { return };
    if !queue.is_enabled() {
        return;
    }
    match queue.definition().queue_type {
        TdQueueType::Extrapartition => write_line(region, &queue, text),
        TdQueueType::Intrapartition => write_record(region, &queue, text),
        TdQueueType::Indirect | TdQueueType::Remote => {}
    }
}

fn write_line(region: &'static Region, queue: &Queue, text: &str) {
    let data = region.code_page.encode(text);
    if let Some(file) = queue.file.lock().as_mut()
        && let Err(error) = file.write(&data, &region.code_page)
    {
        tracing::warn!(target: "region::td", queue = %queue.name, %error, "a message could not be written");
    }
}

/// The user has made a message queue intrapartition: the record is written in a separate unit of work.
fn write_record(region: &'static Region, queue: &Arc<Queue>, text: &str) {
    let data = region.code_page.encode(text);
    let queue = queue.clone();
    region.dispatcher.spawn_blocking(move || {
        if let Err(error) = super::intrapartition::write_outside_task(region, &queue, &data) {
            tracing::warn!(target: "region::td", queue = %queue.name, %error, "a message could not be written");
        }
        // The task that the queue triggers may not begin: a message about that is no reason to write another one here.
        region::messages::delivering(|| super::trigger::look(region, &queue));
    });
}
