; What rewrites/zeros/plus_zero assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic UF)
(declare-sort Scalar 0)
(declare-const zero Scalar)
(declare-fun add (Scalar Scalar) Scalar)
(declare-const x Scalar)
(define-fun t0 () Scalar (add x zero))
(assert (! (forall ((a Scalar)) (= (add a zero) a)) :named neutral))
(check-sat)
