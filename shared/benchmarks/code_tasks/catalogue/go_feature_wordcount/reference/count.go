// Package wordcount counts the words of field notes.
package wordcount

import (
	"bufio"
	"io"
	"unicode"
	"unicode/utf8"
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
	c := counter{options: options, counts: Counts{Frequency: map[string]int{}, First: map[string]int{}}}
	reader := bufio.NewReader(r)
	for {
		char, size, err := reader.ReadRune()
		if err != nil {
			c.endWord()
			if c.counts.Bytes > 0 && c.last != '\n' {
				c.counts.Lines++
			}
			if err == io.EOF {
				err = nil
			}
			return c.counts, err
		}
		c.counts.Bytes += size
		c.counts.Runes++
		c.take(char)
		if char == '\n' {
			c.counts.Lines++
		}
		c.last = char
	}
}

// counter holds the word that is being read.
type counter struct {
	options Options
	counts  Counts
	word    []byte
	line    int
	joint   rune // seen after the word; it belongs to it only if the word goes on
	last    rune
}

func (c *counter) take(char rune) {
	starts := unicode.IsLetter(char) || unicode.IsDigit(char)
	switch {
	case starts && len(c.word) == 0:
		c.line = c.counts.Lines + 1
		c.add(char)
	case starts:
		if c.joint != 0 {
			c.add(c.joint)
			c.joint = 0
		}
		c.add(char)
	case len(c.word) == 0:
	case unicode.IsMark(char) && c.joint == 0:
		c.add(char)
	case c.isJoint(char) && c.joint == 0:
		c.joint = char
	default:
		c.endWord()
	}
}

func (c *counter) isJoint(char rune) bool {
	return char == '\'' || char == '’' || char == '-' && !c.options.SplitHyphens
}

func (c *counter) add(char rune) {
	if char == '’' {
		char = '\''
	}
	if !c.options.KeepCase {
		char = unicode.ToLower(char)
	}
	c.word = utf8.AppendRune(c.word, char)
}

func (c *counter) endWord() {
	if len(c.word) == 0 {
		return
	}
	key := string(c.word)
	c.word, c.joint = c.word[:0], 0
	if utf8.RuneCountInString(key) < c.options.MinLength || c.options.Stop[key] {
		return
	}
	c.counts.Words++
	c.counts.Frequency[key]++
	if _, known := c.counts.First[key]; !known {
		c.counts.First[key] = c.line
	}
}

// Merge gives the counts of two texts, one behind the other.
func Merge(a, b Counts) Counts {
	sum := Counts{
		Bytes: a.Bytes + b.Bytes, Runes: a.Runes + b.Runes, Lines: a.Lines + b.Lines, Words: a.Words + b.Words,
		Frequency: map[string]int{}, First: map[string]int{},
	}
	for key, count := range a.Frequency {
		sum.Frequency[key] = count
		sum.First[key] = a.First[key]
	}
	for key, count := range b.Frequency {
		sum.Frequency[key] += count
		if _, known := sum.First[key]; !known {
			sum.First[key] = a.Lines + b.First[key]
		}
	}
	return sum
}
