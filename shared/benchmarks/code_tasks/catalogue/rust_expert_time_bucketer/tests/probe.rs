use buckets::{date_of, day_number, fill, format_time, iso_week, parse_time, Bucket, Bucketer, Fill, Filled, Ratio, Stream, Width, Zone};

fn observe(case: &str, lines: Vec<String>) {
    let quoted: Vec<String> = lines.iter().map(|line| format!("{:?}", line)).collect();
    println!("\n@@ {} [{}]", case, quoted.join(","));
}

/// Numbers that look like chance and are always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
}

fn mix(digest: &mut u64, value: i64) {
    *digest = digest.wrapping_mul(0x100000001b3) ^ value as u64;
}

fn at(text: &str) -> i64 {
    parse_time(text).unwrap_or(0)
}

fn calendar() {
    let dates = [(1970, 1, 1), (2000, 2, 29), (1900, 2, 29), (1900, 3, 1), (0, 2, 29), (0, 1, 1), (-1, 12, 31), (-4, 2, 29), (-100, 2, 29), (-400, 2, 29), (9999, 12, 31), (2024, 4, 31), (2023, 0, 1), (2023, 13, 1), (2023, 1, 0), (-31000, 7, 4), (31000, 7, 4)];
    observe("days", dates.iter().map(|&(y, m, d)| format!("{:?}", day_number(y, m, d))).collect());
    let days = [0, -1, 59, 60, -719_528, -719_529, -719_468, 11_016, 2_932_896, -11_574_074, 11_574_074, 19_782];
    observe("dates", days.iter().map(|&day| format!("{:?} {:?}", date_of(day), iso_week(day))).collect());
    let mut weeks = Vec::new();
    for year in [-1, 0, 1, 1969, 1970, 1999, 2004, 2005, 2008, 2010, 2016, 2020, 2021, 2026] {
        let ends = [(12, 28), (12, 31)].map(|(month, day)| iso_week(day_number(year, month, day).unwrap_or(0)));
        weeks.push(format!("{} {:?} {:?}", year, iso_week(day_number(year, 1, 1).unwrap_or(0)), ends));
    }
    observe("weeks", weeks);
    let mut digest = 7;
    for day in -800_000..800_000 {
        let (year, month, of_month) = date_of(day);
        let (of, week) = iso_week(day);
        for value in [year, i64::from(month), i64::from(of_month), of, i64::from(week), day_number(year, month, of_month).unwrap_or(5)] {
            mix(&mut digest, value);
        }
    }
    observe("every_day", vec![format!("{:x}", digest)]);
    let texts = [
        "1970-01-01T00:00:00Z", "2024-02-29T07:05:09Z", "2024-02-29T07:05:09+05:30", "2024-02-29T07:05:09-03:30", "1900-01-01T00:00:00+00:19:32", "1969-12-31T23:59:59-00:00", "-000043-03-15T12:00:00Z", "+002024-01-01T00:00:00Z", "+012024-01-01T00:00:00-23:59:59", "0000-01-01T00:00:00Z", "+000000-01-01T00:00:00+00:00",
        "-000000-01-01T00:00:00Z", "2024-1-01T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z", "02024-01-01T00:00:00Z", "+2024-01-01T00:00:00Z", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+01:00:", "2024-01-01T00:00:00+01:00:00:00", "2024-01-01T00:00:00Z00:00", "2024-01-01T00:00:00.5Z", "", "٢٠٢٤-01-01T00:00:00Z", "2024-01-0+T00:00:00Z", "20é4-01-01T00:00:00Z",
        "2024-00-01T00:00:00Z", "2024-13-32T25:61:61+24:00", "2023-02-29T24:00:00Z", "2023-02-28T24:00:00Z", "2023-02-28T23:60:60Z", "2023-02-28T23:59:60Z", "2023-02-28T23:59:59+24:00", "2023-02-28T23:59:59+23:60", "2023-02-28T23:59:59-23:59:60", "2023-02-00T00:00:00Z", "2023-13-01T00:00:0Z",
    ];
    observe("parse", texts.iter().map(|text| format!("{:?}", parse_time(text))).collect());
    let times = [(0, 0), (-1, 0), (1_709_190_309, 19_800), (1_709_190_309, -12_600), (0, 1172), (0, -1172), (253_402_300_799, 0), (253_402_300_799, 1), (-62_167_219_200, 0), (-62_167_219_200, -1), (-63_000_000_000, 86_399), (1_000_000_000_000, -86_399), (-1_000_000_000_000, 3600), (59, -59), (0, -60)];
    observe("format", times.iter().map(|&(time, offset)| format!("{} {:?}", format_time(time, offset), parse_time(&format_time(time, offset)))).collect());
}

fn zone(first: i32, changes: &[(i64, i32)]) -> Zone {
    Zone::new(first, changes.to_vec()).unwrap_or_else(|_| panic!("zone"))
}

fn bucketer(zone: &Zone, width: Width) -> Bucketer {
    Bucketer::new(zone.clone(), width).unwrap_or_else(|_| panic!("width"))
}

/// The buckets that follow one another from a time on.
fn walk(zone: &Zone, width: Width, from: i64, count: usize) -> Vec<String> {
    let by = bucketer(zone, width);
    let mut time = from;
    (0..count)
        .map(|_| {
            let span = by.span_of(time);
            let inside = by.span_of(span.end - 1);
            time = span.end;
            format!("{} {} {}", format_time(span.start, zone.offset_at(span.start)), span.end - span.start, inside == span)
        })
        .collect()
}

fn bucketing() {
    let zones = [(0, vec![]), (86_400, vec![(0, 86_400)]), (-86_399, vec![(5, 86_399), (5, 90_000)]), (0, vec![(5, 1), (6, -86_400), (6, 0)]), (0, vec![(5, 1), (4, 99_999)]), (0, vec![(-5, 1), (4, 3)])];
    let mut lines: Vec<String> = zones.iter().map(|(first, changes)| format!("{:?}", Zone::new(*first, changes.clone()).map(|zone| [-6, -5, 3, 4].map(|time| zone.offset_at(time))))).collect();
    for width in [Width::Fixed { seconds: 0, anchor: 4 }, Width::Days(0), Width::Weeks { count: 0, first: 1 }, Width::Weeks { count: 1, first: 7 }, Width::Months(0), Width::Weeks { count: 1, first: 6 }] {
        lines.push(format!("{:?}", Bucketer::new(zone(0, &[]), width).map(|by| by.span_of(0))));
    }
    observe("made", lines);
    let utc = zone(0, &[]);
    let mut lines = Vec::new();
    for width in [Width::Fixed { seconds: 900, anchor: 60 }, Width::Fixed { seconds: u32::MAX, anchor: -1_000_000_000_000 }, Width::Days(1), Width::Days(10), Width::Weeks { count: 1, first: 0 }, Width::Weeks { count: 2, first: 3 }, Width::Weeks { count: 3, first: 6 }, Width::Months(1), Width::Months(5), Width::Months(12), Width::Months(1200), Width::Days(u32::MAX), Width::Months(u32::MAX)] {
        let by = bucketer(&utc, width);
        lines.push(format!("{:?}", [-1_000_000_000_000, -62_167_219_201, -1, 0, 1_709_190_309, 1_000_000_000_000].map(|time| { let span = by.span_of(time); (span.start, span.end) })));
    }
    observe("widths", lines);
    // Summer time that begins and ends at 02:00 and 03:00, and a place where it does so at midnight.
    let north = zone(3600, &[(at("2024-03-31T01:00:00Z"), 7200), (at("2024-10-27T01:00:00Z"), 3600)]);
    let mut lines = walk(&north, Width::Days(1), at("2024-03-30T12:00:00Z"), 4);
    lines.extend(walk(&north, Width::Days(1), at("2024-10-26T12:00:00Z"), 3));
    lines.extend(walk(&north, Width::Weeks { count: 1, first: 0 }, at("2024-10-20T12:00:00Z"), 3));
    lines.extend(walk(&north, Width::Months(1), at("2024-02-29T23:30:00Z"), 9));
    lines.extend(walk(&north, Width::Fixed { seconds: 43_200, anchor: 0 }, at("2024-03-30T12:00:00Z"), 3));
    observe("summer", lines);
    let midnight = zone(-14_400, &[(at("2024-03-10T04:00:00Z"), -10_800), (at("2024-11-03T03:00:00Z"), -14_400)]);
    let mut lines = walk(&midnight, Width::Days(1), at("2024-03-09T12:00:00Z"), 3);
    lines.extend(walk(&midnight, Width::Days(1), at("2024-11-01T12:00:00Z"), 4));
    // 30 seconds after midnight it is 23:30 of the day before again.
    let back = zone(0, &[(at("2024-05-01T00:00:30Z"), -1800), (at("2024-05-01T00:10:00Z"), 0), (at("2024-05-01T00:20:00Z"), -3600)]);
    lines.extend(walk(&back, Width::Days(1), at("2024-04-29T12:00:00Z"), 4));
    lines.extend(walk(&back, Width::Months(1), at("2024-04-29T12:00:00Z"), 2));
    observe("midnight", lines);
    // A place that moves over the date line: a day is skipped, and later one comes twice.
    let line = zone(-39_600, &[(at("2011-12-30T10:00:00Z"), 50_400), (at("2012-06-10T09:30:00Z"), -36_000)]);
    let mut lines = walk(&line, Width::Days(1), at("2011-12-29T00:00:00Z"), 4);
    lines.extend(walk(&line, Width::Days(1), at("2012-06-08T00:00:00Z"), 5));
    lines.extend(walk(&line, Width::Days(2), at("2011-12-25T00:00:00Z"), 5));
    lines.extend(walk(&line, Width::Weeks { count: 1, first: 5 }, at("2011-12-25T00:00:00Z"), 3));
    lines.extend(walk(&line, Width::Months(1), at("2011-11-25T00:00:00Z"), 3));
    let wild = zone(86_399, &[(100, -86_399), (200, 86_399), (300, -86_399), (90_000, 86_399), (90_001, 0)]);
    lines.extend(walk(&wild, Width::Days(1), -200_000, 7));
    observe("date_line", lines);
    let mut numbers = Numbers(11);
    let mut time = -5_000_000_000;
    let changes: Vec<(i64, i32)> = (0..100_000)
        .map(|_| {
            time += 1 + numbers.next(200_000) as i64;
            (time, numbers.next(172_799) as i32 - 86_399)
        })
        .collect();
    let busy = zone(17, &changes);
    let mut lines = Vec::new();
    for width in [Width::Days(1), Width::Weeks { count: 1, first: 2 }, Width::Months(1)] {
        let by = bucketer(&busy, width);
        let mut digest = 3;
        for _ in 0..300_000 {
            let time = numbers.next(12_000) as i64 * 1_000_000 + numbers.next(1_000_000) as i64 - 6_000_000_000;
            let span = by.span_of(time);
            mix(&mut digest, span.start);
            mix(&mut digest, span.end);
            mix(&mut digest, i64::from(busy.offset_at(time)));
        }
        lines.push(format!("{:x}", digest));
    }
    observe("busy", lines);
}

fn told(buckets: &[Bucket]) -> String {
    let one = |b: &Bucket| format!("{}-{} {}x {} {}..{} {:?} {:?}", b.span.start, b.span.end, b.count, b.sum, b.min, b.max, b.first, b.last);
    buckets.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn streamed(by: &Bucketer, lateness: u32, readings: &[(i64, i64)]) -> Vec<String> {
    let mut stream = Stream::new(by.clone(), lateness);
    let mut lines: Vec<String> = readings
        .iter()
        .map(|&(time, value)| {
            let said = match stream.push(time, value) {
                Ok(given) => told(&given),
                Err(span) => format!("late {} {}", span.start, span.end),
            };
            format!("{} {} | {}", stream.open(), stream.late(), said)
        })
        .collect();
    lines.push(told(&stream.finish()));
    lines
}

/// One reading for each of these times.
fn gathered(by: &Bucketer, readings: &[(i64, i64)]) -> Vec<Bucket> {
    let mut stream = Stream::new(by.clone(), u32::MAX);
    let mut all = Vec::new();
    for &(time, value) in readings {
        all.extend(stream.push(time, value).unwrap_or_default());
    }
    all.extend(stream.finish());
    all
}

fn listed(filled: &[Filled]) -> String {
    let one = |f: &Filled| {
        let value = f.value.map_or("-".to_string(), |Ratio { num, den }| format!("{}/{}", num, den));
        format!("{}{}+{} {}", if f.made { "*" } else { "" }, f.span.start, f.span.end - f.span.start, value)
    };
    filled.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn filling() {
    let utc = zone(0, &[]);
    let tens = bucketer(&utc, Width::Fixed { seconds: 10, anchor: 0 });
    observe("stream", streamed(&tens, 5, &[(12, 4), (17, -9), (12, 5), (3, 7), (9, 1), (24, 2), (17, 6), (25, 8), (9, 3), (19, 3), (24, -2), (60, 1), (45, 0), (49, 9), (54, 2), (65, 5), (64, 4), (64, 3)]));
    observe("prompt", streamed(&tens, 0, &[(-1, 1), (0, 2), (-1, 3), (-11, 4), (9, 1), (10, 1), (9, 1), (1000, 7), (999, 8), (1009, 9), (-1_000_000_000_000, 1), (1_000_000_000_000, 1 << 40)]));
    let late = streamed(&tens, u32::MAX, &[(4_294_967_295, 3), (0, 4), (-1, 5), (4_294_967_305, 6), (-7, 2), (0, 1), (4_294_967_304, 1)]);
    observe("lateness", late);
    let line = zone(-39_600, &[(at("2011-12-30T10:00:00Z"), 50_400)]);
    let days = bucketer(&line, Width::Days(1));
    let start = at("2011-12-28T15:00:00Z");
    observe("stream_days", streamed(&days, 3600, &[(start, 3), (start + 86_400, 4), (start - 20_000, 9), (start + 68_399, 2), (start + 68_400, 1), (start + 172_800, 5), (start + 300_000, 6)]));
    let mut numbers = Numbers(23);
    let mut stream = Stream::new(bucketer(&utc, Width::Months(1)), 2_000_000);
    let (mut digest, mut time) = (1, -40_000_000_000);
    let mut given = 0;
    for _ in 0..400_000 {
        time += numbers.next(300_000) as i64;
        match stream.push(time - numbers.next(6_000_000) as i64, numbers.next(2000) as i64 - 1000) {
            Ok(buckets) => {
                for bucket in &buckets {
                    given += bucket.count;
                    for value in [bucket.span.start, bucket.sum as i64, bucket.min, bucket.max, bucket.first.0, bucket.first.1, bucket.last.0, bucket.last.1] {
                        mix(&mut digest, value);
                    }
                }
            }
            Err(span) => mix(&mut digest, span.end),
        }
    }
    observe("many", vec![format!("{:x} {} {} {}", digest, given, stream.late(), stream.open())]);
    let series = gathered(&tens, &[(1, 4), (2, 5), (11, 6), (41, -7), (42, -8), (48, 3), (61, 10), (142, 0)]);
    let mut lines = Vec::new();
    for how in [Fill::Skip, Fill::Empty, Fill::Previous, Fill::Linear] {
        for limit in [0, 1, 2, 7] {
            lines.push(format!("{:?} {}: {}", how, limit, listed(&fill(&tens, &series, how, limit))));
        }
    }
    lines.push(listed(&fill(&tens, &[], Fill::Linear, 3)));
    lines.push(listed(&fill(&tens, &series[..1], Fill::Linear, 3)));
    observe("fill", lines);
    let mut lines = Vec::new();
    for width in [Width::Days(1), Width::Days(2), Width::Weeks { count: 1, first: 5 }] {
        let by = bucketer(&line, width);
        let series = gathered(&by, &[(at("2011-12-20T00:00:00Z"), 10), (at("2012-01-02T00:00:00Z"), 13), (at("2012-01-02T01:00:00Z"), 14)]);
        lines.push(listed(&fill(&by, &series, Fill::Linear, 20)));
    }
    let months = bucketer(&utc, Width::Months(1));
    let series = gathered(&months, &[(at("2023-11-05T00:00:00Z"), 1), (at("2024-04-05T00:00:00Z"), -2)]);
    lines.push(listed(&fill(&months, &series, Fill::Linear, 4)));
    observe("fill_calendar", lines);
    let seconds = bucketer(&utc, Width::Fixed { seconds: 1, anchor: 0 });
    let most = (1i64 << 40) - 1;
    let far = gathered(&seconds, &[(-1_000_000_000_000, 3), (0, most), (0, -most), (0, most), (3, -most), (3, -most + 1), (1_000_000_000_000, 4)]);
    observe("far", vec![listed(&fill(&seconds, &far, Fill::Skip, 5)), listed(&fill(&seconds, &far[1..3], Fill::Linear, 2))]);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("calendar") => calendar(),
        Some("bucketing") => bucketing(),
        _ => filling(),
    }
}
