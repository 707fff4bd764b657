package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartTest {
  @ParameterizedTest
  @ValueSource(strings = {"input_text", "output_text", "text", "summary_text", "reasoning_text"})
  void textComesInSeveralTypes(String type) {
    String json = "{\"type\":\"" + type + "\",\"text\":\"t\",\"extra\":0.10}";

    assertThat(Part.parse(json)).isEqualTo(new Part.Text(type, "t", json));
  }

  @Test
  void imagesAreGivenByAddressOrFile() {
    String seed =
        "{\"type\":\"image\",\"image_url\":\"https://example.com/image.jpg\",\"detail\":\"high\"}";
    String file = "{\"type\":\"input_image\",\"file_id\":\"file_1\"}";
    String chat = "{\"type\":\"input_image\",\"image_url\":{\"url\":\"u\",\"detail\":\"low\"}}";

    assertThat(Part.parse(seed))
        .isEqualTo(
            new Part.Image(
                "image",
                Optional.of("https://example.com/image.jpg"),
                Optional.empty(),
                Optional.of("high"),
                seed));
    assertThat(Part.parse(file))
        .isEqualTo(
            new Part.Image(
                "input_image", Optional.empty(), Optional.of("file_1"), Optional.empty(), file));
    assertThat(((Part.Image) Part.parse(chat)).url()).contains("u");
    assertThat(Part.image("https://example.com/image.jpg", "high").json()).isEqualTo(seed);
    assertThat(Part.image("u", null).json()).isEqualTo("{\"type\":\"image\",\"image_url\":\"u\"}");
  }

  @Test
  void soundIsGivenByAddressOrAsData() {
    String seed =
        "{\"type\":\"audio\",\"audio_url\":\"https://example.com/audio.mp3\",\"transcript\":\"音频\"}";
    String data =
        "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"UklG\",\"format\":\"wav\"}}";

    assertThat(Part.parse(seed))
        .isEqualTo(
            new Part.Audio(
                "audio",
                Optional.of("https://example.com/audio.mp3"),
                Optional.empty(),
                Optional.empty(),
                Optional.of("音频"),
                seed));
    assertThat(Part.parse(data))
        .isEqualTo(
            new Part.Audio(
                "input_audio",
                Optional.empty(),
                Optional.of("UklG"),
                Optional.of("wav"),
                Optional.empty(),
                data));
    assertThat(Part.audio("https://example.com/audio.mp3", "音频").json()).isEqualTo(seed);
  }

  @Test
  void filesHaveAnIdANameOrAnAddress() {
    String json =
        "{\"type\":\"input_file\",\"file_id\":\"f\",\"filename\":\"a.pdf\",\"file_url\":\"u\"}";

    assertThat(Part.parse(json))
        .isEqualTo(
            new Part.File(
                "input_file", Optional.of("f"), Optional.of("a.pdf"), Optional.of("u"), json));
  }

  @Test
  void refusalsAreUnderstood() {
    String json = "{\"type\":\"refusal\",\"refusal\":\"I cannot\"}";

    assertThat(Part.parse(json)).isEqualTo(new Part.Refusal("refusal", "I cannot", json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"unheard_of\",\"x\":[1e400,{\"y\":null}]}",
        "{\"type\":\"input_text\"}",
        "{\"type\":\"text\",\"text\":7}",
        "{\"type\":\"refusal\"}",
        "{\"text\":\"no type\"}",
        "{\"type\":null}",
        "{}",
      })
  void whatIsNotUnderstoodIsKeptAsItWasWritten(String json) {
    assertThat(Part.parse(json)).isInstanceOf(Part.Other.class);
    assertThat(Part.parse(json).json()).isEqualTo(json);

    Item item = Item.message(Role.USER, List.of(Part.inputText("a"), Part.parse(json)));
    assertThat(item.json()).contains(json);
    assertThat(((View.Message) item.view()).content().get(1)).isEqualTo(Part.parse(json));
  }

  @Test
  void aPartMustBeAnObject() {
    assertThatThrownBy(() -> Part.parse("[]")).isInstanceOf(ClewException.InvalidItem.class);
    assertThatThrownBy(() -> Part.parse("{\"a\":1,\"a\":2}"))
        .isInstanceOf(ClewException.InvalidItem.class);
  }
}
