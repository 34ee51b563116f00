/** The one part of Node's API that the pages' server entry uses; workerd offers it under `nodejs_compat`. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R
    getStore(): T | undefined
  }
}
