import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import { priceText } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { ModelPicker } from './model-picker.tsx'
import { Step } from './step.tsx'

/** First step: which model. */
export function ModelStep(props: {
  chosen: Model | undefined
  named: string | undefined
  /** What is reckoned with: the provider's price or one's own. */
  price: Parameters<typeof priceText>[0]
  choose: (model: Model) => void
}) {
  // Until somebody opens or closes it, the list is open while no model is chosen.
  const [wanted, setOpen] = createSignal<boolean>()
  const open = () => wanted() ?? !props.named
  const choose = (model: Model) => {
    props.choose(model)
    setOpen(false)
  }
  // Once the list that had the focus is folded away, the button that opens it again takes the focus over: then, and at no other change of the page.
  const folded = createMemo(() => !open() && !!props.named)
  createEffect(
    on(
      folded,
      (now) => {
        if (now && document.activeElement === document.body)
          queueMicrotask(() => document.querySelector<HTMLElement>('[aria-controls="step-1-body"]')?.focus({ preventScroll: true }))
      },
      { defer: true },
    ),
  )
  return (
    <Step
      number={1}
      title="Model"
      done={!!props.named}
      open={open()}
      toggle={props.named ? () => setOpen(!open()) : undefined!}
      summary={
        <Show when={props.named}>
          <span class="text-ink">{props.named}</span>
          <Show when={props.chosen}>
            {(model) => (
              <span class="ml-2 text-s">
                {model().provider} · {priceText(props.price)}
              </span>
            )}
          </Show>
        </Show>
      }
    >
      <ModelPicker chosen={props.chosen} choose={choose} />
    </Step>
  )
}
