; What operators/iota/adjoint/to-3 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const c.0 Real)
(declare-const c.1 Real)
(declare-const c.2 Real)
(check-sat)
