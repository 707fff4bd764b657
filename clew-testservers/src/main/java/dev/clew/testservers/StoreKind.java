package dev.clew.testservers;

import java.nio.file.Path;

/** Every kind of store that is part of Clew, for tests that run on all of them. */
public enum StoreKind {
  MEMORY {
    @Override
    public String url(Path folder) {
      return "memory:";
    }
  },
  JSONL {
    @Override
    public String url(Path folder) {
      return "jsonl:" + folder.resolve("sessions");
    }
  },
  SQLITE {
    @Override
    public String url(Path folder) {
      return "sqlite:" + folder.resolve("sessions.db");
    }
  },
  POSTGRES {
    @Override
    public String url(Path folder) {
      return PostgresServer.shared().newUrl();
    }
  },
  REDIS {
    @Override
    public String url(Path folder) {
      return RedisServer.shared().newUrl();
    }
  };

  /** The URL of a new store; the module of the store must be on the class path. */
  public abstract String url(Path folder);
}
