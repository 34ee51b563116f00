package span

import "sort"

// Union gives the same numbers as spans that do not join each other, in order.
func Union(spans []Span) []Span {
	sorted := make([]Span, 0, len(spans))
	for _, one := range spans {
		if !one.Empty() {
			sorted = append(sorted, one)
		}
	}
	sort.Slice(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		return a.Lo < b.Lo || a.Lo == b.Lo && !a.LoOpen && b.LoOpen
	})
	var union []Span
	for _, next := range sorted {
		if len(union) == 0 || !union[len(union)-1].Joins(next) {
			union = append(union, next)
			continue
		}
		last := &union[len(union)-1]
		if next.Hi > last.Hi || next.Hi == last.Hi && last.HiOpen {
			last.Hi, last.HiOpen = next.Hi, next.HiOpen
		}
	}
	return union
}

// Measure is the length of the union.
func Measure(spans []Span) float64 {
	length := 0.0
	for _, one := range Union(spans) {
		length += one.Hi - one.Lo
	}
	return length
}
