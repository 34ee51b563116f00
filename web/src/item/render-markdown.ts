import createPurifier from 'dompurify'
import { micromark } from 'micromark'
import { type Maths, markdownSource, type Range, signs } from './markdown-source.ts'
import { splitMaths } from './maths-segments.ts'
import './rendered.css'

const tags = ['p', 'br', 'hr', 'em', 'strong', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a']
const language = /^language-([\w+#-]{1,20})$/

/**
 * Markdown as safe nodes: micromark escapes HTML, DOMPurify keeps a short list of tags, links open apart and send no referrer. Only then
 * formulas and highlighted code are put in, by libraries that are loaded when there are any, and `mark` is drawn.
 */
export async function renderMarkdown(text: string, mark: Range | null): Promise<HTMLElement> {
  const { markdown, maths } = markdownSource(text, mark)
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.hasAttribute('class') && !(node.tagName === 'CODE' && language.test(node.className))) node.removeAttribute('class')
    if (node.tagName !== 'A') return
    node.setAttribute('rel', 'noreferrer nofollow ugc')
    node.setAttribute('target', '_blank')
  })
  const root = document.createElement('div')
  root.innerHTML = purifier.sanitize(micromark(markdown), {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', 'class'],
    ALLOWED_URI_REGEXP: /^https?:/i,
  })
  const blocks = [...root.querySelectorAll('pre > code')]
  if (blocks.length > 0) {
    const { highlightCode } = await import('./highlight-code.ts')
    await Promise.all(blocks.map((block) => highlightCode(block, language.exec(block.className)?.[1])))
  }
  await putSigns(root, maths)
  return root
}

/** Plain text with its formulas set; everything else stays as it is. Nothing where there is no formula. */
export async function renderMaths(text: string): Promise<HTMLElement | undefined> {
  const segments = splitMaths(text, false)
  if (!segments.some((one) => one.kind === 'maths')) return undefined
  const { mathsNode } = await import('./maths-node.ts')
  const root = document.createElement('span')
  root.append(...segments.map((one) => (one.kind === 'maths' ? mathsNode(one) : text.slice(one.from, one.to))))
  return root
}

/** Replaces the signs of formulas by the formulas, and draws what lies between those of a mark. */
async function putSigns(root: HTMLElement, maths: readonly Maths[]): Promise<void> {
  const mathsNode = maths.length > 0 ? (await import('./maths-node.ts')).mathsNode : undefined
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  let marking = false
  for (const text of texts) {
    const parts = text.data.split(new RegExp(`(${signs.open}\\d+${signs.close}|${signs.markFrom}|${signs.markTo})`))
    if (parts.length === 1 && !marking) continue
    const nodes = parts.flatMap((part): Node[] => {
      if (part === signs.markFrom || part === signs.markTo) {
        marking = part === signs.markFrom
        return []
      }
      if (part === '') return []
      const formula = part.startsWith(signs.open) ? maths[Number(part.slice(1, -1))] : undefined
      const node = formula && mathsNode ? mathsNode(formula) : document.createTextNode(part)
      return [marking ? marked(node) : node]
    })
    text.replaceWith(...nodes)
  }
}

function marked(node: Node): HTMLElement {
  const mark = document.createElement('mark')
  mark.className = 'answer-mark'
  mark.title = 'Read as the answer'
  mark.append(node)
  return mark
}
