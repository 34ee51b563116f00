const emoji = /^(?![0-9#*\u{1f1e6}-\u{1f1ff}])\p{Emoji}$/u

/** `emoji.is_emoji` of the Python package emoji 2.15.0 for one code point: digits, signs and flag letters alone are none. */
export function isEmoji(codePoint: string): boolean {
  return emoji.test(codePoint)
}
