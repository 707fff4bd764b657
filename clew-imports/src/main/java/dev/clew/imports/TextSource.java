package dev.clew.imports;

/** A source that was sent as text instead of being named. Immutable. */
record TextSource(JsonFormat format, String text) implements ImportFormat {
  @Override
  public String name() {
    return format.name();
  }

  @Override
  public boolean recognises(String source) {
    return format.recognises(SourceFiles.ofText(source, text));
  }

  @Override
  public ConversationReader open(String source, Losses losses) {
    return format.open(SourceFiles.ofText(source, text), losses);
  }
}
