package dev.clew.sqlite;

/** How much a test does: a little in the build, much with {@code -Dclew.soak=true}. Stateless. */
final class Soak {
  static final boolean ON = Boolean.getBoolean("clew.soak");

  private Soak() {}

  static int times(int inTheBuild, int inSoak) {
    return ON ? inSoak : inTheBuild;
  }

  /** A measured figure, for whoever reads the output; never asserted. */
  static void figure(String name, Object value) {
    System.out.println("figure: " + name + " = " + value);
  }
}
