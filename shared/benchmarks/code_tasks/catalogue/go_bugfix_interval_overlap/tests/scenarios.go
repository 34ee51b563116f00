package main

import (
	"strings"

	"survey.example/span"
)

var scenarios = map[string]func(){"overlaps": overlaps, "sets": sets}

// read makes spans of texts such as "[0,2)".
func read(texts ...string) []span.Span {
	spans := make([]span.Span, len(texts))
	for i, text := range texts {
		ends := strings.Split(text[1:len(text)-1], ",")
		spans[i] = span.Span{Lo: decimal(ends[0]), Hi: decimal(ends[1]), LoOpen: text[0] == '(', HiOpen: text[len(text)-1] == ')'}
	}
	return spans
}

func decimal(text string) float64 {
	sign, value, scale, behind := 1.0, 0.0, 1.0, false
	for _, r := range text {
		switch {
		case r == '-':
			sign = -1
		case r == '.':
			behind = true
		default:
			value = value*10 + float64(r-'0')
			if behind {
				scale *= 10
			}
		}
	}
	return sign * value / scale
}

func written(spans []span.Span) string {
	texts := make([]string, len(spans))
	for i, one := range spans {
		texts[i] = one.String()
	}
	return strings.Join(texts, " ")
}

func bit(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

func overlaps() {
	all := read("[0,2]", "[0,2)", "(0,2]", "(0,2)", "[2,5]", "(2,5]", "[2,5)", "(2,5)", "[2,2]", "(2,2]", "[2,2)", "(2,2)", "[3,1]", "[-4,9]", "(-4,0)", "(-4,0]", "[0,0]", "[1,4)", "(1,4)", "[6.5,8]")
	for _, one := range all {
		overlap, join, common := "", "", make([]span.Span, len(all))
		for i, other := range all {
			overlap += bit(one.Overlaps(other))
			join += bit(one.Joins(other))
			common[i] = one.Intersect(other)
		}
		inside := ""
		for _, x := range []float64{-4, -3.5, 0, 0.25, 1, 2, 2.5, 3, 4, 5, 6.5, 9, 9.5} {
			inside += bit(one.Contains(x))
		}
		observe(one.String(), []string{bit(one.Empty()), inside, overlap, join, written(common)})
	}
}

func sets() {
	cases := [][]span.Span{
		read(),
		read("(2,2]", "[3,1]", "(0,0)"),
		read("[0,2)", "[2,5]"),
		read("[0,2)", "(2,5]"),
		read("[0,2]", "(2,5]"),
		read("(2,5]", "[2,2]", "[0,2)"),
		read("(2,5]", "[0,2)", "(2,2]"),
		read("[0,5)", "[1,5]"),
		read("[1,5]", "[0,5)"),
		read("(0,5)", "[0,3]"),
		read("[0,3]", "(0,5)"),
		read("(0,3)", "[0,0]", "[3,3]"),
		read("[0,0]", "[0,0]"),
		read("[7,9]", "(4,5)", "[5,5]", "(-1,4]", "[5.5,6]", "(6,7)"),
		read("[0,10]", "(2,3)", "[9,10)", "(10,11)"),
		read("(0,1)", "(1,2)", "(2,3)", "(0,2]"),
		read("(0,1]", "[0,1)", "(0,1)"),
		read("[-8.5,-2)", "(-2,-1]", "[-3,-2]", "[4,4)", "[4,4]"),
	}
	names := "abcdefghijklmnopqrstuvwxyz"
	for i, spans := range cases {
		before := written(spans)
		union := span.Union(spans)
		observe("union_"+names[i:i+1], []any{written(union), len(union), written(span.Union(union)), span.Measure(spans), before == written(spans)})
	}
}
