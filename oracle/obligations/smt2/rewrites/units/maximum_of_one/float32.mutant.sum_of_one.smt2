; Wrong: the sum of one element is the element
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (add zero x))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x))
