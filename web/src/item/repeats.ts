const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Whether a prompt says again what is already shown of its item: every one of these texts, whatever the white space. No texts repeat nothing. */
export function repeatsTexts(prompt: string, shown: readonly string[]): boolean {
  const texts = shown.map(squeeze).filter((text) => text !== '')
  const whole = squeeze(prompt)
  return texts.length > 0 && texts.every((text) => whole.includes(text))
}
