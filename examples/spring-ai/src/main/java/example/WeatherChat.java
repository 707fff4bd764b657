package example;

import dev.clew.springai.ClewAdvisors;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Asks a model with a tool, and remembers the conversation the next time. */
@SpringBootApplication
public class WeatherChat {
  public static void main(String[] args) {
    SpringApplication.run(WeatherChat.class, args).close();
  }

  /** What the model may call. */
  static class Weather {
    @Tool(description = "The weather in a city")
    String weather(String city) {
      return "It rains in " + city + ".";
    }
  }

  @Bean
  CommandLineRunner chat(ChatModel model, ChatMemory memory) {
    ChatClient client =
        ChatClient.builder(model)
            .defaultTools(new Weather())
            .defaultAdvisors(ClewAdvisors.insideToolLoop(memory))
            .build();
    return words ->
        System.out.println(
            client
                .prompt(String.join(" ", words))
                .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "trip"))
                .call()
                .content());
  }
}
