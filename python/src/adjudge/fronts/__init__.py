"""The fronts write a function of a library down as a graph: one module for each library, loaded on use."""
