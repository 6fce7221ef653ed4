//! Messages about policies and events: they go to the console, and to transient data queue CMPO or CEPO.

use region::Region;
use region::name::Name4;

/// The queues: messages about events have their own.
const POLICY_QUEUE: &str = "CMPO";
const EVENT_QUEUE: &str = "CEPO";

/// Tasks that these queues have triggered are not the concern of system rules: their messages would come back to the queue.
pub const QUEUES: [&str; 2] = [POLICY_QUEUE, EVENT_QUEUE];

/// Sends a message to the console and to its queue.
pub fn tell(region: &'static Region, id: &'static str, values: &[(&str, &str)]) {
    let message = region.messages.send(id, values);
    let queue = if id.starts_with("DFHEP") { EVENT_QUEUE } else { POLICY_QUEUE };
    region.registry.write_text(region, Name4::new(queue), &message.line());
}
