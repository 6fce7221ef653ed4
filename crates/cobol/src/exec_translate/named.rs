//! The files and maps that commands name by literals: what must be there when the command is executed.

use super::{ExecCommand, translate};
use crate::diagnostics::Diagnostics;
use crate::lexer::{ExecLanguage, LiteralKind, Token, TokenKind};
use crate::source::SourceMap;
use exec::{InEib, OptionId, option};
use serde::{Deserialize, Serialize};

/// What a command needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NamedResource {
    File(String),
    Map {
        mapset: String,
        /// `None`: its name is not a literal.
        map: Option<String>,
    },
}

/// A command that names a resource by a literal, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Naming {
    pub resource: NamedResource,
    /// The command's name: `READ`.
    pub command: String,
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// What the commands among the tokens of a source name.
pub fn namings(tokens: &[Token], sources: &SourceMap) -> Vec<Naming> {
    // The messages have been given where the command was compiled.
    let mut ignored = Diagnostics::default();
    let blocks = tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Exec(block) if block.language == ExecLanguage::Cics => Some((block, token.span)),
        _ => None,
    });
    let commands = blocks.filter_map(|(block, span)| translate(block, span, &mut ignored));
    commands.filter_map(|command| naming(&command, sources.file_name(command.span.file))).collect()
}

/// What one command names; `file` is the source it stands in.
pub fn naming(command: &ExecCommand, file: &str) -> Option<Naming> {
    let about = command.command.spec().resource.as_ref()?;
    // A command for another region is about the resources of that one.
    if command.option(option::SYSID).is_some() {
        return None;
    }
    let resource = match about.resource {
        "FILE" if about.in_eib == InEib::ResourceAndDataSet => {
            NamedResource::File(about.options.iter().find_map(|(id, _)| literal(command, *id))?)
        }
        "MAP" => {
            let map = literal(command, option::MAP);
            // Without MAPSET the mapset has the name of the map.
            let mapset = if command.option(option::MAPSET).is_some() { literal(command, option::MAPSET) } else { map.clone() };
            NamedResource::Map { mapset: mapset?, map }
        }
        _ => return None,
    };
    Some(Naming { resource, command: command.command.name().to_string(), file: file.to_string(), line: command.span.line })
}

/// The name that an option has as a literal of characters.
fn literal(command: &ExecCommand, id: OptionId) -> Option<String> {
    let Some([Token { kind: TokenKind::Literal(literal), .. }]) = command.option(id)?.argument.as_deref() else { return None };
    let name = literal.text.trim_end();
    (literal.kind == LiteralKind::Alphanumeric && !name.is_empty()).then(|| name.to_string())
}
