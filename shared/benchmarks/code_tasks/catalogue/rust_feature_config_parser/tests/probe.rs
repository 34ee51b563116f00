use settings::{parse, Value};

fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => { json.push('\\'); json.push(character) }
            character if (character as u32) < 32 || character as u32 > 126 => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    json.push_str(&format!("\\u{:04x}", unit));
                }
            }
            character => json.push(character),
        }
    }
    json + "\""
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("s:{}", text),
        Value::Integer(number) => format!("i:{}", number),
        Value::Float(number) => format!("f:{:e}", number),
        Value::Boolean(yes) => format!("b:{}", yes),
        Value::Duration(time) => format!("d:{}", time),
        Value::List(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(" ")),
    }
}

fn outcome(text: &str) -> String {
    match parse(text) {
        Ok(settings) => settings.entries().iter().map(|(key, value)| format!("{}={}", key, shown(value))).collect::<Vec<_>>().join("; "),
        Err(error) => format!("{}:{} {:?}", error.line, error.column, error.kind),
    }
}

fn observe(case: &str, texts: &[&str]) {
    let values: Vec<String> = texts.iter().map(|text| quoted(&outcome(text))).collect();
    println!("\n@@ {} [{}]", case, values.join(","));
}

/// Each as the value of a key.
fn observe_values(case: &str, values: &[&str]) {
    let texts: Vec<String> = values.iter().map(|value| format!("k = {}", value)).collect();
    observe(case, &texts.iter().map(String::as_str).collect::<Vec<_>>());
}

fn reading() {
    observe("lines", &["", "\n\n", "# nothing", " \t# x\n\t\n", "a=1", "a=1\n", "a = 1\r\nb = 2\r\n", "\ta\t=\t1\t", "a=1#x", "a=1 # x", "a-b_C.9 = 1", "0=0\n-=1\n_=2", "k = \"\u{fc}\" # \u{1f33b}"]);
    observe("sections", &["a=1\n[b]\nc=2\nd.e=3\n[b.x]\nf=4\n[b]\ng=5", "[a]\n[b]\n", "  [a.b]  # c\nx=1", "[a]#c\nx=1", "[9.-._]\nx=true", "[a]\nx=1\n[a]\ny=2", "[a]\nx=1\n[a.x2]\ny=1"]);
    observe_values("strings", &["\"\"", "\"a # b\"", "\"tab\\tnew\\nq\\\"b\\\\\"", "\"\\u{41}\\u{1F33B}\\u{00e9}\"", "\"\\u{0}\"", "\"\\u{10ffff}\"", "\"[,]=\"#", "\"a\tb\""]);
    observe_values("integers", &["0", "-0", "+7", "007", "1_000", "0x1F", "-0xff", "0xA_b", "9223372036854775807", "-9223372036854775808", "-0x8000000000000000", "+0x7fffffffffffffff", "0_0_1", "00x1", "0x"]);
    observe_values("floats", &["0.5", "-1.25", "+3.0", "1e3", "1E-2", "12.5e+2", "00.10", "1e0", "-0.0", "1e308", "5e-324", "1e-400", "0e999999", "123456789012345678901234567890.0"]);
    observe_values("booleans", &["true", "false", "true#", "[true,false]"]);
    observe_values("durations", &["1h30m", "250ms", "0s", "1d2h3m4s5ms", "5m", "5m7ms", "007s", "2d1ms", "213503982334d", "18446744073709551615ms"]);
    observe_values("lists", &["[]", "[ ]", "[1]", "[1,]", "[ 1 , \"x\" ,\t2.5, ]", "[[1],[],[2,[3]]]", "[1h,0x2,true]#c", "[\"]\", \"#\"]", "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]"]);
    observe("references", &["a=1\nb=$a", "[s]\nx=[1,2]\n[t]\ny=[$s.x,$s.x]\nz=$t.y", "a=\"#\"\nb=$a#c", "a=1h\nb = [ $a , $a ]", "a.b=true\nc=$a.b\nd=$c"]);
    observe("order", &["z=1\ny=2\n[a]\nx=3\n", "[q]\nb=2\na=1\n[p]\nc=$q.b"]);
}

fn errors() {
    observe_values("strings", &["\"", "\"abc", "  \"abc\\", "\"\\u", "\"\\u{", "\"\\u{41", "\"\\u{}\"", "\"\\u{1234567}\"", "\"\\u{d800}\"", "\"\\u{110000}\"", "\"\\u41\"", "\"a\\x\"", "\"\\u{4g}\"", "\"a\" b", "\"a\"\"b\"", "\"a\"1", "[\"a]", "\"\u{e9}\\q\"", "\"\\'\""]);
    observe_values("words", &["", "   ", "#", "=", ",", "]", "@", "yes", "True", "1__0", "_1", "1_", "0x", "0xg", "0x_1", "1.", ".5", "1.5.2", "1e", "1e+", "1_0.5", "-", "+-1", "--1", "-true", "1h2d", "1h1h", "1h 30m", "5x", "h", "-5m", "1.5h", "1ms2s", "0X1F", "1;", "\u{663}", "12\u{e9}", "1\"a\"", "true]", "inf", "nan", "e5", "0b1", "1h30"]);
    observe_values("range", &["9223372036854775808", "-9223372036854775809", "0x8000000000000000", "-0x8000000000000001", "1e309", "-1e999", "99999999999999999999", "213503982335d", "18446744073709551616ms", "213503982334d23h59m", "99999999999999999999ms", "[1, 0x8000000000000000]"]);
    observe_values("lists", &["[", "[1", "[1,", "[ ", "[1 2]", "[1,,2]", "[,]", "[1;2]", "[[1]", "[[1],[2]", "[1] 2", "[1]]", "[1]x", "[1 # c", "[# c]", "[\"a\" \"b\"]", "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "[[[[[[[[[[[[[[[[1],[[", "[1,\"x]", "[yes]", "[[],[$x]]"]);
    observe("headings", &["[", "[]", "[a", "[a.]", "[.a]", "[a..b]", "[ a]", "[a ]", "[a b]", "[a]]", "[a] x", "[a]x=1", "  [\u{e9}]", "[a]\n[b\n", "[a.b", "[a#]", "[a.", "[\"a\"]"]);
    observe("keys", &["=1", ".a=1", "a.=1", "a..b=1", "a. b=1", "a .b=1", "a", "a 1", "a b = 1", "a:1", "\"a\"=1", "  @", "\u{e9}=1", "a\u{e9}=1", "a.\u{e9}=1", "a.", "a.#", "a#=1", "]", "$a=1", "a==1"]);
    observe("clashes", &["a=1\na=2", "a.b=1\n[a]\n b = @", "a.b=1\na=2", "a=1\na.b=2", "a=1\n[a]\nb=2", "[a.b]\nc=1\n[a]\nb=1", "ab=1\na.b=2\na-=3", "a=1\na = ", "[a]\nx=1\n[b]\nx=1\n[a]\n  x=1", "a.b.c=1\na.b.d=1\na.b=1", "a=1\na.b"]);
    observe("references", &["a=$b", "a=$a", "b=$a\na=1", "a=$", "a=1\nb=$.a", "a=1\nb=$a.", "a=1\nb=$a.c", "a=1\nb=[$a, $c]", "a.b=1\nc=$a", "a=1\nb=$a$a", "a=1\nb=$a x", "a=1\nb=$a\"", "a=1\nb=$ a", "a=1\nb=$\u{e9}", "[s]\na=1\nb=$a", "a=1\nb=$a.#"]);
    observe("places", &["\n\n  x", "a=1\r\n\r\nb=\r\n", "a = \"\u{1f33b}\u{e9}\" x", "\u{feff}a=1", "a=1\rb=2", "a=1\n\tb\t=\t?", "a=1\r\r\n", "\u{a0}a=1", "a=\u{a0}1", "a=1\n#\nb=[\n]"]);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("reading") => reading(),
        _ => errors(),
    }
}
