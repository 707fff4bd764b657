import { html } from 'lit';
import './more.js';
import { api } from './api.js';
import { conversationEntries, exportEntries } from './conversation-menu.js';
import { titleOf } from './conversations.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { focusMessage, toMessageBox } from './focus.js';
import { icons } from './icons.js';
import { modelEntries } from './models.js';
import { go } from './router.js';
import { lacksWord, lookUp, OPERATORS, operators, wordsOf } from './search.js';
import { marked, places } from './search-results.js';
import { pageEntries } from './sidebar.js';
import { state } from './store.js';
import { styleSheet } from './styles.js';
import { say } from './words.js';

const PAUSE = 50; // between two keys of somebody who types
const RECENT = 5;
const MOST_VALUES = 8;
const NOTHING = { titles: [], hits: [], partial: false };
const VALUES = {
  tag: () => tags,
  project: () => state.library.projects.map((one) => one.name),
  archived: () => ['true', 'false'],
  pinned: () => ['true', 'false'],
  role: () => ['user', 'assistant'],
};

let tags = []; // as they were when the palette was opened

const open = (id, position, sought) => go(id, position, sought).then(toMessageBox);

const keyOf = ({ key, fill, label }) => key ?? fill ?? label;

/** Whether each word begins one of a label; in scripts without spaces, whether it is in it. */
function fits(label, text) {
  const whole = ` ${label.toLowerCase()}`;
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => whole.includes(/[^\0-\x7f]/.test(word) ? word : ` ${word}`));
}

/** What can be done here and now: with the conversation that is open, and otherwise. */
function commands() {
  const { info } = state.thread;
  const inThread = state.view.name === null;
  const begin = { label: say('newConversation'), icon: icons.add, act: () => go(null).then(focusMessage) };
  const models = inThread && state.me.models.length > 1 ? modelEntries() : [];
  const here = inThread && info ? [...conversationEntries(info, true), ...exportEntries(info)] : [];
  const named = models.map((one) => ({ ...one, label: say('modelIs', { model: one.label }) }));
  return [
    { heading: titleOf(info), entries: here.filter((entry) => entry.act) },
    { heading: say('commands'), entries: [begin, ...named, ...pageEntries().filter((entry) => entry.act)] },
  ];
}

/** Everything that can be found or done, under what is typed. */
class Palette extends PageElement {
  static follows = ['list', 'thread', 'me'];
  static properties = {
    text: { state: true },
    found: { state: true },
    busy: { state: true },
    failed: { state: true },
    chosen: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { text: '', found: NOTHING, busy: false, failed: false, chosen: 0 });
  }

  connectedCallback() {
    super.connectedCallback();
    this.dialog = this.closest('dialog');
    this.field = this.dialog.querySelector('input');
    this.field.addEventListener('input', () => this.typed());
    this.field.addEventListener('keydown', (event) => this.pressed(event));
    this.dialog.addEventListener('click', ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener('close', () => {
      this.asking?.abort();
      this.keepFocus();
    });
  }

  /** Where nothing had the focus before, it goes to the message box. */
  keepFocus() {
    const { activeElement } = document;
    if (activeElement === document.body || this.dialog.contains(activeElement)) {
      toMessageBox();
    }
  }

  /** Looks for what is typed, a moment after the last key. */
  typed() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.opening = false;
    this.text = this.field.value;
    this.chosen = 0;
    this.picked = null;
    this.busy = this.text.trim() !== '' && !this.text.startsWith('>');
    if (this.busy) {
      this.timer = setTimeout(() => this.look(), PAUSE);
    } else {
      this.found = NOTHING;
      this.failed = false;
    }
  }

  async look() {
    const asking = new AbortController();
    this.asking = asking;
    try {
      const found = await lookUp(this.text.trim(), asking.signal);
      Object.assign(this, { found, failed: false });
    } catch {
      Object.assign(this, { found: NOTHING, failed: true });
    }
    if (this.asking === asking && !asking.signal.aborted) {
      this.busy = false;
    }
  }

  /** The groups that are shown: {heading, entries}, of those that have any. */
  groups() {
    const text = this.text.trim();
    const only = text.startsWith('>');
    const wanted = only ? text.slice(1).trim() : text;
    const fitting = commands().map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ label }) => wanted === '' || fits(label, wanted)),
    }));
    const filters = { heading: say('filters'), entries: this.filters() };
    const hasValue = /:\S*$/.test(text); // the rest of an operator is nearer than what it finds now
    const groups = only
      ? fitting
      : [
          ...(hasValue ? [filters] : []),
          ...(text === '' ? [{ heading: say('recent'), entries: this.recent() }] : []),
          ...fitting,
          { heading: say('titles'), entries: this.titles() },
          { heading: say('messages'), entries: this.messages() },
          ...(hasValue ? [] : [filters]),
        ];
    return groups.filter(({ entries }) => entries.length > 0);
  }

  recent() {
    const { sessions, hidden } = state.list;
    const last = sessions.filter((one) => !hidden.has(one.session_id)).slice(0, RECENT);
    return last.map((info) => ({
      label: titleOf(info),
      note: dateAndTime(info.updated_at),
      key: info.session_id,
      act: () => open(info.session_id),
    }));
  }

  /** Operators that what is typed last may become, and their values. */
  filters() {
    const last = /\S*$/.exec(this.text)[0].toLowerCase();
    const [name, value] = last.split(':', 2);
    if (value === undefined) {
      const fitting = OPERATORS.filter((one) => one.startsWith(last));
      return fitting.map((one) => ({
        label: `${one}:`,
        note: say(`filter${one[0].toUpperCase()}${one.slice(1)}`),
        fill: `${one}:`,
      }));
    }
    return (VALUES[name]?.() ?? [])
      .filter((one) => one.toLowerCase().startsWith(value) && one.toLowerCase() !== value)
      .slice(0, MOST_VALUES)
      .map((one) => {
        const fill = `${name}:${/\s/.test(one) ? `"${one}"` : one}`;
        return { label: fill, fill: `${fill} ` };
      });
  }

  titles() {
    const { rest } = operators(this.text);
    return this.found.titles.map((info) => ({
      label: marked(titleOf(info), places(titleOf(info), rest)),
      note: `${dateAndTime(info.updated_at)}${info.archived ? ` · ${say('archived')}` : ''}`,
      isFound: true,
      key: info.session_id,
      act: () => open(info.session_id),
    }));
  }

  messages() {
    return this.found.hits.map((hit) => ({
      label: hit.title || say('untitled'),
      text: marked(hit.snippet, hit.highlights),
      note: dateAndTime(hit.at),
      isFound: true,
      key: `${hit.session_id}@${hit.position}`,
      act: () => open(hit.session_id, hit.position, wordsOf(this.text)),
    }));
  }

  pressed(event) {
    const { length } = this.shown;
    if (length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.opening = false;
      this.chosen = (this.chosen + (event.key === 'ArrowDown' ? 1 : -1) + length) % length;
      this.picked = keyOf(this.shown[this.chosen]);
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.opening = true;
      this.choose();
    }
  }

  /** Does what is chosen, as soon as it is what was typed that was found. */
  choose() {
    const entry = this.shown[this.chosen];
    if (this.opening && !(this.busy && (!entry || entry.isFound))) {
      this.opening = false;
      this.do(entry);
    }
  }

  do(entry) {
    if (entry?.fill) {
      this.field.value = this.text.replace(/\S*$/, '') + entry.fill;
      this.field.focus();
      this.typed();
    } else if (entry) {
      this.dialog.close();
      this.keepFocus();
      entry.act(); // perhaps a menu beside what has the focus
    }
  }

  updated() {
    const chosen = this.querySelector('[aria-selected=true]');
    chosen?.scrollIntoView({ block: 'nearest' });
    this.field.setAttribute('aria-expanded', String(this.shown.length > 0));
    chosen
      ? this.field.setAttribute('aria-activedescendant', chosen.id)
      : this.field.removeAttribute('aria-activedescendant');
    this.choose();
  }

  render() {
    const groups = this.groups();
    this.shown = groups.flatMap(({ entries }) => entries);
    if (this.picked !== null) { // it stays chosen, whatever is found meanwhile
      this.chosen = Math.max(0, this.shown.findIndex((entry) => keyOf(entry) === this.picked));
    }
    let index = -1;
    return html`<div class="results" tabindex="0" role="group" aria-label=${say('palette')}>
        <ul role="listbox" id="palette-found" aria-label=${say('palette')} aria-busy=${String(this.busy)}>
          ${groups.map(
            ({ heading, entries }) => html`<li class="group" role="presentation">${heading}</li>
              ${entries.map((entry) => this.option(entry, ++index))}`,
          )}
        </ul>
      </div>
      <p class="remark" role="status">${this.remark()}</p>`;
  }

  option(entry, index) {
    return html`<li
      id="palette-${index}"
      role="option"
      class="found ${entry.danger ? 'danger' : ''}"
      aria-selected=${index === this.chosen ? 'true' : 'false'}
      @click=${() => this.do(entry)}
    >
      ${entry.icon ?? ''}<b dir="auto">${entry.label}</b>
      ${entry.text ? html`<span dir="auto">${entry.text}</span>` : ''}
      ${entry.note ? html`<small>${entry.note}</small>` : ''}
    </li>`;
  }

  remark() {
    const { text, failed, busy, found, shown } = this;
    return failed
      ? say('searchFailed')
      : !busy && shown.length === 0
        ? say(lacksWord(text) ? 'addWord' : 'nothingFound', { text: text.trim() })
        : found.partial
          ? say('searchPartial')
          : '';
  }
}
customElements.define('clew-palette', Palette);

const styled = styleSheet(new URL('palette.css', import.meta.url));

/** Shows what there is, under what has been typed meanwhile. */
export async function begin() {
  await styled;
  const palette = document.querySelector('clew-palette');
  palette.typed();
  try {
    const { data } = await api.tags();
    tags = data.map((one) => one.tag);
    palette.requestUpdate();
  } catch {
    // Those from before are offered.
  }
}
