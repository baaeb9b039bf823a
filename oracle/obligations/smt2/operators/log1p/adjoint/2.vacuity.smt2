; What operators/log1p/adjoint/2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const c.0 Real)
(declare-const c.1 Real)
(declare-const reciprocal.0 Real)
(declare-const reciprocal.1 Real)
(check-sat)
