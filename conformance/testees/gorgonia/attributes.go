package main

import (
	"encoding/json"
	"math"
)

// Attributes are those of a node.
type Attributes map[string]json.RawMessage

// integerOf reads an integer, which JSON may write as 1.0.
func integerOf(number json.Number) int {
	x, err := number.Float64()
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		fail("%s is no integer", number)
	}
	return int(x)
}

func (a Attributes) get(name string, into any) {
	if json.Unmarshal(a[name], into) != nil {
		fail("the attribute %s is not what it should be", name)
	}
}

func (a Attributes) integer(name string) int {
	var number json.Number
	a.get(name, &number)
	return integerOf(number)
}

func (a Attributes) integers(name string) []int {
	var numbers []json.Number
	a.get(name, &numbers)
	found := make([]int, len(numbers))
	for place, number := range numbers {
		found[place] = integerOf(number)
	}
	return found
}

// pairs returns a pair for each axis, what comes before and what after.
func (a Attributes) pairs(name string) [][2]int {
	var numbers [][2]json.Number
	a.get(name, &numbers)
	found := make([][2]int, len(numbers))
	for place, pair := range numbers {
		found[place] = [2]int{integerOf(pair[0]), integerOf(pair[1])}
	}
	return found
}

func (a Attributes) real(name string) (x float64)   { a.get(name, &x); return }
func (a Attributes) flag(name string) (yes bool)    { a.get(name, &yes); return }
func (a Attributes) text(name string) (word string) { a.get(name, &word); return }
