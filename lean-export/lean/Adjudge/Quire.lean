module

public import Adjudge.Posit
public import Adjudge.Replay.Check

/-!
# Sweeps over posits with a quire

A quire adds exactly and rounds once. So an element that a node computes is an exact number rounded once, as
is what it hands back to a place that it reads, but for a divisor's, which is three. What an id gets back is
the sum over places, rounded once; its cotangent is the sum of that and its seed, rounded once.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- For each position below `n` the sum of what the pairs have there, rounded once. -/
def quireSums (round : Rat → Rat) (n : Nat) (pairs : List (Nat × Rat)) : List Rat := mapped round (accumulated n pairs)

/-- The sum of lists of `n` numbers, position by position. -/
def totals (n : Nat) (lists : List (List Rat)) : List Rat :=
  List.rec (mapped (fun _ => 0) (numbersBetween 0 n)) (fun own _ ih => sums own ih) lists

/-- What a node hands back to each of the places at which it reads the id, whose tensor has `n` elements. -/
def FlatForm.handedBack (round : Rat → Rat) (value : Nat → List Rat) (cotangent : List Rat) (n id : Nat) :
    FlatForm → List (List Rat)
  | constant _ | detached _ => []
  | literal _ => []
  | linear terms =>
    joined
      (fun term =>
        bif Nat.beq term.operand id then
          [quireSums round n
            (mapped (fun move => (move.2, signed term.negated (element cotangent move.1))) term.moves)]
        else [])
      terms
  | bilinear left right products =>
    appended
      (bif Nat.beq left id then
        [quireSums round n
          (mapped (fun product => (product.2.1, element cotangent product.1 * element (value right) product.2.2)) products)]
      else [])
      (bif Nat.beq right id then
        [quireSums round n
          (mapped (fun product => (product.2.2, element (value left) product.2.1 * element cotangent product.1)) products)]
      else [])
  | quotient left right =>
    appended
      (bif Nat.beq left id then
        [mapped (fun i => round (element cotangent i * (element (value right) i)⁻¹)) (numbersBetween 0 n)]
      else [])
      (bif Nat.beq right id then
        [mapped
          (fun i =>
            let quotient := round (element (value left) i * (element (value right) i)⁻¹)
            signed true (round (round (element cotangent i * quotient) * (element (value right) i)⁻¹)))
          (numbersBetween 0 n)]
      else [])
  | pointwise .. => []

/-- What a node hands back to an id, from the listed values and its listed cotangent. -/
def Program.handedBack (p : Program) (round : Rat → Rat) (values cotangents : List (List Rat)) (id reader : Nat) :
    List Rat :=
  let n := volume (p.shapeOf id)
  match p.formOf? reader with
  | some (_, form) =>
    mapped round (totals n (form.handedBack round (p.listed values) (p.listed cotangents reader) n id))
  | none => []

/-- The cotangent of an id: its seed and what is handed back to it, added exactly and rounded once. -/
def Program.quireCotangent (p : Program) (round : Rat → Rat) (seeds values cotangents : List (List Rat)) (id : Nat)
    (readers : List Nat) : List Rat :=
  mapped round
    (sums (p.listed seeds id)
      (totals (volume (p.shapeOf id)) (mapped (p.handedBack round values cotangents id) readers)))

end Adjudge
