#!/bin/sh
# This downloads Commons Math 3.6.1 (2 MB), and what Maven needs to do so, and builds its adapter in target/.
set -e
cd "$(dirname "$0")"
mvn -q dependency:copy -Dartifact=org.apache.commons:commons-math3:3.6.1 -DoutputDirectory="$PWD/target"
javac -cp target/commons-math3-3.6.1.jar -encoding UTF-8 -d target/classes ../../../kits/java/Kit.java Adapter.java
