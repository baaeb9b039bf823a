; Wrong: the rewrite is used in float16, where the laws do not hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun minus_zero () Scalar (fp #b1 #b00000 #b0000000000))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (fp.sub RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract x minus_zero))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x))
