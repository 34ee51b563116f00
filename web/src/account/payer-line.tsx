import { createAsync, useSearchParams } from '@solidjs/router'
import { createSignal, For, onMount, Switch } from 'solid-js'
import { type Budget, BudgetList } from '#shared/contract/budget.ts'
import type { PayingKey } from '#shared/contract/provider-keys.ts'
import { Quota } from '#shared/contract/sign-in.ts'
import { ask } from '../api.ts'
import { count } from '../ui/format.ts'
import { Match, Show } from '../ui/show.tsx'
import { BudgetBar } from './budget-bar.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { getSignIn } from './sign-in-query.ts'

/** Names the payer of the next run: the saved key that its plan names, else as the sign-in says. Renders nothing if sign-in is off and no key pays. */
export function PayerLine(props: { ownKey: PayingKey | undefined }) {
  const answer = createAsync(() => getSignIn())
  const [search] = useSearchParams()
  const counts = ({ kind, id }: Budget) => kind !== 'key' && (kind !== 'team' || id === search.team)
  const status = () => {
    const got = answer.latest
    return got?.ok && got.value.idp_configured ? got.value : undefined
  }
  // Load the quota after the page: the page does not wait for Chutes.
  const [quota, setQuota] = createSignal<Quota>()
  onMount(async () => {
    if (status()?.pays !== 'owner') return
    const told = await ask(Quota, '/api/auth/quota')
    if (told.ok) setQuota(told.value)
  })
  const [budgets, setBudgets] = createSignal<Budget[]>([])
  onMount(async () => {
    if (!status()?.pays) return
    const told = await ask(BudgetList, '/api/budgets')
    if (told.ok) setBudgets(told.value.budgets)
  })
  const left = () => {
    const { left = null, total = null } = quota() ?? {}
    return left === null || total === null ? '' : ` ${count(Math.floor(left))} of ${count(total)} requests are left today.`
  }
  return (
    <Show when={!props.ownKey} fallback={<KeyPays paying={props.ownKey!} budgets={budgets().filter(counts)} />}>
      <Show when={status()}>
        {(now) => (
          <div class="grid gap-1 text-s text-muted">
            <p>
              <Switch>
                <Match when={now().pays === 'owner'}>
                  Paid by your Chutes account{now().user ? ` (${now().user!.username})` : ''}.{left()}
                </Match>
                <Match when={now().pays === 'operator'}>Paid by the operator of this service.</Match>
                <Match when={now().authenticated}>
                  Your sign-in does not let this service call models. <SignInLink class="link">Sign in again</SignInLink> and allow{' '}
                  <code>chutes:invoke</code>.
                </Match>
                <Match when={true}>
                  <SignInLink class="link">Sign in with Chutes</SignInLink> to start a run that your account pays.
                </Match>
              </Switch>
            </p>
            <For each={budgets().filter(counts)}>{(budget) => <BudgetBar budget={budget} />}</For>
          </div>
        )}
      </Show>
    </Show>
  )
}

function KeyPays(props: { paying: PayingKey; budgets: Budget[] }) {
  return (
    <div class="grid gap-1 text-s text-muted">
      <p>
        Paid with your {props.paying.label} key <code class="whitespace-nowrap">····{props.paying.last4}</code>.
        <Show when={props.paying.verdict === 'refused'}>
          <span class="text-papaya"> {props.paying.label} refused it when it was saved.</span>
        </Show>
      </p>
      <For each={props.budgets}>{(budget) => <BudgetBar budget={budget} />}</For>
    </div>
  )
}
