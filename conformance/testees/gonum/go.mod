module adjudge.example/gonum

go 1.24.0

require (
	adjudge.example/kit v0.0.0
	gonum.org/v1/gonum v0.17.0
)

replace adjudge.example/kit => ../../../kits/go
