; What rewrites/units/difference_of_same assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LRA)
(define-sort Scalar () Real)
(define-fun zero () Scalar 0.0)
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (- a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract x x))
(check-sat)
