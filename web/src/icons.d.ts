/** An icon by its name, made into a component by the build. */
declare module '~icons/lucide/*' {
  import type { ComponentProps, JSX } from 'solid-js'
  export default function Icon(props: ComponentProps<'svg'> & { size?: number }): JSX.Element
}
