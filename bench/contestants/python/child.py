#!/usr/bin/env python3
"""This is a contestant's process: it reads questions, a line of JSON each, and answers each with a line.

The messages are those of bench/harness/messages.ts. The library is named in the first question.
"""

import json
import math
import resource
import statistics
import sys
import time
from pathlib import Path

import functions

# Messages go to the real standard output, and what a library prints goes to standard error.
OUTPUT = sys.stdout
sys.stdout = sys.stderr


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_data(data):
    """Read the entries of the data file, float64 in order, by name: (kind, shape, numbers)."""
    from array import array

    numbers = array("d")
    numbers.frombytes(Path(data["path"]).read_bytes())
    entries, start = {}, 0
    for entry in data["entries"]:
        end = start + math.prod(entry["shape"])
        entries[entry["name"]] = (entry["kind"], entry["shape"], numbers[start:end])
        start = end
    return entries


class Contestant:
    def __init__(self):
        self.run = None
        self.before = 0

    def prepare(self, question):
        workload = question["workload"]
        if workload["kind"] not in functions.WRITTEN:
            return {"kind": "absent", "reason": "not written for it"}
        data = read_data(question["data"])
        precision = "float32" if workload["kind"] in functions.FLOAT32 else "float64"
        self.before = peak_bytes()
        if question["contestant"] == "torch":
            import torch_library as library
        else:
            import jax_library as library
        start = time.perf_counter()
        self.run = library.prepare(workload, data, question["mode"], precision)
        self.run()
        return {"kind": "ready", "preparation": (time.perf_counter() - start) * 1e9}

    def round(self, question):
        samples = []
        for _ in range(question["timings"]):
            start = time.perf_counter()
            for _ in range(question["calls"]):
                self.run()
            samples.append((time.perf_counter() - start) * 1e9 / question["calls"])
        return {"kind": "timed", "least": min(samples), "median": statistics.median_high(samples)}

    def answer(self, question):
        from array import array

        value, gradient = self.run()
        lists = [array("d", g.reshape(-1).tolist()) for g in gradient]
        Path(question["path"]).write_bytes(b"".join([array("d", [float(value)]).tobytes(), *(x.tobytes() for x in lists)]))
        return {"kind": "answered", "sizes": [len(x) for x in lists]}

    def memory(self, _):
        return {"kind": "memory", "before": self.before, "peak": peak_bytes()}


def main():
    contestant = Contestant()
    for line in sys.stdin:
        question = json.loads(line)
        try:
            reply = getattr(contestant, question["ask"])(question)
        except Exception as problem:  # whatever a library raises is its answer
            reply = {"kind": "failed", "message": f"{type(problem).__name__}: {problem}".split("\n")[0]}
        print(json.dumps(reply), file=OUTPUT, flush=True)


if __name__ == "__main__":
    main()
