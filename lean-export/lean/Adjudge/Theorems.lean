module

public import Adjudge.Theorems.Context
public import Adjudge.Theorems.Loop
public import Adjudge.Theorems.Compile
public import Adjudge.Theorems.Seed
public import Adjudge.Theorems.Dot
public import Adjudge.Theorems.Adjoint
public import Adjudge.Theorems.Linear
public import Adjudge.Theorems.Sparse
public import Adjudge.Theorems.Shortcut
public import Adjudge.Theorems.Sweep
public import Adjudge.Theorems.ZeroPreserving
public import Adjudge.Refutations.Runtime
public import Adjudge.Refutations.Accumulation
public import Adjudge.Refutations.Order
public import Adjudge.Refutations.References
public import Adjudge.Refutations.Laws

/-!
# All that is proved of the model, and all that is refuted of wrong runtimes
-/
