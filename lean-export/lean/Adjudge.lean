module

public import Adjudge.Theorems
public import Adjudge.Operators.Choices
public import Adjudge.Operators.Concat
public import Adjudge.Operators.Indexed
public import Adjudge.Operators.Laws
public import Adjudge.Operators.Matmul
public import Adjudge.Operators.Moving
public import Adjudge.Operators.Transpose
public import Adjudge.Derive
public import Adjudge.DerivativeLimit
public import Adjudge.Derive.Examples
public import Adjudge.Dimensions
public import Adjudge.Dual
public import Adjudge.Escape
public import Adjudge.Replay
public import Adjudge.Functions.Enclosure
public import Adjudge.Intervals.Elementary
public import Adjudge.Replay.ChoiceExamples
public import Adjudge.Replay.Examples
public import Adjudge.Replay.Functions
public import Adjudge.Rounding
public import Adjudge.State.LawF
public import Adjudge.State.Refutations
public import Adjudge.Tapes.Examples
public import Adjudge.Tapes.Live
public import Adjudge.Tapes.Optimal
public import Adjudge.Tapes.Pruned

/-! The whole library: definitions, theorems, refutations, and the checker of runs. -/
