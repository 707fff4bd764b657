package dev.clew.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibilityTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          public class A { public int f(int a) { return a; } } | public class A { public int f(long a) { return 1; } }
          public class A { public int f() { return 1; } }      | public class A { public long f() { return 1; } }
          public class A { public int f() { return 1; } }      | public class A { int f() { return 1; } }
          public class A { public void f() {} }                | public class A { public static void f() {} }
          public class A { public void f() {} }                | public class A { public void f() throws Exception {} }
          public class A { public A() {} }                     | public class A { private A() {} }
          public class A { public int a; }                     | public class A {}
          public class A implements Runnable { public void run() {} } | public class A { public void run() {} }
          public class A {}                                    | public final class A {}
          public class A {}                                    | public abstract class A {}
          public class A {}                                    | class A {}
          public class A { public static class B {} }          | public class A {}
          public class A { protected void f() {} }             | public class A { private void f() {} }
          public record A(int a) {}                            | public record A(int a, int b) {}
          public enum A { X, Y }                               | public enum A { X }
          public interface A { void f(); }                     | public interface A { void f(); void g(); }
          public abstract class A { public void f() {} }       | public abstract class A { public abstract void f(); }
          public interface A<T> { T f(); }                     | public interface A<T extends Number> { T f(); }
          public class A extends B {} class B { public void f() {} } | public class A extends B {} class B {}
          """)
  void aBreakIsFound(String before, String now) throws IOException {
    assertThat(Compatibility.breaks(signatures(before), signatures(now))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          public class A {}                                    | public class A { public int a; public void f() {} }
          public class A {}                                    | public class A {} class B { public void f() {} }
          public class A {}                                    | public class A implements Runnable { public void run() {} }
          public final class A {}                              | public class A {}
          public abstract class A { public abstract void f(); } | public class A { public void f() {} }
          public interface A { void f(); }                     | public interface A { default void f() {} }
          public class A { protected final void f() {} }       | public class A { public synchronized void f() {} }
          public enum A { X }                                  | public enum A { X, Y { } }
          public class A { void f() {} }                       | public class A { long f() { return 1; } }
          public class A { public void f(int a) {} }           | public class A { public void f(int b) {} }
          """)
  void anAdditionIsNone(String before, String now) throws IOException {
    assertThat(Compatibility.breaks(signatures(before), signatures(now))).isEmpty();
  }

  @Test
  void aTypeThatIsGoneIsABreak() throws IOException {
    Map<String, List<String>> before = signatures("public class A {}");
    assertThat(Compatibility.breaks(before, Map.of())).containsExactly("A: the type is gone");
  }

  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    Map<String, List<String>> signatures =
        signatures(
            """
            public abstract class A<T extends Comparable<? super T> & Runnable> {
              public @interface Note { int classes() default 1; }
              public record Two(java.util.List<int[]> a, java.util.Map.Entry<T1, ?> b) {}
              public interface T1 { <X extends Exception> X f(String... all) throws X; }
              protected enum E { X }
            }
            """);
    assertThat(signatures).containsOnlyKeys("A", "A.Note", "A.Two", "A.T1", "A.E");
    assertThat(Compatibility.read(Compatibility.write(signatures))).isEqualTo(signatures);
    assertThat(signatures.get("A.T1"))
        .containsExactly(
            "public static interface A.T1",
            "public abstract <X extends java.lang.Exception> X f(java.lang.String[]) throws X");
  }

  private Map<String, List<String>> signatures(String source) throws IOException {
    Path own = Files.createTempDirectory(folder, "a");
    Path file = Files.writeString(own.resolve("A.java"), source);
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", own.toString(), file.toString());
    assertThat(errors).as(source).isZero();
    return Signatures.of(own, "");
  }
}
