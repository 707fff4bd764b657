package dev.clew.transcript;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What commands of TeX stand for. Stateless. */
final class MathSymbols {
  /** Letters and other things that have a value: {@code <mi>}. */
  static final Map<String, String> NAMES =
      pairs(
          "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ"
              + " iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ"
              + " varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ"
              + " Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞"
              + " partial ∂ nabla ∇ hbar ℏ ell ℓ emptyset ∅ varnothing ∅ Re ℜ Im ℑ aleph ℵ"
              + " ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ prime ′ top ⊤ bot ⊥ angle ∠ circ ∘ degree °");

  /** Operators and relations: {@code <mo>}. */
  static final Map<String, String> OPERATORS =
      pairs(
          "times × cdot ⋅ div ÷ pm ± mp ∓ ast ∗ star ⋆ bullet ∙ oplus ⊕ otimes ⊗ cup ∪ cap ∩"
              + " setminus ∖ wedge ∧ land ∧ vee ∨ lor ∨ neg ¬ lnot ¬ le ≤ leq ≤ ge ≥ geq ≥ ll ≪"
              + " gg ≫ ne ≠ neq ≠ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ in ∈ notin ∉ ni ∋"
              + " subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ forall ∀ exists ∃ nexists ∄ to →"
              + " rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ implies ⟹ Leftarrow ⇐"
              + " Leftrightarrow ⇔ iff ⟺ mapsto ↦ uparrow ↑ downarrow ↓ longrightarrow ⟶ mid ∣"
              + " parallel ∥ perp ⊥ vdash ⊢ models ⊨ therefore ∴ because ∵ colon : langle ⟨ rangle ⟩"
              + " lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖"
              + " lbrace { rbrace } { { } } | ‖ % % $ $ _ _ # # & &");

  /** Operators with limits above and below. */
  static final Map<String, String> LARGE =
      pairs("sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigvee ⋁ bigwedge ⋀");

  static final Map<String, String> INTEGRALS = pairs("int ∫ iint ∬ iiint ∭ oint ∮");

  static final Set<String> FUNCTIONS =
      Set.of(
          "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh",
          "tanh", "log", "ln", "lg", "exp", "arg", "deg", "dim", "ker", "hom");

  static final Set<String> LIMITS =
      Set.of(
          "lim", "max", "min", "sup", "inf", "limsup", "liminf", "det", "gcd", "Pr", "argmax",
          "argmin");

  /** What stands above something, or below it. */
  static final Map<String, String> ACCENTS =
      pairs("hat ^ widehat ^ bar ¯ vec → tilde ~ widetilde ~ dot ˙ ddot ¨ overline ¯ overbrace ⏞");

  static final Map<String, String> BELOW = pairs("underline _ underbrace ⏟");

  /** In ems. */
  static final Map<String, String> SPACES =
      pairs(", 0.17 : 0.22 > 0.22 ; 0.28 ! -0.17 quad 1 qquad 2");

  /** What says how to draw, and nothing else. */
  static final Set<String> IGNORED =
      Set.of(
          "displaystyle",
          "textstyle",
          "scriptstyle",
          "limits",
          "nolimits",
          "nonumber",
          "big",
          "Big",
          "bigg",
          "Bigg",
          "bigl",
          "bigr",
          "Bigl",
          "Bigr",
          "biggl",
          "biggr");

  private MathSymbols() {}

  private static Map<String, String> pairs(String text) {
    Map<String, String> all = new HashMap<>();
    String[] words = text.split(" ", -1);
    for (int i = 0; i + 1 < words.length; i += 2) {
      all.put(words[i], words[i + 1]);
    }
    return Map.copyOf(all);
  }

  /** A letter in another alphabet: of {@code mathbb}, {@code mathcal}, {@code mathbf} and so on. */
  static String alphabet(String name, String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(point -> out.appendCodePoint(letter(name, point)));
    return out.toString();
  }

  private static final Map<Integer, Integer> DOUBLE =
      Map.of(
          (int) 'C', 0x2102, (int) 'H', 0x210D, (int) 'N', 0x2115, (int) 'P', 0x2119, (int) 'Q',
          0x211A, (int) 'R', 0x211D, (int) 'Z', 0x2124);

  private static final Map<Integer, Integer> SCRIPT =
      Map.of(
          (int) 'B', 0x212C, (int) 'E', 0x2130, (int) 'F', 0x2131, (int) 'H', 0x210B, (int) 'I',
          0x2110, (int) 'L', 0x2112, (int) 'M', 0x2133, (int) 'R', 0x211B);

  private static int letter(String name, int point) {
    boolean large = point >= 'A' && point <= 'Z';
    boolean small = point >= 'a' && point <= 'z';
    if (!large && !small) {
      return point;
    }
    int index = large ? point - 'A' : point - 'a' + 26;
    return switch (name) {
      case "mathbb" -> DOUBLE.getOrDefault(point, 0x1D538 + index);
      case "mathcal", "mathscr" -> large ? SCRIPT.getOrDefault(point, 0x1D49C + index) : point;
      case "mathbf", "boldsymbol", "bm" -> 0x1D400 + index;
      default -> point;
    };
  }
}
