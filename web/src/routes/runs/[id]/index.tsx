/** The run itself is drawn by the layout; no item is open here. */
export default function NoItem() {
  return null
}
