; What rewrites/units/sum_minus_summand assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LRA)
(define-sort Scalar () Real)
(define-fun add ((a Scalar) (b Scalar)) Scalar (+ a b))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (- a b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (add x y))
(define-fun t1 () Scalar (subtract t0 y))
(check-sat)
