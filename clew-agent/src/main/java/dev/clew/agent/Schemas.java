package dev.clew.agent;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonModule;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Optional;

/**
 * JSON schemas of Java types, and values read against them. Thread-safe.
 *
 * <p>Everything a schema names is required, as the strict mode of the providers wants it; what may
 * be missing is an {@code Optional} or has a {@code @Nullable}, and may be null.
 */
final class Schemas {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final String DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
  private static final String TIME = "[0-9]{2}:[0-9]{2}(:[0-9]{2})?";

  private static final SchemaGenerator GENERATOR = generator();

  private Schemas() {}

  /** The value in a text does not fit. The message is for the model. */
  static final class Mismatch extends Exception {
    private static final long serialVersionUID = 1L;

    Mismatch(String message) {
      super(message);
    }
  }

  private static SchemaGenerator generator() {
    SchemaGeneratorConfigBuilder config =
        new SchemaGeneratorConfigBuilder(
                MAPPER, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(new JacksonModule(JacksonOption.RESPECT_JSONPROPERTY_ORDER))
            .with(Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT)
            .with(Option.FLATTENED_OPTIONALS)
            .without(Option.SCHEMA_VERSION_INDICATOR);
    config
        .forTypesInGeneral()
        .withPropertySorter((unusedA, unusedB) -> 0)
        .withTypeAttributeOverride(
            (schema, scope, unusedContext) -> localTime(schema, scope.getType().getErasedType()));
    config
        .forFields()
        .withRequiredCheck(field -> true)
        .withNullableCheck(field -> field.getType() != null && isNullable(field.getRawMember()));
    return new SchemaGenerator(config.build());
  }

  /** The formats "date-time" and "time" want an offset, which a local time does not have. */
  private static void localTime(ObjectNode schema, Class<?> type) {
    if (type == LocalDateTime.class || type == LocalTime.class) {
      schema.remove("format");
      schema.put(
          "pattern", type == LocalTime.class ? "^" + TIME + "$" : "^" + DATE + "T" + TIME + "$");
    }
  }

  private static boolean isNullable(java.lang.reflect.Field field) {
    return field.getType() == Optional.class
        || saysNullable(field)
        || saysNullable(field.getAnnotatedType());
  }

  static boolean saysNullable(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(annotation -> annotation.annotationType().getSimpleName().equals("Nullable"));
  }

  /** The schema of a type. */
  static ObjectNode schema(Type type) {
    return GENERATOR.generateSchema(type);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** A JSON object in a text; nothing at all counts as an empty one. */
  static JsonNode tree(String json) throws Mismatch {
    try {
      JsonNode tree = MAPPER.readTree(json.isBlank() ? "{}" : json);
      if (!tree.isObject()) {
        throw new Mismatch("the arguments must be a JSON object");
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw new Mismatch("the arguments are not valid JSON: " + e.getOriginalMessage());
    }
  }

  /** A value of a type out of JSON. */
  static Object value(JsonNode json, Type type) throws Mismatch {
    JavaType javaType = MAPPER.constructType(type);
    requireAll(json, javaType, "");
    try {
      return MAPPER.readerFor(javaType).readValue(json);
    } catch (JsonMappingException e) {
      String path = path(e);
      throw new Mismatch((path.isEmpty() ? "" : "'" + path + "': ") + e.getOriginalMessage());
    } catch (java.io.IOException e) {
      throw new Mismatch(String.valueOf(e.getMessage()));
    }
  }

  private static String path(JsonMappingException e) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : e.getPath()) {
      if (step.getFieldName() != null) {
        path.append(path.length() == 0 ? "" : ".").append(step.getFieldName());
      } else {
        path.append('[').append(step.getIndex()).append(']');
      }
    }
    return path.toString();
  }

  /** Jackson would fill in zero or null for what is not there. */
  private static void requireAll(JsonNode json, JavaType type, String where) throws Mismatch {
    if (type.isCollectionLikeType() && json.isArray()) {
      for (int i = 0; i < json.size(); i++) {
        requireAll(json.get(i), type.getContentType(), where + "[" + i + "]");
      }
      return;
    }
    if (!type.getRawClass().isRecord() || !json.isObject()) {
      return;
    }
    for (RecordComponent component : type.getRawClass().getRecordComponents()) {
      String name = name(component);
      String place = where.isEmpty() ? name : where + "." + name;
      JsonNode value = json.get(name);
      if (value == null || value.isNull()) {
        if (!isNullable(component)) {
          throw new Mismatch("'" + place + "' is missing");
        }
      } else {
        requireAll(value, MAPPER.constructType(component.getGenericType()), place);
      }
    }
  }

  private static boolean isNullable(RecordComponent component) {
    return component.getType() == Optional.class
        || saysNullable(component)
        || saysNullable(component.getAnnotatedType())
        || saysNullable(component.getAccessor());
  }

  private static String name(RecordComponent component) {
    JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property == null || property.value().isEmpty() ? component.getName() : property.value();
  }

  /** Text as it is, nothing as nothing, anything else as JSON. */
  static String text(@org.jspecify.annotations.Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getName() + " cannot be written as JSON", e);
    }
  }
}
