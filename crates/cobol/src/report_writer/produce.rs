//! The COBOL that presents a report.
//!
//! Names, with R the report and G a group: `RW--LINE-G-n` a print line, `RW--GENERATE-G` a GENERATE, `RW--PRESENT-G` the presentation of
//! a group, `RW--PRINT-R` the writing of one line at `RW--TARGET-R`. LC is the report's LINE-COUNTER.

use super::code::Code;
use super::definition::{Content, Definition, Group, GroupKind, Place, Sum};
use super::record_name;
use crate::lexer::Token;

/// Items of WORKING-STORAGE.
pub fn data(definition: &Definition, code: &mut Code) {
    let r = &definition.name;
    code.at(definition.span);
    code.text(&format!("01 {r} . 02 LINE-COUNTER PIC 9(6) COMP . 02 PAGE-COUNTER PIC 9(6) COMP ."));
    for name in ["STARTED", "LEVEL", "BODY", "SAVED", "TARGET", "POSITION", "INDICATE", "TRIAL", "FOOTED"] {
        code.text(&format!("77 RW--{name}-{r} PIC 9(6) COMP ."));
    }
    code.text(&format!("77 RW--HOLD-{r} PIC X(32760) ."));
    for (number, control) in definition.controls.iter().enumerate() {
        for kind in ["OLD", "NEW"] {
            if !control.is_empty() {
                code.text(&format!("77 RW--{kind}-{r}-{number} SAME AS"));
                code.copy(control, r);
                code.text(".");
            }
        }
    }
    for group in &definition.groups {
        code.at(group.span);
        code.text(&format!("77 RW--SUPPRESS-{} PIC 9 VALUE 0 .", group.name));
        for (field, sum) in group.sums() {
            let digits = u32::from(field.picture.digits).max(1);
            let decimals = u32::try_from(field.picture.scale).unwrap_or(0).min(digits);
            let picture = match (digits - decimals, decimals) {
                (whole, 0) => format!("S9({whole})"),
                (0, decimals) => format!("SV9({decimals})"),
                (whole, decimals) => format!("S9({whole})V9({decimals})"),
            };
            code.at(field.span);
            code.text(&format!("77 {} PIC {picture} VALUE 0 .", sum.counter));
        }
        lines(group, code);
    }
}

/// Record descriptions of the print lines: fields in order of their columns with spaces between.
fn lines(group: &Group, code: &mut Code) {
    for (number, line) in group.lines.iter().enumerate() {
        code.text(&format!("01 RW--LINE-{}-{number} .", group.name));
        let mut order: Vec<usize> = (0..line.fields.len()).collect();
        order.sort_by_key(|at| line.fields[*at].column);
        let mut column = 1;
        for at in order {
            let field = &line.fields[at];
            if field.column > column {
                code.text(&format!("02 FILLER PIC X({}) .", field.column - column));
            }
            code.at(field.span);
            code.text(&format!("02 {}", field_name(group, number, at)));
            code.copy(&field.description, "");
            code.text(".");
            column = field.column.max(column) + field.width;
        }
        if line.fields.is_empty() {
            code.text("02 FILLER PIC X .");
        }
    }
}

fn field_name(group: &Group, line: usize, field: usize) -> String {
    format!("RW--FIELD-{}-{line}-{field}", group.name)
}

/// All paragraphs of a report. `uses`: group and the section performed before it is presented.
pub fn procedures(definition: &Definition, uses: &[(String, String)], code: &mut Code) {
    Producer { definition, uses, code }.all();
}

struct Producer<'a> {
    definition: &'a Definition,
    uses: &'a [(String, String)],
    code: &'a mut Code,
}

impl Producer<'_> {
    fn r(&self) -> String {
        self.definition.name.clone()
    }

    fn groups(&self, kind: GroupKind) -> Vec<&Group> {
        self.definition.groups.iter().filter(|group| group.kind == kind).collect()
    }

    /// PERFORMs of the presentation of every group of a kind.
    fn present_kind(&mut self, kind: GroupKind) {
        let names: Vec<String> = self.groups(kind).iter().map(|group| group.name.clone()).collect();
        for name in names {
            self.code.text(&format!("PERFORM RW--PRESENT-{name}"));
        }
    }

    fn all(&mut self) {
        self.code.at(self.definition.span);
        self.initiate();
        self.before_detail();
        self.terminate();
        self.advance();
        self.print();
        self.summary();
        let definition = self.definition;
        for group in &definition.groups {
            self.code.at(group.span);
            if group.kind == GroupKind::Detail {
                self.generate(group);
            }
            self.present(group);
        }
    }

    fn initiate(&mut self) {
        let r = self.r();
        self.code.text(&format!(
            "RW--INITIATE-{r} . MOVE 0 TO LINE-COUNTER OF {r} RW--STARTED-{r} RW--LEVEL-{r} RW--BODY-{r} RW--SAVED-{r} \
             RW--POSITION-{r} RW--FOOTED-{r} MOVE 1 TO PAGE-COUNTER OF {r} RW--INDICATE-{r}"
        ));
        for group in &self.definition.groups {
            for (_, sum) in group.sums() {
                self.code.text(&format!("MOVE 0 TO {}", sum.counter));
            }
        }
        self.code.text(".");
    }

    /// MOVE of every control's value to or from its saved copy.
    fn move_controls(&mut self, from: &str, to: &str) {
        let r = self.r();
        for (number, control) in self.definition.controls.iter().enumerate() {
            if control.is_empty() {
                continue;
            }
            self.code.text("MOVE");
            for (at, place) in [from, to].into_iter().enumerate() {
                if at == 1 {
                    self.code.text("TO");
                }
                match place {
                    "" => self.code.copy(control, &r),
                    saved => self.code.text(&format!("RW--{saved}-{r}-{number}")),
                }
            }
        }
    }

    /// The steps of every GENERATE before its own detail: headings the first time, otherwise control breaks.
    fn before_detail(&mut self) {
        let r = self.r();
        self.code.text(&format!("RW--BREAKS-{r} . IF RW--STARTED-{r} = 0 MOVE 1 TO RW--STARTED-{r}"));
        self.move_controls("", "OLD");
        self.present_kind(GroupKind::ReportHeading);
        if self.definition.page.is_some() {
            self.present_kind(GroupKind::PageHeading);
        }
        self.control_groups(GroupKind::ControlHeading, false);
        self.code.text(&format!("ELSE MOVE 0 TO RW--LEVEL-{r}"));
        // The major control that has changed; levels count from 1.
        for (number, control) in self.definition.controls.iter().enumerate() {
            if control.is_empty() {
                continue;
            }
            self.code.text(&format!("IF RW--LEVEL-{r} = 0 AND"));
            self.code.copy(control, &r);
            self.code.text(&format!("NOT = RW--OLD-{r}-{number} MOVE {} TO RW--LEVEL-{r} END-IF", number + 1));
        }
        self.code.text(&format!("IF RW--LEVEL-{r} > 0"));
        // Footings show the controls before the break.
        self.move_controls("", "NEW");
        self.move_controls("OLD", "");
        self.control_groups(GroupKind::ControlFooting, true);
        self.move_controls("NEW", "");
        self.move_controls("", "OLD");
        self.code.text(&format!("MOVE 1 TO RW--INDICATE-{r}"));
        self.control_groups(GroupKind::ControlHeading, true);
        self.code.text("CONTINUE END-IF END-IF .");
    }

    /// Control headings from major to minor, or footings from minor to major; only from the broken level on when `broken`.
    fn control_groups(&mut self, kind: GroupKind, broken: bool) {
        let r = self.r();
        let count = self.definition.controls.len();
        let order: Vec<usize> = if kind == GroupKind::ControlFooting { (0..count).rev().collect() } else { (0..count).collect() };
        for control in order {
            let names: Vec<String> =
                self.groups(kind).iter().filter(|group| group.control == control).map(|group| group.name.clone()).collect();
            let resets = kind == GroupKind::ControlFooting;
            if names.is_empty() && !resets {
                continue;
            }
            if broken {
                self.code.text(&format!("IF RW--LEVEL-{r} NOT > {}", control + 1));
            }
            for name in names {
                self.code.text(&format!("PERFORM RW--PRESENT-{name}"));
            }
            if resets {
                self.reset_sums(control);
            }
            if broken {
                self.code.text("CONTINUE END-IF");
            }
        }
    }

    /// Counters go back to zero after the footing of their own control, or of the one RESET names.
    fn reset_sums(&mut self, control: usize) {
        for group in &self.definition.groups {
            for (_, sum) in group.sums() {
                if group.kind == GroupKind::ControlFooting && sum.reset.unwrap_or(group.control) == control {
                    self.code.text(&format!("MOVE 0 TO {}", sum.counter));
                }
            }
        }
    }

    fn terminate(&mut self) {
        let r = self.r();
        self.code.text(&format!("RW--TERMINATE-{r} . IF RW--STARTED-{r} = 1 MOVE 1 TO RW--LEVEL-{r}"));
        self.move_controls("", "NEW");
        self.move_controls("OLD", "");
        self.control_groups(GroupKind::ControlFooting, true);
        self.move_controls("NEW", "");
        if self.definition.page.is_some() {
            self.present_kind(GroupKind::PageFooting);
        }
        self.present_kind(GroupKind::ReportFooting);
        self.code.text(&format!("MOVE 0 TO RW--STARTED-{r} END-IF ."));
    }

    /// Page footing, next page, page heading.
    fn advance(&mut self) {
        let r = self.r();
        self.code.text(&format!("RW--ADVANCE-{r} ."));
        if self.definition.page.is_some() {
            self.present_kind(GroupKind::PageFooting);
            self.code.text(&format!("PERFORM RW--NEW-PAGE-{r}"));
            self.present_kind(GroupKind::PageHeading);
            self.code.text(&format!("IF RW--SAVED-{r} > 0 MOVE RW--SAVED-{r} TO LINE-COUNTER OF {r} MOVE 0 TO RW--SAVED-{r} END-IF"));
        }
        self.code.text(&format!(
            "CONTINUE . RW--NEW-PAGE-{r} . ADD 1 TO PAGE-COUNTER OF {r} MOVE 0 TO LINE-COUNTER OF {r} RW--POSITION-{r} RW--BODY-{r} \
             RW--FOOTED-{r} MOVE 1 TO RW--INDICATE-{r} ."
        ));
    }

    /// Writes the line in the record at the target line. A page begins with a line written after advancing to it.
    fn print(&mut self) {
        let r = self.r();
        let record = record_name(self.definition.file);
        self.code.text(&format!("RW--PRINT-{r} ."));
        if self.definition.page.is_some() {
            self.code.text(&format!(
                "IF RW--POSITION-{r} = 0 IF RW--TARGET-{r} = 1 WRITE {record} AFTER ADVANCING PAGE ELSE MOVE {record} TO RW--HOLD-{r} \
                 MOVE SPACES TO {record} WRITE {record} AFTER ADVANCING PAGE MOVE RW--HOLD-{r} TO {record} END-IF \
                 MOVE 1 TO RW--POSITION-{r} END-IF"
            ));
        }
        self.code.text(&format!(
            "IF RW--TARGET-{r} > RW--POSITION-{r} SUBTRACT RW--POSITION-{r} FROM RW--TARGET-{r} GIVING RW--TRIAL-{r} \
             WRITE {record} AFTER ADVANCING RW--TRIAL-{r} LINES END-IF MOVE RW--TARGET-{r} TO RW--POSITION-{r} LINE-COUNTER OF {r} ."
        ));
    }

    /// GENERATE report-name: summary reporting.
    fn summary(&mut self) {
        let r = self.r();
        self.code.text(&format!("RW--GENERATE-{r} . PERFORM RW--BREAKS-{r}"));
        self.subtotals(None);
        self.code.text(".");
    }

    fn generate(&mut self, group: &Group) {
        let r = self.r();
        self.code.text(&format!("RW--GENERATE-{} . PERFORM RW--BREAKS-{r}", group.name));
        self.subtotals(Some(&group.name));
        self.code.text(&format!("PERFORM RW--PRESENT-{} .", group.name));
    }

    fn is_counter(&self, operand: &[Token]) -> bool {
        let name = operand.first().and_then(Token::word).unwrap_or("");
        self.definition.groups.iter().flat_map(Group::sums).any(|(_, sum)| sum.counter == name)
    }

    /// Adds the items that sums name.
    fn subtotals(&mut self, detail: Option<&String>) {
        let r = self.r();
        let definition = self.definition;
        for (_, sum) in definition.groups.iter().flat_map(Group::sums) {
            let applies = sum.upon.is_empty() || detail.is_none_or(|detail| sum.upon.contains(detail));
            for operand in &sum.operands {
                if !applies || self.is_counter(operand) {
                    continue;
                }
                self.code.text("ADD");
                self.code.copy(operand, &r);
                self.code.text(&format!("TO {}", sum.counter));
            }
        }
        self.code.text("CONTINUE");
    }

    /// Crossfooting within the group, then this group's counters roll forward to the others.
    fn roll(&mut self, group: &Group) {
        let own: Vec<&Sum> = group.sums().map(|(_, sum)| sum).collect();
        let named = |operand: &[Token], sum: &Sum| operand.first().and_then(Token::word) == Some(sum.counter.as_str());
        let definition = self.definition;
        for inside in [true, false] {
            for other in &definition.groups {
                if std::ptr::eq(other, group) != inside {
                    continue;
                }
                for (_, target) in other.sums() {
                    for operand in &target.operands {
                        if let Some(source) = own.iter().find(|sum| named(operand, sum)) {
                            self.code.text(&format!("ADD {} TO {}", source.counter, target.counter));
                        }
                    }
                }
            }
        }
    }

    /// Presentation of a group.
    fn present(&mut self, group: &Group) {
        let r = self.r();
        let name = &group.name;
        self.code.text(&format!("RW--PRESENT-{name} ."));
        if group.kind == GroupKind::ControlFooting {
            self.roll(group);
        }
        for (_, section) in self.uses.iter().filter(|(used, _)| used == name) {
            self.code.text(&format!("PERFORM {section}"));
        }
        self.code.text(&format!("IF RW--SUPPRESS-{name} = 1 MOVE 0 TO RW--SUPPRESS-{name} ELSE"));
        if !group.lines.is_empty() {
            self.page_fit(group);
            for number in 0..group.lines.len() {
                self.line(group, number);
            }
            self.after_lines(group);
        }
        if group.kind == GroupKind::Detail {
            self.code.text(&format!("MOVE 0 TO RW--INDICATE-{r}"));
        }
        self.code.text("CONTINUE END-IF .");
    }

    fn is_body(group: &Group) -> bool {
        matches!(group.kind, GroupKind::ControlHeading | GroupKind::Detail | GroupKind::ControlFooting)
    }

    /// A body group that does not fit goes to the next page.
    fn page_fit(&mut self, group: &Group) {
        let r = self.r();
        let Some(page) = &self.definition.page else { return };
        let first = group.lines[0].place;
        if group.kind == GroupKind::ReportFooting && matches!(first, Place::NextPage | Place::Absolute { next_page: true, .. }) {
            self.code.text(&format!("PERFORM RW--NEW-PAGE-{r}"));
        }
        if !Self::is_body(group) {
            return;
        }
        match first {
            Place::NextPage | Place::Absolute { next_page: true, .. } => {
                self.code.text(&format!("IF RW--BODY-{r} = 1 PERFORM RW--ADVANCE-{r} END-IF"));
            }
            Place::Absolute { line, .. } => {
                self.code.text(&format!("IF LINE-COUNTER OF {r} NOT < {line} PERFORM RW--ADVANCE-{r} END-IF"));
            }
            Place::Relative(_) => {
                let total: u32 = group
                    .lines
                    .iter()
                    .map(|line| match line.place {
                        Place::Relative(lines) => lines,
                        _ => 0,
                    })
                    .sum();
                let limit = if group.kind == GroupKind::ControlFooting { page.footing } else { page.last_detail };
                self.code.text(&format!(
                    "IF RW--BODY-{r} = 1 OR LINE-COUNTER OF {r} > 0 ADD {total} LINE-COUNTER OF {r} GIVING RW--TRIAL-{r} \
                     IF RW--TRIAL-{r} > {limit} PERFORM RW--ADVANCE-{r} END-IF END-IF"
                ));
            }
        }
    }

    /// The line a group's line goes to.
    fn target(&mut self, group: &Group, number: usize) {
        let r = self.r();
        let (heading, first_detail, footing) =
            self.definition.page.as_ref().map_or((1, 0, 0), |page| (page.heading, page.first_detail, page.footing));
        let paged = self.definition.page.is_some();
        let lines = match group.lines[number].place {
            Place::Absolute { line, .. } => return self.code.text(&format!("MOVE {line} TO RW--TARGET-{r}")),
            Place::Relative(lines) => lines,
            Place::NextPage => 1,
        };
        let plus = format!("ADD {lines} LINE-COUNTER OF {r} GIVING RW--TARGET-{r}");
        if number > 0 || !paged {
            return self.code.text(&plus);
        }
        match group.kind {
            GroupKind::ReportHeading | GroupKind::PageHeading => {
                let line = heading - 1 + lines;
                self.code.text(&format!("IF LINE-COUNTER OF {r} = 0 MOVE {line} TO RW--TARGET-{r} ELSE {plus} END-IF"));
            }
            GroupKind::PageFooting => self.code.text(&format!("MOVE {} TO RW--TARGET-{r}", footing + lines)),
            GroupKind::ReportFooting => {
                let line = footing + lines;
                self.code.text(&format!(
                    "IF RW--FOOTED-{r} = 1 OR LINE-COUNTER OF {r} > {footing} {plus} ELSE IF LINE-COUNTER OF {r} = 0 \
                     MOVE {lines} TO RW--TARGET-{r} ELSE MOVE {line} TO RW--TARGET-{r} END-IF END-IF"
                ));
            }
            _ => self.code.text(&format!(
                "IF RW--BODY-{r} = 0 AND LINE-COUNTER OF {r} < {first_detail} MOVE {first_detail} TO RW--TARGET-{r} ELSE {plus} END-IF"
            )),
        }
    }

    fn line(&mut self, group: &Group, number: usize) {
        let r = self.r();
        let record = record_name(self.definition.file);
        let line = format!("RW--LINE-{}-{number}", group.name);
        self.target(group, number);
        // SOURCE LINE-COUNTER shows the line being printed.
        self.code.text(&format!("MOVE RW--TARGET-{r} TO LINE-COUNTER OF {r} MOVE SPACES TO {line}"));
        for (at, field) in group.lines[number].fields.iter().enumerate() {
            self.code.at(field.span);
            if field.group_indicate {
                self.code.text(&format!("IF RW--INDICATE-{r} = 1"));
            }
            self.code.text("MOVE");
            match &field.content {
                Content::Source(tokens) | Content::Value(tokens) => self.code.copy(tokens, &r),
                Content::Sum(sum) => self.code.text(&sum.counter),
            }
            self.code.text(&format!("TO {}", field_name(group, number, at)));
            if field.group_indicate {
                self.code.text("END-IF");
            }
        }
        self.code.at(group.span);
        match &self.definition.code {
            Some(literal) => {
                let literal = literal.clone();
                self.code.text(&format!("MOVE SPACES TO {record} STRING"));
                self.code.literal(&literal);
                self.code.text(&format!("{line} DELIMITED BY SIZE INTO {record}"));
            }
            None => self.code.text(&format!("MOVE {line} TO {record}")),
        }
        self.code.text(&format!("PERFORM RW--PRINT-{r}"));
    }

    /// NEXT GROUP, and the state needed by later groups.
    fn after_lines(&mut self, group: &Group) {
        let r = self.r();
        let footing = self.definition.page.as_ref().map(|page| page.footing);
        match group.kind {
            GroupKind::PageFooting => self.code.text(&format!("MOVE 1 TO RW--FOOTED-{r}")),
            _ if Self::is_body(group) => self.code.text(&format!("MOVE 1 TO RW--BODY-{r}")),
            _ => {}
        }
        let Some(next) = group.next_group else { return };
        if group.kind == GroupKind::ReportHeading {
            match (next, footing) {
                (Place::NextPage, Some(_)) => self.code.text(&format!("PERFORM RW--NEW-PAGE-{r}")),
                (Place::Absolute { line, .. }, _) => self.code.text(&format!("MOVE {line} TO LINE-COUNTER OF {r}")),
                (Place::Relative(lines), _) => self.code.text(&format!("ADD {lines} TO LINE-COUNTER OF {r}")),
                _ => {}
            }
            return;
        }
        // Of control footings only that of the highest broken level has a NEXT GROUP.
        let control = group.kind == GroupKind::ControlFooting;
        if control {
            self.code.text(&format!("IF RW--LEVEL-{r} = {}", group.control + 1));
        }
        match (next, footing) {
            (Place::Relative(lines), None) => self.code.text(&format!("ADD {lines} TO LINE-COUNTER OF {r}")),
            (Place::Absolute { line, .. }, None) => self.code.text(&format!("MOVE {line} TO LINE-COUNTER OF {r}")),
            (Place::Relative(lines), Some(footing)) => self.code.text(&format!(
                "ADD {lines} LINE-COUNTER OF {r} GIVING RW--TRIAL-{r} IF RW--TRIAL-{r} < {footing} \
                 MOVE RW--TRIAL-{r} TO LINE-COUNTER OF {r} ELSE MOVE {footing} TO LINE-COUNTER OF {r} END-IF"
            )),
            (Place::Absolute { line, .. }, Some(footing)) => self.code.text(&format!(
                "IF LINE-COUNTER OF {r} < {line} MOVE {line} TO LINE-COUNTER OF {r} ELSE MOVE {line} TO RW--SAVED-{r} \
                 MOVE {footing} TO LINE-COUNTER OF {r} END-IF"
            )),
            (Place::NextPage, Some(footing)) => self.code.text(&format!("MOVE {footing} TO LINE-COUNTER OF {r}")),
            (Place::NextPage, None) => {}
        }
        if control {
            self.code.text("CONTINUE END-IF");
        }
    }
}
