//! Maps from source to screen and back: BMS output is applied to the screen model, and the data the screen sends is mapped to the area.

use bms::attribute::Extended;
use bms::constants::*;
use bms::inbound::Body;
use bms::model::Control;
use bms::object::LoadedMapSet;
use bms::receive_map::{MappedInput, ReceiveError, receive_map};
use bms::send_map::*;
use bms::text::Translation;
use bms::{Capabilities, Inbound, Model, Screen, ScreenSize};

const SOURCE: &str = "\
SET     DFHMSD TYPE=MAP,MODE=INOUT,TIOAPFX=YES,EXTATT=YES
M1      DFHMDI SIZE=(24,80),CTRL=(FREEKB,ALARM),CURSLOC=YES
        DFHMDF POS=(1,1),ATTRB=(ASKIP,BRT),INITIAL='Title',COLOR=YELLOW
NAME    DFHMDF POS=(2,1),LENGTH=10,ATTRB=(UNPROT,FSET),COLOR=GREEN
QTY     DFHMDF POS=(3,1),LENGTH=5,ATTRB=(UNPROT,NUM,IC)
        DFHMDF POS=(3,7),LENGTH=0
DEF     DFHMDF POS=(4,1),LENGTH=8,ATTRB=UNPROT,INITIAL='default'
KEPT    DFHMDF POS=(5,1),LENGTH=4,ATTRB=UNPROT,CASE=MIXED
ROW     DFHMDF POS=(6,1),LENGTH=3,ATTRB=UNPROT,OCCURS=3
MO      DFHMDF POS=(10,1),LENGTH=2,ATTRB=UNPROT,GRPNAME=DATE
SEP     DFHMDF POS=(10,3),LENGTH=1,GRPNAME=DATE,INITIAL='-'
DA      DFHMDF POS=(10,4),LENGTH=2,GRPNAME=DATE
        DFHMDF POS=(10,7),LENGTH=0
MSG     DFHMDF POS=(24,1),LENGTH=79,ATTRB=PROT
PART    DFHMDI SIZE=(2,40),LINE=10,COLUMN=41
P1      DFHMDF POS=(2,1),LENGTH=5,ATTRB=UNPROT
WIDE    DFHMDI SIZE=(2,100)
W1      DFHMDF POS=(1,1),LENGTH=5
        DFHMSD TYPE=FINAL
";

type Kind = fn(&[u8]) -> MapData<'_>;
const MERGED: Kind = |area| MapData::Merged(area);
const DATA_ONLY: Kind = |area| MapData::DataOnly(area);

struct Bench {
    maps: LoadedMapSet,
    capabilities: Capabilities,
    screen: Screen,
    area: Vec<u8>,
    translation: Option<Translation>,
}

impl Bench {
    fn new(extended: bool) -> Bench {
        let assembly = bms::assemble("set.bms", SOURCE.as_bytes(), &codepage::CCSID_037);
        assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
        let maps = LoadedMapSet::decode(&bms::object::encode(&assembly.mapsets[0])).unwrap();
        let capabilities = Capabilities::of_model(Model::Two, extended);
        let screen = Screen::new(&capabilities, &codepage::CCSID_037);
        let area = vec![0; maps.map("M1").unwrap().1.length];
        Bench { maps, capabilities, screen, area, translation: None }
    }

    fn usage(&self) -> ScreenUse<'_> {
        ScreenUse { capabilities: &self.capabilities, alternate: false, translation: self.translation.as_ref(), full_lines: false }
    }

    fn entry(&self, name: &str, occurrence: u16) -> bms::layout::Entry {
        let (map, layout) = self.maps.map("M1").unwrap();
        *layout.find(map, name, occurrence).unwrap()
    }

    fn put(&mut self, name: &str, text: &str) {
        let offset = self.entry(name, 0).data_offset;
        let bytes = codepage::CCSID_037.encode(text);
        self.area[offset..offset + bytes.len()].copy_from_slice(&bytes);
    }

    fn send(&mut self, kind: Kind, options: SendOptions) -> MappedOutput {
        let (map, layout) = self.maps.map("M1").unwrap();
        let output = send_map(map, layout, kind(&self.area), &options, self.usage(), 1).unwrap();
        let stream = output.stream.clone();
        self.screen.apply(&stream).unwrap();
        output
    }

    fn receive(&mut self, aid: u8) -> Result<MappedInput, ReceiveError> {
        let record = self.screen.press(aid).unwrap();
        let inbound = Inbound::parse(&record, 1920, Default::default()).unwrap();
        let (map, layout) = self.maps.map("M1").unwrap();
        receive_map(map, layout, &inbound, self.usage(), Some(&codepage::CCSID_037))
    }

    fn attribute(&self, row: u16, column: u16) -> (u8, u8) {
        let field = self.screen.field_at(self.screen.address(row, column).unwrap()).unwrap();
        (field.attribute, field.color)
    }
}

const ERASE: SendOptions = SendOptions { erase: Erase::Screen, control: None, cursor: CursorOption::Absent, form_feed: false };
const UPDATE: SendOptions = SendOptions { erase: Erase::None, control: None, cursor: CursorOption::Absent, form_feed: false };

#[test]
fn map_and_data_are_merged() {
    let mut bench = Bench::new(true);
    bench.put("NAME", "Lovelace");
    let name = bench.entry("NAME", 0);
    bench.area[name.flag_offset] = 0xF8;
    bench.area[name.extended_offset(Extended::Color).unwrap()] = 0xF2;
    let output = bench.send(MERGED, ERASE);
    assert_eq!(&output.stream[..2], [SNA_CMD_EW, 0xC6], "CTRL of the map: FREEKB, ALARM");
    assert_eq!(output.cursor, Some(161), "IC");
    assert_eq!(bench.screen.cursor_place(), (3, 2));
    assert_eq!(bench.screen.row(1), " Title");
    assert_eq!(bench.screen.row(2), " Lovelace");
    assert_eq!(bench.screen.row(4), " default");
    assert_eq!(bench.screen.row(10), "   -");
    assert_eq!(bench.attribute(2, 5), (0xF8, 0xF2), "program values win");
    assert_eq!(bench.attribute(1, 5), (0xF8, 0xF6));
    assert_eq!(bench.screen.alarm_count, 1);
}

#[test]
fn map_only_and_base_terminals() {
    let mut bench = Bench::new(false);
    bench.put("DEF", "program");
    let output = bench.send(|_| MapData::MapOnly, ERASE);
    assert!(!output.stream.contains(&ORDER_SFE), "no extended orders to a terminal without them");
    assert_eq!(bench.screen.row(4), " default");
    assert_eq!(bench.attribute(2, 5), (0xC1, 0));
}

#[test]
fn data_only_changes_only_the_fields_given() {
    let mut bench = Bench::new(true);
    bench.send(|_| MapData::MapOnly, ERASE);
    bench.screen.fill_input(1, "typed").unwrap();
    bench.put("MSG", "hello");
    let name = bench.entry("NAME", 0);
    bench.area[name.flag_offset] = 0xC8;
    let control = Control { free_keyboard: true, ..Control::default() };
    let output = bench.send(DATA_ONLY, SendOptions { control: Some(control), ..UPDATE });
    assert_eq!(&output.stream[..2], [SNA_CMD_W, 0xC2], "options of the command replace CTRL");
    assert_eq!(output.cursor, None);
    assert_eq!(bench.screen.row(24), " hello");
    assert_eq!(bench.screen.row(2), " typed", "not sent, not changed");
    assert_eq!(bench.attribute(2, 5), (0xC8, 0xF4), "the colour stays");
    // X'FF' asks for the default.
    bench.area[name.extended_offset(Extended::Color).unwrap()] = 0xFF;
    bench.send(DATA_ONLY, UPDATE);
    assert_eq!(bench.attribute(2, 5), (0xC8, 0));
}

#[test]
fn flags_of_receive_map_are_no_attributes() {
    let mut bench = Bench::new(true);
    bench.send(|_| MapData::MapOnly, ERASE);
    let before = bench.attribute(2, 5);
    let name = bench.entry("NAME", 0);
    for flag in [0x80, 0x02, 0x82] {
        bench.area[name.flag_offset] = flag;
        bench.send(DATA_ONLY, UPDATE);
        assert_eq!(bench.attribute(2, 5), before, "{flag:02X}");
    }
}

#[test]
fn cursor_rules() {
    let mut bench = Bench::new(true);
    let at = |cursor| SendOptions { cursor, ..ERASE };
    assert_eq!(bench.send(MERGED, at(CursorOption::At(77))).cursor, Some(77));
    assert_eq!(bench.send(MERGED, at(CursorOption::Symbolic)).cursor, Some(161), "no -1: the map's IC");
    for name in ["KEPT", "DEF"] {
        let offset = bench.entry(name, 0).length_offset.unwrap();
        bench.area[offset..offset + 2].copy_from_slice(&[0xFF, 0xFF]);
    }
    assert_eq!(bench.send(MERGED, at(CursorOption::Symbolic)).cursor, Some(241), "the first field with -1");
    assert_eq!(bench.send(DATA_ONLY, SendOptions { cursor: CursorOption::Symbolic, ..UPDATE }).cursor, Some(241));
    assert_eq!(bench.screen.cursor_place(), (4, 2));
}

#[test]
fn options_in_the_stream() {
    let mut bench = Bench::new(true);
    bench.send(|_| MapData::MapOnly, ERASE);
    bench.screen.fill_input(1, "typed").unwrap();
    let reset = Control { reset_mdt: true, free_keyboard: true, ..Control::default() };
    bench.send(DATA_ONLY, SendOptions { erase: Erase::Unprotected, control: Some(reset), ..UPDATE });
    assert_eq!(bench.screen.row(2), "");
    assert_eq!(bench.screen.row(1), " Title");
    assert!(bench.screen.fields().iter().all(|field| !field.is_modified()));
    let print = Control { print: true, print_line: bms::model::PrintLine::Columns80, ..Control::default() };
    let output = bench.send(DATA_ONLY, SendOptions { control: Some(print), form_feed: true, ..UPDATE });
    assert_eq!(output.stream[1], bms::address::graphic(0x38));
    let stream = send_control(&SendOptions { erase: Erase::Screen, cursor: CursorOption::At(5), ..UPDATE }, bench.usage());
    assert_eq!(stream, [SNA_CMD_EW, 0x40, ORDER_SBA, 0x40, 0xC5, ORDER_IC]);
}

#[test]
fn repeated_and_grouped_fields() {
    let mut bench = Bench::new(true);
    for occurrence in 0..3 {
        let offset = bench.entry("ROW", occurrence).data_offset;
        bench.area[offset..offset + 3].fill(0xF1 + occurrence as u8);
    }
    let date = bench.entry("DATE", 0).data_offset;
    bench.area[date..date + 5].copy_from_slice(&codepage::CCSID_037.encode("12/31"));
    bench.send(MERGED, ERASE);
    assert_eq!(bench.screen.row(6), " 111 222 333");
    assert_eq!(bench.screen.row(10), " 12/31");
    let field = bench.screen.field_at(bench.screen.address(10, 2).unwrap()).unwrap();
    assert_eq!(field.length, 5, "one field on the screen");
    bench.screen.fill_field(field.start, "01-15").unwrap();
    let input = bench.receive(AID_ENTER).unwrap();
    assert_eq!(codepage::CCSID_037.decode(&input.area[date..date + 5]), "01-15");
}

#[test]
fn input_is_mapped() {
    let mut bench = Bench::new(true);
    bench.send(|_| MapData::MapOnly, ERASE);
    bench.screen.fill_input(2, "42").unwrap();
    bench.screen.fill_input(3, "Def").unwrap();
    bench.screen.fill_input(4, "MiXd").unwrap();
    bench.screen.set_cursor(241);
    let input = bench.receive(AID_PF1).unwrap();
    let item = |name: &str| {
        let entry = bench.entry(name, 0);
        let offset = entry.length_offset.unwrap();
        let length = u16::from_be_bytes([input.area[offset], input.area[offset + 1]]);
        (
            length,
            input.area[entry.flag_offset],
            codepage::CCSID_037.decode(&input.area[entry.data_offset..entry.data_offset + entry.length as usize]),
        )
    };
    assert_eq!(item("NAME"), (0, 0x80, "\0".repeat(10)), "FSET and empty: modified to nothing");
    assert_eq!(item("QTY"), (2, 0, "00042".into()), "right, zeros");
    assert_eq!(item("DEF"), (3, 0x02, "DEF     ".into()), "upper case, blanks, cursor here");
    assert_eq!(item("KEPT"), (4, 0, "MiXd".into()), "CASE=MIXED");
    assert_eq!(item("MSG"), (0, 0, "\0".repeat(79)), "not modified");
    assert!(input.area[..12].iter().all(|&byte| byte == 0));
    assert_eq!(input.field_count, 4);
}

#[test]
fn map_fail() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.receive(AID_ENTER), Err(ReceiveError::MapFail), "nothing on the screen");
    bench.screen.reset();
    bench.screen.type_text("ABC").unwrap();
    assert_eq!(bench.receive(AID_ENTER), Err(ReceiveError::MapFail), "unformatted");
    bench.screen.reset();
    bench.send(|_| MapData::MapOnly, ERASE);
    for aid in [AID_PA1, AID_CLEAR] {
        assert_eq!(bench.receive(aid), Err(ReceiveError::MapFail));
        bench.screen.reset();
    }
}

#[test]
fn ascii_regions() {
    let mut bench = Bench::new(true);
    bench.translation = Some(Translation::between(&codepage::CCSID_037, &codepage::CCSID_819));
    let name = bench.entry("NAME", 0);
    bench.area[name.data_offset..name.data_offset + 5].copy_from_slice(b"Ada\0\0");
    bench.area[name.flag_offset] = b'H';
    bench.area[name.extended_offset(Extended::Color).unwrap()] = b'2';
    bench.send(MERGED, ERASE);
    assert_eq!(bench.screen.row(2), " Ada");
    assert_eq!(bench.attribute(2, 5), (0xC8, 0xF2));
    bench.screen.fill_input(1, "bob").unwrap();
    bench.screen.fill_input(2, "7").unwrap();
    let input = bench.receive(AID_ENTER).unwrap();
    assert_eq!(&input.area[name.data_offset..name.data_offset + 10], b"BOB       ");
    let quantity = bench.entry("QTY", 0).data_offset;
    assert_eq!(&input.area[quantity..quantity + 5], b"00007");
}

#[test]
fn placed_maps_and_sizes() {
    let bench = Bench::new(true);
    let (map, layout) = bench.maps.map("PART").unwrap();
    let area = [&[0u8; 12][..], &[0; 3 + 4], &codepage::CCSID_037.encode("HERE!")].concat();
    let output = send_map(map, layout, MapData::Merged(&area), &ERASE, bench.usage(), 1).unwrap();
    let mut screen = Screen::new(&bench.capabilities, &codepage::CCSID_037);
    screen.apply(&output.stream).unwrap();
    assert_eq!(screen.find("HERE!"), Some((11, 42)));
    assert_eq!(output.next_line, 12);
    let (map, layout) = bench.maps.map("WIDE").unwrap();
    let error = send_map(map, layout, MapData::MapOnly, &ERASE, bench.usage(), 1).unwrap_err();
    assert_eq!(error, MapError::TooWide { start: 1, columns: 100, screen: 80 });
    // The same map fits the alternate size of a model 5.
    let model5 = Capabilities::of_model(Model::Five, true);
    let usage = ScreenUse { capabilities: &model5, alternate: true, translation: None, full_lines: false };
    let output = send_map(map, layout, MapData::MapOnly, &ERASE, usage, 1).unwrap();
    assert_eq!(output.stream[0], SNA_CMD_EWA);
    assert_eq!(usage.size(), ScreenSize::new(27, 132));
}

#[test]
fn fields_past_the_screen_are_left_out() {
    let source = "S       DFHMSD TYPE=MAP\nM       DFHMDI SIZE=(43,80)\nA       DFHMDF POS=(24,80),LENGTH=1\n\
B       DFHMDF POS=(25,1),LENGTH=3,INITIAL='abc'\n        DFHMSD TYPE=FINAL\n";
    let assembly = bms::assemble("s.bms", source.as_bytes(), &codepage::CCSID_037);
    let maps = LoadedMapSet::new(assembly.mapsets[0].clone());
    let bench = Bench::new(true);
    let (map, layout) = maps.map("M").unwrap();
    let area = vec![0xC1; layout.length];
    let output = send_map(map, layout, MapData::Merged(&area), &ERASE, bench.usage(), 1).unwrap();
    let mut screen = Screen::new(&bench.capabilities, &codepage::CCSID_037);
    screen.apply(&output.stream).unwrap();
    assert_eq!(screen.fields().len(), 1);
    assert_eq!(screen.text(1, 1, 80).trim(), "");
}

#[test]
fn short_areas_count_as_nulls() {
    let mut bench = Bench::new(true);
    for length in 0..bench.area.len() {
        let (map, layout) = bench.maps.map("M1").unwrap();
        let area = vec![0xE7; length];
        send_map(map, layout, MapData::Merged(&area), &ERASE, bench.usage(), 1).unwrap();
    }
    bench.area = vec![0xFF; 5000];
    bench.send(MERGED, ERASE);
    assert!(matches!(Inbound::parse(&bench.screen.press(AID_ENTER).unwrap(), 1920, Default::default()).unwrap().body, Body::Fields(_)));
}

/// DATA=BLOCK: the program's area is an image of the screen, and so is what RECEIVE MAP returns.
#[test]
fn block_data() {
    let source = "S       DFHMSD TYPE=MAP,MODE=INOUT,TIOAPFX=YES,DATA=BLOCK,CTRL=FREEKB\nM       DFHMDI SIZE=(24,80),LINE=1\n\
                  ONE     DFHMDF POS=(1,1),LENGTH=5,ATTRB=(UNPROT,IC)\nTWO     DFHMDF POS=(2,11),LENGTH=4,ATTRB=UNPROT\n        DFHMSD TYPE=FINAL\n";
    let assembly = bms::assemble("s.bms", source.as_bytes(), &codepage::CCSID_037);
    assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
    let maps = LoadedMapSet::decode(&bms::object::encode(&assembly.mapsets[0])).unwrap();
    let (map, layout) = maps.map("M").unwrap();
    let capabilities = Capabilities::of_model(Model::Two, true);
    let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None, full_lines: false };
    let mut area = vec![0; layout.length];
    let put = |area: &mut [u8], at: usize, text: &str| area[at..at + text.len()].copy_from_slice(&codepage::CCSID_037.encode(text));
    put(&mut area, 12 + 1, "FIRST");
    put(&mut area, 12 + 91, "NEXT");
    // The attribute is in front of the data: bright.
    area[12 + 90] = FA_INT_HIGH_SEL | 0xC0;
    let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
    screen.apply(&send_map(map, layout, MapData::Merged(&area), &ERASE, usage, 1).unwrap().stream).unwrap();
    assert_eq!((screen.row(1).trim_end(), screen.row(2).trim_end()), (" FIRST", "           NEXT"));
    assert_eq!(screen.field_at(screen.address(2, 12).unwrap()).unwrap().attribute & FA_INT_HIGH_SEL, FA_INT_HIGH_SEL);
    screen.fill_input(1, "AB").unwrap();
    let inbound = Inbound::parse(&screen.press(AID_ENTER).unwrap(), 1920, Default::default()).unwrap();
    let received = receive_map(map, layout, &inbound, usage, None).unwrap();
    assert_eq!(received.area.len(), layout.length);
    assert_eq!(codepage::CCSID_037.decode(&received.area[13..18]), "AB   ");
    assert!(received.area[12 + 90..].iter().all(|byte| *byte == 0), "the other field has not been modified");
}
