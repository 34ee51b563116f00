//! Sorts readings into buckets of calendar time.

/// What can be wrong with the text of a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeError {
    Shape,
    Field(&'static str),
}

/// What can be wrong with a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ZoneError {
    Order(usize),
    Offset(i32),
}

/// A width that makes no buckets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidthError;

/// How wide buckets are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Fixed { seconds: u32, anchor: i64 },
    Days(u32),
    Weeks { count: u32, first: u32 },
    Months(u32),
}

/// From `start` (included) to `end` (not included).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: i64,
    pub end: i64,
}

/// What the readings of one bucket come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    pub span: Span,
    pub count: u64,
    pub sum: i128,
    pub min: i64,
    pub max: i64,
    pub first: (i64, i64),
    pub last: (i64, i64),
}

/// A fraction in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    pub num: i128,
    pub den: i128,
}

/// What becomes of missing buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    Skip,
    Empty,
    Previous,
    Linear,
}

/// A bucket of a series without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    pub span: Span,
    pub value: Option<Ratio>,
    pub made: bool,
}

/// The number of a date, counted from 1970-01-01.
pub fn day_number(_year: i64, _month: u32, _day: u32) -> Option<i64> {
    None
}

/// Year, month and day of a day.
pub fn date_of(_day: i64) -> (i64, u32, u32) {
    (0, 0, 0)
}

/// Year and week of ISO 8601.
pub fn iso_week(_day: i64) -> (i64, u32) {
    (0, 0)
}

/// Reads a time with its offset.
pub fn parse_time(_text: &str) -> Result<i64, TimeError> {
    Err(TimeError::Shape)
}

/// Writes a time as it is at an offset.
pub fn format_time(_time: i64, _offset: i32) -> String {
    String::new()
}

/// Offsets from UTC, and when they change.
#[derive(Debug, Clone)]
pub struct Zone {}

impl Zone {
    pub fn new(_first: i32, _changes: Vec<(i64, i32)>) -> Result<Zone, ZoneError> {
        Ok(Zone {})
    }

    pub fn offset_at(&self, _time: i64) -> i32 {
        0
    }
}

/// Finds the bucket of a time.
#[derive(Debug, Clone)]
pub struct Bucketer {}

impl Bucketer {
    pub fn new(_zone: Zone, _width: Width) -> Result<Bucketer, WidthError> {
        Ok(Bucketer {})
    }

    pub fn span_of(&self, time: i64) -> Span {
        Span { start: time, end: time + 1 }
    }
}

/// Collects readings into buckets.
#[derive(Debug)]
pub struct Stream {}

impl Stream {
    pub fn new(_bucketer: Bucketer, _lateness: u32) -> Stream {
        Stream {}
    }

    pub fn push(&mut self, _time: i64, _value: i64) -> Result<Vec<Bucket>, Span> {
        Ok(Vec::new())
    }

    pub fn late(&self) -> u64 {
        0
    }

    pub fn open(&self) -> usize {
        0
    }

    pub fn finish(self) -> Vec<Bucket> {
        Vec::new()
    }
}

/// Means of buckets, with the missing ones between them.
pub fn fill(_bucketer: &Bucketer, _buckets: &[Bucket], _how: Fill, _limit: usize) -> Vec<Filled> {
    Vec::new()
}
