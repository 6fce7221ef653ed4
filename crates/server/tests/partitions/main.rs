//! Partitions: a client of this test that answers the Query with Alphanumeric Partitions, as an IBM 3290 does. s3270 has none, and what the
//! programs say about partitions has no effect there.

#[path = "../cobol_support/mod.rs"]
mod cobol_support;
#[path = "../scratch/mod.rs"]
mod scratch;

use bms::constants::*;
use bms::partition;
use bms::{Capabilities, Model, Screen, ScreenSize};
use cobol_support::Setup;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;
use tn3270::client_protocol::ClientEvent;
use tn3270::{Client, ClientConfig, ClientProtocol, RecordKind};

const PARTITIONS: &str = "\
HALVES   DFHPSD ALTSCRN=(24,80)
P1       DFHPDI VIEWPOS=(1,1),VIEWSZE=(10,80)
P2       DFHPDI VIEWPOS=(11,1),VIEWSZE=(10,80),BUFSZE=(16,80)
         DFHPDI VIEWPOS=(24,1),VIEWSZE=(1,80),ATTRB=ERROR
         DFHPSD TYPE=FINAL
         END
";
const MAPS: &str = "\
PMAPS    DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,STORAGE=AUTO
TITLES   DFHMDI SIZE=(10,80)
         DFHMDF POS=(1,1),INITIAL='UPPER HALF'
NAMES    DFHMDI SIZE=(10,80),PARTN=(P2,ACTIVATE)
         DFHMDF POS=(1,1),INITIAL='LOWER HALF'
NAME     DFHMDF POS=(2,10),LENGTH=8,ATTRB=(UNPROT,IC)
         DFHMDF POS=(2,19),LENGTH=1,ATTRB=ASKIP
         DFHMSD TYPE=FINAL
         END
";
/// Buffer address of the first character of NAME, in both halves.
const NAME: u16 = 80 + 10;

fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let setup: &'static Setup = Box::leak(Box::new(Setup::start_with("PARTREG", |_| {})));
        let maps = bms::assemble("pmaps.bms", MAPS.as_bytes(), &codepage::CCSID_037);
        assert!(maps.diagnostics.is_empty(), "{:?}", maps.diagnostics);
        std::fs::write(setup.library().join("PMAPS.rlm"), bms::object::encode(&maps.mapsets[0])).unwrap();
        let set = bms::assemble("halves.bms", PARTITIONS.as_bytes(), &codepage::CCSID_037);
        assert!(set.diagnostics.is_empty(), "{:?}", set.diagnostics);
        std::fs::write(setup.library().join("HALVES.rlm"), partition::encode(&set.partition_sets[0])).unwrap();
        let source = std::fs::read(format!("{}/tests/partitions/PARTPGM.cbl", env!("CARGO_MANIFEST_DIR"))).unwrap();
        setup.compile_source("PARTPGM", &source);
        setup.define_program("PARTPGM", &[]);
        setup.define_transaction("PTNB", "PARTPGM");
        let definition = csd::Definition::new("TRANSACTION", "PTNA", "TEST").with("PROGRAM", "PARTPGM").with("PARTITIONSET", "HALVES");
        setup.region.install(&definition).unwrap();
        terminals::terminal_control::listen(setup.region, "127.0.0.1:0").unwrap()
    })
}

/// A display with up to eight partitions.
struct Panel {
    stream: TcpStream,
    protocol: ClientProtocol,
    records: VecDeque<Vec<u8>>,
}

impl Panel {
    fn connect() -> Panel {
        let stream = TcpStream::connect(address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let config = ClientConfig { tn3270e: false, ..ClientConfig::default() };
        Panel { stream, protocol: ClientProtocol::new(config), records: VecDeque::new() }
    }

    fn read(&mut self) {
        let mut buffer = [0; 8_192];
        let count = self.stream.read(&mut buffer).expect("the region answers in time");
        assert!(count > 0, "the region has ended the session");
        let mut out = Vec::new();
        let records = &mut self.records;
        let fed = self.protocol.feed(&buffer[..count], &mut out, |event, outgoing| {
            let ClientEvent::Record { kind: RecordKind::Data, data } = event else { return };
            if data == bms::outbound::query() {
                // Query Reply: Alphanumeric Partitions, with eight of them.
                outgoing.data(&[AID_STRF, 0, 8, SFID_QREPLY, QR_ALPHA_PART, 8, 0x40, 0, 0]);
            } else {
                records.push_back(data.to_vec());
            }
        });
        fed.unwrap();
        self.stream.write_all(&out).unwrap();
    }

    /// The next record from the region.
    fn next(&mut self) -> Vec<u8> {
        while self.records.is_empty() {
            self.read();
        }
        self.records.pop_front().unwrap()
    }

    /// The structured fields of the next record that is not only a write to free the keyboard.
    fn fields(&mut self) -> Vec<(u8, Vec<u8>)> {
        let record = self.next();
        assert_eq!(record[0], SNA_CMD_WSF, "{record:02X?}");
        let mut rest = &record[1..];
        let mut fields = Vec::new();
        while rest.len() > 2 {
            let length = usize::from(u16::from_be_bytes([rest[0], rest[1]]));
            fields.push((rest[2], rest[3..length].to_vec()));
            rest = &rest[length..];
        }
        fields
    }

    fn send(&mut self, record: &[u8]) {
        let mut out = Vec::new();
        self.protocol.push_data(record, &mut out);
        self.stream.write_all(&out).unwrap();
    }

    /// A transaction typed on the cleared screen.
    fn run(&mut self, transid: &str) {
        while !self.next().starts_with(&[SNA_CMD_EW]) {}
        self.send(&[AID_CLEAR]);
        self.next();
        self.send(&[&[AID_ENTER, 0x40, 0x40], &codepage::CCSID_037.encode(transid)[..]].concat());
    }

    /// ENTER in a partition, with a name typed.
    fn enter(&mut self, id: u8, name: &str) {
        let position = bms::address::Addressing::Bits12.encode(NAME);
        let mut inner = vec![AID_ENTER];
        inner.extend(position);
        inner.push(ORDER_SBA);
        inner.extend(position);
        inner.extend(codepage::CCSID_037.encode(name));
        let length = (inner.len() as u16 + 4).to_be_bytes();
        self.send(&[&[AID_STRF], &length[..], &[SFID_INBOUND_DS, id], &inner].concat());
    }
}

/// The lines that a write to a partition shows.
fn shown(field: &(u8, Vec<u8>), id: u8, rows: u16) -> Vec<String> {
    let (kind, data) = field;
    assert_eq!((*kind, data[0]), (SF_OUTBOUND_DS, id), "{data:02X?}");
    let size = ScreenSize::new(rows, 80);
    let capabilities = Capabilities { default_size: size, alternate_size: size, ..Capabilities::of_model(Model::Two, true) };
    let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
    screen.apply(&data[1..]).unwrap();
    screen.rows().iter().map(|row| row.trim().to_string()).filter(|row| !row.is_empty()).collect()
}

#[test]
fn maps_go_to_their_partitions_and_input_comes_from_the_expected_one() {
    let mut panel = Panel::connect();
    panel.run("PTNA");
    // The partitions first: everything that was there goes, then three are made.
    let created = panel.fields();
    let kinds: Vec<u8> = created.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [SF_ERASE_RESET, SF_CREATE_PART, SF_CREATE_PART, SF_CREATE_PART]);
    assert_eq!(created[2].1[..], [1, 0, 0, 0, 16, 0, 80, 0, 10, 0, 0, 0, 10, 0, 80, 0, 0, 0, 0, 0, 1]);
    let first = panel.fields();
    assert_eq!((first.len(), shown(&first[0], 0, 10)), (1, vec!["UPPER HALF".to_string()]));
    // PARTN=(P2,ACTIVATE) of the map.
    let second = panel.fields();
    assert_eq!((second.len(), shown(&second[0], 1, 16)), (2, vec!["LOWER HALF".to_string()]));
    assert_eq!(second[1], (SF_ACTIVATE_PARTITION, vec![1]));
    // Input from P1 is refused, with a message in the partition of errors, and the cursor goes to P2.
    panel.enter(0, "WRONG");
    let refused = panel.fields();
    assert_eq!(refused[1], (SF_ACTIVATE_PARTITION, vec![1]));
    assert_eq!(shown(&refused[2], 2, 1), ["Input is expected from partition P2"]);
    panel.enter(1, "RIGHT");
    let answer = panel.fields();
    assert_eq!(shown(&answer[0], 0, 10), ["00 00 00 HALVES P2 RIGHT"]);
    assert_eq!(answer[1], (SF_ACTIVATE_PARTITION, vec![0]));
}

#[test]
fn an_operator_who_persists_gets_partnfail() {
    let mut panel = Panel::connect();
    panel.run("PTNA");
    for _ in 0..3 {
        panel.fields();
    }
    for _ in 0..3 {
        panel.enter(0, "WRONG");
        panel.fields();
    }
    panel.enter(0, "WRONG");
    let answer = panel.fields();
    // PARTNFAIL is 66.
    assert!(shown(&answer[0], 0, 10)[0].starts_with("00 00 66 HALVES P1"), "{:?}", shown(&answer[0], 0, 10));
}

#[test]
fn a_program_chooses_its_partitions_and_goes_back_to_the_base_state() {
    let mut panel = Panel::connect();
    panel.run("PTNB");
    assert_eq!(panel.fields().len(), 4, "the partitions");
    // A message of two partitions; INVPARTNSET is 64, INVPARTN 65.
    let text = panel.fields();
    assert_eq!(shown(&text[0], 0, 10), ["64 00 65"]);
    let map = panel.fields();
    assert_eq!(shown(&map[0], 1, 16), ["LOWER HALF"]);
    panel.enter(1, "ADA");
    // All partitions go, and the text is for the whole screen.
    assert_eq!(panel.fields(), [(SF_ERASE_RESET, vec![SF_ER_DEFAULT])]);
    let record = panel.next();
    let mut screen = Screen::new(&Capabilities::of_model(Model::Two, true), &codepage::CCSID_037);
    screen.apply(&record).unwrap();
    assert_eq!(screen.row(1).trim(), "00 00 FROM P2 ADA");
}

#[test]
fn terminals_without_partitions_ignore_them() {
    let mut client = Client::connect(address(), ClientConfig::default(), Duration::from_secs(20)).unwrap();
    client.wait_greeting().unwrap();
    client.enter("CLEAR").unwrap();
    client.run("PTNA").unwrap();
    client.wait_text("LOWER HALF").unwrap();
    client.fill_at(2, 11, "GRACE").unwrap();
    client.enter("ENTER").unwrap();
    client.wait_text("00 00 00").unwrap();
    assert!(client.text().contains("GRACE") && !client.text().contains("HALVES"), "{}", client.text());
}
