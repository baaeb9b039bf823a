; What operators/where/adjoint/scalar_scalar_scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx1.0 Real)
(declare-const dx2.0 Real)
(declare-const c.0 Real)
(define-fun $1 () Bool (= x0.0 0.0))
(check-sat)
