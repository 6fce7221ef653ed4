//! The data of a command, or of a program that starts: the values of options, and fields of areas and containers.
//!
//! Invariant: storage of the program is read through the guarded copies of the region; an address that cannot be read is [`Unreadable`].

use super::point::{Place, When};
use super::{Field, LENGTH_MAX};
use exec::block::{Argument, Representation};
use exec::{OptionId, option};
use region::Task;
use region::name::Name16;
use region::storage_access::Area;

/// The arguments of a command, when an event of it may be captured, and its response.
pub struct Moment {
    pub arguments: Vec<Argument>,
    pub when: When,
    pub response: u16,
}

/// Storage of the program cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreadable;

/// Lengths of FROM, of INTO, of a COMMAREA.
const FROM_LENGTHS: [OptionId; 5] = [option::FROMLENGTH, option::FROMFLENGTH, option::FLENGTH, option::LENGTH, option::TEXTLENGTH];
const INTO_LENGTHS: [OptionId; 4] = [option::TOLENGTH, option::TOFLENGTH, option::FLENGTH, option::LENGTH];
/// Other spellings of options.
const SYNONYMS: [(&str, OptionId); 1] = [("QNAME", option::QUEUE)];

impl Moment {
    fn argument(&self, option: OptionId) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.option == option)
    }

    fn number(&self, options: &[OptionId]) -> Option<usize> {
        let given = |option: &OptionId| self.argument(*option).filter(|argument| argument.representation == Representation::Integer);
        options.iter().find_map(given).and_then(|argument| usize::try_from(argument.value).ok())
    }

    fn area(&self, option: OptionId) -> Option<Area> {
        let argument = self.argument(option).filter(|argument| argument.representation == Representation::Area)?;
        Some(Area::new(argument.address as usize, argument.length as usize))
    }

    /// The value of an option as text; `None`: the command does not have it.
    pub fn option(&self, task: &Task, name: &str) -> Result<Option<String>, Unreadable> {
        if self.when == When::Start {
            let level = task.level();
            return Ok(match name {
                "PROGRAM" => Some(task.program_name().as_str().trim_end().to_string()),
                "CHANNEL" => level.and_then(|level| level.channel.as_ref()).map(|channel| channel.name().as_str().trim_end().to_string()),
                _ => None,
            });
        }
        let synonym = || SYNONYMS.iter().find(|(known, _)| *known == name).map(|(_, option)| *option);
        let given = exec::option_by_name(name).and_then(|option| self.area(option)).or_else(|| self.area(synonym()?));
        let Some(area) = given else { return Ok(None) };
        let bytes = area.read().map_err(|_| Unreadable)?;
        Ok(Some(task.region.code_page.text(&bytes).trim_end().to_string()))
    }

    /// The bytes of a field; `None`: the command does not have the data, it ends before the field does, or a field to its end is too long.
    pub fn data(&self, task: &Task, field: &Field) -> Result<Option<Vec<u8>>, Unreadable> {
        if field.place.is_channel() {
            return Ok(self.container(task, field));
        }
        let Some(area) = self.source(task, field.place) else { return Ok(None) };
        let rest = area.length.saturating_sub(field.offset);
        let length = if field.length == 0 { rest } else { field.length };
        if length > rest || rest == 0 || length > LENGTH_MAX {
            return Ok(None);
        }
        Area::new(area.address + field.offset, length).read().map(Some).map_err(|_| Unreadable)
    }

    /// The area of a source, as long as the program says it is.
    fn source(&self, task: &Task, place: Place) -> Option<Area> {
        let sized = |area: Area, lengths: &[OptionId]| match self.number(lengths) {
            Some(length) => Area::new(area.address, length),
            None => area,
        };
        match place {
            Place::Commarea if self.when == When::Start => task.level().map(|level| level.commarea).filter(|area| area.length > 0),
            Place::Commarea => self.area(option::COMMAREA).map(|area| sized(area, &[option::LENGTH])),
            Place::From => self.area(option::FROM).map(|area| sized(area, &FROM_LENGTHS)),
            Place::Text => self.area(option::TEXT).map(|area| sized(area, &FROM_LENGTHS)),
            Place::Ridfld => self.area(option::RIDFLD).map(|area| sized(area, &[option::KEYLENGTH])),
            Place::IntoSet => {
                let length = self.number(&INTO_LENGTHS);
                if let Some(area) = self.area(option::INTO) {
                    // The data is longer than the area if it has been cut.
                    return Some(area.truncated(length.unwrap_or(area.length)));
                }
                let address = self.number(&[option::SET])?;
                Some(Area::new(address, length?))
            }
            Place::Channel | Place::FromChannel => None,
        }
    }

    fn container(&self, task: &Task, field: &Field) -> Option<Vec<u8>> {
        let channel = match (self.when, field.place) {
            (When::Start, _) => task.level()?.channel.clone(),
            (_, Place::FromChannel) => task.visible_channel(self.channel_name(task, option::FROMCHANNEL)?),
            _ => task.visible_channel(self.channel_name(task, option::CHANNEL)?),
        };
        let bytes = channel?.with(Name16::new(&field.container), |container| {
            let rest = container.data.get(field.offset..)?;
            let length = if field.length == 0 { rest.len() } else { field.length };
            rest.get(..length).filter(|data| data.len() <= LENGTH_MAX).map(<[u8]>::to_vec)
        });
        bytes.flatten()
    }

    fn channel_name(&self, task: &Task, option: OptionId) -> Option<Name16> {
        let bytes = self.area(option)?.read().ok()?;
        Some(task.region.code_page.name(&bytes))
    }
}
