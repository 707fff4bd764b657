package dev.clew.adk;

import dev.clew.SessionKey;

/** Where the sessions of an app and their state are. Stateless. */
final class AdkNames {
  private AdkNames() {}

  static SessionKey session(String app, String user, String id) {
    return new SessionKey(user, prefix(app) + id);
  }

  /** What the ids of an app's sessions begin with. */
  static String prefix(String app) {
    return escaped(app) + ":";
  }

  static String tag(String app) {
    return "app:" + app;
  }

  /** The document of a session's owner with the session's state. */
  static String sessionState(String app, String id) {
    return sessionStates(app) + id;
  }

  static String sessionStates(String app) {
    return "adk/state/" + escaped(app) + "/";
  }

  /** The document of a user with what the keys {@code user:} have. */
  static String userState(String app) {
    return "adk/user/" + escaped(app);
  }

  /** The owner of the document with what the keys {@code app:} have. */
  static String appOwner(String app) {
    return "adk-app:" + app;
  }

  static final String APP_STATE = "adk/app";

  private static String escaped(String app) {
    return app.replace("%", "%25").replace(":", "%3A").replace("/", "%2F");
  }
}
