// Package span keeps stretches of a survey line.
package span

import "strconv"

// Span is the numbers from Lo to Hi. An open end does not belong to it.
type Span struct {
	Lo, Hi         float64
	LoOpen, HiOpen bool
}

// none holds no number.
var none = Span{LoOpen: true, HiOpen: true}

// Empty reports whether no number belongs to s.
func (s Span) Empty() bool {
	return s.Lo > s.Hi || s.Lo == s.Hi && s.LoOpen && s.HiOpen
}

// Contains reports whether x belongs to s.
func (s Span) Contains(x float64) bool {
	return s.Lo <= x && x <= s.Hi
}

// Overlaps reports whether some number belongs to both.
func (s Span) Overlaps(other Span) bool {
	return s.Lo <= other.Hi && other.Lo <= s.Hi
}

// Intersect gives the numbers that belong to both.
func (s Span) Intersect(other Span) Span {
	if !s.Overlaps(other) {
		return none
	}
	result := s
	if other.Lo > result.Lo {
		result.Lo, result.LoOpen = other.Lo, other.LoOpen
	}
	if other.Hi < result.Hi {
		result.Hi, result.HiOpen = other.Hi, other.HiOpen
	}
	return result
}

// Joins reports whether both together make one span without a hole.
func (s Span) Joins(other Span) bool {
	return s.Overlaps(other)
}

// String writes s with square brackets for ends that belong to it and round ones for ends that do not.
func (s Span) String() string {
	open, end := "[", "]"
	if s.LoOpen {
		open = "("
	}
	if s.HiOpen {
		end = ")"
	}
	return open + number(s.Lo) + "," + number(s.Hi) + end
}

func number(x float64) string {
	return strconv.FormatFloat(x, 'g', -1, 64)
}
