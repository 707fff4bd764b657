package dev.clew.redis;

import dev.clew.imports.BadSource;
import dev.clew.imports.ConversationReader;
import dev.clew.imports.ImportFormat;
import dev.clew.imports.Losses;
import java.util.Set;

/**
 * Lists of items in Redis: of {@code RedisSession} of the OpenAI Agents SDK ({@code
 * agents:session:ID:messages}), and of sessions made by hand ({@code agent:session:ID:history}).
 * Stateless. With {@code ?prefix=} in the URL, lists {@code PREFIX:ID:messages} instead.
 */
public final class AgentsRedisFormat implements ImportFormat {
  private static final Set<String> SCHEMES = Set.of("redis", "rediss");

  /** For the service loader. */
  public AgentsRedisFormat() {}

  @Override
  public String name() {
    return "agents-redis";
  }

  @Override
  public boolean recognises(String source) {
    return SCHEMES.contains(source.replaceFirst(":.*", ""));
  }

  @Override
  public ConversationReader open(String source, Losses losses) {
    if (!recognises(source)) {
      throw new BadSource(
          "a Redis to import from is named by a URL such as redis://localhost:6379");
    }
    return AgentsRedisReader.open(new RedisUrl(source), losses);
  }
}
