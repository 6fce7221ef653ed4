//! Job control language, as far as an application's set-up jobs need it: steps, DD statements, in-stream data,
//! symbols. Programs other than the utilities Regent has are left to the caller to refuse.
//!
//! Rules (MVS JCL Reference): a statement begins `//` in columns 1 and 2, a name in column 3 or a blank, operation,
//! operands to the first blank outside apostrophes, then comments; columns 72 to 80 are not read. An operand field
//! that ends in a comma goes on at the next `// ` statement. `DD *` and `DD DATA` open in-stream data, ended by `/*`
//! (or the DLM characters), or for `*` by the next `//`.

use std::collections::BTreeMap;

/// A job, or a procedure or fragment without a JOB statement.
#[derive(Debug, Default)]
pub struct Job {
    pub name: String,
    pub steps: Vec<Step>,
    /// Statements that were not understood: line and reason.
    pub remarks: Vec<(usize, String)>,
}

#[derive(Debug, Default, Clone)]
pub struct Step {
    pub name: String,
    /// PGM= of the EXEC statement, or the procedure's name.
    pub program: String,
    pub is_procedure: bool,
    pub parm: String,
    /// Line of the EXEC statement.
    pub line: usize,
    pub dds: Vec<Dd>,
}

#[derive(Debug, Default, Clone)]
pub struct Dd {
    /// Empty for a DD that is concatenated to the one before.
    pub name: String,
    pub data_set: Option<String>,
    /// In-stream records, without the ending delimiter.
    pub in_stream: Option<Vec<String>>,
    /// LRECL of the DCB, if given.
    pub record_length: Option<usize>,
    /// RECFM of the DCB, if given.
    pub record_format: Option<String>,
    pub dummy: bool,
}

impl Step {
    /// In-stream text of a DD, its records joined as lines.
    pub fn in_stream(&self, name: &str) -> Option<String> {
        let mut found = false;
        let mut text = String::new();
        let mut current = "";
        for dd in &self.dds {
            if !dd.name.is_empty() {
                current = &dd.name;
            }
            if current == name
                && let Some(records) = &dd.in_stream
            {
                found = true;
                for record in records {
                    text.push_str(record);
                    text.push('\n');
                }
            }
        }
        found.then_some(text)
    }
}

/// True when the text looks like JCL: its first line that is not empty begins `//`.
pub fn is_jcl(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//"))
}

/// Replaces symbols by their values: `&NAME.` `&NAME` `<NAME>` `@NAME@`. `&&` stays. Unknown symbols stay as they are.
pub fn substitute(text: &str, symbols: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '@']) {
        out.push_str(&rest[..at]);
        let opening = rest.as_bytes()[at];
        let after = &rest[at + 1..];
        let length = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'#' | b'$' | b'_')).count();
        let name = after[..length].to_uppercase();
        let following = after.as_bytes().get(length).copied();
        let closed = match opening {
            b'<' => following == Some(b'>'),
            b'@' => following == Some(b'@'),
            _ => true,
        };
        match symbols.get(&name).filter(|_| length > 0 && closed) {
            Some(value) => {
                out.push_str(value);
                // A period ends the name of an & symbol and is not part of the text.
                let skip = usize::from(opening != b'&' || following == Some(b'.'));
                rest = &after[length + skip..];
            }
            None => {
                out.push(opening as char);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Parses one file. Symbols of the caller take part; `SET` and `PROC` statements add to them.
pub fn parse(text: &str, symbols: &BTreeMap<String, String>) -> Job {
    Parser { symbols: symbols.clone(), job: Job::default(), lines: text.lines().collect(), at: 0 }.run()
}

struct Parser<'a> {
    symbols: BTreeMap<String, String>,
    job: Job,
    lines: Vec<&'a str>,
    at: usize,
}

impl Parser<'_> {
    fn run(mut self) -> Job {
        while self.at < self.lines.len() {
            let line = self.lines[self.at];
            if line.starts_with("//") && !line.starts_with("//*") {
                self.statement();
            } else {
                self.at += 1;
            }
        }
        self.job
    }

    fn statement(&mut self) {
        let first_line = self.at + 1;
        let head = card(self.lines[self.at]);
        self.at += 1;
        let body = &head[2..];
        let has_name = !body.starts_with([' ', '\t']);
        let mut words = body.split_whitespace();
        let name = if has_name { words.next().unwrap_or("") } else { "" }.to_uppercase();
        let Some(operation) = words.next().map(str::to_uppercase) else { return };
        let operands_text = after_words(body, usize::from(has_name) + 1);
        let operands = self.operands(operands_text);
        match operation.as_str() {
            "JOB" => self.job.name = name,
            "EXEC" => self.exec(name, &operands, first_line),
            "DD" => self.dd(name, &operands, first_line),
            "SET" | "PROC" => {
                for (key, value) in operands.iter().filter_map(|operand| operand.split_once('=')) {
                    // A value given in regent.toml wins over the one in the source.
                    let value = unquote(value);
                    self.symbols.entry(key.to_uppercase()).or_insert(value);
                }
            }
            "PEND" | "JCLLIB" | "OUTPUT" | "IF" | "ELSE" | "ENDIF" | "INCLUDE" | "XMIT" => {}
            other => self.job.remarks.push((first_line, format!("JCL statement {other} is not known"))),
        }
    }

    /// The operand field with its continuations, split at commas outside parentheses and apostrophes.
    fn operands(&mut self, first: &str) -> Vec<String> {
        let mut field = operand_field(first).to_string();
        while field.ends_with(',') && self.at < self.lines.len() {
            let line = self.lines[self.at];
            if line.starts_with("//*") {
                self.at += 1;
                continue;
            }
            let next = card(line);
            if !next.starts_with("// ") {
                break;
            }
            field.push_str(operand_field(next[2..].trim_start()));
            self.at += 1;
        }
        split_operands(&substitute(&field, &self.symbols))
    }

    fn exec(&mut self, name: String, operands: &[String], line: usize) {
        let mut step = Step { name, line, ..Step::default() };
        for operand in operands {
            match operand.split_once('=') {
                Some((key, value)) if key.eq_ignore_ascii_case("PGM") => step.program = value.to_uppercase(),
                Some((key, value)) if key.eq_ignore_ascii_case("PARM") => step.parm = unquote(value),
                Some((key, value)) if key.eq_ignore_ascii_case("PROC") => {
                    step.program = value.to_uppercase();
                    step.is_procedure = true;
                }
                Some(_) => {}
                None if step.program.is_empty() => {
                    step.program = operand.to_uppercase();
                    step.is_procedure = true;
                }
                None => {}
            }
        }
        self.job.steps.push(step);
    }

    fn dd(&mut self, name: String, operands: &[String], line: usize) {
        let mut dd = Dd { name: name.rsplit('.').next().unwrap_or("").to_string(), ..Dd::default() };
        let mut delimiter = "/*".to_string();
        let mut data = None;
        for operand in operands {
            let (key, value) = operand.split_once('=').unwrap_or((operand, ""));
            match key.to_uppercase().as_str() {
                "*" => data = Some(true),
                "DATA" => data = Some(false),
                "DLM" => delimiter = unquote(value),
                "DSN" | "DSNAME" => dd.data_set = Some(unquote(value).to_uppercase()),
                "DUMMY" => dd.dummy = true,
                "LRECL" => dd.record_length = value.parse().ok(),
                "RECFM" => dd.record_format = Some(value.to_uppercase()),
                "DCB" => {
                    for (key, value) in split_operands(value.trim_matches(['(', ')'])).iter().filter_map(|o| o.split_once('=')) {
                        match key.to_uppercase().as_str() {
                            "LRECL" => dd.record_length = value.parse().ok(),
                            "RECFM" => dd.record_format = Some(value.to_uppercase()),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(ends_at_statement) = data {
            dd.in_stream = Some(self.in_stream(&delimiter, ends_at_statement));
        }
        match self.job.steps.last_mut() {
            Some(step) => step.dds.push(dd),
            None => self.job.remarks.push((line, "DD statement before the first EXEC".to_string())),
        }
    }

    fn in_stream(&mut self, delimiter: &str, ends_at_statement: bool) -> Vec<String> {
        let mut records = Vec::new();
        while self.at < self.lines.len() {
            let line = self.lines[self.at];
            if line.starts_with(delimiter) {
                self.at += 1;
                break;
            }
            if ends_at_statement && line.starts_with("//") {
                break;
            }
            records.push(substitute(line, &self.symbols));
            self.at += 1;
        }
        records
    }
}

/// Columns 1 to 71 of a line: 72 holds the continuation mark, 73 to 80 the sequence number.
fn card(line: &str) -> &str {
    line.char_indices().nth(71).map_or(line, |(at, _)| &line[..at]).trim_end()
}

/// What follows the first `count` words.
fn after_words(text: &str, count: usize) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..count {
        rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
    }
    rest
}

/// The operand field: up to the first blank outside apostrophes.
fn operand_field(text: &str) -> &str {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            ' ' | '\t' if !quoted => return &text[..at],
            _ => {}
        }
    }
    text
}

fn split_operands(field: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut start, mut out) = (0i32, false, 0, Vec::new());
    for (at, c) in field.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                out.push(field[start..at].to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(field[start..].to_string());
    out.retain(|operand| !operand.is_empty());
    out
}

fn unquote(value: &str) -> String {
    match value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
    }

    #[test]
    fn steps_dds_and_in_stream_data() {
        let text = "//MYJOB JOB (A),'X Y',CLASS=A\n\
                    //* comment\n\
                    //  SET HLQ=ONE.TWO\n\
                    //S1 EXEC PGM=IDCAMS,\n\
                    //   PARM='A,B'                     remarks here\n\
                    //SYSPRINT DD SYSOUT=*\n\
                    //IN  DD DSN=&HLQ..DATA,DISP=SHR,DCB=(RECFM=FB,LRECL=80)\n\
                    //SYSIN DD *\n\
                    DEFINE CLUSTER(NAME(&HLQ..K))\n\
                    /*\n\
                    //S2 EXEC MYPROC,P=1\n\
                    //X.SYSIN DD DATA,DLM='@@'\n\
                    //NOT A STATEMENT\n\
                    @@\n\
                    //D DD DUMMY\n";
        let job = parse(text, &symbols(&[]));
        assert_eq!(job.name, "MYJOB");
        assert_eq!(job.steps.len(), 2);
        let step = &job.steps[0];
        assert_eq!((step.program.as_str(), step.parm.as_str(), step.line), ("IDCAMS", "A,B", 4));
        assert_eq!(step.dds[1].data_set.as_deref(), Some("ONE.TWO.DATA"));
        assert_eq!(step.dds[1].record_length, Some(80));
        assert_eq!(step.in_stream("SYSIN").unwrap(), "DEFINE CLUSTER(NAME(ONE.TWO.K))\n");
        assert!(job.steps[1].is_procedure && job.steps[1].program == "MYPROC");
        assert_eq!(job.steps[1].in_stream("SYSIN").unwrap(), "//NOT A STATEMENT\n");
        assert!(job.steps[1].dds[1].dummy);
        assert!(job.remarks.is_empty());
    }

    #[test]
    fn symbols_in_all_their_forms() {
        let s = symbols(&[("HLQ", "A.B"), ("X", "")]);
        assert_eq!(substitute("&HLQ..C <HLQ>.D @HLQ@.E &X.F &UNKNOWN a<b user@host", &s), "A.B.C A.B.D A.B.E F &UNKNOWN a<b user@host");
    }

    #[test]
    fn a_value_of_the_caller_wins_over_set() {
        let job = parse("// SET HLQ=OLD\n//S EXEC PGM=IDCAMS\n//A DD DSN=&HLQ..X\n", &symbols(&[("HLQ", "NEW")]));
        assert_eq!(job.steps[0].dds[0].data_set.as_deref(), Some("NEW.X"));
    }

    #[test]
    fn in_stream_data_ends_at_the_next_statement() {
        let job = parse("//S EXEC PGM=IDCAMS\n//SYSIN DD *\n LISTCAT\n//T EXEC PGM=X\n", &symbols(&[]));
        assert_eq!(job.steps[0].in_stream("SYSIN").unwrap(), " LISTCAT\n");
        assert_eq!(job.steps[1].program, "X");
    }

    #[test]
    fn damaged_input_does_not_stop_the_parser() {
        for text in ["//", "// ", "//A", "//A DD", "//A DD DSN='", "//S EXEC PGM=(,\n// ", "//É EXEC PGM=ÜÖ", "//S DD *"] {
            parse(text, &symbols(&[]));
        }
    }
}
