import Download from 'lucide-solid/icons/download'
import { For } from 'solid-js'
import { exportPath } from '../paths.ts'
import { Menu } from '../ui/menu.tsx'

const formats = [
  { format: 'zip', name: 'Signed ZIP', text: 'results, items, signature: anyone can check it' },
  { format: 'json', name: 'JSON', text: 'the whole result' },
  { format: 'jsonl', name: 'JSONL', text: 'one item a line' },
  { format: 'csv', name: 'CSV', text: 'one row an item, for a spreadsheet' },
] as const

export function ExportMenu(props: { id: string }) {
  return (
    <Menu
      label={
        <>
          <Download size={15} aria-hidden="true" />
          Export
        </>
      }
    >
      <For each={formats}>
        {(one) => (
          <a
            href={exportPath(props.id, one.format)}
            rel="external"
            download=""
            class="block rounded-[4px] px-3 py-2 hover:bg-raised focus-visible:bg-raised"
          >
            <span class="font-medium">{one.name}</span>
            <span class="block text-s text-muted">{one.text}</span>
          </a>
        )}
      </For>
    </Menu>
  )
}
