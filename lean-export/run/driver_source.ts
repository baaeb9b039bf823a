/**
 * The Lean program that checks files: it reads one request a line, elaborates the file as Lean's own frontend
 * does, and says what Lean said and what the environment then holds. That a claim is there, what it rests on
 * and what its statement speaks of is read off the environment, by this program, never off the file's output.
 *
 * A request is a line that names a file, whose lines are: nonce, file, module, key of the imports, claims
 * (separated by commas), library, compiled file or `-`. Files with the same key share what they import. An
 * answer: one line of JSON for each message, then one with `done`; each repeats the nonce.
 *
 * It is interpreted, and lists are walked by its own functions: the WebAssembly build has no code for many of
 * the polymorphic ones of the library.
 */
export const driverSource: string = String.raw`module

import Lean.Elab.Frontend

open Lean Elab

/-- What is reached from some constants: the axioms, and the modules in which the others stand. -/
structure Walk where
  visited : NameSet := {}
  axioms : List Name := []
  modules : List Name := []

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
      walk env rest (if isAxiom env name then { w with axioms := name :: w.axioms } else w)
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

def describe (env : Environment) (claim : String) : Json :=
  match find env claim.toName with
  | none => Json.mkObj [("name", Json.str claim), ("kind", Json.str "missing")]
  | some (name, info) =>
    let isLocal := match env.getModuleIdxFor? name with | some _ => false | none => true
    let kind := match info with | .thmInfo _ => "theorem" | _ => "other"
    let all := walk env [name] {}
    let said := walk env (pushAll info.type.getUsedConstants 0 []) {}
    Json.mkObj [("name", Json.str claim), ("kind", Json.str (if isLocal then kind else "imported")),
      ("axioms", jsonNames all.axioms #[]), ("about", jsonNames said.modules #[])]

partial def describeAll (env : Environment) (claims : List String) (onto : Array Json) : Json :=
  match claims with
  | [] => Json.arr onto
  | c :: rest => describeAll env rest (if c == "" then onto else onto.push (describe env c))

partial def theoremsOf (env : Environment) (own onto : List Name) : List Name :=
  match own with
  | [] => onto
  | name :: rest =>
    let isOne := match env.find? name with | some (.thmInfo _) => !name.isInternal | _ => false
    theoremsOf env rest (if isOne then name :: onto else onto)

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

def answer (init : ImportState) (cache : IO.Ref (Option Imported))
    (nonce file mod key claims library compiled : String) : IO Unit := do
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
    cache.set (some { key := key, env := env })
    let state ← IO.processCommands input position (Command.mkState env said {})
    let env := state.commandState.env
    sayMessages nonce state.commandState.messages.toList
    let content ← mkModuleData env .private
    let names := pushAll content.constNames 0 []
    let all := walk env names {}
    if compiled != "-" && !state.commandState.messages.hasErrors then
      writeModule env compiled
    say (Json.mkObj [("nonce", Json.str nonce), ("done", Json.bool true),
      ("claims", describeAll env (claims.splitOn ",") #[]),
      ("axioms", jsonNames all.axioms #[]),
      ("theorems", jsonNames (theoremsOf env names []) #[]),
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
    | [nonce, file, mod, key, claims, library, compiled] =>
      try answer init cache nonce file mod key claims library compiled
      catch error => say (Json.mkObj [("nonce", Json.str nonce), ("failed", Json.str error.toString)])
    | _ => say (Json.mkObj [("failed", Json.str "a request of another form")])
    listen init input cache

public def main : IO Unit := do
  let input ← IO.getStdin
  let cache ← IO.mkRef none
  let init ← readInit
  say (Json.mkObj [("ready", Json.bool true)])
  listen init input cache
`;
