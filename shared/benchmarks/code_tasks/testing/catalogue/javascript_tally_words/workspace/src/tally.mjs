export function tally(text) {
  return []
}