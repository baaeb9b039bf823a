; What rewrites/units/sum_of_nothing/float16 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun zero () Scalar (fp #b0 #b00000 #b0000000000))
(check-sat)
