/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '94b75deb99e77ec768bbead0b10792dd22926cc19e9ed768f4ea47b42fe414fa',
  rows: 80,
  groups: { code_execution: 15, function_calling: 25, tool_chaining: 20, tool_selection: 20 },
}
