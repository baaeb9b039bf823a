; What operators/subtract/derivative/scalar_scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(declare-const h Real)
(check-sat)
