//! Starts the region on the compiled application, listens, and shuts it down in an orderly way on request.

use std::io::ErrorKind;
use std::sync::Arc;

use csd::SharedCsd;
use program::rununit::RunTimeOptions;
use region::messages::Sink;
use region::monitoring::ControlTable;
use region::program_list::ProgramList;
use region::shutdown::assist::Intervals;
use region::system_initialization::SystemInitialization;
use region::{Region, RegionConfig};
use terminals::terminal_control::Encryption;

use super::problems::{Problems, StartErrors};
use super::standby::Standby;
use super::stop::{Event, Watch};
use super::{Arguments, StartTls, health, security};
use crate::console::Console;
use crate::output;
use crate::terminal;
use crate::work_directory::WorkDirectory;

/// What a region is started from.
pub struct Parts {
    pub sit: SystemInitialization,
    pub csd: SharedCsd,
    pub groups: Vec<String>,
    pub work: WorkDirectory,
    pub store: Arc<vsam::Store>,
    pub program_lists: Vec<ProgramList>,
    pub monitoring_tables: Vec<ControlTable>,
    pub run_time_options: Option<RunTimeOptions>,
    pub workers: usize,
    pub shutdown_assist: Intervals,
    pub auxiliary_trace_bytes: u64,
    pub dump_data_set_bytes: u64,
    /// DD names of the region.
    pub dd_names: std::collections::BTreeMap<String, std::path::PathBuf>,
    /// The SQL database, if a program needs one.
    pub database: Option<Standby>,
    /// The problems of the application.
    pub problems: Problems,
}

impl Parts {
    /// What the attachment facility of the region is told.
    fn attachment(&self) -> Option<attachment::Settings> {
        self.database.as_ref().map(Standby::attachment)
    }
}

/// A listener on all addresses is reached on this machine at its own.
const ANY_ADDRESS: &str = "0.0.0.0";
const LOOPBACK: &str = "127.0.0.1";

/// Exit code of a start that `--strict` refuses.
const REFUSED: u8 = 8;

/// Fails while nothing has been compiled or loaded yet if a listener could not be bound.
pub fn check_addresses(arguments: &Arguments) -> Result<(), String> {
    check_address(plain_address(arguments), "3270", arguments.port_3270)?;
    if arguments.certificate.is_some() && arguments.port_3270_tls.is_none() && arguments.starttls.is_none() {
        return Err("--certificate is for --port-3270-tls or --starttls: give one of them".to_string());
    }
    tls_of(arguments)?;
    for (listener, port) in [("3270-tls", arguments.port_3270_tls), ("health", arguments.port_health)] {
        port.map_or(Ok(()), |port| check_address(&arguments.address, listener, port))?;
    }
    Ok(())
}

/// Where the listener that does not begin with TLS is: on this machine only, if there is one with TLS for the others.
fn plain_address(arguments: &Arguments) -> &str {
    let is_plain = arguments.starttls != Some(StartTls::Required);
    if arguments.port_3270_tls.is_some() && is_plain { LOOPBACK } else { &arguments.address }
}

/// The identity of the listener with TLS.
fn tls_of(arguments: &Arguments) -> Result<Option<sockets::Tls>, String> {
    match (&arguments.certificate, &arguments.private_key) {
        (Some(certificate), Some(key)) => sockets::Tls::from_pem_files(certificate, key, arguments.client_authorities.as_deref()).map(Some),
        _ => Ok(None),
    }
}

fn check_address(address: &str, listener: &str, port: u16) -> Result<(), String> {
    let address = format!("{address}:{port}");
    let Err(error) = std::net::TcpListener::bind(&address) else { return Ok(()) };
    let advice = match error.kind() {
        ErrorKind::AddrInUse => format!("another program listens there; choose a port with --port-{listener} N (0 picks a free one)"),
        ErrorKind::PermissionDenied => format!("ports below 1024 need a privilege; choose another with --port-{listener} N"),
        _ => format!("--address A and --port-{listener} N say where to listen"),
    };
    Err(format!("{listener} listener {address}: {error}: {advice}"))
}

/// A region without a listener of its own. It uses the database as long as the process lives.
pub fn start_region(mut parts: Parts) -> Result<&'static Region, String> {
    security::prepare(&parts.sit, &parts.work.store(), None)?;
    let (settings, database) = (parts.attachment(), parts.database.take());
    std::mem::forget(database);
    start_with(parts, settings, Vec::new(), None)
}

/// `created` is called as soon as the region can be asked to shut down.
fn start_with(
    parts: Parts,
    settings: Option<attachment::Settings>,
    sinks: Vec<Arc<dyn Sink>>,
    created: Option<Box<dyn FnOnce(&'static Region)>>,
) -> Result<&'static Region, String> {
    let Parts {
        sit,
        csd,
        groups,
        work,
        store,
        program_lists,
        monitoring_tables,
        run_time_options,
        workers,
        shutdown_assist,
        dump_data_set_bytes,
        dd_names,
        auxiliary_trace_bytes,
        database,
        problems: _,
    } = parts;
    debug_assert!(database.is_none(), "the caller keeps the database");
    let created: Option<Box<dyn FnOnce(&'static Region)>> = Some(Box::new(move |region: &'static Region| {
        if let Some(settings) = settings {
            attachment::configure(region, settings);
        }
        if let Some(created) = created {
            created(region);
        }
    }));
    let mut config = RegionConfig::new(work.store());
    config.sit = sit;
    config.csd = csd;
    config.groups = groups;
    config.libraries = vec![work.library()];
    config.program_lists = program_lists;
    config.monitoring_tables = monitoring_tables;
    config.run_time_options = run_time_options;
    config.workers = workers;
    config.sinks = sinks;
    config.store = Some(store);
    config.shutdown_assist = shutdown_assist;
    config.auxiliary_trace_bytes = auxiliary_trace_bytes;
    config.dump_data_set_bytes = dump_data_set_bytes;
    config.dd_names = dd_names;
    config.created = created;
    Region::start(config, &server::registry::DOMAINS).map_err(|error| error.to_string())
}

pub fn serve(parts: Parts, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let failed = |error: std::io::Error| error.to_string();
    let watch = Watch::begin(parts.store.clone()).map_err(failed)?;
    output::decouple(console.format()).map_err(failed)?;
    let outcome = serve_until_the_end(parts, arguments, console, &watch);
    output::drain();
    outcome
}

/// The database is ended after the region.
fn serve_until_the_end(mut parts: Parts, arguments: &Arguments, console: &Console, watch: &Watch) -> Result<u8, String> {
    let (settings, database) = (parts.attachment(), parts.database.take());
    let outcome = serve_with(parts, settings, arguments, console, watch);
    if let Some(database) = database {
        database.close()?;
    }
    outcome
}

fn serve_with(
    parts: Parts,
    settings: Option<attachment::Settings>,
    arguments: &Arguments,
    console: &Console,
    watch: &Watch,
) -> Result<u8, String> {
    let (mut problems, work) = (parts.problems.clone(), parts.work.clone());
    if arguments.strict && !problems.list().is_empty() {
        return Ok(refuse(&problems, console));
    }
    security::prepare(&parts.sit, &work.store(), Some(console))?;
    security::warn(&parts.sit, &arguments.address, console);
    let errors = Arc::new(StartErrors::default());
    let region = start_with(parts, settings, vec![errors.clone()], Some(watch.on_created()))?;
    errors.add_to(&mut problems);
    if arguments.strict && !problems.list().is_empty() {
        region.shutdown(true);
        return Ok(refuse(&problems, console));
    }
    let address = format!("{}:{}", plain_address(arguments), arguments.port_3270);
    let encryption = match (arguments.starttls, tls_of(arguments)?) {
        (Some(starttls), Some(tls)) => Encryption::OnRequest { tls, required: starttls == StartTls::Required },
        _ => Encryption::None,
    };
    let listener = terminals::terminal_control::listen_with(region, &address, encryption)
        .map_err(|error| format!("3270 listener {address}: {error}"))?;
    let port = listener.port();
    let reachable = if plain_address(arguments) == ANY_ADDRESS { LOOPBACK } else { plain_address(arguments) };
    region.installed.write().record_to(&work.installed()).map_err(|error| format!("{}: {error}", work.installed().display()))?;
    let _published =
        terminal::publish(&work, &format!("{reachable}:{port}")).map_err(|error| format!("{}: {error}", work.listener().display()))?;
    console.endpoint("3270", &format!("localhost:{port}"));
    if !console.is_json() {
        console.line(&format!("      connect with: c3270 localhost:{port}"));
    }
    if let (Some(port), Some(tls)) = (arguments.port_3270_tls, tls_of(arguments)?) {
        listen_with_tls(region, arguments, port, tls, console)?;
    }
    let _modify = crate::modify::publish(region);
    let _health = arguments.port_health.map(|port| listen_for_health(region, arguments, port, console)).transpose()?;
    console.ready(problems.list());
    if arguments.watch {
        super::watch::begin(region, &arguments.directory, arguments.data.as_deref(), *console);
    }
    if arguments.console {
        crate::modify::read_standard_input(region, *console);
    }
    wait_for_end(watch, console);
    match region.store.failure() {
        None => Ok(0),
        Some(why) => {
            Err(format!("not all data could be written: {why}. What was committed is in the log, and the next start brings it back"))
        }
    }
}

fn listen_with_tls(region: &'static Region, arguments: &Arguments, port: u16, tls: sockets::Tls, console: &Console) -> Result<(), String> {
    let address = format!("{}:{port}", arguments.address);
    let listener = terminals::terminal_control::listen_with(region, &address, Encryption::FromTheStart(tls))
        .map_err(|error| format!("3270-tls listener {address}: {error}"))?;
    console.endpoint("3270-tls", &format!("localhost:{}", listener.port()));
    if !console.is_json() {
        console.line(&format!("      connect with: c3270 L:localhost:{}", listener.port()));
    }
    Ok(())
}

fn listen_for_health(region: &'static Region, arguments: &Arguments, port: u16, console: &Console) -> Result<sockets::Server, String> {
    let address = format!("{}:{port}", arguments.address);
    let server = health::listen(region, &address).map_err(|error| format!("health listener {address}: {error}"))?;
    console.endpoint("health", &format!("localhost:{}", server.local_address().port()));
    Ok(server)
}

fn refuse(problems: &Problems, console: &Console) -> u8 {
    console.problems("not started (--strict)", problems.list());
    REFUSED
}

/// Until the region has stopped, because of signals or because an operator shut it down.
fn wait_for_end(watch: &Watch, console: &Console) {
    loop {
        match watch.next() {
            Event::Signal(1) => console.line("shutting down; once more ends tasks that are still running"),
            Event::Signal(2) => console.line("ending the tasks that are still running"),
            Event::Signal(_) => {}
            Event::Stopped => break,
        }
    }
    console.line("stopped");
}
