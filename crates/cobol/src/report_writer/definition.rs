//! Reports and report groups as described by their entries.

use crate::data::picture::PictureInfo;
use crate::lexer::Token;
use crate::span::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupKind {
    ReportHeading,
    PageHeading,
    ControlHeading,
    Detail,
    ControlFooting,
    PageFooting,
    ReportFooting,
}

/// LINE NUMBER or NEXT GROUP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Absolute { line: u32, next_page: bool },
    Relative(u32),
    NextPage,
}

pub enum Content {
    Source(Vec<Token>),
    Value(Vec<Token>),
    Sum(Sum),
}

pub struct Sum {
    /// Name of the counter: the entry's own or a generated one.
    pub counter: String,
    /// Each with its subscripts and qualifiers.
    pub operands: Vec<Vec<Token>>,
    /// UPON these details.
    pub upon: Vec<String>,
    /// RESET ON this control: its place among the controls.
    pub reset: Option<usize>,
}

pub struct Field {
    /// First column, from 1; 0: not printed.
    pub column: u32,
    pub width: u32,
    /// PICTURE and the clauses that go with it.
    pub description: Vec<Token>,
    pub picture: PictureInfo,
    pub content: Content,
    pub group_indicate: bool,
    pub span: Span,
}

pub struct Line {
    pub place: Place,
    pub fields: Vec<Field>,
}

pub struct Group {
    pub name: String,
    pub kind: GroupKind,
    /// Of control groups: the place among the controls.
    pub control: usize,
    pub lines: Vec<Line>,
    /// Fields without a line: sums only.
    pub unprinted: Vec<Field>,
    pub next_group: Option<Place>,
    pub span: Span,
}

pub struct Page {
    pub heading: u32,
    pub first_detail: u32,
    pub last_detail: u32,
    pub footing: u32,
}

pub struct Definition {
    pub name: String,
    /// Number of the file, in the order of the FD entries.
    pub file: usize,
    pub code: Option<String>,
    /// From major to minor; FINAL is empty.
    pub controls: Vec<Vec<Token>>,
    pub page: Option<Page>,
    pub groups: Vec<Group>,
    pub span: Span,
}

impl Group {
    pub fn sums(&self) -> impl Iterator<Item = (&Field, &Sum)> {
        let fields = self.lines.iter().flat_map(|line| &line.fields).chain(&self.unprinted);
        fields.filter_map(|field| match &field.content {
            Content::Sum(sum) => Some((field, sum)),
            _ => None,
        })
    }
}
