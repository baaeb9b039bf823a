; To sqrt in a format of 2 q + 2 bits and to round the result to q bits is to sqrt in the format of q bits: bit for bit, ends of the range and all, for q = 3. (SEMANTICS §7)
; expected: unsat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(declare-const a (_ FloatingPoint 3 3))
(assert (! (not (= ((_ to_fp 3 3) RNE (fp.sqrt RNE ((_ to_fp 6 8) RNE a))) (fp.sqrt RNE a))) :named negated-goal))
(check-sat)
(get-unsat-core)
