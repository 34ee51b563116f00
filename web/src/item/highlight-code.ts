import type { LanguageFn } from 'highlight.js'
import highlighter from 'highlight.js/lib/core'

type Load = () => Promise<{ default: LanguageFn }>

/** Languages that answers are written in; each is loaded when a block names it. */
const languages: Record<string, Load> = {
  python: () => import('highlight.js/lib/languages/python'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  json: () => import('highlight.js/lib/languages/json'),
  bash: () => import('highlight.js/lib/languages/bash'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  java: () => import('highlight.js/lib/languages/java'),
  rust: () => import('highlight.js/lib/languages/rust'),
  go: () => import('highlight.js/lib/languages/go'),
  sql: () => import('highlight.js/lib/languages/sql'),
  xml: () => import('highlight.js/lib/languages/xml'),
  diff: () => import('highlight.js/lib/languages/diff'),
}
const aliases: Record<string, string> = {
  py: 'python',
  python3: 'python',
  js: 'javascript',
  ts: 'typescript',
  sh: 'bash',
  shell: 'bash',
  console: 'bash',
  c: 'cpp',
  'c++': 'cpp',
  h: 'cpp',
  html: 'xml',
  rs: 'rust',
}
const mostChars = 60_000

/** Colours a block of code in place; an unknown language or a very long block stays plain. */
export async function highlightCode(block: Element, named: string | undefined): Promise<void> {
  const text = block.textContent
  const name = named === undefined ? undefined : (aliases[named.toLowerCase()] ?? named.toLowerCase())
  const load = name === undefined ? undefined : languages[name]
  if (name === undefined || !load || text.length > mostChars) return
  if (!highlighter.getLanguage(name)) highlighter.registerLanguage(name, (await load()).default)
  // The highlighter escapes the text and adds spans with its own classes.
  block.innerHTML = highlighter.highlight(text, { language: name, ignoreIllegals: true }).value
}
