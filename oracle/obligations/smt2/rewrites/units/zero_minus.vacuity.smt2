; What rewrites/units/zero_minus assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LRA)
(define-sort Scalar () Real)
(define-fun zero () Scalar 0.0)
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (- a b))
(define-fun negative ((a Scalar)) Scalar (- a))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract zero x))
(define-fun t1 () Scalar (negative x))
(check-sat)
