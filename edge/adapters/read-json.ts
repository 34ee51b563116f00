/** Parses a body of at most `mostChars` characters as JSON. Returns undefined for anything else. */
export async function readJson(response: Response, mostChars: number): Promise<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let said = ''
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    said += part.value
    if (said.length > mostChars) {
      await reader!.cancel()
      return undefined
    }
  }
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}
