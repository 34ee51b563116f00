use crate::value::ParseError;
use crate::Settings;

/// Reads the settings of a station.
pub fn parse(text: &str) -> Result<Settings, ParseError> {
    todo!("read {} bytes", text.len())
}
