; Wrong: the sum is of anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 16384 k)) sum) (<= sum (* 16384 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (<= k 131071) :named count))
(assert (! (not (and (<= (- 2147483648) sum) (< sum 2147483648))) :named negated-goal))
(check-sat)
(get-value (sum k))
