/** Replaces each `{name}` of a template by its value, in one pass, so that braces inside a value stay as they are; other braces are text. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
}
