//! Sorts readings into buckets of calendar time.

use std::collections::BTreeMap;

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

const DAY: i64 = 86400;

/// The number of a date, counted from 1970-01-01.
pub fn day_number(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let number = first_of_month(year * 12 + i64::from(month) - 1) + i64::from(day) - 1;
    if date_of(number) == (year, month, day) {
        Some(number)
    } else {
        None
    }
}

/// Year, month and day of a day.
pub fn date_of(day: i64) -> (i64, u32, u32) {
    // The count begins on 1 March of year 0, so that the leap day is the last of its year.
    let shifted = day + 719_468;
    let (era, rest) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365;
    let of_year = rest - (year * 365 + year / 4 - year / 100);
    let month = (of_year * 5 + 2) / 153;
    let of_month = of_year - (month * 153 + 2) / 5 + 1;
    let turned = i64::from(month >= 10);
    (era * 400 + year + turned, (month + 3 - 12 * turned) as u32, of_month as u32)
}

/// Day of the first of a month, months counted from January of year 0.
fn first_of_month(months: i64) -> i64 {
    let marches = months - 2;
    let (year, month) = (marches.div_euclid(12), marches.rem_euclid(12));
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 - 719_468
}

/// Year and week of ISO 8601.
pub fn iso_week(day: i64) -> (i64, u32) {
    let thursday = day - weekday(day) + 3;
    let year = date_of(thursday).0;
    (year, ((thursday - first_of_month(year * 12)) / 7 + 1) as u32)
}

/// 0 is Monday.
fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

/// Reads a time with its offset.
pub fn parse_time(text: &str) -> Result<i64, TimeError> {
    let mut reader = Reader(text.as_bytes());
    let year = reader.year()?;
    reader.expect(b'-')?;
    let month = reader.digits(2)?;
    reader.expect(b'-')?;
    let day = reader.digits(2)?;
    reader.expect(b'T')?;
    let clock = reader.clock()?;
    let offset = reader.offset()?;
    if !(1..=12).contains(&month) {
        return Err(TimeError::Field("month"));
    }
    let date = day_number(year, month as u32, day as u32).ok_or(TimeError::Field("day"))?;
    for (value, limit, name) in [(clock[0], 23, "hour"), (clock[1], 59, "minute"), (clock[2], 59, "second")] {
        if value > limit {
            return Err(TimeError::Field(name));
        }
    }
    let (sign, [hours, minutes, seconds]) = offset;
    if hours > 23 || minutes > 59 || seconds > 59 {
        return Err(TimeError::Field("offset"));
    }
    let east = sign * (hours * 3600 + minutes * 60 + seconds);
    Ok(date * DAY + clock[0] * 3600 + clock[1] * 60 + clock[2] - east)
}

/// What is left of a text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn next(&mut self) -> Result<u8, TimeError> {
        let (first, rest) = self.0.split_first().ok_or(TimeError::Shape)?;
        self.0 = rest;
        Ok(*first)
    }

    fn expect(&mut self, byte: u8) -> Result<(), TimeError> {
        if self.next()? == byte {
            Ok(())
        } else {
            Err(TimeError::Shape)
        }
    }

    fn digits(&mut self, count: usize) -> Result<i64, TimeError> {
        let mut number = 0;
        for _ in 0..count {
            let byte = self.next()?;
            if !byte.is_ascii_digit() {
                return Err(TimeError::Shape);
            }
            number = number * 10 + i64::from(byte - b'0');
        }
        Ok(number)
    }

    fn year(&mut self) -> Result<i64, TimeError> {
        match self.0.first() {
            Some(b'+') => {
                self.next()?;
                self.digits(6)
            }
            Some(b'-') => {
                self.next()?;
                match self.digits(6)? {
                    0 => Err(TimeError::Shape),
                    year => Ok(-year),
                }
            }
            _ => self.digits(4),
        }
    }

    fn clock(&mut self) -> Result<[i64; 3], TimeError> {
        let hour = self.digits(2)?;
        self.expect(b':')?;
        let minute = self.digits(2)?;
        self.expect(b':')?;
        Ok([hour, minute, self.digits(2)?])
    }

    fn offset(&mut self) -> Result<(i64, [i64; 3]), TimeError> {
        let sign = match self.next()? {
            b'Z' => 0,
            b'+' => 1,
            b'-' => -1,
            _ => return Err(TimeError::Shape),
        };
        let mut parts = [0; 3];
        if sign != 0 {
            parts[0] = self.digits(2)?;
            self.expect(b':')?;
            parts[1] = self.digits(2)?;
            if !self.0.is_empty() {
                self.expect(b':')?;
                parts[2] = self.digits(2)?;
            }
        }
        if self.0.is_empty() {
            Ok((sign, parts))
        } else {
            Err(TimeError::Shape)
        }
    }
}

/// Writes a time as it is at an offset.
pub fn format_time(time: i64, offset: i32) -> String {
    let local = time + i64::from(offset);
    let (year, month, day) = date_of(local.div_euclid(DAY));
    let clock = local.rem_euclid(DAY);
    let year = if (0..=9999).contains(&year) { format!("{:04}", year) } else { format!("{:+07}", year) };
    let mut text = format!("{}-{:02}-{:02}T{:02}:{:02}:{:02}", year, month, day, clock / 3600, clock / 60 % 60, clock % 60);
    if offset == 0 {
        return text + "Z";
    }
    let size = offset.abs();
    text += &format!("{}{:02}:{:02}", if offset < 0 { '-' } else { '+' }, size / 3600, size / 60 % 60);
    if size % 60 != 0 {
        text += &format!(":{:02}", size % 60);
    }
    text
}

/// Offsets from UTC, and when they change.
#[derive(Debug, Clone)]
pub struct Zone {
    first: i32,
    changes: Vec<(i64, i32)>,
    /// For each change, the highest local time of all times before it.
    reached: Vec<i64>,
}

impl Zone {
    pub fn new(first: i32, changes: Vec<(i64, i32)>) -> Result<Zone, ZoneError> {
        check_offset(first)?;
        let mut reached: Vec<i64> = Vec::with_capacity(changes.len());
        let mut offset = first;
        for (index, &(time, next)) in changes.iter().enumerate() {
            if index > 0 && changes[index - 1].0 >= time {
                return Err(ZoneError::Order(index));
            }
            check_offset(next)?;
            let last = time - 1 + i64::from(offset);
            reached.push(reached.last().map_or(last, |&highest| highest.max(last)));
            offset = next;
        }
        Ok(Zone { first, changes, reached })
    }

    pub fn offset_at(&self, time: i64) -> i32 {
        self.offset_after(self.changes_until(time))
    }

    fn changes_until(&self, time: i64) -> usize {
        self.changes.partition_point(|change| change.0 <= time)
    }

    fn offset_after(&self, changes: usize) -> i32 {
        changes.checked_sub(1).map_or(self.first, |index| self.changes[index].1)
    }

    /// The highest local time of all times up to this one.
    fn highest(&self, time: i64) -> i64 {
        let changes = self.changes_until(time);
        let local = time + i64::from(self.offset_after(changes));
        changes.checked_sub(1).map_or(local, |index| self.reached[index].max(local))
    }

    /// The first time at which the local time is this or later.
    fn reaches(&self, local: i64) -> i64 {
        let changes = self.reached.partition_point(|&highest| highest < local);
        let time = local - i64::from(self.offset_after(changes));
        changes.checked_sub(1).map_or(time, |index| self.changes[index].0.max(time))
    }
}

fn check_offset(offset: i32) -> Result<(), ZoneError> {
    if (-86399..=86399).contains(&offset) {
        Ok(())
    } else {
        Err(ZoneError::Offset(offset))
    }
}

/// Finds the bucket of a time.
#[derive(Debug, Clone)]
pub struct Bucketer {
    zone: Zone,
    width: Width,
}

impl Bucketer {
    pub fn new(zone: Zone, width: Width) -> Result<Bucketer, WidthError> {
        match width {
            Width::Fixed { seconds: 0, .. } | Width::Days(0) | Width::Weeks { count: 0, .. } | Width::Months(0) => Err(WidthError),
            Width::Weeks { first, .. } if first > 6 => Err(WidthError),
            _ => Ok(Bucketer { zone, width }),
        }
    }

    pub fn span_of(&self, time: i64) -> Span {
        if let Width::Fixed { seconds, anchor } = self.width {
            let start = time - (time - anchor).rem_euclid(i64::from(seconds));
            return Span { start, end: start + i64::from(seconds) };
        }
        let (from, to) = self.days_around(self.zone.highest(time).div_euclid(DAY));
        Span { start: self.zone.reaches(from * DAY), end: self.zone.reaches(to * DAY) }
    }

    /// The boundaries at or before a local day, and after it, as days.
    fn days_around(&self, day: i64) -> (i64, i64) {
        let every = |length: i64, begin: i64| {
            let from = day - (day - begin).rem_euclid(length);
            (from, from + length)
        };
        match self.width {
            Width::Months(count) => {
                let (year, month, _) = date_of(day);
                let months = year * 12 + i64::from(month) - 1;
                let from = months - months.rem_euclid(i64::from(count));
                (first_of_month(from), first_of_month(from + i64::from(count)))
            }
            Width::Weeks { count, first } => every(7 * i64::from(count), -(weekday(0) - i64::from(first)).rem_euclid(7)),
            Width::Days(count) => every(i64::from(count), 0),
            Width::Fixed { .. } => (day, day + 1),
        }
    }
}

/// Collects readings into buckets.
#[derive(Debug)]
pub struct Stream {
    bucketer: Bucketer,
    lateness: i64,
    watermark: Option<i64>,
    late: u64,
    open: BTreeMap<i64, Bucket>,
}

impl Stream {
    pub fn new(bucketer: Bucketer, lateness: u32) -> Stream {
        Stream { bucketer, lateness: i64::from(lateness), watermark: None, late: 0, open: BTreeMap::new() }
    }

    pub fn push(&mut self, time: i64, value: i64) -> Result<Vec<Bucket>, Span> {
        let span = self.bucketer.span_of(time);
        if self.watermark.map_or(false, |mark| span.end <= mark) {
            self.late += 1;
            return Err(span);
        }
        self.open.entry(span.start).and_modify(|bucket| bucket.add(time, value)).or_insert_with(|| Bucket::of(span, time, value));
        let mark = self.watermark.map_or(time - self.lateness, |mark| mark.max(time - self.lateness));
        self.watermark = Some(mark);
        let mut given = Vec::new();
        while let Some((&start, bucket)) = self.open.iter().next() {
            if bucket.span.end > mark {
                break;
            }
            given.extend(self.open.remove(&start));
        }
        Ok(given)
    }

    pub fn late(&self) -> u64 {
        self.late
    }

    pub fn open(&self) -> usize {
        self.open.len()
    }

    pub fn finish(self) -> Vec<Bucket> {
        self.open.into_values().collect()
    }
}

impl Bucket {
    fn of(span: Span, time: i64, value: i64) -> Bucket {
        Bucket { span, count: 1, sum: i128::from(value), min: value, max: value, first: (time, value), last: (time, value) }
    }

    fn add(&mut self, time: i64, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if time < self.first.0 {
            self.first = (time, value);
        }
        if time >= self.last.0 {
            self.last = (time, value);
        }
    }

    fn mean(&self) -> Ratio {
        Ratio::of(self.sum, i128::from(self.count))
    }
}

impl Ratio {
    fn of(num: i128, den: i128) -> Ratio {
        let (mut a, mut b) = (num.abs(), den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Ratio { num: num / a, den: den / a }
    }

    /// The point of the line from here to `to` after `part` of `parts`.
    fn towards(self, to: Ratio, part: usize, parts: usize) -> Ratio {
        let (part, parts) = (part as i128, parts as i128);
        let num = self.num * to.den * (parts - part) + to.num * self.den * part;
        Ratio::of(num, self.den * to.den * parts)
    }
}

/// Means of buckets, with the missing ones between them.
pub fn fill(bucketer: &Bucketer, buckets: &[Bucket], how: Fill, limit: usize) -> Vec<Filled> {
    let mut filled = Vec::new();
    for (index, bucket) in buckets.iter().enumerate() {
        if index > 0 && how != Fill::Skip {
            fill_gap(bucketer, &buckets[index - 1], bucket, how, limit, &mut filled);
        }
        filled.push(Filled { span: bucket.span, value: Some(bucket.mean()), made: false });
    }
    filled
}

fn fill_gap(bucketer: &Bucketer, before: &Bucket, after: &Bucket, how: Fill, limit: usize, filled: &mut Vec<Filled>) {
    let mut missing = Vec::new();
    let mut at = before.span.end;
    while at < after.span.start {
        let span = bucketer.span_of(at);
        at = span.end;
        missing.push(span);
    }
    let count = missing.len();
    for (place, span) in missing.into_iter().enumerate() {
        let value = match how {
            Fill::Previous if count <= limit => Some(before.mean()),
            Fill::Linear if count <= limit => Some(before.mean().towards(after.mean(), place + 1, count + 1)),
            _ => None,
        };
        filled.push(Filled { span, value, made: true });
    }
}
