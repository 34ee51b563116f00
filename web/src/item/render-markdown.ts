import createPurifier from 'dompurify'
import { micromark } from 'micromark'

const tags = ['p', 'br', 'hr', 'em', 'strong', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a']

/** Markdown to safe HTML: micromark escapes HTML, DOMPurify keeps a short list of tags, links open apart and send no referrer. */
export function renderMarkdown(text: string): string {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return
    node.setAttribute('rel', 'noreferrer nofollow ugc')
    node.setAttribute('target', '_blank')
  })
  return purifier.sanitize(micromark(text), { ALLOWED_TAGS: tags, ALLOWED_ATTR: ['href'], ALLOWED_URI_REGEXP: /^https?:/i })
}
