//! Files in the statistics report.

use super::Activity;
use crate::file_control::FileControl;
use crate::file_control::FileResource;
use csd::FileDefinition;
use region::Region;
use region::figures::ResourceStatistics;
use region::statistics::report::{number, percent, ratio};
use std::fmt::Write as _;
use std::sync::Arc;
use vsam::File;
use vsam::file::FileAttributes;
use vsam::shape::DataSetShape;

/// A file with its data for the report.
pub(super) struct ReportedFile {
    pub resource: Arc<FileResource>,
    pub counters: ResourceStatistics,
    pub definition: Arc<FileDefinition>,
    /// While it is open.
    pub open: Option<(FileAttributes, DataSetShape)>,
}

/// The requests by kind, as headed in the report, and their counters.
const REQUESTS: [(&str, &[&str]); 6] = [
    ("Read", &["get_requests"]),
    ("Get Update", &["get_update_requests", "browse_update_requests"]),
    ("Browse", &["browse_requests"]),
    ("Add", &["add_requests"]),
    ("Update", &["update_requests"]),
    ("Delete", &["delete_requests"]),
];

/// The files of the region by name.
pub(super) fn all(region: &'static Region) -> Vec<ReportedFile> {
    let files = FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name));
    let reported = |resource: Arc<FileResource>| {
        let shape = |file: File| Some((file.attributes().clone(), file.shape().ok()?));
        let open = resource.opened().and_then(shape);
        ReportedFile { counters: resource.statistics(), definition: resource.definition(), open, resource }
    };
    files.map(reported).collect()
}

impl ReportedFile {
    /// KSDS, or KSDSP for a path to one; blank while it is closed, when nothing is known of the data set.
    fn kind(&self) -> String {
        let Some((attributes, _)) = &self.open else { return String::new() };
        format!("{}{}", attributes.organization.name(), if attributes.path { "P" } else { "" })
    }

    pub(super) fn excps(&self) -> u64 {
        self.counters.sum(&["data_excps", "index_excps"])
    }

    fn lsr_pool(&self) -> String {
        match self.definition.lsrpool {
            0 => "NSR".to_string(),
            pool => pool.to_string(),
        }
    }
}

/// The section of requests: a line for each file, and four more for an open one.
pub(super) fn requests(files: &[ReportedFile], text: &mut String) {
    let _ = write!(text, "{:10}{:8}{:6}{:>4}{:>6}{:>8}{:>6}", "", "Access", "", "LSR", "Str", "String", "Waits");
    for (title, _) in REQUESTS {
        let _ = write!(text, "{title:>12}");
    }
    let _ = writeln!(text, "{:>12}{:>12}", "Data", "Index");
    let _ = write!(text, "{:10}{:8}{:6}{:>4}{:>6}{:>8}{:>6}", "Filename", "Method", "Type", "Pool", "Max", "Total", "HWM");
    let _ = writeln!(text, "{}{:>12}{:>12}", format!("{:>12}", "Requests").repeat(REQUESTS.len()), "EXCPs", "EXCPs");
    for file in files {
        one(file, text);
    }
    text.push('\n');
}

fn one(file: &ReportedFile, text: &mut String) {
    let counters = &file.counters;
    let name = file.resource.name.as_str();
    let method = if file.definition.remote_system.is_blank() { "VSAM" } else { "REMOTE" };
    let _ = write!(
        text,
        "{name:10}{method:8}{:6}{:>4}{:>6}{:>8}{:>6}",
        file.kind(),
        file.lsr_pool(),
        file.definition.strings,
        number(counters.counter("string_waits")),
        number(counters.counter("string_waits_peak")),
    );
    for (_, kinds) in REQUESTS {
        let _ = write!(text, "{:>12}", number(counters.sum(kinds)));
    }
    let _ = writeln!(text, "{:>12}{:>12}", number(counters.counter("data_excps")), number(counters.counter("index_excps")));
    let Some((attributes, shape)) = &file.open else { return };
    let sizes = |data: u32, index: u32| format!("DATA {} INDEX {}", number(data.into()), number(index.into()));
    let (data, index) = file.resource.buffer_sizes(shape).unwrap_or((0, 0));
    let _ = writeln!(text, "{name:10}{:14}{}", "BUFFER SIZE", sizes(data, index));
    let _ = writeln!(
        text,
        "{name:10}{:14}CI {} CA {}   DEFINED CISZ {}   EXCC {}   SHAREOPTIONS {}",
        "SPLITS",
        number(counters.counter("ci_splits")),
        number(counters.counter("ca_splits")),
        sizes(shape.ci_size, shape.index_ci_size),
        number(counters.counter("exclusive_control_waits")),
        shape.share_options,
    );
    let _ = writeln!(
        text,
        "{name:10}{:14}{:46}DSNSHARING {}   {:6}{:5}RECSZ {}   RECORDS {}",
        "DATASET NAME",
        attributes.data_set,
        if file.definition.shares_data_set() && !file.definition.rls { "Y" } else { "N" },
        if attributes.path { "PATH" } else { "BASE" },
        if attributes.updates_allowed { "R/W" } else { "R/O" },
        number(attributes.record_length_max as u64),
        number(shape.records),
    );
    let _ = writeln!(
        text,
        // No data set is one of z/VSE's extra large ones.
        "{name:10}{:14}{}   KEYLEN {}   CI/CA {}   COMPRESSED {}   XXL N   INDEX-RECORDS {}   STRINGS ACTIVE {} PEAK {}   OPENED {}",
        "STRINGS",
        file.definition.strings,
        attributes.key_length,
        number(shape.cis_per_ca.into()),
        if shape.compressed { "Y" } else { "N" },
        number(shape.index_records),
        number(counters.counter("strings_active")),
        number(counters.counter("strings_active_peak")),
        number(counters.counter("opens")),
    );
}

/// The section of profiles: ratios for each file with requests.
pub(super) fn profiles(files: &[ReportedFile], activity: &Activity, text: &mut String) {
    for file in files {
        if REQUESTS.iter().any(|(_, kinds)| file.counters.sum(kinds) > 0) {
            profile(file, activity, text);
        }
    }
}

fn profile(file: &ReportedFile, activity: &Activity, text: &mut String) {
    let counters = &file.counters;
    let [read, read_update, browse, add, rewrite, delete] = REQUESTS.map(|(_, kinds)| counters.sum(kinds));
    let total = read + read_update + browse + add + rewrite + delete;
    let (data, index) = (counters.counter("data_excps"), counters.counter("index_excps"));
    let per = |these: u64, those: u64| ratio(these as f64, those as f64);
    let _ = writeln!(text, "File {}   LSRPOOL {}   {}", file.resource.name, file.lsr_pool(), file.kind());
    let _ = writeln!(
        text,
        "  EXCPs {}   DEXCPs {}   IEXCPs {}   EXCPs/second {}   Index/Data EXCP ratio {}   EXCPs/Request {}   EXCPs/task {}",
        number(data + index),
        number(data),
        number(index),
        ratio((data + index) as f64, activity.seconds),
        per(index, data),
        per(data + index, total),
        per(data + index, activity.tasks),
    );
    let _ = writeln!(
        text,
        "  File requests {}   Requests/task {}   Read/Write ratio {}",
        number(total),
        per(total, activity.tasks),
        per(read + read_update + browse, rewrite + add + delete),
    );
    let shares = [("Read", read), ("Read Update", read_update), ("Browse", browse), ("Rewrite", rewrite), ("Add", add), ("Delete", delete)];
    let shares = shares.map(|(title, count)| format!("{title} {} {}", number(count), percent(count, total)));
    let _ = writeln!(text, "  {}", shares.join("   "));
    let each = |title: &str, counter: &str, of: u64| {
        format!("{title} {} {}", number(counters.counter(counter)), per(counters.counter(counter), of))
    };
    let ratios = [
        each("CI split/Add", "ci_splits", add),
        each("CA split/Add", "ca_splits", add),
        each("Exclusive Control/Request", "exclusive_control_waits", total),
    ];
    let _ = writeln!(text, "  {}\n", ratios.join("   "));
}
