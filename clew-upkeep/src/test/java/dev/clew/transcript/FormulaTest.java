package dev.clew.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {
  private static String math(String source) {
    return Formula.html(source, false).orElseThrow();
  }

  /** Without what encloses it all. */
  private static String inside(String source) {
    return math(source).replace("<math><mrow>", "").replace("</mrow></math>", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "x^2 ! <msup><mi>x</mi><mrow><mrow><mn>2</mn></mrow></mrow></msup>",
        "\\frac{1}{2} ! <mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>",
        "\\sqrt[3]\\pi ! <mroot><mrow><mi>π</mi></mrow><mrow><mn>3</mn></mrow></mroot>",
        "\\mathbb{R} ! <mi>ℝ</mi>",
        "\\text{if } x ! <mtext>if </mtext><mi>x</mi>",
        "a_{i}' ! <msubsup><mi>a</mi><mrow><mi>i</mi></mrow><mrow><mo>′</mo></mrow></msubsup>",
      })
  void itIsDrawn(String source, String html) {
    assertThat(inside(source)).isEqualTo(html);
  }

  @Test
  void whatIsEnclosedStretches_andALongerWordEndsNothing() {
    assertThat(math("\\left( a \\rightarrow b \\right]"))
        .contains("<mo stretchy=\"true\">(</mo>", "→", "<mo stretchy=\"true\">]</mo>");
  }

  @Test
  void limitsStandAboveAndBelow_whereThereIsRoom() {
    assertThat(Formula.html("\\sum_{i=1}^n i", true).orElseThrow())
        .startsWith("<math display=\"block\">")
        .contains("<munderover><mo>∑</mo>");
    assertThat(math("\\sum_{i=1}^n i")).contains("<msubsup><mo>∑</mo>");
  }

  @Test
  void tablesHaveRowsAndColumns_alsoInOneAnother() {
    String html =
        math(
            "\\begin{pmatrix} a & \\begin{matrix} 1 \\\\ 2 \\end{matrix} \\\\ c & d \\end{pmatrix}");
    assertThat(html.split("<mtr>", -1)).hasSize(1 + 2 + 2);
    assertThat(html.split("<mtd>", -1)).hasSize(1 + 4 + 2);
    assertThat(math("\\begin{cases} 0 & x < 0 \\\\ 1 & x \\ge 0 \\end{cases}"))
        .contains("<mo>{</mo><mtable>", "&lt;", "≥");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\href{javascript:alert(1)}{x}",
        "\\unknown",
        "{a",
        "a}",
        "\\frac{1}",
        "\\left( a",
        "\\begin{x}a\\end{x}",
        "\\begin{matrix}a",
        "\\text{a {b} c}",
        "a & b",
      })
  void whatItDoesNotKnowStaysAsItIs(String source) {
    assertThat(Formula.html(source, false)).isEmpty();
    assertThat(MarkdownHtml.of("$" + source + "$")).doesNotContain("<math").doesNotContain("href=");
  }

  @Test
  void noFormulaBecomesHtml_orTakesLong() {
    assertThat(math("\\text{<img src=x onerror=alert(1)>} < a"))
        .contains("&lt;img")
        .doesNotContain("<img");
    assertThat(Formula.html("{".repeat(2_000), false)).isEmpty();
    assertThat(Formula.html("\\sqrt".repeat(400) + " x", false)).isPresent();
    assertThat(MarkdownHtml.of("$".repeat(200_000))).contains("$$$");
    assertThat(MarkdownHtml.of("\\(".repeat(100_000))).contains("(((");
  }

  @Test
  void itIsFoundWhereThePageFindsIt() {
    assertThat(MarkdownHtml.of("It is $x_1*y*z$ and \\(a\\) or\n\n$$\n\\frac{a}{b}\n$$\n"))
        .contains("<msub><mi>x</mi>", "<math><mrow><mi>a</mi>", "<math display=\"block\">")
        .doesNotContain("<em>");
    assertThat(MarkdownHtml.of("Between $5 and $10.\n\n`$x$`\n\n    $y$\n"))
        .doesNotContain("<math");
  }
}
