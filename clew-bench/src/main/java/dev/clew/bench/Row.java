package dev.clew.bench;

/** One part of the benchmark, which can be run alone. Stateless. */
interface Row {
  void measure(Lab lab) throws Exception;
}
