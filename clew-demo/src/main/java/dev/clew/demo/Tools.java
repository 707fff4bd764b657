package dev.clew.demo;

import java.util.Set;

/** The names of the tools and of their arguments, for those who offer and those who call them. */
final class Tools {
  static final String CREATE = "create_event";
  static final String UPDATE = "update_event";
  static final String LIST = "list_events";
  static final String CANCEL = "cancel_event";
  static final String SEARCH = "search_history";

  static final Set<String> ALL = Set.of(CREATE, UPDATE, LIST, CANCEL, SEARCH);

  private Tools() {}
}
