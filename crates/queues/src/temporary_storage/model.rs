//! TSMODELs: by the prefix of its name, where a queue is kept and whether it is recoverable.

use super::QueueName;
use csd::{Prefix, TsModelDefinition};
use region::code_page::RegionCodePage;
use std::sync::Arc;

/// A character of a prefix that matches any character.
const WILD: &str = "+";

#[derive(Clone)]
pub(super) struct Model {
    pub definition: Arc<TsModelDefinition>,
    /// Bytes as in a queue's name; `None` for any.
    prefix: Arc<[Option<u8>]>,
}

impl Model {
    pub fn new(definition: TsModelDefinition, code_page: &RegionCodePage) -> Self {
        let wild = code_page.encode(WILD)[0];
        let bytes = match &definition.prefix {
            Prefix::Text(text) => code_page.encode(text),
            Prefix::Hexadecimal(bytes) => bytes.clone(),
        };
        let prefix = bytes.into_iter().map(|byte| (byte != wild).then_some(byte)).collect();
        Self { definition: Arc::new(definition), prefix }
    }

    pub fn matches(&self, name: &QueueName) -> bool {
        let fits = |(wanted, present): (&Option<u8>, &u8)| wanted.is_none_or(|wanted| wanted == *present);
        self.prefix.len() <= name.len() && self.prefix.iter().zip(name).all(fits)
    }

    /// The longer prefix wins, and of equal ones the one with fewer wild characters.
    pub fn weight(&self) -> (usize, usize) {
        (self.prefix.len(), self.prefix.iter().flatten().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csd::Definition;

    fn page() -> RegionCodePage {
        RegionCodePage::new(&codepage::CCSID_037)
    }

    fn model(name: &str, attribute: &'static str, prefix: &str) -> Model {
        Model::new(TsModelDefinition::from(&Definition::new("TSMODEL", name, "G").with(attribute, prefix)), &page())
    }

    fn queue(text: &str) -> QueueName {
        let mut name = [0x40; 16];
        name[..text.len()].copy_from_slice(&page().encode(text));
        name
    }

    #[test]
    fn the_longest_matching_prefix_wins() {
        let name = queue("PAY01");
        let models = [model("A", "PREFIX", "PAY"), model("B", "PREFIX", "P+Y0"), model("C", "PREFIX", "PAX")];
        assert!(models[0].matches(&name) && models[1].matches(&name) && !models[2].matches(&name));
        assert!(models[1].weight() > models[0].weight());
        assert!(model("D", "PREFIX", "P++").weight() < model("E", "PREFIX", "PA+").weight());
        assert!(!model("F", "PREFIX", "pay").matches(&name), "case counts");
    }

    #[test]
    fn a_prefix_may_be_hexadecimal() {
        // PA, any character, 0.
        let model = model("X", "XPREFIX", "D7C14EF0");
        assert!(model.matches(&queue("PAY01")) && !model.matches(&queue("PAY1")));
        assert_eq!(model.weight(), (4, 3));
    }
}
