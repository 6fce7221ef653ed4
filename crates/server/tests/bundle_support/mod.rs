//! Bundles on disk, and the documents of their event adapters.

use std::path::Path;

const BUNDLE: &str = "http://www.ibm.com/xmlns/prod/cics/bundle";
const EVENTS: &str = "http://www.ibm.com/xmlns/prod/cics/eventprocessing/eventbinding";

/// Makes a directory with a manifest of these parts: type, name, file, text.
pub fn write_bundle(directory: &Path, id: &str, parts: &[(&str, &str, &str, &str)]) {
    let _ = std::fs::remove_dir_all(directory);
    std::fs::create_dir_all(directory.join("META-INF")).unwrap();
    let define =
        |(kind, part, file, _): &(&str, &str, &str, &str)| format!("<define name=\"{part}\" type=\"{BUNDLE}/{kind}\" path=\"{file}\"/>\n");
    let defines: String = parts.iter().map(define).collect();
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest xmlns=\"{BUNDLE}\" id=\"{id}\" bundleMajorVer=\"1\" bundleMinorVer=\"2\" bundleMicroVer=\"3\">\n{defines}</manifest>\n"
    );
    std::fs::write(directory.join("META-INF/cics.xml"), manifest).unwrap();
    for (_, _, file, text) in parts {
        std::fs::write(directory.join(file), text).unwrap();
    }
}

/// An adapter that is asynchronous and not transactional, with its element of a destination.
pub fn adapter(destination: &str) -> String {
    format!(
        "<n:EPAdapter CICSEPSchemaVersion=\"4\" CICSEPSchemaRelease=\"0\" xmlns:n=\"{EVENTS}\"><description/><eventDispatcherSpecification><eventDispatcher><eventDispatcherPolicy><dispatchPriority>normal</dispatchPriority><eventsTransactional>false</eventsTransactional><adapterUserid useContextUserid=\"false\"/><adapterTranId/></eventDispatcherPolicy><eventDispatcherAdapter>{destination}</eventDispatcherAdapter></eventDispatcher></eventDispatcherSpecification></n:EPAdapter>"
    )
}

pub fn adapter_set(adapters: &[&str]) -> String {
    let names: String = adapters.iter().map(|name| format!("<eventAdapterName>{name}</eventAdapterName>")).collect();
    format!("<n:EPAdapterSet xmlns:n=\"{EVENTS}\"><description/>{names}</n:EPAdapterSet>")
}

/// A capture specification of an event with its own name: location with options, context, predicates of data, and the sources of its items.
pub struct Capture<'a> {
    pub name: &'a str,
    pub location: &'a str,
    pub context: &'a str,
    pub data: &'a str,
    /// Name, form, length and precision of an item, and the attributes of its source.
    pub items: &'a [(&'a str, &'a str, usize, usize, &'a str)],
}

/// An event binding with these capture specifications.
pub fn event_binding(captures: &[Capture], dispatcher: &str) -> String {
    let events: String = captures
        .iter()
        .map(|capture| {
            let items: String = capture
                .items
                .iter()
                .map(|(name, form, length, precision, _)| {
                    format!("<eventInformationItem description=\"\" length=\"{length}\" dataPrecision=\"{precision}\" dataType=\"{form}\" name=\"{name}\"/>")
                })
                .collect();
            format!("<eventSpecification><name>{0}_event</name><eventInformation>{items}</eventInformation></eventSpecification>", capture.name)
        })
        .collect();
    let specifications: String = captures
        .iter()
        .map(|Capture { name, location, context, data, items }| {
            let sources: String = items
                .iter()
                .map(|(item, _, _, _, source)| format!("<captureItem><dataCaptureItem eventItemName=\"{item}\" {source}/></captureItem>"))
                .collect();
            format!("<eventCaptureSpecification><name>{name}</name><eventIdentifier>{name}_event</eventIdentifier><filter><contextFilter>{context}</contextFilter><locationFilter filterType=\"CICS_API\">{location}</locationFilter><dataFilter>{data}</dataFilter></filter><dataCapture>{sources}</dataCapture></eventCaptureSpecification>")
        })
        .collect();
    format!(
        "<n:eventBinding CICSEPSchemaRelease=\"0\" CICSEPSchemaVersion=\"1\" xmlns:n=\"{EVENTS}\"><description/><userTag>TAGGED</userTag>{events}{specifications}<eventDispatcherSpecification>{dispatcher}</eventDispatcherSpecification></n:eventBinding>"
    )
}
