/** Puts a text on the clipboard. Plain-HTTP hosts have no `navigator.clipboard`: there the browser copies a selection. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'fixed inset-0 opacity-0'
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
}
