use crate::value::{ErrorKind, ParseError, Value};
use crate::Settings;

const DEEPEST: usize = 16;
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// Reads the settings of a station.
pub fn parse(text: &str) -> Result<Settings, ParseError> {
    let mut settings = Settings::default();
    let mut section = String::new();
    for (index, line) in text.split('\n').enumerate() {
        let characters: Vec<char> = line.strip_suffix('\r').unwrap_or(line).chars().collect();
        let mut reader = Line { characters: &characters, at: 0, settings: &settings };
        match reader.read(&section) {
            Ok(Meaning::Nothing) => {}
            Ok(Meaning::Section(name)) => section = name,
            Ok(Meaning::Setting(key, value)) => settings.set(key, value),
            Err((at, kind)) => return Err(ParseError { line: index + 1, column: at + 1, kind }),
        }
    }
    Ok(settings)
}

/// What a line says.
enum Meaning {
    Nothing,
    Section(String),
    Setting(String, Value),
}

/// The place of an error on its line, from 0, and its kind.
type Fault = (usize, ErrorKind);

struct Line<'a> {
    characters: &'a [char],
    at: usize,
    settings: &'a Settings,
}

impl Line<'_> {
    fn read(&mut self, section: &str) -> Result<Meaning, Fault> {
        self.skip_blanks();
        let meaning = match self.peek() {
            None | Some('#') => return Ok(Meaning::Nothing),
            Some('[') => {
                self.at += 1;
                let name = self.names(ErrorKind::BadHeading)?;
                self.expect(']', ErrorKind::BadHeading)?;
                Meaning::Section(name)
            }
            Some(_) => {
                let start = self.at;
                let key = self.names(ErrorKind::ExpectedKey)?;
                self.skip_blanks();
                self.expect('=', ErrorKind::ExpectedEquals)?;
                let key = if section.is_empty() { key } else { format!("{}.{}", section, key) };
                self.check_new(&key).map_err(|kind| (start, kind))?;
                self.skip_blanks();
                Meaning::Setting(key, self.value(0)?)
            }
        };
        self.skip_blanks();
        match self.peek() {
            None | Some('#') => Ok(meaning),
            Some(_) => Err((self.at, ErrorKind::Trailing)),
        }
    }

    fn check_new(&self, key: &str) -> Result<(), ErrorKind> {
        let is_prefix = |short: &str, long: &str| long.strip_prefix(short).map_or(false, |rest| rest.starts_with('.'));
        if self.settings.get(key).is_some() {
            return Err(ErrorKind::DuplicateKey);
        }
        if self.settings.entries().iter().any(|(other, _)| is_prefix(other, key) || is_prefix(key, other)) {
            return Err(ErrorKind::KeyIsSection);
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        match self.peek() {
            Some('"') => self.string(),
            Some('[') => self.list(depth + 1),
            Some('$') => self.reference(),
            Some(first) if first.is_alphanumeric() || first == '+' || first == '-' => self.word(),
            _ => Err((self.at, ErrorKind::ExpectedValue)),
        }
    }

    fn string(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let character = self.next().ok_or((start, ErrorKind::UnclosedString))?;
            match character {
                '"' => return Ok(Value::String(text)),
                '\\' => text.push(self.escape(start)?),
                _ => text.push(character),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<char, Fault> {
        let cut_off = (start, ErrorKind::UnclosedString);
        let bad = (self.at - 1, ErrorKind::BadEscape);
        match self.next().ok_or(cut_off)? {
            'n' => Ok('\n'),
            't' => Ok('\t'),
            same @ ('\\' | '"') => Ok(same),
            'u' => {
                if self.next().ok_or(cut_off)? != '{' {
                    return Err(bad);
                }
                let mut code = 0;
                let mut count = 0;
                loop {
                    let character = self.next().ok_or(cut_off)?;
                    match character.to_digit(16) {
                        Some(digit) if count < 6 => {
                            code = code * 16 + digit;
                            count += 1;
                        }
                        None if character == '}' && count > 0 => return char::from_u32(code).ok_or(bad),
                        _ => return Err(bad),
                    }
                }
            }
            _ => Err(bad),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let start = self.at;
        if depth > DEEPEST {
            return Err((start, ErrorKind::TooDeep));
        }
        self.at += 1;
        let unclosed = (start, ErrorKind::UnclosedList);
        let mut elements = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(unclosed),
                Some(']') => break,
                Some(_) => elements.push(self.value(depth)?),
            }
            self.skip_blanks();
            match self.peek() {
                None => return Err(unclosed),
                Some(']') => break,
                Some(',') => self.at += 1,
                Some(_) => return Err((self.at, ErrorKind::ExpectedSeparator)),
            }
        }
        self.at += 1;
        Ok(Value::List(elements))
    }

    fn reference(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        self.at += 1;
        let key = self.names(ErrorKind::ExpectedKey)?;
        self.settings.get(&key).cloned().ok_or((start, ErrorKind::UnknownReference))
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        while self.peek().map_or(false, |character| !matches!(character, ' ' | '\t' | ',' | ']' | '#')) {
            self.at += 1;
        }
        let word: String = self.characters[start..self.at].iter().collect();
        scalar(&word).map_err(|kind| (start, kind))
    }

    /// Names joined by dots.
    fn names(&mut self, missing: ErrorKind) -> Result<String, Fault> {
        let start = self.at;
        loop {
            let name = self.at;
            while self.peek().map_or(false, |character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-')) {
                self.at += 1;
            }
            if self.at == name {
                return Err((self.at, missing));
            }
            if self.peek() != Some('.') {
                return Ok(self.characters[start..self.at].iter().collect());
            }
            self.at += 1;
        }
    }

    fn expect(&mut self, wanted: char, missing: ErrorKind) -> Result<(), Fault> {
        if self.peek() != Some(wanted) {
            return Err((self.at, missing));
        }
        self.at += 1;
        Ok(())
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }
}

fn scalar(word: &str) -> Result<Value, ErrorKind> {
    match word {
        "true" => return Ok(Value::Boolean(true)),
        "false" => return Ok(Value::Boolean(false)),
        _ => {}
    }
    let (negative, plain) = match word.as_bytes()[0] {
        b'-' => (true, &word[1..]),
        b'+' => (false, &word[1..]),
        _ => (false, word),
    };
    let hexadecimal = plain.strip_prefix("0x");
    let (digits, radix) = hexadecimal.map_or((plain, 10), |digits| (digits, 16));
    if digits.split('_').all(|group| !group.is_empty() && group.chars().all(|digit| digit.is_digit(radix))) {
        let signed = format!("{}{}", if negative { "-" } else { "" }, digits.replace('_', ""));
        return i64::from_str_radix(&signed, radix).map(Value::Integer).map_err(|_| ErrorKind::OutOfRange);
    }
    if is_float(plain) {
        let value: f64 = word.parse().map_err(|_| ErrorKind::BadValue)?;
        return if value.is_finite() { Ok(Value::Float(value)) } else { Err(ErrorKind::OutOfRange) };
    }
    duration(word)
}

fn is_float(text: &str) -> bool {
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (number, exponent) = match text.split_once(|letter| letter == 'e' || letter == 'E') {
        Some((number, exponent)) => (number, Some(exponent.strip_prefix(&['+', '-'][..]).unwrap_or(exponent))),
        None => (text, None),
    };
    let number_is_good = match number.split_once('.') {
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
        None => all_digits(number) && exponent.is_some(),
    };
    number_is_good && exponent.map_or(true, all_digits)
}

fn duration(word: &str) -> Result<Value, ErrorKind> {
    let mut units = UNITS.iter();
    let mut rest = word;
    let mut total = Some(0u64);
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, behind) = rest.split_at(digits);
        let letters = behind.find(|letter: char| letter.is_ascii_digit()).unwrap_or(behind.len());
        let (unit, next) = behind.split_at(letters);
        let factor = units.find(|(name, _)| *name == unit).filter(|_| digits > 0).ok_or(ErrorKind::BadValue)?.1;
        let amount = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        total = total.zip(amount).and_then(|(total, amount)| total.checked_add(amount));
        rest = next;
    }
    total.map(Value::Duration).ok_or(ErrorKind::OutOfRange)
}
