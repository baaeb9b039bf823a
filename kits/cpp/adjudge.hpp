// Asks a library of scalars, dual numbers or a tape, on behalf of adjudge. C++17, this header alone.
//
// An adapter says what a scalar is and which functions the library has; the kit speaks the protocol
// (docs/protocol.md of adjudge), moves elements, adds them up and multiplies matrices. Composites need no
// code: adjudge writes out, in primitives, those that are not promised.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace adjudge {

// Why there is no answer where the library does not have something.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const std::string& message) { throw std::invalid_argument(message); }

// A JSON value. Numbers keep their text.
struct Json {
  enum Kind { null, truth, number, text, list, object } kind = null;
  bool yes = false;
  std::string words;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  const Json& operator[](const std::string& name) const {
    static const Json nothing;
    const auto found = fields.find(name);
    return found == fields.end() ? nothing : found->second;
  }
  const std::vector<Json>& all() const {
    if (kind != list) fail("a list is missing");
    return items;
  }
  // Reads a number: of JSON, or text that is a decimal, a hex float as C writes it, inf or nan.
  double real() const {
    if (kind != number && kind != text) fail("a number is missing");
    return std::strtod(words.c_str(), nullptr);
  }
  int integer() const { return static_cast<int>(real()); }
  std::vector<int> integers() const {
    std::vector<int> found;
    for (const Json& item : all()) found.push_back(item.integer());
    return found;
  }
};

// Reads JSON. Fails where the text is none.
class Reader {
 public:
  explicit Reader(const std::string& text) : text(text) {}

  Json read() {
    Json read;
    const char first = peek();
    if (first == '{') {
      read.kind = Json::object;
      for (++place; has_next('}');) {
        peek();
        const std::string name = string();
        if (peek() != ':') fail("a colon is missing");
        ++place;
        read.fields[name] = this->read();
      }
    } else if (first == '[') {
      read.kind = Json::list;
      for (++place; has_next(']');) read.items.push_back(this->read());
    } else if (first == '"') {
      read.kind = Json::text;
      read.words = string();
    } else {
      while (place < text.size() && !std::strchr(",]} \t\r\n", text[place])) read.words += text[place++];
      if (read.words.empty()) fail("a value is missing");
      read.yes = read.words == "true";
      const bool is_truth = read.yes || read.words == "false";
      read.kind = is_truth ? Json::truth : read.words == "null" ? Json::null : Json::number;
    }
    return read;
  }

 private:
  const std::string& text;
  std::size_t place = 0;

  char peek() {
    while (place < text.size() && std::strchr(" \t\r\n", text[place])) ++place;
    if (place >= text.size()) fail("the text ends early");
    return text[place];
  }

  // Says whether there is another element, past its comma, and passes what closes the last one.
  bool has_next(char close) {
    const char next = peek();
    if (next == close || next == ',') ++place;
    return next != close;
  }

  std::string string() {
    std::string read;
    for (++place; place < text.size() && text[place] != '"'; ++place) {
      char next = text[place];
      if (next == '\\' && place + 1 < text.size()) {
        next = text[++place];
        if (const char* plain = std::strchr("bfnrt", next)) next = "\b\f\n\r\t"[plain - "bfnrt"];
        if (next == 'u') {
          append(read, std::stoul(text.substr(place + 1, 4), nullptr, 16));
          place += 4;
          continue;
        }
      }
      read += next;
    }
    ++place;
    return read;
  }

  // Names compare equal where they are escaped alike; a surrogate is written as a character of its own.
  static void append(std::string& read, unsigned long code) {
    if (code < 0x80) {
      read += static_cast<char>(code);
    } else {
      if (code >= 0x800) read += static_cast<char>(0xe0 | code >> 12);
      read += static_cast<char>(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
      read += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
};

// Text as JSON has it, cut to what a message may hold.
inline std::string quoted(const std::string& text) {
  std::string written = "\"";
  for (const char next : text.substr(0, 4000)) {
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(next));
    const bool is_plain = next >= ' ' && next < 0x7f && next != '"' && next != '\\';
    written += is_plain ? std::string(1, next) : std::string(code);
  }
  return written + '"';
}

template <class T, class Write>
std::string listed(const std::vector<T>& all, Write write) {
  std::string written = "[";
  for (const T& one : all) written += (written.size() > 1 ? "," : "") + write(one);
  return written + "]";
}

using Shape = std::vector<int>;

inline int size_of(const Shape& shape) {
  int size = 1;
  for (const int extent : shape) size *= extent;
  return size;
}

// The coordinates of a row-major position.
inline Shape coordinates(const Shape& shape, int place) {
  Shape at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; place /= shape[axis]) at[axis] = place % shape[axis];
  return at;
}

// The inverse of coordinates.
inline int position(const Shape& shape, const Shape& at) {
  int place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) place = place * shape[axis] + at[axis];
  return place;
}

// The value of an id, row-major.
template <class T>
struct Tensor {
  Shape shape;
  std::vector<T> data;
};

template <class T, class Element>
Tensor<T> built(const Shape& shape, Element element) {
  Tensor<T> made{shape, {}};
  for (int place = 0; place < size_of(shape); ++place) made.data.push_back(element(place));
  return made;
}

using Numbers = Tensor<double>;

constexpr const char* base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Reads either form of a tensor, which has that shape.
inline Numbers fitting(const Json& message, const Shape& shape) {
  Numbers read{shape, {}};
  if (message["base64"].kind == Json::text) {
    std::string bytes;
    std::uint32_t held = 0;
    int bits = 0;
    for (const char digit : message["base64"].words) {
      const char* found = std::strchr(base64_digits, digit);
      if (!found) continue;
      held = held << 6 | static_cast<std::uint32_t>(found - base64_digits);
      if ((bits += 6) >= 8) bytes += static_cast<char>(held >> (bits -= 8) & 0xff);
    }
    read.data.resize(bytes.size() / sizeof(double));
    if (!read.data.empty()) std::memcpy(read.data.data(), bytes.data(), read.data.size() * sizeof(double));
  } else {
    for (const Json& element : message["data"].all()) read.data.push_back(element.real());
  }
  if (message["shape"].integers() != shape || static_cast<int>(read.data.size()) != size_of(shape))
    fail("a tensor does not have the shape that the graph tells");
  return read;
}

// Writes a tensor in base64: little-endian float64, as every machine has them that this runs on.
inline std::string message_of(const Numbers& tensor) {
  std::string text;
  const auto* bytes = reinterpret_cast<const unsigned char*>(tensor.data.data());
  const std::size_t count = tensor.data.size() * sizeof(double);
  for (std::size_t place = 0; place < count; place += 3) {
    std::uint32_t three = 0;
    for (std::size_t next = place; next < place + 3; ++next) three = three << 8 | (next < count ? bytes[next] : 0);
    for (int digit = 3; digit >= 0; --digit)
      text += place + 3 - static_cast<std::size_t>(digit) > count ? '=' : base64_digits[three >> (6 * digit) & 0x3f];
  }
  return "{\"shape\":" + listed(tensor.shape, [](int extent) { return std::to_string(extent); }) + ",\"base64\":\"" +
         text + "\"}";
}

inline int index(double x, int limit) {
  if (x != std::floor(x) || x < 0 || x >= limit) fail("an index is not on its axis");
  return static_cast<int>(x);
}

// A library whose numbers are S. Without forward and reverse it is asked for values alone.
template <class S>
class Scalars {
 public:
  using Function = std::function<S(const std::vector<S>&)>;

  // `constant` makes a number that is not differentiated; `value` reads one.
  Scalars(std::string name, std::string version, std::function<S(double)> constant, std::function<double(const S&)> value)
      : name(std::move(name)), version(std::move(version)), constant(std::move(constant)), value(std::move(value)) {
    choices();
    moves();
  }

  // The operators know where this is.
  Scalars(const Scalars&) = delete;

  // `dual` makes a number with a tangent; `tangent` reads the tangent of one.
  Scalars& forward(std::function<S(double, double)> dual, std::function<double(const S&)> tangent) {
    this->dual = std::move(dual);
    this->tangent = std::move(tangent);
    return *this;
  }

  // `record` begins a tape with inputs; `gradient` differentiates a number by all of them, in their order.
  Scalars& reverse(std::function<std::vector<S>(const std::vector<double>&)> record,
                   std::function<std::vector<double>(const S&, const std::vector<S>&)> gradient) {
    this->record = std::move(record);
    this->gradient = std::move(gradient);
    return *this;
  }

  // Adds a function of one number by the name of adjudge's operator.
  Scalars& unary(const std::string& op, std::function<S(const S&)> function) {
    pointwise[op] = [function](const std::vector<S>& x) { return function(x[0]); };
    return *this;
  }

  // Adds a function of two numbers by the name of adjudge's operator.
  Scalars& binary(const std::string& op, std::function<S(const S&, const S&)> function) {
    pointwise[op] = [function](const std::vector<S>& x) { return function(x[0], x[1]); };
    return *this;
  }

  // Names the precision, which is float64 unless told; `constant` rounds to it.
  Scalars& dtype(const std::string& dtype) {
    precision = dtype;
    return *this;
  }

  // Declares a field of the handshake, such as links or conventions, by its JSON.
  Scalars& declare(const std::string& field, const std::string& json) {
    declared[field] = json;
    return *this;
  }

  // Answers requests on standard input until it ends; its result is the program's exit code.
  int serve() {
    sums();
    for (std::string line; std::getline(std::cin, line);) {
      std::string id;
      Json asked;
      try {
        asked = Reader(line).read();
        id = std::to_string(asked["id"].integer());
      } catch (const std::exception&) {
        std::cerr << "not a request: " << line.substr(0, 200) << std::endl;
        return 1;
      }
      std::string reply;
      try {
        reply = answer(asked);
      } catch (const Unsupported& reason) {
        reply = "\"kind\":\"unsupported\",\"reason\":" + quoted(reason.what());
      } catch (const std::exception& failure) {
        reply = "\"kind\":\"error\",\"message\":" + quoted(failure.what());
      }
      std::cout << "{\"id\":" << id << "," << reply << "}" << std::endl;
    }
    return 0;
  }

 private:
  struct Node {
    std::string op;
    Json attributes;
    Shape parents;
  };

  struct Graph {
    std::vector<Shape> inputs;
    std::map<std::string, Shape> environment;
    std::vector<Node> nodes;
  };

  // A node that is computed: its operands, and what its attributes say of them.
  struct Call {
    std::vector<const Tensor<S>*> operands;
    const Json& attributes;
    const std::map<std::string, Numbers>& environment;

    const Tensor<S>& x() const { return *operands.at(0); }
    const Tensor<S>& y() const { return *operands.at(1); }
    Shape given(const char* name) const { return attributes[name].integers(); }
    std::size_t axis() const { return static_cast<std::size_t>(attributes["axis"].integer()); }
    const Numbers& entry(const char* name) const {
      const auto found = environment.find(attributes[name].words);
      if (found == environment.end()) fail("the environment lacks an entry");
      return found->second;
    }
    // The operand's elements, at the coordinates that `source` gives for the result's.
    template <class Source>
    Tensor<S> moved(const Shape& shape, Source source) const {
      const auto from = [&](int place) { return x().data[position(x().shape, source(coordinates(shape, place)))]; };
      return built<S>(shape, from);
    }
    // Where the elements of the blocks lie that rows of indices name, and the blocks' shape.
    Tensor<int> rows() const {
      const Numbers& given = entry("indices");
      const Shape& from = x().shape;
      const int depth = given.shape.back();
      const Shape inner(from.begin() + depth, from.end());
      Shape shape(given.shape.begin(), given.shape.end() - 1);
      shape.insert(shape.end(), inner.begin(), inner.end());
      return built<int>(shape, [&](int place) {
        int row = 0;
        for (int axis = 0; axis < depth; ++axis)
          row = row * from[axis] + index(given.data[place / size_of(inner) * depth + axis], from[axis]);
        return row * size_of(inner) + place % size_of(inner);
      });
    }
  };

  using Structural = std::function<Tensor<S>(const Call&)>;

  std::string name, version, precision = "float64";
  std::function<S(double)> constant;
  std::function<double(const S&)> value;
  std::function<S(double, double)> dual;
  std::function<double(const S&)> tangent;
  std::function<std::vector<S>(const std::vector<double>&)> record;
  std::function<std::vector<double>(const S&, const std::vector<S>&)> gradient;
  std::map<std::string, Function> pointwise;
  std::map<std::string, Structural> structural;
  std::map<std::string, std::string> declared;
  std::map<int, Graph> graphs;

  bool has(const std::string& op) const { return pointwise.count(op) > 0; }
  S call(const std::string& op, const S& x, const S& y) const { return pointwise.at(op)({x, y}); }

  // Adds up in order; the sum of nothing is 0.
  S total(const std::vector<S>& terms) const {
    if (terms.empty()) return constant(0);
    S total = terms[0];
    for (std::size_t term = 1; term < terms.size(); ++term) total = call("add", total, terms[term]);
    return total;
  }

  // What a user writes with comparisons of values; a function of the library replaces its own.
  void choices() {
    using X = const std::vector<S>&;
    pointwise["where"] = [this](X x) { return value(x[0]) != 0 ? x[1] : x[2]; };
    pointwise["less"] = [this](X x) { return constant(value(x[0]) < value(x[1]) ? 1 : 0); };
    pointwise["equal"] = [this](X x) { return constant(value(x[0]) == value(x[1]) ? 1 : 0); };
    pointwise["floor"] = [this](X x) { return constant(std::floor(value(x[0]))); };
    pointwise["stop_gradient"] = [this](X x) { return constant(value(x[0])); };
    pointwise["relu"] = [this](X x) { return value(x[0]) <= 0 ? constant(0) : x[0]; };
    pointwise["maximum"] = [this](X x) {
      return value(x[0]) < value(x[1]) || std::isnan(value(x[1])) ? x[1] : x[0];
    };
  }

  void moves() {
    structural["constant"] = [this](const Call& c) {
      return built<S>(c.entry("name").shape, [&](int place) { return constant(c.entry("name").data[place]); });
    };
    structural["full"] = [this](const Call& c) {
      const double filled = c.attributes["value"].real();
      return built<S>(c.given("shape"), [&](int) { return constant(filled); });
    };
    structural["iota"] = [this](const Call& c) {
      const Shape shape = c.given("shape");
      return built<S>(shape, [&](int place) { return constant(coordinates(shape, place)[c.axis()]); });
    };
    structural["reshape"] = [](const Call& c) { return Tensor<S>{c.given("shape"), c.x().data}; };
    structural["permute_dims"] = [](const Call& c) {
      const Shape axes = c.given("axes");
      Shape shape;
      for (const int axis : axes) shape.push_back(c.x().shape[axis]);
      return c.moved(shape, [&](const Shape& at) {
        Shape source(at.size());
        for (std::size_t to = 0; to < at.size(); ++to) source[axes[to]] = at[to];
        return source;
      });
    };
    structural["broadcast_to"] = [](const Call& c) {
      const Shape shape = c.given("shape"), &from = c.x().shape;
      return c.moved(shape, [&](const Shape& at) {
        Shape source(at.end() - from.size(), at.end());
        for (std::size_t axis = 0; axis < from.size(); ++axis) source[axis] = std::min(source[axis], from[axis] - 1);
        return source;
      });
    };
    structural["slice"] = [](const Call& c) { return sliced(c); };
    structural["take"] = [](const Call& c) {
      const Numbers& indices = c.entry("indices");
      Shape shape = c.x().shape;
      shape[c.axis()] = static_cast<int>(indices.data.size());
      return c.moved(shape, [&](Shape at) {
        at[c.axis()] = index(indices.data[at[c.axis()]], c.x().shape[c.axis()]);
        return at;
      });
    };
    structural["take_along_axis"] = [](const Call& c) {
      const Numbers& indices = c.entry("indices");
      return c.moved(indices.shape, [&](Shape at) {
        at[c.axis()] = index(indices.data[position(indices.shape, at)], c.x().shape[c.axis()]);
        return at;
      });
    };
    structural["gather"] = [](const Call& c) {
      const Tensor<int> rows = c.rows();
      return built<S>(rows.shape, [&](int place) { return c.x().data[rows.data[place]]; });
    };
    structural["pad"] = [this](const Call& c) {
      const Shape low = c.given("low"), high = c.given("high"), interior = c.given("interior"), from = c.x().shape;
      Shape shape;
      for (std::size_t axis = 0; axis < from.size(); ++axis)
        shape.push_back(low[axis] + from[axis] + interior[axis] * std::max(from[axis] - 1, 0) + high[axis]);
      Tensor<S> padded = built<S>(shape, [this](int) { return constant(0); });
      for (int place = 0; place < size_of(from); ++place) {
        Shape at = coordinates(from, place);
        for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = low[axis] + at[axis] * (1 + interior[axis]);
        padded.data[position(shape, at)] = c.x().data[place];
      }
      return padded;
    };
    structural["concat"] = [](const Call& c) {
      Shape shape = c.x().shape;
      shape[c.axis()] = 0;
      for (const auto* operand : c.operands) shape[c.axis()] += operand->shape[c.axis()];
      return built<S>(shape, [&](int place) {
        Shape at = coordinates(shape, place);
        std::size_t part = 0;
        for (; at[c.axis()] >= c.operands[part]->shape[c.axis()]; ++part)
          at[c.axis()] -= c.operands[part]->shape[c.axis()];
        return c.operands[part]->data[position(c.operands[part]->shape, at)];
      });
    };
  }

  // The elements that Python's slices keep.
  static Tensor<S> sliced(const Call& c) {
    Shape starts = c.given("starts"), shape = c.x().shape;
    const Shape stops = c.given("stops"), steps = c.given("steps");
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const int extent = shape[axis], step = steps[axis];
      const auto clamped = [&](int i) {
        return std::min(std::max(i < 0 ? i + extent : i, step > 0 ? 0 : -1), step > 0 ? extent : extent - 1);
      };
      starts[axis] = clamped(starts[axis]);
      shape[axis] = std::max(0, (clamped(stops[axis]) - starts[axis] + step - (step > 0 ? 1 : -1)) / step);
    }
    return c.moved(shape, [&](Shape at) {
      for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = starts[axis] + steps[axis] * at[axis];
      return at;
    });
  }

  // Where the library adds and multiplies, so do these.
  void sums() {
    if (!has("add")) return;
    structural["sum"] = [this](const Call& c) {
      const Shape axes = c.given("axes"), &from = c.x().shape;
      const auto is_summed = [&](int axis) { return std::count(axes.begin(), axes.end(), axis) > 0; };
      Shape kept = from, left;
      for (std::size_t axis = 0; axis < from.size(); ++axis)
        if (is_summed(static_cast<int>(axis))) kept[axis] = 1;
        else left.push_back(from[axis]);
      std::vector<std::vector<S>> terms(size_of(kept));
      for (int place = 0; place < size_of(from); ++place) {
        Shape at = coordinates(from, place);
        for (const int axis : axes) at[axis] = 0;
        terms[position(kept, at)].push_back(c.x().data[place]);
      }
      const Shape shape = c.attributes["keepdims"].yes ? kept : left;
      return built<S>(shape, [&](int place) { return total(terms[place]); });
    };
    structural["cumulative_sum"] = [this](const Call& c) {
      Tensor<S> sums = c.x();
      int stride = 1;
      for (std::size_t axis = c.axis() + 1; axis < sums.shape.size(); ++axis) stride *= sums.shape[axis];
      for (int place = 0; place < size_of(sums.shape); ++place)
        if (coordinates(sums.shape, place)[c.axis()] > 0)
          sums.data[place] = call("add", sums.data[place - stride], sums.data[place]);
      return sums;
    };
    structural["scatter_add"] = [this](const Call& c) {
      Tensor<S> sums = c.x();
      std::size_t update = 0;
      for (const int place : c.rows().data) sums.data[place] = call("add", sums.data[place], c.y().data[update++]);
      return sums;
    };
    if (!has("multiply")) return;
    structural["matmul"] = [this](const Call& c) {
      const Tensor<S>&x = c.x(), &y = c.y();
      const int columns = y.shape.back(), inner = x.shape.back(), rows = x.shape.end()[-2];
      Shape shape = x.shape;
      shape.back() = columns;
      return built<S>(shape, [&](int place) {
        const int row = place / columns, column = place % columns;
        std::vector<S> terms;
        for (int k = 0; k < inner; ++k)
          terms.push_back(call("multiply", x.data[row * inner + k], y.data[(row / rows * inner + k) * columns + column]));
        return total(terms);
      });
    };
  }

  std::vector<std::string> modes() const {
    std::vector<std::string> modes{"evaluate"};
    if (dual) modes.push_back("jvp");
    if (record) modes.push_back("vjp");
    if (record && has("add")) modes.push_back("backward_dense");
    return modes;
  }

  std::string hello() const {
    std::vector<std::string> promised;
    for (const auto& one : pointwise) promised.push_back(one.first);
    for (const auto& one : structural) promised.push_back(one.first);
    std::map<std::string, std::string> hello{
        {"kind", "\"hello\""},      {"protocol", "1"},
        {"name", quoted(name)},     {"version", quoted(version)},
        {"language", "\"C++\""},    {"links", "[]"},
        {"accuracy", "{}"},         {"conventions", "{\"compositeKinks\":\"own\"}"},
        {"modes", listed(modes(), quoted)}, {"operators", listed(promised, quoted)},
        {"dtypes", "[" + quoted(precision) + "]"}};
    for (const auto& [field, json] : declared) hello[field] = json;
    std::string written;
    for (const auto& [field, json] : hello) written += (written.empty() ? "" : ",") + quoted(field) + ":" + json;
    return written;
  }

  std::string answer(const Json& asked) {
    const std::string kind = asked["kind"].words, done = "\"kind\":\"done\"";
    if (kind == "hello") return hello();
    const int program = asked["program"].integer();
    if (kind == "load") return graphs[program] = checked(asked), done;
    if (kind == "unload") return graphs.erase(program), done;
    const auto graph = graphs.find(program);
    if (graph == graphs.end()) fail("program " + std::to_string(program) + " is not loaded");
    const std::vector<std::string> has = modes();
    if (std::find(has.begin(), has.end(), kind) == has.end()) throw Unsupported(name + " has no " + kind);
    return "\"kind\":\"tensors\",\"tensors\":" + listed(Run{*this, graph->second, asked}.answer(kind), message_of);
  }

  Graph checked(const Json& asked) const {
    if (asked["dtype"].words != precision) throw Unsupported("no precision " + asked["dtype"].words);
    Graph graph;
    for (const Json& input : asked["graph"]["inputs"].all()) graph.inputs.push_back(input["shape"].integers());
    for (const Json& entry : asked["graph"]["environment"].all())
      graph.environment[entry["name"].words] = entry["shape"].integers();
    int id = static_cast<int>(graph.inputs.size());
    for (const Json& node : asked["graph"]["nodes"].all()) {
      const Node read{node["op"].words, node["attributes"], node["parents"].integers()};
      if (!has(read.op) && !structural.count(read.op)) throw Unsupported("no operator " + read.op);
      for (const int parent : read.parents)
        if (parent < 0 || parent >= id) fail("the parents of id " + std::to_string(id) + " are not all before it");
      graph.nodes.push_back(read);
      ++id;
    }
    return graph;
  }

  // One question about a graph at a point.
  struct Run {
    const Scalars& library;
    const Graph& graph;
    const Json& asked;
    std::map<std::string, Numbers> environment = {};

    std::vector<Numbers> answer(const std::string& mode) {
      const std::vector<double> given = elements(asked["point"]["inputs"]);
      for (const auto& [entry, shape] : graph.environment)
        environment[entry] = fitting(asked["point"]["environment"][entry], shape);
      if (mode == "evaluate") return nodes(plain(given), library.value);
      if (mode != "jvp") return pulled_back(given, mode == "backward_dense");
      const std::vector<double> tangents = elements(asked["tangents"]);
      std::vector<S> duals;
      for (std::size_t place = 0; place < given.size(); ++place)
        duals.push_back(library.dual(given[place], tangents[place]));
      return nodes(values(duals, {}), library.tangent);
    }

    // The elements of a tensor for each input.
    std::vector<double> elements(const Json& tensors) const {
      if (tensors.all().size() != graph.inputs.size()) fail("there is not one tensor for each input");
      std::vector<double> elements;
      for (std::size_t id = 0; id < graph.inputs.size(); ++id)
        for (const double x : fitting(tensors.items[id], graph.inputs[id]).data) elements.push_back(x);
      return elements;
    }

    std::vector<Tensor<S>> plain(const std::vector<double>& given) const {
      std::vector<S> inputs;
      for (const double x : given) inputs.push_back(library.constant(x));
      return values(inputs, {});
    }

    std::vector<Numbers> nodes(const std::vector<Tensor<S>>& values, const std::function<double(const S&)>& read) const {
      std::vector<Numbers> answers;
      for (std::size_t id = graph.inputs.size(); id < values.size(); ++id)
        answers.push_back(built<double>(values[id].shape, [&](int place) { return read(values[id].data[place]); }));
      return answers;
    }

    // Differentiates the sum of all values times their seeds. In the dense case each element of each node has a
    // tap, whose derivative is the element's; two more serve whatever else is tapped.
    std::vector<Numbers> pulled_back(const std::vector<double>& given, bool is_dense) const {
      if (!library.has("multiply") || !library.has("add"))
        throw Unsupported("seeds are multiplied and added; add or multiply is missing");
      std::vector<Shape> shapes = graph.inputs;
      std::vector<double> leaves = given;
      if (is_dense) {
        const std::vector<Tensor<S>> values = plain(given);
        for (std::size_t id = shapes.size(); id < values.size(); ++id) {
          shapes.push_back(values[id].shape);
          for (const S& x : values[id].data) leaves.push_back(neutral(x));
        }
      }
      leaves.insert(leaves.end(), {-0.0, 0.0});
      const std::vector<S> recorded = library.record(leaves);
      const auto split = recorded.begin() + static_cast<std::ptrdiff_t>(given.size());
      const std::vector<S> inputs(recorded.begin(), split), taps(split, recorded.end());
      const S y = library.total(terms(values(inputs, taps)));
      const std::vector<double> found = library.gradient(y, recorded);
      std::vector<Numbers> answers;
      int first = 0;
      for (const Shape& shape : shapes) {
        answers.push_back(built<double>(shape, [&](int place) { return found.at(first + place); }));
        first += size_of(shape);
      }
      return answers;
    }

    std::vector<S> terms(const std::vector<Tensor<S>>& values) const {
      std::vector<S> terms;
      for (const Json& seed : asked["seeds"].all()) {
        const Tensor<S>& x = values.at(seed["id"].integer());
        const Numbers cotangent = fitting(seed["cotangent"], x.shape);
        for (std::size_t place = 0; place < x.data.size(); ++place)
          terms.push_back(library.call("multiply", x.data[place], library.constant(cotangent.data[place])));
      }
      return terms;
    }

    // Returns the zero that changes nothing where it is added. Beside a constant 0 it is 0: of 0 and −0 a library
    // that takes 0 + x for x makes −0.
    double neutral(const S& x) const {
      const double value = library.value(x);
      return value == 0 && !std::signbit(value) ? 0.0 : -0.0;
    }

    // Computes all ids. A tap is an input of 0 or −0 that is added to an element: the sum is that element,
    // and a variable of its own. With taps, each operand and each node that depends on the inputs is made of
    // such sums: a move would share variables, whose contributions are added element by element and not node
    // by node, as the graph says. The last two, −0 and 0, serve any number of elements; those before are for
    // the nodes' elements.
    std::vector<Tensor<S>> values(const std::vector<S>& inputs, const std::vector<S>& taps) const {
      std::vector<Tensor<S>> values;
      std::size_t element = 0, own = 0;
      for (const Shape& shape : graph.inputs) values.push_back(built<S>(shape, [&](int) { return inputs[element++]; }));
      std::vector<bool> varied(values.size(), !taps.empty());
      const bool is_dense = taps.size() > 2;
      const auto tapped = [&](const S& x) {
        return library.call("add", x, taps[taps.size() - (std::signbit(neutral(x)) ? 2 : 1)]);
      };
      for (const Node& node : graph.nodes) {
        std::vector<Tensor<S>> operands;
        bool is_varied = is_dense;
        for (std::size_t place = 0; place < node.parents.size(); ++place) {
          const int parent = node.parents[place];
          const auto first = std::find(node.parents.begin(), node.parents.end(), parent) - node.parents.begin();
          // A function of scalars is told that two of its operands are one variable.
          const bool is_known = first < static_cast<std::ptrdiff_t>(place) && library.has(node.op);
          operands.push_back(is_known ? Tensor<S>(operands[first]) : values[parent]);
          is_varied = is_varied || varied[parent];
          if (is_known || !varied[parent]) continue;
          for (S& x : operands.back().data) x = tapped(x);
        }
        Call call{{}, node.attributes, environment};
        for (const Tensor<S>& operand : operands) call.operands.push_back(&operand);
        values.push_back(library.computed(node.op, call));
        varied.push_back(is_varied);
        if (!is_varied) continue;
        for (S& x : values.back().data) x = is_dense ? library.call("add", x, taps[own++]) : tapped(x);
      }
      return values;
    }
  };

  Tensor<S> computed(const std::string& op, const Call& call) const {
    const auto function = pointwise.find(op);
    if (function == pointwise.end()) return structural.at(op)(call);
    return built<S>(call.x().shape, [&](int place) {
      std::vector<S> x;
      for (const auto* operand : call.operands) x.push_back(operand->data[place]);
      return function->second(x);
    });
  }
};

}  // namespace adjudge
