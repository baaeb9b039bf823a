#!/bin/sh
# This downloads CppAD 20250000.2 (1 MB) and builds its adapter in target/. It takes pip, and a C++ compiler.
set -e
cd "$(dirname "$0")"
python3 -m pip install -q --no-deps --target target/python cmeel-cppad==20250000.2
include=$(dirname "$(find target/python -type d -name cppad -path '*include*' | head -n 1)")
${CXX:-c++} -std=c++17 -O2 -DNDEBUG -I "$include" -I ../../../kits/cpp adapter.cpp -o target/adjudge-cppad
