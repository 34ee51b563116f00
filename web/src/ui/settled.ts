import { type Accessor, createResource } from 'solid-js'
import { isServer } from 'solid-js/web'

/**
 * What was last loaded for a source. A page from the server waits for it; in the browser nothing waits: it is undefined at first, and what was
 * there stays until the new is. `load` must not throw.
 */
export function createSettled<S extends string, T>(source: () => S, load: (source: S) => Promise<T>): Accessor<T | undefined> {
  const [resource] = createResource(source, load)
  return () => {
    if (isServer) return resource()
    return resource.state === 'ready' || resource.state === 'refreshing' ? resource.latest : undefined
  }
}
