module

public meta import Lean.Elab.Frontend
public meta import Init.Data.String.Legacy

-- Who imports the compiled program finds no code of terms that were taken out of their definitions.
set_option compiler.extract_closed false

public meta section

open Lean Elab

/-- What is reached from some constants: the axioms, and the modules in which the others stand. -/
structure Walk where
  visited : NameSet := {}
  axioms : List Name := []
  modules : List Name := []
  /-- Theorems outside of the library, whose proofs are in no file of Lean's: what they rest on cannot be seen. -/
  unseen : List Name := []

partial def pushAll (names : Array Name) (i : Nat) (onto : List Name) : List Name :=
  if i < names.size then pushAll names (i + 1) (names[i]! :: onto) else onto

partial def holds (names : List Name) (name : Name) : Bool :=
  match names with
  | [] => false
  | n :: rest => if n == name then true else holds rest name

/-- An imported theorem looks like an axiom; what it was in its own module counts. -/
def isAxiom (env : Environment) (name : Name) : Bool :=
  match getOriginalConstKind? env name with
  | some .axiom => true
  | some _ => false
  | none => true

partial def pushList (names onto : List Name) : List Name :=
  match names with
  | [] => onto
  | n :: rest => pushList rest (n :: onto)

def usedBy (info : ConstantInfo) (onto : List Name) : List Name :=
  match info with
  | .defnInfo v => pushAll v.type.getUsedConstants 0 (pushAll v.value.getUsedConstants 0 onto)
  | .thmInfo v => pushAll v.type.getUsedConstants 0 (pushAll v.value.getUsedConstants 0 onto)
  | .opaqueInfo v => pushAll v.type.getUsedConstants 0 (pushAll v.value.getUsedConstants 0 onto)
  | .inductInfo v => pushAll v.type.getUsedConstants 0 (pushList v.ctors onto)
  | .ctorInfo v => pushAll v.type.getUsedConstants 0 onto
  | .recInfo v => pushAll v.type.getUsedConstants 0 onto
  | .axiomInfo v => pushAll v.type.getUsedConstants 0 onto
  | .quotInfo _ => onto

/-- Follows the file's own constants; those of other modules were followed when their module was audited. -/
partial def walk (env : Environment) (open_ : List Name) (w : Walk) : Walk :=
  match open_ with
  | [] => w
  | name :: rest =>
    if w.visited.contains name then walk env rest w else
    let w := { w with visited := w.visited.insert name }
    match env.getModuleIdxFor? name with
    | some index =>
      let mod := env.header.moduleNames[index]!
      let w := if holds w.modules mod then w else { w with modules := mod :: w.modules }
      match getOriginalConstKind? env name with
      | some .thm => walk env rest (if mod.getRoot == env.mainModule.getRoot then w else { w with unseen := name :: w.unseen })
      | _ => walk env rest (if isAxiom env name then { w with axioms := name :: w.axioms } else w)
    | none =>
      match env.find? name with
      | some (.axiomInfo _) => walk env rest { w with axioms := name :: w.axioms }
      | some info => walk env (usedBy info rest) w
      | none => walk env rest { w with axioms := name :: w.axioms }

partial def jsonNames (names : List Name) (onto : Array Json) : Json :=
  match names with
  | [] => Json.arr onto
  | n :: rest => jsonNames rest (onto.push (Json.str (n.toString (escape := false))))

def find (env : Environment) (name : Name) : Option (Name × ConstantInfo) :=
  match env.find? name with
  | some info => some (name, info)
  | none =>
    match env.find? (mkPrivateName env name) with
    | some info => some (mkPrivateName env name, info)
    | none => none

/-- The numbers that stand where a pattern has 7 and 9. -/
structure Slots where
  first : Option Nat := none
  second : Option Nat := none

def filled (slot : Option Nat) (n : Nat) : Bool :=
  match slot with
  | some m => m == n
  | none => true

/-- The numbers in an expression that is the pattern but for them. -/
partial def fits (pattern e : Expr) (slots : Slots) : Option Slots :=
  match pattern, e with
  | .mdata _ p, _ => fits p e slots
  | _, .mdata _ x => fits pattern x slots
  | .app f a, .app g b =>
    match fits f g slots with
    | some found => fits a b found
    | none => none
  | .lit (.natVal m), .lit (.natVal n) =>
    if m == 7 then if filled slots.first n then some { slots with first := some n } else none
    else if m == 9 then if filled slots.second n then some { slots with second := some n } else none
    else if m == n then some slots else none
  | p, x => if p == x then some slots else none

def slot (number : Option Nat) : String :=
  match number with
  | some n => toString n
  | none => ""

/-- What is stated, and of which numbers: the first pattern of the list that a type fits, by its place. -/
partial def stated (patterns : List Expr) (type : Expr) (place : Nat) : Json :=
  match patterns with
  | [] => Json.null
  | p :: rest =>
    match fits p type {} with
    | some s => Json.arr #[Json.str (toString place), Json.str (slot s.first), Json.str (slot s.second)]
    | none => stated rest type (place + 1)

/-- An expression with every argument, as the kernel has it. -/
partial def shown (e : Expr) (inside : Bool) : String :=
  match e with
  | .mdata _ x => shown x inside
  | .const name _ => name.toString (escape := false)
  | .app f a =>
    let text := shown f false ++ " " ++ shown a true
    if inside then "(" ++ text ++ ")" else text
  | .lit (.natVal n) => toString n
  | _ => "_"

/-- What the statements of the exporter are, elaborated from the imports alone. -/
structure Expected where
  env : Environment
  patterns : List Expr

def typeIn (env : Environment) (name : Name) : Option Expr :=
  match env.find? name with
  | some info => some info.type
  | none => none

def definitionIn (env : Environment) (name : Name) : Option Expr :=
  match env.find? name with
  | some (.defnInfo v) => some v.value
  | _ => none

partial def reversed (list onto : List Expr) : List Expr :=
  match list with
  | [] => onto
  | e :: rest => reversed rest (e :: onto)

/-- The types of the axioms statement_0, statement_1 and so on. -/
partial def patternsIn (env : Environment) (module : String) (place : Nat) (onto : List Expr) : List Expr :=
  match typeIn env (module ++ ".statement_" ++ toString place).toName with
  | some type => patternsIn env module (place + 1) (type :: onto)
  | none => reversed onto []

/-- A list, entry by entry; long ones are written as those of their parts. -/
partial def listOf (entry : Expr → Option Json) (e : Expr) (onto : Array Json) : Option Json :=
  match e with
  | .mdata _ x => listOf entry x onto
  | .letE _ _ v b _ => listOf entry (b.instantiate1 v) onto
  | .app (.app (.app (.const cons _) _) head) tail =>
    if cons == "List.cons".toName then
      match entry head with
      | some json => listOf entry tail (onto.push json)
      | none => none
    else none
  | .app (.const nil _) _ => if nil == "List.nil".toName then some (Json.arr onto) else none
  | _ => none

/-- A list from its first entry. Functions here have names: who imports this finds no code of others. -/
@[noinline] def listed (entry : Expr → Option Json) (e : Expr) : Option Json := listOf entry e #[]

def isZero (slot : Option Nat) : Bool :=
  match slot with
  | some n => n == 0
  | none => false

/-- A number, if it is written as one of the patterns; by 0 it is none, though Lean takes it for 0. -/
partial def numberBy (patterns : List (String × String × Expr)) (e : Expr) : Option Json :=
  match patterns with
  | [] => none
  | (sign, between, p) :: rest =>
    match fits p e {} with
    | some s => if isZero s.second then none else some (Json.str (sign ++ slot s.first ++ between ++ slot s.second))
    | none => numberBy rest e

def patternOf (env : Environment) (module name sign between : String)
    (onto : List (String × String × Expr)) : List (String × String × Expr) :=
  match definitionIn env (module ++ "." ++ name).toName with
  | some p => (sign, between, p) :: onto
  | none => onto

def isConst (e : Expr) (name : String) : Bool :=
  match e with
  | .const n _ => n == name.toName
  | _ => false

/-- What an expression applies, and to what. -/
partial def applied (e : Expr) (onto : List Expr) : Expr × List Expr :=
  match e with
  | .mdata _ x => applied x onto
  | .app f a => applied f (a :: onto)
  | _ => (e, onto)

partial def arrayOf (list : List Expr) (onto : Array Expr) : Array Expr :=
  match list with
  | [] => onto
  | e :: rest => arrayOf rest (onto.push e)

/-- The constructor's arguments, if an expression is made by it. -/
def madeBy (constructor : String) (count : Nat) (e : Expr) : Option (Array Expr) :=
  let (head, args) := applied e []
  let args := arrayOf args #[]
  if isConst head constructor && args.size == count then some args else none

def pair (key : String) (json : Option Json) (rest : Option (List (String × Json))) : Option (List (String × Json)) :=
  match json, rest with
  | some j, some others => some ((key, j) :: others)
  | _, _ => none

def objectOf (fields : Option (List (String × Json))) : Option Json :=
  match fields with
  | some list => some (Json.mkObj list)
  | none => none

/-- The patterns of the numbers of a file. -/
structure Reading where
  natural : Expr → Option Json
  integer : Expr → Option Json
  number : Expr → Option Json
  seeded : Option Expr

def Reading.naturals (r : Reading) (e : Expr) : Option Json := listed r.natural e

def Reading.shapes (r : Reading) (e : Expr) : Option Json := listed r.naturals e

def Reading.numbers (r : Reading) (e : Expr) : Option Json := listed (listed r.number) e

/-- The name of an elementary function. -/
def elementaryOf (library : Name) (e : Expr) : Option Json :=
  match e with
  | .const name _ => if name.getPrefix == library.str "Elementary" then some (Json.str name.getString!) else none
  | _ => none

/-- An attribute of an operator: a flag, the name of a function, a number or numbers. -/
def Reading.attribute (r : Reading) (library : Name) (e : Expr) : Option Json :=
  if isConst e "Bool.true" then some (Json.bool true)
  else if isConst e "Bool.false" then some (Json.bool false)
  else match elementaryOf library e, r.natural e, r.naturals e with
    | some json, _, _ => some json
    | none, some json, _ => some json
    | none, none, some json => some json
    | none, none, none => listed r.integer e

partial def Reading.attributes (r : Reading) (library : Name) (args : Array Expr) (i : Nat)
    (onto : Array Json) : Option Json :=
  if i < args.size then
    match r.attribute library args[i]! with
    | some json => r.attributes library args (i + 1) (onto.push json)
    | none => none
  else some (Json.arr onto)

partial def Reading.operator (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match applied e [] with
  | (.const name _, args) =>
    if name.getPrefix == library.str "Operator" then
      match r.attributes library (arrayOf args #[]) 0 #[] with
      | some json => some (Json.mkObj [("name", Json.str name.getString!), ("attributes", json)])
      | none => none
    else none
  | _ => none

def Reading.instruction (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Instruction.mk") 3 e with
  | some a => objectOf (pair "operator" (r.operator library a[0]!) (pair "parents" (r.naturals a[1]!)
      (pair "shape" (r.naturals a[2]!) (some []))))
  | none => none

def Reading.program (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Program.mk") 3 e with
  | some a => objectOf (pair "inputs" (r.shapes a[0]!) (pair "environment" (r.shapes a[1]!)
      (pair "nodes" (listed (r.instruction library) a[2]!) (some []))))
  | none => none

def Reading.seed (r : Reading) (e : Expr) : Option Json :=
  match madeBy "Prod.mk" 4 e with
  | some a => objectOf (pair "id" (r.natural a[2]!) (pair "numbers" (listed r.number a[3]!) (some [])))
  | none => none

partial def Reading.seeds (r : Reading) (e : Expr) : Option Json :=
  match e, r.seeded with
  | .mdata _ x, _ => r.seeds x
  | .app f list, some (.app g _) => if f == g then listed r.seed list else none
  | _, _ => none

def Reading.run (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Run.mk") 6 e with
  | some a => objectOf (pair "inputs" (r.numbers a[1]!) (pair "environment" (r.numbers a[2]!)
      (pair "seeds" (r.seeds a[3]!) (pair "values" (r.numbers a[4]!) (pair "cotangents" (r.numbers a[5]!) (some []))))))
  | none => none

def Reading.positFormat (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Posit.Format.mk") 3 e with
  | some a => objectOf (pair "width" (r.natural a[0]!)
      (pair "regimeBits" (r.natural a[1]!) (pair "exponentBits" (r.natural a[2]!) (some []))))
  | none => none

def Reading.arithmetic (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Arithmetic.float") 2 e, madeBy (library.toString ++ ".Arithmetic.posit") 1 e with
  | some a, _ => objectOf (pair "unit" (r.number a[0]!) (pair "smallest" (r.number a[1]!) (some [])))
  | none, some a => objectOf (pair "posit" (r.positFormat library a[0]!) (some []))
  | none, none => none

def Reading.engine (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Engine.mk") 5 e with
  | some a => objectOf (pair "arithmetic" (r.arithmetic library a[0]!)
      (pair "values" (r.numbers a[1]!) (pair "cotangents" (r.numbers a[2]!)
      (pair "valueBounds" (r.numbers a[3]!) (pair "cotangentBounds" (r.numbers a[4]!) (some []))))))
  | none => none

def Reading.tableRow (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".TableRow.mk") 5 e with
  | some a => objectOf (pair "f" (elementaryOf library a[1]!) (pair "arguments" (listed r.number a[2]!)
      (pair "value" (r.number a[3]!) (pair "slopes" (listed r.number a[4]!) (some [])))))
  | none => none

def Reading.table (r : Reading) (library : Name) (e : Expr) : Option Json := listed (r.tableRow library) e

def Reading.interval (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Interval.between") 2 e with
  | some a =>
    match r.number a[0]!, r.number a[1]! with
    | some low, some high => some (Json.arr #[low, high])
    | _, _ => none
  | none => none

def Reading.intervals (r : Reading) (library : Name) (e : Expr) : Option Json := listed (r.interval library) e

def Reading.intervalRows (r : Reading) (library : Name) (e : Expr) : Option Json := listed (r.intervals library) e

def Reading.given (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Given.mk") 3 e with
  | some a => objectOf (pair "inputs" (r.numbers a[0]!) (pair "environment" (r.numbers a[1]!)
      (pair "seeds" (r.seeds a[2]!) (some []))))
  | none => none

def Reading.functionRow (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".FunctionRow.mk") 4 e with
  | some a => objectOf (pair "f" (elementaryOf library a[0]!) (pair "arguments" (r.intervals library a[1]!)
      (pair "value" (r.interval library a[2]!) (pair "slopes" (r.intervals library a[3]!) (some [])))))
  | none => none

def Reading.enclosure (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Enclosure.mk") 2 e with
  | some a => objectOf (pair "values" (r.intervalRows library a[0]!)
      (pair "cotangents" (r.intervalRows library a[1]!) (some [])))
  | none => none

def flagOf (e : Expr) : Option Json :=
  if isConst e "Bool.true" then some (Json.bool true)
  else if isConst e "Bool.false" then some (Json.bool false)
  else none

def Reading.answer (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".Answer.mk") 6 e with
  | some a => objectOf (pair "isCotangent" (flagOf a[0]!) (pair "id" (r.natural a[1]!)
      (pair "element" (r.natural a[2]!) (pair "number" (r.number a[3]!)
      (pair "bound" (r.number a[4]!) (pair "isRefuted" (flagOf a[5]!) (some [])))))))
  | none => none

def Reading.term (r : Reading) (e : Expr) : Option Json :=
  match madeBy "Prod.mk" 4 e with
  | some a => objectOf (pair "id" (r.natural a[2]!) (pair "times" (r.number a[3]!) (some [])))
  | none => none

def Reading.system (r : Reading) (library : Name) (e : Expr) : Option Json :=
  match madeBy (library.toString ++ ".DimensionSystem.mk") 2 e with
  | some a => objectOf (pair "bases" (r.natural a[0]!)
      (pair "equations" (listed (listed r.term) a[1]!) (some [])))
  | none => none

/-- A definition of the file's own, of the type that the exporter gives it, read as data; null if it is not. -/
def dataOf (env : Environment) (expected : Expected) (module name : String) (read : Expr → Option Json) : Json :=
  let full := (module ++ "." ++ name).toName
  match env.getModuleIdxFor? full, typeIn env full, typeIn expected.env full, definitionIn env full with
  | none, some type, some wanted, some value =>
    if type == wanted then
      match read value with
      | some json => json
      | none => Json.null
    else Json.null
  | _, _, _, _ => Json.null

def readingOf (expected : Expected) (module : String) : Reading :=
  let one := patternOf expected.env module
  let numbers := one "number" "" "" (one "negative" "-" "" (one "fraction" "" "/" (one "negative_fraction" "-" "/" [])))
  { natural := numberBy (one "natural" "" "" []), number := numberBy numbers,
    integer := numberBy (one "integer" "" "" (one "negative_integer" "-" "" [])),
    seeded := definitionIn expected.env (module ++ ".seeded").toName }

/-- The data of an exported file, as Lean has them. -/
def seen (env : Environment) (expected : Expected) (module : String) (library : Name) : Json :=
  let r := readingOf expected module
  Json.mkObj [("program", dataOf env expected module "program" (r.program library)),
    ("run", dataOf env expected module "run" (r.run library)),
    ("engine", dataOf env expected module "engine" (r.engine library)),
    ("table", dataOf env expected module "table" (r.table library)),
    ("given", dataOf env expected module "given" (r.given library)),
    ("functions", dataOf env expected module "functions" (listed (r.functionRow library))),
    ("enclosure", dataOf env expected module "enclosure" (r.enclosure library)),
    ("answers", dataOf env expected module "answers" (listed (r.answer library))),
    ("system", dataOf env expected module "system" (r.system library))]

/-- The constants that a file has named itself. -/
partial def named (own onto : List Name) : List Name :=
  match own with
  | [] => onto
  | name :: rest =>
    let user := match privateToUserName? name with | some n => n | none => name
    named rest (if user.isInternal then onto else user :: onto)

def describe (env : Environment) (patterns : List Expr) (claim : String) : Json :=
  match find env claim.toName with
  | none => Json.mkObj [("name", Json.str claim), ("kind", Json.str "missing")]
  | some (name, info) =>
    let isLocal := match env.getModuleIdxFor? name with | some _ => false | none => true
    let kind := match info with | .thmInfo _ => "theorem" | _ => "other"
    let all := walk env [name] {}
    let said := walk env (pushAll info.type.getUsedConstants 0 []) {}
    Json.mkObj [("name", Json.str claim), ("kind", Json.str (if isLocal then kind else "imported")),
      ("axioms", jsonNames all.axioms #[]), ("about", jsonNames said.modules #[]),
      ("states", match info.levelParams with | [] => stated patterns info.type 0 | _ => Json.null), ("shown", Json.str (shown info.type false))]

partial def describeAll (env : Environment) (patterns : List Expr) (claims : List String) (onto : Array Json) : Json :=
  match claims with
  | [] => Json.arr onto
  | c :: rest => describeAll env patterns rest (if c == "" then onto else onto.push (describe env patterns c))

partial def isNumberUpTo (limit : Nat) (text : String) : Bool :=
  if limit == 0 then false else if text == toString limit then true else isNumberUpTo (limit - 1) text

/-- Whether Lean adds theorems of this name to definitions and constructors. -/
def isAdded (name : Name) : Bool :=
  match name with
  | .str _ last =>
    match last.splitOn "_" with
    | ["eq", n] => n == "def" || isNumberUpTo 99 n
    | ["sizeOf", "spec"] => true
    | ["congr", "simp"] => true
    | [one] => one == "inj" || one == "injEq"
    | _ => false
  | _ => false

/-- The theorems that stand in a file, each with its type as Lean writes it; none that Lean has added. -/
partial def theoremsOf (env : Environment) (own : List Name) (onto : Array Json) : IO Json :=
  match own with
  | [] => pure (Json.arr onto)
  | name :: rest => do
    match env.find? name with
    | some (.thmInfo v) =>
      if name.isInternal || isAdded name then theoremsOf env rest onto else do
        let type ← PrettyPrinter.ppExprLegacy env {} {} {} v.type
        theoremsOf env rest (onto.push (Json.arr #[Json.str (name.toString (escape := false)), Json.str (type.pretty 100000)]))
    | _ => theoremsOf env rest onto

/-- The file's constants whose name, below its first part, is also one of the library's, or of Lean's. -/
partial def shadows (env : Environment) (library : Name) (own : List Name) (onto : List Name) : List Name :=
  match own with
  | [] => onto
  | name :: rest =>
    let user := match privateToUserName? name with | some n => n | none => name
    let below := user.replacePrefix user.getRoot .anonymous
    let isTaken := env.contains below || env.contains (user.replacePrefix user.getRoot library)
    let isShadow := !name.isInternal && user != user.getRoot && user.getRoot != library && isTaken
    shadows env library rest (if isShadow then user :: onto else onto)

def say (json : Json) : IO Unit := do
  let out ← IO.getStdout
  out.putStrLn json.compress
  out.flush

partial def sayMessages (nonce : String) (messages : List Message) : IO Unit := do
  match messages with
  | [] => pure ()
  | m :: rest => do
    let json ← m.toJson
    say (Json.mkObj [("nonce", Json.str nonce), ("message", json)])
    sayMessages nonce rest

def inputOf (file text : String) : Parser.InputContext :=
  { inputString := text, fileName := file, fileMap := FileMap.ofString text }

/-- Whether it imports what every module imports, which is Init. -/
def isPlain (header : HeaderSyntax) : Bool :=
  HeaderSyntax.isModule header && header.raw[1].isNone

/-- The modules that every module imports, read. -/
def readInit : IO ImportState := do
  let (header, _, _) ← Parser.parseHeader (inputOf "init" "module")
  let (_, state) ← (importModulesCore (HeaderSyntax.imports header) .exported).run
  return state

/-- The environment after the imports, as processHeader makes it, but from what was read of Init before. -/
@[noinline] def finishImports (init : ImportState) (imports : Array Import) : IO Environment := do
  let (_, state) ← (importModulesCore imports .exported).run init
  finalizeImport state imports {} 0 false true .exported

def importAll (init : ImportState) (header : HeaderSyntax) (mod : Name) (said : MessageLog)
    (input : Parser.InputContext) : IO (Environment × MessageLog) := do
  if isPlain header then
    try
      let env ← finishImports init (HeaderSyntax.imports header)
      return (env.setMainModule mod, said)
    catch _ => processHeader header {} said input (mainModule := mod)
  else
    processHeader header {} said input (mainModule := mod)

structure Imported where
  key : String
  env : Environment
  /-- The statements that were elaborated last from these imports, and their text. -/
  expected : Option (String × Expected) := none

/-- A file's commands begin so. Nobody looks at lints here, nor at the trees of information that they need. -/
def beginning (env : Environment) (said : MessageLog) : Command.State :=
  { Command.mkState env said (KVMap.setBool {} `linter.all false) with infoState := { enabled := false } }

/-- What the statements say, elaborated from what is imported and nothing else. -/
def expectedOf (env : Environment) (mod text : String) : IO Expected := do
  let input := inputOf "statements" text
  let (_, position, _) ← Parser.parseHeader input
  let state ← IO.processCommands input position (beginning env {})
  let log := state.commandState.messages
  if log.hasErrors then throw (IO.userError "the statements of the exporter do not elaborate")
  let env := state.commandState.env
  return { env := env, patterns := patternsIn env mod 0 [] }

def answer (init : ImportState) (cache : IO.Ref (Option Imported))
    (nonce file mod key claims library compiled statements : String) : IO Unit := do
  let text ← IO.FS.readFile file
  let input := inputOf file text
  let (header, position, said) ← Parser.parseHeader input
  let held ← cache.get
  let fresh : IO (Environment × MessageLog) := importAll init header mod.toName said input
  let (env, said) ← match held with
    | some i => if i.key == key then pure (i.env, said) else fresh
    | none => fresh
  if said.hasErrors then
    sayMessages nonce said.toList
    say (Json.mkObj [("nonce", Json.str nonce), ("done", Json.bool false)])
  else
    let before := match held with
      | some i => if i.key == key then i.expected else none
      | none => none
    let imported := env
    let expected ← if statements == "-" then pure none else do
      let wanted ← IO.FS.readFile statements
      match before with
      | some (same, e) => if same == wanted then pure (some (same, e)) else do
          let e ← expectedOf imported mod wanted
          pure (some (wanted, e))
      | none => do
          let e ← expectedOf imported mod wanted
          pure (some (wanted, e))
    cache.set (some { key := key, env := imported, expected := expected })
    let state ← IO.processCommands input position (beginning env said)
    let env := state.commandState.env
    sayMessages nonce state.commandState.messages.toList
    let content ← mkModuleData env .private
    let names := pushAll content.constNames 0 []
    let all := walk env names {}
    if compiled != "-" && !state.commandState.messages.hasErrors then
      writeModule env compiled
    let theorems ← if compiled == "-" then pure (Json.arr #[]) else theoremsOf env names #[]
    say (Json.mkObj [("nonce", Json.str nonce), ("done", Json.bool true),
      ("claims", describeAll env (match expected with | some (_, e) => e.patterns | none => [])
        (claims.splitOn ",") #[]),
      ("seen", match expected with | some (_, e) => seen env e mod library.toName | none => Json.null),
      ("constants", jsonNames (named names []) #[]),
      ("axioms", jsonNames all.axioms #[]),
      ("unseen", jsonNames all.unseen #[]),
      ("theorems", theorems),
      ("shadows", jsonNames (shadows env library.toName names []) #[])])

partial def listen (init : ImportState) (input : IO.FS.Stream) (cache : IO.Ref (Option Imported)) : IO Unit := do
  let line ← input.getLine
  if line == "" then
    IO.Process.exit 0
  else
    let request ← match line.splitOn "\n" with
      | file :: _ => IO.FS.readFile file
      | [] => pure ""
    match request.splitOn "\n" with
    | [nonce, file, mod, key, claims, library, compiled, statements] =>
      try answer init cache nonce file mod key claims library compiled statements
      catch error => say (Json.mkObj [("nonce", Json.str nonce), ("failed", Json.str error.toString)])
    | _ => say (Json.mkObj [("failed", Json.str "a request of another form")])
    listen init input cache

def main : IO Unit := do
  let input ← IO.getStdin
  let cache ← IO.mkRef none
  let init ← readInit
  say (Json.mkObj [("ready", Json.bool true)])
  listen init input cache
