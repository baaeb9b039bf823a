; Wrong: the accumulator starts with anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 79228162514264337593543950336 k)) sum) (<= sum (* 79228162514264337593543950336 k))))
(declare-const start Int)
(assert (! (not (within start 0)) :named negated-goal))
(check-sat)
(get-value (start))
