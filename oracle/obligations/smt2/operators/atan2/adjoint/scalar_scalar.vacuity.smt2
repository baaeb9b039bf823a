; What operators/atan2/adjoint/scalar_scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(declare-const c.0 Real)
(declare-const reciprocal.1 Real)
(define-fun $1 () Real (* x1.0 reciprocal.1))
(define-fun $2 () Real (* x0.0 reciprocal.1))
(check-sat)
