package main

import (
	"errors"
	"io"
	"sort"
	"strconv"
	"strings"
	"testing/iotest"

	"notes.example/wordcount"
)

var scenarios = map[string]func(){"counting": counting, "reports": reports}

func shown(c wordcount.Counts) []any {
	keys := []string{}
	for key, count := range c.Frequency {
		keys = append(keys, key+" "+strconv.Itoa(count)+" @"+strconv.Itoa(c.First[key]))
	}
	sort.Strings(keys)
	return []any{c.Bytes, c.Runes, c.Lines, c.Words, len(c.Frequency), len(c.First), keys}
}

func count(text string, options wordcount.Options) wordcount.Counts {
	counts, err := wordcount.Count(strings.NewReader(text), options)
	if err != nil {
		panic(err)
	}
	return counts
}

var texts = map[string]string{
	"empty":       "",
	"newline":     "\n",
	"one":         "heron",
	"plain":       "A heron, a HERON and\nthe Heron's nest.\r\n\nNo heron",
	"apostrophes": "don't Don’t 'n' rock 'n' roll' o''clock l'été ’tis the birds' 'a'b' a'’b",
	"hyphens":     "up-to-date x-1 -a- a--b rock- -roll well-\nknown a-'b 3-4-5 - -- a-b-",
	"marks":       "e\u0301te\u0301 E\u0301TE\u0301 a\u0301-b \u0301a a-\u0301b naïve n\u0303'o -\u0301x",
	"digits":      "3rd 12,5 1.5 ٣ ²x _a_b a_b x² Ⅷ",
	"scripts":     "Ночь ночь НОЧЬ 夜と夜 İstanbul ǅ ǆ Straße STRASSE Σς",
	"broken":      "a\xffb \xf0\x9f\x8c caf\xc3 caf\xc3\xa9 \xed\xa0\x80z a\xff-b",
	"signs":       "🌻 sun🌻flower (sun) \"flower\" sun/flower\tsun\u00a0flower\u2003x\u200by\x00z",
	"lines":       "one\n\n two\nthree one\n\n\nfour two\n",
}

func counting() {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		text := texts[name]
		observe(name, [][]any{
			shown(count(text, wordcount.Options{})),
			shown(count(text, wordcount.Options{KeepCase: true, SplitHyphens: true})),
			shown(count(text, wordcount.Options{MinLength: 4, Stop: map[string]bool{"heron's": true, "flower": true, "Ночь": true, "one": true}})),
		})
		slow, err := wordcount.Count(iotest.OneByteReader(strings.NewReader(text)), wordcount.Options{KeepCase: true})
		late, err2 := wordcount.Count(iotest.DataErrReader(strings.NewReader(text)), wordcount.Options{KeepCase: true})
		observe(name+"_slowly", []any{shown(slow), err == nil, shown(late), err2 == nil})
	}
	long := strings.Repeat("Reed-", 400000) + "bed " + strings.Repeat("x", 3000000) + "\n" + strings.Repeat("\u00e9", 70000)
	counts := count(long, wordcount.Options{})
	lengths := []int{}
	for key := range counts.Frequency {
		lengths = append(lengths, len(key)*10+counts.First[key])
	}
	sort.Ints(lengths)
	observe("long", []any{counts.Bytes, counts.Runes, counts.Lines, counts.Words, lengths})
	torn := errors.New("page torn")
	partial, err := wordcount.Count(io.MultiReader(strings.NewReader("mud and\nsilt an"), iotest.ErrReader(torn)), wordcount.Options{})
	none, err2 := wordcount.Count(iotest.ErrReader(torn), wordcount.Options{})
	observe("torn", []any{shown(partial), err == torn, shown(none), err2 == torn, none.Frequency != nil && none.First != nil, wordcount.Counts{}.Frequency == nil})
}

func reports() {
	first := count("tide mud tide\nreed\n", wordcount.Options{})
	second := count("Reed tide\n\nsalt mud mud", wordcount.Options{})
	empty := count("", wordcount.Options{})
	merged := wordcount.Merge(first, second)
	observe("merged", [][]any{shown(merged), shown(wordcount.Merge(second, empty)), shown(wordcount.Merge(empty, second)), shown(wordcount.Merge(wordcount.Counts{}, wordcount.Counts{})), shown(first), shown(second), shown(wordcount.Merge(merged, merged))})
	both := count("tide mud tide\nreed\nReed tide\n\nsalt mud mud", wordcount.Options{})
	observe("merged_as_one", []any{shown(both), wordcount.Report(both, -1) == wordcount.Report(merged, -1), wordcount.Report(merged, -1)})
	for _, limit := range []int{-1, 0, 1, 2, 3, 4, 5} {
		observe("limit_"+strconv.Itoa(limit), []string{wordcount.Report(merged, limit), wordcount.Report(empty, limit), wordcount.Report(wordcount.Counts{}, limit)})
	}
	parts := func(counts ...int) string {
		text := ""
		for i, n := range counts {
			text += strings.Repeat("w"+strconv.Itoa(i)+" ", n) + "\n"
		}
		return wordcount.Report(count(text, wordcount.Options{}), 6)
	}
	observe("shares", []string{parts(1), parts(1, 2), parts(1, 7), parts(1, 15), parts(3, 13), parts(1, 1, 1), parts(1, 1999), parts(1, 2000), parts(120, 7, 3), parts(1, 1, 1, 1, 1, 1, 1), parts(9, 10, 100, 1000, 3, 3, 3)})
	observe("order", []string{wordcount.Report(count("b a\nd c b d\ne e f f", wordcount.Options{}), -1), wordcount.Report(count("é z Z É a", wordcount.Options{KeepCase: true}), -1)})
}
