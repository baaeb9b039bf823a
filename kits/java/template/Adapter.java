/** An adapter for adjudge: what a number of the library is, and its functions by adjudge's operators. */
final class Adapter {
    /** The library: dual numbers. Yours is imported instead. */
    private record Dual(double value, double tangent) {
        /** A function of one number, from its value and its slope. */
        Dual chained(double f, double slope) {
            return new Dual(f, tangent * slope);
        }
    }

    public static void main(String[] arguments) throws Exception {
        new Kit<>("my library", "0.1.0", x -> new Dual(x, 0), Dual::value)
            .forward(Dual::new, Dual::tangent)
            .unary("negative", x -> x.chained(-x.value, -1))
            .unary("exp", x -> x.chained(Math.exp(x.value), Math.exp(x.value)))
            .unary("log", x -> new Dual(Math.log(x.value), x.tangent / x.value))
            .unary("sin", x -> x.chained(Math.sin(x.value), Math.cos(x.value)))
            .unary("cos", x -> x.chained(Math.cos(x.value), -Math.sin(x.value)))
            .unary("sqrt", x -> x.chained(Math.sqrt(x.value), 0.5 / Math.sqrt(x.value)))
            .binary("add", (x, y) -> new Dual(x.value + y.value, x.tangent + y.tangent))
            .binary("subtract", (x, y) -> new Dual(x.value - y.value, x.tangent - y.tangent))
            .binary("multiply", (x, y) -> new Dual(x.value * y.value, x.tangent * y.value + x.value * y.tangent))
            .binary("divide", (x, y) ->
                new Dual(x.value / y.value, (x.tangent - x.value / y.value * y.tangent) / y.value))
            .serve();
    }
}
