import { Title } from '@solidjs/meta'
import type { JSX } from 'solid-js'

/** One page: its title in the tab, a header that stays in view, and its content. */
export function Page(props: { title: string; tab?: string; lead?: JSX.Element; actions?: JSX.Element; children: JSX.Element }) {
  return (
    <>
      <Title>{`${props.tab ?? props.title} · Bench Runner`}</Title>
      <header class="sticky top-0 z-30 flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-bg px-4 py-2 sm:px-6">
        <h1 class="text-l font-semibold">{props.title}</h1>
        <div class="min-w-0 text-muted empty:hidden">{props.lead}</div>
        <div class="ml-auto flex items-center gap-2 empty:hidden">{props.actions}</div>
      </header>
      <div class="px-4 py-5 sm:px-6">{props.children}</div>
    </>
  )
}
