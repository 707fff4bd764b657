package dev.clew.cli.api;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ErrorType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.SimpleTypeVisitor14;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The public and protected signatures of compiled classes, as text. They are read by the compiler,
 * so no class is loaded and libraries may be missing. Stateless.
 */
final class Signatures {
  private static final Set<Modifier> IN_EVERY_ENUM =
      EnumSet.of(Modifier.ABSTRACT, Modifier.FINAL, Modifier.SEALED);
  private static final Set<Modifier> OF_THE_CODE =
      EnumSet.of(Modifier.SYNCHRONIZED, Modifier.NATIVE, Modifier.STRICTFP, Modifier.TRANSIENT);

  private Signatures() {}

  /** For each type that others can use, its declaration and then its members. */
  static SortedMap<String, List<String>> of(Path classes, String classPath) {
    SortedMap<String, List<String>> found = new TreeMap<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var task =
        compiler.getTask(
            null,
            null,
            null,
            List.of("-proc:only", "-Xlint:none", "-classpath", classes + ":" + classPath),
            List.of("java.lang.Object"), // it wants one; ours are asked for by name
            null);
    task.setProcessors(List.of(new Reader(names(classes), found)));
    if (!task.call()) {
      throw new IllegalStateException("the compiler cannot read " + classes);
    }
    return found;
  }

  private static List<String> names(Path classes) {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(
              file ->
                  file.endsWith(".class") && !file.contains("$") && !file.endsWith("-info.class"))
          .map(file -> file.replaceFirst("\\.class$", "").replace('/', '.'))
          .filter(name -> !name.contains(".internal."))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SupportedAnnotationTypes("*")
  private static final class Reader extends AbstractProcessor {
    private final List<String> names;
    private final SortedMap<String, List<String>> found;

    Reader(List<String> names, SortedMap<String, List<String>> found) {
      this.names = names;
      this.found = found;
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      if (!round.processingOver()) {
        names.forEach(name -> read(processingEnv.getElementUtils().getTypeElement(name)));
      }
      return false;
    }

    private void read(TypeElement type) {
      if (!isVisible(type)) {
        return;
      }
      List<String> lines = new ArrayList<>();
      lines.add(declaration(type));
      TreeSet<String> parts = new TreeSet<>();
      if (type.getSuperclass().getKind() != TypeKind.NONE
          && type.getKind() == ElementKind.CLASS
          && !name(type.getSuperclass()).equals("java.lang.Object")) {
        parts.add("extends " + name(type.getSuperclass()));
      }
      type.getInterfaces().forEach(each -> parts.add("implements " + name(each)));
      for (Element member : members(type)) {
        if (isVisible(member)) {
          parts.add(member instanceof ExecutableElement e ? method(e, type) : field(member));
        }
      }
      lines.addAll(parts);
      found.put(type.getQualifiedName().toString(), lines);
      ElementFilter.typesIn(type.getEnclosedElements()).forEach(this::read);
    }

    /** Its own, and those of superclasses that others do not see. */
    private List<Element> members(TypeElement type) {
      List<Element> all = new ArrayList<>();
      for (TypeElement at = type; at != null; at = hiddenSuperclass(at)) {
        boolean own = at == type;
        at.getEnclosedElements().stream()
            .filter(each -> each.getKind().isField() || each instanceof ExecutableElement)
            .filter(each -> own || each.getKind() != ElementKind.CONSTRUCTOR)
            .forEach(all::add);
      }
      return all;
    }

    private TypeElement hiddenSuperclass(TypeElement type) {
      return type.getSuperclass() instanceof DeclaredType above
              && above.asElement() instanceof TypeElement element
              && !isVisible(element)
          ? element
          : null;
    }
  }

  private static boolean isVisible(Element element) {
    Set<Modifier> modifiers = element.getModifiers();
    return modifiers.contains(Modifier.PUBLIC) || modifiers.contains(Modifier.PROTECTED);
  }

  private static String declaration(TypeElement type) {
    String kind =
        switch (type.getKind()) {
          case ANNOTATION_TYPE -> "@interface ";
          case ENUM -> "enum ";
          case INTERFACE -> "interface ";
          case RECORD -> "record ";
          default -> "class ";
        };
    Set<Modifier> modifiers = EnumSet.copyOf(type.getModifiers());
    switch (type.getKind()) {
      case ENUM -> modifiers.removeAll(IN_EVERY_ENUM);
      case INTERFACE, ANNOTATION_TYPE -> modifiers.remove(Modifier.ABSTRACT);
      case RECORD -> modifiers.remove(Modifier.FINAL);
      default -> {}
    }
    return words(modifiers)
        + kind
        + type.getQualifiedName()
        + typeParameters(type.getTypeParameters());
  }

  private static String field(Element field) {
    return words(field.getModifiers()) + name(field.asType()) + " " + field.getSimpleName();
  }

  private static String method(ExecutableElement method, TypeElement type) {
    Set<Modifier> modifiers = EnumSet.copyOf(method.getModifiers());
    modifiers.removeAll(OF_THE_CODE);
    String parameters = typeParameters(method.getTypeParameters());
    boolean creates = method.getKind() == ElementKind.CONSTRUCTOR;
    return words(modifiers)
        + (parameters.isEmpty() ? "" : parameters + " ")
        + (creates
            ? type.getSimpleName()
            : name(method.getReturnType()) + " " + method.getSimpleName())
        + method.getParameters().stream()
            .map(VariableElement::asType)
            .map(Signatures::name)
            .collect(joining(", ", "(", ")"))
        + method.getThrownTypes().stream()
            .map(Signatures::name)
            .reduce((a, b) -> a + ", " + b)
            .map(thrown -> " throws " + thrown)
            .orElse("");
  }

  /** In the order in which they are written. */
  private static String words(Set<Modifier> modifiers) {
    return Arrays.stream(Modifier.values())
        .filter(modifiers::contains)
        .map(modifier -> modifier + " ")
        .collect(joining());
  }

  private static String typeParameters(List<? extends TypeParameterElement> parameters) {
    return parameters.isEmpty()
        ? ""
        : parameters.stream()
            .map(
                each ->
                    each.getSimpleName()
                        + each.getBounds().stream()
                            .map(Signatures::name)
                            .filter(bound -> !bound.equals("java.lang.Object"))
                            .reduce((a, b) -> a + " & " + b)
                            .map(bounds -> " extends " + bounds)
                            .orElse(""))
            .collect(joining(", ", "<", ">"));
  }

  /** Without annotations, which not every JDK reads from a class file. */
  private static String name(TypeMirror type) {
    return type.accept(
        new SimpleTypeVisitor14<String, Void>() {
          @Override
          public String visitDeclared(DeclaredType declared, Void none) {
            String name = ((TypeElement) declared.asElement()).getQualifiedName().toString();
            return declared.getTypeArguments().isEmpty()
                ? name
                : name
                    + declared.getTypeArguments().stream()
                        .map(Signatures::name)
                        .collect(joining(", ", "<", ">"));
          }

          /** A type of a library that is missing. */
          @Override
          public String visitError(ErrorType missing, Void none) {
            return visitDeclared(missing, null);
          }

          @Override
          public String visitArray(ArrayType array, Void none) {
            return name(array.getComponentType()) + "[]";
          }

          @Override
          public String visitTypeVariable(TypeVariable variable, Void none) {
            return variable.asElement().getSimpleName().toString();
          }

          @Override
          public String visitWildcard(WildcardType wildcard, Void none) {
            if (wildcard.getExtendsBound() != null) {
              return "? extends " + name(wildcard.getExtendsBound());
            }
            return wildcard.getSuperBound() == null
                ? "?"
                : "? super " + name(wildcard.getSuperBound());
          }

          @Override
          public String visitIntersection(IntersectionType all, Void none) {
            return all.getBounds().stream().map(Signatures::name).collect(joining(" & "));
          }

          @Override
          protected String defaultAction(TypeMirror other, Void none) {
            return other.toString();
          }
        },
        null);
  }
}
