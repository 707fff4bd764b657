package dev.clew.examples;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.openai.OpenAiConversationsSession;
import dev.clew.openai.OpenAiModels;
import java.util.List;

/**
 * The ways to get a session at OpenAI: a new conversation, made when it is needed; one that exists;
 * with a client of your own; with everything said. Needs OPENAI_API_KEY, and OPENAI_BASE_URL for
 * another server.
 */
public final class OpenConversations {
  private OpenConversations() {}

  static Session anew() {
    return OpenAiConversationsSession.fromEnvironment();
  }

  static Session existing(OpenAIClient client, String conversationId) {
    return OpenAiModels.builder().client(client).conversation(conversationId);
  }

  static Session complete(String baseUrl, String key, String conversationId) {
    return OpenAiModels.builder()
        .baseUrl(baseUrl)
        .apiKey(key)
        .organization("org-example")
        .project("proj-example")
        .conversation(conversationId);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = anew();
    System.out.println("nothing is made yet: " + session.getItems().size() + " items");
    session.addItems(List.of(Item.user("Hello")));

    OpenAIClient client = OpenAIOkHttpClient.fromEnv();
    Session same = existing(client, session.id());
    System.out.println("by its id: " + same.getItems().size() + " item");
    String id = OpenAiConversationsSession.startConversation(client);
    System.out.println("made beforehand: " + existing(client, id).getItems().size() + " items");
    same.clearSession(); // deletes the conversation
    existing(client, id).clearSession();
  }
}
