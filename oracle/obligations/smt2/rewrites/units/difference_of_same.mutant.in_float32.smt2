; Wrong: the rewrite is used in float32, where the laws do not hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (fp.sub RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract x x))
(assert (! (not (= t0 zero)) :named negated-goal))
(check-sat)
(get-value (x))
