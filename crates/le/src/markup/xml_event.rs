//! The interface of XML PARSE to a processing procedure: events and exception numbers (Language Reference, "XML-EVENT").

/// What an event is; `name` gives the content of XML-EVENT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    StartOfDocument,
    VersionInformation,
    EncodingDeclaration,
    StandaloneDeclaration,
    DocumentTypeDeclaration,
    InstructionTarget,
    InstructionData,
    Comment,
    StartOfElement,
    NamespaceDeclaration,
    AttributeName,
    AttributeCharacters,
    AttributeCharacter,
    AttributeNationalCharacter,
    ContentCharacters,
    ContentCharacter,
    ContentNationalCharacter,
    StartOfCdata,
    EndOfCdata,
    UnresolvedReference,
    EndOfElement,
    EndOfDocument,
    Exception,
}

impl EventKind {
    pub fn name(self) -> &'static str {
        match self {
            EventKind::StartOfDocument => "START-OF-DOCUMENT",
            EventKind::VersionInformation => "VERSION-INFORMATION",
            EventKind::EncodingDeclaration => "ENCODING-DECLARATION",
            EventKind::StandaloneDeclaration => "STANDALONE-DECLARATION",
            EventKind::DocumentTypeDeclaration => "DOCUMENT-TYPE-DECLARATION",
            EventKind::InstructionTarget => "PROCESSING-INSTRUCTION-TARGET",
            EventKind::InstructionData => "PROCESSING-INSTRUCTION-DATA",
            EventKind::Comment => "COMMENT",
            EventKind::StartOfElement => "START-OF-ELEMENT",
            EventKind::NamespaceDeclaration => "NAMESPACE-DECLARATION",
            EventKind::AttributeName => "ATTRIBUTE-NAME",
            EventKind::AttributeCharacters => "ATTRIBUTE-CHARACTERS",
            EventKind::AttributeCharacter => "ATTRIBUTE-CHARACTER",
            EventKind::AttributeNationalCharacter => "ATTRIBUTE-NATIONAL-CHARACTER",
            EventKind::ContentCharacters => "CONTENT-CHARACTERS",
            EventKind::ContentCharacter => "CONTENT-CHARACTER",
            EventKind::ContentNationalCharacter => "CONTENT-NATIONAL-CHARACTER",
            EventKind::StartOfCdata => "START-OF-CDATA-SECTION",
            EventKind::EndOfCdata => "END-OF-CDATA-SECTION",
            EventKind::UnresolvedReference => "UNRESOLVED-REFERENCE",
            EventKind::EndOfElement => "END-OF-ELEMENT",
            EventKind::EndOfDocument => "END-OF-DOCUMENT",
            EventKind::Exception => "EXCEPTION",
        }
    }

    /// The text is in XML-NTEXT whatever the document is.
    pub fn is_national(self) -> bool {
        matches!(self, EventKind::AttributeNationalCharacter | EventKind::ContentNationalCharacter)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub text: String,
    pub namespace: String,
    pub prefix: String,
    /// XML-CODE of an exception.
    pub code: i32,
}

/// Exception numbers: those of the compatible parser (Programming Guide, "XML PARSE exceptions that do not allow continuation").
pub mod exception {
    pub const SPACE_CHARACTER: i32 = 1;
    pub const MARKUP_OUTSIDE: i32 = 2;
    pub const DUPLICATE_ATTRIBUTE: i32 = 3;
    pub const LESS_IN_ATTRIBUTE: i32 = 4;
    pub const TAG_MISMATCH: i32 = 5;
    pub const CONTENT_CHARACTER: i32 = 6;
    pub const CONTENT_MARKUP: i32 = 7;
    pub const CDATA_END: i32 = 8;
    pub const COMMENT_CHARACTER: i32 = 9;
    pub const COMMENT_DASHES: i32 = 10;
    pub const INSTRUCTION_CHARACTER: i32 = 11;
    pub const INSTRUCTION_TARGET: i32 = 12;
    pub const HEXADECIMAL_DIGIT: i32 = 13;
    pub const DECIMAL_DIGIT: i32 = 14;
    pub const REFERENCE_CHARACTER: i32 = 16;
    pub const ENTITY_NAME: i32 = 17;
    pub const ATTRIBUTE_CHARACTER: i32 = 18;
    pub const END_IN_DECLARATION: i32 = 101;
    pub const END_IN_ROOT: i32 = 103;
    pub const END_OF_DOCUMENT: i32 = 118;
    pub const NO_ROOT: i32 = 104;
    pub const UNDECLARED_PREFIX: i32 = 200;
    /// The return code of a document that is not well-formed, in the high halfword of XML-CODE under XMLPARSE(XMLSS).
    pub const NOT_WELL_FORMED: i32 = 12 << 16;
}
