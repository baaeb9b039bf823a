module

import Lean.Elab.Frontend

open Lean

/-!
# Challenge.lean and the library, constant by constant

Imports both, and walks them side by side: a constant of `Challenge` is that of `Adjudge` of the same name if
its type, its value and its constructors are the same expressions, every constant of `Challenge` in them again
read as that of `Adjudge`. A claim `Challenge.Claims.x` is proved if `Adjudge.x` is a theorem whose type is
the claim. What is otherwise is printed, and the last line says how much was compared. The program is
interpreted, and walks lists by its own functions, as `Driver.lean` does.
-/

/-- The constants met so far, the pairs of numbered ones, and the pairs still to compare. -/
structure Pairs where
  met : NameSet := {}
  numbered : List (Name × Name) := []
  open_ : List (Name × Name) := []
  count : Nat := 0

partial def holds (pairs : List (Name × Name)) (m n : Name) : Bool :=
  match pairs with
  | [] => false
  | (a, b) :: rest => if a == m && b == n then true else holds rest m n

/-- The name below `Challenge` as one below `Adjudge`. -/
def counterpart (name : Name) : Name := name.replacePrefix `Challenge `Adjudge

/-- Lean numbers its own matches and proofs within a module, so that their names may differ; their content may not. -/
def isNumbered (name : Name) : Bool :=
  match name with
  | .str _ last => last.startsWith "match_" || last.startsWith "_proof_" || last.startsWith "proof_"
  | _ => false

def pair (own : NameSet) (m n : Name) (p : Pairs) : Option Pairs :=
  let added := { p with open_ := (m, n) :: p.open_, count := p.count + 1 }
  if !own.contains m then if m == n then some p else none
  else if isNumbered m && isNumbered n then
    if holds p.numbered m n then some p else some { added with numbered := (m, n) :: p.numbered }
  else if counterpart m == n then
    if p.met.contains m then some p else some { added with met := p.met.insert m }
  else none

/-- Whether two expressions are the same but for the names of bound variables and of the constants of the challenge. -/
partial def same (own : NameSet) (e f : Expr) (p : Pairs) : Option Pairs :=
  let both (a c b d : Expr) : Option Pairs :=
    match same own a c p with
    | some q => same own b d q
    | none => none
  match e, f with
  | .mdata _ a, _ => same own a f p
  | _, .mdata _ b => same own e b p
  | .const m us, .const n vs => if Expr.const `x us == Expr.const `x vs then pair own m n p else none
  | .app a b, .app c d => both a c b d
  | .lam _ a b _, .lam _ c d _ => both a c b d
  | .forallE _ a b _, .forallE _ c d _ => both a c b d
  | .letE _ a b k _, .letE _ c d l _ =>
    match both a c b d with
    | some q => same own k l q
    | none => none
  | .proj s i a, .proj t j b =>
    if i == j then
      match pair own s t p with
      | some q => same own a b q
      | none => none
    else none
  | .app .., _ | .lam .., _ | .forallE .., _ | .letE .., _ | .proj .., _ | .const .., _ => none
  | _, _ => if e == f then some p else none

partial def pairAll (own : NameSet) (ms ns : List Name) (p : Pairs) : Option Pairs :=
  match ms, ns with
  | [], [] => some p
  | m :: ms, n :: ns =>
    match pair own m n p with
    | some q => pairAll own ms ns q
    | none => none
  | _, _ => none

partial def equalNames (a b : List Name) : Bool :=
  match a, b with
  | [], [] => true
  | m :: ms, n :: ns => if m == n then equalNames ms ns else false
  | _, _ => false

/-- Whether two constants have the same type, and the same value or constructors; of proofs the type is all. -/
def sameConstant (own : NameSet) (c d : ConstantInfo) (p : Pairs) : Option Pairs :=
  if !equalNames c.levelParams d.levelParams then none else
  match same own c.type d.type p with
  | none => none
  | some q =>
    match c, d with
    | .defnInfo v, .defnInfo w => same own v.value w.value q
    | .opaqueInfo v, .opaqueInfo w => same own v.value w.value q
    | .thmInfo _, .thmInfo _ => some q
    | .inductInfo v, .inductInfo w =>
      if v.numParams == w.numParams && v.numIndices == w.numIndices then pairAll own v.ctors w.ctors q else none
    | .ctorInfo v, .ctorInfo w => if v.cidx == w.cidx then pair own v.induct w.induct q else none
    | .recInfo _, .recInfo _ => some q
    | _, _ => none

def tell (line : String) : IO Unit := do
  let out ← IO.getStdout
  out.putStrLn line
  out.flush

/-- Compares the open pairs and all that they lead to; those that differ. -/
partial def compareAll (env : Environment) (own : NameSet) (p : Pairs) (wrong : List Name) : Pairs × List Name :=
  match p.open_ with
  | [] => (p, wrong)
  | (m, n) :: rest =>
    let p := { p with open_ := rest }
    let compared := match env.find? m, env.find? n with
      | some c, some d => sameConstant own c d p
      | _, _ => none
    match compared with
    | some q => compareAll env own q wrong
    | none => compareAll env own p (m :: wrong)

/-- Compares a claim with the theorem of its name. -/
def claimed (env : Environment) (own : NameSet) (claim theorem_ : Name) (p : Pairs) : Option Pairs :=
  match env.find? claim, env.find? theorem_ with
  | some (.defnInfo v), some (.thmInfo w) => if w.levelParams matches [] then same own v.value w.type p else none
  | _, _ => none

/-- The claims are compared with the theorems of their names; what these speak of is left open. -/
partial def claimAll (env : Environment) (own : NameSet) (names : List Name) (p : Pairs) (wrong : List Name) :
    Pairs × List Name :=
  match names with
  | [] => (p, wrong)
  | name :: rest =>
    match claimed env own name (name.replacePrefix `Challenge.Claims `Adjudge) p with
    | some q => claimAll env own rest q wrong
    | none => claimAll env own rest p (name :: wrong)

partial def claimsIn (names : Array Name) (i : Nat) (onto : List Name) : List Name :=
  if i < names.size then
    claimsIn names (i + 1) (if (`Challenge.Claims).isPrefixOf names[i]! then names[i]! :: onto else onto)
  else onto

partial def sayAll (words : String) (names : List Name) : IO Unit := do
  match names with
  | [] => pure ()
  | name :: rest => do
    tell (words ++ name.toString (escape := false))
    sayAll words rest

partial def lengthOf (names : List Name) (n : Nat) : Nat :=
  match names with
  | [] => n
  | _ :: rest => lengthOf rest (n + 1)

partial def indexOf (names : Array Name) (name : Name) (i : Nat) : Nat :=
  if i < names.size then if names[i]! == name then i else indexOf names name (i + 1) else i

@[noinline] def importBoth : IO Environment := do
  let imports : Array Import := #[{ module := `Init }, { module := `Challenge }, { module := `Adjudge }]
  let (_, state) ← (importModulesCore imports .private).run
  finalizeImport state imports {} 0 false true .private

partial def setOf (names : Array Name) (i : Nat) (onto : NameSet) : NameSet :=
  if i < names.size then setOf names (i + 1) (onto.insert names[i]!) else onto

public def main : IO UInt32 := do
  let env ← importBoth
  let names := env.header.moduleData[indexOf env.header.moduleNames `Challenge 0]!.constNames
  let own := setOf names 0 {}
  let claims := claimsIn names 0 []
  let (p, wrong) := claimAll env own claims {} []
  sayAll "says another thing than the library's theorem: " wrong
  let (p, differing) := compareAll env own p []
  sayAll "is defined otherwise than in the library: " differing
  tell (toString (lengthOf claims 0) ++ " claims about " ++ toString p.count ++ " constants")
  return match wrong, differing with | [], [] => 0 | _, _ => 1
