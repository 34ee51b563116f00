window.Heatmap = {
  createScale() {
    throw new Error('not written yet')
  },
  render(root) {
    root.textContent = 'not written yet'
  },
}
