package dev.clew.cli.command;

import picocli.CommandLine.IVersionProvider;

/** The version of the jar this runs from, and of the Java below it. Stateless. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "clew "
          + (version == null ? "(not built as a jar)" : version)
          + ", Java "
          + System.getProperty("java.version")
    };
  }
}
