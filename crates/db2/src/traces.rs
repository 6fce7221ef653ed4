//! What a statement may leave in the session that a commit does not end, and how the session gets rid of it for its next user.

/// What the users of a session have done to it since it was cleaned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traces {
    /// A value of a sequence or identity column, which IDENTITY_VAL_LOCAL and PREVIOUS VALUE tell.
    pub sequence: bool,
    /// A declared temporary table.
    pub temporary: bool,
    /// Whatever a procedure or function of the application does: settings, locks of the session.
    pub foreign: bool,
}

/// Everything that a session keeps, except prepared statements.
const ALL: &[&str] = &["CLOSE ALL", "RESET ALL", "DISCARD TEMP", "DISCARD SEQUENCES", "SELECT pg_catalog.pg_advisory_unlock_all()"];

impl Traces {
    /// Those of a text that the translator has made, and of what checks it.
    pub fn of(text: &str, check: &str) -> Traces {
        Traces {
            sequence: text.contains("INSERT") || text.contains("nextval("),
            temporary: text.contains("TEMPORARY TABLE"),
            foreign: text.starts_with("CALL ") && !text.starts_with("CALL db2.") || sql::is_foreign(check),
        }
    }

    pub fn add(&mut self, other: Traces) {
        self.sequence |= other.sequence;
        self.temporary |= other.temporary;
        self.foreign |= other.foreign;
    }

    /// The session is to be as new, settings included.
    pub fn is_deep(self) -> bool {
        self.temporary || self.foreign
    }

    /// The statements that remove them.
    pub fn cleaning(self) -> &'static [&'static str] {
        match self {
            _ if self.is_deep() => ALL,
            Traces { sequence: true, .. } => &["DISCARD SEQUENCES"],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_leaves_nothing() {
        assert!(Traces::of("SELECT a FROM t WHERE b = $1", "").cleaning().is_empty());
        assert_eq!(Traces::of("INSERT INTO t VALUES ($1)", "").cleaning(), ["DISCARD SEQUENCES"]);
        assert!(Traces::of("CALL p($1)", "").is_deep());
        assert!(!Traces::of("CALL db2.ensure_schema()", "").is_deep());
        assert!(Traces::of("CREATE TEMPORARY TABLE t (a int4) ON COMMIT PRESERVE ROWS", "").temporary);
    }
}
