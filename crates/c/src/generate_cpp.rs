//! The translation of a command in C++: the same block as in C, filled by the templates of `regent.hpp`, which know the types of arguments.

use crate::generate::{Context, GENERATED, Passing, Written, name_length, packed_bytes, passing, written};
use cobol::exec_translate::{ExecCommand, ExecOption};
use exec::block::{Argument, Block, Representation};
use exec::{Direction, Numeric, OptionId, OptionSpec};
use std::fmt::Write as _;

/// The command's text, which ends on a separate line.
pub fn command(context: &Context<'_>, command: &ExecCommand) -> String {
    let mut body = Body { context, text: String::new(), after: String::new(), count: 0 };
    for option in &command.options {
        body.option(option);
    }
    for (id, response) in [(exec::option::RESP, &command.resp), (exec::option::RESP2, &command.resp2)] {
        if let Some(response) = response {
            let written = written(context, &response.argument);
            body.place(&written);
            body.begin(id, Representation::Integer);
            body.number_out(&written, Numeric::Fullword);
            body.count += 1;
        }
    }
    let Body { text, after, count, .. } = body;
    let (text, after) = (text.replace(";\n", "; "), after.replace(";\n", "; "));
    let (number, flags) = (command.command.0, Block::NOHANDLE);
    format!(
        "\n#line {0} \"{GENERATED}\"\n{{ regent_argument regent_a[{1}] = {{}}; {text}\
         regent_execute({number}, {flags}, {0}, {2}, regent_a, {count}); {after}}}",
        context.line,
        count.max(1),
        context.statement
    )
}

struct Body<'a> {
    context: &'a Context<'a>,
    text: String,
    after: String,
    count: usize,
}

impl Body<'_> {
    fn option(&mut self, option: &ExecOption) {
        let spec = option.spec;
        let Some(tokens) = &option.argument else {
            self.begin(spec.id, Representation::Flag);
            self.count += 1;
            return;
        };
        let argument = written(self.context, tokens);
        self.place(&argument);
        match passing(spec) {
            Passing::Flag => self.begin(spec.id, Representation::Flag),
            Passing::PointerOut => self.pointer_out(spec.id, &argument),
            Passing::PointerIn => self.pointer_in(spec.id, &argument),
            Passing::Number => self.number(spec, spec.direction, &argument),
            Passing::Area => self.area(spec, &argument),
        }
        self.count += 1;
    }

    fn begin(&mut self, option: OptionId, representation: Representation) {
        let at = self.count;
        let _ = writeln!(self.text, "regent_a[{at}].option = {}; regent_a[{at}].representation = {};", option.0, representation as u8);
    }

    /// Shows the expression to the compiler at its place in the source without using it, so that its errors are found there.
    fn place(&mut self, argument: &Written) {
        let Context { file, line, .. } = self.context;
        let indent = " ".repeat(argument.column.saturating_sub(1));
        let _ = writeln!(
            self.text,
            "(void)sizeof(\n#line {} \"{file}\"\n{indent}{}\n#line {line} \"{GENERATED}\"\n);",
            argument.line, argument.text
        );
    }

    fn number(&mut self, spec: &OptionSpec, direction: Direction, argument: &Written) {
        self.begin(spec.id, Representation::Integer);
        let stores = direction.is_output() && argument.is_place;
        if direction != Direction::Out || !stores {
            let (at, text) = (self.count, &argument.text);
            let convert = match packed_bytes(spec.numeric) {
                Some(bytes) if argument.is_place => format!("regent_number<{bytes}>"),
                _ => "regent_plain".to_string(),
            };
            let _ = writeln!(self.text, "regent_a[{at}].value = {convert}({text});");
        }
        if stores {
            self.number_out(argument, spec.numeric);
        }
    }

    fn number_out(&mut self, argument: &Written, numeric: Numeric) {
        let (at, set, bytes) = (self.count, Argument::SET, packed_bytes(numeric).unwrap_or(0));
        let store = if bytes == 0 { "regent_assign".to_string() } else { format!("regent_store<{bytes}>") };
        let _ = writeln!(self.after, "if (regent_a[{at}].flags & {set}) {store}({}, regent_a[{at}].value);", argument.text);
    }

    fn pointer_in(&mut self, option: OptionId, argument: &Written) {
        self.begin(option, Representation::Integer);
        let ampersand = if argument.ampersand { "&" } else { "" };
        let _ = writeln!(self.text, "regent_a[{}].value = (unsigned long)({ampersand}({}));", self.count, argument.text);
    }

    fn pointer_out(&mut self, option: OptionId, argument: &Written) {
        self.begin(option, Representation::Integer);
        let (at, set) = (self.count, Argument::SET);
        let _ = writeln!(self.after, "if (regent_a[{at}].flags & {set}) regent_point({}, regent_a[{at}].value);", argument.text);
    }

    fn area(&mut self, spec: &OptionSpec, argument: &Written) {
        self.begin(spec.id, Representation::Area);
        let (at, text, fixed) = (self.count, &argument.text, spec.length);
        if argument.is_string {
            let _ = writeln!(self.text, "regent_a[{at}].address = (unsigned long)({text}); regent_a[{at}].length = sizeof({text}) - 1;");
            return;
        }
        let set = match (argument.is_place, argument.ampersand) {
            (true, true) => "regent_set_object",
            (true, false) => "regent_set_area",
            (false, _) => "regent_set_value",
        };
        let ampersand = if argument.ampersand && !argument.is_place { "&" } else { "" };
        let _ =
            writeln!(self.text, "unsigned long long regent_t{at} = 0;\n{set}(regent_a[{at}], regent_t{at}, {ampersand}({text}), {fixed});");
        if argument.is_place && spec.direction.is_output() {
            let _ = writeln!(self.after, "if (regent_a[{at}].flags & {}) regent_back({text}, regent_t{at});", Argument::SET);
        }
        self.text += &name_length(spec, at);
    }
}
