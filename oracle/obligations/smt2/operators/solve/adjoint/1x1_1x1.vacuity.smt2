; What operators/solve/adjoint/1x1_1x1 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x1.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(declare-const c.0 Real)
(declare-const reciprocal.0 Real)
(define-fun $1 () Real (+ 0.0 1.0))
(define-fun $2 () Real (* (+ 0.0 (* $1 x1.0)) reciprocal.0))
(define-fun $3 () Real (* (+ 0.0 (* $1 c.0)) reciprocal.0))
(check-sat)
