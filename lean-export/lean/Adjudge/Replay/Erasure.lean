module

public import Adjudge.Replay.FlatForm
public import Adjudge.Replay.Lists

/-!
# The flat forms are the forms

`Operator.flat?` gives what `Operator.formAt?` gives, with the types erased.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {E C : ContextType} {τ : Shape}

/-- The pair of positions of a move. -/
def Move.erased {n m : Nat} (move : Move n m) : Nat × Nat := (move.result.val, move.operand.val)

/-- The three positions of a product. -/
def Product.erased {n m k : Nat} (product : Product n m k) : Nat × Nat × Nat :=
  (product.result.val, product.left.val, product.right.val)

/-- A term, the types erased. -/
def LinearTerm.erased (term : LinearTerm C τ) : FlatTerm :=
  ⟨term.place.id, term.negated, term.moves.map Move.erased⟩

/-- A form, the types erased. -/
def Form.erased : Form E C τ → FlatForm
  | constant entry => .constant entry.id
  | literal number => .literal number
  | linear terms => .linear (terms.map LinearTerm.erased)
  | detached terms => .detached (terms.map LinearTerm.erased)
  | bilinear left right products => .bilinear left.id right.id (products.map Product.erased)
  | quotient left right => .quotient left.id right.id
  | pointwise function terms => .pointwise function (terms.map LinearTerm.erased)

/-- The operand at a place. -/
def operandAt (place : (σ : Shape) × Place C σ) : Operand := (place.2.id, place.1)

theorem operandAt_snd (place : (σ : Shape) × Place C σ) : (operandAt place).2 = place.1 := rfl

theorem movesFit_cons (n m : Nat) (move : Nat × Nat) (rest : List (Nat × Nat)) :
    movesFit n m (move :: rest) = (decide (move.1 < n ∧ move.2 < m) && movesFit n m rest) := by
  rw [Bool.eq_iff_iff]
  simp [movesFit, every_eq, Nat.blt_eq]

theorem moves?_erased (n m : Nat) (pairs : List (Nat × Nat)) :
    (moves? n m pairs).map (List.map Move.erased) = bif movesFit n m pairs then some pairs else none := by
  induction pairs with
  | nil => rfl
  | cons pair rest ih =>
    obtain ⟨result, operand⟩ := pair
    rw [movesFit_cons, moves?]
    by_cases h : result < n ∧ operand < m
    · rw [dif_pos h, decide_eq_true h, Bool.true_and]
      cases found : moves? n m rest <;> rw [found] at ih <;> cases fit : movesFit n m rest <;>
        simp_all [Move.erased]
    · rw [dif_neg h, decide_eq_false h]
      rfl

theorem productsFit_cons (n m k : Nat) (product : Nat × Nat × Nat) (rest : List (Nat × Nat × Nat)) :
    productsFit n m k (product :: rest)
      = (decide (product.1 < n ∧ product.2.1 < m ∧ product.2.2 < k) && productsFit n m k rest) := by
  rw [Bool.eq_iff_iff]
  simp [productsFit, every_eq, Nat.blt_eq]

theorem products?_erased (n m k : Nat) (triples : List (Nat × Nat × Nat)) :
    (products? n m k triples).map (List.map Product.erased)
      = bif productsFit n m k triples then some triples else none := by
  induction triples with
  | nil => rfl
  | cons triple rest ih =>
    obtain ⟨result, left, right⟩ := triple
    rw [productsFit_cons, products?]
    by_cases h : result < n ∧ left < m ∧ right < k
    · rw [dif_pos h, decide_eq_true h, Bool.true_and]
      cases found : products? n m k rest <;> rw [found] at ih <;> cases fit : productsFit n m k rest <;>
        simp_all [Product.erased]
    · rw [dif_neg h, decide_eq_false h]
      rfl

theorem moving_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (negated : Bool) (pairs : List (Nat × Nat)) :
    flatMoving (operandAt place) τ negated pairs = (moving place τ negated pairs).map LinearTerm.erased := by
  have fit := moves?_erased τ.size place.1.size pairs
  rw [flatMoving, volume_eq, volume_eq]
  show (bif movesFit τ.size place.1.size pairs then _ else _) = _
  rw [moving]
  cases found : moves? τ.size place.1.size pairs <;> rw [found] at fit <;>
    cases b : movesFit τ.size place.1.size pairs <;> simp_all [LinearTerm.erased, operandAt]

theorem below_eq (n : Nat) : below n = numbersBetween 0 n := by
  rw [numbersBetween_eq]
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [below, ih]
    simp [List.range'_1_concat]

/-- A form and its shape, the types erased. -/
def erasedForm (form : (τ : Shape) × Form E C τ) : Shape × FlatForm := (form.1, form.2.erased)

variable (E)

theorem gathering_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (source : Nat → Nat) :
    flatGathering (operandAt place) τ source = (gathering (E := E) place τ source).map erasedForm := by
  rw [flatGathering, mapped_eq, volume_eq, gathering, moving_erased, below_eq]
  cases moving place τ false _ <;> rfl

theorem scattering_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (target : Nat → Nat) :
    flatScattering (operandAt place) τ target = (scattering (E := E) place τ target).map erasedForm := by
  rw [flatScattering, mapped_eq, volume_eq, scattering, moving_erased, below_eq, operandAt_snd]
  cases moving place τ false _ <;> rfl

theorem multiplying_erased (left right : (σ : Shape) × Place C σ) (τ : Shape) (triples : List (Nat × Nat × Nat)) :
    flatMultiplying (operandAt left) (operandAt right) τ triples
      = (multiplying (E := E) left right τ triples).map erasedForm := by
  have fit := products?_erased τ.size left.1.size right.1.size triples
  rw [flatMultiplying, volume_eq, volume_eq, volume_eq]
  show (bif productsFit τ.size left.1.size right.1.size triples then _ else _) = _
  rw [multiplying]
  cases found : products? τ.size left.1.size right.1.size triples <;> rw [found] at fit <;>
    cases b : productsFit τ.size left.1.size right.1.size triples <;>
      simp_all [erasedForm, Form.erased, operandAt]

theorem dividing_erased (left right : (σ : Shape) × Place C σ) :
    flatDividing (operandAt left) (operandAt right) = (dividing (E := E) left right).map erasedForm := by
  obtain ⟨σ, left⟩ := left
  obtain ⟨ρ, right⟩ := right
  show (bif sameShape ρ σ then _ else _) = _
  rw [cond_sameShape, dividing]
  by_cases h : ρ = σ
  · subst h
    simp only [if_true, dite_true]
    rfl
  · rw [if_neg h, dif_neg h]
    rfl

variable {E}

theorem elementwise_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (negated : Bool) :
    flatElementwise (operandAt place) τ negated = (elementwise place τ negated).map LinearTerm.erased := by
  rw [flatElementwise, cond_sameShape, mapped_eq, volume_eq]
  show (if place.1 = τ then _ else _) = _
  rw [elementwise, below_eq, moving_erased]
  split <;> rfl

theorem zipped_eq (pair : Nat → Nat → Nat × Nat) (numbers entries : List Nat) :
    zipped pair numbers entries = List.zipWith pair numbers entries := by
  induction numbers generalizing entries with
  | nil => cases entries <;> rfl
  | cons number rest ih =>
    cases entries with
    | nil => rfl
    | cons entry others => exact congrArg (pair number entry :: ·) (ih others)

theorem entryAt_getElem (entries : List Nat) (i default : Nat) (h : i < entries.length) :
    entryAt entries i default = entries[i] := by
  induction entries generalizing i with
  | nil => cases h
  | cons entry rest ih =>
    cases i with
    | zero => rfl
    | succ i => exact ih i (Nat.lt_of_succ_lt_succ h)

theorem listed_eq (pair : Nat → Nat → Nat × Nat) (n : Nat) (entries : List Nat) (default : Nat) :
    listed pair n entries default = (below n).map fun i => pair i (entryAt entries i default) := by
  rw [listed, below_eq, mapped_eq]
  cases same : Nat.beq entries.length n with
  | false => rfl
  | true =>
    have same := Nat.eq_of_beq_eq_true same
    rw [cond_true, zipped_eq, numbersBetween_eq, Nat.sub_zero]
    apply List.ext_getElem
    · simp [same]
    · intro i low high
      have inside : i < entries.length := by simp at low; omega
      simp [entryAt_getElem _ _ _ inside]

theorem placing_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (targets : List Nat) :
    flatPlacing (operandAt place) τ targets = (placing place τ targets).map LinearTerm.erased := by
  rw [flatPlacing, listed_eq, volume_eq, volume_eq, placing, moving_erased, operandAt_snd]

theorem listing_erased (E : ContextType) (place : (σ : Shape) × Place C σ) (τ : Shape) (sources : List Nat)
    (default : Nat) : flatListing (operandAt place) τ sources default
      = (gathering (E := E) place τ fun i => entryAt sources i default).map erasedForm := by
  rw [flatListing, listed_eq, volume_eq, gathering, moving_erased]
  cases moving place τ false _ <;> rfl

theorem spreading_erased (E : ContextType) (place : (σ : Shape) × Place C σ) (τ : Shape) (targets : List Nat) :
    flatSpreading (operandAt place) τ targets
      = (scattering (E := E) place τ fun j => entryAt targets j τ.size).map erasedForm := by
  rw [flatSpreading, placing_erased, scattering, placing]
  cases moving place τ false _ <;> rfl

theorem concatTerms_erased (axis : Nat) (τ : Shape) (offset : Nat) (places : List ((σ : Shape) × Place C σ)) :
    flatConcatTerms axis τ offset (places.map operandAt)
      = (concatTerms axis τ offset places).map (List.map LinearTerm.erased) := by
  induction places generalizing offset with
  | nil => rfl
  | cons place rest ih =>
    rw [List.map_cons, flatConcatTerms, concatTerms, ih, mapped_eq, volume_eq, moving_erased, below_eq, operandAt_snd]
    split
    · rfl
    · cases moving place τ false _ <;> cases concatTerms axis τ _ rest <;> rfl

theorem joinedExtent_erased (axis : Nat) (places : List ((σ : Shape) × Place C σ)) :
    flatJoinedExtent axis (places.map operandAt) = joinedExtent axis places := by
  induction places with
  | nil => rfl
  | cons place rest ih => rw [List.map_cons, flatJoinedExtent, joinedExtent, ih]; rfl

theorem matmulProducts_erased (batch rows inner columns : Nat) :
    flatMatmulProducts batch rows inner columns = matmulProducts batch rows inner columns := by
  simp only [flatMatmulProducts, matmulProducts, joined_eq, mapped_eq, below_eq]

theorem runningPairs_erased (axis : Nat) (shape : Shape) : flatRunningPairs axis shape = runningPairs axis shape := by
  simp only [flatRunningPairs, runningPairs, joined_eq, mapped_eq, volume_eq, below_eq]

theorem elementwiseTerms_erased (τ : Shape) (places : List ((σ : Shape) × Place C σ)) :
    flatElementwiseTerms τ (places.map operandAt) = (elementwiseTerms τ places).map (List.map LinearTerm.erased) := by
  induction places with
  | nil => rfl
  | cons place rest ih =>
    rw [List.map_cons, flatElementwiseTerms, elementwiseTerms, ih, elementwise_erased]
    cases elementwise place τ false <;> cases elementwiseTerms τ rest <;> rfl

theorem applying_erased (function : Expression) (τ : Shape) (places : List ((σ : Shape) × Place C σ)) :
    flatApplying function τ (places.map operandAt) = (applying (E := E) function τ places).map erasedForm := by
  rw [flatApplying, applying, elementwiseTerms_erased]
  cases elementwiseTerms τ places <;> rfl

theorem gatheredTerms_erased (place : (σ : Shape) × Place C σ) (τ : Shape) (sources : List (Nat → Nat)) :
    flatGatheredTerms (operandAt place) τ sources
      = (gatheredTerms place τ sources).map (List.map LinearTerm.erased) := by
  induction sources with
  | nil => rfl
  | cons source rest ih =>
    rw [flatGatheredTerms, gatheredTerms, ih, mapped_eq, volume_eq, moving_erased, below_eq]
    cases moving place τ false _ <;> cases gatheredTerms place τ rest <;> rfl

theorem determining_erased (place : (σ : Shape) × Place C σ) :
    flatDet [operandAt place] = (determining (E := E) place).map erasedForm := by
  rw [flatDet, determining, operandAt_snd]
  cases matrixShape place.1 with
  | none => rfl
  | some matrices =>
    obtain ⟨batch, rows, columns⟩ := matrices
    simp only [gatheredTerms_erased]
    split
    · cases gatheredTerms place batch (entrySources rows) <;> rfl
    · rfl

theorem solving_erased (matrices sides : (σ : Shape) × Place C σ) :
    flatSolve [operandAt matrices, operandAt sides] = (solving (E := E) matrices sides).map erasedForm := by
  rw [flatSolve, solving, operandAt_snd, operandAt_snd]
  cases matrixShape matrices.1 with
  | none => rfl
  | some first =>
    cases matrixShape sides.1 with
    | none => rfl
    | some second =>
      obtain ⟨batch, rows, columns⟩ := first
      obtain ⟨batch', rows', columns'⟩ := second
      simp only [gatheredTerms_erased]
      split
      · generalize gatheredTerms matrices sides.1 _ = entries
        generalize gatheredTerms sides sides.1 _ = numbers
        cases entries <;> cases numbers <;> try rfl
        simp [erasedForm, Form.erased]
      · rfl

/-- The shape of an entry of `Δ`. -/
def ContextType.shapeAt? (E : ContextType) (entry : Nat) : Option Shape := (E.place? entry).map Sigma.fst

theorem ContextType.place?_id (C : ContextType) (id : Nat) (place : (τ : Shape) × Place C τ)
    (h : C.place? id = some place) : place.2.id = id := by
  induction C with
  | nil => cases h
  | snoc C σ ih =>
    rw [ContextType.place?] at h
    split at h
    · next last =>
      cases h
      exact last.symm
    · split at h
      · rename_i found
        cases h
        exact ih _ found
      · cases h

/-- An operator does to ids and shapes what it does to places. -/
theorem Operator.flat?_eq (op : Operator) (places : List ((σ : Shape) × Place C σ)) :
    op.flat? E.shapeAt? (places.map operandAt) = (op.formAt? (E := E) places).map erasedForm := by
  cases op with
  | constant entry =>
    match places with
    | [] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, flatConstant, ContextType.shapeAt?]
      cases found : E.place? entry with
      | none => rfl
      | some place =>
        have := E.place?_id _ _ found
        simp [erasedForm, Form.erased, this]
    | _ :: _ => rfl
  | add | subtract =>
    match places with
    | [x, y] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatAdding, elementwise_erased,
        operandAt_snd]
      cases elementwise x x.1 _ <;> cases elementwise y x.1 _ <;> rfl
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | negative | stop_gradient =>
    match places with
    | [x] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatNegative, flatStopGradient, elementwise_erased,
        operandAt_snd]
      cases elementwise x x.1 _ <;> rfl
    | [] | _ :: _ :: _ => rfl
  | multiply =>
    match places with
    | [x, y] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatMultiply, cond_sameShape,
        mapped_eq, volume_eq, multiplying_erased E, below_eq]
      rw [apply_ite (Option.map _)]
      rfl
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | divide =>
    match places with
    | [x, y] => exact dividing_erased E x y
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | sum axes keepdims =>
    match places with
    | [x] => exact scattering_erased E x _ _
    | [] | _ :: _ :: _ => rfl
  | broadcast_to shape | reshape shape | permute_dims axes | take axis sources =>
    match places with
    | [x] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatBroadcast, flatReshape, flatPermute, flatTake, gathering_erased E]
      rw [apply_ite (Option.map _)]
      rfl
    | [] | _ :: _ :: _ => rfl
  | slice starts stops steps | take_along_axis axis entry indices | gather entry indices =>
    match places with
    | [x] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatSlice, flatTakeAlongAxis, flatGather, listing_erased E, operandAt_snd]
      rw [apply_ite (Option.map _)]
      rfl
    | [] | _ :: _ :: _ => rfl
  | pad low high interior =>
    match places with
    | [x] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatPad, spreading_erased E, operandAt_snd]
      rw [apply_ite (Option.map _)]
      rfl
    | [] | _ :: _ :: _ => rfl
  | scatter_add entry indices =>
    match places with
    | [x, updates] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatScatterAdd, elementwise_erased,
        placing_erased, operandAt_snd]
      rw [apply_ite (Option.map _)]
      cases elementwise x x.1 false <;> cases placing updates x.1 (blockSources x.1 entry indices) <;> rfl
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | iota shape axis =>
    match places with
    | [] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, flatIota]
      rw [apply_ite (Option.map _)]
      rfl
    | _ :: _ => rfl
  | bernoulli_mask shape first second numerator denominator =>
    match places with
    | [] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, flatBernoulliMask]
      rw [apply_ite (Option.map _)]
      rfl
    | _ :: _ => rfl
  | concat axis =>
    match places with
    | [] => rfl
    | first :: rest =>
      have terms := fun τ => concatTerms_erased axis τ 0 (first :: rest)
      have extent := joinedExtent_erased axis (first :: rest)
      simp only [List.map_cons] at terms extent
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_cons, flatConcat, terms, extent, operandAt_snd]
      split
      · cases concatTerms axis (withEntry first.1 axis (joinedExtent axis (first :: rest))) 0 (first :: rest) <;>
          rfl
      · rfl
  | matmul =>
    match places with
    | [x, y] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatMatmul, multiplying_erased E,
        matmulProducts_erased, operandAt_snd]
      cases matrixShape x.1 <;> cases matrixShape y.1 <;> try rfl
      simp only
      rw [apply_ite (Option.map _)]
      rfl
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | cumulative_sum axis =>
    match places with
    | [x] =>
      unfold Operator.flat? Operator.formAt?
      simp only [List.map_nil, List.map_cons, flatCumulativeSum, moving_erased, runningPairs_erased,
        operandAt_snd]
      rw [apply_ite (Option.map _)]
      cases moving x x.1 false (runningPairs axis x.1) <;> rfl
    | [] | _ :: _ :: _ => rfl
  | elementary f =>
    match places with
    | [] | [_] | [_, _] | _ :: _ :: _ :: _ => rfl
  | relu | floor =>
    match places with
    | [x] => exact applying_erased _ _ [x]
    | [] | _ :: _ :: _ => rfl
  | maximum | less | equal =>
    match places with
    | [x, y] => exact applying_erased _ _ [x, y]
    | [] | [_] | _ :: _ :: _ :: _ => rfl
  | «where» =>
    match places with
    | [condition, x, y] => exact applying_erased _ _ [condition, x, y]
    | [] | [_] | [_, _] | _ :: _ :: _ :: _ :: _ => rfl
  | det =>
    match places with
    | [x] => exact determining_erased x
    | [] | _ :: _ :: _ => rfl
  | solve =>
    match places with
    | [matrices, sides] => exact solving_erased matrices sides
    | [] | [_] | _ :: _ :: _ :: _ => rfl

end Adjudge
