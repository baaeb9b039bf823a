; What operators/full/adjoint/to-scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const c.0 Real)
(check-sat)
