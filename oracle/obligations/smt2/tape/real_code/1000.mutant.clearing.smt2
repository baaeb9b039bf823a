; Wrong: slots are cleared when they have been visited
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UF)
(declare-sort Val 0)
(declare-const zero Val)
(declare-const seed_1002_0 Val)
(assert (! true :named unit))
(assert (! (not (= zero seed_1002_0)) :named negated-goal))
(check-sat)
(get-value (zero seed_1002_0))
