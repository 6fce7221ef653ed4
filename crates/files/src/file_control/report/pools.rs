//! LSR pools in the statistics report.

use super::files::ReportedFile;
use crate::file_control::BufferCounts;
use crate::file_control::FileControl;
use region::Region;
use region::figures::ResourceStatistics;
use region::statistics::report::{number, percent};
use std::fmt::Write as _;

/// Look-asides and reads of some buffers.
#[derive(Clone, Copy, Default)]
struct Looked {
    lookasides: u64,
    reads: u64,
}

impl Looked {
    fn of<'a>(buffers: impl IntoIterator<Item = &'a BufferCounts>) -> Looked {
        buffers.into_iter().fold(Looked::default(), |sum, buffers| Looked {
            lookasides: sum.lookasides + buffers.lookasides,
            reads: sum.reads + buffers.reads,
        })
    }

    fn activity(self) -> u64 {
        self.lookasides + self.reads
    }

    /// Look-asides of all requests for a control interval.
    fn percent(self) -> String {
        percent(self.lookasides, self.activity())
    }
}

pub(super) fn pools(region: &'static Region, files: &[ReportedFile], text: &mut String) {
    let pools = FileControl::of(region).pool_reports();
    let everything = Looked::of(pools.iter().flat_map(|(_, buffers)| buffers));
    for (counters, buffers) in pools {
        let mine = Looked::of(&buffers);
        let number_of_pool = counters.name.clone();
        totals(&counters, &buffers, text);
        let _ = writeln!(
            text,
            "  LSRPOOL {number_of_pool} is responsible for {} of all LSR Read EXCPs and {} of all LSR activity",
            percent(mine.reads, everything.reads),
            percent(mine.activity(), everything.activity()),
        );
        file_map(files.iter().filter(|file| file.open.is_some() && file.definition.lsrpool.to_string() == number_of_pool), text);
        text.push('\n');
    }
}

fn totals(counters: &ResourceStatistics, buffers: &[BufferCounts], text: &mut String) {
    let _ = writeln!(
        text,
        "LSRPOOL {}   Maximum key length {}   Strings {} active {} peak {}   String waits {} peak {}   Buffer waits {} peak {}",
        counters.name,
        counters.counter("key_length_max"),
        number(counters.counter("strings")),
        number(counters.counter("strings_active")),
        number(counters.counter("strings_active_peak")),
        number(counters.counter("string_waits")),
        number(counters.counter("string_waits_peak")),
        number(counters.counter("buffer_waits")),
        number(counters.counter("buffer_waits_peak")),
    );
    let heads = ["Component", "Buffer size", "Buffers", "Look-asides", "Reads", "User writes", "Look-aside %"];
    let _ = writeln!(text, "  {:10}{}", heads[0], heads[1..].iter().map(|head| format!("{head:>14}")).collect::<String>());
    for of in buffers {
        let component = if of.index { "INDEX" } else { "DATA" };
        let values = [u64::from(of.size), of.buffers.into(), of.lookasides, of.reads, of.user_writes].map(number);
        let values: String = values.iter().map(|value| format!("{value:>14}")).collect();
        let _ = writeln!(text, "  {component:10}{values}{:>14}", Looked::of([of]).percent());
    }
    let component = |index: bool| Looked::of(buffers.iter().filter(move |of| of.index == index)).percent();
    let storage: u64 = buffers.iter().map(|of| u64::from(of.size) * u64::from(of.buffers)).sum();
    let _ = writeln!(
        text,
        "  Look-aside: data {}, index {}, overall {}   Storage estimate {}K",
        component(false),
        component(true),
        Looked::of(buffers).percent(),
        number(storage / 1024),
    );
}

/// Which files use which buffers.
fn file_map<'a>(files: impl Iterator<Item = &'a ReportedFile>, text: &mut String) {
    for file in files {
        let Some((_, shape)) = &file.open else { continue };
        let (data, index) = file.resource.buffer_sizes(shape).unwrap_or((0, 0));
        let _ = writeln!(
            text,
            "  File {:10}data buffer size {:>6}   index buffer size {:>6}   EXCPs {}",
            file.resource.name,
            number(data.into()),
            number(index.into()),
            number(file.excps()),
        );
    }
}
