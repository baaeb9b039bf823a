// gorgonia: https://github.com/gorgonia/gorgonia. Its graphs are differentiated symbolically.
//
// It speaks the protocol of docs/protocol.md on standard input and output. `--without log2,max` promises
// fewer operators, so that a search passes a known fault; `--with conv` adds one of `partial`. With
// `--scripts` it writes scripts for a list of questions instead.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	// gorgonia asks this package whether memory moves; the version that gorgonia names knows no new Go.
	_ "go4.org/unsafe/assume-no-moving-gc"
)

// A line has at most so many bytes, in either direction.
const longest = 64 << 20

// A reason or a message has at most so many characters.
const words = 4096

func main() {
	if slices.Contains(os.Args, "--scripts") {
		writeScripts()
		return
	}
	programs := map[int]*Program{}
	promised := promised()
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	output := bufio.NewWriter(os.Stdout)
	for {
		line, err := lines.ReadString('\n')
		if line == "" && err != nil {
			return
		}
		var request Request
		if json.Unmarshal([]byte(line), &request) != nil || request.ID < 1 {
			fmt.Fprintf(os.Stderr, "not a request: %.200s\n", line)
			os.Exit(1)
		}
		reply := guarded(func() Reply { return answer(&request, programs, promised) })
		reply["id"] = request.ID
		text, _ := json.Marshal(reply)
		output.Write(append(text, '\n'))
		output.Flush()
	}
}

// Reply is a message to the runner.
type Reply map[string]any

// Request is a message from the runner.
type Request struct {
	ID       int
	Kind     string
	Protocol int
	Program  *int
	Dtype    string
	Graph    Graph
	Point    Point
	Seeds    []Seed
}

func answer(request *Request, programs map[int]*Program, promised []string) Reply {
	if request.Kind == "hello" {
		return hello(promised)
	}
	if request.Program == nil {
		fail("no program is named")
	}
	number := *request.Program
	switch request.Kind {
	case "load":
		programs[number] = load(request, promised)
		return Reply{"kind": "done"}
	case "unload":
		delete(programs, number)
		return Reply{"kind": "done"}
	}
	program, known := programs[number]
	if !known {
		fail("program %d is not loaded", number)
	}
	var tensors []Numbers
	switch request.Kind {
	case "evaluate":
		tensors = program.evaluate(request, silent())
	case "vjp":
		tensors = program.vjp(request, silent())
	case "backward_dense":
		tensors = program.backwardDense(request, silent())
	default:
		decline("gorgonia has no %s", request.Kind)
	}
	return Reply{"kind": "tensors", "tensors": tensors}
}

// hello describes gorgonia and its conventions; conformance/testees/gorgonia.test.ts checks them.
func hello(promised []string) Reply {
	return Reply{
		"kind":      "hello",
		"protocol":  1,
		"name":      "gorgonia",
		"version":   "0.9.18",
		"language":  "Go",
		"links":     []string{"https://github.com/gorgonia/gorgonia"},
		"dtypes":    []string{"float64", "float32"},
		"operators": promised,
		// gorgonia has no forward mode.
		"modes":       []string{"evaluate", "vjp", "backward_dense"},
		"conventions": map[string]string{"maximumAtTie": "first", "reluAtZero": "one", "compositeKinks": "own"},
		"accuracy":    map[string]float64{},
	}
}

// promised returns the operators, less those left out and with those added on the command line.
func promised() []string {
	without, with := listed("--without"), listed("--with")
	promised := []string{}
	for name := range operators {
		isLeft := !slices.Contains(partial, name) || slices.Contains(with, name)
		if isLeft && !slices.Contains(without, name) {
			promised = append(promised, name)
		}
	}
	slices.Sort(promised)
	return promised
}

// listed returns the words after a flag, wherever it stands, separated by commas.
func listed(flag string) (found []string) {
	for place, argument := range os.Args[:len(os.Args)-1] {
		if argument == flag {
			found = append(found, strings.Split(os.Args[place+1], ",")...)
		}
	}
	return found
}
