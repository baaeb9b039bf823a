; What operators/slice/adjoint/3-backwards assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(declare-const c.0 Real)
(declare-const c.1 Real)
(declare-const c.2 Real)
(check-sat)
