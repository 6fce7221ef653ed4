//! Messages about policies and events: they go to the console, and to transient data queue CMPO, CEPO or CECO.

use region::Region;
use region::name::Name4;

/// The queues: messages about captured events, and about those that are emitted, have their own.
const POLICY_QUEUE: &str = "CMPO";
const EVENT_QUEUE: &str = "CEPO";
const CAPTURE_QUEUE: &str = "CECO";
const QUEUES_OF: [(&str, &str); 2] = [("DFHEC", CAPTURE_QUEUE), ("DFHEP", EVENT_QUEUE)];

/// Tasks that these queues have triggered are not the concern of system rules: their messages would come back to the queue.
pub const QUEUES: [&str; 3] = [POLICY_QUEUE, EVENT_QUEUE, CAPTURE_QUEUE];

/// Sends a message to the console and to its queue.
pub fn tell(region: &'static Region, id: &'static str, values: &[(&str, &str)]) {
    let message = region.messages.send(id, values);
    let queue = QUEUES_OF.iter().find(|(component, _)| id.starts_with(component)).map_or(POLICY_QUEUE, |(_, queue)| queue);
    region.registry.write_text(region, Name4::new(queue), &message.line());
}
