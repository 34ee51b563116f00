package span

import "sort"

// Union gives the same numbers as spans that do not join each other, in order.
func Union(spans []Span) []Span {
	sort.Slice(spans, func(i, j int) bool { return spans[i].Lo < spans[j].Lo })
	var union []Span
	for _, next := range spans {
		if next.Empty() {
			continue
		}
		if len(union) > 0 && union[len(union)-1].Joins(next) {
			last := &union[len(union)-1]
			if next.Hi > last.Hi {
				last.Hi, last.HiOpen = next.Hi, next.HiOpen
			}
			continue
		}
		union = append(union, next)
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
