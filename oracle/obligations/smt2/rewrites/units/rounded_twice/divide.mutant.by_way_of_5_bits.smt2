; Wrong: the wide format has 5 bits.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun a () (_ FloatingPoint 3 3) (fp #b0 #b001 #b00))
(define-fun b () (_ FloatingPoint 3 3) (fp #b0 #b001 #b11))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.div RNE ((_ to_fp 6 5) RNE a) ((_ to_fp 6 5) RNE b))) (fp.div RNE a b))) :named negated-goal))
(check-sat)
(get-value (a b))
