package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

// Declined is what gorgonia lacks; it is never an accusation.
type Declined string

// Failed is a request that is wrong, or a computation that fails.
type Failed string

func decline(format string, parts ...any) { panic(Declined(fmt.Sprintf(format, parts...))) }

func fail(format string, parts ...any) { panic(Failed(fmt.Sprintf(format, parts...))) }

// guarded returns the reply, or its failure. A panic of gorgonia's is an answer, and people see its place.
func guarded(reply func() Reply) (given Reply) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case Declined:
			given = Reply{"kind": "unsupported", "reason": short(string(reason))}
		case Failed:
			given = Reply{"kind": "error", "message": short(string(reason))}
		default:
			fmt.Fprintf(os.Stderr, "%v\n%s", reason, debug.Stack())
			given = Reply{"kind": "error", "message": short(fmt.Sprintf("panic: %v", reason))}
		}
	}()
	return reply()
}

func short(text string) string {
	letters := []rune(text)
	return string(letters[:min(words, len(letters))])
}
