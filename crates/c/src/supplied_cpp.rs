//! What C++ programs are compiled with besides the headers and the run time of C: headers of their own, the run time of exceptions, and the
//! sources of the CICS foundation classes. Headers that list facts are generated from the tables of `exec`.

use crate::supplied;
use std::fmt::Write as _;

/// Headers as they are, by name: those of the compiler's language, then those of the foundation classes by their names in the manual.
const HEADERS: [(&str, &str); 36] = [
    ("regent.hpp", include_str!("../include/cpp/regent.hpp")),
    ("stdio.h", include_str!("../include/cpp/stdio.h")),
    ("stdbool.h", "#include_next <stddef.h>\n"),
    ("new", include_str!("../include/cpp/new")),
    ("exception", include_str!("../include/cpp/exception")),
    ("icceh.hpp", include_str!("../include/cpp/icceh.hpp")),
    ("iccmain.hpp", include_str!("../include/cpp/iccmain.hpp")),
    ("iccabdeh.hpp", include_str!("../include/cpp/iccabdeh.hpp")),
    ("iccbaseh.hpp", include_str!("../include/cpp/iccbaseh.hpp")),
    ("iccbufeh.hpp", include_str!("../include/cpp/iccbufeh.hpp")),
    ("iccclkeh.hpp", include_str!("../include/cpp/iccclkeh.hpp")),
    ("iccconeh.hpp", include_str!("../include/cpp/iccconeh.hpp")),
    ("iccctleh.hpp", include_str!("../include/cpp/iccctleh.hpp")),
    ("iccdateh.hpp", include_str!("../include/cpp/iccdateh.hpp")),
    ("iccevteh.hpp", include_str!("../include/cpp/iccevteh.hpp")),
    ("iccexceh.hpp", include_str!("../include/cpp/iccexceh.hpp")),
    ("iccfileh.hpp", include_str!("../include/cpp/iccfileh.hpp")),
    ("iccflieh.hpp", include_str!("../include/cpp/iccflieh.hpp")),
    ("iccglbeh.hpp", include_str!("../include/cpp/iccglbeh.hpp")),
    ("iccjrneh.hpp", include_str!("../include/cpp/iccjrneh.hpp")),
    ("iccmsgeh.hpp", include_str!("../include/cpp/iccmsgeh.hpp")),
    ("iccprgeh.hpp", include_str!("../include/cpp/iccprgeh.hpp")),
    ("iccreceh.hpp", include_str!("../include/cpp/iccreceh.hpp")),
    ("iccreseh.hpp", include_str!("../include/cpp/iccreseh.hpp")),
    ("iccrideh.hpp", include_str!("../include/cpp/iccrideh.hpp")),
    ("iccsemeh.hpp", include_str!("../include/cpp/iccsemeh.hpp")),
    ("iccseseh.hpp", include_str!("../include/cpp/iccseseh.hpp")),
    ("iccsrqeh.hpp", include_str!("../include/cpp/iccsrqeh.hpp")),
    ("iccsyseh.hpp", include_str!("../include/cpp/iccsyseh.hpp")),
    ("icctimeh.hpp", include_str!("../include/cpp/icctimeh.hpp")),
    ("icctmdeh.hpp", include_str!("../include/cpp/icctmdeh.hpp")),
    ("icctmpeh.hpp", include_str!("../include/cpp/icctmpeh.hpp")),
    ("icctrmeh.hpp", include_str!("../include/cpp/icctrmeh.hpp")),
    ("icctskeh.hpp", include_str!("../include/cpp/icctskeh.hpp")),
    ("iccusreh.hpp", include_str!("../include/cpp/iccusreh.hpp")),
    ("icccommand.hpp", include_str!("../include/cpp/icccommand.hpp")),
];

/// C headers that C++ programs cannot include, and why.
const NOT_IN_CPP: [(&str, &str); 3] = [
    ("dfhuexit.h", "exit programs are written in COBOL or C"),
    ("sqlca.h", "EXEC SQL stands in COBOL or C"),
    ("sqlda.h", "EXEC SQL stands in COBOL or C"),
];

/// C headers that have a name in C++.
const NAMED_AS_IN_CPP: [&str; 15] = [
    "assert", "ctype", "errno", "float", "limits", "locale", "math", "setjmp", "stdarg", "stddef", "stdint", "stdio", "stdlib", "string",
    "time",
];

/// Linked before and behind all other objects.
pub const ENDS: [(&str, &str); 2] =
    [("cpp_begin.c", include_str!("../runtime/cpp_begin.c")), ("cpp_end.c", include_str!("../runtime/cpp_end.c"))];
pub const RUNTIME_HEADER: (&str, &str) = ("unwind.h", include_str!("../runtime/unwind.h"));
/// The run time of C++, and the classes, of which each program takes what it uses.
pub const RUNTIME: [(&str, &str); 2] =
    [("unwind.c", include_str!("../runtime/unwind.c")), ("exceptions.cpp", include_str!("../runtime/exceptions.cpp"))];
pub const CLASSES: [(&str, &str); 13] = [
    ("icc_base.cpp", include_str!("../classes/icc_base.cpp")),
    ("icc_buffer.cpp", include_str!("../classes/icc_buffer.cpp")),
    ("icc_clock.cpp", include_str!("../classes/icc_clock.cpp")),
    ("icc_command.cpp", include_str!("../classes/icc_command.cpp")),
    ("icc_control.cpp", include_str!("../classes/icc_control.cpp")),
    ("icc_exception.cpp", include_str!("../classes/icc_exception.cpp")),
    ("icc_file.cpp", include_str!("../classes/icc_file.cpp")),
    ("icc_program.cpp", include_str!("../classes/icc_program.cpp")),
    ("icc_queue.cpp", include_str!("../classes/icc_queue.cpp")),
    ("icc_resource.cpp", include_str!("../classes/icc_resource.cpp")),
    ("icc_start.cpp", include_str!("../classes/icc_start.cpp")),
    ("icc_task.cpp", include_str!("../classes/icc_task.cpp")),
    ("icc_terminal.cpp", include_str!("../classes/icc_terminal.cpp")),
];
const EIB: &str = "dfheiblk.h";
const GENERATED: [&str; 4] = [EIB, "iccvaleh.hpp", "icccndeh.hpp", "regent_commands.hpp"];

pub fn is_header(name: &str) -> bool {
    let in_c = |name: &str| supplied::is_header(name);
    let as_in_cpp = name.strip_prefix('c').is_some_and(|name| NAMED_AS_IN_CPP.contains(&name));
    in_c(name) || as_in_cpp || GENERATED.contains(&name) || HEADERS.iter().any(|(known, _)| *known == name)
}

/// The headers that are found before those of C.
pub fn headers() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = HEADERS.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let own = |name: &str| GENERATED.contains(&name) || HEADERS.iter().any(|(known, _)| *known == name);
    for (name, text) in supplied::headers().into_iter().filter(|(name, _)| !own(name)) {
        let wrapped = match NOT_IN_CPP.iter().find(|(refused, _)| *refused == name) {
            Some((_, why)) => format!("#error {name} cannot be included in C++: {why}\n"),
            None => format!("extern \"C\" {{\n#include_next <{name}>\n}}\n"),
        };
        all.push((name.to_string(), wrapped));
        if let Some(stem) = name.strip_suffix(".h").filter(|stem| NAMED_AS_IN_CPP.contains(stem)) {
            all.push((format!("c{stem}"), in_namespace(name, &text)));
        }
    }
    all.push(("cstdio".to_string(), in_namespace("stdio.h", "int printf(const char *format, ...);\n")));
    all.push((EIB.to_string(), supplied::eib_header(&supplied::EIB_IN_CPP)));
    all.push(("iccvaleh.hpp".to_string(), values_header()));
    all.push(("icccndeh.hpp".to_string(), conditions_header()));
    all.push(("regent_commands.hpp".to_string(), commands_header()));
    all
}

/// A C header with its functions in the namespace std too.
fn in_namespace(name: &str, text: &str) -> String {
    let mut header = format!("#include <{name}>\nnamespace std {{\n");
    let word = |text: &str| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
    for line in text.lines().filter(|line| line.ends_with(';') && !line.starts_with(['#', ' ', '/'])) {
        let name = match line.split_once('(') {
            Some((before, after)) if !after.starts_with('*') && !line.starts_with("typedef") => word(before),
            _ => continue,
        };
        if !name.is_empty() && !name.starts_with('_') {
            let _ = writeln!(header, "using ::{name};");
        }
    }
    header.push_str("}\n");
    header
}

/// CVDAs: a structure of one enumeration.
fn values_header() -> String {
    let mut text = String::from("#ifndef ICCVALEH\n#define ICCVALEH\nstruct IccValue {\n    enum CVDA {\n");
    for name in exec::cvda::names().filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) {
        let _ = writeln!(text, "        {name} = {},", exec::dfhvalue(name).unwrap_or_default());
    }
    text.push_str("    };\n};\n#endif\n");
    text
}

/// Conditions. EOF is a macro of stdio.h, and has another name here ("IccCondition structure").
fn conditions_header() -> String {
    let mut text = String::from("#ifndef ICCCNDEH\n#define ICCCNDEH\nstruct IccCondition {\n    enum Codes {\n");
    let mut last = 0;
    let renamed = |name: &'static str| if name == "EOF" { "ICCEOF" } else { name };
    for name in exec::condition_names() {
        let value = exec::dfhresp(name).unwrap_or_default();
        last = last.max(value);
        let _ = writeln!(text, "        {} = {value},", renamed(name));
    }
    let _ = writeln!(text, "    }};\n    enum Range {{ maxValue = {last} }};\n}};\n#define ICC_CONDITION_NAMES \\");
    for name in exec::condition_names() {
        let _ = writeln!(text, "    {{ {}, \"{}\" }}, \\", exec::dfhresp(name).unwrap_or_default(), renamed(name));
    }
    text.push_str("\n#endif\n");
    text
}

/// The numbers of commands and options, for the classes.
fn commands_header() -> String {
    let mut text = String::from("#ifndef REGENT_COMMANDS\n#define REGENT_COMMANDS\nenum RegentCommand {\n");
    let symbol = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut options = std::collections::BTreeMap::new();
    for spec in exec::commands().iter().filter(|spec| spec.implemented) {
        let _ = writeln!(text, "    C_{} = {},", symbol(spec.name), spec.id.0);
        options.extend(spec.options.iter().map(|option| (symbol(option.name), option.id.0)));
    }
    options.extend([("RESP".to_string(), exec::option::RESP.0), ("RESP2".to_string(), exec::option::RESP2.0)]);
    text.push_str("};\nenum RegentOption {\n");
    options.iter().for_each(|(name, id)| {
        let _ = writeln!(text, "    O_{name} = {id},");
    });
    text.push_str("};\n#endif\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_text_each_and_hold_the_tables() {
        let headers = headers();
        for (name, _) in &headers {
            assert!(is_header(name), "{name}");
            assert_eq!(headers.iter().filter(|(other, _)| other == name).count(), 1, "{name}");
        }
        let text = |name: &str| &headers.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(text("dfheiblk.h").contains("regent_big<short> eibcalen;"));
        assert!(text("icccndeh.hpp").contains("        NOTFND = 13,") && text("icccndeh.hpp").contains("        ICCEOF = 4,"));
        assert!(text("cstring").contains("using ::strlen;") && !text("cstdlib").contains("fetch"));
        assert!(text("iccvaleh.hpp").contains("        CICSEXECKEY = "));
    }
}
