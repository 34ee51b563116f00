/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: 'dcf45c49981ae106c45fb01415455ed6f2fd1077010321e1f983ec5d303c0539',
  rows: 80,
  groups: { code_execution: 15, function_calling: 25, tool_chaining: 20, tool_selection: 20 },
}
