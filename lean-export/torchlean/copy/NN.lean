module

public import NN.IR.Semantics
public import NN.Proofs.RuntimeApprox.Graph.NumericalCertificate
public import NN.Runtime.Autograd.Engine.Core.Linear
public import NN.Runtime.Autograd.Engine.Core.Shape
public import NN.Runtime.Autograd.Engine.TapeM
public import NN.Spec.Core.Context.Rational
public import NN.Spec.Core.Context.Real

/-!
A copy of those definitions of TorchLean that a witness speaks of, under TorchLean's names, written from
its published statements without Mathlib. It decides nothing about TorchLean: it shows that the text of a
witness is well-formed, that its ids are those of the tape, and that wrong numbers are refused.
-/
