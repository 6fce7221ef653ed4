//! Clauses of definitions that say how Db2 stores an object. They are accepted and have no effect.

use super::Definer;
use crate::problem::Problem;

/// What stands behind the words of a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    None,
    /// A word, string or number, with its sign and unit.
    One,
    Name,
    /// A list in parentheses, if there is one; or several.
    Lists,
}

use Argument::{Lists, Name, None, One};

/// The words of each clause and its argument; longer clauses stand before their beginnings.
const OPTIONS: &[(&[&str], Argument)] = &[
    (&["APPEND"], One),
    (&["AUDIT"], One),
    (&["BUFFERPOOL"], One),
    (&["CARDINALITY"], None),
    (&["CCSID"], One),
    (&["CLOSE"], One),
    (&["CLUSTER"], Lists),
    (&["COMPRESS"], One),
    (&["COPY"], One),
    (&["DATA", "CAPTURE"], One),
    (&["DEFER"], One),
    (&["DEFINE"], One),
    (&["DISABLE", "QUERY", "OPTIMIZATION"], None),
    (&["DSSIZE"], One),
    (&["EDITPROC"], Name),
    (&["ENABLE", "QUERY", "OPTIMIZATION"], None),
    (&["ERASE"], One),
    (&["EVERY"], One),
    (&["EXCLUDE", "NULL", "KEYS"], None),
    (&["FIXEDLENGTH"], None),
    (&["FREEPAGE"], One),
    (&["GBPCACHE"], One),
    (&["HUFFMAN"], None),
    (&["INCLUDE", "NULL", "KEYS"], None),
    (&["INDEXBP"], One),
    (&["KEY", "LABEL"], One),
    (&["LOCKMAX"], One),
    (&["LOCKSIZE"], One),
    (&["LOGGED"], None),
    (&["MEMBER", "CLUSTER"], None),
    (&["NO", "KEY", "LABEL"], None),
    (&["NOT", "CLUSTER"], None),
    (&["NOT", "LOGGED"], None),
    (&["NOT", "PADDED"], None),
    (&["NOT", "VOLATILE"], None),
    (&["OBID"], One),
    (&["ORGANIZE", "BY", "HASH", "UNIQUE"], Lists),
    (&["PADDED"], None),
    (&["PAGENUM"], One),
    (&["PARTITION", "BY", "RANGE"], Lists),
    (&["PARTITION", "BY", "SIZE"], None),
    (&["PARTITION", "BY"], Lists),
    (&["PARTITIONED"], None),
    (&["PCTFREE"], One),
    (&["PIECESIZE"], One),
    (&["PRIQTY"], One),
    (&["SECQTY"], One),
    (&["SEGSIZE"], One),
    (&["TRACKMOD"], One),
    (&["USING", "STOGROUP"], Name),
    (&["USING", "VCAT"], Name),
    (&["USING", "TYPE", "DEFAULTS"], None),
    (&["VALIDPROC"], Name),
    (&["VOLATILE"], None),
    (&["WITH", "RESTRICT", "ON", "DROP"], None),
    (&["WITH", "ROW", "ATTRIBUTES"], None),
    (&["WITHOUT", "ROW", "ATTRIBUTES"], None),
];

impl Definer<'_> {
    /// Takes a clause that has no effect; false if none is next.
    pub(super) fn option(&mut self) -> Result<bool, Problem> {
        let begin = self.parser.offset();
        let Some((words, argument)) = OPTIONS.iter().find(|(words, _)| self.parser.at_words(words)) else { return Ok(false) };
        self.parser.take_words(words);
        match argument {
            None => {}
            One => self.one()?,
            Name => {
                self.parser.name()?;
            }
            Lists => {
                while self.parser.at_symbol("(") {
                    self.skip_list()?;
                }
            }
        }
        self.note_from(begin);
        Ok(true)
    }

    fn one(&mut self) -> Result<(), Problem> {
        self.parser.take_symbol("-");
        if self.parser.at_end() {
            return Err(self.parser.unexpected("<VALUE>"));
        }
        self.parser.next();
        self.parser.take_one(&["K", "M", "G"]);
        Ok(())
    }

    /// Takes everything from a parenthesis to its partner.
    pub(super) fn skip_list(&mut self) -> Result<(), Problem> {
        self.parser.expect_symbol("(")?;
        let mut depth = 1;
        while depth > 0 {
            if self.parser.at_end() {
                return Err(self.parser.unexpected(")"));
            }
            let token = self.parser.next();
            depth += usize::from(token.is_symbol("("));
            depth -= usize::from(token.is_symbol(")"));
        }
        Ok(())
    }
}
