//! The arguments of requests, as the protocol names them. What a client sends besides is ignored.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The arguments of a request; a client's mistake is told to it.
pub fn arguments<T: DeserializeOwned>(given: &Value) -> Result<T, String> {
    serde_json::from_value(given.clone()).map_err(|error| format!("the arguments are not those of this request: {error}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Initialize {
    // Not by the rule: the protocol has the 1 without an underscore before it.
    #[serde(rename = "linesStartAt1")]
    pub lines_start_at1: Option<bool>,
    #[serde(rename = "columnsStartAt1")]
    pub columns_start_at1: Option<bool>,
    pub path_format: Option<String>,
}

/// What `attach` of this debugger takes: the fields of a launch configuration.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attach {
    pub user: Option<String>,
    pub terminal: Option<String>,
    pub transaction: Option<String>,
    pub program: Option<String>,
    pub everyone: Option<bool>,
}

#[derive(Deserialize)]
pub struct Source {
    pub path: Option<String>,
    pub name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceBreakpoint {
    pub line: u32,
    pub column: Option<u32>,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

#[derive(Deserialize)]
pub struct SetBreakpoints {
    pub source: Source,
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionBreakpoint {
    pub name: String,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
}

#[derive(Deserialize)]
pub struct SetFunctionBreakpoints {
    pub breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Deserialize)]
pub struct SetExceptionBreakpoints {
    #[serde(default)]
    pub filters: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakpointLocations {
    pub source: Source,
    pub line: u32,
    pub end_line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Continue {
    pub thread_id: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub thread_id: u64,
    pub granularity: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Threads {
    #[serde(default)]
    pub thread_ids: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disconnect {
    pub terminate_debuggee: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    pub thread_id: u64,
    pub start_frame: Option<usize>,
    pub levels: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scopes {
    pub frame_id: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variables {
    pub variables_reference: u64,
    pub filter: Option<String>,
    pub start: Option<u32>,
    pub count: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetVariable {
    pub variables_reference: u64,
    pub name: String,
    pub value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetExpression {
    pub expression: String,
    pub value: String,
    pub frame_id: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    pub expression: String,
    pub frame_id: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemory {
    pub memory_reference: String,
    pub offset: Option<i64>,
    pub count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteMemory {
    pub memory_reference: String,
    pub offset: Option<i64>,
    pub data: String,
}
