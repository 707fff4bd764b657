package dev.clew.agent;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a tool, see {@link Tool#methodsOf}. Its parameters become the schema, so compile
 * with {@code -parameters}; a parameter of type {@link RunContext} is not shown to the model.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ToolMethod {
  /** What it does and when to use it. */
  String value();

  /** What it is called; the method's name otherwise. */
  String name() default "";

  /** Whether a person has to agree before it is called. */
  boolean needsApproval() default false;

  /** What a parameter means. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  @interface Param {
    /** For the model. */
    String value();
  }
}
