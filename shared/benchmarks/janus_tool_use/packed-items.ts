/** What `items.jsonl` is: written by `npm run pack-tasks`. */
export const packed = {
  sha256: '5df9c182f90cd13729110eedf7bba40833f0351c45322e1fee9f67e33dd2d49e',
  rows: 80,
  groups: { code_execution: 15, function_calling: 25, tool_chaining: 20, tool_selection: 20 },
}
