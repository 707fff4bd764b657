package dev.clew.demo;

/** What the user wants, as far as the grammar goes. Immutable. */
sealed interface Intent {
  /** Sentences without arguments. */
  enum Simple implements Intent {
    GREETING,
    THANKS,
    FAREWELL,
    HELP,
    NEVER_MIND,
    ASK_NAME
  }

  /** "My name is Ada." */
  record TellName(String name) implements Intent {}

  /**
   * Something new for the schedule.
   *
   * @param explicit whether a word like "schedule" says so
   */
  record Create(String title, Times times, boolean explicit) implements Intent {}

  /** What is in the schedule, at a time or with words, or both. */
  record ListEvents(Times times, String words) implements Intent {}

  /** What was said before, in all conversations. */
  record Search(String words) implements Intent {}

  /** No sentence of the grammar; it may answer a question that was asked. */
  record Fragment(String text, Times times) implements Intent {}

  /** Something to do with an event that exists. */
  sealed interface OnEvent extends Intent {
    Reference which();

    /** The same with another event. */
    OnEvent with(Reference other);
  }

  /** Another time or length. */
  record Change(Reference which, Times to) implements OnEvent {
    @Override
    public Change with(Reference other) {
      return new Change(other, to);
    }
  }

  /** Another title. */
  record Rename(Reference which, String title) implements OnEvent {
    @Override
    public Rename with(Reference other) {
      return new Rename(other, title);
    }
  }

  /** Away with it. */
  record Cancel(Reference which) implements OnEvent {
    @Override
    public Cancel with(Reference other) {
      return new Cancel(other);
    }
  }
}
