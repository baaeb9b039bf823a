; What operators/divide/adjoint/scalar_scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(declare-const c.0 Real)
(declare-const reciprocal.0 Real)
(define-fun $1 () Real (* x0.0 reciprocal.0))
(check-sat)
