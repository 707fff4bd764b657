package dev.clew.server.internal.page;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Takes pictures of what a browser shows when a test has failed. Stateless. */
final class FailurePictures implements AfterTestExecutionCallback {
  @Override
  public void afterTestExecution(ExtensionContext test) {
    if (test.getExecutionException().isEmpty()) {
      return;
    }
    int number = 0;
    for (BrowserContext context : Chromium.browser().contexts()) {
      for (Page page : context.pages()) {
        Browsing.picture(page, "failed-" + test.getDisplayName() + "-" + number++);
      }
    }
  }
}
