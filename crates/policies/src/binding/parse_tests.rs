//! Tests of event binding XML: what the GenApp sample has, and what is refused.

use super::*;
use crate::binding::format::Form;
use crate::binding::point::Place;
use crate::binding::value::Kind;
use crate::binding::{ContextItem, Source};
use crate::event::adapter::Destination;

const ITEM: &str = r#"<eventInformationItem description="" length="6" dataPrecision="0" dataType="text" name="Request"/>"#;
const CAPTURED: &str = r#"<captureItem><dataCaptureItem formatPrecision="0" formatdataType="text" formatlength="6" eventItemName="Request" languageVariableName="" captureDataPrecision="0" captureDataType="CHAR" captureLength="6" offset="0" container="" source="COMMAREA"/></captureItem>"#;
const LINK: &str = r#"<linkCommand isPre="false" adVerb="PROGRAM" verb="LINK"><PROGRAM filterValue="LG" filterOperator="SW" keyword="PROGRAM"/><CHANNEL filterValue="" filterOperator="OFF" keyword="CHANNEL"/></linkCommand>"#;
const CONTEXT: &str = r#"<transactionId filterValue="" filterOperator="OFF"/><currentProgram filterValue="LG" filterOperator="SW"/><userId filterValue="" filterOperator="OFF"/><CommandResp filterValue="OK" filterOperator="OFF"/><EIBAID value="" filterOperator="OFF"/><EIBCPOSN filterValue="1" filterOperator="OFF"/>"#;
const DISPATCHER: &str = r#"<eventDispatcher><eventDispatcherPolicy><dispatchPriority>normal</dispatchPriority><eventsTransactional>false</eventsTransactional><adapterUserid useContextUserid="false"></adapterUserid><adapterTranId></adapterTranId></eventDispatcherPolicy><eventDispatcherAdapter><cicsTransactionAdapter><transactionId>LGST</transactionId><sysid></sysid><userid useContextUserid="false"></userid><format>CCE</format></cicsTransactionAdapter></eventDispatcherAdapter></eventDispatcher>"#;

struct Document {
    item: &'static str,
    captured: &'static str,
    location: &'static str,
    context: &'static str,
    data: &'static str,
    dispatcher: &'static str,
}

const SAMPLE: Document = Document { item: ITEM, captured: CAPTURED, location: LINK, context: CONTEXT, data: "", dispatcher: DISPATCHER };

fn text(of: &Document) -> String {
    let Document { item, captured, location, context, data, dispatcher } = of;
    format!(
        r#"<n:eventBinding CICSEPSchemaRelease="0" CICSEPSchemaVersion="1" xmlns:n="{NAMESPACE}"><description/><userTag>TAG</userTag><eventSpecification><name>Business</name><description/><eventInformation>{item}</eventInformation></eventSpecification><eventCaptureSpecification><name>program</name><eventIdentifier>Business</eventIdentifier><description/><filter><contextFilter>{context}</contextFilter><locationFilter filterType="CICS_API">{location}</locationFilter><dataFilter>{data}</dataFilter></filter><dataCapture>{captured}</dataCapture></eventCaptureSpecification><eventDispatcherSpecification>{dispatcher}</eventDispatcherSpecification></n:eventBinding>"#
    )
}

fn parsed(of: &Document) -> Result<EventBinding, String> {
    parse(&text(of), "Binding", "BUND")
}

#[test]
fn a_binding_has_its_specification_and_its_adapter() {
    let binding = parsed(&SAMPLE).unwrap();
    assert_eq!((binding.name.as_str(), binding.user_tag.as_str(), binding.schema), ("Binding", "TAG", (1, 0)));
    assert_eq!(binding.receiver, Receiver::Adapter("Binding".to_string()));
    let adapter = binding.adapter.unwrap();
    assert!(matches!(adapter.destination, Destination::Transaction { transid } if transid.as_str() == "LGST"));
    let [specification] = &binding.specifications[..] else { panic!("one is expected") };
    assert_eq!((specification.point.name, specification.when), ("LINK_PROGRAM", When::After));
    assert!(specification.context.transaction.is_off() && !specification.context.program.is_off());
    assert_eq!(specification.options.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["PROGRAM", "CHANNEL"]);
    let item = &specification.items[0];
    assert_eq!((item.name.as_str(), item.layout.form, item.layout.length), ("Request", Form::Text, 6));
    let Source::Data(field) = &item.source else { panic!("data is expected") };
    assert_eq!((field.place, field.kind, field.offset, field.length), (Place::Commarea, Kind::Char, 0, 6));
}

#[test]
fn sources_are_data_options_and_context() {
    let captured = |source: &'static str| match source {
        "PROGRAM" => {
            r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="CHAR" captureLength="0" source="PROGRAM"/></captureItem>"#
        }
        "CHANNEL" => {
            r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="PACKED" captureLength="3" offset="2" container="ORDER" source="CHANNEL"/></captureItem>"#
        }
        _ => {
            r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="CHAR" captureLength="0" source="userId"/></captureItem>"#
        }
    };
    let source = |name| parsed(&Document { captured: captured(name), ..SAMPLE }).unwrap().specifications[0].items[0].source.clone();
    assert!(matches!(source("PROGRAM"), Source::Option("PROGRAM")));
    assert!(matches!(source("userId"), Source::Context(ContextItem::User)));
    assert!(matches!(source("CHANNEL"), Source::Data(field) if field.container == "ORDER" && field.kind == Kind::Packed));
}

#[test]
fn adapters_and_sets_can_be_named() {
    let named = |dispatcher| parsed(&Document { dispatcher, ..SAMPLE }).map(|binding| (binding.receiver, binding.adapter.is_some()));
    assert_eq!(named("<eventAdapterName>A</eventAdapterName>"), Ok((Receiver::Adapter("A".to_string()), false)));
    assert_eq!(named("<eventAdapterSetName>S</eventAdapterSetName>"), Ok((Receiver::Set("S".to_string()), false)));
    assert!(named("<eventAdapterName>A</eventAdapterName><eventAdapterSetName>S</eventAdapterSetName>").is_err());
}

#[test]
fn what_is_not_understood_is_refused_with_its_name() {
    let before = r#"<xctlCommand isPre="false" adVerb="PROGRAM" verb="XCTL"/>"#;
    let web = r#"<webReadCommand isPre="false" adVerb="READ" verb="WEB"/>"#;
    let unknown = r#"<loadCommand isPre="false" adVerb="PROGRAM" verb="LOAD"/>"#;
    let keyword = r#"<linkCommand isPre="false" adVerb="PROGRAM" verb="LINK"><PROGRAM filterValue="" filterOperator="OFF" keyword="CHANNEL"/></linkCommand>"#;
    let option = r#"<linkCommand isPre="false" adVerb="PROGRAM" verb="LINK"><FILE filterValue="" filterOperator="OFF" keyword="FILE"/></linkCommand>"#;
    let into = r#"<readCommand isPre="true" adVerb="FILE" verb="READ"/>"#;
    let of_into = r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="CHAR" captureLength="6" source="INTO-SET"/></captureItem>"#;
    let packed = r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="PACKED" captureLength="17" source="COMMAREA"/></captureItem>"#;
    let decimal = r#"<captureItem><dataCaptureItem eventItemName="Request" captureDataType="DFP" captureLength="8" source="COMMAREA"/></captureItem>"#;
    let number = r#"<dataFilterItem filterOperator="GT" filterValue="ten" captureDataType="PACKED" captureLength="3" source="COMMAREA"/>"#;
    let empty = r#"<currentProgram filterValue="" filterOperator="EQ"/>"#;
    let operator = r#"<userId filterValue="X" filterOperator="LIKE"/>"#;
    for (document, fault) in [
        (Document { location: before, ..SAMPLE }, "before the command only"),
        (Document { location: web, ..SAMPLE }, "WEB_READ needs a command"),
        (Document { location: unknown, ..SAMPLE }, "loadCommand (LOAD PROGRAM) is not available"),
        (Document { location: keyword, ..SAMPLE }, "invalid keyword CHANNEL"),
        (Document { location: option, ..SAMPLE }, "FILE is not an option of capture point LINK_PROGRAM"),
        (Document { location: into, captured: of_into, ..SAMPLE }, "INTO-SET has no data before the command"),
        (Document { captured: of_into, ..SAMPLE }, "INTO-SET is not a source of data of LINK_PROGRAM"),
        (Document { captured: packed, ..SAMPLE }, "cannot have a length of 17"),
        (Document { captured: decimal, ..SAMPLE }, "type DFP"),
        (Document { captured: "", ..SAMPLE }, "item Request has no source"),
        (Document { item: "", ..SAMPLE }, "no item Request"),
        (Document { data: number, ..SAMPLE }, "ten is not a number"),
        (Document { context: empty, ..SAMPLE }, "currentProgram has no value"),
        (Document { context: operator, ..SAMPLE }, "LIKE is not an operator"),
        (Document { dispatcher: "", ..SAMPLE }, "eventDispatcher"),
    ] {
        let told = parsed(&document).unwrap_err();
        assert!(told.contains(fault), "{fault}: {told}");
    }
    let later = text(&SAMPLE).replace("CICSEPSchemaVersion=\"1\"", "CICSEPSchemaVersion=\"5\"");
    assert!(parse(&later, "B", "B").unwrap_err().contains("schema level 5.0"));
    let capture = text(&SAMPLE).replace("<name>program</name>", "<name>1st</name>");
    assert!(parse(&capture, "B", "B").unwrap_err().contains("1st has an invalid name"));
    assert!(parse("<eventBinding/>", "B", "B").unwrap_err().contains("root element"));
    assert!(parse(&text(&SAMPLE), "xmlBinding", "B").unwrap_err().contains("invalid name"));
}
