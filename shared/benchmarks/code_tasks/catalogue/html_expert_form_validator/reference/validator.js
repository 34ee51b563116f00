window.FormValidator = (() => {
  const mailPattern = /^[^\s@]+@((?!-)[A-Za-z0-9-]+(?<!-)\.)+(?!-)[A-Za-z0-9-]+(?<!-)$/

  function isDate(text) {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
    if (!match) return false
    const [year, month, day] = match.slice(1).map(Number)
    const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
    return month >= 1 && month <= 12 && day >= 1 && day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  const types = {
    integer: { test: (value) => /^-?[0-9]+$/.test(value), message: 'must be a whole number.' },
    date: { test: isDate, message: 'must be a date (YYYY-MM-DD).' },
    email: { test: (value) => mailPattern.test(value), message: 'must be an e-mail address.' },
  }

  const valueOf = (field) => (field.type === 'checkbox' ? (field.checked ? 'on' : '') : field.value.trim())

  /** Watches over a form. */
  function attach(form, { tools = {}, onSubmit = () => {} } = {}) {
    const checked = new Set()
    const rounds = new Map()
    const described = new Map()
    let busy = false
    let alive = true

    const fields = () => [...form.querySelectorAll('input,select,textarea')].filter((field) => field.name && !field.disabled)
    const byName = (name) => fields().find((field) => field.name === name)
    const other = (name) => {
      const field = byName(name)
      return field ? valueOf(field) : ''
    }
    const allValues = () => Object.fromEntries(fields().map((field) => [field.name, valueOf(field)]))
    const labelOf = (field) => {
      const label = [...form.querySelectorAll('label')].find((one) => field.id && one.getAttribute('for') === field.id)
      return label ? label.textContent.trim().replace(/\s*\*$/, '') : field.name
    }
    const labelOfName = (name) => {
      const field = byName(name)
      return field ? labelOf(field) : name
    }

    /** The message of the first rule that fails without tools, or null. */
    const plainProblem = (field) => {
      const value = valueOf(field)
      const label = labelOf(field)
      const { type, min, max, pattern, hint, after, same } = field.dataset
      if (value === '') return isRequired(field) ? `Please fill in ${label}.` : null
      if (types[type] && !types[type].test(value)) return `${label} ${types[type].message}`
      const measure = type === 'integer' ? Number : type === 'date' ? String : null
      if (min !== undefined && (measure ? measure(value) < measure(min) : [...value].length < Number(min))) return `${label} must ${measure ? `be at least ${min}.` : `have at least ${min} characters.`}`
      if (max !== undefined && (measure ? measure(value) > measure(max) : [...value].length > Number(max))) return `${label} must ${measure ? `be at most ${max}.` : `have at most ${max} characters.`}`
      if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value)) return hint ?? `${label} has the wrong form.`
      if (after !== undefined && isDate(other(after)) && !(value > other(after))) return `${label} must be after ${labelOfName(after)}.`
      if (same !== undefined && value !== other(same)) return `${label} must match ${labelOfName(same)}.`
      return null
    }

    const isRequired = (field) => {
      if (field.hasAttribute('required')) return true
      const condition = field.dataset.requiredIf
      if (condition === undefined) return false
      const cut = condition.indexOf('=')
      return cut < 0 ? other(condition) !== '' : other(condition.slice(0, cut)) === condition.slice(cut + 1)
    }

    const askTool = async (field) => {
      const failed = `${labelOf(field)} could not be checked.`
      try {
        return Object.hasOwn(tools, field.dataset.tool) ? ((await tools[field.dataset.tool](valueOf(field), allValues())) ?? null) : failed
      } catch {
        return failed
      }
    }

    const show = (field, message) => {
      const id = `${field.name}-error`
      if (!described.has(field)) described.set(field, field.getAttribute('aria-describedby'))
      const before = described.get(field)
      const shown = field.nextElementSibling?.id === id ? field.nextElementSibling : null
      if (message === null) {
        shown?.remove()
        field.removeAttribute('aria-invalid')
        if (before === null) field.removeAttribute('aria-describedby')
        else field.setAttribute('aria-describedby', before)
        return
      }
      const paragraph = shown ?? document.createElement('p')
      paragraph.className = 'error'
      paragraph.id = id
      paragraph.textContent = message
      if (!shown) field.after(paragraph)
      field.setAttribute('aria-invalid', 'true')
      field.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`)
    }

    const check = async (field) => {
      checked.add(field)
      const round = (rounds.get(field) ?? 0) + 1
      rounds.set(field, round)
      const problem = plainProblem(field)
      show(field, problem)
      if (problem !== null || field.dataset.tool === undefined || valueOf(field) === '') return problem
      const answer = await askTool(field)
      if (alive && rounds.get(field) === round) show(field, answer)
      return answer
    }

    const validate = async () => {
      const all = fields()
      const values = allValues()
      const found = await Promise.all(all.map(check))
      const wrong = all.map((field, index) => [field, found[index]]).filter(([, message]) => message !== null)
      if (alive) summarize(wrong)
      return { ok: wrong.length === 0, values, errors: Object.fromEntries(wrong.map(([field, message]) => [field.name, message])) }
    }

    const summary = () => [...form.querySelectorAll('div.summary')][0] ?? null
    const summarize = (wrong) => {
      summary()?.remove()
      if (wrong.length === 0) return
      const made = document.createElement('div')
      made.className = 'summary'
      made.setAttribute('role', 'alert')
      const heading = document.createElement('p')
      heading.textContent = wrong.length === 1 ? '1 field needs attention.' : `${wrong.length} fields need attention.`
      const list = document.createElement('ul')
      for (const [field, message] of wrong) {
        const link = document.createElement('a')
        link.setAttribute('href', `#${field.id}`)
        link.textContent = message
        link.addEventListener('click', (event) => {
          event.preventDefault()
          field.focus()
        })
        const item = document.createElement('li')
        item.append(link)
        list.append(item)
      }
      made.append(heading, list)
      form.prepend(made)
    }

    const submit = async () => {
      if (busy) return null
      busy = true
      form.setAttribute('aria-busy', 'true')
      const result = await validate()
      busy = false
      form.removeAttribute('aria-busy')
      if (!alive) return result
      if (result.ok) onSubmit(result.values)
      else byName(Object.keys(result.errors)[0]).focus()
      return result
    }

    const isOurs = (field) => fields().includes(field)
    const dependsOn = (field, name) => {
      const { requiredIf, after, same } = field.dataset
      return [requiredIf?.split('=')[0], after, same].includes(name)
    }
    const listeners = {
      focusout: (event) => {
        if (isOurs(event.target)) void check(event.target)
      },
      input: (event) => onChange(event.target),
      change: (event) => onChange(event.target),
      submit: (event) => {
        event.preventDefault()
        void submit()
      },
    }
    const onChange = (target) => {
      if (!isOurs(target)) return
      for (const field of fields()) {
        if (checked.has(field) && (field === target || dependsOn(field, target.name))) void check(field)
      }
    }

    const commands = {
      describe: () => ({
        ok: true,
        fields: fields().map((field) => ({
          name: field.name,
          label: labelOf(field),
          type: field.dataset.type ?? (field.tagName === 'SELECT' ? 'choice' : field.type === 'checkbox' ? 'flag' : 'text'),
          required: field.hasAttribute('required'),
        })),
      }),
      fill: async (given) => {
        for (const [name, value] of Object.entries(given)) {
          const field = byName(name)
          if (!field) return { ok: false, error: `no field "${name}"` }
          const wanted = field.type === 'checkbox' ? 'boolean' : 'string'
          if (typeof value !== wanted) return { ok: false, error: `field "${name}" needs a ${wanted}` }
        }
        for (const [name, value] of Object.entries(given)) {
          const field = byName(name)
          if (field.type === 'checkbox') field.checked = value
          else field.value = value
        }
        const { ok, errors } = await validate()
        return { ok, errors }
      },
      submit: async () => {
        const result = await submit()
        return result ? { ok: result.ok, errors: result.errors } : { ok: false, error: 'busy' }
      },
    }

    const call = async (text) => {
      let request
      try {
        request = JSON.parse(text)
      } catch {
        return { ok: false, error: 'not JSON' }
      }
      const name = String(request?.name)
      if (!Object.hasOwn(commands, name)) return { ok: false, error: `no tool "${name}"` }
      return commands[name](request.arguments ?? {})
    }

    const detach = () => {
      alive = false
      for (const [type, listener] of Object.entries(listeners)) form.removeEventListener(type, listener)
      for (const field of checked) show(field, null)
      summary()?.remove()
      form.removeAttribute('aria-busy')
    }

    form.setAttribute('novalidate', '')
    for (const [type, listener] of Object.entries(listeners)) form.addEventListener(type, listener)
    return { validate, call, detach }
  }

  return { attach }
})()
