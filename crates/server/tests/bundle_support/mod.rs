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
