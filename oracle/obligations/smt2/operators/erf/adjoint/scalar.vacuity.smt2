; What operators/erf/adjoint/scalar assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const c.0 Real)
(declare-const reciprocal.2 Real)
(declare-const exp.3 Real)
(define-fun $1 () Real (* (* (+ 1.0 1.0) reciprocal.2) exp.3))
(check-sat)
