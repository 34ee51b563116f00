package wordcount

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Report lists the most frequent words.
func Report(c Counts, limit int) string {
	if len(c.Frequency) == 0 {
		return "no words\n"
	}
	keys := make([]string, 0, len(c.Frequency))
	for key := range c.Frequency {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		if c.Frequency[a] != c.Frequency[b] {
			return c.Frequency[a] > c.Frequency[b]
		}
		if c.First[a] != c.First[b] {
			return c.First[a] < c.First[b]
		}
		return a < b
	})
	shown := keys
	if limit >= 0 && limit < len(keys) {
		shown = keys[:limit]
	}
	var report strings.Builder
	for _, key := range shown {
		width := len(strconv.Itoa(c.Frequency[shown[0]]))
		tenths := (2000*c.Frequency[key] + c.Words) / (2 * c.Words)
		share := fmt.Sprintf("%d.%d", tenths/10, tenths%10)
		fmt.Fprintf(&report, "%*d %5s%% %s\n", width, c.Frequency[key], share, key)
	}
	if rest := len(keys) - len(shown); rest > 0 {
		fmt.Fprintf(&report, "... %d more\n", rest)
	}
	return report.String()
}
