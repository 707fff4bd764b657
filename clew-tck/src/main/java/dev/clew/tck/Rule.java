package dev.clew.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What whoever passes a rule has to do, in a sentence that a failure shows. On a group it is about
 * all of its rules; on a rule it goes before that of the group.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@interface Rule {
  /** The sentence, without its full stop. */
  String value();
}
