//! A small host on the server (one BMS map, echoed), and s3270 as an independent client.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bms::Inbound;
use bms::constants::*;
use bms::model::Control;
use bms::object::LoadedMapSet;
use bms::receive_map::receive_map;
use bms::send_map::{CursorOption, Erase, MapData, ScreenUse, SendOptions, send_map};
use tn3270::{CloseReason, Config, LuAssignment, LuRefusal, LuRequest, Record, RecordKind, Server, Session, SessionHandler, SessionInfo};

/// NAME is echoed into MSG; AMOUNT is numeric; SECRET is not shown.
const SOURCE: &str = "\
DEMO    DFHMSD TYPE=&SYSPARM,MODE=INOUT,TIOAPFX=YES,EXTATT=YES
MAP1    DFHMDI SIZE=(24,80),CTRL=(FREEKB,FRSET)
        DFHMDF POS=(1,30),ATTRB=(ASKIP,BRT),INITIAL='ECHO HOST'
LU      DFHMDF POS=(1,60),LENGTH=8,ATTRB=ASKIP,COLOR=BLUE
        DFHMDF POS=(3,1),LENGTH=5,INITIAL='Name:'
NAME    DFHMDF POS=(3,10),LENGTH=20,ATTRB=(UNPROT,IC),COLOR=GREEN
        DFHMDF POS=(3,31),LENGTH=0
        DFHMDF POS=(4,1),LENGTH=7,INITIAL='Amount:'
AMOUNT  DFHMDF POS=(4,10),LENGTH=6,ATTRB=(UNPROT,NUM)
        DFHMDF POS=(4,17),LENGTH=0
SECRET  DFHMDF POS=(5,10),LENGTH=8,ATTRB=(UNPROT,DRK)
        DFHMDF POS=(5,19),LENGTH=0
MSG     DFHMDF POS=(24,1),LENGTH=79,ATTRB=(PROT,BRT),COLOR=RED
        DFHMSD TYPE=FINAL
";

pub struct EchoHost {
    maps: LoadedMapSet,
    /// Use the alternate size.
    alternate: bool,
    pub attentions: AtomicU64,
    pub system_requests: AtomicU64,
    pub responses: AtomicU64,
    pub ended: AtomicU64,
}

impl EchoHost {
    pub fn new(alternate: bool) -> Arc<EchoHost> {
        let assembly = bms::assemble("demo.bms", SOURCE.as_bytes(), &codepage::CCSID_037);
        assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
        let bytes = bms::object::encode(&assembly.mapsets[0]);
        Arc::new(EchoHost {
            maps: LoadedMapSet::decode(&bytes).unwrap(),
            alternate,
            attentions: AtomicU64::new(0),
            system_requests: AtomicU64::new(0),
            responses: AtomicU64::new(0),
            ended: AtomicU64::new(0),
        })
    }

    fn screen<'a>(&self, info: &'a SessionInfo) -> ScreenUse<'a> {
        ScreenUse { capabilities: &info.capabilities, alternate: self.alternate, translation: None, full_lines: false }
    }

    /// Sends the map with texts put into its fields.
    fn show(&self, session: &Session, erase: bool, texts: &[(&str, &str)]) {
        let info = session.info().expect("connected");
        let (map, layout) = self.maps.map("MAP1").expect("map");
        let mut area = vec![0; layout.length];
        for (name, text) in texts {
            let entry = layout.find(map, name, 0).expect("field");
            let bytes = codepage::CCSID_037.encode(text);
            let length = bytes.len().min(entry.length as usize);
            area[entry.data_offset..entry.data_offset + length].copy_from_slice(&bytes[..length]);
        }
        let (data, erase) = if erase { (MapData::Merged(&area), Erase::Screen) } else { (MapData::DataOnly(&area), Erase::None) };
        let control = (!matches!(erase, Erase::Screen)).then_some(Control { free_keyboard: true, alarm: true, ..Control::default() });
        let options = SendOptions { erase, control, cursor: CursorOption::Absent, form_feed: false };
        let output = send_map(map, layout, data, &options, self.screen(info), 1).expect("map fits");
        if info.functions.contains(&TN3270E_FUNC_RESPONSES) && erase == Erase::Screen {
            assert!(session.send_requesting_response(&output.stream, tn3270::Room::Usual).expect("send").is_some());
        } else {
            session.send(&output.stream).expect("send");
        }
    }
}

impl SessionHandler for EchoHost {
    fn assign_lu(&self, request: &LuRequest) -> Result<LuAssignment, LuRefusal> {
        if request.name.as_deref() == Some("NOSUCH") { Err(LuRefusal::UnknownName) } else { Ok(LuAssignment::Default) }
    }

    fn connected(&self, session: &Session, info: &SessionInfo) {
        self.show(session, true, &[("LU", &info.lu), ("MSG", "ready")]);
    }

    fn received(&self, session: &Session, record: Record<'_>) {
        match record.kind {
            RecordKind::Attention => drop(self.attentions.fetch_add(1, Ordering::Relaxed)),
            RecordKind::SystemRequest => drop(self.system_requests.fetch_add(1, Ordering::Relaxed)),
            RecordKind::Response { positive, .. } => {
                assert!(positive);
                self.responses.fetch_add(1, Ordering::Relaxed);
            }
            RecordKind::SscpLu => {}
            RecordKind::Data => self.answer(session, record.data),
        }
    }

    fn disconnected(&self, _session: &Session, _reason: CloseReason) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }
}

impl EchoHost {
    fn answer(&self, session: &Session, data: &[u8]) {
        let info = session.info().expect("connected");
        let screen = self.screen(info);
        let size = screen.size();
        let inbound = match Inbound::parse(data, size.positions(), info.capabilities.addressing_for(size)) {
            Ok(inbound) => inbound,
            Err(error) => return self.show(session, true, &[("MSG", &error.to_string())]),
        };
        match inbound.aid {
            AID_CLEAR => self.show(session, true, &[("MSG", "cleared")]),
            AID_PF3 => session.close(),
            _ => {
                let (map, layout) = self.maps.map("MAP1").expect("map");
                let text = match receive_map(map, layout, &inbound, screen, None) {
                    Ok(input) => {
                        let value = |name: &str| {
                            let entry = layout.find(map, name, 0).expect("field");
                            codepage::CCSID_037
                                .decode(&input.area[entry.data_offset..entry.data_offset + entry.length as usize])
                                .replace('\0', "~")
                        };
                        format!(
                            "{} name={} amount={} secret={}",
                            key_by_aid(inbound.aid).unwrap_or("?"),
                            value("NAME").trim_end(),
                            value("AMOUNT"),
                            value("SECRET").trim_end()
                        )
                    }
                    Err(error) => format!("{} {error}", key_by_aid(inbound.aid).unwrap_or("?")),
                };
                self.show(session, false, &[("MSG", &format!("{text:<79}"))]);
            }
        }
    }
}

pub fn start(config: Config, alternate: bool) -> (Server, Arc<EchoHost>) {
    let host = EchoHost::new(alternate);
    (Server::listen("127.0.0.1:0", config, host.clone()).expect("listen"), host)
}

/// s3270 driven by its standard input.
pub struct S3270 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub status: Vec<String>,
}

impl S3270 {
    pub fn start(arguments: &[&str]) -> S3270 {
        let mut child = Command::new("s3270")
            .args(["-utf8", "-connecttimeout", "5"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("s3270 is needed for this test (Debian package s3270)");
        let input = child.stdin.take().expect("pipe");
        let output = BufReader::new(child.stdout.take().expect("pipe"));
        S3270 { child, input, output, status: Vec::new() }
    }

    pub fn try_run(&mut self, action: &str) -> Result<Vec<String>, String> {
        writeln!(self.input, "{action}").expect("s3270 is there");
        let mut data = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("s3270 is there") == 0 {
                return Err(format!("{action}: s3270 ended"));
            }
            let line = line.trim_end_matches('\n');
            match line.strip_prefix("data: ").or(line.strip_prefix("data:")) {
                Some(text) => data.push(text.to_string()),
                None if line == "ok" => return Ok(data),
                None if line == "error" => return Err(format!("{action}: {}", data.join(" "))),
                None => self.status = line.split(' ').map(str::to_string).collect(),
            }
        }
    }

    pub fn run(&mut self, action: &str) -> Vec<String> {
        self.try_run(action).unwrap()
    }

    /// The screen's lines.
    pub fn rows(&mut self) -> Vec<String> {
        self.run("Ascii()")
    }

    /// Row and column of the cursor, from 1.
    pub fn cursor(&mut self) -> (usize, usize) {
        self.run("Ascii(0,0,1)");
        (self.status[8].parse::<usize>().unwrap() + 1, self.status[9].parse::<usize>().unwrap() + 1)
    }
}

impl Drop for S3270 {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "Quit()");
        std::thread::sleep(std::time::Duration::from_millis(20));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
