; What operators/tan/adjoint/scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const c.0 Real)
(declare-const tan.0 Real)
(define-fun $1 () Real (+ 1.0 (* tan.0 tan.0)))
(check-sat)
