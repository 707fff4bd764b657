import { html } from 'lit';
import { titleOf } from './conversations.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { go } from './router.js';
import { lacksWord, lookUp, notADay, operators, wordsOf } from './search.js';
import { change, follow, state } from './store.js';
import { say } from './words.js';

const PAUSE = 50; // between two keys of somebody who types
let timer;
let asking = null;

/** Looks for what is typed, a moment after the last key. tag: and archived: show those instead. */
export function search(text) {
  clearTimeout(timer);
  asking?.abort();
  change('search', { text, chosen: -1 });
  const words = text.trim();
  if (!words) {
    change('search', { titles: [], hits: [], busy: false, failed: false });
    return;
  }
  change('search', { busy: true });
  timer = setTimeout(() => look(words), PAUSE);
}

async function look(words, all = false) {
  asking = new AbortController();
  try {
    change('search', { ...(await lookUp(words, asking.signal, all)), busy: false, failed: false });
  } catch (e) {
    if (e.name !== 'AbortError') {
      change('search', { titles: [], hits: [], busy: false, failed: true });
    }
  }
}

/* What is deleted is not found, and found again when that is undone. */
let hidden = 0;
follow('list', () => {
  const { size } = state.list.hidden;
  if (size !== hidden && state.search.text) {
    search(state.search.text);
  }
  hidden = size;
});

/** A text with what was looked for marked. */
export function marked(text, highlights) {
  const pieces = [];
  let at = 0;
  for (const { start, end } of highlights) {
    pieces.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return [...pieces, text.slice(at)];
}

export function places(text, words) {
  const start = words ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
  return start < 0 ? [] : [{ start, end: start + words.length }];
}

const openAt = (id, position) => go(id, position, position === null ? '' : wordsOf(state.search.text));

/** What a search has found: titles first, then what was said. */
class SearchResults extends PageElement {
  static follows = ['search'];

  get found() {
    const { titles, hits } = state.search;
    return [
      ...titles.map((info) => ({ id: info.session_id, position: null })),
      ...hits.map((hit) => ({ id: hit.session_id, position: hit.position })),
    ];
  }

  /** Up and down, and opening, from the search box. */
  pressed(event) {
    const { chosen } = state.search;
    const { length } = this.found;
    if (length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const to = chosen + (event.key === 'ArrowDown' ? 1 : -1);
      change('search', { chosen: (to + length) % length });
      this.updateComplete.then(() =>
        this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
      );
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.opening = true;
      this.openFound();
    }
  }

  /** Opens what is chosen, as soon as it is what was typed that was found. */
  openFound() {
    const { busy, chosen } = state.search;
    if (this.opening && !busy) {
      this.opening = false;
      const found = this.found[Math.max(0, chosen)];
      if (found) {
        openAt(found.id, found.position);
      }
    }
  }

  updated() {
    this.openFound();
  }

  render() {
    const { text, titles, hits, more, all, busy, failed, partial, chosen } = state.search;
    const count = titles.length + hits.length;
    const { rest } = operators(text.trim());
    const badDay = notADay(text);
    let index = -1;
    const option = (id, position, content) => {
      const mine = ++index;
      return html`<li
        id="found-${mine}"
        role="option"
        class="found"
        aria-selected=${mine === chosen ? 'true' : 'false'}
        @click=${() => openAt(id, position)}
      >
        ${content}
      </li>`;
    };
    return html`<div class="list results" tabindex="0" role="group" aria-label=${say('search')}>
      <ul role="listbox" id="found" aria-label=${say('search')} aria-busy=${busy ? 'true' : 'false'}>
        ${titles.length > 0 ? html`<li class="group" role="presentation">${say('titles')}</li>` : ''}
        ${titles.map((info) =>
          option(
            info.session_id,
            null,
            html`<b dir="auto">${marked(titleOf(info), places(titleOf(info), rest))}</b>
              <small>${dateAndTime(info.updated_at)}${info.archived ? ` · ${say('archived')}` : ''}</small>`,
          ),
        )}
        ${hits.length > 0 ? html`<li class="group" role="presentation">${say('messages')}</li>` : ''}
        ${hits.map((hit) =>
          option(
            hit.session_id,
            hit.position,
            html`<b dir="auto">${hit.title || say('untitled')}</b>
              <span dir="auto">${marked(hit.snippet, hit.highlights)}</span>
              <small>${dateAndTime(hit.at)}</small>`,
          ),
        )}
      </ul>
      <p class="remark" role="status">
        ${!busy && count === 0 && badDay
          ? say('notADay', { text: badDay })
          : failed
          ? say('searchFailed')
          : !busy && count === 0
            ? say(lacksWord(text) ? 'addWord' : 'nothingFound', { text: text.trim() })
            : count > 0
              ? say(more ? 'foundMore' : 'foundCount', { count })
              : ''}
        ${partial ? say('searchPartial') : ''}
      </p>
      ${more && !all
        ? html`<button class="quiet more" @click=${() => look(text.trim(), true)}>${say('showMore')}</button>`
        : ''}
    </div>`;
  }
}
customElements.define('clew-search-results', SearchResults);

