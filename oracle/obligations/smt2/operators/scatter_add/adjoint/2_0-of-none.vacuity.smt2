; What operators/scatter_add/adjoint/2_0-of-none assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const c.0 Real)
(declare-const c.1 Real)
(define-fun $1 () Real (+ (+ 0.0 (* dx0.0 c.0)) (* dx0.1 c.1)))
(check-sat)
