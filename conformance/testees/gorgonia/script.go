package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Question is what a script asks: one mode of one graph, which gives a wrong number or fails.
type Question struct {
	Request
	Title, Note string
	// This is a mode.
	Question string
	// This is the place of the wrong tensor in the answer; without it gorgonia fails where it should answer.
	Place *int
	// These surround that tensor's name, test in Go whether it is right, and say what is right.
	Answer      [2]string
	Test, Truth string
}

// Script is the text of a script, or the reason why there is none.
type Script struct {
	Text   string `json:"text,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// writeScripts reads a JSON list of questions, and writes a list of scripts.
func writeScripts() {
	var questions []Question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scripts := make([]Script, len(questions))
	for place := range questions {
		reply := guarded(func() Reply { return Reply{"text": script(&questions[place])} })
		if text, written := reply["text"].(string); written {
			scripts[place].Text = text
		} else {
			scripts[place].Reason = fmt.Sprint(reply["reason"], reply["message"])
		}
	}
	json.NewEncoder(os.Stdout).Encode(scripts)
}

func script(question *Question) string {
	recorder := recording()
	program := load(&question.Request, allOperators())
	ask := map[string]func(*Request, *Recorder) []Numbers{
		"evaluate": program.evaluate, "vjp": program.vjp, "backward_dense": program.backwardDense,
	}[question.Question]
	if ask == nil {
		decline("gorgonia has no %s", question.Question)
	}
	if question.Place == nil {
		guarded(func() Reply { ask(&question.Request, recorder); return Reply{} })
		return written(question, recorder, "\tfmt.Println(\"the library answers\")\n\treturn 0\n", "gorgonia fails:", 1)
	}
	ask(&question.Request, recorder)
	tensor := recorder.answers[*question.Place]
	if tensor == "" {
		decline("gorgonia is not asked for it")
	}
	verdict := fmt.Sprintf(`	answer := %s%s%s
	fmt.Println("the library answers", answer)
	fmt.Println("the true value is  ", %q)
	// Nothing else is within the bound that a faithful computation keeps.
	if %s {
		return 0
	}
	return 1
`, question.Answer[0], tensor, question.Answer[1], question.Truth, question.Test)
	return written(question, recorder, verdict, "the script fails:", 2)
}

func allOperators() []string {
	names := make([]string, 0, len(operators))
	for name := range operators {
		names = append(names, name)
	}
	return names
}

const head = `// Exit code: 1 while that is so, 0 once it is mended, 2 where it cannot be asked.
//
// In an empty folder, with this file as main.go:
//
//	go mod init ask
//	go get gorgonia.org/gorgonia@v0.9.18 gorgonia.org/tensor@v0.9.23
//	go get go4.org/unsafe/assume-no-moving-gc@v0.0.0-20231121144256-b99613f794b6
//	go build -o ask . && ./ask
package main

import (
	"fmt"
%s	"os"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func main() { os.Exit(ask()) }

func ask() (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Println(%q, reason)
			code = %d
		}
	}()
`

const helpers = `}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// numbers returns a value's numbers in row-major order.
func numbers(value gorgonia.Value) (found []float64) {
	var wide []float64
	switch data := value.Data().(type) {
	case float64:
		return []float64{data}
	case float32:
		return []float64{float64(data)}
	case []float64:
		wide = data
	case []float32:
		for _, x := range data {
			wide = append(wide, float64(x))
		}
	}
	for places := value.(*tensor.Dense).Iterator(); ; {
		place, err := places.Next()
		if err != nil {
			return found
		}
		found = append(found, wide[place])
	}
}
`

func written(question *Question, recorder *Recorder, verdict, failing string, code int) string {
	body := "\t" + strings.Join(withoutUnread(recorder.lines, verdict), "\n\t") + "\n" + verdict
	extra := ""
	if strings.Contains(body, "math.") {
		extra = "\t\"math\"\n"
	}
	note := strings.ReplaceAll("// "+strings.ReplaceAll(question.Title+"\n\n"+question.Note, "\n", "\n// "), "// \n", "//\n")
	return note + "\n" + fmt.Sprintf(head, extra, failing, code) + body + helpers
}

// withoutUnread removes names that nothing reads, which Go refuses.
func withoutUnread(lines []string, verdict string) []string {
	kept := make([]string, len(lines))
	after := verdict
	for place := len(lines) - 1; place >= 0; place-- {
		name, call, assigns := strings.Cut(lines[place], " := ")
		kept[place] = lines[place]
		if assigns && !reads(after, name) {
			kept[place] = call
			if name == "g" {
				kept[place] = "_ = " + call
			}
		}
		after = kept[place] + "\n" + after
	}
	return kept
}

// reads tells whether the text contains that name.
func reads(text, name string) bool {
	for _, word := range strings.FieldsFunc(text, func(letter rune) bool {
		return !(letter == '_' || letter >= '0' && letter <= '9' || letter >= 'A' && letter <= 'Z' || letter >= 'a' && letter <= 'z')
	}) {
		if word == name {
			return true
		}
	}
	return false
}
