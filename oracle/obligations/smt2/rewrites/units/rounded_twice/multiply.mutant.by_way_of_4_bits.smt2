; Wrong: the wide format has 4 bits.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun a () (_ FloatingPoint 3 3) (fp #b0 #b001 #b10))
(define-fun b () (_ FloatingPoint 3 3) (fp #b0 #b001 #b11))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.mul RNE ((_ to_fp 6 4) RNE a) ((_ to_fp 6 4) RNE b))) (fp.mul RNE a b))) :named negated-goal))
(check-sat)
(get-value (a b))
