; What operators/broadcast_to/adjoint/2x1-to-2x3 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const c.0 Real)
(declare-const c.1 Real)
(declare-const c.2 Real)
(declare-const c.3 Real)
(declare-const c.4 Real)
(declare-const c.5 Real)
(check-sat)
