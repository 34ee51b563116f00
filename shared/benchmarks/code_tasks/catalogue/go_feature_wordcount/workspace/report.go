package wordcount

// Report lists the most frequent words.
func Report(c Counts, limit int) string {
	return ""
}
