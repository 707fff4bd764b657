package dev.clew.server.internal.page;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests of the page have in common: a server for each class, one browser for all, and
 * pictures of what has failed. Used by one thread.
 */
@ExtendWith(FailurePictures.class)
abstract class InABrowser {
  static Browsing browsing;

  @BeforeAll
  static void startServer(@TempDir Path folder) {
    browsing = new Browsing(folder);
  }

  @AfterAll
  static void stopServer() {
    browsing.close();
  }

  @AfterEach
  void closePages() {
    browsing.end();
  }
}
