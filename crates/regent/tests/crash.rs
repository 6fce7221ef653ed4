//! kill -9 under load: transfers from eight terminals, the region killed at a random moment and restarted, and the accounts and the journal
//! compared with each other and with the answers the terminals got.

mod support;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use support::terminal::Terminal;
use support::{Region, regent, root};
use testing::Random;

const ROUNDS: u64 = 20;
const TERMINALS: u64 = 8;
/// The accounts that money moves between.
const FIRST_ACCOUNT: u64 = 1_000_000_001;
const ACCOUNTS: u64 = 20;

/// A transfer that its terminal was told is done: number, from, to, hundredths.
type Done = (String, u64, u64, i64);

#[test]
fn no_transfer_is_lost_or_half_done() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let bank = root().join("samples/bank");
    let done = Arc::new(Mutex::new(Vec::<Done>::new()));
    let mut opening: Option<BTreeMap<u64, i64>> = None;
    let mut random = Random::new(20_260_101);
    let mut region = Region::start(&bank, data.path(), &[]);
    for round in 0..ROUNDS {
        let moment = Duration::from_millis(1_500 + random.below(1_500));
        transfers_until_killed(region, &done, round, moment);
        let (balances, journal) = read_files(data.path());
        let opening = opening.get_or_insert_with(|| before(&balances, &journal));
        check(round, opening, &balances, &journal, &done.lock().unwrap());
        region = Region::start(&bank, data.path(), &[]);
    }
    assert_eq!(region.stop(), 0);
    let count = done.lock().unwrap().len();
    assert!(count > 100, "only {count} transfers were done: the rounds tested little");
}

fn transfers_until_killed(region: Region, done: &Arc<Mutex<Vec<Done>>>, round: u64, moment: Duration) {
    let stop = Arc::new(AtomicBool::new(false));
    let port = region.port;
    let tellers: Vec<_> = (0..TERMINALS)
        .map(|teller| {
            let (done, stop) = (done.clone(), stop.clone());
            std::thread::spawn(move || work(port, Random::new(round * TERMINALS + teller + 1), &done, &stop))
        })
        .collect();
    std::thread::sleep(moment);
    region.kill();
    stop.store(true, Ordering::Relaxed);
    for teller in tellers {
        teller.join().expect("a teller's thread");
    }
}

/// Signs on and transfers until the region is gone. An answer counts only if the screen shows it whole.
fn work(port: u16, mut random: Random, done: &Mutex<Vec<Done>>, stop: &AtomicBool) {
    let Some(mut terminal) = Terminal::try_connect(port) else { return };
    let sign_on = [
        "Clear",
        "String(\"BANK\")",
        "Enter",
        "Wait(30,Unlock)",
        "String(\"ADAMS\")",
        "Tab",
        "String(\"4711\")",
        "Enter",
        "Wait(30,Unlock)",
        "String(\"7\")",
        "Enter",
        "Wait(30,Unlock)",
    ];
    if sign_on.iter().any(|action| terminal.try_act(action).is_err()) {
        return;
    }
    let mut last = String::new();
    while !stop.load(Ordering::Relaxed) {
        let from = FIRST_ACCOUNT + random.below(ACCOUNTS);
        let to = FIRST_ACCOUNT + (from - FIRST_ACCOUNT + 1 + random.below(ACCOUNTS - 1)) % ACCOUNTS;
        let amount = 1 + random.below(5_000) as i64;
        let actions = [
            "MoveCursor(4,23)".to_string(),
            "EraseEOF".to_string(),
            format!("String(\"{from}\")"),
            "MoveCursor(6,23)".to_string(),
            "EraseEOF".to_string(),
            format!("String(\"{to}\")"),
            "MoveCursor(8,23)".to_string(),
            "EraseEOF".to_string(),
            format!("String(\"{}.{:02}\")", amount / 100, amount % 100),
            "Enter".to_string(),
            "Wait(30,Unlock)".to_string(),
        ];
        if actions.iter().any(|action| terminal.try_act(action).is_err()) {
            return;
        }
        let Ok(screen) = terminal.try_act("Ascii") else { return };
        let row = |number: usize| screen.get(number - 1).cloned().unwrap_or_default();
        if row(23).contains("TRANSFER DONE") {
            let number: String = row(14).chars().skip(23).take(22).collect();
            // When the region dies the screen still shows the answer to the transfer before.
            if number != last {
                last.clone_from(&number);
                done.lock().unwrap().push((number, from, to, amount));
            }
        }
    }
}

/// Balances by account and the journal, read with IDCAMS PRINT HEX from the files of the stopped region.
fn read_files(data: &Path) -> (BTreeMap<u64, i64>, Vec<Done>) {
    let balances = records(data, "BANK.PROD.ACCOUNT", 150);
    let balances = balances.iter().map(|r| (zoned(&r[..10]), packed(&r[22..29]))).collect();
    let journal = records(data, "BANK.PROD.JOURNAL", 120);
    let text = |bytes: &[u8]| bytes.iter().map(|b| char::from(b'0' + (b & 0x0F))).collect::<String>();
    let journal = journal.iter().map(|r| (text(&r[..22]), zoned(&r[22..32]), zoned(&r[32..42]), packed(&r[42..49]))).collect();
    (balances, journal)
}

fn records(data: &Path, data_set: &str, length: usize) -> Vec<Vec<u8>> {
    let flat = data.join("unload");
    let statements = data.join("statements");
    let _ = std::fs::remove_file(&flat);
    std::fs::write(&statements, format!(" REPRO INDATASET({data_set}) OUTFILE(OUT)\n")).unwrap();
    let dd = format!("OUT={}:fixed:{length}", flat.display());
    let output =
        regent().arg("idcams").arg(&statements).arg("--data").arg(data.join("data")).args(["--dd", &dd]).output().expect("regent runs");
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    std::fs::read(&flat).unwrap_or_default().chunks_exact(length).map(<[u8]>::to_vec).collect()
}

fn zoned(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value * 10 + u64::from(byte & 0x0F))
}

fn packed(bytes: &[u8]) -> i64 {
    let (last, front) = bytes.split_last().expect("a packed field has bytes");
    let digits = front.iter().fold(0i64, |value, byte| value * 100 + i64::from(byte >> 4) * 10 + i64::from(byte & 0x0F));
    let value = digits * 10 + i64::from(last >> 4);
    if last & 0x0F == 0x0D { -value } else { value }
}

/// The balances before any transfer: those now, each transfer of the journal taken back.
fn before(balances: &BTreeMap<u64, i64>, journal: &[Done]) -> BTreeMap<u64, i64> {
    let mut opening = balances.clone();
    for (_, from, to, amount) in journal {
        *opening.get_mut(from).expect("an account") += amount;
        *opening.get_mut(to).expect("an account") -= amount;
    }
    // The generator's balances are known from another compiler: 44,753.41 is the first account's.
    assert_eq!(opening[&FIRST_ACCOUNT], 4_475_341, "the journal and the balances do not agree");
    opening
}

fn check(round: u64, opening: &BTreeMap<u64, i64>, balances: &BTreeMap<u64, i64>, journal: &[Done], done: &[Done]) {
    let sum = |balances: &BTreeMap<u64, i64>| balances.values().sum::<i64>();
    assert_eq!(sum(opening), sum(balances), "round {round}: the sum of all balances changed");
    let mut expected = opening.clone();
    for (_, from, to, amount) in journal {
        *expected.get_mut(from).expect("an account") -= amount;
        *expected.get_mut(to).expect("an account") += amount;
    }
    assert!(expected == *balances, "round {round}: the journal does not explain the balances");
    let journal: HashSet<&Done> = journal.iter().collect();
    for transfer in done {
        assert!(journal.contains(transfer), "round {round}: {transfer:?} was answered as done and is not in the journal");
    }
}
