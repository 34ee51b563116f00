import { type Accessor, createMemo, type JSX, Match as SolidMatch, Show as SolidShow, untrack } from 'solid-js'

type Children<T> = JSX.Element | ((value: Accessor<NonNullable<T>>) => JSX.Element)
type Conditional<T> = { when: T | undefined | null | false; keyed?: false; children: Children<T> }
type Keyed<T> = { when: T | undefined | null | false; keyed: true; children: JSX.Element | ((value: NonNullable<T>) => JSX.Element) }
type AnyConditional<T> = Conditional<T> | Keyed<T>

/**
 * Solid's `Show`, for values that may go while the page loads something. Solid reads such a value once
 * more before it removes the child, and its own `Show` throws "Stale read" there, which can stop the
 * page. Here the child reads the last value. With `keyed`, and without a function child, both are the same.
 */
export function Show<T>(props: AnyConditional<T> & { fallback?: JSX.Element }): JSX.Element {
  const show = SolidShow as (props: object) => JSX.Element
  return show(lasting(props))
}

/** Solid's `Match` in the way of `Show` above. */
export function Match<T>(props: AnyConditional<T>): JSX.Element {
  return (SolidMatch as (props: object) => JSX.Element)(lasting(props))
}

/** The same properties, whose function child gets the last value where the present one is gone. */
function lasting<T>(props: AnyConditional<T> & { fallback?: JSX.Element }): object {
  return {
    get when() {
      return props.when
    },
    get keyed() {
      return props.keyed
    },
    get fallback() {
      return props.fallback
    },
    get children() {
      const { keyed, children } = props
      if (keyed || typeof children !== 'function' || children.length === 0) return children
      return (_value: unknown) => {
        const last = createMemo<T | undefined | null | false>((before) => props.when || before)
        return untrack(() => (children as (value: Accessor<NonNullable<T>>) => JSX.Element)(last as Accessor<NonNullable<T>>))
      }
    },
  }
}
