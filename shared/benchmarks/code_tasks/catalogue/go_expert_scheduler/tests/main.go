package main

import (
	"encoding/json"
	"os"
	"time"
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
	time.AfterFunc(40*time.Second, func() { os.Exit(3) }) // what hangs must not hang us
	scenarios[os.Args[1]]()
}
