package dev.clew.adapter;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.testservers.StoresListMemoryContract;

/** The contract of list memories with messages that no item says completely. */
class NoteListMemoryTest extends StoresListMemoryContract<Note> {
  @Override
  protected ListMemory<Note> memory(SessionStore store) {
    Memories<Note> memories = Memories.builder(store, new NoteCodec()).build();
    return new ListMemory<>(
        id -> memories.memory(SessionKey.of(id)).messages(),
        (id, messages) -> memories.memory(SessionKey.of(id)).save(messages),
        id -> memories.memory(SessionKey.of(id)).clear());
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
