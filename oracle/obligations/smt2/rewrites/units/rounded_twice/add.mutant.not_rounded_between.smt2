; Wrong: what is computed beforehand is an operand before it is rounded.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-fun a () (_ FloatingPoint 3 3) (fp #b0 #b101 #b00))
(define-fun b () (_ FloatingPoint 3 3) (fp #b0 #b010 #b00))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.add RNE (fp.add RNE ((_ to_fp 6 8) RNE a) ((_ to_fp 6 8) RNE b)) ((_ to_fp 6 8) RNE b))) (fp.add RNE (fp.add RNE a b) b))) :named negated-goal))
(check-sat)
(get-value (a b))
