// A small document for tests: elements, text, attributes, events that bubble, and plain selectors.
const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const unescaped = (text) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&')
const camel = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export class Event {
  constructor(type, { bubbles = false, cancelable = false, detail = null, key = '' } = {}) {
    Object.assign(this, { type, bubbles, cancelable, detail, key, defaultPrevented: false, target: null, currentTarget: null, stopped: false })
  }
  preventDefault() {
    if (this.cancelable) this.defaultPrevented = true
  }
  stopPropagation() {
    this.stopped = true
  }
}

class Target {
  listeners = new Map()
  addEventListener(type, listener, options) {
    const all = this.listeners.get(type) ?? []
    if (!all.some((one) => one.listener === listener)) this.listeners.set(type, [...all, { listener, once: Boolean(options?.once) }])
  }
  removeEventListener(type, listener) {
    this.listeners.set(type, (this.listeners.get(type) ?? []).filter((one) => one.listener !== listener))
  }
  dispatchEvent(event) {
    event.target = this
    for (let at = this; at && !event.stopped; at = event.bubbles ? at.parentNode : null) {
      event.currentTarget = at
      for (const { listener, once } of at.listeners.get(event.type) ?? []) {
        if (once) at.removeEventListener(event.type, listener)
        try {
          if (typeof listener === 'function') listener.call(at, event)
          else listener.handleEvent(event)
        } catch (error) {
          console.error(error) // as in a browser: it is reported, and the event goes on
        }
      }
    }
    return !event.defaultPrevented
  }
}

class Node extends Target {
  parentNode = null
  childNodes = []
  constructor(ownerDocument) {
    super()
    this.ownerDocument = ownerDocument
  }
  get parentElement() { return this.parentNode instanceof Element ? this.parentNode : null }
  get firstChild() { return this.childNodes[0] ?? null }
  get lastChild() { return this.childNodes.at(-1) ?? null }
  get children() { return this.childNodes.filter((node) => node instanceof Element) }
  get firstElementChild() { return this.children[0] ?? null }
  get lastElementChild() { return this.children.at(-1) ?? null }
  get childElementCount() { return this.children.length }
  get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null }
  get nextElementSibling() { return this.parentNode?.children[this.parentNode.children.indexOf(this) + 1] ?? null }
  get previousElementSibling() { return this.parentNode?.children[this.parentNode.children.indexOf(this) - 1] ?? null }
  get isConnected() { return this === this.ownerDocument || (this.parentNode?.isConnected ?? false) }
  get textContent() { return this.childNodes.map((node) => node.textContent).join('') }
  set textContent(text) { this.replaceChildren(...(text === null || `${text}` === '' ? [] : [`${text}`])) }
  insertBefore(node, before) {
    for (const one of node instanceof Fragment ? [...node.childNodes] : [node]) {
      one.remove()
      const at = before ? this.childNodes.indexOf(before) : this.childNodes.length
      this.childNodes.splice(at, 0, one)
      one.parentNode = this
    }
    return node
  }
  appendChild(node) { return this.insertBefore(node, null) }
  removeChild(node) { node.remove(); return node }
  replaceChild(node, old) { this.insertBefore(node, old); old.remove(); return old }
  append(...nodes) { for (const node of nodes) this.appendChild(this.toNode(node)) }
  prepend(...nodes) { const first = this.firstChild; for (const node of nodes) this.insertBefore(this.toNode(node), first) }
  before(...nodes) { for (const node of nodes) this.parentNode.insertBefore(this.toNode(node), this) }
  after(...nodes) { const next = this.nextSibling; for (const node of nodes) this.parentNode.insertBefore(this.toNode(node), next) }
  replaceChildren(...nodes) { for (const child of [...this.childNodes]) child.remove(); this.append(...nodes) }
  replaceWith(...nodes) { this.before(...nodes); this.remove() }
  remove() {
    if (!this.parentNode) return
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1)
    this.parentNode = null
  }
  contains(node) { for (let at = node; at; at = at.parentNode) if (at === this) return true; return false }
  toNode(node) { return node instanceof Node ? node : this.ownerDocument.createTextNode(node) }
  *descendants() { for (const child of this.children) { yield child; yield* child.descendants() } }
  querySelectorAll(selector) { return [...this.descendants()].filter((element) => element.matches(selector)) }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null }
  getElementsByTagName(name) { return this.querySelectorAll(name) }
  getElementsByClassName(name) { return this.querySelectorAll(`.${name}`) }
}

class Text extends Node {
  constructor(ownerDocument, data) { super(ownerDocument); this.data = `${data}` }
  get textContent() { return this.data }
  set textContent(text) { this.data = `${text}` }
  get outerHTML() { return escaped(this.data) }
}

class Fragment extends Node {}

class Element extends Node {
  attributes = new Map()
  constructor(ownerDocument, name) {
    super(ownerDocument)
    this.localName = name.toLowerCase()
    this.typed = null
    const element = this
    this.dataset = new Proxy({}, {
      get: (_, name) => element.getAttribute(`data-${dashed(String(name))}`) ?? undefined,
      set: (_, name, value) => { element.setAttribute(`data-${dashed(name)}`, value); return true },
      has: (_, name) => element.hasAttribute(`data-${dashed(String(name))}`),
      deleteProperty: (_, name) => { element.removeAttribute(`data-${dashed(name)}`); return true },
    })
    this.style = new Proxy({}, {
      get: (own, name) => {
        if (name === 'setProperty') return (property, value) => { own[camel(property)] = `${value}` }
        if (name === 'getPropertyValue') return (property) => own[camel(property)] ?? ''
        if (name === 'removeProperty') return (property) => { delete own[camel(property)] }
        return own[camel(String(name))] ?? ''
      },
      set: (own, name, value) => { own[camel(name)] = `${value}`; return true },
    })
    this.classList = {
      contains: (name) => this.className.split(/\s+/).includes(name),
      add: (...names) => { this.className = [...new Set([...this.className.split(/\s+/).filter(Boolean), ...names])].join(' ') },
      remove: (...names) => { this.className = this.className.split(/\s+/).filter((name) => name && !names.includes(name)).join(' ') },
      toggle: (name, force = !this.classList.contains(name)) => { this.classList[force ? 'add' : 'remove'](name); return force },
    }
  }
  get tagName() { return this.localName.toUpperCase() }
  get nodeName() { return this.tagName }
  getAttribute(name) { return this.attributes.get(name.toLowerCase()) ?? null }
  setAttribute(name, value) { this.attributes.set(name.toLowerCase(), `${value}`) }
  removeAttribute(name) { this.attributes.delete(name.toLowerCase()) }
  hasAttribute(name) { return this.attributes.has(name.toLowerCase()) }
  toggleAttribute(name, force = !this.hasAttribute(name)) { if (force) this.setAttribute(name, ''); else this.removeAttribute(name); return force }
  get className() { return this.getAttribute('class') ?? '' }
  set className(value) { this.setAttribute('class', value) }
  get value() {
    if (this.localName === 'select') return this.typed ?? this.querySelector('option')?.value ?? ''
    return this.typed ?? this.getAttribute('value') ?? (this.localName === 'textarea' || this.localName === 'option' ? this.textContent : '')
  }
  set value(text) { this.typed = `${text}` }
  get checked() { return this.ticked ?? this.hasAttribute('checked') }
  set checked(value) { this.ticked = Boolean(value) }
  get elements() { return this.querySelectorAll('input,select,textarea,button') }
  get form() { return this.closest('form') }
  get colSpan() { return Number(this.getAttribute('colspan') ?? 1) }
  set colSpan(value) { this.setAttribute('colspan', value) }
  get innerHTML() { return this.childNodes.map((node) => node.outerHTML).join('') }
  set innerHTML(html) { this.replaceChildren(); parse(html, this) }
  get outerHTML() {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${escaped(value).replace(/"/g, '&quot;')}"`).join('')
    return `<${this.localName}${attributes}>${voids.has(this.localName) ? '' : `${this.innerHTML}</${this.localName}>`}`
  }
  focus() { this.ownerDocument.activeElement = this; this.dispatchEvent(new Event('focus')); this.dispatchEvent(new Event('focusin', { bubbles: true })) }
  blur() { this.dispatchEvent(new Event('blur')); this.dispatchEvent(new Event('focusout', { bubbles: true })) }
  click() { this.dispatchEvent(new Event('click', { bubbles: true, cancelable: true })) }
  matches(selector) { return selector.split(',').some((one) => matchesPath(this, one.trim().replace(/\s*>\s*/g, ' > ').split(/\s+/))) }
  closest(selector) { for (let at = this; at instanceof Element; at = at.parentNode) if (at.matches(selector)) return at; return null }
}
for (const name of ['id', 'name', 'type', 'title', 'placeholder', 'scope', 'htmlFor', 'role', 'href', 'tabIndex']) {
  const attribute = { htmlFor: 'for' }[name] ?? name.toLowerCase()
  Object.defineProperty(Element.prototype, name, { get() { return this.getAttribute(attribute) ?? '' }, set(value) { this.setAttribute(attribute, value) } })
}
for (const name of ['hidden', 'disabled', 'required', 'readOnly', 'noValidate']) {
  Object.defineProperty(Element.prototype, name, { get() { return this.hasAttribute(name) }, set(value) { this.toggleAttribute(name, Boolean(value)) } })
}

function matchesPath(element, path) {
  const last = path.at(-1)
  if (!matchesOne(element, last)) return false
  if (path.length === 1) return true
  if (path.at(-2) === '>') return element.parentNode instanceof Element && matchesPath(element.parentNode, path.slice(0, -2))
  for (let at = element.parentNode; at instanceof Element; at = at.parentNode) if (matchesPath(at, path.slice(0, -1))) return true
  return false
}

function matchesOne(element, text) {
  const parts = text.match(/^[a-z*][\w-]*|^\*|#[\w-]+|\.[\w-]+|\[[^\]]+\]/gi) ?? []
  return parts.length > 0 && parts.every((part) => {
    if (part[0] === '#') return element.id === part.slice(1)
    if (part[0] === '.') return element.classList.contains(part.slice(1))
    if (part[0] !== '[') return part === '*' || element.localName === part.toLowerCase()
    const [, name, value] = /^\[([\w-]+)(?:=["']?(.*?)["']?)?\]$/.exec(part)
    return value === undefined ? element.hasAttribute(name) : element.getAttribute(name) === value
  })
}

function parse(html, root) {
  let at = root
  for (const [, comment, close, open, attributes, text] of html.matchAll(/(<!--[\s\S]*?-->|<!doctype[^>]*>)|<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*\/?>|([^<]+)/gi)) {
    if (comment) continue
    if (text) at.appendChild(root.ownerDocument.createTextNode(unescaped(text)))
    if (close) at = at.closest?.(close)?.parentNode ?? at
    if (!open) continue
    const element = root.ownerDocument.createElement(open)
    for (const [, name, , double, single, bare] of attributes.matchAll(/([\w-]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)) element.setAttribute(name, unescaped(double ?? single ?? bare ?? ''))
    at.appendChild(element)
    if (!voids.has(element.localName)) at = element
  }
}

class Document extends Node {
  activeElement = null
  constructor() { super(null); this.ownerDocument = this }
  createElement(name) { return new Element(this, name) }
  createElementNS(_, name) { return new Element(this, name) }
  createTextNode(text) { return new Text(this, text) }
  createDocumentFragment() { return new Fragment(this) }
  getElementById(id) { return [...this.descendants()].find((element) => element.id === id) ?? null }
  get body() { return this.querySelector('body') }
  get documentElement() { return this.firstElementChild }
}

/** A document of this text. */
export function createDocument(html) {
  const document = new Document()
  parse(html, document)
  return document
}
