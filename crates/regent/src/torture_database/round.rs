//! One round, in its own process: start, resynchronize, report the file's side, transfer until struck.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use exec::{command, option};
use region::exec_interface::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use torture::Random;

use super::ACCOUNTS;
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// How long units of work may stay in doubt after a start: the database answers.
const RESYNCHRONIZED_MAX: Duration = Duration::from_secs(40);
/// More than the end of a unit of work takes.
const SETTLED: Duration = Duration::from_millis(100);
/// A round that nothing strikes ends after this.
const LIFE_MAX: Duration = Duration::from_secs(20);
/// Records of the ledger are this long; the key is in front.
const RECORD_BYTES: usize = 40;
const KEY_BYTES: usize = 8;
/// Zero, packed decimal.
const NO_BALANCE: [u8; 6] = [0, 0, 0, 0, 0, 0x0C];

#[derive(clap::Args, Clone, Debug)]
pub struct RoundArguments {
    /// The application.
    #[arg(long)]
    app: PathBuf,
    #[arg(long)]
    data: PathBuf,
    #[arg(long)]
    seed: u64,
    /// Transfers at once.
    #[arg(long)]
    tasks: u64,
    /// The number of the first transfer.
    #[arg(long)]
    first: u64,
}

/// The file's side has been reported.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// The hidden command `torture-transfers`.
pub fn round(arguments: RoundArguments) -> Result<u8, String> {
    let sit = ["APPLID=TORTURE", "GRPLIST=XFERLIST", "STGPROT=NO", "MXT=50"].map(str::to_string).to_vec();
    let up_arguments = up::Arguments::of(arguments.app.clone(), arguments.data.clone(), sit, 2);
    let parts = up::prepare(&up_arguments, &Console::new(OutputFormat::Json))?;
    let region = up::start_region(parts)?;
    for (name, program) in [("XFERTELL", tell as region::NativeProgram), ("XFERDONE", done), ("XFERSHOW", report)] {
        region.programs().install_native(Name8::new(name), program);
    }
    define(region)?;
    let until = Instant::now() + RESYNCHRONIZED_MAX;
    while !region.recovery().owners().is_empty() {
        if Instant::now() > until {
            return Err(format!("{} units of work stay in doubt", region.recovery().owners().len()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // A unit of work that is being ended is no longer in the list, and not yet in the file.
    std::thread::sleep(SETTLED);
    attach(region, "XSHO", &[])?;
    while !REPORTED.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
    say("WORK");
    // The parent reads the table first: what this round does there comes after.
    let _ = std::io::stdin().read_line(&mut String::new());
    work(region, &arguments);
    Ok(0)
}

fn define(region: &'static Region) -> Result<(), String> {
    use csd::{Definition, TransactionDefinition};
    for name in ["XFERTELL", "XFERDONE", "XFERSHOW"] {
        region.install(&Definition::new("PROGRAM", name, "XFER").with("CONCURRENCY", "THREADSAFE"))?;
    }
    let definition = Definition::new("TRANSACTION", "XSHO", "XFER").with("PROGRAM", "XFERSHOW");
    region.transactions().install(TransactionDefinition::from(&definition));
    Ok(())
}

fn attach(region: &'static Region, transid: &str, commarea: &[u8]) -> Result<(), String> {
    let mut request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    request.commarea = commarea.to_vec();
    region.attach(request).map(drop).map_err(|failure| failure.message.text)
}

/// Keeps transfers running.
fn work(region: &'static Region, arguments: &RoundArguments) {
    let mut random = Random::new(arguments.seed);
    let until = Instant::now() + LIFE_MAX;
    let mut number = arguments.first;
    while Instant::now() < until {
        let active = region.dispatcher.tasks().iter().filter(|task| !task.system).count() as u64;
        for _ in active..arguments.tasks {
            let account = random.below(ACCOUNTS);
            let commarea = region.code_page.encode(&format!("{number:08}{account:08}"));
            number += 1;
            if attach(region, "XFER", &commarea).is_err() {
                return;
            }
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(format!("{line}\n").as_bytes()).and_then(|()| output.flush());
}

/// The number of the transfer that a program was called for.
fn transfer(task: &Task) -> Result<String, Raised> {
    let commarea = task.level().map(|level| level.commarea).ok_or(Raised::Leave)?;
    let bytes = commarea.read()?;
    Ok(task.region.code_page.text(&bytes[..KEY_BYTES.min(bytes.len())]))
}

/// Program XFERTELL: the syncpoint of a transfer comes next.
fn tell(task: &mut Task) -> Result<(), Raised> {
    say(&format!("TELL {}", transfer(task)?));
    Ok(())
}

/// Program XFERDONE: it is over.
fn done(task: &mut Task) -> Result<(), Raised> {
    say(&format!("DONE {}", transfer(task)?));
    Ok(())
}

/// Program XFERSHOW: the transfers in the ledger of the file, which is emptied.
fn report(task: &mut Task) -> Result<(), Raised> {
    let keys = ledger(task)?;
    for key in &keys {
        say(&format!("FILE {key}"));
    }
    for key in &keys {
        let mut call = Call::new(command::DELETE);
        let bytes = task.region.code_page.encode(key);
        call.text(task, option::FILE, "LEDGER").bytes(option::RIDFLD, &bytes);
        call.execute(task)?;
    }
    open_accounts(task)?;
    // From here on the file's side is empty, whatever happens.
    Call::new(command::SYNCPOINT).execute(task)?;
    REPORTED.store(true, Ordering::SeqCst);
    Ok(())
}

/// Makes the accounts of the file, those of the first round.
fn open_accounts(task: &mut Task) -> Result<(), Raised> {
    for account in 0..ACCOUNTS {
        let key = task.region.code_page.encode(&format!("{account:08}"));
        let mut record = key.clone();
        record.extend(NO_BALANCE);
        record.resize(RECORD_BYTES, 0);
        let mut call = Call::new(command::WRITE);
        call.text(task, option::FILE, "ACCOUNT").bytes(option::FROM, &record).bytes(option::RIDFLD, &key);
        // DUPREC: it is there.
        if !call.execute(task)?.is_normal() {
            break;
        }
    }
    Ok(())
}

fn ledger(task: &mut Task) -> Result<Vec<String>, Raised> {
    let mut keys = Vec::new();
    let mut start = Call::new(command::STARTBR);
    start.text(task, option::FILE, "LEDGER").bytes(option::RIDFLD, &[0; KEY_BYTES]).flag(option::GTEQ);
    if !start.execute(task)?.is_normal() {
        return Ok(keys);
    }
    // A key other than the last one read would be a new place.
    let mut key = vec![0; KEY_BYTES];
    loop {
        let mut next = Call::new(command::READNEXT);
        next.text(task, option::FILE, "LEDGER").bytes(option::RIDFLD, &key);
        next.bytes(option::INTO, &[0; RECORD_BYTES]).integer(option::LENGTH, RECORD_BYTES as i64);
        let response = next.execute(task)?;
        if !response.is_normal() {
            if response.condition != exec::condition::ENDFILE {
                say(&format!("WRONG READNEXT of the ledger: {:?} {}", response.condition, response.resp2));
            }
            break;
        }
        let record = next.result_bytes(option::INTO);
        key = record[..KEY_BYTES].to_vec();
        keys.push(task.region.code_page.text(&key));
    }
    let mut end = Call::new(command::ENDBR);
    end.text(task, option::FILE, "LEDGER");
    end.execute(task)?;
    Ok(keys)
}
