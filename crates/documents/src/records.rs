//! Statistics records of document templates (DFHDHDDS).

use crate::Documents;
use crate::template::{Source, Template, library};
use region::Region;
use region::figures::{Record, RecordType, ResourceType, count};
use region::name::Name8;

pub static TEMPLATES: RecordType = RecordType {
    of: ResourceType::DocumentTemplate,
    one: |reading, name| {
        let template = Documents::of(reading.region).templates.find(Name8::new(name));
        template.map(|template| of_template(reading.region, &template))
    },
    names: |region| Documents::of(region).templates.names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

/// How DFHDHDDS numbers the types of templates, and the field with the name of the source.
fn source_fields(region: &Region, template: &Template) -> (u8, Vec<(&'static str, String)>) {
    match &template.source {
        Source::ExitProgram(program) => (1, vec![("DHD_TEMPLATE_EXIT_PROGRAM", program.to_string())]),
        Source::File(file) => (2, vec![("DHD_TEMPLATE_FILE_NAME", file.to_string())]),
        Source::HfsFile(path) => (3, vec![("DHD_TEMPLATE_HFSFILE_NAME", path.clone())]),
        Source::Member { ddname, member } => {
            let directory = library(region, ddname).map(|path| path.display().to_string()).unwrap_or_default();
            let fields = [
                ("DHD_TEMPLATE_PDS_MEMBER", member.to_string()),
                ("DHD_TEMPLATE_PDS_DDNAME", ddname.clone()),
                ("DHD_TEMPLATE_PDS_DSNAME", directory),
            ];
            (4, fields.into())
        }
        Source::Program(program) => (5, vec![("DHD_TEMPLATE_PROGRAM_NAME", program.to_string())]),
        Source::TdQueue(queue) => (6, vec![("DHD_TEMPLATE_TDQUEUE_NAME", queue.to_string())]),
        Source::TsQueue(queue) => (7, vec![("DHD_TEMPLATE_TSQUEUE_NAME", queue.to_string())]),
    }
}

fn of_template(region: &Region, template: &Template) -> Record {
    let counters = &template.counters;
    let (kind, names) = source_fields(region, template);
    let record = Record::new("DFHDHDDS", template.name.to_string())
        .text("DHD_DOCTEMPLATE_NAME", template.name.to_string())
        .text("DHD_TEMPLATE_NAME", template.template_name.clone())
        .number("DHD_TEMPLATE_TYPE", kind)
        .number("DHD_APPEND_CRLF", u8::from(template.appends_crlf))
        .number("DHD_TEMPLATE_CONTENTS", u8::from(template.is_binary))
        .number("DHD_TEMPLATE_CACHE_SIZE", template.cached_bytes() as u64)
        .number("DHD_TEMPLATE_USE_COUNT", count(&counters.uses))
        .number("DHD_TEMPLATE_NEWCOPIES", count(&counters.new_copies))
        .number("DHD_TEMPLATE_READ_COUNT", count(&counters.reads))
        .number("DHD_TEMPLATE_CACHE_USED", count(&counters.cache_uses))
        .number("DHD_TEMPLATE_CACHE_DELETED", 0u8);
    let record = names.into_iter().fold(record, |record, (field, name)| record.text(field, name));
    record.signed(region, "DHD", "DOCTEMPLATE", template.name.as_str())
}
