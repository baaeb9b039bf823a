// An adapter for adjudge: what a number of the library is, and its functions by the names of adjudge's
// operators.
#include <cmath>

#include "adjudge.hpp"

// The library: dual numbers. Yours is included instead.
struct Dual {
  double value, tangent;

  // A function of one number, from its value and its slope.
  Dual chained(double f, double slope) const { return {f, tangent * slope}; }
};

int main() {
  using D = const Dual&;
  return adjudge::Scalars<Dual>("my library", "0.1.0", [](double x) { return Dual{x, 0}; }, [](D x) { return x.value; })
      .forward([](double x, double tangent) { return Dual{x, tangent}; }, [](D x) { return x.tangent; })
      .unary("negative", [](D x) { return x.chained(-x.value, -1); })
      .unary("exp", [](D x) { return x.chained(std::exp(x.value), std::exp(x.value)); })
      .unary("log", [](D x) { return Dual{std::log(x.value), x.tangent / x.value}; })
      .unary("sin", [](D x) { return x.chained(std::sin(x.value), std::cos(x.value)); })
      .unary("cos", [](D x) { return x.chained(std::cos(x.value), -std::sin(x.value)); })
      .unary("sqrt", [](D x) { return x.chained(std::sqrt(x.value), 0.5 / std::sqrt(x.value)); })
      .binary("add", [](D x, D y) { return Dual{x.value + y.value, x.tangent + y.tangent}; })
      .binary("subtract", [](D x, D y) { return Dual{x.value - y.value, x.tangent - y.tangent}; })
      .binary("multiply",
              [](D x, D y) { return Dual{x.value * y.value, x.tangent * y.value + x.value * y.tangent}; })
      .binary("divide",
              [](D x, D y) {
                return Dual{x.value / y.value, (x.tangent - x.value / y.value * y.tangent) / y.value};
              })
      .serve();
}
