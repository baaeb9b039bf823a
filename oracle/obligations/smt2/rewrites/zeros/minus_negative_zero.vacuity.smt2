; What rewrites/zeros/minus_negative_zero assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic UF)
(declare-sort Scalar 0)
(declare-const zero Scalar)
(define-fun minus_zero () Scalar zero)
(declare-fun subtract (Scalar Scalar) Scalar)
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract x minus_zero))
(assert (! (forall ((a Scalar)) (= (subtract a zero) a)) :named difference))
(check-sat)
