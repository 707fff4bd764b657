import { html } from 'lit';
import './more.js';
import { api } from './api.js';
import { PageElement } from './element.js';
import { focusMessage } from './focus.js';
import { icons } from './icons.js';
import { textOf } from './items.js';
import { change, state } from './store.js';
import { open } from './thread.js';
import { ranges, toTheMiddle } from './to-word.js';
import { number, say } from './words.js';

const PAUSE = 150; // between two keys of somebody who types
const MOST = 100; // that the server is asked for
const MARK = 'found';
const MARK_HERE = 'found-now';

function unmark() {
  CSS.highlights?.delete(MARK);
  CSS.highlights?.delete(MARK_HERE);
}

const isLoaded = (position) => state.thread.entries.some((entry) => entry.position === position);

/** What shows an entry: a result stands in the card of its call. */
function shown(position) {
  const all = [...document.querySelectorAll('clew-thread .entry')].filter(
    (one) => one.firstElementChild?.localName !== 'details', // of many calls, which stand in it
  );
  return all.findLast((one) => Number(one.dataset.position) <= position);
}

/** Positions of what is loaded and has a text in it, also in the middle of a word. */
function loaded(text) {
  const has = ({ item }) =>
    `${textOf(item)}\n${item.name ?? ''}\n${item.arguments ?? ''}`.toLowerCase().includes(text);
  return state.thread.entries.filter(has).map((entry) => entry.position);
}

/** Finds a text in the open conversation: in what is loaded, and what the server finds besides. */
class FindBar extends PageElement {
  static follows = ['thread', 'view', 'shell'];
  static properties = {
    places: { state: true }, // each match, the oldest first: {position, nth} of its entry
    at: { state: true },
    busy: { state: true },
    more: { state: true }, // the server has found more than it was asked for
    failed: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { places: [], at: -1, text: '', positions: [] });
  }

  connectedCallback() {
    super.connectedCallback();
    this.field = this.parentElement.querySelector('input');
    this.field.addEventListener('input', () => this.typed());
    this.parentElement.addEventListener('keydown', (event) => this.pressed(event));
    document.addEventListener('shown', () => state.shell.finding !== null && this.mark());
  }

  end() {
    change('shell', { finding: null });
    focusMessage();
  }

  willUpdate() {
    const { finding } = state.shell;
    if (finding !== null && finding !== state.thread.id) {
      change('shell', { finding: null });
    }
    if (finding === null) {
      this.asking?.abort();
      unmark();
    }
  }

  typed() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.text = this.field.value.trim().toLowerCase();
    this.busy = this.text !== '';
    if (this.busy) {
      this.timer = setTimeout(() => this.look(), PAUSE);
    } else {
      Object.assign(this, { places: [], at: -1, failed: false, more: false });
      unmark();
    }
  }

  async look() {
    const asking = new AbortController();
    this.asking = asking;
    const { text } = this;
    let hits = { data: [], next_cursor: null };
    let failed = false;
    try {
      hits = await api.search({ q: text, session_id: state.thread.id, limit: MOST }, asking.signal);
    } catch {
      failed = true; // what is loaded can be found all the same
    }
    if (asking.signal.aborted) {
      return;
    }
    const all = new Set([...loaded(text), ...hits.data.map((hit) => hit.position)]);
    this.positions = [...all].sort((one, other) => one - other);
    const places = this.matches();
    Object.assign(this, { places, failed, more: hits.next_cursor !== null, busy: false });
    const next = places.findIndex(({ position }) => position >= this.readingNow());
    this.show(next < 0 ? 0 : next);
  }

  /** Each match in what is loaded; what is not counts once until it is. */
  matches() {
    const counts = new Map();
    for (const position of this.positions) {
      const entry = isLoaded(position) ? shown(position) : undefined;
      const at = entry ? Number(entry.dataset.position) : position;
      if (!counts.has(at)) {
        counts.set(at, entry ? Math.max(1, ranges(entry, this.text).length) : 1);
      }
    }
    return [...counts].flatMap(([position, count]) =>
      Array.from({ length: count }, (_, nth) => ({ position, nth })),
    );
  }

  /** The position at the top of what is seen. */
  readingNow() {
    const entry = document.querySelector('clew-thread').readingNow()?.entry;
    return Number(entry?.dataset.position ?? 0);
  }

  show(at) {
    unmark();
    this.at = at;
    const position = this.places[at]?.position;
    if (position === undefined) {
      return;
    }
    if (isLoaded(position)) {
      change('thread', { target: position });
    } else {
      open(state.thread.id, position);
    }
  }

  step(by) {
    const { length } = this.places;
    if (length > 0) {
      const next = (this.at + by + length) % length;
      this.backward = by < 0 && this.places[next].position !== this.places[this.at]?.position;
      this.show(next);
    }
  }

  /** Marks the text in the entry that is shown, where more of it may stand than was known before. */
  async mark() {
    const place = this.places[this.at];
    const entry = place && shown(place.position);
    if (!entry) {
      return;
    }
    await entry.querySelector('clew-message, clew-tool-card')?.updateComplete;
    const position = Number(entry.dataset.position);
    const found = ranges(entry, this.text);
    const nth = this.backward ? Math.max(0, found.length - 1) : place.nth;
    this.places = this.matches();
    const at = this.places.findIndex((one) => one.position === position && one.nth === nth);
    this.at = Math.max(0, at);
    this.backward = false;
    if (found[nth]) {
      toTheMiddle(found[nth]);
      CSS.highlights?.set(MARK, new Highlight(...found));
      CSS.highlights?.set(MARK_HERE, Object.assign(new Highlight(found[nth]), { priority: 1 }));
    }
  }

  pressed(event) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.end();
    } else if (event.key === 'Enter' && event.target === this.field && !event.isComposing) {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    }
  }

  render() {
    const button = (icon, label, act) =>
      html`<button class="icon-button" aria-label=${label} title=${label} @click=${act}>${icon}</button>`;
    return html`<span role="status">${this.count()}</span>
      ${button(icons.send, say('findPrevious'), () => this.step(-1))}
      ${button(icons.down, say('findNext'), () => this.step(1))}
      ${button(icons.close, say('close'), () => this.end())}`;
  }

  count() {
    const { text, busy, places, at, more, failed } = this;
    if (text === '' || busy) {
      return '';
    }
    const count = `${number(places.length)}${more ? '+' : ''}`;
    const where =
      places.length === 0 ? say('findNothing') : say('findCount', { number: number(at + 1), count });
    return failed ? `${where} · ${say('findLoadedOnly')}` : where;
  }
}
customElements.define('clew-find', FindBar);

export const begin = () => document.querySelector('clew-find').typed();
