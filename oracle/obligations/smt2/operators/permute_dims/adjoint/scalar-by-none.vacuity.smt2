; What operators/permute_dims/adjoint/scalar-by-none assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const c.0 Real)
(define-fun $1 () Real (+ 0.0 (* dx0.0 c.0)))
(check-sat)
