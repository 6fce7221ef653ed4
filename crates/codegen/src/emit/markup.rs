//! JSON and XML statements: the tree of items as a constant, the parameter blocks.

use super::*;
use crate::layout::AreaPlace;
use cobol::program::{ItemId, Markup, MarkupKind, MarkupNode, Operand, Size, XmlParse, varying_length};
use le::markup::{Depending, Extent, Node, Tree};
use program::requests::{MarkupRequest, VaryingRegister, XmlRegisters, markup_operation, service, xml_flags, xml_step};

impl<'a> Emitter<'_, 'a> {
    pub fn markup(&mut self, statement: &'a Markup) {
        let (tree, tables) = self.tree(statement);
        let bytes = tree.to_bytes();
        let request = self.temporary_address(std::mem::size_of::<MarkupRequest>() as u32);
        let address = self.constant_bytes(&bytes);
        self.store(address, request, offset_of!(MarkupRequest, tree));
        let root = self.field(&statement.root);
        let root = self.field_address(&root);
        self.store(root, request, offset_of!(MarkupRequest, root));
        let list = self.depending(&tables);
        self.store(list, request, offset_of!(MarkupRequest, tables));
        let text = self.field(&statement.text);
        self.put_operand(&text, request, offset_of!(MarkupRequest, text));
        for (operand, offset) in
            [(&statement.namespace, offset_of!(MarkupRequest, namespace)), (&statement.prefix, offset_of!(MarkupRequest, prefix))]
        {
            match operand {
                Some(operand) => {
                    let field = self.source_field(operand);
                    self.put_operand(&field, request, offset);
                }
                None => {
                    let null = self.null();
                    self.store(null, request, offset);
                }
            }
        }
        let operation = operation_of(statement);
        for (value, offset) in [
            (bytes.len() as i64, offset_of!(MarkupRequest, tree_length)),
            (tables.len() as i64, offset_of!(MarkupRequest, table_count)),
            (i64::from(operation), offset_of!(MarkupRequest, operation)),
            (0, offset_of!(MarkupRequest, count)),
            (0, offset_of!(MarkupRequest, status)),
        ] {
            let value = self.i32(value);
            self.store(value, request, offset);
        }
        let encoding = self.encoding(&statement.encoding);
        let encoding = self.b.ins().ireduce(I32, encoding);
        self.store(encoding, request, offset_of!(MarkupRequest, encoding));
        let words = self.temporary_address(8);
        self.store(request, words, 0);
        let code = self.service(service::MARKUP, words, 1);
        let field = self.item_field(statement.code);
        self.store_integer(code, &field);
        if let Some(status) = statement.status {
            let value = self.b.ins().load(I32, NOTRAP, request, offset_of!(MarkupRequest, status) as i32);
            let value = self.b.ins().uextend(I64, value);
            let field = self.item_field(status);
            self.store_integer(value, &field);
        }
        if let Some(count) = &statement.count {
            let value = self.b.ins().load(I32, NOTRAP, request, offset_of!(MarkupRequest, count) as i32);
            let value = self.b.ins().uextend(I64, value);
            let field = self.field(count);
            self.store_number(super::number::Number::Short { value, scale: 0, digits: 10 }, &field, 0);
        }
        if statement.on_exception.is_some() || statement.not_on_exception.is_some() {
            self.two_branches(code, statement.on_exception.as_deref(), statement.not_on_exception.as_deref());
        }
    }

    fn put_operand(&mut self, field: &super::field::Field, block: Value, offset: usize) {
        let (address, attributes) = (self.field_address(field), self.attributes_address(field));
        self.store(address, block, offset + offset_of!(program::requests::Operand, address));
        self.store(attributes, block, offset + offset_of!(program::requests::Operand, attributes));
    }

    /// CCSID, 64 bits; 0 when none is given.
    fn encoding(&mut self, encoding: &Option<Operand>) -> Value {
        match encoding {
            Some(operand) => {
                let number = self.operand_number(operand);
                self.integer_of(number)
            }
            None => self.i64(0),
        }
    }

    /// The tree, and the tables it names by number.
    fn tree(&mut self, statement: &Markup) -> (Tree, Vec<ItemId>) {
        let mut tables = Vec::new();
        let root = self.program.item(statement.root.item);
        let outer_terms = root.offset.terms.len();
        let nodes = statement.nodes.iter().enumerate().map(|(at, node)| {
            let item = self.program.item(node.item);
            let mut offset = item.offset.clone();
            offset.fixed -= root.offset.fixed;
            offset.terms.drain(..outer_terms.min(offset.terms.len()));
            let occurs = item.occurs.as_deref().filter(|_| at > 0);
            Node {
                name: node.name.to_string(),
                end: node.end,
                attributes: self.layouts[self.index].descriptor(node.item),
                offset: extent(&offset, &mut tables),
                length: extent(&item.length, &mut tables),
                table: occurs.map(|_| number(node.item, &mut tables)),
                stride: occurs.map(|occurs| extent(&occurs.stride, &mut tables)).unwrap_or_default(),
                flags: node.flags,
                suppress_when: node.suppress_when,
                null_when: node.null_when,
                truth: truth(node),
            }
        });
        let nodes = nodes.collect();
        let bounds = |table: &ItemId| self.program.item(*table).occurs.as_ref().map_or((1, 1), |occurs| (occurs.min, occurs.max));
        (Tree { nodes, tables: tables.iter().map(bounds).collect() }, tables)
    }

    /// The locations of the OCCURS DEPENDING ON items, by table number.
    fn depending(&mut self, tables: &[ItemId]) -> Value {
        let size = std::mem::size_of::<Depending>();
        let list = self.temporary_address((size * tables.len().max(1)) as u32);
        for (number, table) in tables.iter().enumerate() {
            let item = self.program.item(*table).occurs.as_ref().and_then(|occurs| occurs.depending);
            let (address, attributes) = match item {
                Some(item) => {
                    let field = self.item_field(item);
                    (self.field_address(&field), self.attributes_address(&field))
                }
                None => (self.null(), self.null()),
            };
            self.store(address, list, size * number + offset_of!(Depending, address));
            self.store(attributes, list, size * number + offset_of!(Depending, attributes));
        }
        list
    }

    /// One event after the other: the run time fills the registers, the procedure is performed.
    pub fn xml_parse(&mut self, statement: &'a XmlParse, number: u32) {
        let document = self.field(&statement.document);
        let (address, length) = self.bytes_of(&document);
        let length = self.b.ins().uextend(I64, length);
        let mut flags = 0;
        for (set, flag) in [
            (document.attributes.is_national(), xml_flags::NATIONAL),
            (statement.returning_national, xml_flags::RETURNING_NATIONAL),
            (statement.compatible, xml_flags::COMPATIBLE),
        ] {
            flags |= if set { flag } else { 0 };
        }
        let encoding = self.encoding(&statement.encoding);
        let words = self.temporary_address(40);
        let (id, flags) = (self.i64(i64::from(number)), self.i64(i64::from(flags)));
        for (at, value) in [id, address, length, flags, encoding].into_iter().enumerate() {
            self.store(value, words, 8 * at);
        }
        self.service(service::XML_OPEN, words, 5);
        let (head, event, other, exception, next) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        // No earlier value is live here: the procedure may be performed in general form.
        self.begin(head);
        let registers = self.xml_registers(&statement.registers);
        let words = self.temporary_address(16);
        let id = self.i64(i64::from(number));
        self.store(id, words, 0);
        self.store(registers, words, 8);
        let step = self.service(service::XML_NEXT, words, 2);
        let is_event = self.b.ins().icmp_imm_u(cranelift_codegen::ir::condcodes::IntCC::Equal, step, i64::from(xml_step::EVENT));
        self.branch(is_event, event, other);
        self.begin(event);
        self.perform_range(statement.procedure);
        self.goto(head);
        self.begin(other);
        let normal = self.b.create_block();
        self.branch(step, exception, normal);
        self.begin(exception);
        if let Some(statements) = &statement.on_exception {
            self.statements(statements);
        }
        self.goto(next);
        self.begin(normal);
        if let Some(statements) = &statement.not_on_exception {
            self.statements(statements);
        }
        self.goto(next);
        self.begin(next);
    }

    fn xml_registers(&mut self, registers: &cobol::program::XmlRegisters) -> Value {
        let block = self.temporary_address(std::mem::size_of::<XmlRegisters>() as u32);
        for (item, offset) in [
            (registers.code, offset_of!(XmlRegisters, code)),
            (registers.event, offset_of!(XmlRegisters, event)),
            (registers.information, offset_of!(XmlRegisters, information)),
        ] {
            let field = self.item_field(item);
            let address = self.field_address(&field);
            self.store(address, block, offset);
        }
        for (number, item) in registers.texts.iter().enumerate() {
            let at = offset_of!(XmlRegisters, texts) + number * std::mem::size_of::<VaryingRegister>();
            self.put_varying(*item, block, at);
        }
        block
    }

    /// Where an item of varying length stores its address and its length.
    fn put_varying(&mut self, item: ItemId, block: Value, at: usize) {
        let program = self.program;
        let slot = self.slot_of(program.item(item).base.0);
        self.store(slot, block, at + offset_of!(VaryingRegister, address));
        let length = match varying_length(program, item) {
            Some(length) => {
                let field = self.item_field(length);
                self.field_address(&field)
            }
            None => self.null(),
        };
        self.store(length, block, at + offset_of!(VaryingRegister, length));
    }

    /// Address of the word that holds a linkage base's address, in this program's frame or a containing program's.
    fn slot_of(&mut self, base: u32) -> Value {
        let (mut frame, mut index, mut place) = (self.frame, self.index, self.layout().places[base as usize]);
        while let AreaPlace::Outer { levels, base } = place {
            for _ in 0..levels {
                frame = self.b.ins().load(I64, FIXED, frame, offset_of!(Frame, outer) as i32);
                index = self.layouts[index].parent.unwrap_or(0) as usize;
            }
            place = self.layouts[index].places[base as usize];
        }
        match place {
            AreaPlace::Frame(offset) => self.b.ins().iadd_imm_s(frame, i64::from(offset)),
            _ => {
                self.refuse("an item of varying length is not in linkage");
                frame
            }
        }
    }
}

fn operation_of(statement: &Markup) -> u32 {
    let mut operation = match statement.kind {
        MarkupKind::JsonGenerate => markup_operation::JSON_GENERATE,
        MarkupKind::JsonParse => markup_operation::JSON_PARSE,
        MarkupKind::XmlGenerate => markup_operation::XML_GENERATE,
    };
    for (set, flag) in [
        (statement.declaration, markup_operation::DECLARATION),
        (statement.detail, markup_operation::DETAIL),
        (statement.encoding_of_program, markup_operation::PROGRAM_ENCODING),
    ] {
        operation |= if set { flag } else { 0 };
    }
    operation
}

fn truth(node: &MarkupNode) -> Option<(Vec<u8>, Vec<u8>)> {
    node.truth.as_ref().map(|(yes, no)| (yes.to_vec(), no.to_vec()))
}

fn number(table: ItemId, tables: &mut Vec<ItemId>) -> u32 {
    let known = tables.iter().position(|known| *known == table);
    let at = known.unwrap_or_else(|| {
        tables.push(table);
        tables.len() - 1
    });
    at as u32
}

fn extent(size: &Size, tables: &mut Vec<ItemId>) -> Extent {
    let terms = size.terms.iter().map(|term| (number(term.table, tables), extent(&term.stride, tables))).collect();
    Extent { fixed: size.fixed, terms }
}
