//! JSON GENERATE, JSON PARSE, XML GENERATE, XML PARSE (Language Reference, the statements of those names).

use super::Parser;
use super::cursor::Parsed;
use crate::program::*;
use le::markup::{node_flags, suppress};

impl Parser<'_> {
    pub fn markup_statement(&mut self) -> Parsed<StatementKind> {
        let xml = self.is_word("XML");
        self.advance();
        let parse = self.is_word("PARSE");
        self.advance();
        match (xml, parse) {
            (true, true) => self.xml_parse(),
            (true, false) => self.markup(MarkupKind::XmlGenerate),
            (false, true) => self.markup(MarkupKind::JsonParse),
            (false, false) => self.markup(MarkupKind::JsonGenerate),
        }
    }

    fn markup(&mut self, kind: MarkupKind) -> Parsed<StatementKind> {
        let text = if kind == MarkupKind::JsonParse { self.reference()? } else { self.receiver()? };
        self.check_markup_text(&text, kind != MarkupKind::XmlGenerate);
        self.expect(if kind == MarkupKind::JsonParse { "INTO" } else { "FROM" })?;
        let root = self.reference()?;
        if root.modification.is_some() {
            self.report.severe(root.span, "the item of a JSON or XML statement cannot be reference-modified");
        }
        let nodes = self.markup_nodes(&root, kind)?;
        let xml = kind == MarkupKind::XmlGenerate;
        let code = self.markup_item(if xml { "XML-CODE" } else { "JSON-CODE" });
        let status = (kind == MarkupKind::JsonParse).then(|| self.markup_item("JSON-STATUS"));
        let mut markup = Markup {
            kind,
            text,
            root,
            nodes,
            count: None,
            encoding: None,
            encoding_of_program: false,
            declaration: false,
            namespace: None,
            prefix: None,
            detail: false,
            code,
            status,
            on_exception: None,
            not_on_exception: None,
        };
        while self.markup_phrase(&mut markup)? {}
        (markup.on_exception, markup.not_on_exception) = self.phrases(&[&["EXCEPTION"]]);
        self.end_scope(if xml { "END-XML" } else { "END-JSON" });
        Ok(StatementKind::Markup(Box::new(markup)))
    }

    /// JSON texts may be of UTF-8, XML documents not (Language Reference, identifier-1 of the statements).
    fn check_markup_text(&mut self, text: &Reference, json: bool) {
        let item = self.item(text.item);
        let fits = matches!(item.category, Category::Group | Category::Alphanumeric | Category::National);
        if !(fits || json && item.category == Category::Utf8) || item.justified {
            let classes = if json { "alphanumeric, national or UTF-8" } else { "alphanumeric or national" };
            let message = format!("{}: a JSON or XML text must be an {classes} item without JUSTIFIED", item.name);
            self.report.severe(text.span, message);
        } else if item.category == Category::Utf8 && varying_length(&self.unit.program, text.item).is_some() {
            let message = format!("{}: a JSON text of UTF-8 must be an item of fixed length", item.name);
            self.report.severe(text.span, message);
        }
    }

    /// One phrase; `false` when none is next.
    fn markup_phrase(&mut self, markup: &mut Markup) -> Parsed<bool> {
        let xml = markup.kind == MarkupKind::XmlGenerate;
        let generate = markup.kind != MarkupKind::JsonParse;
        let with = self.is_word("WITH");
        let word = if with { self.peek_word(1) } else { self.word() };
        let known = match word {
            "COUNT" => generate && !with,
            "ENCODING" => true,
            "XML-DECLARATION" | "ATTRIBUTES" | "NAMESPACE" | "NAMESPACE-PREFIX" | "TYPE" => xml,
            "DETAIL" => !generate,
            "NAME" | "SUPPRESS" => true,
            "CONVERTING" => !xml,
            "IGNORING" => !generate,
            "INDICATING" => {
                let span = self.span();
                return self.fail_at(span, "the INDICATING phrase is not supported");
            }
            _ => false,
        };
        if !known {
            return Ok(false);
        }
        if with {
            self.advance();
        }
        self.advance();
        match word {
            "COUNT" => {
                self.accept("IN");
                let count = self.reference()?;
                self.check_integer_item(&count, "COUNT IN");
                markup.count = Some(count);
            }
            "ENCODING" => {
                if self.accept("FROM") {
                    self.expect("CODEPAGE")?;
                    markup.encoding_of_program = true;
                } else {
                    markup.encoding = Some(self.operand()?);
                }
            }
            "XML-DECLARATION" => markup.declaration = true,
            "ATTRIBUTES" => self.all_attributes(markup),
            "NAMESPACE" => {
                self.accept("IS");
                markup.namespace = Some(self.operand()?);
            }
            "NAMESPACE-PREFIX" => {
                self.accept("IS");
                markup.prefix = Some(self.operand()?);
            }
            "DETAIL" => markup.detail = true,
            "NAME" => self.name_phrase(markup)?,
            "TYPE" => self.type_phrase(markup)?,
            "SUPPRESS" => self.suppress_phrase(markup)?,
            "CONVERTING" => self.converting_phrase(markup)?,
            _ => self.ignoring_phrase(markup)?,
        }
        Ok(true)
    }

    /// An item of the tree as a phrase names it, without subscripts.
    fn tree_item(&mut self, markup: &Markup) -> Parsed<usize> {
        let optional = std::mem::replace(&mut self.subscripts_optional, true);
        let reference = self.reference();
        self.subscripts_optional = optional;
        let reference = reference?;
        match markup.nodes.iter().position(|node| node.item == reference.item) {
            Some(at) => Ok(at),
            None => {
                let message = format!(
                    "{} is not one of the items of {} that the statement processes",
                    self.item(reference.item).name,
                    self.item(markup.root.item).name
                );
                self.fail_at(reference.span, message)
            }
        }
    }

    fn name_phrase(&mut self, markup: &mut Markup) -> Parsed<()> {
        self.accept("OF");
        loop {
            let at = self.tree_item(markup)?;
            self.accept("IS");
            let node = &mut markup.nodes[at];
            if self.accept("OMITTED") {
                if at != 0 {
                    let span = self.span();
                    self.report.severe(span, "NAME IS OMITTED applies to the item of the statement only");
                }
                markup.nodes[at].name = Box::default();
            } else {
                let span = self.span();
                let Some(literal) = self.literal() else { return self.fail("a literal or OMITTED") };
                let name = match &literal.value {
                    LiteralValue::Alphanumeric(bytes) => self.encoder.page.decode(bytes),
                    LiteralValue::National(bytes) => le::code_page::CCSID_1200.decode(bytes),
                    _ => return self.fail_at(span, "a name must be an alphanumeric or national literal"),
                };
                node.name = name.into();
                node.flags |= node_flags::NAMED;
            }
            if !self.at_identifier() || self.at_phrase_word() {
                return Ok(());
            }
        }
    }

    /// Words that begin a phrase of these statements and may also be names.
    fn at_phrase_word(&self) -> bool {
        if self.is_word("NAME") {
            return self.peek_word(1) == "OF" || self.peek_word(2) == "IS";
        }
        matches!(self.word(), "NAMESPACE" | "NAMESPACE-PREFIX" | "ENCODING" | "XML-DECLARATION" | "IGNORING" | "INDICATING")
    }

    fn type_phrase(&mut self, markup: &mut Markup) -> Parsed<()> {
        self.accept("OF");
        loop {
            let at = self.tree_item(markup)?;
            self.accept("IS");
            let span = self.span();
            let flag = match self.word() {
                "ATTRIBUTE" => node_flags::ATTRIBUTE,
                "ELEMENT" => 0,
                "CONTENT" => node_flags::CONTENT,
                _ => return self.fail("ATTRIBUTE, ELEMENT or CONTENT"),
            };
            self.advance();
            let node = &mut markup.nodes[at];
            node.flags = node.flags & !(node_flags::ATTRIBUTE | node_flags::CONTENT) | flag;
            let item = self.item(node.item);
            if flag == node_flags::ATTRIBUTE && (item.is_group() || item.occurs.is_some() || at == 0) {
                let message = format!("{} cannot be an attribute: it must be elementary, without OCCURS and within a group", item.name);
                self.report.severe(span, message);
                markup.nodes[at].flags &= !node_flags::ATTRIBUTE;
            }
            if !self.at_identifier() || self.at_phrase_word() {
                return Ok(());
            }
        }
    }

    /// WITH ATTRIBUTES: every eligible item without a TYPE of its own.
    fn all_attributes(&mut self, markup: &mut Markup) {
        for at in 1..markup.nodes.len() {
            let item = self.item(markup.nodes[at].item);
            if !item.is_group() && item.occurs.is_none() && markup.nodes[at].flags & node_flags::CONTENT == 0 {
                markup.nodes[at].flags |= node_flags::ATTRIBUTE;
            }
        }
    }

    fn suppress_phrase(&mut self, markup: &mut Markup) -> Parsed<()> {
        let parse = markup.kind == MarkupKind::JsonParse;
        loop {
            if self.is_word("EVERY") || (self.is_word("WHEN") && !parse) {
                self.generic_suppression(markup)?;
            } else if self.at_identifier() && !self.at_phrase_word() {
                let at = self.tree_item(markup)?;
                if self.accept("WHEN") {
                    let constants = self.when_constants()?;
                    markup.nodes[at].suppress_when |= constants;
                } else {
                    markup.nodes[at].flags |= node_flags::SUPPRESSED;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// `[EVERY [NUMERIC | NONNUMERIC] [ATTRIBUTE | CONTENT | ELEMENT]] WHEN ...`
    fn generic_suppression(&mut self, markup: &mut Markup) -> Parsed<()> {
        let (mut class, mut role) = (None, None);
        if self.accept("EVERY") {
            class = self.accept_any(&["NUMERIC", "NONNUMERIC"]);
            role = self.accept_any(&["ATTRIBUTE", "CONTENT", "ELEMENT"]);
        }
        self.expect("WHEN")?;
        let constants = self.when_constants()?;
        for at in 0..markup.nodes.len() {
            let node = &mut markup.nodes[at];
            let item = &self.unit.program.items[node.item.0 as usize];
            let in_class = class.is_none_or(|class| item.is_numeric() == (class == "NUMERIC"));
            let of_node = match node.flags & (node_flags::ATTRIBUTE | node_flags::CONTENT) {
                node_flags::ATTRIBUTE => "ATTRIBUTE",
                node_flags::CONTENT => "CONTENT",
                _ => "ELEMENT",
            };
            if !item.is_group() && in_class && role.is_none_or(|role| role == of_node) {
                node.suppress_when |= constants;
            }
        }
        Ok(())
    }

    /// Figurative constants joined by OR.
    fn when_constants(&mut self) -> Parsed<u32> {
        let mut constants = 0;
        loop {
            constants |= self.constant_bit()?;
            if !self.accept("OR") {
                return Ok(constants);
            }
        }
    }

    fn constant_bit(&mut self) -> Parsed<u32> {
        let bit = match self.word() {
            "ZERO" | "ZEROS" | "ZEROES" => suppress::ZERO,
            "SPACE" | "SPACES" => suppress::SPACE,
            "LOW-VALUE" | "LOW-VALUES" => suppress::LOW_VALUE,
            "HIGH-VALUE" | "HIGH-VALUES" => suppress::HIGH_VALUE,
            _ => return self.fail("ZERO, SPACE, LOW-VALUE or HIGH-VALUE"),
        };
        self.advance();
        Ok(bit)
    }

    /// CONVERTING item TO|FROM JSON BOOLEAN|NULL USING ... {ALSO ...}
    fn converting_phrase(&mut self, markup: &mut Markup) -> Parsed<()> {
        loop {
            let at = self.tree_item(markup)?;
            self.expect(if markup.kind == MarkupKind::JsonParse { "FROM" } else { "TO" })?;
            self.expect("JSON")?;
            if self.accept("NULL") {
                self.expect("USING")?;
                markup.nodes[at].null_when |= self.constant_bit()?;
            } else {
                if self.accept_any(&["BOOLEAN", "BOOL"]).is_none() {
                    return self.fail("BOOLEAN or NULL");
                }
                self.expect("USING")?;
                let item = markup.nodes[at].item;
                let first = self.truth_value(item)?;
                let second = if self.accept("AND") { self.truth_value(item)?.0 } else { first.1 };
                markup.nodes[at].truth = Some((first.0, second));
            }
            if !self.accept("ALSO") {
                return Ok(());
            }
        }
    }

    /// The bytes of an item for a condition-name or literal, and those for its falsehood.
    fn truth_value(&mut self, item: ItemId) -> Parsed<(Box<[u8]>, Box<[u8]>)> {
        let span = self.span();
        let (yes, no) = match self.literal() {
            Some(literal) => (literal, None),
            None => match self.noun()? {
                super::operand::Noun::Condition(id, _) => {
                    let condition = &self.unit.program.condition_names[id.0 as usize];
                    match condition.values.first() {
                        Some(value) => (value.low.clone(), condition.false_value.clone()),
                        None => return self.fail_at(span, "the condition-name has no value"),
                    }
                }
                _ => return self.fail_at(span, "a condition-name or a literal is needed here"),
            },
        };
        let described = self.item(item).clone();
        let mut encode = |literal: &Literal| match self.encoder.initial(&described, literal) {
            Ok(encoded) => encoded.bytes.into_boxed_slice(),
            Err(message) => {
                self.report.severe(span, message);
                Box::default()
            }
        };
        let yes = encode(&yes);
        let no = no.as_ref().map(&mut encode).unwrap_or_default();
        Ok((yes, no))
    }

    /// IGNORING JSON NULL FOR ALL, or for items.
    fn ignoring_phrase(&mut self, markup: &mut Markup) -> Parsed<()> {
        loop {
            self.accept("JSON");
            self.expect("NULL")?;
            self.expect("FOR")?;
            if self.accept("ALL") {
                for node in &mut markup.nodes {
                    node.flags |= node_flags::IGNORE_NULL;
                }
            } else {
                let at = self.tree_item(markup)?;
                markup.nodes[at].flags |= node_flags::IGNORE_NULL;
            }
            if !self.accept("ALSO") {
                return Ok(());
            }
        }
    }

    /// The items under the root that the statement processes (Language Reference, "ignored" items of identifier-2).
    fn markup_nodes(&mut self, root: &Reference, kind: MarkupKind) -> Parsed<Vec<MarkupNode>> {
        let mut nodes = Vec::new();
        let root_item = self.item(root.item);
        if root_item.level == 66 {
            return self.fail_at(root.span, "the item of a JSON or XML statement cannot have the RENAMES clause");
        }
        self.collect_nodes(root.item, true, &mut nodes);
        let elementary: Vec<ItemId> = nodes.iter().map(|node: &MarkupNode| node.item).filter(|item| !self.item(*item).is_group()).collect();
        if elementary.is_empty() {
            let message = format!("{} has no elementary item with a name", self.item(root.item).name);
            return self.fail_at(root.span, message);
        }
        for item in elementary {
            let item = self.item(item);
            let forbidden = matches!(
                item.category,
                Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer | Category::ObjectReference
            );
            if forbidden || (kind == MarkupKind::JsonParse && item.category == Category::Index) {
                let message = format!("{} has a usage that JSON and XML statements do not take", item.name);
                self.report.severe(root.span, message);
            } else if kind == MarkupKind::XmlGenerate && item.usage == Usage::Utf8 {
                let message = format!("{} is of usage UTF-8, which XML GENERATE does not support", item.name);
                self.report.severe(root.span, message);
            }
        }
        self.check_unique_names(&nodes, root.span);
        Ok(nodes)
    }

    /// The names within a group must differ: they become the names of elements and members.
    fn check_unique_names(&mut self, nodes: &[MarkupNode], span: Span) {
        let mut seen = std::collections::HashSet::new();
        for node in nodes.iter().filter(|node| !node.name.is_empty()) {
            let item = self.item(node.item);
            if !seen.insert((item.parent, item.name.clone())) {
                let message = format!("{} is not unique in its group, as JSON and XML statements need it to be", item.name);
                self.report.severe(span, message);
            }
        }
    }

    fn collect_nodes(&self, id: ItemId, is_root: bool, nodes: &mut Vec<MarkupNode>) {
        let item = self.item(id);
        let unnamed = &*item.name == "FILLER";
        let ignored = (item.redefines.is_some() && !is_root) || item.level == 66 || (unnamed && !item.is_group());
        if ignored {
            return;
        }
        let at = nodes.len();
        let numeric = if item.is_numeric() || item.category == Category::Index { node_flags::NUMERIC } else { 0 };
        nodes.push(MarkupNode {
            item: id,
            end: 0,
            name: if unnamed { Box::default() } else { self.spelling(&item.name, item.span) },
            flags: numeric,
            suppress_when: 0,
            null_when: 0,
            truth: None,
        });
        for child in self.unit.program.children(id) {
            self.collect_nodes(child, false, nodes);
        }
        if item.is_group() && nodes.len() == at + 1 {
            nodes.pop();
            return;
        }
        nodes[at].end = nodes.len() as u32;
    }

    /// A name as its description spells it.
    pub fn spelling(&self, name: &str, span: Span) -> Box<str> {
        let line = self.sources.line_text(span.file, span.line);
        let start = usize::from(span.column).saturating_sub(1);
        let written: String = line.chars().skip(start).take(name.chars().count()).collect();
        if written.eq_ignore_ascii_case(name) { written.into() } else { name.into() }
    }

    fn xml_parse(&mut self) -> Parsed<StatementKind> {
        let document = self.reference()?;
        self.check_markup_text(&document, false);
        let (mut encoding, mut returning_national) = (None, false);
        loop {
            let with = usize::from(self.is_word("WITH"));
            match self.peek_word(with) {
                "ENCODING" => {
                    self.accept("WITH");
                    self.advance();
                    encoding = Some(self.operand()?);
                }
                "RETURNING" => {
                    self.advance();
                    self.expect("NATIONAL")?;
                    returning_national = true;
                }
                "VALIDATING" => {
                    let span = self.span();
                    return self.fail_at(span, "XML PARSE VALIDATING is not supported");
                }
                _ => break,
            }
        }
        self.expect("PROCESSING")?;
        self.expect("PROCEDURE")?;
        self.accept("IS");
        let first = self.procedure_name()?;
        let last = if self.accept("THROUGH") || self.accept("THRU") { self.procedure_name()? } else { first };
        let procedure = Range { first, last: self.unit.program.procedure(last).last };
        let registers = XmlRegisters {
            code: self.markup_item("XML-CODE"),
            event: self.markup_item("XML-EVENT"),
            information: self.markup_item("XML-INFORMATION"),
            texts: ["XML-TEXT", "XML-NTEXT", "XML-NAMESPACE", "XML-NNAMESPACE", "XML-NAMESPACE-PREFIX", "XML-NNAMESPACE-PREFIX"]
                .map(|name| self.markup_item(name)),
        };
        let (on_exception, not_on_exception) = self.phrases(&[&["EXCEPTION"]]);
        self.end_scope("END-XML");
        Ok(StatementKind::XmlParse(Box::new(XmlParse {
            document,
            encoding,
            returning_national,
            compatible: self.options.xml_compatible,
            procedure,
            registers,
            on_exception,
            not_on_exception,
        })))
    }
}
