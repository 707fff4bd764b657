import { html } from 'lit';
import { attach } from './attachments.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { textOf } from './items.js';
import { chooseModel, modelOf } from './models.js';
import { change, state } from './store.js';
import { isRunning } from './thread.js';
import { send, stop } from './thread-actions.js';
import { keep, kept, say } from './words.js';

const TALLEST = 220;
const DRAFT_MILLIS = 250; // between two keys there is no time for the disk
const draftOf = (id) => `clew.draft.${id ?? 'new'}`;
const hasFiles = (event) => event.dataTransfer?.types.includes('Files');

/** Where one says something. What is half written is kept for each conversation. */
class Composer extends PageElement {
  static follows = ['thread', 'live', 'me'];
  static properties = { attachments: { state: true }, dropping: { state: true } };

  constructor() {
    super();
    this.attachments = [];
    this.taking = Promise.resolve();
    this.aside = new Map(); // id -> attachments of what is half written elsewhere
  }

  connectedCallback() {
    super.connectedCallback();
    const main = document.querySelector('main') ?? this.parentElement;
    main.addEventListener('dragover', (event) => this.dragged(event, true));
    main.addEventListener('dragleave', (event) => this.dragged(event, false));
    main.addEventListener('drop', (event) => this.dropped(event));
  }

  get field() {
    return this.querySelector('textarea');
  }

  updated() {
    const { id } = state.thread;
    if (id !== this.shown) {
      const begun = this.shown === null && this.sending; // a new one has got its id
      if (!begun) {
        this.aside.set(this.shown, this.attachments);
        this.attachments = this.aside.get(id) ?? [];
        this.put(kept(draftOf(id)) ?? '');
      }
      this.shown = id;
    }
    this.classList.toggle('empty', this.isEmpty);
  }

  get isEmpty() {
    return this.field.value.trim() === '' && this.attachments.length === 0;
  }

  put(text) {
    this.field.value = text;
    this.fit();
  }

  /** As tall as the text. Where style sheets cannot say so it has to be measured, which is slow. */
  fit() {
    const { field } = this;
    if (!CSS.supports('field-sizing', 'content')) {
      field.style.height = 'auto';
      field.style.height = `${Math.min(field.scrollHeight, TALLEST)}px`;
    }
    this.classList.toggle('empty', this.isEmpty);
  }

  typed() {
    this.fit();
    const { id } = state.thread;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => keep(draftOf(id), this.field.value || null), DRAFT_MILLIS);
  }

  async say(event) {
    event.preventDefault();
    const { attachments } = this;
    const text = this.field.value.trim();
    if (this.isEmpty || isRunning() || !this.mayWrite) {
      return;
    }
    clearTimeout(this.keeping);
    keep(draftOf(state.thread.id), null);
    this.attachments = [];
    this.put('');
    this.sending = true;
    const taken = await send(text, attachments);
    this.sending = false;
    if (!taken && this.isEmpty && !this.isSaid(text)) {
      this.attachments = attachments; // nothing is lost
      this.put(text);
    }
  }

  /** Whether a turn that failed has stored what was said. */
  isSaid(text) {
    const last = state.thread.entries.findLast(({ item }) => item.role === 'user');
    return last !== undefined && textOf(last.item) === text;
  }

  get mayWrite() {
    return !state.me.known || state.me.scopes.includes('write');
  }

  pressed(event) {
    if (event.isComposing || event.keyCode === 229) {
      return; // an input method has the key
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      this.say(event);
    } else if (event.key === 'ArrowUp' && this.isEmpty && !isRunning()) {
      const last = state.thread.entries.findLast((entry) => entry.item.role === 'user');
      if (last) {
        event.preventDefault();
        change('thread', { editing: last.position });
      }
    }
  }

  /** One after the other: what is pasted while a file is read comes behind it. */
  take(files) {
    this.taking = this.taking.catch(() => {}).then(async () => {
      const taken = await attach(files, this.attachments);
      this.attachments = [...this.attachments, ...taken];
      this.field.focus();
    });
    return this.taking;
  }

  pasted(event) {
    const { files } = event.clipboardData;
    if (files.length > 0 && !event.clipboardData.types.includes('text/plain')) {
      event.preventDefault();
      this.take([...files]);
    }
  }

  dragged(event, over) {
    if (hasFiles(event) && state.view.name === null) {
      event.preventDefault();
      this.dropping = over;
    }
  }

  dropped(event) {
    if (hasFiles(event) && state.view.name === null) {
      event.preventDefault();
      this.dropping = false;
      this.take([...event.dataTransfer.files]);
    }
  }

  choose() {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.onchange = () => this.take([...input.files]);
    input.click();
  }

  render() {
    const { models } = state.me;
    return html`<form class="composer ${this.dropping ? 'dropping' : ''}" @submit=${this.say}>
      ${this.attachments.length > 0
        ? html`<ul class="attachments" aria-label=${say('attachments')}>
            ${this.attachments.map((one) => this.chip(one))}
          </ul>`
        : ''}
      <textarea
        id="message"
        rows="1"
        dir="auto"
        aria-label=${say('message')}
        placeholder=${say(this.dropping ? 'dropHere' : 'messageHint')}
        ?disabled=${!this.mayWrite}
        @input=${this.typed}
        @keydown=${this.pressed}
        @paste=${this.pasted}
      ></textarea>
      <div class="tools">
        <button
          type="button"
          class="icon-button"
          aria-label=${say('attach')}
          title=${say('attach')}
          ?disabled=${!this.mayWrite}
          @click=${this.choose}
        >
          ${icons.clip}
        </button>
        ${models.length > 1
          ? html`<button
              type="button"
              class="quiet choice"
              aria-haspopup="menu"
              aria-label=${say('modelIs', { model: modelOf() })}
              title=${say('chooseModel')}
              @click=${(event) => chooseModel(event.currentTarget)}
            >
              <span>${modelOf()}</span>${icons.unfold}
            </button>`
          : ''}
        <span class="space"></span>
        ${isRunning()
          ? html`<button type="button" class="round stop" aria-label=${say('stop')} title=${say('stop')} @click=${stop}>
              ${icons.stop}
            </button>`
          : html`<button class="round send" aria-label=${say('send')} title=${say('send')}>${icons.send}</button>`}
      </div>
    </form>`;
  }

  chip(one) {
    const remove = () => {
      this.attachments = this.attachments.filter((other) => other !== one);
      this.field.focus();
    };
    return html`<li>
      ${one.image ? html`<img src=${one.url} alt="" />` : icons.file}
      <span title=${one.name}>${one.name}</span>
      <button
        type="button"
        class="icon-button"
        aria-label=${say('detach', { name: one.name })}
        title=${say('detach', { name: one.name })}
        @click=${remove}
      >
        ${icons.close}
      </button>
    </li>`;
  }
}
customElements.define('clew-composer', Composer);
