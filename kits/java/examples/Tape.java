import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A tape of scalars, which the kit asks in reverse mode; cli/commands/init.slow.test.ts judges it. */
final class Tape {
    /** A number and its place on the tape, −1 where nothing is differentiated. */
    private record Var(double value, int place) {}

    /** How a number on the tape depends on another one. */
    private record Slope(Var of, double by) {}

    private static final List<List<Slope>> tape = new ArrayList<>();

    private static Var noted(double value, Slope... slopes) {
        tape.add(List.of(slopes));
        return new Var(value, tape.size() - 1);
    }

    private static List<Var> record(double[] values) {
        tape.clear();
        return Arrays.stream(values).mapToObj(value -> noted(value)).toList();
    }

    private static double[] gradient(Var y, List<Var> inputs) {
        double[] bars = new double[tape.size()];
        if (y.place >= 0) bars[y.place] = 1;
        for (int place = bars.length - 1; place >= 0; place--)
            for (Slope slope : tape.get(place))
                if (slope.of.place >= 0) bars[slope.of.place] += bars[place] * slope.by;
        return inputs.stream().mapToDouble(x -> bars[x.place]).toArray();
    }

    public static void main(String[] arguments) throws Exception {
        new Kit<>("tape", "0.1.0", x -> new Var(x, -1), Var::value)
            .reverse(Tape::record, Tape::gradient)
            .unary("negative", x -> noted(-x.value, new Slope(x, -1)))
            .unary("exp", x -> noted(Math.exp(x.value), new Slope(x, Math.exp(x.value))))
            .unary("sqrt", x -> noted(Math.sqrt(x.value), new Slope(x, 0.5 / Math.sqrt(x.value))))
            .binary("add", (x, y) -> noted(x.value + y.value, new Slope(x, 1), new Slope(y, 1)))
            .binary("subtract", (x, y) -> noted(x.value - y.value, new Slope(x, 1), new Slope(y, -1)))
            .binary("multiply", (x, y) -> noted(x.value * y.value, new Slope(x, y.value), new Slope(y, x.value)))
            .serve();
    }
}
