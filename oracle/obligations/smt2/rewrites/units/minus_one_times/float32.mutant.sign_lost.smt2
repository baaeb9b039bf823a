; Wrong: (−1) · x is x.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_number_1 () Scalar (fp #b1 #b01111111 #b00000000000000000000000))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (multiply minus_number_1 x))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x))
