module

public import Adjudge.Functions.Graph

/-!
# Enclosures of elementary functions
-/

@[expose] public noncomputable section

namespace Adjudge

end Adjudge
