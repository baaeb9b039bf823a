package kit

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// unsupported is what the library does not have.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func fail(format string, arguments ...any) { panic(fmt.Errorf(format, arguments...)) }

func decline(format string, arguments ...any) { panic(unsupported(fmt.Sprintf(format, arguments...))) }

type request struct {
	ID       int
	Kind     string
	Program  int
	Dtype    string
	Graph    graph
	Point    point
	Tangents []numbers
	Seeds    []struct {
		ID        int
		Cotangent numbers
	}
}

type graph struct {
	Inputs, Environment []struct {
		Name  string
		Shape []int
	}
	Nodes []struct {
		Op         string
		Attributes attributes
		Parents    []int
	}
}

type point struct {
	Inputs      []numbers
	Environment map[string]numbers
}

// numbers is a tensor of a message: float64 whatever the precision, row-major.
type numbers struct {
	Shape []int
	Data  []float64
}

// UnmarshalJSON reads either form of a tensor.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var message struct {
		Shape  []float64
		Base64 *string
		Data   []json.RawMessage
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return err
	}
	n.Shape = integersOf(message.Shape)
	n.Data = make([]float64, 0, len(message.Data))
	if message.Base64 != nil {
		bytes, err := base64.StdEncoding.DecodeString(*message.Base64)
		if err != nil || len(bytes)%8 != 0 {
			return fmt.Errorf("the base64 does not hold float64")
		}
		for ; len(bytes) > 0; bytes = bytes[8:] {
			n.Data = append(n.Data, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
		}
	}
	for _, element := range message.Data {
		text := string(element)
		json.Unmarshal(element, &text)
		x, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(x, 0) {
			return fmt.Errorf("%s is no number", element)
		}
		n.Data = append(n.Data, x)
	}
	if len(n.Data) != size(n.Shape) {
		return fmt.Errorf("a tensor of shape %v has %d elements", n.Shape, len(n.Data))
	}
	return nil
}

// MarshalJSON writes little-endian float64 in base64.
func (n numbers) MarshalJSON() ([]byte, error) {
	bytes := make([]byte, 0, 8*len(n.Data))
	for _, x := range n.Data {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(x))
	}
	shape := append([]int{}, n.Shape...)
	return json.Marshal(map[string]any{"shape": shape, "base64": base64.StdEncoding.EncodeToString(bytes)})
}

func (n numbers) indices(limit int) []int {
	found := make([]int, len(n.Data))
	for place, x := range n.Data {
		found[place] = index(x, limit)
	}
	return found
}

func index(x float64, limit int) int {
	if x != math.Trunc(x) || x < 0 || x >= float64(limit) {
		fail("%v is no index below %d", x, limit)
	}
	return int(x)
}

// attributes are those of a node. An integer may be written 1.0.
type attributes map[string]json.RawMessage

func (a attributes) get(name string, into any) {
	if json.Unmarshal(a[name], into) != nil {
		fail("the attribute %s is not what it should be", name)
	}
}

func (a attributes) integers(name string) []int {
	var found []float64
	a.get(name, &found)
	return integersOf(found)
}

func integersOf(found []float64) []int {
	integers := make([]int, len(found))
	for place, x := range found {
		integers[place] = int(x)
	}
	return integers
}

func (a attributes) integer(name string) int        { return int(a.real(name)) }
func (a attributes) real(name string) (x float64)   { a.get(name, &x); return }
func (a attributes) flag(name string) (yes bool)    { a.get(name, &yes); return }
func (a attributes) text(name string) (word string) { a.get(name, &word); return }
