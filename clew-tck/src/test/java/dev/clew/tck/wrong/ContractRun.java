package dev.clew.tck.wrong;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one case of a contract from within a test. Stateless. */
final class ContractRun {
  private ContractRun() {}

  /** Runs the case of this name and nothing else. */
  static TestExecutionSummary of(Class<?> contract, String testCase) {
    PostDiscoveryFilter only =
        test ->
            test.getSource().orElse(null) instanceof MethodSource method
                ? FilterResult.includedIf(method.getMethodName().equals(testCase))
                : FilterResult.included("not a method");
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(contract))
                .filters(only)
                .build(),
            listener);
    return listener.getSummary();
  }
}
