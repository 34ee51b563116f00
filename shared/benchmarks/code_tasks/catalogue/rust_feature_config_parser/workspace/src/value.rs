/// What a setting holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    String(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// Milliseconds.
    Duration(u64),
    List(Vec<Value>),
}

/// Where and why a text is no settings. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub column: usize,
    pub kind: ErrorKind,
}

/// Why a text is no settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    UnclosedString,
    BadEscape,
    UnclosedList,
    BadHeading,
    ExpectedKey,
    ExpectedEquals,
    ExpectedValue,
    BadValue,
    OutOfRange,
    TooDeep,
    ExpectedSeparator,
    Trailing,
    DuplicateKey,
    KeyIsSection,
    UnknownReference,
}
