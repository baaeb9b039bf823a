; Wrong: the maximum of nothing is 0
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun minus_infinity () Scalar (fp #b1 #b11111111 #b00000000000000000000000))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(assert (! (not (= minus_infinity zero)) :named negated-goal))
(check-sat)
