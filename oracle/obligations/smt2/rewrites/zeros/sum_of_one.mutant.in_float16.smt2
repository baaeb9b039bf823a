; Wrong: the rewrite is used in float16, where the laws do not hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun zero () Scalar (fp #b0 #b00000 #b0000000000))
(define-fun add ((a Scalar) (b Scalar)) Scalar (fp.add RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (add zero x))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x))
