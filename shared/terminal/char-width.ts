/** Blocks whose characters take two columns (Unicode's East Asian Width W and F), emoji apart. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
]
const joins = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u
const pictured = /^\p{Emoji_Presentation}$/u

/** Columns that a character takes on a terminal: 0 where it joins the one before it. Controls are not asked for. */
export function charWidth(char: string): 0 | 1 | 2 {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (joins.test(char)) return 0
  if (code < 0x1100) return 1
  if (wideBlocks.some(([first, last]) => code >= first && code <= last)) return 2
  return pictured.test(char) ? 2 : 1
}
