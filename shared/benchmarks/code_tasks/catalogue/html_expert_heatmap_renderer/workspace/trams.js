window.Heatmap.render(
  document.getElementById('map'),
  {
    rows: ['Line 1', 'Line 4', 'Night'],
    columns: ['6', '9', '12', '15'],
    values: [[31, 88, 40, 52], [12, 64, null, 49], [7]],
  },
  { title: 'Passengers for 100 seats', unit: '%' },
)
