import { createSignal, onMount } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import Monitor from '~icons/lucide/monitor'
import Moon from '~icons/lucide/moon'
import Sun from '~icons/lucide/sun'
import { pinTheme, type Theme, themeOf, themes } from './theme.ts'

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Steps through system, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = createSignal<Theme>('system')
  onMount(() => setTheme(themeOf(document.cookie) ?? 'system'))
  const step = () => {
    const next = themes[(themes.indexOf(theme()) + 1) % themes.length]!
    pinTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="flex items-center justify-center gap-2.5 rounded-box px-2 py-2 text-s text-muted hover:bg-raised hover:text-ink lg:justify-start"
      onClick={step}
      title={`Theme: ${theme()}`}
    >
      <Dynamic component={icons[theme()]} size={18} stroke-width={1.75} aria-hidden="true" />
      <span class="sm:max-lg:sr-only">
        Theme<span class="lg:text-faint">: {theme()}</span>
      </span>
    </button>
  )
}
