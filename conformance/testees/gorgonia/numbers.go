package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Numbers is a tensor of a message: float64 whatever the precision, row-major.
type Numbers struct {
	Shape []int
	Data  []float64
}

// UnmarshalJSON reads either form of a tensor. Fails: where there are not as many elements as the shape has.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	var message struct {
		Shape  []json.Number
		Base64 *string
		Data   []json.RawMessage
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return err
	}
	n.Shape = make([]int, len(message.Shape))
	for axis, extent := range message.Shape {
		n.Shape[axis] = integerOf(extent)
	}
	if message.Base64 != nil {
		bytes, err := base64.StdEncoding.DecodeString(*message.Base64)
		if err != nil || len(bytes)%8 != 0 {
			fail("the base64 does not hold float64")
		}
		for ; len(bytes) > 0; bytes = bytes[8:] {
			n.Data = append(n.Data, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
		}
	} else {
		for _, element := range message.Data {
			n.Data = append(n.Data, numberOf(element))
		}
	}
	if len(n.Data) != sizeOf(n.Shape) {
		fail("a tensor of shape %v has %d elements", n.Shape, len(n.Data))
	}
	return nil
}

// MarshalJSON writes little-endian float64 in base64.
func (n Numbers) MarshalJSON() ([]byte, error) {
	bytes := make([]byte, 0, 8*len(n.Data))
	for _, x := range n.Data {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(x))
	}
	return json.Marshal(map[string]any{"shape": n.Shape, "base64": base64.StdEncoding.EncodeToString(bytes)})
}

// numberOf reads JSON text or a JSON integer. Go reads hex floats as C writes them, inf and nan.
func numberOf(element json.RawMessage) float64 {
	var text string
	if json.Unmarshal(element, &text) != nil {
		text = string(element)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(x, 0) {
		fail("%s is no number", element)
	}
	return x
}

func sizeOf(shape []int) int {
	size := 1
	for _, extent := range shape {
		size *= extent
	}
	return size
}

// indices returns an entry of kind index.
func (n Numbers) indices(limit int) []int {
	found := make([]int, len(n.Data))
	for place, x := range n.Data {
		if x != math.Trunc(x) || x < 0 || x >= float64(limit) {
			fail("%v is no index below %d", x, limit)
		}
		found[place] = int(x)
	}
	return found
}

// read returns what gorgonia computed, in row-major order.
func read(value gorgonia.Value) Numbers {
	if dense, isDense := value.(*tensor.Dense); isDense && !dense.IsScalar() {
		elements := elementsOf(dense.Data())
		numbers := Numbers{Shape: append([]int{}, dense.Shape()...), Data: []float64{}}
		for places := dense.Iterator(); ; {
			place, err := places.Next()
			if err != nil {
				return numbers
			}
			numbers.Data = append(numbers.Data, elements[place])
		}
	}
	return Numbers{Shape: append([]int{}, value.Shape()...), Data: elementsOf(value.Data())}
}

func elementsOf(data any) []float64 {
	switch elements := data.(type) {
	case float64:
		return []float64{elements}
	case float32:
		return []float64{float64(elements)}
	case []float64:
		return elements
	case []float32:
		wide := make([]float64, len(elements))
		for place, x := range elements {
			wide[place] = float64(x)
		}
		return wide
	}
	fail("gorgonia answers with %T", data)
	return nil
}
