// Package command carries out scripts of chores.
package command

import (
	"io"

	"lighthouse.example/chores/todo"
)

// Run carries out a script and returns how many of its lines failed.
func Run(service *todo.Service, script io.Reader, out io.Writer) int {
	return -1
}
