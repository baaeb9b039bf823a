; Wrong: the wide format has 7 bits.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun a () (_ FloatingPoint 3 3) (fp #b0 #b010 #b11))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.sqrt RNE ((_ to_fp 6 7) RNE a))) (fp.sqrt RNE a))) :named negated-goal))
(check-sat)
(get-value (a))
