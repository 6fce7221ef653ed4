//! The display of a request to a resource manager (DFHRMCAL): what its task-related user exit formats, or the parameters as they are.

use super::display::Line;
use exec::EXIT_ADDRESS_BYTES;
use region::Task;
use region::control_blocks::exits::RequestDisplay;
use region::extensions::ResourceRequest;
use region::storage_access::Area;

const COLUMN: u16 = 2;
const PARAMETER_COLUMN: u16 = 3;
/// Bytes that are shown of a parameter, and parameters that are shown.
const SHOWN_BYTES: usize = 16;
const PARAMETERS_MAX: usize = 18;

/// A request as it is displayed.
pub struct Request {
    title: String,
    lines: Vec<String>,
    response: Option<i32>,
}

impl Request {
    /// `None`: the exit says that it is not displayed.
    pub fn of(task: &mut Task, request: &ResourceRequest) -> Option<Request> {
        let display = match task.region.extensions.exits.caller() {
            Some(caller) => caller.display_of(task, request),
            None => RequestDisplay::Parameters,
        };
        let lines = match display {
            RequestDisplay::Nothing => return None,
            RequestDisplay::Lines(lines) => lines,
            RequestDisplay::Parameters => request
                .parameters
                .iter()
                .take(PARAMETERS_MAX)
                .enumerate()
                .map(|(number, address)| parameter(task, number, *address))
                .collect(),
        };
        let title = format!("CALL TO RESOURCE MANAGER {}", request.exit);
        Some(Request { title, lines, response: request.response })
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::text(COLUMN, self.title.clone())];
        lines.extend(self.lines.iter().map(|text| Line::text(PARAMETER_COLUMN, text.clone())));
        lines.extend(self.response.map(|response| Line::text(COLUMN, format!("RESPONSE: {response}"))));
        lines
    }
}

/// `001: ARG 000 ('ACCT0001')  AT X'00012345'`.
fn parameter(task: &Task, number: usize, address: u32) -> String {
    let Ok(bytes) = Area::new(address as usize, SHOWN_BYTES).read() else {
        return format!("001: ARG {number:03} AT X'{address:08X}' IS NOT ADDRESSABLE");
    };
    let text: String = task.region.code_page.text(&bytes).chars().map(|shown| if shown.is_control() { '.' } else { shown }).collect();
    let words: Vec<String> =
        bytes.chunks(EXIT_ADDRESS_BYTES).map(|word| word.iter().map(|byte| format!("{byte:02X}")).collect::<String>()).collect();
    format!("001: ARG {number:03} X'{}' '{text}' AT X'{address:08X}'", words[..2].join(""))
}
