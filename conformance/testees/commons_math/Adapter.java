import java.util.List;
import org.apache.commons.math3.analysis.differentiation.DerivativeStructure;

/** Commons Math: https://commons.apache.org/proper/commons-math. Its DerivativeStructure, of one parameter and order one. */
final class Adapter {
    public static void main(String[] arguments) throws Exception {
        new Kit<>("Commons Math", "3.6.1", x -> new DerivativeStructure(1, 1, x), DerivativeStructure::getValue)
            .declare("links", List.of("https://github.com/apache/commons-math"))
            .forward((x, tangent) -> new DerivativeStructure(1, 1, x, tangent), x -> x.getPartialDerivative(1))
            .binary("add", DerivativeStructure::add)
            .binary("subtract", DerivativeStructure::subtract)
            .binary("multiply", DerivativeStructure::multiply)
            .binary("divide", DerivativeStructure::divide)
            .binary("pow", DerivativeStructure::pow)
            .binary("atan2", (y, x) -> y.atan2(x))
            .binary("hypot", (x, y) -> DerivativeStructure.hypot(x, y))
            .unary("negative", DerivativeStructure::negate)
            .unary("reciprocal", DerivativeStructure::reciprocal)
            .unary("abs", DerivativeStructure::abs)
            .unary("floor", DerivativeStructure::floor)
            .unary("sqrt", DerivativeStructure::sqrt)
            .unary("exp", DerivativeStructure::exp)
            .unary("expm1", DerivativeStructure::expm1)
            .unary("log", DerivativeStructure::log)
            .unary("log1p", DerivativeStructure::log1p)
            .unary("sin", DerivativeStructure::sin)
            .unary("cos", DerivativeStructure::cos)
            .unary("tan", DerivativeStructure::tan)
            .unary("asin", DerivativeStructure::asin)
            .unary("acos", DerivativeStructure::acos)
            .unary("atan", DerivativeStructure::atan)
            .unary("sinh", DerivativeStructure::sinh)
            .unary("cosh", DerivativeStructure::cosh)
            .unary("tanh", DerivativeStructure::tanh)
            .unary("asinh", DerivativeStructure::asinh)
            .unary("acosh", DerivativeStructure::acosh)
            .unary("atanh", DerivativeStructure::atanh)
            .serve();
    }
}
