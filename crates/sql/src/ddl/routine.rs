//! CREATE FUNCTION and CREATE PROCEDURE in SQL.
//!
//! A routine runs with the rights of who calls it, and finds names without a schema where they were found when it was created.

use super::Definer;
use super::body::{Body, Kind};
use crate::ast::{DataType, Name};
use crate::names::{delimited, folded};
use crate::problem::Problem;

/// A parameter.
struct Parameter {
    mode: &'static str,
    name: String,
    data_type: DataType,
    default: String,
}

#[derive(Default)]
struct Options {
    strict: bool,
    deterministic: bool,
}

/// Options without effect, and how many tokens follow the words.
const WITHOUT_EFFECT: &[(&[&str], usize)] = &[
    (&["SPECIFIC"], 1),
    (&["NOT", "DETERMINISTIC"], 0),
    (&["NOT", "VARIANT"], 0),
    (&["NO", "EXTERNAL", "ACTION"], 0),
    (&["EXTERNAL", "ACTION"], 0),
    (&["READS", "SQL", "DATA"], 0),
    (&["MODIFIES", "SQL", "DATA"], 0),
    (&["CONTAINS", "SQL"], 0),
    (&["NO", "SQL"], 0),
    (&["CALLED", "ON", "NULL", "INPUT"], 0),
    (&["NULL", "CALL"], 0),
    (&["STATIC", "DISPATCH"], 0),
    (&["ALLOW", "PARALLEL"], 0),
    (&["DISALLOW", "PARALLEL"], 0),
    (&["ALLOW", "DEBUG", "MODE"], 0),
    (&["DISALLOW", "DEBUG", "MODE"], 0),
    (&["DISABLE", "DEBUG", "MODE"], 0),
    (&["PARAMETER", "CCSID"], 1),
    (&["INHERIT", "SPECIAL", "REGISTERS"], 0),
    (&["DEFAULT", "SPECIAL", "REGISTERS"], 0),
    (&["COMMIT", "ON", "RETURN", "NO"], 0),
    (&["WLM", "ENVIRONMENT", "FOR", "DEBUG", "MODE"], 1),
    (&["WLM", "ENVIRONMENT"], 1),
    (&["ASUTIME", "NO", "LIMIT"], 0),
    (&["ASUTIME", "LIMIT"], 1),
    (&["QUALIFIER"], 1),
    (&["PACKAGE", "OWNER"], 1),
    (&["ISOLATION", "LEVEL"], 1),
    (&["VERSION"], 1),
    (&["CURRENT", "DATA", "NO"], 0),
    (&["CURRENT", "DATA", "YES"], 0),
    (&["NOT", "SECURED"], 0),
    (&["SECURED"], 0),
    (&["VALIDATE", "BIND"], 0),
    (&["VALIDATE", "RUN"], 0),
    (&["WITHOUT", "EXPLAIN"], 0),
    (&["WITH", "EXPLAIN"], 0),
    (&["REOPT", "NONE"], 0),
    (&["DEGREE"], 1),
    (&["DYNAMIC", "RESULT", "SETS"], 1),
    (&["DYNAMIC", "RESULT", "SET"], 1),
    (&["RESULT", "SETS"], 1),
    (&["RESULT", "SET"], 1),
];

impl Definer<'_> {
    /// At FUNCTION.
    pub(super) fn create_function(&mut self, replace: bool) -> Result<(), Problem> {
        self.parser.expect("FUNCTION")?;
        let (name, function) = self.new_object()?;
        let parameters = self.parameters()?;
        self.parser.expect("RETURNS")?;
        let mut table = Vec::new();
        let mut returns = None;
        if self.parser.take("TABLE") {
            table = self.parser.parenthesized(|parser| Ok((parser.simple_name()?, parser.data_type()?)))?;
        } else {
            returns = Some(self.parser.data_type()?);
        }
        let options = self.routine_options("FUNCTION", &name)?;
        let create = if replace { "CREATE OR REPLACE FUNCTION" } else { "CREATE FUNCTION" };
        let list = self.parameter_list(&parameters)?;
        let strict = if options.strict { " STRICT" } else { "" };
        let volatile = if options.deterministic { " STABLE" } else { "" };
        let head = format!("{create} {function}({list}) RETURNS");
        let Some(returns) = returns else { return self.table_function(&head, &table, &format!("{volatile}{strict}")) };
        let type_name = self.type_name(&returns)?;
        let head = format!("{head} {type_name} LANGUAGE");
        if self.parser.at_word("RETURN") {
            let reads = self.parser.rest().iter().any(|token| token.is_word("SELECT"));
            self.parser.next();
            let value = self.parser.value()?;
            let value = self.emitted(|emitter| emitter.cast(&value, &returns))?;
            // An expression alone is computed in the statement that calls the function.
            let text = match reads {
                false => format!("{head} sql{volatile}{strict} RETURN {value}"),
                true => format!("{head} sql{volatile}{strict} SET search_path FROM CURRENT AS {}", quoted(&format!("SELECT {value}"))),
            };
            self.emit(text);
            return Ok(());
        }
        if !self.parser.at_word("BEGIN") && !self.parser.ahead(1).is_symbol(":") {
            return Err(self.parser.unexpected("RETURN BEGIN"));
        }
        let mut body = Body::new(Kind::Function { returns }, typed(&parameters));
        let text = self.body(&mut body, "", None)?;
        self.emit(format!("{head} plpgsql{volatile}{strict} SET search_path FROM CURRENT AS {}", quoted(&text)));
        Ok(())
    }

    /// RETURNS TABLE ... RETURN query.
    fn table_function(&mut self, head: &str, table: &[(Name, DataType)], attributes: &str) -> Result<(), Problem> {
        let mut columns = Vec::new();
        for (name, data_type) in table {
            columns.push(format!("{} {}", delimited(&folded(name.last())), self.type_name(data_type)?));
        }
        self.parser.expect("RETURN")?;
        let query = self.parser.query()?;
        let query = self.query_text(&query)?;
        let columns = columns.join(", ");
        self.emit(format!("{head} TABLE ({columns}) LANGUAGE sql{attributes} SET search_path FROM CURRENT AS {}", quoted(&query)));
        Ok(())
    }

    /// At PROCEDURE.
    pub(super) fn create_procedure(&mut self, replace: bool) -> Result<(), Problem> {
        self.parser.expect("PROCEDURE")?;
        let (name, procedure) = self.new_object()?;
        let parameters = if self.parser.at_symbol("(") { self.parameters()? } else { Vec::new() };
        self.routine_options("PROCEDURE", &name)?;
        if self.parser.at_end() {
            return Err(self.parser.unsupported(&format!("CREATE PROCEDURE {} without a body in SQL", name.parts.join("."))));
        }
        let list = self.parameter_list(&parameters)?;
        let mut body = Body::new(Kind::Procedure, typed(&parameters));
        let text = self.body(&mut body, "", None)?;
        let create = if replace { "CREATE OR REPLACE PROCEDURE" } else { "CREATE PROCEDURE" };
        self.emit(format!("{create} {procedure}({list}) LANGUAGE plpgsql SET search_path FROM CURRENT AS {}", quoted(&text)));
        Ok(())
    }

    /// ([IN | OUT | INOUT] name type [DEFAULT value], ...).
    fn parameters(&mut self) -> Result<Vec<Parameter>, Problem> {
        self.parser.expect_symbol("(")?;
        let mut parameters = Vec::new();
        if self.parser.take_symbol(")") {
            return Ok(parameters);
        }
        loop {
            let has_mode = !self.parser.ahead(1).is_symbol(",") && !self.parser.ahead(1).is_symbol(")");
            let mode = if has_mode { self.parser.take_one(&["IN", "OUT", "INOUT"]) } else { None };
            let name = self.parser.simple_name()?;
            let data_type = self.parser.data_type()?;
            if self.parser.take("CCSID") {
                self.parser.next();
            }
            if self.parser.at_words(&["AS", "LOCATOR"]) {
                return Err(self.parser.unsupported("AS LOCATOR"));
            }
            let mut default = String::new();
            if self.parser.take("DEFAULT") || self.parser.take_symbol("=") {
                let value = self.parser.value()?;
                default = format!(" DEFAULT {}", self.assigned_value(&value, Some(&data_type))?);
            }
            parameters.push(Parameter { mode: mode.unwrap_or("IN"), name: name.last().to_string(), data_type, default });
            if !self.parser.take_symbol(",") {
                break;
            }
        }
        self.parser.expect_symbol(")")?;
        Ok(parameters)
    }

    fn parameter_list(&mut self, parameters: &[Parameter]) -> Result<String, Problem> {
        let mut texts = Vec::new();
        for Parameter { mode, name, data_type, default } in parameters {
            let type_name = self.type_name(data_type)?;
            texts.push(format!("{mode} {} {type_name}{default}", delimited(&folded(name))));
        }
        Ok(texts.join(", "))
    }

    /// (type, ...) behind the name of a routine.
    pub(super) fn parameter_types(&mut self) -> Result<String, Problem> {
        self.parser.expect_symbol("(")?;
        let mut types = Vec::new();
        while !self.parser.take_symbol(")") {
            let data_type = self.parser.data_type()?;
            types.push(self.type_name(&data_type)?);
            self.parser.take_symbol(",");
        }
        Ok(format!("({})", types.join(", ")))
    }

    /// The options between the parameters and the body.
    fn routine_options(&mut self, kind: &str, name: &Name) -> Result<Options, Problem> {
        let mut options = Options::default();
        let routine = format!("CREATE {kind} {}", name.parts.join("."));
        loop {
            if self.parser.take("LANGUAGE") {
                if !self.parser.take("SQL") {
                    let language = self.parser.token().word().unwrap_or_default().to_string();
                    return Err(self.parser.unsupported(&format!("{routine} in LANGUAGE {language}")));
                }
            } else if self.parser.take_words(&["RETURNS", "NULL", "ON", "NULL", "INPUT"])
                || self.parser.take_words(&["NOT", "NULL", "CALL"])
            {
                options.strict = true;
            } else if self.parser.take("DETERMINISTIC") || self.parser.take("VARIANT") {
                options.deterministic = true;
            } else if self.parser.at_words(&["COMMIT", "ON", "RETURN", "YES"]) || self.parser.at_word("AUTONOMOUS") {
                return Err(self.parser.unsupported(&format!("{routine}: COMMIT ON RETURN, AUTONOMOUS")));
            } else if self.parser.at_word("EXTERNAL") && !self.parser.ahead(1).is_word("ACTION")
                || self.parser.at_word("SOURCE")
                || self.parser.at_word("FENCED")
            {
                return Err(self.parser.unsupported(&format!("{routine} of an external program")));
            } else if !self.option_without_effect() {
                return Ok(options);
            }
        }
    }

    fn option_without_effect(&mut self) -> bool {
        let Some((_, more)) = WITHOUT_EFFECT.iter().find(|(words, _)| self.parser.take_words(words)) else { return false };
        (0..*more).for_each(|_| {
            self.parser.next();
        });
        true
    }

    /// ALTER FUNCTION, PROCEDURE and TRIGGER: options have no effect, another body is refused.
    pub(super) fn alter_routine(&mut self) -> Result<(), Problem> {
        let changes = ["REPLACE", "ADD", "BEGIN", "RETURN", "DROP", "ACTIVATE", "REGENERATE"];
        if let Some(word) = self.parser.rest().iter().find_map(|token| token.word().filter(|word| changes.contains(word))) {
            return Err(self.parser.unsupported(&format!("ALTER of a routine with {word}: use CREATE OR REPLACE")));
        }
        self.without_effect()
    }
}

fn typed(parameters: &[Parameter]) -> Vec<(String, Option<DataType>)> {
    parameters.iter().map(|parameter| (parameter.name.clone(), Some(parameter.data_type.clone()))).collect()
}

/// A text between dollar quotes that it does not have.
pub(super) fn quoted(text: &str) -> String {
    let mut tag = "$body$".to_string();
    while text.contains(&tag) {
        tag.insert(1, '_');
    }
    format!("{tag}\n{text}\n{tag}")
}
