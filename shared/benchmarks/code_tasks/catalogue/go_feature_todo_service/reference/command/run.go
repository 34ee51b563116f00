// Package command carries out scripts of chores.
package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lighthouse.example/chores/todo"
)

var errArguments = errors.New("bad arguments")

// Run carries out a script and returns how many of its lines failed.
func Run(service *todo.Service, script io.Reader, out io.Writer) int {
	reader := bufio.NewReader(script)
	failures := 0
	for number := 1; ; number++ {
		line, readErr := reader.ReadString('\n')
		if readErr != nil && readErr != io.EOF {
			return -1
		}
		text, err := runLine(service, strings.Fields(line))
		if err != nil {
			failures++
			text = fmt.Sprintf("line %d: %v\n", number, err)
		}
		if text != "" {
			if _, err := io.WriteString(out, text); err != nil {
				return -1
			}
		}
		if readErr == io.EOF {
			return failures
		}
	}
}

func runLine(service *todo.Service, fields []string) (string, error) {
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return "", nil
	}
	name, arguments := fields[0], fields[1:]
	switch name {
	case "add":
		return add(service, arguments)
	case "list":
		return list(service, arguments)
	case "ready":
		if len(arguments) > 0 {
			return "", errArguments
		}
		return lines(service.Ready()), nil
	case "need":
		ids, err := readIDs(arguments, 2)
		if err != nil {
			return "", err
		}
		return "", service.Need(ids[0], ids[1])
	case "done", "reopen", "rm", "show", "plan":
		ids, err := readIDs(arguments, 1)
		if err != nil {
			return "", err
		}
		return runOne(service, name, ids[0])
	}
	return "", errors.New("unknown command " + name)
}

func runOne(service *todo.Service, name string, id int) (string, error) {
	switch name {
	case "done":
		_, err := service.Finish(id)
		return "", err
	case "reopen":
		return "", service.Reopen(id)
	case "rm":
		return "", service.Remove(id)
	case "show":
		task, err := service.Get(id)
		if err != nil {
			return "", err
		}
		return lines([]todo.Task{task}), nil
	default:
		plan, err := service.Plan(id)
		return lines(plan), err
	}
}

func add(service *todo.Service, words []string) (string, error) {
	priority := todo.Normal
	if len(words) > 0 && (words[0] == "!" || words[0] == "?") {
		priority = todo.High
		if words[0] == "?" {
			priority = todo.Low
		}
		words = words[1:]
	}
	var title []string
	var needs []int
	for _, word := range words {
		digits := strings.TrimPrefix(word, "<")
		if digits == word || !isDigits(digits) {
			title = append(title, word)
			continue
		}
		id, err := readID(digits)
		if err != nil {
			return "", err
		}
		needs = append(needs, id)
	}
	task, err := service.Add(strings.Join(title, " "), priority, needs...)
	if err != nil {
		return "", err
	}
	return strconv.Itoa(task.ID) + "\n", nil
}

func list(service *todo.Service, arguments []string) (string, error) {
	priorities := map[string]todo.Priority{"high": todo.High, "normal": todo.Normal, "low": todo.Low}
	var filter todo.Filter
	hasText := false
	for _, argument := range arguments {
		priority, isPriority := priorities[argument]
		switch {
		case argument == "open" && !filter.Open:
			filter.Open = true
		case isPriority && filter.AtLeast == nil:
			filter.AtLeast = &priority
		case strings.HasPrefix(argument, "/") && !hasText:
			filter.Text, hasText = argument[1:], true
		default:
			return "", errArguments
		}
	}
	return lines(service.List(filter)), nil
}

func lines(tasks []todo.Task) string {
	var text strings.Builder
	for _, task := range tasks {
		state := map[todo.Priority]string{todo.High: "!", todo.Low: "?", todo.Normal: "-"}[task.Priority]
		if !task.Done.IsZero() {
			state = "x"
		}
		fmt.Fprintf(&text, "%d %s %s", task.ID, state, task.Title)
		for i, need := range task.Needs {
			if i == 0 {
				text.WriteString(" < ")
			} else {
				text.WriteString(",")
			}
			text.WriteString(strconv.Itoa(need))
		}
		text.WriteString("\n")
	}
	return text.String()
}

func readIDs(arguments []string, count int) ([]int, error) {
	if len(arguments) != count {
		return nil, errArguments
	}
	ids := make([]int, count)
	for i, argument := range arguments {
		id, err := readID(argument)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func readID(text string) (int, error) {
	id, err := strconv.Atoi(text)
	if err != nil || id < 1 || !isDigits(text) {
		return 0, errArguments
	}
	return id, nil
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
