//! System initialization parameters: their tables, parsing of overrides, and typed access.
//!
//! Invariants: every parameter of the table has a value that its row accepts; names are unique; the typed accessors never fail.

#[cfg(test)]
mod dispatcher_tests;
mod effects;
mod parameter;

pub use effects::{Effect, State, effect};
pub use parameter::{Parameter, SitError, accepted, bounds, levels, parameters};

use crate::name::{Name4, Name8};
use csd::range::scaled;
use kernel::trace::Component;
use parameter::{find, known, part_of};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Where a value comes from. Later ones override earlier ones: "PARM, SYSIN, CONSOLE" (System initialization parameters, "Ways of
/// overriding").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Source {
    /// The default of the table.
    Default,
    /// The application's own table.
    Sit,
    /// The command that starts the region.
    #[default]
    Parm,
    /// A file of parameters.
    Sysin,
    /// Typed by the operator.
    Console,
    /// It follows from other parameters.
    Derived,
}

impl Source {
    pub const fn text(self) -> &'static str {
        match self {
            Source::Default => "default",
            Source::Sit => "SIT",
            Source::Parm => "PARM",
            Source::Sysin => "SYSIN",
            Source::Console => "CONSOLE",
            Source::Derived => "follows from MXT",
        }
    }
}

/// Parameters that PARM and SYSIN may have and the console may not ("You cannot specify the HPO parameter in the system console").
const NOT_AT_CONSOLE: [&str; 1] = ["HPO"];

/// A parameter as it is in force.
#[derive(Clone, Debug)]
pub struct InForce {
    pub name: String,
    pub value: String,
    pub source: Source,
    pub effect: Effect,
    /// The values it accepts, in words.
    pub expected: String,
}

/// How the region starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartType {
    /// Warm after an orderly shutdown, emergency after a failure.
    Auto,
    Cold,
    Initial,
}

/// The parameters of one region.
#[derive(Debug, Clone, Default)]
pub struct SystemInitialization {
    overrides: BTreeMap<String, Override>,
    /// Of the next overrides.
    source: Source,
}

#[derive(Debug, Clone)]
struct Override {
    value: String,
    source: Source,
}

impl SystemInitialization {
    pub fn new() -> Self {
        Self::default()
    }

    /// The source of the overrides that follow.
    pub fn overridden_by(&mut self, source: Source) {
        debug_assert!(!matches!(source, Source::Default | Source::Derived));
        self.source = source;
    }

    /// Applies `NAME=VALUE`; quotes around the value are dropped.
    pub fn apply(&mut self, text: &str) -> Result<(), SitError> {
        let (name, value) = text.split_once('=').ok_or_else(|| SitError::Form(text.to_string()))?;
        self.set(name.trim(), value.trim())
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SitError> {
        let name = name.to_ascii_uppercase();
        let parameter = find(&name).ok_or_else(|| SitError::Unknown(name.clone()))?;
        if self.source == Source::Console && NOT_AT_CONSOLE.contains(&parameter.name) {
            return Err(SitError::NotAtConsole(name));
        }
        let inner = value
            .strip_prefix('\'')
            .and_then(|v| v.strip_suffix('\''))
            .or_else(|| value.strip_prefix('"').and_then(|v| v.strip_suffix('"')));
        let value = parameter.check(&name, inner.unwrap_or(value))?;
        let effect = effect(parameter.name);
        if !effect.accepts(&value, parameter.default) {
            return Err(SitError::Refused { name, value, reason: effect.text });
        }
        self.overrides.insert(name, Override { value, source: self.source });
        Ok(())
    }

    /// Applies the parameters of a SYSIN-style text: one or more a line, separated by commas, `*` comments, `.END` ends.
    pub fn apply_text(&mut self, text: &str) -> Vec<SitError> {
        let mut errors = Vec::new();
        for line in text.lines().take_while(|line| !line.trim().eq_ignore_ascii_case(".END")) {
            let line = line.trim().trim_end_matches(',');
            if line.is_empty() || line.starts_with('*') {
                continue;
            }
            for item in split_items(line) {
                errors.extend(self.apply(item).err());
            }
        }
        errors
    }

    /// The value of any parameter of the table; empty if it has none.
    pub fn get(&self, name: &str) -> &str {
        match self.overrides.get(name) {
            Some(given) => &given.value,
            None => known(name).default,
        }
    }

    /// Trace levels by bit: those of a component (STNTRxx, SPCTRxx) if they are given, else those of all (STNTR, SPCTR).
    pub fn trace_levels(&self, family: &str, component: Component) -> u32 {
        let own = self.overrides.get(&format!("{family}{}", component.code()));
        let value = own.map_or_else(|| self.get(family), |own| &own.value);
        levels(value, component.levels()).expect("levels are checked when they are given")
    }

    /// All parameters with their values, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = parameters().iter().filter(|parameter| !parameter.is_prefix()).map(|parameter| parameter.name);
        let all: BTreeSet<&str> = names.chain(self.overrides.keys().map(String::as_str)).collect();
        all.into_iter().map(|name| (name, self.get(name)))
    }

    /// One parameter as it is in force; `None` if there is none of this name.
    pub fn in_force(&self, name: &str) -> Option<InForce> {
        let name = name.to_ascii_uppercase();
        let parameter = find(&name)?;
        let (value, source) = match (self.overrides.get(&name), name.as_str()) {
            (Some(given), _) => (given.value.clone(), given.source),
            (None, "MAXOPENTCBS") => (self.max_open_tcbs().to_string(), Source::Derived),
            (None, "MAXXPTCBS") => (self.max_xp_tcbs().to_string(), Source::Derived),
            (None, _) => (parameter.default.to_string(), Source::Default),
        };
        Some(InForce { name, value, source, effect: effect(parameter.name), expected: parameter.expected() })
    }

    /// Every parameter of the table, and the overrides whose names continue one of them, by name.
    pub fn all_in_force(&self) -> Vec<InForce> {
        self.values().filter_map(|(name, _)| self.in_force(name)).collect()
    }

    pub fn is(&self, name: &str, value: &str) -> bool {
        debug_assert!(known(name).check(name, value).is_ok(), "{name} never has the value {value}");
        self.get(name) == value
    }

    /// 0: neither given nor a default.
    pub fn number(&self, name: &str) -> u32 {
        match self.get(name) {
            "" => 0,
            value => value.parse().expect("a number is checked when it is given"),
        }
    }

    /// One value of a list: as given, else its default.
    pub fn part(&self, name: &str, at: usize) -> &str {
        part_of(self.get(name), at).or_else(|| part_of(known(name).default, at)).unwrap_or("")
    }

    pub fn part_number(&self, name: &str, at: usize) -> u32 {
        self.part(name, at).parse().expect("each number of a list has a default")
    }

    pub fn size(&self, name: &str) -> u64 {
        scaled(self.get(name)).expect("a size is checked when it is given")
    }

    pub fn applid(&self) -> Name8 {
        // APPLID=(generic,specific): the specific one names this region.
        let value = self.get("APPLID").trim_matches(['(', ')']);
        value.rsplit(',').next().unwrap_or(value).trim().into()
    }

    pub fn sysidnt(&self) -> Name4 {
        self.get("SYSIDNT").into()
    }

    pub fn max_tasks(&self) -> u32 {
        self.number("MXT")
    }

    /// MAXOPENTCBS: when not given it follows from MXT, as CICS sets it.
    pub fn max_open_tcbs(&self) -> u32 {
        match self.number("MAXOPENTCBS") {
            0 => 2 * self.max_tasks() + 32,
            given => given,
        }
    }

    pub fn max_xp_tcbs(&self) -> u32 {
        match self.number("MAXXPTCBS") {
            0 => self.max_tasks(),
            given => given,
        }
    }

    pub fn runaway(&self) -> Duration {
        Duration::from_millis(u64::from(self.number("ICVR")))
    }

    pub fn interval(&self) -> Duration {
        Duration::from_millis(u64::from(self.number("ICV")))
    }

    pub fn terminal_scan_delay(&self) -> Duration {
        Duration::from_millis(u64::from(self.number("ICVTSD")))
    }

    pub fn priority_aging(&self) -> Duration {
        Duration::from_millis(u64::from(self.number("PRTYAGE")))
    }

    pub fn default_user(&self) -> Name8 {
        self.get("DFLTUSER").into()
    }

    pub fn storage_protection(&self) -> bool {
        self.is("STGPROT", "YES")
    }

    pub fn cwa_bytes(&self) -> u32 {
        self.number("WRKAREA")
    }

    pub fn local_ccsid(&self) -> u16 {
        self.get("LOCALCCSID").parse().expect("LOCALCCSID is checked when it is given")
    }

    pub fn good_morning_text(&self) -> &str {
        parameter::unquoted(self.get("GMTEXT"))
    }

    pub fn good_morning_transaction(&self) -> Name4 {
        self.get("GMTRAN").trim_matches(['(', ')']).split(',').next().unwrap_or_default().into()
    }

    pub fn start(&self) -> StartType {
        match self.part("START", 0) {
            "COLD" => StartType::Cold,
            "INITIAL" => StartType::Initial,
            _ => StartType::Auto,
        }
    }

    /// Whether one kind of resource is started cold by itself, which START=(...,ALL) overrides.
    pub fn is_alone(&self, name: &str, value: &str) -> bool {
        self.part(name, 0) == value && self.part("START", 1) != "ALL"
    }

    /// GRPLIST: up to four lists.
    pub fn group_lists(&self) -> Vec<String> {
        let value = self.get("GRPLIST").trim_matches(['(', ')']).to_ascii_uppercase();
        value.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
    }

    /// INITPARM=(program='text',...): the text for a program.
    pub fn initparm(&self, program: &str) -> Option<String> {
        let value = self.get("INITPARM").trim_start_matches('(').trim_end_matches(')').to_string();
        for item in split_items(&value) {
            let (name, text) = item.split_once('=')?;
            if name.trim().eq_ignore_ascii_case(program) {
                return Some(text.trim().trim_matches('\'').to_string());
            }
        }
        None
    }
}

/// Splits at commas outside quotes and parentheses.
fn split_items(line: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0, false);
    for (at, c) in line.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                items.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&line[start..]);
    items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_values_by_place() {
        let mut sit = SystemInitialization::new();
        let ts = |sit: &SystemInitialization| (sit.part("TS", 0).to_string(), sit.part_number("TS", 1), sit.part_number("TS", 2));
        assert_eq!(ts(&sit), (String::new(), 3, 3));
        sit.apply("TS=(cold,8,5)").unwrap();
        assert_eq!(ts(&sit), ("COLD".to_string(), 8, 5));
        sit.apply("TS=(,12)").unwrap();
        assert_eq!(ts(&sit), (String::new(), 12, 3));
        sit.apply("TD=(8,5)").unwrap();
        assert_eq!((sit.part_number("TD", 0), sit.part_number("TD", 1)), (8, 5));
        for wrong in ["TS=(,2,2)", "TS=(,32768)", "TS=(,8,256)", "TS=(,,4)", "TS=(WARM)", "TS=(,8,5,1)", "TD=(8,9)", "TD=(0)"] {
            assert!(matches!(sit.apply(wrong), Err(SitError::Value { .. })), "{wrong}");
        }
    }

    #[test]
    fn every_default_is_accepted_by_its_own_row() {
        for parameter in parameters() {
            if !parameter.default.is_empty() {
                assert!(parameter.check(parameter.name, parameter.default).is_ok(), "{}={}", parameter.name, parameter.default);
            }
        }
    }

    /// The value in force after NAME=VALUE; `None` if it is not accepted.
    fn applied(name: &str, value: &str) -> Option<String> {
        let mut sit = SystemInitialization::new();
        sit.apply(&format!("{name}={value}")).ok().map(|()| sit.get(name).to_string())
    }

    /// "Changes to system initialization parameters" of CICS TS 5.4; topic ICVR: zero, or 250 to 2,700,000 in multiples of 250, rounded down.
    #[test]
    fn icvr_is_zero_or_a_multiple_of_250_up_to_2700000() {
        assert_eq!(SystemInitialization::new().runaway(), Duration::from_millis(2000));
        for (value, in_force) in [
            ("0", Some("0")),
            ("250", Some("250")),
            ("499", Some("250")),
            ("2700000", Some("2700000")),
            ("249", None),
            ("2700001", None),
            ("-1", None),
        ] {
            assert_eq!(applied("ICVR", value).as_deref(), in_force, "ICVR={value}");
        }
    }

    #[test]
    fn mxt_is_250_by_default_and_10_to_2000() {
        assert_eq!(SystemInitialization::new().max_tasks(), 250);
        for (value, accepted) in [("9", false), ("10", true), ("2000", true), ("2001", false)] {
            assert_eq!(applied("MXT", value).is_some(), accepted, "MXT={value}");
        }
    }

    #[test]
    fn akpfreq_is_4000_by_default_and_zero_or_50_to_65535() {
        assert_eq!(SystemInitialization::new().number("AKPFREQ"), 4000);
        for (value, accepted) in
            [("0", true), ("1", false), ("49", false), ("50", true), ("51", true), ("65535", true), ("65536", false), ("-1", false)]
        {
            assert_eq!(applied("AKPFREQ", value).is_some(), accepted, "AKPFREQ={value}");
        }
    }

    /// The default was BELOW until CICS TS 5.1.
    #[test]
    fn tctualoc_is_any_by_default() {
        assert!(SystemInitialization::new().is("TCTUALOC", "ANY"));
        for (value, accepted) in [("ANY", true), ("BELOW", true), ("ABOVE", false)] {
            assert_eq!(applied("TCTUALOC", value).is_some(), accepted, "TCTUALOC={value}");
        }
    }

    /// Milliseconds; the default was 32768 until CICS TS 5.1.
    #[test]
    fn prtyage_is_1000_by_default_and_0_to_65535() {
        assert_eq!(SystemInitialization::new().number("PRTYAGE"), 1000);
        for (value, accepted) in [("0", true), ("65535", true), ("65536", false), ("-1", false), ("1S", false)] {
            assert_eq!(applied("PRTYAGE", value).is_some(), accepted, "PRTYAGE={value}");
        }
    }

    /// Topics STATEOD and STATINT: times of the day, and one minute to 24 hours.
    #[test]
    fn stateod_and_statint_are_times() {
        let sit = SystemInitialization::new();
        assert_eq!((sit.number("STATEOD"), sit.number("STATINT")), (0, 30_000));
        for (value, accepted) in [("0", true), ("235959", true), ("240000", false), ("236000", false), ("5960", false), ("0000000", false)]
        {
            assert_eq!(applied("STATEOD", value).is_some(), accepted, "STATEOD={value}");
        }
        for (value, accepted) in [("000100", true), ("000059", false), ("240000", true), ("240001", false), ("016000", false)] {
            assert_eq!(applied("STATINT", value).is_some(), accepted, "STATINT={value}");
        }
    }

    #[test]
    fn statrcd_is_off_unless_it_is_on() {
        assert!(SystemInitialization::new().is("STATRCD", "OFF"));
        for (value, in_force) in [("ON", Some("ON")), ("off", Some("OFF")), ("YES", None)] {
            assert_eq!(applied("STATRCD", value).as_deref(), in_force, "STATRCD={value}");
        }
    }

    /// Storage protection and transaction isolation; the default of STGPROT was NO until CICS TS 5.3.
    #[test]
    fn stgprot_is_yes_and_traniso_no_by_default() {
        let sit = SystemInitialization::new();
        assert!(sit.is("STGPROT", "YES") && sit.is("TRANISO", "NO"));
        for name in ["STGPROT", "TRANISO"] {
            for (value, accepted) in [("YES", true), ("NO", true), ("MAYBE", false), ("", false)] {
                assert_eq!(applied(name, value).is_some(), accepted, "{name}={value}");
            }
        }
    }

    /// Topic EDSALIM: 64 MB to 2047 MB, rounded up to a multiple of 1 MB.
    #[test]
    fn edsalim_is_64_mb_to_2047_mb_in_multiples_of_1_mb() {
        assert_eq!(SystemInitialization::new().size("EDSALIM"), 800 << 20);
        for (value, in_force) in [
            ("64M", Some(64 << 20)),
            ("67108865", Some(65 << 20)),
            ("65537K", Some(65 << 20)),
            ("2047M", Some(2047 << 20)),
            ("67108863", None),
            ("63M", None),
            ("2048M", None),
            ("17179869248G", None),
            ("1.5M", None),
        ] {
            assert_eq!(applied("EDSALIM", value).map(|size| scaled(&size).unwrap()), in_force, "EDSALIM={value}");
        }
    }

    /// Topic DSALIM: 2 MB to 16 MB, rounded up to a multiple of 256 KB.
    #[test]
    fn dsalim_is_2_mb_to_16_mb_in_multiples_of_256_kb() {
        for (value, in_force) in
            [("2M", Some(2 << 20)), ("2097153", Some((2 << 20) + (256 << 10))), ("16M", Some(16 << 20)), ("2047K", None), ("17M", None)]
        {
            assert_eq!(applied("DSALIM", value).map(|size| scaled(&size).unwrap()), in_force, "DSALIM={value}");
        }
    }

    /// SET accepts what the parameter accepts, and rounds as the parameter is rounded.
    #[test]
    fn numbers_of_set_are_those_of_the_parameters() {
        for (name, number, in_force) in [
            ("ICVR", 499, Some(250)),
            ("ICVR", 249, None),
            ("AKPFREQ", 0, Some(0)),
            ("AKPFREQ", 49, None),
            ("DSALIM", 2_097_153, Some((2 << 20) + (256 << 10))),
            ("EDSALIM", 63 << 20, None),
            ("MEMLIMIT", 5, Some(5)),
        ] {
            assert_eq!(accepted(name, number), in_force, "{name} {number}");
        }
        assert_eq!(["AKPFREQ", "MXT", "DSALIM"].map(bounds), ["0 or 50 to 65535", "10 to 2000", "2M to 16M"]);
    }

    #[test]
    fn overrides_are_checked_and_typed() {
        let mut sit = SystemInitialization::new();
        assert!(sit.apply_text("MXT=200,ICVR=0\n* comment\nGMTEXT='HELLO, WORLD'\nAPPLID=(GEN,REG1)\n.END\nMXT=1").is_empty());
        assert_eq!((sit.max_tasks(), sit.max_open_tcbs()), (200, 432));
        assert_eq!(sit.good_morning_text(), "HELLO, WORLD");
        assert_eq!(sit.applid().as_str(), "REG1");
        assert_eq!(sit.runaway(), Duration::ZERO);
        assert_eq!(sit.size("EDSALIM"), 800 << 20);
        assert!(matches!(sit.apply("MXT=9"), Err(SitError::Value { .. })));
        assert!(sit.apply("MXT=10").is_ok());
        assert!(sit.apply("MXT=2001").is_err());
        assert_eq!(sit.apply("FOO=1"), Err(SitError::Unknown("FOO".to_string())));
        assert!(matches!(sit.apply("MXT"), Err(SitError::Form(_))));
        assert!(sit.apply("STNTRAP=1").is_ok());
        assert!(sit.apply(&format!("GMTEXT='{}'", "G".repeat(246))).is_ok());
        assert!(matches!(sit.apply(&format!("GMTEXT='{}'", "G".repeat(247))), Err(SitError::Value { name: "GMTEXT", .. })));
        for (value, parts) in [("(5,10)", ["5", "10"]), ("(600,100)", ["600", "100"]), ("0", ["0", "25"]), ("OFF", ["OFF", "25"])] {
            sit.apply(&format!("WLMHEALTH={value}")).unwrap();
            assert_eq!([0, 1].map(|at| sit.part("WLMHEALTH", at)), parts, "{value}");
        }
        for refused in ["(601,1)", "(1,0)", "(1,101)", "ON", "(1,2,3)"] {
            assert!(sit.apply(&format!("WLMHEALTH={refused}")).is_err(), "{refused}");
        }
        assert_eq!(sit.apply("AKPFREQ=1").unwrap_err().to_string(), "DFHPA1909 AKPFREQ=1: 0 or a number from 50 to 65535 is expected");
    }

    /// Topics STNTR, STNTRxx, SPCTR, SPCTRxx.
    #[test]
    fn trace_levels_are_those_of_the_component_or_of_all() {
        let mut sit = SystemInitialization::new();
        let levels = |sit: &SystemInitialization, family: &str| {
            [Component::Ei, Component::Ds, Component::Sm].map(|component| sit.trace_levels(family, component))
        };
        assert_eq!((levels(&sit, "STNTR"), levels(&sit, "SPCTR")), ([1; 3], [3; 3]));
        for text in ["STNTR=OFF", "STNTREI=(1,2)", "STNTRSM=(1,2,3,4)", "SPCTR=ALL", "SPCTRDS=3"] {
            sit.apply(text).unwrap();
        }
        assert_eq!((levels(&sit, "STNTR"), levels(&sit, "SPCTR")), ([3, 0, 15], [7, 4, 15]));
        for refused in ["STNTR=4", "STNTR=0", "STNTR=(1,X)", "STNTREI=(1,2,3,4)", "SPCTR=SOME", "STNTR="] {
            assert!(matches!(sit.apply(refused), Err(SitError::Value { .. })), "{refused}");
        }
        assert_eq!(sit.apply("STNTRZZ=1"), Err(SitError::Unknown("STNTRZZ".to_string())), "no component");
    }

    #[test]
    fn start_accepts_auto_cold_initial_and_all() {
        let mut sit = SystemInitialization::new();
        assert_eq!(sit.start(), StartType::Auto);
        for (value, start, alone) in [
            ("COLD", StartType::Cold, true),
            ("(INITIAL,ALL)", StartType::Initial, false),
            ("(,ALL)", StartType::Auto, false),
            ("AUTO", StartType::Auto, true),
        ] {
            sit.apply("ICP=COLD").and_then(|()| sit.apply(&format!("START={value}"))).unwrap();
            assert_eq!((sit.start(), sit.is_alone("ICP", "COLD")), (start, alone), "{value}");
        }
        // START does not accept WARM, and there is no alternate region.
        for value in ["WARM", "STANDBY", "(COLD,SOME)", "(COLD,ALL,ALL)"] {
            let error = sit.apply(&format!("START={value}")).unwrap_err().to_string();
            assert!(error.contains("(AUTO|INITIAL|COLD,ALL) is expected"), "{error}");
        }
    }

    /// The names of regions and users are parts of file names.
    #[test]
    fn names_have_the_characters_and_the_length_of_names() {
        let mut sit = SystemInitialization::new();
        for accepted in ["APPLID=REGION01", "applid=a$@#", "APPLID=(GENERIC,SPECIFIC)", "SYSIDNT=SYS1", "SYSIDNT='s'", "DFLTUSER=USERID01"]
        {
            assert!(sit.apply(accepted).is_ok(), "{accepted}");
        }
        assert_eq!((sit.applid().as_str(), sit.sysidnt().as_str()), ("SPECIFIC", "S"));
        for refused in
            ["APPLID=REGION012", "APPLID=../../X", "APPLID=A B", "APPLID=", "APPLID=(A,B,C)", "APPLID=A,B", "SYSIDNT=SYS01", "SYSIDNT=A_B"]
        {
            let error = sit.apply(refused).unwrap_err().to_string();
            let length = if refused.starts_with("APPLID") { 8 } else { 4 };
            assert!(error.starts_with(&format!("DFHPA1909 {refused}: a name of 1 to {length} characters")), "{error}");
        }
        assert_eq!(sit.applid().as_str(), "SPECIFIC");
    }

    /// Topics XTRAN, XFCT ...: YES, NO, or a name of at most seven characters.
    #[test]
    fn classes_of_resources_are_yes_no_or_a_name() {
        let sit = SystemInitialization::new();
        assert!(sit.is("SEC", "NO") && sit.is("XTRAN", "YES") && sit.is("XDB2", "NO"));
        for (value, in_force) in [("yes", Some("YES")), ("NO", Some("NO")), ("$pay", Some("$PAY")), ("ABCDEFG", Some("ABCDEFG"))] {
            assert_eq!(applied("XFCT", value).as_deref(), in_force, "XFCT={value}");
        }
        for refused in ["XFCT=ABCDEFGH", "XFCT=", "XTRAN=A.B", "XTRAN=../X", "SNSCOPE=WORLD", "ESMEXITS=INSTLN", "PSBCHK=YES"] {
            assert!(SystemInitialization::new().apply(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn initparm_gives_each_program_its_text() {
        let mut sit = SystemInitialization::new();
        sit.apply("INITPARM=(PGM1='A,B',PGM2='C')").unwrap();
        assert_eq!(sit.initparm("PGM1").as_deref(), Some("A,B"));
        assert_eq!(sit.initparm("PGM2").as_deref(), Some("C"));
        assert_eq!(sit.initparm("PGM3"), None);
    }
}
