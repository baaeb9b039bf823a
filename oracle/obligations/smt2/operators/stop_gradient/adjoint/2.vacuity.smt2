; What operators/stop_gradient/adjoint/2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const c.0 Real)
(declare-const c.1 Real)
(check-sat)
