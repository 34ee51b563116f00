// Package wordcount counts the words of field notes.
package wordcount

import (
	"errors"
	"io"
)

// Options says which words count, and under which key.
type Options struct {
	KeepCase     bool
	SplitHyphens bool
	MinLength    int
	Stop         map[string]bool
}

// Counts is what a text consists of.
type Counts struct {
	Bytes, Runes, Lines, Words int
	Frequency                  map[string]int
	First                      map[string]int
}

// Count reads a text to its end.
func Count(r io.Reader, options Options) (Counts, error) {
	return Counts{}, errors.New("wordcount: Count is not written yet")
}

// Merge gives the counts of two texts, one behind the other.
func Merge(a, b Counts) Counts {
	return Counts{}
}
