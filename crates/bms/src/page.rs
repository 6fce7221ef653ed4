//! Pages of a logical message (ACCUM, PAGING, SEND PAGE). A page is a list of orders with absolute addresses, so maps and
//! text put on it one after another join by appending. Header maps come first and trailer maps last on every page; a map
//! that does not fit raises OVERFLOW and the page stays as it is until the program has sent trailer and header.

use crate::layout::MapLayout;
use crate::model::{Control, Map, Place};
use crate::outbound::Outbound;
use crate::send_map::{MapData, MapError, ScreenUse, SendOptions, begin, map_body, place_cursor};

/// Pages of one logical message.
pub const PAGE_COUNT_MAX: usize = 32_767;

#[derive(Debug, Clone, Default)]
struct PageBody {
    orders: Vec<u8>,
    cursor: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    OnPage,
    /// OVERFLOW: the map was not placed.
    Overflow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    #[error(transparent)]
    Map(#[from] MapError),
    #[error("too many pages")]
    TooManyPages,
}

#[derive(Debug, Clone, Default)]
pub struct LogicalMessage {
    finished: Vec<PageBody>,
    current: PageBody,
    /// First free line of the current page, from 1; 0 when nothing is on it.
    next_line: u16,
    /// Lines kept for trailers.
    trailer_lines: u16,
    control: Option<Control>,
    /// OVERFLOW was raised and the next header opens a new page.
    overflowed: bool,
}

impl LogicalMessage {
    /// `trailer_lines` is the height of the largest trailer map of the mapset.
    pub fn new(trailer_lines: u16) -> LogicalMessage {
        LogicalMessage { trailer_lines, ..LogicalMessage::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.finished.is_empty() && self.current.orders.is_empty()
    }

    pub fn page_count(&self) -> usize {
        self.finished.len() + !self.current.orders.is_empty() as usize
    }

    /// SEND MAP ACCUM.
    pub fn add_map(
        &mut self,
        map: &Map,
        layout: &MapLayout,
        data: MapData,
        options: &SendOptions,
        screen: ScreenUse,
    ) -> Result<Placed, PageError> {
        let rows = screen.size().rows;
        if map.header && self.overflowed {
            self.next_page()?;
        }
        let next = self.next_line.max(1);
        let line = match map.line {
            Place::At(line) => line,
            Place::Next => next,
            Place::Same => next.saturating_sub(1).max(1),
        };
        let last = line as u32 + map.lines as u32 - 1;
        let room = if map.trailer { rows } else { rows.saturating_sub(self.trailer_lines) };
        let behind = matches!(map.line, Place::At(line) if line < next && self.next_line > 0);
        if !map.trailer && !map.header && self.next_line > 0 && (last > room as u32 || behind) {
            self.overflowed = true;
            return Ok(Placed::Overflow);
        }
        let options = SendOptions { erase: crate::send_map::Erase::Screen, ..*options };
        let body = map_body(map, layout, data, &options, screen, next)?;
        self.current.orders.extend_from_slice(&body.stream);
        self.current.cursor = body.cursor.or(self.current.cursor);
        self.next_line = body.next_line.max(self.next_line);
        self.control = options.control.or(map.control).or(self.control);
        Ok(Placed::OnPage)
    }

    /// SEND TEXT ACCUM: lines follow what is on the page and go on to new pages.
    pub fn add_text(&mut self, lines: &[Vec<u8>], screen: ScreenUse) -> Result<(), PageError> {
        let size = screen.size();
        for line in lines {
            if self.next_line.max(1) > size.rows.saturating_sub(self.trailer_lines) {
                self.next_page()?;
            }
            let row = self.next_line.max(1) - 1;
            let mut out = Outbound::body(size, screen.capabilities.addressing_for(size));
            crate::send_text::write_lines(&mut out, std::slice::from_ref(line), size.columns, row);
            self.current.orders.extend(out.finish());
            self.next_line = row + 2;
        }
        Ok(())
    }

    fn next_page(&mut self) -> Result<(), PageError> {
        if self.finished.len() >= PAGE_COUNT_MAX {
            return Err(PageError::TooManyPages);
        }
        self.finished.push(std::mem::take(&mut self.current));
        self.next_line = 0;
        self.overflowed = false;
        Ok(())
    }

    /// SEND PAGE: the streams of all pages, each an erase/write.
    pub fn finish(mut self, options: &SendOptions, screen: ScreenUse) -> Vec<Vec<u8>> {
        if !self.current.orders.is_empty() {
            self.finished.push(std::mem::take(&mut self.current));
        }
        let options = SendOptions { erase: crate::send_map::Erase::Screen, ..*options };
        let control = options.control.or(self.control).unwrap_or_default();
        self.finished
            .iter()
            .map(|page| {
                let mut out = begin(&options, control, screen);
                out.raw(&page.orders);
                place_cursor(&mut out, page.cursor);
                out.finish()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::LoadedMapSet;
    use crate::send_text::lines;
    use crate::{Capabilities, CodePage, Model, Screen, assemble};

    const SOURCE: &str = "\
S       DFHMSD TYPE=MAP,CTRL=FREEKB
HEAD    DFHMDI SIZE=(2,80),HEADER=YES,LINE=1
        DFHMDF POS=(1,1),INITIAL='HEAD'
ITEM    DFHMDI SIZE=(5,80),LINE=NEXT
        DFHMDF POS=(1,1),INITIAL='ITEM'
TAIL    DFHMDI SIZE=(2,80),TRAILER=YES,LINE=NEXT
        DFHMDF POS=(2,1),INITIAL='TAIL'
        DFHMSD TYPE=FINAL
";

    #[test]
    fn pages_overflow_and_join() {
        let assembly = assemble("s.bms", SOURCE.as_bytes(), CodePage::cp037());
        assert!(assembly.diagnostics.is_empty(), "{:?}", assembly.diagnostics);
        let maps = LoadedMapSet::new(assembly.mapsets[0].clone());
        let capabilities = Capabilities::of_model(Model::Two, true);
        let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None };
        let mut message = LogicalMessage::new(2);
        let mut add = |name: &str| {
            let (map, layout) = maps.map(name).unwrap();
            message.add_map(map, layout, MapData::MapOnly, &SendOptions::default(), usage).unwrap()
        };
        assert_eq!(add("HEAD"), Placed::OnPage);
        // 24 lines less 2 for the header and 2 for the trailer take four items of five.
        for _ in 0..4 {
            assert_eq!(add("ITEM"), Placed::OnPage);
        }
        assert_eq!(add("ITEM"), Placed::Overflow);
        assert_eq!(add("TAIL"), Placed::OnPage);
        assert_eq!(add("HEAD"), Placed::OnPage);
        assert_eq!(add("ITEM"), Placed::OnPage);
        let pages = message.finish(&SendOptions::default(), usage);
        assert_eq!(pages.len(), 2);
        let mut screen = Screen::new(&capabilities, CodePage::cp037());
        screen.apply(&pages[0]).unwrap();
        let seen: Vec<usize> = (1..=24).filter(|&row| screen.row(row as u16) == " ITEM").collect();
        assert_eq!((seen, screen.row(1).as_str(), screen.row(24).as_str()), (vec![3, 8, 13, 18], " HEAD", " TAIL"));
        screen.apply(&pages[1]).unwrap();
        assert_eq!((screen.row(1).as_str(), screen.row(3).as_str(), screen.row(8).as_str()), (" HEAD", " ITEM", ""));
        assert!(screen.is_unlocked());
    }

    #[test]
    fn text_goes_on_to_new_pages() {
        let capabilities = Capabilities::of_model(Model::Two, true);
        let usage = ScreenUse { capabilities: &capabilities, alternate: false, translation: None };
        let mut message = LogicalMessage::new(0);
        assert!(message.is_empty());
        let text = CodePage::cp037().encode(&"word ".repeat(600));
        message.add_text(&lines(&text, 79), usage).unwrap();
        assert_eq!(message.page_count(), 2);
        assert_eq!(message.finish(&SendOptions::default(), usage).len(), 2);
    }
}
