; What rewrites/units/minus_zero_minus/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_zero () Scalar (fp #b1 #b00000000 #b00000000000000000000000))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (fp.sub RNE a b))
(define-fun negative ((a Scalar)) Scalar (fp.neg a))
(declare-const x Scalar)
(define-fun t0 () Scalar (subtract minus_zero x))
(define-fun t1 () Scalar (negative x))
(check-sat)
