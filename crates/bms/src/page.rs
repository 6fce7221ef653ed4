//! Pages of mapped output: where SEND MAP ACCUM places its maps, and when a page is full.
//!
//! A page is a list of orders with absolute addresses, so consecutive maps are joined by appending. Rules (CICS, "Map placement rules" and
//! "Page breaks: BMS overflow processing"):
//! * maps are placed from top to bottom, and side by side where the columns are free;
//! * JUSTIFY=FIRST begins a page, unless only headers of overflow processing are on it; JUSTIFY=LAST places the map as low as possible;
//! * while the program intercepts OVERFLOW, room for the mapset's largest trailer stays free, and a map that does not fit is not placed;
//!   from then on trailers go to the full page and the first map that is no trailer opens a new one, until a map that is neither header
//!   nor trailer has been placed;
//! * otherwise a map that does not fit opens a new page by itself.

use crate::layout::MapLayout;
use crate::model::{Control, Map, Place};
use crate::send_map::{Erase, MapData, MapError, ScreenUse, SendOptions, begin, map_body, place_cursor};

/// One page: the combined output of its commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    pub orders: Vec<u8>,
    pub cursor: Option<u16>,
    /// The control options of the most recent command.
    pub control: Option<Control>,
    pub erase: Erase,
    pub form_feed: bool,
    /// Made for the alternate screen.
    pub alternate: bool,
    /// Anything has been put on it.
    pub used: bool,
}

impl Page {
    /// The outbound data stream. `erase`: on a cleared screen, regardless of the commands.
    pub fn stream(&self, screen: ScreenUse, erase: bool) -> Vec<u8> {
        let screen = ScreenUse { alternate: self.alternate, ..screen };
        let erase = if erase { Erase::Screen } else { self.erase };
        let options = SendOptions { erase, form_feed: self.form_feed, ..SendOptions::default() };
        let mut out = begin(&options, self.control.unwrap_or_default(), screen);
        out.raw(&self.orders);
        place_cursor(&mut out, self.cursor);
        out.finish()
    }

    /// Applies a command's options for the page as a whole.
    pub fn note(&mut self, options: &SendOptions, control: Option<Control>, alternate: bool) {
        self.used = true;
        self.control = options.control.or(control).or(self.control);
        self.form_feed |= options.form_feed;
        if options.erase != Erase::None && self.erase != Erase::Screen {
            self.erase = options.erase;
            self.alternate = alternate;
        } else if self.erase == Erase::None {
            self.alternate = alternate;
        }
    }
}

/// The result of placing a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placed {
    OnPage,
    /// On a new page; this one is complete.
    Completed(Page),
    /// OVERFLOW: the map was not placed.
    Overflow,
}

/// How the program builds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Building {
    /// ACCUM; without it each map is a page.
    pub accumulate: bool,
    /// The program wants to know of OVERFLOW.
    pub intercept: bool,
    /// Lines of the largest trailer of the mapset.
    pub trailer_lines: u16,
}

/// Where a map lies, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rectangle {
    line: u16,
    column: u16,
    lines: u16,
    columns: u16,
}

impl Rectangle {
    fn meets(&self, other: &Rectangle) -> bool {
        self.line < other.line + other.lines
            && other.line < self.line + self.lines
            && self.column < other.column + other.columns
            && other.column < self.column + self.columns
    }
}

#[derive(Debug, Clone, Default)]
pub struct MapPages {
    current: Page,
    placed: Vec<Rectangle>,
    /// Everything on the page is a header placed in overflow processing.
    only_headers: bool,
    /// OVERFLOW has been raised and no map but headers and trailers has been placed since.
    overflowing: bool,
    /// In overflow processing: the old page still takes trailers.
    awaiting_page: bool,
}

impl MapPages {
    /// SEND MAP with ACCUM or PAGING.
    pub fn add(
        &mut self,
        map: &Map,
        layout: &MapLayout,
        data: MapData,
        options: &SendOptions,
        screen: ScreenUse,
        building: Building,
    ) -> Result<(Placed, u16), MapError> {
        let mut completed = None;
        if !building.accumulate || self.awaiting_page && !map.trailer {
            completed = self.next_page();
        }
        let rows = screen.page().rows;
        let intercept = building.accumulate && building.intercept && !map.trailer && !self.overflowing;
        let room = if intercept { rows.saturating_sub(building.trailer_lines) } else { rows };
        let columns = screen.size().columns;
        let rectangle = match self.place(map, room, rows, columns)? {
            Some(rectangle) => rectangle,
            None if intercept => {
                self.overflowing = true;
                self.awaiting_page = true;
                return Ok((Placed::Overflow, 0));
            }
            None => {
                completed = self.next_page().or(completed);
                // On an empty page a map that is too long is truncated.
                match self.place(map, rows, rows, columns)? {
                    Some(rectangle) => rectangle,
                    None => Rectangle { line: 0, column: self.column(map, columns)?, lines: map.lines, columns: map.columns },
                }
            }
        };
        let origin = rectangle.line * columns + rectangle.column;
        let erased = self.current.erase == Erase::Screen || options.erase == Erase::Screen;
        let body_options = SendOptions { erase: if erased { Erase::Screen } else { options.erase }, ..*options };
        let body = map_body(map, layout, data, &body_options, screen, origin);
        self.current.orders.extend_from_slice(&body.stream);
        self.current.cursor = body.cursor.or(self.current.cursor);
        self.current.note(options, map.control, screen.alternate);
        self.only_headers = map.header && self.overflowing && (self.placed.is_empty() || self.only_headers);
        self.placed.push(rectangle);
        if !map.header && !map.trailer {
            self.overflowing = false;
        }
        Ok((completed.map_or(Placed::OnPage, Placed::Completed), origin))
    }

    /// SEND CONTROL with ACCUM or PAGING.
    pub fn add_control(&mut self, options: &SendOptions, cursor: Option<u16>, alternate: bool) {
        self.current.cursor = cursor.or(self.current.cursor);
        self.current.note(options, None, alternate);
    }

    /// The page being built, if it is not empty.
    pub fn finish(&mut self) -> Option<Page> {
        self.next_page()
    }

    pub fn is_empty(&self) -> bool {
        !self.current.used
    }

    fn next_page(&mut self) -> Option<Page> {
        self.placed.clear();
        self.only_headers = false;
        self.awaiting_page = false;
        let page = std::mem::take(&mut self.current);
        page.used.then_some(page)
    }

    /// First line below everything on the page.
    fn free_line(&self) -> u16 {
        self.placed.iter().map(|placed| placed.line + placed.lines).max().unwrap_or(0)
    }

    fn column(&self, map: &Map, columns: u16) -> Result<u16, MapError> {
        let last = self.placed.last();
        let start = match map.column {
            Place::At(column) if map.justify.right => (columns + 2).saturating_sub(column + map.columns).max(1) - 1,
            Place::At(column) => column.max(1) - 1,
            Place::Next => last.map_or(0, |last| last.column + last.columns),
            Place::Same => last.map_or(0, |last| last.column),
        };
        // The next column of a full line is the first of another.
        let start = if map.column == Place::Next && start + map.columns > columns { 0 } else { start };
        if u32::from(start) + u32::from(map.columns) > u32::from(columns) {
            return Err(MapError::TooWide { start: start + 1, columns: map.columns, screen: columns });
        }
        Ok(start)
    }

    /// The position of the map on the present page; `None`: it does not fit.
    fn place(&self, map: &Map, room: u16, rows: u16, columns: u16) -> Result<Option<Rectangle>, MapError> {
        let column = self.column(map, columns)?;
        let at = |line: u16| Rectangle { line, column, lines: map.lines.max(1), columns: map.columns };
        if map.justify.first && !self.placed.is_empty() && !self.only_headers {
            return Ok(None);
        }
        let last_line = self.placed.last().map_or(0, |last| last.line);
        if map.justify.last || map.justify.bottom {
            let bottom = if map.trailer { rows } else { room };
            let Some(line) = bottom.checked_sub(map.lines.max(1)) else { return Ok(None) };
            let rectangle = at(line);
            return Ok((line >= last_line && self.is_free(&rectangle)).then_some(rectangle));
        }
        let line = match map.line {
            Place::At(line) => line.max(1) - 1,
            Place::Next => self.free_line(),
            Place::Same => last_line,
        };
        if line < last_line {
            return Ok(None);
        }
        let mut rectangle = at(line);
        if !self.is_free(&rectangle) {
            if matches!(map.line, Place::At(_)) {
                return Ok(None);
            }
            rectangle = at(self.free_line());
        }
        let fits = rectangle.line + rectangle.lines <= room || self.placed.is_empty() && rectangle.line == 0;
        Ok(fits.then_some(rectangle))
    }

    fn is_free(&self, rectangle: &Rectangle) -> bool {
        !self.placed.iter().any(|placed| placed.meets(rectangle))
    }
}

/// Lines of the largest trailer map of a mapset.
pub fn trailer_lines(maps: &[Map]) -> u16 {
    maps.iter().filter(|map| map.trailer).map(|map| map.lines).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::LoadedMapSet;
    use crate::{Capabilities, Model, Screen, assemble};

    const SOURCE: &str = "\
S       DFHMSD TYPE=MAP,CTRL=FREEKB
HEAD    DFHMDI SIZE=(2,80),HEADER=YES,LINE=1
        DFHMDF POS=(1,1),INITIAL='HEAD'
ITEM    DFHMDI SIZE=(5,80),LINE=NEXT
        DFHMDF POS=(1,1),INITIAL='ITEM'
HALF    DFHMDI SIZE=(2,40),LINE=SAME,COLUMN=NEXT
        DFHMDF POS=(1,1),INITIAL='HALF'
LEFT    DFHMDI SIZE=(2,40),LINE=NEXT,COLUMN=1
        DFHMDF POS=(1,1),INITIAL='LEFT'
TOP     DFHMDI SIZE=(1,80),LINE=NEXT,JUSTIFY=FIRST
        DFHMDF POS=(1,1),INITIAL='TOP'
TAIL    DFHMDI SIZE=(2,80),TRAILER=YES,JUSTIFY=LAST
        DFHMDF POS=(2,1),INITIAL='TAIL'
        DFHMSD TYPE=FINAL
";

    struct Fixture {
        maps: LoadedMapSet,
        capabilities: Capabilities,
        pages: MapPages,
        intercept: bool,
    }

    impl Fixture {
        fn new(intercept: bool) -> Self {
            let assembly = assemble("s.bms", SOURCE.as_bytes(), &codepage::CCSID_037);
            assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
            let maps = LoadedMapSet::new(assembly.mapsets[0].clone());
            Self { maps, capabilities: Capabilities::of_model(Model::Two, true), pages: MapPages::default(), intercept }
        }

        fn usage(&self) -> ScreenUse<'_> {
            ScreenUse { capabilities: &self.capabilities, alternate: false, translation: None, full_lines: false }
        }

        fn add(&mut self, name: &str) -> Placed {
            let building = Building { accumulate: true, intercept: self.intercept, trailer_lines: 2 };
            let usage = ScreenUse { capabilities: &self.capabilities, alternate: false, translation: None, full_lines: false };
            let (map, layout) = self.maps.map(name).unwrap();
            let options = SendOptions { erase: Erase::Screen, ..SendOptions::default() };
            self.pages.add(map, layout, MapData::MapOnly, &options, usage, building).unwrap().0
        }

        fn rows(&self, page: &Page) -> Vec<(usize, String)> {
            let mut screen = Screen::new(&self.capabilities, &codepage::CCSID_037);
            screen.apply(&page.stream(self.usage(), false)).unwrap();
            (1..=24).map(|row| (row as usize, screen.row(row).trim().to_string())).filter(|(_, text)| !text.is_empty()).collect()
        }
    }

    fn text(rows: &[(usize, &str)]) -> Vec<(usize, String)> {
        rows.iter().map(|(row, text)| (*row, text.to_string())).collect()
    }

    #[test]
    fn overflow_leaves_room_for_the_trailer() {
        let mut fixture = Fixture::new(true);
        assert_eq!(fixture.add("HEAD"), Placed::OnPage);
        // 24 lines less 2 for the header and 2 for the trailer take four items of five.
        for _ in 0..4 {
            assert_eq!(fixture.add("ITEM"), Placed::OnPage);
        }
        assert_eq!(fixture.add("ITEM"), Placed::Overflow);
        assert_eq!(fixture.add("TAIL"), Placed::OnPage);
        let Placed::Completed(first) = fixture.add("HEAD") else { panic!() };
        let expected = [(1, "HEAD"), (3, "ITEM"), (8, "ITEM"), (13, "ITEM"), (18, "ITEM"), (24, "TAIL")];
        assert_eq!(fixture.rows(&first), text(&expected));
        assert_eq!(fixture.add("ITEM"), Placed::OnPage);
        let second = fixture.pages.finish().unwrap();
        assert_eq!(fixture.rows(&second), text(&[(1, "HEAD"), (3, "ITEM")]));
        assert!(fixture.pages.finish().is_none());
    }

    #[test]
    fn a_map_sent_again_after_overflow_opens_the_page() {
        let mut fixture = Fixture::new(true);
        for _ in 0..4 {
            assert_eq!(fixture.add("ITEM"), Placed::OnPage);
        }
        assert_eq!(fixture.add("ITEM"), Placed::Overflow);
        assert!(matches!(fixture.add("ITEM"), Placed::Completed(_)));
        assert_eq!(fixture.rows(&fixture.pages.current.clone()), text(&[(1, "ITEM")]));
    }

    #[test]
    fn without_interception_pages_follow_by_themselves() {
        let mut fixture = Fixture::new(false);
        for _ in 0..4 {
            assert_eq!(fixture.add("ITEM"), Placed::OnPage);
        }
        let Placed::Completed(first) = fixture.add("ITEM") else { panic!() };
        assert_eq!(fixture.rows(&first).len(), 4);
        // JUSTIFY=FIRST goes to the top of a page of its own.
        assert!(matches!(fixture.add("TOP"), Placed::Completed(_)));
        assert_eq!(fixture.rows(&fixture.pages.current.clone()), text(&[(1, "TOP")]));
    }

    #[test]
    fn maps_lie_side_by_side() {
        let mut fixture = Fixture::new(false);
        fixture.add("LEFT");
        fixture.add("HALF");
        fixture.add("LEFT");
        let page = fixture.pages.finish().unwrap();
        let rows = fixture.rows(&page);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0], (1, format!("LEFT{:36}HALF", "")));
        assert_eq!(rows[1], (3, "LEFT".to_string()));
    }

    #[test]
    fn without_accum_each_map_is_a_page() {
        let mut fixture = Fixture::new(false);
        let usage = ScreenUse { capabilities: &fixture.capabilities, alternate: false, translation: None, full_lines: false };
        let (map, layout) = fixture.maps.map("ITEM").unwrap();
        let mut add = || fixture.pages.add(map, layout, MapData::MapOnly, &SendOptions::default(), usage, Building::default()).unwrap().0;
        assert_eq!(add(), Placed::OnPage);
        assert!(matches!(add(), Placed::Completed(_)));
    }
}
