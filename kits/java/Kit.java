import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;
import java.util.stream.IntStream;

/**
 * Asks a library of scalars, dual numbers or a tape, on behalf of adjudge.
 *
 * <p>An adapter says what a scalar is and which functions the library has; the kit speaks the protocol
 * (docs/protocol.md of adjudge), moves elements, adds them up and multiplies matrices. Composites need no
 * code: adjudge writes out, in primitives, those that are not promised.
 */
public final class Kit<S> {
    /** The value of an id, row-major. */
    private record Tensor<T>(int[] shape, List<T> data) {}

    /** A graph: the shapes of its inputs, and of its environment by name. */
    private record Graph(List<int[]> inputs, Map<String, int[]> environment, List<Map<String, Object>> nodes) {}

    private static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unsupported(String reason) { super(reason); }
    }

    private final String name;
    private final String version;
    private final DoubleFunction<S> constant;
    private final ToDoubleFunction<S> value;
    private final Map<String, Function<List<S>, S>> pointwise = new TreeMap<>();
    private final Map<String, Function<Call, Tensor<S>>> structural = new TreeMap<>();
    private final Map<String, Object> declared = new LinkedHashMap<>();
    private final Map<Integer, Graph> graphs = new HashMap<>();
    private String dtype = "float64";
    private BiFunction<Double, Double, S> dual;
    private ToDoubleFunction<S> tangent;
    private Function<double[], List<S>> record;
    private BiFunction<S, List<S>, double[]> gradient;

    /** {@code constant} makes a number that is not differentiated; {@code value} reads one. */
    public Kit(String name, String version, DoubleFunction<S> constant, ToDoubleFunction<S> value) {
        this.name = name;
        this.version = version;
        this.constant = constant;
        this.value = value;
        // These are what a user writes with comparisons of values; a function of the library replaces its own.
        pointwise.put("where", x -> of(x, 0) != 0 ? x.get(1) : x.get(2));
        pointwise.put("less", x -> truth(of(x, 0) < of(x, 1)));
        pointwise.put("equal", x -> truth(of(x, 0) == of(x, 1)));
        pointwise.put("floor", x -> constant.apply(Math.floor(of(x, 0))));
        pointwise.put("stop_gradient", x -> constant.apply(of(x, 0)));
        pointwise.put("relu", x -> of(x, 0) <= 0 ? constant.apply(0) : x.get(0));
        pointwise.put("maximum", x -> of(x, 0) < of(x, 1) || Double.isNaN(of(x, 1)) ? x.get(1) : x.get(0));
    }

    /** {@code dual} makes a number with a tangent; {@code tangent} reads the tangent of one. */
    public Kit<S> forward(BiFunction<Double, Double, S> dual, ToDoubleFunction<S> tangent) {
        this.dual = dual;
        this.tangent = tangent;
        return this;
    }

    /** {@code record} begins a tape with inputs; {@code gradient} differentiates a number by all of them. */
    public Kit<S> reverse(Function<double[], List<S>> record, BiFunction<S, List<S>, double[]> gradient) {
        this.record = record;
        this.gradient = gradient;
        return this;
    }

    /** Adds a function of one number by the name of adjudge's operator. */
    public Kit<S> unary(String op, UnaryOperator<S> function) {
        pointwise.put(op, x -> function.apply(x.get(0)));
        return this;
    }

    /** Adds a function of two numbers by the name of adjudge's operator. */
    public Kit<S> binary(String op, BinaryOperator<S> function) {
        pointwise.put(op, x -> function.apply(x.get(0), x.get(1)));
        return this;
    }

    /** Names the precision, which is float64 unless told; {@code constant} rounds to it. */
    public Kit<S> dtype(String dtype) {
        this.dtype = dtype;
        return this;
    }

    /** Declares a field of the handshake, such as links or conventions: lists, maps, text and numbers. */
    public Kit<S> declare(String field, Object value) {
        declared.put(field, value);
        return this;
    }

    /** Answers requests on standard input until it ends. What the library prints goes to standard error. */
    public void serve() throws Exception {
        addStructure();
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, Object> reply = new LinkedHashMap<>();
            if (!(read(line) instanceof Map<?, ?> asked) || !(asked.get("id") instanceof Number id)) {
                System.err.println("not a request: " + line.substring(0, Math.min(200, line.length())));
                System.exit(1);
                return;
            }
            reply.put("id", id.longValue());
            try {
                reply.putAll(answer(asked));
            } catch (Unsupported reason) {
                reply.putAll(Map.of("kind", "unsupported", "reason", reason.getMessage()));
            } catch (RuntimeException | StackOverflowError failure) {
                String message = failure.toString();
                reply.putAll(Map.of("kind", "error", "message", message.substring(0, Math.min(4000, message.length()))));
            }
            output.print(Json.write(reply) + "\n");
            output.flush();
        }
    }

    private static Object read(String line) {
        try {
            return new Json(line).read();
        } catch (RuntimeException broken) {
            return null;
        }
    }

    private List<String> modes() {
        List<String> modes = new ArrayList<>(List.of("evaluate"));
        if (dual != null) modes.add("jvp");
        if (record != null) modes.addAll(has("add") ? List.of("vjp", "backward_dense") : List.of("vjp"));
        return modes;
    }

    private boolean has(String op) {
        return pointwise.containsKey(op);
    }

    private Map<String, Object> answer(Map<?, ?> asked) {
        String kind = (String) asked.get("kind");
        if (kind.equals("hello")) return hello();
        int program = integer(asked.get("program"));
        if (kind.equals("load")) graphs.put(program, checked(asked));
        else if (kind.equals("unload")) graphs.remove(program);
        else {
            Graph graph = graphs.get(program);
            if (graph == null) throw new IllegalArgumentException("program " + program + " is not loaded");
            if (!modes().contains(kind)) throw new Unsupported(name + " has no " + kind);
            return Map.of("kind", "tensors", "tensors", new Run(graph, asked).answer(kind).stream().map(Kit::message).toList());
        }
        return Map.of("kind", "done");
    }

    private Map<String, Object> hello() {
        Set<String> promised = new TreeSet<>(pointwise.keySet());
        promised.addAll(structural.keySet());
        Map<String, Object> hello = new LinkedHashMap<>(Map.of("kind", "hello", "protocol", 1, "name", name,
            "version", version, "language", "Java", "links", List.of(), "dtypes", List.of(dtype), "modes", modes()));
        hello.putAll(Map.of("operators", List.copyOf(promised), "conventions", Map.of("compositeKinks", "own"),
            "accuracy", Map.of()));
        hello.putAll(declared);
        return hello;
    }

    private Graph checked(Map<?, ?> asked) {
        if (!dtype.equals(asked.get("dtype"))) throw new Unsupported("no precision " + asked.get("dtype"));
        Map<String, Object> graph = map(asked.get("graph"));
        List<int[]> inputs = list(graph.get("inputs")).stream().map(entry -> integers(map(entry).get("shape"))).toList();
        Map<String, int[]> environment = new HashMap<>();
        for (Object entry : list(graph.get("environment")))
            environment.put((String) map(entry).get("name"), integers(map(entry).get("shape")));
        List<Map<String, Object>> nodes = list(graph.get("nodes")).stream().map(Kit::map).toList();
        int id = inputs.size();
        for (Map<String, Object> node : nodes) {
            if (!has((String) node.get("op")) && !structural.containsKey(node.get("op")))
                throw new Unsupported("no operator " + node.get("op"));
            for (int parent : integers(node.get("parents")))
                if (parent < 0 || parent >= id)
                    throw new IllegalArgumentException("the parents of id " + id + " are not all before it");
            id++;
        }
        return new Graph(inputs, environment, nodes);
    }

    /** One question about a graph at a point. */
    private final class Run {
        private final Graph graph;
        private final Map<?, ?> asked;
        private final List<Double> given;
        private final Map<String, Tensor<Double>> environment = new HashMap<>();

        Run(Graph graph, Map<?, ?> asked) {
            this.graph = graph;
            this.asked = asked;
            Map<String, Object> point = map(asked.get("point"));
            given = elements(point.get("inputs"));
            graph.environment().forEach((entry, shape) -> environment.put(entry, fitting(map(point.get("environment")).get(entry), shape)));
        }

        /** The elements of a tensor for each input. */
        private List<Double> elements(Object messages) {
            List<Object> tensors = list(messages);
            if (tensors.size() != graph.inputs().size())
                throw new IllegalArgumentException("there are " + tensors.size() + " tensors for " + graph.inputs().size() + " inputs");
            List<Double> elements = new ArrayList<>();
            for (int id = 0; id < tensors.size(); id++) elements.addAll(fitting(tensors.get(id), graph.inputs().get(id)).data());
            return elements;
        }

        List<Tensor<Double>> answer(String mode) {
            if (mode.equals("evaluate")) return nodes(plain(), value);
            if (!mode.equals("jvp")) return pulledBack(mode.equals("backward_dense"));
            List<Double> tangents = elements(asked.get("tangents"));
            List<S> duals = new ArrayList<>();
            for (int place = 0; place < given.size(); place++) duals.add(dual.apply(given.get(place), tangents.get(place)));
            return nodes(values(duals, List.of()), tangent);
        }

        private List<Tensor<S>> plain() {
            return values(given.stream().map(constant::apply).toList(), List.of());
        }

        private List<Tensor<Double>> nodes(List<Tensor<S>> values, ToDoubleFunction<S> read) {
            return values.stream().skip(graph.inputs().size())
                .map(x -> new Tensor<>(x.shape(), x.data().stream().map(read::applyAsDouble).toList())).toList();
        }

        /**
         * Differentiates the sum of all values times their seeds. In the dense case each element of each node has a
         * tap, whose derivative is the element's; two more serve whatever else is tapped.
         */
        private List<Tensor<Double>> pulledBack(boolean isDense) {
            if (!has("multiply") || !has("add")) throw new Unsupported("seeds are multiplied and added; add or multiply is missing");
            List<int[]> shapes = new ArrayList<>(graph.inputs());
            List<Double> all = new ArrayList<>(given);
            if (isDense)
                for (Tensor<S> node : plain().stream().skip(shapes.size()).toList()) {
                    shapes.add(node.shape());
                    node.data().forEach(x -> all.add(neutral(x)));
                }
            all.addAll(List.of(-0.0, 0.0));
            double[] leaves = all.stream().mapToDouble(Double::doubleValue).toArray();
            List<S> recorded = record.apply(leaves);
            List<S> inputs = recorded.subList(0, given.size()), taps = recorded.subList(given.size(), recorded.size());
            List<S> terms = terms(values(inputs, taps));
            double[] found = terms.isEmpty() ? new double[leaves.length] : gradient.apply(total(terms), recorded);
            List<Tensor<Double>> answers = new ArrayList<>();
            int first = 0;
            for (int[] shape : shapes) {
                int start = first;
                answers.add(built(shape, place -> found[start + place]));
                first += size(shape);
            }
            return answers;
        }

        private List<S> terms(List<Tensor<S>> values) {
            List<S> terms = new ArrayList<>();
            for (Map<String, Object> seed : list(asked.get("seeds")).stream().map(Kit::map).toList()) {
                Tensor<S> x = values.get(integer(seed.get("id")));
                List<Double> seeds = fitting(seed.get("cotangent"), x.shape()).data();
                for (int place = 0; place < seeds.size(); place++)
                    terms.add(call("multiply", x.data().get(place), constant.apply(seeds.get(place))));
            }
            return terms;
        }

        /**
         * Returns the zero that changes nothing where it is added. Beside a constant 0 it is 0: of 0 and −0 a library
         * that takes 0 + x for x makes −0.
         */
        private double neutral(S x) {
            return Double.compare(value.applyAsDouble(x), 0.0) == 0 ? 0.0 : -0.0;
        }

        /**
         * Computes all ids. A tap is an input of 0 or −0 that is added to an element: the sum is that
         * element, and a variable of its own. With taps, each operand and each node that depends on the
         * inputs is made of such sums: a move would share variables, whose contributions are added element by
         * element and not node by node, as the graph says. The last two, −0 and 0, serve any number of
         * elements; those before are for the nodes' elements.
         */
        private List<Tensor<S>> values(List<S> inputs, List<S> taps) {
            Iterator<S> elements = inputs.iterator(), own = taps.iterator();
            boolean isDense = taps.size() > 2;
            UnaryOperator<S> tapped = x -> call("add", x, taps.get(taps.size() - (1 / neutral(x) < 0 ? 2 : 1)));
            List<Tensor<S>> values = new ArrayList<>();
            List<Boolean> varied = new ArrayList<>();
            for (int[] shape : graph.inputs()) {
                values.add(built(shape, place -> elements.next()));
                varied.add(!taps.isEmpty());
            }
            for (Map<String, Object> node : graph.nodes()) {
                List<Tensor<S>> operands = new ArrayList<>();
                List<Integer> parents = Arrays.stream(integers(node.get("parents"))).boxed().toList();
                for (int parent : parents) {
                    // A function of scalars is told that two of its operands are one variable.
                    int first = has((String) node.get("op")) ? parents.indexOf(parent) : operands.size();
                    Tensor<S> x = values.get(parent);
                    if (first < operands.size()) operands.add(operands.get(first));
                    else operands.add(varied.get(parent) ? each(x, tapped) : x);
                }
                Tensor<S> x = computed((String) node.get("op"), new Call(operands, map(node.get("attributes")), environment));
                varied.add(isDense || parents.stream().anyMatch(varied::get));
                UnaryOperator<S> last = isDense ? y -> call("add", y, own.next()) : tapped;
                values.add(varied.get(values.size()) ? each(x, last) : x);
            }
            return values;
        }

        private Tensor<S> each(Tensor<S> x, UnaryOperator<S> function) {
            return new Tensor<>(x.shape(), x.data().stream().map(function).toList());
        }
    }

    private Tensor<S> computed(String op, Call call) {
        Function<List<S>, S> function = pointwise.get(op);
        if (function == null) return structural.get(op).apply(call);
        return built(call.x().shape(), place -> function.apply(call.operands.stream().map(x -> x.data().get(place)).toList()));
    }

    private S call(String op, S x, S y) {
        return pointwise.get(op).apply(List.of(x, y));
    }

    /** Adds up in order; the sum of nothing is 0. */
    private S total(List<S> terms) {
        return terms.stream().reduce((x, y) -> call("add", x, y)).orElseGet(() -> constant.apply(0));
    }

    private double of(List<S> operands, int place) {
        return value.applyAsDouble(operands.get(place));
    }

    private S truth(boolean yes) {
        return constant.apply(yes ? 1 : 0);
    }

    /** A node that is computed: its operands, and what its attributes say of them. */
    private final class Call {
        private final List<Tensor<S>> operands;
        private final Map<String, Object> attributes;
        private final Map<String, Tensor<Double>> environment;

        Call(List<Tensor<S>> operands, Map<String, Object> attributes, Map<String, Tensor<Double>> environment) {
            this.operands = operands;
            this.attributes = attributes;
            this.environment = environment;
        }

        Tensor<S> x() { return operands.get(0); }

        int[] given(String attribute) { return integers(attributes.get(attribute)); }

        int axis() { return integer(attributes.get("axis")); }

        Tensor<Double> entry(String attribute) {
            Tensor<Double> entry = environment.get(attributes.get(attribute));
            if (entry == null) throw new IllegalArgumentException("the environment has no " + attributes.get(attribute));
            return entry;
        }

        /** The operand's elements, at the coordinates that {@code source} gives for the result's. */
        Tensor<S> moved(int[] shape, UnaryOperator<int[]> source) {
            return built(shape, place -> x().data().get(position(x().shape(), source.apply(coordinates(shape, place)))));
        }

        /** Where the elements of the blocks lie that rows of indices name, and the blocks' shape. */
        Tensor<Integer> rows() {
            Tensor<Double> given = entry("indices");
            int last = given.shape().length - 1;
            int depth = given.shape()[last];
            int[] x = x().shape();
            int[] inner = Arrays.copyOfRange(x, depth, x.length);
            int[] shape = Arrays.copyOf(given.shape(), last + inner.length);
            System.arraycopy(inner, 0, shape, last, inner.length);
            return built(shape, place -> {
                int[] at = new int[depth];
                for (int axis = 0; axis < depth; axis++)
                    at[axis] = index(given.data().get(place / size(inner) * depth + axis), x[axis]);
                return position(Arrays.copyOf(x, depth), at) * size(inner) + place % size(inner);
            });
        }

        Tensor<S> sliced() {
            int[] starts = given("starts"), stops = given("stops"), steps = given("steps");
            int[] shape = x().shape().clone();
            for (int axis = 0; axis < shape.length; axis++) {
                int extent = shape[axis], step = steps[axis];
                int start = clamped(starts[axis], extent, step);
                int distance = clamped(stops[axis], extent, step) - start;
                starts[axis] = start;
                shape[axis] = Math.max(0, (distance + step - Integer.signum(step)) / step);
            }
            return moved(shape, at -> each(at.length, axis -> starts[axis] + steps[axis] * at[axis]));
        }
    }

    private static int clamped(int index, int extent, int step) {
        int counted = index < 0 ? index + extent : index;
        return step > 0 ? Math.min(Math.max(counted, 0), extent) : Math.min(Math.max(counted, -1), extent - 1);
    }

    private void addStructure() {
        structural.put("constant", c -> built(c.entry("name").shape(), place -> constant.apply(c.entry("name").data().get(place))));
        structural.put("full", c -> built(c.given("shape"), place -> constant.apply(number(c.attributes.get("value")))));
        structural.put("iota", c -> built(c.given("shape"), place -> constant.apply(coordinates(c.given("shape"), place)[c.axis()])));
        structural.put("reshape", c -> new Tensor<>(c.given("shape"), c.x().data()));
        structural.put("slice", Call::sliced);
        structural.put("gather", c -> {
            Tensor<Integer> rows = c.rows();
            return built(rows.shape(), place -> c.x().data().get(rows.data().get(place)));
        });
        structural.put("permute_dims", c -> {
            int[] axes = c.given("axes");
            return c.moved(each(axes.length, to -> c.x().shape()[axes[to]]), at -> {
                int[] source = new int[axes.length];
                for (int to = 0; to < axes.length; to++) source[axes[to]] = at[to];
                return source;
            });
        });
        structural.put("broadcast_to", c -> {
            int[] shape = c.given("shape"), from = c.x().shape();
            int lead = shape.length - from.length;
            return c.moved(shape, at -> each(from.length, axis -> Math.min(at[lead + axis], from[axis] - 1)));
        });
        structural.put("take", c -> {
            int axis = c.axis();
            int[] shape = c.x().shape().clone();
            List<Integer> indices = c.entry("indices").data().stream().map(i -> index(i, c.x().shape()[axis])).toList();
            shape[axis] = indices.size();
            return c.moved(shape, at -> with(at, axis, indices.get(at[axis])));
        });
        structural.put("take_along_axis", c -> {
            Tensor<Double> given = c.entry("indices");
            int axis = c.axis(), extent = c.x().shape()[axis];
            return c.moved(given.shape(), at -> with(at, axis, index(given.data().get(position(given.shape(), at)), extent)));
        });
        structural.put("pad", this::pad);
        structural.put("concat", this::concat);
        if (!has("add")) return;
        structural.put("sum", this::sum);
        structural.put("cumulative_sum", c -> {
            List<S> sums = new ArrayList<>(c.x().data());
            int[] shape = c.x().shape();
            int stride = size(Arrays.copyOfRange(shape, c.axis() + 1, shape.length));
            for (int place = 0; place < sums.size(); place++)
                if (coordinates(shape, place)[c.axis()] > 0) sums.set(place, call("add", sums.get(place - stride), sums.get(place)));
            return new Tensor<>(shape, sums);
        });
        structural.put("scatter_add", c -> {
            List<S> sums = new ArrayList<>(c.x().data());
            List<Integer> places = c.rows().data();
            for (int update = 0; update < places.size(); update++)
                sums.set(places.get(update), call("add", sums.get(places.get(update)), c.operands.get(1).data().get(update)));
            return new Tensor<>(c.x().shape(), sums);
        });
        if (has("multiply")) structural.put("matmul", this::matmul);
    }

    private Tensor<S> pad(Call c) {
        int[] low = c.given("low"), high = c.given("high"), interior = c.given("interior"), from = c.x().shape();
        int[] shape = each(from.length, axis -> low[axis] + from[axis] + interior[axis] * Math.max(from[axis] - 1, 0) + high[axis]);
        Tensor<S> padded = built(shape, place -> constant.apply(0));
        for (int place = 0; place < c.x().data().size(); place++) {
            int[] at = coordinates(from, place);
            padded.data().set(position(shape, each(at.length, axis -> low[axis] + at[axis] * (1 + interior[axis]))), c.x().data().get(place));
        }
        return padded;
    }

    private Tensor<S> concat(Call c) {
        int axis = c.axis();
        int[] shape = with(c.x().shape(), axis, c.operands.stream().mapToInt(x -> x.shape()[axis]).sum());
        return built(shape, place -> {
            int[] at = coordinates(shape, place);
            int part = 0;
            for (; at[axis] >= c.operands.get(part).shape()[axis]; part++) at[axis] -= c.operands.get(part).shape()[axis];
            return c.operands.get(part).data().get(position(c.operands.get(part).shape(), at));
        });
    }

    private Tensor<S> sum(Call c) {
        List<Integer> axes = Arrays.stream(c.given("axes")).boxed().toList();
        int[] from = c.x().shape();
        int[] kept = each(from.length, axis -> axes.contains(axis) ? 1 : from[axis]);
        List<List<S>> terms = Kit.<List<S>>built(kept, place -> new ArrayList<>()).data();
        for (int place = 0; place < c.x().data().size(); place++) {
            int[] at = coordinates(from, place);
            terms.get(position(kept, each(at.length, axis -> axes.contains(axis) ? 0 : at[axis]))).add(c.x().data().get(place));
        }
        int[] left = IntStream.range(0, from.length).filter(axis -> !axes.contains(axis)).map(axis -> from[axis]).toArray();
        return new Tensor<>(Boolean.TRUE.equals(c.attributes.get("keepdims")) ? kept : left, terms.stream().map(this::total).toList());
    }

    private Tensor<S> matmul(Call c) {
        Tensor<S> x = c.x(), y = c.operands.get(1);
        int rank = x.shape().length;
        int rows = x.shape()[rank - 2], inner = x.shape()[rank - 1], columns = y.shape()[rank - 1];
        return built(with(x.shape(), rank - 1, columns), place -> {
            int row = place / columns, column = place % columns;
            List<S> terms = new ArrayList<>();
            for (int k = 0; k < inner; k++)
                terms.add(call("multiply", x.data().get(row * inner + k), y.data().get((row / rows * inner + k) * columns + column)));
            return total(terms);
        });
    }

    private static int size(int[] shape) {
        return Arrays.stream(shape).reduce(1, (x, y) -> x * y);
    }

    private static int[] coordinates(int[] shape, int place) {
        int[] at = new int[shape.length];
        for (int axis = shape.length - 1; axis >= 0; place /= shape[axis--]) at[axis] = place % shape[axis];
        return at;
    }

    /** The row-major position of coordinates. */
    private static int position(int[] shape, int[] at) {
        int place = 0;
        for (int axis = 0; axis < shape.length; axis++) place = place * shape[axis] + at[axis];
        return place;
    }

    private static <T> Tensor<T> built(int[] shape, IntFunction<T> element) {
        List<T> data = new ArrayList<>();
        for (int place = 0; place < size(shape); place++) data.add(element.apply(place));
        return new Tensor<>(shape, data);
    }

    private static int[] each(int length, IntUnaryOperator element) {
        int[] all = new int[length];
        Arrays.setAll(all, element);
        return all;
    }

    private static int[] with(int[] all, int place, int element) {
        return each(all.length, one -> one == place ? element : all[one]);
    }

    private static int index(double x, int limit) {
        if (x != Math.rint(x) || x < 0 || x >= limit) throw new IllegalArgumentException(x + " is no index below " + limit);
        return (int) x;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object message) {
        if (message instanceof Map) return (Map<String, Object>) message;
        throw new IllegalArgumentException("an object is missing");
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object message) {
        if (message instanceof List) return (List<Object>) message;
        throw new IllegalArgumentException("a list is missing");
    }

    /** Reads a number: a JSON number, or text that is a decimal, a hex float as C writes it, inf or nan. */
    private static double number(Object message) {
        if (message instanceof Number number) return number.doubleValue();
        String text = (String) message;
        if (text.endsWith("inf")) return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        return text.equals("nan") ? Double.NaN : Double.parseDouble(text);
    }

    private static int integer(Object message) {
        return (int) number(message);
    }

    private static int[] integers(Object message) {
        return list(message).stream().mapToInt(Kit::integer).toArray();
    }

    /** Reads either form of a tensor, which has that shape. */
    private static Tensor<Double> fitting(Object message, int[] shape) {
        Map<String, Object> tensor = map(message);
        List<Double> data = new ArrayList<>();
        if (tensor.get("base64") instanceof String text) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text)).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) data.add(bytes.getDouble());
        } else for (Object element : list(tensor.get("data"))) data.add(number(element));
        int[] told = integers(tensor.get("shape"));
        if (!Arrays.equals(told, shape) || data.size() != size(shape))
            throw new IllegalArgumentException("a tensor has shape " + Arrays.toString(told) + ", not " + Arrays.toString(shape));
        return new Tensor<>(shape, data);
    }

    private static Map<String, Object> message(Tensor<Double> tensor) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * tensor.data().size()).order(ByteOrder.LITTLE_ENDIAN);
        tensor.data().forEach(bytes::putDouble);
        List<Integer> shape = Arrays.stream(tensor.shape()).boxed().toList();
        return Map.of("shape", shape, "base64", Base64.getEncoder().encodeToString(bytes.array()));
    }

    /** A reader of JSON: maps, lists, strings, doubles, booleans, null. */
    private static final class Json {
        private final String text;
        private int place = 0;

        Json(String text) { this.text = text; }

        Object read() {
            char first = peek();
            if (first == '{') return object();
            if (first == '[') return array();
            if (first == '"') return string();
            int start = place;
            while (place < text.length() && ",]} \t\r\n".indexOf(text.charAt(place)) < 0) place++;
            String word = text.substring(start, place);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(place))) place++;
            return text.charAt(place);
        }

        /** Says whether there is another element, past its comma, and passes what closes the last one. */
        private boolean hasNext(char close) {
            char next = peek();
            if (next == close || next == ',') place++;
            return next != close;
        }

        private Map<String, Object> object() {
            Map<String, Object> read = new LinkedHashMap<>();
            place++;
            while (hasNext('}')) {
                peek();
                String key = string();
                if (peek() != ':') throw new IllegalArgumentException("a colon is missing");
                place++;
                read.put(key, read());
            }
            return read;
        }

        private List<Object> array() {
            List<Object> read = new ArrayList<>();
            place++;
            while (hasNext(']')) read.add(read());
            return read;
        }

        private String string() {
            StringBuilder read = new StringBuilder();
            for (place++; text.charAt(place) != '"'; place++) {
                char next = text.charAt(place);
                if (next == '\\') {
                    next = text.charAt(++place);
                    int plain = "bfnrt".indexOf(next);
                    if (plain >= 0) next = "\b\f\n\r\t".charAt(plain);
                    if (next == 'u') {
                        next = (char) Integer.parseInt(text.substring(place + 1, place + 5), 16);
                        place += 4;
                    }
                }
                read.append(next);
            }
            place++;
            return read.toString();
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map)
                return "{" + String.join(",", map.entrySet().stream().map(entry -> write(entry.getKey()) + ":" + write(entry.getValue())).toList()) + "}";
            if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
            if (!(value instanceof String text)) return String.valueOf(value);
            StringBuilder written = new StringBuilder("\"");
            for (char next : text.toCharArray())
                written.append(next < ' ' || next == '"' || next == '\\' ? String.format("\\u%04x", (int) next) : String.valueOf(next));
            return written.append('"').toString();
        }
    }
}
