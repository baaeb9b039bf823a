// CppAD: https://github.com/coin-or/CppAD. A tape of scalars, reverse mode.
#include <cppad/cppad.hpp>

#include "adjudge.hpp"

using A = CppAD::AD<double>;

int main() {
  return adjudge::Scalars<A>("CppAD", "20250000.2", [](double x) { return A(x); },
                             [](const A& x) { return CppAD::Value(CppAD::Var2Par(x)); })
      .declare("links", R"(["https://github.com/coin-or/CppAD"])")
      .reverse(
          [](const std::vector<double>& values) {
            std::vector<A> inputs(values.begin(), values.end());
            A::abort_recording();
            if (!inputs.empty()) CppAD::Independent(inputs);
            return inputs;
          },
          [](const A& y, const std::vector<A>& inputs) {
            return CppAD::ADFun<double>(inputs, std::vector<A>{y}).Reverse(1, std::vector<double>{1});
          })
      .binary("add", [](const A& x, const A& y) { return A(x + y); })
      .binary("subtract", [](const A& x, const A& y) { return A(x - y); })
      .binary("multiply", [](const A& x, const A& y) { return A(x * y); })
      .binary("divide", [](const A& x, const A& y) { return A(x / y); })
      .binary("pow", [](const A& x, const A& y) { return CppAD::pow(x, y); })
      .binary("atan2", [](const A& y, const A& x) { return CppAD::atan2(y, x); })
      .unary("negative", [](const A& x) { return A(-x); })
#define FUNCTION(op, name) .unary(op, [](const A& x) { return CppAD::name(x); })
      FUNCTION("sqrt", sqrt) FUNCTION("exp", exp) FUNCTION("expm1", expm1) FUNCTION("log", log)
      FUNCTION("log1p", log1p) FUNCTION("sin", sin) FUNCTION("cos", cos) FUNCTION("tan", tan)
      FUNCTION("asin", asin) FUNCTION("acos", acos) FUNCTION("atan", atan) FUNCTION("sinh", sinh)
      FUNCTION("cosh", cosh) FUNCTION("tanh", tanh) FUNCTION("asinh", asinh) FUNCTION("acosh", acosh)
      FUNCTION("atanh", atanh) FUNCTION("erf", erf) FUNCTION("abs", abs) FUNCTION("sign", sign)
      .serve();
}
