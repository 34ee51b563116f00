window.Heatmap = (() => {
  const isValue = (value) => typeof value === 'number' && Number.isFinite(value)
  const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const toHex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
  const positions = { linear, log, quantile }

  /** A function from values to colours. */
  function createScale(values, { stops, mode = 'linear', domain = null, steps = null } = {}) {
    if (!Array.isArray(stops) || stops.length < 2) throw new TypeError('a scale needs at least two stops')
    if (!Object.hasOwn(positions, mode)) throw new TypeError(`no mode "${mode}"`)
    if (steps !== null && !(Number.isInteger(steps) && steps >= 2)) throw new RangeError('steps must be an integer of at least 2')
    const finite = [...values].filter(isValue)
    const [low, high] = domain ?? [finite.reduce((a, b) => Math.min(a, b), Infinity), finite.reduce((a, b) => Math.max(a, b), -Infinity)]
    const known = domain !== null || finite.length > 0
    if (known && low > high) throw new RangeError('domain is upside down')
    if (known && mode === 'log' && !(low > 0)) throw new RangeError('a logarithmic scale needs a positive domain')
    const clamp = (value) => Math.min(Math.max(value, low), high)
    const position = known && low < high ? positions[mode](low, high, finite.map(clamp)) : () => 0.5
    const colours = stops.map(channels)
    const scale = (value) => {
      if (!isValue(value)) return null
      const exact = position(clamp(value))
      return between(colours, steps === null ? exact : Math.min(Math.floor(exact * steps), steps - 1) / (steps - 1))
    }
    return Object.assign(scale, { domain: known ? [low, high] : null })
  }

  function linear(low, high) {
    return (value) => (value - low) / (high - low)
  }

  function log(low, high) {
    return (value) => (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
  }

  function quantile(_low, _high, values) {
    return (value) => {
      const smaller = values.filter((one) => one < value).length
      const equal = values.filter((one) => one === value).length
      return values.length === 0 ? 0.5 : (smaller + equal / 2) / values.length
    }
  }

  function between(colours, position) {
    const place = position * (colours.length - 1)
    const first = Math.min(Math.floor(place), colours.length - 2)
    return toHex(colours[first].map((part, index) => Math.floor(part + (colours[first + 1][index] - part) * (place - first) + 0.5)))
  }

  function textColour(background) {
    const [red, green, blue] = channels(background).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff'
  }

  function element(document, name, attributes = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...children)
    return made
  }

  /** Draws a map into an element. */
  function render(root, data, options = {}) {
    const { title = '', unit = '', format = String, missing = '–', legend = 5, onSelect = () => {} } = options
    const scaleOptions = { ...options, stops: options.stops ?? ['#f7fbff', '#08306b'] }
    const document = root.ownerDocument
    const withUnit = (text) => (unit === '' ? text : `${text} ${unit}`)
    let shown = data
    let cells = []
    let status = null
    let selected = null
    let current = [0, 0]
    let alive = true

    const valueAt = (row, column) => {
      const value = shown.values?.[row]?.[column]
      return isValue(value) ? value : null
    }
    const cellAt = (place) => (place ? cells[place[0]]?.[place[1]] : undefined)

    const drawCell = (scale, row, column) => {
      const value = valueAt(row, column)
      const where = `${shown.rows[row]}, ${shown.columns[column]}`
      const text = value === null ? missing : format(value)
      const label = value === null ? `${where}: no value` : `${where}: ${withUnit(text)}`
      const cell = element(document, 'td', { class: value === null ? 'cell missing' : 'cell', 'data-row': row, 'data-column': column, tabindex: -1, 'aria-label': label }, text)
      if (value !== null) {
        cell.style.backgroundColor = scale(value)
        cell.style.color = textColour(scale(value))
      }
      return cell
    }

    const drawLegend = (scale) => {
      const [low, high] = scale.domain
      const items = Array.from({ length: legend }, (_, index) => {
        const value = legend === 1 ? low : low + ((high - low) * index) / (legend - 1)
        const swatch = element(document, 'span', { class: 'swatch' })
        swatch.style.backgroundColor = scale(value)
        return element(document, 'li', {}, swatch, ` ${withUnit(format(value))}`)
      })
      return element(document, 'ol', { class: 'legend' }, ...items)
    }

    const draw = () => {
      const values = shown.rows.flatMap((_, row) => shown.columns.map((__, column) => valueAt(row, column))).filter(isValue)
      const scale = createScale(values, scaleOptions)
      cells = shown.rows.map((_, row) => shown.columns.map((__, column) => drawCell(scale, row, column)))
      const head = element(document, 'tr', {}, element(document, 'td'), ...shown.columns.map((text) => element(document, 'th', { scope: 'col' }, text)))
      const rows = shown.rows.map((text, row) => element(document, 'tr', {}, element(document, 'th', { scope: 'row' }, text), ...cells[row]))
      const table = element(document, 'table', { class: 'heatmap', role: 'grid', 'aria-label': title })
      if (title !== '') table.append(element(document, 'caption', {}, title))
      table.append(element(document, 'thead', {}, head), element(document, 'tbody', {}, ...rows))
      table.addEventListener('keydown', onKey)
      table.addEventListener('click', onClick)
      status = element(document, 'p', { class: 'status', 'aria-live': 'polite' })
      root.replaceChildren(table, ...(legend > 0 && values.length > 0 ? [drawLegend(scale)] : []), status)
      mark()
    }

    const mark = () => {
      for (const cell of cells.flat()) {
        const isSelected = cell === cellAt(selected)
        cell.setAttribute('tabindex', cell === cellAt(current) ? 0 : -1)
        cell.classList.toggle('selected', isSelected)
        if (isSelected) cell.setAttribute('aria-selected', 'true')
        else cell.removeAttribute('aria-selected')
      }
      status.textContent = cellAt(selected)?.getAttribute('aria-label') ?? ''
    }

    const select = (row, column) => {
      if (!alive || !cellAt([row, column])) return
      const again = selected !== null && selected[0] === row && selected[1] === column
      selected = again ? null : [row, column]
      current = [row, column]
      mark()
      onSelect(again ? null : { row, column, value: valueAt(row, column) })
    }

    const placeOf = (event) => {
      const cell = event.target.closest?.('td.cell')
      return cell ? [Number(cell.dataset.row), Number(cell.dataset.column)] : null
    }

    const onClick = (event) => {
      const place = placeOf(event)
      if (place) select(...place)
    }

    const onKey = (event) => {
      const place = placeOf(event)
      if (!place) return
      const [row, column] = place
      const targets = {
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        Home: [row, 0],
        End: [row, shown.columns.length - 1],
        PageUp: [0, column],
        PageDown: [shown.rows.length - 1, column],
      }
      const selects = event.key === 'Enter' || event.key === ' '
      if (!selects && !Object.hasOwn(targets, event.key)) return
      event.preventDefault()
      if (selects) return select(row, column)
      const target = cellAt(targets[event.key])
      if (!target || target === cellAt(place)) return
      current = targets[event.key]
      mark()
      target.focus()
    }

    const update = (next) => {
      if (!alive) return
      const previous = shown
      const follow = (place) => {
        if (!place) return null
        const row = next.rows.indexOf(previous.rows[place[0]])
        const column = next.columns.indexOf(previous.columns[place[1]])
        return row < 0 || column < 0 ? null : [row, column]
      }
      selected = follow(selected)
      current = follow(current) ?? [0, 0]
      shown = next
      draw()
    }

    const destroy = () => {
      if (!alive) return
      alive = false
      root.replaceChildren()
    }

    draw()
    return { update, select, destroy }
  }

  return { createScale, render }
})()
