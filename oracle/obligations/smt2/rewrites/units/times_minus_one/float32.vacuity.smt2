; What rewrites/units/times_minus_one/float32 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_number_1 () Scalar (fp #b1 #b01111111 #b00000000000000000000000))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(define-fun negative ((a Scalar)) Scalar (fp.neg a))
(declare-const x Scalar)
(define-fun t0 () Scalar (multiply x minus_number_1))
(define-fun t1 () Scalar (negative x))
(check-sat)
