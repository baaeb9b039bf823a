; Wrong: the wide format has 6 bits.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun a () (_ FloatingPoint 3 3) (fp #b0 #b001 #b11))
(define-fun b () (_ FloatingPoint 3 3) (fp #b0 #b101 #b01))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.add RNE ((_ to_fp 6 6) RNE a) ((_ to_fp 6 6) RNE b))) (fp.add RNE a b))) :named negated-goal))
(check-sat)
(get-value (a b))
