import { createSignal } from 'solid-js'
export default function Start() {
  const [n, setN] = createSignal(0)
  return <button type="button" class="p-4 bg-red-200" onClick={() => setN(n() + 1)}>Hello {n()}</button>
}
