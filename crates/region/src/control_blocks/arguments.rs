//! The arguments of a command as its handler sees them: typed reading and writing by option.
//!
//! Reading an option that is absent gives `None`; writing one that is absent does nothing, so a handler can offer every output it has.
//! Invariant: an argument is marked [`Argument::SET`] exactly when the handler gave it a value.

use super::raised::Raised;
use crate::code_page::RegionCodePage;
use crate::name::Name;
use crate::storage_access::{self, Area};
use exec::block::{Argument, Block, CommandId, OptionId, Representation};
use exec::cvda;
use smallvec::SmallVec;

pub struct Arguments<'a> {
    pub command: CommandId,
    pub line: u32,
    /// RESP or NOHANDLE was given.
    pub nohandle: bool,
    arguments: &'a mut [Argument],
    /// The options that may be among them, by [`bit_of`]: a handler queries many that are absent.
    present: u64,
    code_page: &'a RegionCodePage,
    /// The name of the command's resource: the gate has read it already.
    resource: Option<ResourceName>,
}

/// The input option that names the resource, and the first `length` bytes of the name, padded with blanks.
#[derive(Clone, Copy)]
pub(crate) struct ResourceName {
    pub option: OptionId,
    pub length: usize,
    pub bytes: [u8; super::target::NAME_BYTES_MAX],
}

impl<'a> Arguments<'a> {
    pub fn new(block: &'a mut Block, code_page: &'a RegionCodePage) -> Self {
        let (command, line, nohandle) = (block.command, block.line, block.flags & Block::NOHANDLE != 0);
        let arguments = storage_access::arguments_of(block);
        let present = arguments.iter().fold(0, |present, argument| present | bit_of(argument.option));
        Self { command, line, nohandle, arguments, present, code_page, resource: None }
    }

    /// Keeps the name of the resource for [`Self::name`].
    pub(crate) fn keep_resource(&mut self, name: ResourceName) {
        debug_assert!(name.length <= name.bytes.len() && self.has(name.option));
        self.resource = Some(name);
    }

    pub fn code_page(&self) -> &'a RegionCodePage {
        self.code_page
    }

    /// All arguments, in the order written.
    pub fn all(&self) -> &[Argument] {
        self.arguments
    }

    #[inline]
    fn find(&self, option: OptionId) -> Option<&Argument> {
        super::queried::note(self.command, option);
        if self.present & bit_of(option) == 0 {
            return None;
        }
        self.arguments.iter().find(|argument| argument.option == option)
    }

    fn find_mut(&mut self, option: OptionId) -> Option<&mut Argument> {
        super::queried::note(self.command, option);
        self.arguments.iter_mut().find(|argument| argument.option == option)
    }

    #[inline]
    pub fn has(&self, option: OptionId) -> bool {
        self.find(option).is_some()
    }

    /// The value of an option that may be given as `STATUS(cvda)` or as one of its keywords. IGNORE counts as absent.
    pub fn chosen(&self, option: OptionId, keywords: &[(OptionId, i64)]) -> Option<i64> {
        let keyword = || keywords.iter().find(|(keyword, _)| self.has(*keyword)).map(|(_, value)| *value);
        self.integer(option).filter(|value| *value != cvda::IGNORE).or_else(keyword)
    }

    /// A numeric argument: data value, CVDA, pointer, HHMMSS, ABSTIME.
    pub fn integer(&self, option: OptionId) -> Option<i64> {
        let argument = self.find(option)?;
        match argument.representation {
            Representation::Integer => Some(argument.value),
            // Compiled code converts pointers and numbers, so none occurs whose storage the gate must read itself.
            _ => None,
        }
    }

    /// The label number of an option of HANDLE; 0 when the option was given without one.
    pub fn label(&self, option: OptionId) -> Option<u32> {
        self.find(option).map(label_of)
    }

    pub fn area(&self, option: OptionId) -> Option<Area> {
        let argument = self.find(option)?;
        (argument.representation == Representation::Area).then(|| Area::new(argument.address as usize, argument.length as usize))
    }

    /// The bytes of an area.
    pub fn bytes(&self, option: OptionId) -> Result<Option<Vec<u8>>, Raised> {
        match self.area(option) {
            Some(area) => Ok(Some(area.read()?)),
            None => Ok(None),
        }
    }

    /// The first `length` bytes of an area (a LENGTH option may exceed the data item; the storage that follows is then read too).
    pub fn bytes_of_length(&self, option: OptionId, length: usize) -> Result<Option<Vec<u8>>, Raised> {
        match self.area(option) {
            Some(area) => Ok(Some(Area::new(area.address, length).read()?)),
            None => Ok(None),
        }
    }

    /// A name, trimmed or padded to its length.
    pub fn name<const N: usize>(&self, option: OptionId) -> Result<Option<Name<N>>, Raised> {
        if let Some(resource) = self.resource.as_ref().filter(|resource| resource.option == option && N <= resource.length) {
            return Ok(Some(self.code_page.name(&resource.bytes[..N])));
        }
        let Some(area) = self.area(option) else { return Ok(None) };
        let mut bytes = [self.code_page.space(); N];
        let length = area.length.min(N);
        storage_access::read(area.address, &mut bytes[..length])?;
        Ok(Some(self.code_page.name(&bytes)))
    }

    /// Text of an area as a Rust string, trailing blanks dropped.
    pub fn text(&self, option: OptionId) -> Result<Option<String>, Raised> {
        Ok(self.bytes(option)?.map(|bytes| self.code_page.text(&bytes).trim_end().to_string()))
    }

    /// Gives a number (or pointer) back.
    pub fn set_integer(&mut self, option: OptionId, value: i64) {
        if let Some(argument) = self.find_mut(option) {
            argument.value = value;
            argument.flags |= Argument::SET;
        }
    }

    pub fn set_integers(&mut self, values: impl IntoIterator<Item = (OptionId, i64)>) {
        for (option, value) in values {
            self.set_integer(option, value);
        }
    }

    /// Gives text back in the region's code page, blank padded to the whole area.
    pub fn set_text(&mut self, option: OptionId, text: &str) -> Result<(), Raised> {
        let Some(area) = self.area(option) else { return Ok(()) };
        let mut bytes: SmallVec<[u8; 64]> = SmallVec::from_elem(0, area.length);
        self.code_page.fill(text, &mut bytes);
        self.write_area(option, area, &bytes)
    }

    /// As [`Self::set_text`], for at most the `length` bytes the option is documented to have.
    pub fn set_fixed_text(&mut self, option: OptionId, text: &str, length: usize) -> Result<(), Raised> {
        let Some(area) = self.area(option) else { return Ok(()) };
        let area = area.truncated(length);
        let mut bytes: SmallVec<[u8; 64]> = SmallVec::from_elem(0, area.length);
        self.code_page.fill(text, &mut bytes);
        self.write_area(option, area, &bytes)
    }

    pub fn set_name<const N: usize>(&mut self, option: OptionId, name: &Name<N>) -> Result<(), Raised> {
        let Some(area) = self.area(option) else { return Ok(()) };
        let bytes = self.code_page.encode_name(name);
        self.write_area(option, area.truncated(N), &bytes)
    }

    /// Gives blanks back.
    pub fn set_blank(&mut self, options: &[OptionId]) -> Result<(), Raised> {
        options.iter().try_for_each(|option| self.set_text(*option, ""))
    }

    /// Gives bytes back as they are; what the area does not hold is cut, what is missing is left alone.
    pub fn set_bytes(&mut self, option: OptionId, bytes: &[u8]) -> Result<(), Raised> {
        let Some(area) = self.area(option) else { return Ok(()) };
        self.write_area(option, area, bytes)
    }

    /// Writes the first bytes of an area, with no regard to its declared length (INTO with a LENGTH option).
    pub fn set_bytes_unbounded(&mut self, option: OptionId, bytes: &[u8]) -> Result<(), Raised> {
        let Some(area) = self.area(option) else { return Ok(()) };
        self.write_area(option, Area::new(area.address, bytes.len()), bytes)
    }

    fn write_area(&mut self, option: OptionId, area: Area, bytes: &[u8]) -> Result<(), Raised> {
        area.write(bytes)?;
        if let Some(argument) = self.find_mut(option) {
            argument.flags |= Argument::SET;
        }
        Ok(())
    }
}

/// Options share the bits of a word.
#[inline]
fn bit_of(option: OptionId) -> u64 {
    1 << (option.0 % u64::BITS as u16)
}

/// Label number of an argument.
pub fn label_of(argument: &Argument) -> u32 {
    if argument.representation == Representation::Label { argument.value as u32 } else { 0 }
}
