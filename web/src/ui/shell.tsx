import { A, createAsync, useBeforeLeave, useIsRouting, useLocation } from '@solidjs/router'
import { createSignal, For, type JSX, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import BookOpen from '~icons/lucide/book-open'
import Ellipsis from '~icons/lucide/ellipsis'
import Keyboard from '~icons/lucide/keyboard'
import Layers from '~icons/lucide/layers'
import List from '~icons/lucide/list'
import Play from '~icons/lucide/play'
import Server from '~icons/lucide/server'
import ShieldCheck from '~icons/lucide/shield-check'
import SquareTerminal from '~icons/lucide/square-terminal'
import Trophy from '~icons/lucide/trophy'
import { AccountPlace } from '../account/account-place.tsx'
import { getStatus } from '../queries.ts'
import { HelpDialog } from './help.tsx'
import { Menu } from './menu.tsx'
import { Show } from './show.tsx'
import { PageSkeleton } from './skeleton.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const places = [
  { href: '/', label: 'Run', icon: Play, end: true, more: false },
  { href: '/runs', label: 'Runs', icon: List, end: false, more: false },
  { href: '/leaderboard', label: 'Leaderboard', short: 'Boards', icon: Trophy, end: false, more: false },
  { href: '/benchmarks', label: 'Benchmarks', short: 'Bench', icon: Layers, end: false, more: false },
  { href: '/tasks', label: 'Tasks', icon: SquareTerminal, end: false, more: false },
  { href: '/agents', label: 'Fleet', icon: Server, end: false, more: true },
  { href: '/verify', label: 'Verify', icon: ShieldCheck, end: false, more: true },
  { href: '/docs', label: 'Docs', icon: BookOpen, end: false, more: true },
]
/** Places that a phone's bar has no room for. */
const others = places.filter(({ more }) => more)

/** The frame of every page: skip link, rail (a bottom bar on phones), banners, help. */
export function Shell(props: { children: JSX.Element }) {
  let openHelp = () => {}
  return (
    <div class="min-h-dvh sm:grid sm:grid-cols-[3.5rem_minmax(0,1fr)] lg:grid-cols-[12rem_minmax(0,1fr)]">
      <a
        href="#main"
        class="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <nav
        aria-label="Main"
        class="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:sticky sm:top-0 sm:h-dvh sm:flex-col sm:border-t-0 sm:border-r sm:p-2 lg:p-3"
      >
        <A
          href="/"
          class="hidden items-center gap-2 rounded-box px-2 pt-1 pb-4 font-semibold sm:flex"
          aria-label="Chutes Bench Runner, start"
        >
          <img src="/favicon.svg" alt="" width="24" height="24" class="size-6 shrink-0" />
          <span class="hidden text-m lg:inline">Bench Runner</span>
        </A>
        <For each={places}>
          {(place) => (
            <A
              href={place.href}
              end={place.end}
              title={place.label}
              class={`flex min-w-0 flex-1 flex-col items-center gap-0.5 rounded-box py-2 text-s font-medium sm:mb-0.5 sm:flex-none sm:px-2 lg:flex-row lg:gap-2.5 ${place.more ? 'max-sm:hidden' : ''}`}
              activeClass="text-ink sm:bg-raised"
              inactiveClass="text-muted hover:text-ink sm:hover:bg-raised"
            >
              <Dynamic component={place.icon} size={18} stroke-width={1.75} class="shrink-0" aria-hidden="true" />
              <span class="max-w-full truncate max-sm:text-[0.6875rem] max-sm:leading-4 sm:max-lg:sr-only">
                <Show when={place.short} fallback={place.label}>
                  <span class="sm:hidden">{place.short}</span>
                  <span class="max-sm:hidden">{place.label}</span>
                </Show>
              </span>
            </A>
          )}
        </For>
        <MorePlaces />
        <div class="hidden sm:mt-auto sm:flex sm:flex-col sm:items-center sm:gap-2 lg:items-stretch">
          <Suspense>
            <AccountPlace
              class="flex items-center justify-center gap-2.5 rounded-box px-2 py-2 text-s text-muted hover:bg-raised hover:text-ink lg:justify-start"
              named="min-w-0 truncate sm:max-lg:sr-only"
            />
          </Suspense>
          <button
            type="button"
            class="flex items-center justify-center gap-2.5 rounded-box px-2 py-2 text-s text-muted hover:bg-raised hover:text-ink lg:justify-start"
            onClick={() => openHelp()}
            title="Keys"
          >
            <Keyboard size={18} stroke-width={1.75} aria-hidden="true" />
            <span class="sm:max-lg:sr-only">Keys</span>
          </button>
          <ThemeSwitch />
        </div>
      </nav>
      <div class="flex min-w-0 flex-col pb-[calc(3.5rem+env(safe-area-inset-bottom))] sm:pb-0">
        <aside aria-label="Notices">
          <Suspense>
            <Banners />
          </Suspense>
        </aside>
        <main id="main" tabindex="-1" class="relative flex-1 outline-none">
          <Coming />
          {props.children}
        </main>
      </div>
      <HelpDialog
        opener={(open) => {
          openHelp = open
        }}
      />
    </div>
  )
}

/** On a phone, the places that its bar has no room for. */
function MorePlaces() {
  return (
    <Menu
      bar
      label={
        <>
          <Ellipsis size={18} stroke-width={1.75} class="shrink-0" aria-hidden="true" />
          <span class="text-[0.6875rem] leading-4">More</span>
        </>
      }
    >
      <For each={others}>
        {(place) => (
          <A
            href={place.href}
            class="flex items-center gap-2.5 rounded-box px-3 py-2.5 font-medium"
            activeClass="bg-raised text-ink"
            inactiveClass="text-muted"
          >
            <Dynamic component={place.icon} size={18} stroke-width={1.75} aria-hidden="true" />
            {place.label}
          </A>
        )}
      </For>
      <Suspense>
        <AccountPlace class="flex items-center gap-2.5 rounded-box px-3 py-2.5 font-medium text-muted" named="min-w-0 truncate" />
      </Suspense>
    </Menu>
  )
}

/** What a click leads to, in outline, until it is there: at once for a keyboard or a screen reader, to be seen when it takes its time. */
function Coming() {
  const routing = useIsRouting()
  const location = useLocation()
  const [target, setTarget] = createSignal('')
  useBeforeLeave((leaving) => setTarget(typeof leaving.to === 'string' ? new URL(leaving.to, 'http://here').pathname : ''))
  return (
    <Show when={routing()}>
      <div class="waits fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden bg-moss-soft" role="status">
        <div class="h-full w-1/3 animate-[slide_1s_linear_infinite] bg-moss-fill" />
        <span class="sr-only">Loading</span>
      </div>
      <Show when={target() !== '' && target() !== location.pathname}>
        <div class="waits absolute inset-0 z-30 bg-bg">
          <PageSkeleton />
        </div>
      </Show>
    </Show>
  )
}

function Banners() {
  const answer = createAsync(() => getStatus())
  const status = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  return (
    <>
      <Show when={status()?.maintenance_mode}>
        <p role="status" class="border-b border-papaya-fill bg-papaya-soft px-4 py-2 text-papaya sm:px-6">
          <strong>New runs are paused.</strong> {status()?.message || 'Maintenance is going on; running runs continue.'}
        </p>
      </Show>
      <Show when={status()?.demo}>
        <p class="border-b border-line bg-raised px-4 py-2 text-s text-muted sm:px-6">
          <strong class="text-ink">Demo mode:</strong> the only model is a built-in one that invents its answers.
          <span class="max-sm:hidden">
            {' '}
            Set <code>CHUTES_API_KEY</code> or <code>OPENAI_BASE_URL</code> and start again to measure a real one.
          </span>
        </p>
      </Show>
    </>
  )
}
