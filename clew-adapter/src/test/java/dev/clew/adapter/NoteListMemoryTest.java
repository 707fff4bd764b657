package dev.clew.adapter;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.ListMemoryContract;
import dev.clew.testservers.StoreKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of list memories with messages that no item says completely. */
@ParameterizedClass
@EnumSource(StoreKind.class)
class NoteListMemoryTest extends ListMemoryContract<Note> {
  @Parameter StoreKind kind;
  @TempDir Path folder;
  private String url;

  @Override
  protected SessionStore open() {
    if (url == null) {
      url = kind.url(folder);
    }
    return Stores.open(url);
  }

  @Override
  protected ListMemory<Note> memory(SessionStore store) {
    Memories<Note> memories = Memories.builder(store, new NoteCodec()).build();
    return new ListMemory<>() {
      @Override
      public List<Note> read(String id) {
        return memories.memory(SessionKey.of(id)).messages();
      }

      @Override
      public void save(String id, List<Note> messages) {
        memories.memory(SessionKey.of(id)).save(messages);
      }

      @Override
      public void delete(String id) {
        memories.memory(SessionKey.of(id)).clear();
      }
    };
  }

  @Override
  protected Note user(String text) {
    return Note.of("user", text);
  }

  @Override
  protected Note assistant(String text) {
    return Note.of("assistant", text);
  }

  @Override
  protected Note system(String text) {
    return Note.of("system", text);
  }

  @Override
  protected String text(Note message) {
    return message.text;
  }
}
