; What accumulators/int32/precondition assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 16384 k)) sum) (<= sum (* 16384 k))))
(declare-const start Int)
(assert (! (= start 0) :named empty))
(check-sat)
