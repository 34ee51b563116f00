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
	return s.Lo > s.Hi || s.Lo == s.Hi && (s.LoOpen || s.HiOpen)
}

// Contains reports whether x belongs to s.
func (s Span) Contains(x float64) bool {
	above := s.Lo < x || s.Lo == x && !s.LoOpen
	below := x < s.Hi || x == s.Hi && !s.HiOpen
	return above && below
}

// Overlaps reports whether some number belongs to both.
func (s Span) Overlaps(other Span) bool {
	return !s.Intersect(other).Empty()
}

// Intersect gives the numbers that belong to both.
func (s Span) Intersect(other Span) Span {
	result := s
	if other.Lo > s.Lo || other.Lo == s.Lo && other.LoOpen {
		result.Lo, result.LoOpen = other.Lo, other.LoOpen
	}
	if other.Hi < s.Hi || other.Hi == s.Hi && other.HiOpen {
		result.Hi, result.HiOpen = other.Hi, other.HiOpen
	}
	if result.Empty() {
		return none
	}
	return result
}

// Joins reports whether both together make one span without a hole.
func (s Span) Joins(other Span) bool {
	if s.Empty() || other.Empty() {
		return false
	}
	return s.Overlaps(other) || s.Hi == other.Lo && s.HiOpen != other.LoOpen || other.Hi == s.Lo && other.HiOpen != s.LoOpen
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
