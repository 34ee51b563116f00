import { createUniqueId, For, type JSX, Switch } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import { Match } from '../ui/show.tsx'
import type { Selection } from './selection.ts'

export type OptionProps = {
  selection: Selection
  model: Model | undefined
  profiles: string[]
  change: (change: Partial<Selection>) => void
}

type KeysOf<T> = { [K in keyof Selection]-?: [Selection[K]] extends [T | undefined] ? K : never }[keyof Selection]
type Named = { label: string; hint: string }
/** A text for where nothing is given; it may depend on what else is chosen. */
type Empty = { empty: string | ((props: OptionProps) => string) }
/** A field of the start page by what it changes. Specs are constants: a field stays the same element, and keeps the focus, while values change. */
export type OptionField =
  | (Named & Empty & { kind: 'amount'; key: KeysOf<number>; min: number; max?: number; whole?: true; fallback?: number })
  | (Named & Empty & { kind: 'text'; key: Exclude<KeysOf<string>, 'visibility' | 'data' | 'fallbacks'>; most: number })
  | (Named & {
      kind: 'choice'
      options: (props: OptionProps) => readonly (readonly [value: string, text: string])[]
      value: (props: OptionProps) => string
      change: (value: string) => Partial<Selection>
    })
type Of<Kind extends OptionField['kind']> = OptionProps & { field: OptionField & { kind: Kind }; id: string }

/** A field with its label and what it means. */
export function OptionFieldView(props: OptionProps & { field: OptionField }) {
  const id = createUniqueId()
  const as = <Kind extends OptionField['kind']>(kind: Kind) => props.field.kind === kind && (props.field as OptionField & { kind: Kind }) // by its kind
  return (
    <div>
      <label for={id} class="mb-1 block text-s font-medium">
        {props.field.label}
      </label>
      <Switch>
        <Match when={as('amount')}>{(field) => <Amount {...props} field={field()} id={id} />}</Match>
        <Match when={as('text')}>{(field) => <Text {...props} field={field()} id={id} />}</Match>
        <Match when={as('choice')}>{(field) => <Choice {...props} field={field()} id={id} />}</Match>
      </Switch>
      <span class="mt-1 block text-s text-faint">{props.field.hint}</span>
    </div>
  )
}

const emptyText = (field: Empty, props: OptionProps): string => (typeof field.empty === 'string' ? field.empty : field.empty(props))

/** A number, or nothing. */
function Amount(props: Of<'amount'>): JSX.Element {
  return (
    <input
      id={props.id}
      type="number"
      min={props.field.min}
      max={props.field.max}
      step={props.field.whole ? 1 : 'any'}
      class="field w-full"
      placeholder={emptyText(props.field, props)}
      value={props.selection[props.field.key] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        props.change({ [props.field.key]: value.trim() === '' ? props.field.fallback : Number(value) })
      }
    />
  )
}

function Text(props: Of<'text'>): JSX.Element {
  return (
    <input
      id={props.id}
      type="text"
      maxlength={props.field.most}
      class="field w-full"
      placeholder={emptyText(props.field, props)}
      value={props.selection[props.field.key] ?? ''}
      onChange={({ currentTarget }) => props.change({ [props.field.key]: currentTarget.value.trim() || undefined })}
    />
  )
}

function Choice(props: Of<'choice'>): JSX.Element {
  return (
    <select id={props.id} class="field w-full" onChange={({ currentTarget }) => props.change(props.field.change(currentTarget.value))}>
      <For each={props.field.options(props)}>
        {([value, text]) => (
          <option value={value} selected={value === props.field.value(props)}>
            {text}
          </option>
        )}
      </For>
    </select>
  )
}
