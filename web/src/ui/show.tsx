import { type Accessor, createMemo, type JSX, Match as SolidMatch, Show as SolidShow, untrack } from 'solid-js'

type Render<T> = (value: Accessor<NonNullable<T>>) => JSX.Element
type Children<T> = JSX.Element | Render<T>
type Conditional<T> = { when: T | undefined | null | false; keyed?: false; children: Children<T> }
type Keyed<T> = {
  when: T | undefined | null | false
  keyed: true
  children: JSX.Element | ((value: NonNullable<T>) => JSX.Element)
}
type AnyConditional<T> = Conditional<T> | Keyed<T>

/**
 * Works like Solid's `Show`, for values that may become undefined during a transition. Solid reads such a
 * value again before it removes the child, and Solid's `Show` throws "Stale read" at this read. This child
 * gets the last value. With `keyed` or without a function child both are equal.
 */
export function Show<T>(props: AnyConditional<T> & { fallback?: JSX.Element }): JSX.Element {
  const show = SolidShow as (props: object) => JSX.Element
  return show(lasting(props))
}

/** Works like Solid's `Match`; its function child gets the last value, as in `Show`. */
export function Match<T>(props: AnyConditional<T>): JSX.Element {
  return (SolidMatch as (props: object) => JSX.Element)(lasting(props))
}

/** Wraps the function child of the properties, so that it gets the last value. */
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
        return untrack(() => (children as Render<T>)(last as Accessor<NonNullable<T>>))
      }
    },
  }
}
