module

public import Mathlib
