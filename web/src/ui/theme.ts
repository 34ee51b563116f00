export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The theme a visitor pinned, from a cookie header; the server renders it, so no page flashes. `undefined`: follow the system. */
export function themeOf(cookie: string | null): 'light' | 'dark' | undefined {
  const value = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1]
  return value as 'light' | 'dark' | undefined
}

/** Pins or frees the theme, in this page at once and in a cookie for a year. */
export function pinTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `theme=${theme}; path=/; max-age=${theme === 'system' ? 0 : 31_536_000}; samesite=lax`
}
