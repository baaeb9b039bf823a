; What rewrites/units/maximum_of_nothing/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun minus_infinity () Scalar (fp #b1 #b11111 #b0000000000))
(check-sat)
