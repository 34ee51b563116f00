package main

import (
	"encoding/json"
	"os"
)

// observe prints one value that the program under test came to.
func observe(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("\n@@ " + name + " " + string(text) + "\n")
}

func main() {
	scenarios[os.Args[1]]()
}
