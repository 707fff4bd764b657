package dev.clew.cli.terminal;

import dev.clew.SearchResult;

/** Shows what a search found, with the words it found marked. Immutable. */
public record Snippets(Paint paint) {

  /** The session and the position in it. */
  public String place(SearchResult.Hit hit) {
    String where = hit.key().id() + paint.dim(" #" + hit.position());
    String title = SafeText.line(hit.title());
    return title.isEmpty() ? where : where + "  " + paint.bold(title);
  }

  /** The snippet on one line; without colours the words found stand in brackets. */
  public String text(SearchResult.Hit hit) {
    String snippet = SafeText.line(hit.snippet());
    StringBuilder out = new StringBuilder();
    int done = 0;
    for (SearchResult.Highlight mark : hit.highlights()) {
      String found = snippet.substring(mark.start(), mark.end());
      out.append(snippet, done, mark.start());
      out.append(paint.colours() ? paint.highlight(found) : "[" + found + "]");
      done = mark.end();
    }
    return out.append(snippet.substring(done)).toString();
  }
}
