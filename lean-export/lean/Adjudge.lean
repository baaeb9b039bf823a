module

public import Adjudge.Tensor
public import Adjudge.Context
public import Adjudge.Graph
public import Adjudge.Tape
public import Adjudge.Compile
public import Adjudge.Operators.Form
public import Adjudge.Operators.IndexMap
public import Adjudge.Operators.Operator
public import Adjudge.Program
public import Adjudge.Replay
public import Adjudge.Replay.Examples

/-! The whole library. -/
