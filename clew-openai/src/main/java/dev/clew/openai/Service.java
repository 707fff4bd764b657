package dev.clew.openai;

import com.google.errorprone.annotations.MustBeClosed;
import com.openai.client.OpenAIClient;
import com.openai.core.http.HttpResponse;

/** Which of the client's calls to make. Stateless. */
@FunctionalInterface
interface Service {
  @MustBeClosed
  HttpResponse call(OpenAIClient client);
}
