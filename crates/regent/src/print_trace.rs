//! `regent trace`: prints trace entries of the auxiliary trace data sets, or those of a running region as they are written.
//!
//! The selection and the forms are in crate `trace`. Here: where the data sets of an application are, and what is said of one that is damaged.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use ::trace::numbered::{Numbered, Numbers};
use ::trace::print::{INTERVAL_NS_DEFAULT, Printer};
use ::trace::select::{self, Form, Points, Selection};
use ::trace::waits;
use clap::{Args, ValueEnum};
use codepage::CodePage;
use kernel::trace::Entry;
use kernel::trace::auxiliary::DataSet;
use kernel::trace::file::{self, Description, Next, Reader};
use kernel::trace::stream;
use region::messages::Message;

use crate::output;
use crate::work_directory::WorkDirectory;

/// Below the data directory of a region.
const DIRECTORY: &str = "trace";

#[derive(Args)]
pub struct Arguments {
    /// An auxiliary trace data set, or the application's directory.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Work directory of the application [default: PATH/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// How much of each entry is printed.
    #[arg(long, value_enum, default_value = "abbrev")]
    form: FormName,
    /// Only these tasks: numbers or ranges.
    #[arg(long, value_delimiter = ',', value_parser = |text: &str| select::range::<u32>("--task", text))]
    task: Vec<std::ops::RangeInclusive<u32>>,
    /// Only tasks of these terminals.
    #[arg(long, value_delimiter = ',')]
    terminal: Vec<String>,
    /// Only tasks of these transactions.
    #[arg(long, value_delimiter = ',')]
    transaction: Vec<String>,
    /// Only these trace points: components, with hexadecimal numbers or ranges, as in EI or DS1-3,EI1.
    #[arg(long = "type", value_delimiter = ',', value_parser = Points::parse)]
    points: Vec<Points>,
    /// Only entries with these sequence numbers: numbers or ranges.
    #[arg(long, value_delimiter = ',', value_parser = |text: &str| select::range::<u64>("--entry", text))]
    entry: Vec<std::ops::RangeInclusive<u64>>,
    /// Only entries of these times of day, hhmmss-hhmmss.
    #[arg(long, value_delimiter = ',', value_parser = select::times)]
    time: Vec<std::ops::RangeInclusive<u32>>,
    /// Only exceptions.
    #[arg(long)]
    exception: bool,
    /// Mark entries that come so many seconds after the one before [default: 0.0128].
    #[arg(long, value_parser = select::interval)]
    interval: Option<u64>,
    /// Selection parameters in the form of DFHTU720: "ABBREV,TASKID=(12),TYPETR=(DS1-3,EI1)".
    #[arg(long)]
    parm: Option<String>,
    /// Print the waits of this task, by command and by what it waited for.
    #[arg(long, conflicts_with = "follow")]
    waits: Option<u32>,
    /// Print entries of the running region as they are written, until Ctrl-C. The region's GTF trace has to be started.
    #[arg(short, long)]
    follow: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormName {
    /// One line an entry.
    Abbrev,
    /// Two lines, with names of values and times.
    Short,
    /// Everything, with data in hexadecimal.
    Full,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Form {
        match name {
            FormName::Abbrev => Form::Abbreviated,
            FormName::Short => Form::Short,
            FormName::Full => Form::Full,
        }
    }
}

struct Options {
    form: Form,
    interval_ns: u64,
    selection: Selection,
}

impl Options {
    fn of(arguments: &Arguments) -> Result<Options, String> {
        let upper = |names: &[String]| names.iter().map(|name| name.to_ascii_uppercase()).collect();
        let mut selection = Selection {
            tasks: arguments.task.clone(),
            terminals: upper(&arguments.terminal),
            transactions: upper(&arguments.transaction),
            points: arguments.points.clone(),
            entries: arguments.entry.clone(),
            times: arguments.time.clone(),
            exceptions_only: arguments.exception,
            ..Selection::default()
        };
        let mut form = arguments.form.into();
        let mut interval_ns = arguments.interval.unwrap_or(INTERVAL_NS_DEFAULT);
        if let Some(text) = &arguments.parm {
            select::parse(text, &mut form, &mut interval_ns, &mut selection)?;
        }
        Ok(Options { form, interval_ns, selection })
    }

    fn printer(&self, description: &Description) -> Printer {
        let offset_seconds = i64::from(description.offset_minutes) * 60;
        Printer { form: self.form, page: page(description), offset_seconds, interval_ns: self.interval_ns }
    }
}

fn page(description: &Description) -> &'static CodePage {
    codepage::by_ccsid(description.ccsid).unwrap_or(&codepage::CCSID_037)
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let options = Options::of(&arguments)?;
    if arguments.follow {
        return follow(&directory(&arguments)?, &options);
    }
    let (description, entries) = read(&arguments)?;
    let mut numbers = Numbers::default();
    let entries: Vec<Numbered> = entries.into_iter().map(|entry| numbers.next(entry)).collect();
    let printer = options.printer(&description);
    if let Some(task) = arguments.waits {
        return print_waits(&entries, task, printer.page);
    }
    let (mut selected, mut pages) = (0u64, Pages::default());
    for numbered in entries.iter().filter(|numbered| options.selection.selects(numbered, printer.offset_seconds)) {
        selected += 1;
        pages.put(&printer.text(numbered));
    }
    pages.end();
    if selected == 0 {
        output::STANDARD_ERROR.write_line(&format!("none of {} trace entries is selected", entries.len()));
    }
    Ok(0)
}

/// Standard output, written in long pieces.
#[derive(Default)]
struct Pages(String);

/// Text that is kept before it is written.
const PIECE_BYTES: usize = 64 << 10;

impl Pages {
    fn put(&mut self, text: &str) {
        self.0.push_str(text);
        if self.0.len() > PIECE_BYTES {
            self.end();
        }
    }

    /// False: whoever read it has ended, which is not an error.
    fn end(&mut self) -> bool {
        let mut out = io::stdout().lock();
        let written = out.write_all(self.0.as_bytes()).and_then(|()| out.flush());
        self.0.clear();
        written.is_ok()
    }
}

fn print_waits(entries: &[Numbered], task: u32, page: &'static CodePage) -> Result<u8, String> {
    if !entries.iter().any(|numbered| numbered.entry.task == task) {
        return Err(format!("no trace entry is of task {task}"));
    }
    let name = |bytes: &[u8]| page.decode(bytes).trim_end().to_string();
    let mut pages = Pages::default();
    pages.put(&waits::of_task(entries, task, name).text(task));
    pages.end();
    Ok(0)
}

/// The directory of the trace of an application, of its work directory or of its region's data directory.
fn directory(arguments: &Arguments) -> Result<PathBuf, String> {
    let work = WorkDirectory::of(&arguments.path, arguments.data.as_deref());
    let places = [work.store(), arguments.path.join("data"), arguments.path.clone()].map(|place| place.join(DIRECTORY));
    places
        .into_iter()
        .find(|place| place.is_dir())
        .ok_or_else(|| format!("{}: there is no trace: no region has been started with this directory", arguments.path.display()))
}

/// The entries of a data set, or of both data sets of an application, in the order of their times.
fn read(arguments: &Arguments) -> Result<(Description, Vec<Entry>), String> {
    if arguments.path.is_file() {
        return read_file(&arguments.path).map_err(|error| format!("{}: {error}", arguments.path.display()));
    }
    let directory = directory(arguments)?;
    let mut newest: Option<Description> = None;
    let mut entries = Vec::new();
    for path in [DataSet::A, DataSet::B].map(|data_set| directory.join(data_set.name())).into_iter().filter(|path| path.is_file()) {
        let (description, own) = read_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if newest.is_none_or(|newest| newest.created_unix_ns < description.created_unix_ns) {
            newest = Some(description);
        }
        entries.extend(own);
    }
    entries.sort_by_key(|entry| entry.unix_ns);
    let none = || {
        format!("{}: no auxiliary trace has been written: start the region with AUXTR=ON, or CEMT SET AUXTRACE START", directory.display())
    };
    Ok((newest.ok_or_else(none)?, entries))
}

fn read_file(path: &Path) -> io::Result<(Description, Vec<Entry>)> {
    let trace = file::read(path)?;
    if trace.is_torn {
        let message = Message::new("DFHTR0116", &[("path", &path.display().to_string())]);
        output::STANDARD_ERROR.write_line(&message.line());
    }
    Ok((trace.description, trace.entries))
}

fn follow(directory: &Path, options: &Options) -> Result<u8, String> {
    let connected = stream::connect(directory).and_then(|socket| Reader::new(BufReader::new(socket)));
    let mut reader = connected.map_err(|error| format!("{}: no region runs there: {error}", directory.display()))?;
    let printer = options.printer(&reader.description);
    if reader.description.is_stopped_stream() {
        let text = "GTF trace of the region is stopped: GTFTR=ON, CEMT SET GTFTRACE START or SET TRACEDEST GTFSTART starts it";
        output::STANDARD_ERROR.write_line(text);
    }
    let mut numbers = Numbers::default();
    loop {
        match reader.read_next().map_err(|error| error.to_string())? {
            Next::Entries(entries) => {
                let numbered = entries.into_iter().map(|entry| numbers.next(entry));
                let selected = numbered.filter(|numbered| options.selection.selects(numbered, printer.offset_seconds));
                let text: String = selected.map(|numbered| printer.text(&numbered)).collect();
                let mut pages = Pages::default();
                pages.put(&text);
                if !pages.end() {
                    return Ok(0);
                }
            }
            Next::Closed => return Ok(0),
            Next::End | Next::Torn => return Err("the region has ended, or the entries were not read fast enough".to_string()),
        }
    }
}
