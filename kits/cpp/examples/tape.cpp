// A tape of scalars, which the kit asks in reverse mode; cli/commands/init.slow.test.ts judges it.
#include <cmath>

#include "adjudge.hpp"

// A number and its place on the tape, −1 where nothing is differentiated.
struct Var {
  double value;
  int place;
};

// How a number on the tape depends on another one.
struct Slope {
  Var of;
  double by;
};

std::vector<std::vector<Slope>> tape;

Var noted(double value, std::vector<Slope> slopes) {
  tape.push_back(slopes);
  return {value, static_cast<int>(tape.size()) - 1};
}

std::vector<Var> record(const std::vector<double>& values) {
  tape.clear();
  std::vector<Var> inputs;
  for (const double value : values) inputs.push_back(noted(value, {}));
  return inputs;
}

std::vector<double> gradient(const Var& y, const std::vector<Var>& inputs) {
  std::vector<double> bars(tape.size()), found;
  if (y.place >= 0) bars[y.place] = 1;
  for (std::size_t place = tape.size(); place-- > 0;)
    for (const Slope& slope : tape[place])
      if (slope.of.place >= 0) bars[slope.of.place] += bars[place] * slope.by;
  for (const Var& input : inputs) found.push_back(bars[input.place]);
  return found;
}

int main() {
  using V = const Var&;
  return adjudge::Scalars<Var>("tape", "0.1.0", [](double x) { return Var{x, -1}; }, [](V x) { return x.value; })
      .reverse(record, gradient)
      .unary("negative", [](V x) { return noted(-x.value, {{x, -1}}); })
      .unary("exp", [](V x) { return noted(std::exp(x.value), {{x, std::exp(x.value)}}); })
      .unary("sqrt", [](V x) { return noted(std::sqrt(x.value), {{x, 0.5 / std::sqrt(x.value)}}); })
      .binary("add", [](V x, V y) { return noted(x.value + y.value, {{x, 1}, {y, 1}}); })
      .binary("subtract", [](V x, V y) { return noted(x.value - y.value, {{x, 1}, {y, -1}}); })
      .binary("multiply", [](V x, V y) { return noted(x.value * y.value, {{x, y.value}, {y, x.value}}); })
      .serve();
}
