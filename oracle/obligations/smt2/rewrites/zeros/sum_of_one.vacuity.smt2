; What rewrites/zeros/sum_of_one assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic UF)
(declare-sort Scalar 0)
(declare-const zero Scalar)
(declare-fun add (Scalar Scalar) Scalar)
(declare-const x Scalar)
(define-fun t0 () Scalar (add zero x))
(assert (! (forall ((a Scalar)) (= (add a zero) a)) :named neutral))
(assert (! (forall ((a Scalar) (b Scalar)) (= (add a b) (add b a))) :named commutative))
(check-sat)
