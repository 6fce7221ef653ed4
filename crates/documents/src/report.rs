//! The section of the statistics report about document templates ("Document Templates report" of DFH0STAT).

use crate::Documents;
use crate::template::{Source, Template};
use region::Region;
use region::figures::{Report, count};
use region::statistics::report::number;
use std::fmt::Write as _;

/// The section; none without a template.
pub fn report(region: &'static Region, report: &mut Report) {
    let templates = &Documents::of(region).templates;
    let names = templates.names();
    if names.is_empty() {
        return;
    }
    report.heading("Document Templates");
    for template in names.into_iter().filter_map(|name| templates.find(name)) {
        for (name, value) in rows(&template) {
            let _ = writeln!(report.text, "{name:.<32}: {value}");
        }
        report.text.push('\n');
    }
}

fn rows(template: &Template) -> Vec<(&'static str, String)> {
    let (kind, source) = match &template.source {
        Source::File(file) => ("File", file.to_string()),
        Source::TsQueue(queue) => ("TS Queue", queue.to_string()),
        Source::TdQueue(queue) => ("TD Queue", queue.to_string()),
        Source::Program(program) => ("Program", program.to_string()),
        Source::ExitProgram(program) => ("Exit Program", program.to_string()),
        Source::Member { ddname, member } => ("PDS Member", format!("{}({})", ddname, member.as_str())),
        Source::HfsFile(path) => ("HFS File", path.clone()),
    };
    let counters = &template.counters;
    vec![
        ("DOCTEMPLATE Name", template.name.to_string()),
        ("Template Name", template.template_name.clone()),
        ("Append crlf", if template.appends_crlf { "Yes" } else { "No" }.to_string()),
        ("Template contents", if template.is_binary { "Binary" } else { "EBCDIC" }.to_string()),
        ("Template cache size", number(template.cached_bytes() as u64)),
        ("Template type", kind.to_string()),
        ("Template source", source),
        ("Use count", number(count(&counters.uses))),
        ("Newcopy count", number(count(&counters.new_copies))),
        ("Read count", number(count(&counters.reads))),
        ("Cache copy used", number(count(&counters.cache_uses))),
    ]
}
