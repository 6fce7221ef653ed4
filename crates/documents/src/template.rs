//! DOCTEMPLATEs: the templates of the region and their cached copies.
//!
//! Rules: CICS TS 5.5, "DOCTEMPLATE attributes", "Caching and refreshing of document templates". Templates in programs are never cached, and those of
//! exit programs only if the program asks for it. Invariants: a template name belongs to one DOCTEMPLATE; a template has one source.

use crate::Documents;
use csd::Definition;
use parking_lot::{Mutex, RwLock};
use region::Region;
use region::figures::ResourceType;
use region::name::{Name4, Name8, Name16};
use region::statistics::recording;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use vsam::store::Charge;

/// Longest name by which programs know a template.
const TEMPLATE_NAME_LENGTH_MAX: usize = 48;

/// Where the text of a template is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    File(Name8),
    TsQueue(Name16),
    TdQueue(Name4),
    Program(Name8),
    ExitProgram(Name8),
    /// A member of the directory that a DD name stands for.
    Member {
        ddname: String,
        member: Name8,
    },
    HfsFile(String),
}

/// Counters of a template since its installation.
#[derive(Default)]
pub struct Counters {
    pub uses: AtomicU64,
    pub new_copies: AtomicU64,
    pub reads: AtomicU64,
    pub cache_uses: AtomicU64,
}

struct Cached {
    data: Arc<Vec<u8>>,
    _charge: Charge,
}

pub struct Template {
    pub name: Name8,
    /// The name by which programs know it.
    pub template_name: String,
    pub source: Source,
    pub appends_crlf: bool,
    pub is_binary: bool,
    pub counters: Counters,
    cached: Mutex<Option<Cached>>,
}

/// The DOCTEMPLATEs installed.
#[derive(Default)]
pub struct Templates(RwLock<BTreeMap<Name8, Arc<Template>>>);

impl Templates {
    pub fn names(&self) -> Vec<Name8> {
        self.0.read().keys().copied().collect()
    }

    pub fn find(&self, name: Name8) -> Option<Arc<Template>> {
        self.0.read().get(&name).cloned()
    }

    /// The template that programs know by this name.
    pub fn by_template_name(&self, template_name: &str) -> Option<Arc<Template>> {
        self.0.read().values().find(|template| template.template_name == template_name).cloned()
    }

    /// Removes a template; its counts are recorded.
    pub fn discard(&self, region: &'static Region, name: Name8) -> Option<Arc<Template>> {
        recording::replaced(region, ResourceType::DocumentTemplate, name.as_str(), || self.0.write().remove(&name))
    }
}

impl Template {
    /// The template of a definition.
    ///
    /// # Errors
    ///
    /// Why it cannot be installed.
    pub fn from(definition: &Definition) -> Result<Template, String> {
        let name = Name8::new(&definition.name);
        let given = |attribute: &str| Some(definition.get(attribute)).filter(|value| !value.is_empty()).map(str::to_string);
        let template_name = given("TEMPLATENAME").unwrap_or_else(|| definition.name.to_string());
        if template_name.len() > TEMPLATE_NAME_LENGTH_MAX {
            return Err(format!("TEMPLATENAME has more than {TEMPLATE_NAME_LENGTH_MAX} characters"));
        }
        let member =
            given("MEMBERNAME").map(|member| Source::Member { ddname: definition.get("DDNAME").to_string(), member: Name8::new(&member) });
        let sources = [
            given("FILE").map(|file| Source::File(Name8::new(&file))),
            given("TSQUEUE").map(|queue| Source::TsQueue(Name16::new(&queue))),
            given("TDQUEUE").map(|queue| Source::TdQueue(Name4::new(&queue))),
            given("PROGRAM").map(|program| Source::Program(Name8::new(&program))),
            given("EXITPGM").map(|program| Source::ExitProgram(Name8::new(&program))),
            member,
            given("HFSFILE").map(Source::HfsFile),
        ];
        let mut sources = sources.into_iter().flatten();
        let source = match (sources.next(), sources.next()) {
            (Some(source), None) => source,
            (None, _) => Source::Member { ddname: definition.get("DDNAME").to_string(), member: Name8::new(&template_name) },
            (Some(_), Some(_)) => {
                return Err("more than one of FILE, TSQUEUE, TDQUEUE, PROGRAM, EXITPGM, MEMBERNAME and HFSFILE".to_string());
            }
        };
        Ok(Template {
            name,
            template_name,
            source,
            appends_crlf: definition.is("APPENDCRLF", "YES"),
            is_binary: definition.is("TYPE", "BINARY"),
            counters: Counters::default(),
            cached: Mutex::new(None),
        })
    }

    /// Bytes of the cached copy.
    pub fn cached_bytes(&self) -> usize {
        self.cached.lock().as_ref().map_or(0, |cached| cached.data.len())
    }

    /// The cached copy.
    pub fn cached(&self) -> Option<Arc<Vec<u8>>> {
        self.cached.lock().as_ref().map(|cached| cached.data.clone())
    }

    /// Keeps a copy in place of the one there is, or none. Without memory for it there is none either, and the template is read at each use.
    pub fn keep(&self, region: &'static Region, data: Option<&Arc<Vec<u8>>>) {
        let copy = data.and_then(|data| {
            let charge = region.store.account().reserve(data.len()).ok()?;
            Some(Cached { data: data.clone(), _charge: charge })
        });
        *self.cached.lock() = copy;
    }
}

/// The directory of a DD name.
pub fn library(region: &Region, ddname: &str) -> Option<PathBuf> {
    region.dd_names.get(ddname).cloned()
}

/// Installs a DOCTEMPLATE.
///
/// # Errors
///
/// Why it cannot be installed.
pub fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let template = Template::from(definition)?;
    let templates = &Documents::of(region).templates;
    if let Some(other) = templates.by_template_name(&template.template_name).filter(|other| other.name != template.name) {
        return Err(format!("TEMPLATENAME({}) is that of DOCTEMPLATE {}", template.template_name, other.name));
    }
    templates.discard(region, template.name);
    templates.0.write().insert(template.name, Arc::new(template));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_one_source() {
        let of = |attributes: &[(&'static str, &str)]| {
            let definition = Definition::new("DOCTEMPLATE", "Page", "G");
            Template::from(&attributes.iter().fold(definition, |definition, (name, value)| definition.with(name, value)))
        };
        let template = of(&[]).unwrap();
        assert_eq!(template.source, Source::Member { ddname: "DFHHTML".into(), member: Name8::new("Page") });
        assert_eq!((template.template_name.as_str(), template.appends_crlf, template.is_binary), ("Page", true, false));
        assert_eq!(of(&[("TSQUEUE", "QUEUE")]).unwrap().source, Source::TsQueue(Name16::new("QUEUE")));
        assert!(of(&[("TSQUEUE", "QUEUE"), ("FILE", "F")]).is_err_and(|reason| reason.contains("more than one")));
        assert!(of(&[("TEMPLATENAME", &"x".repeat(48))]).is_ok());
        assert!(of(&[("TEMPLATENAME", &"x".repeat(49))]).is_err());
    }
}
