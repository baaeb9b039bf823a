; What rewrites/units/times_minus_one/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun minus_number_1 () Scalar (fp #b1 #b01111 #b0000000000))
(define-fun multiply ((a Scalar) (b Scalar)) Scalar (fp.mul RNE a b))
(define-fun negative ((a Scalar)) Scalar (fp.neg a))
(declare-const x Scalar)
(define-fun t0 () Scalar (multiply x minus_number_1))
(define-fun t1 () Scalar (negative x))
(check-sat)
