package kit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

type reply map[string]any

// Serve answers requests on standard input until it ends. What the library prints goes to standard error.
func (s Scalars[S]) Serve() {
	output := os.Stdout
	os.Stdout = os.Stderr
	if err := s.Answer(os.Stdin, output); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Answer reads a request per line and writes its reply. Fails at a line that is no request.
func (s Scalars[S]) Answer(input io.Reader, output io.Writer) error {
	library, graphs := s.library(), map[int]graph{}
	lines := bufio.NewReaderSize(input, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return nil
		}
		var asked struct{ ID int }
		if json.Unmarshal(line, &asked) != nil || asked.ID < 1 {
			return fmt.Errorf("not a request: %.200s", line)
		}
		answer := guarded(func() reply { return library.answer(line, graphs) })
		answer["id"] = asked.ID
		text, _ := json.Marshal(answer)
		output.Write(append(text, '\n'))
	}
}

// guarded makes an answer of a panic, the library's included.
func guarded(answer func() reply) (answered reply) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case unsupported:
			answered = reply{"kind": "unsupported", "reason": string(cause)}
		default:
			answered = reply{"kind": "error", "message": fmt.Sprintf("%.4000v", cause)}
		}
	}()
	return answer()
}

func (l *library[S]) answer(line []byte, graphs map[int]graph) reply {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		fail("%v", err)
	}
	switch asked.Kind {
	case "hello":
		hello := reply{
			"kind": "hello", "protocol": 1, "name": l.Name, "version": l.Version, "language": "Go",
			"links": append([]string{}, l.Links...), "dtypes": []string{l.Dtype}, "modes": l.modes(),
			"operators": l.promised(), "conventions": reply{"compositeKinks": "own"}, "accuracy": reply{},
		}
		maps.Copy(hello, l.Declared)
		return hello
	case "load":
		l.check(&asked)
		graphs[asked.Program] = asked.Graph
		return reply{"kind": "done"}
	case "unload":
		delete(graphs, asked.Program)
		return reply{"kind": "done"}
	}
	loaded, known := graphs[asked.Program]
	if !known {
		fail("program %d is not loaded", asked.Program)
	}
	if !slices.Contains(l.modes(), asked.Kind) {
		decline("%s has no %s", l.Name, asked.Kind)
	}
	return reply{"kind": "tensors", "tensors": (&run[S]{l, loaded, &asked}).answer()}
}

func (l *library[S]) check(asked *request) {
	if asked.Dtype != l.Dtype {
		decline("no precision %s", asked.Dtype)
	}
	for place, node := range asked.Graph.Nodes {
		if l.operators[node.Op] == nil {
			decline("no operator %s", node.Op)
		}
		for _, parent := range node.Parents {
			if id := len(asked.Graph.Inputs) + place; parent < 0 || parent >= id {
				fail("the parents of id %d are not all before it", id)
			}
		}
	}
}
