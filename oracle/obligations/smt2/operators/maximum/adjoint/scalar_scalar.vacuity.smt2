; What operators/maximum/adjoint/scalar_scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(declare-const c.0 Real)
(define-fun $1 () Bool (= x1.0 x1.0))
(define-fun $2 () Bool (< x0.0 x1.0))
(define-fun $3 () Bool (< x1.0 x0.0))
(check-sat)
