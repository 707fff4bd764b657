import { html } from 'lit';
import { attach, hasFiles } from './attachments.js';
import { draftFilesOf, draftOf, forgetDraft, keepDraft, keepDraftFiles } from './drafts.js';
import { PageElement } from './element.js';
import { toMessageBox } from './focus.js';
import { icons } from './icons.js';
import { textOf } from './items.js';
import { chooseModel, modelOf } from './models.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { isRunning } from './thread.js';
import { failed } from './toasts.js';
import { send, sendNext, stop } from './thread-actions.js';
import { say } from './words.js';

const TALLEST = 220;
const LONG_PASTE = 10_000; // characters; more is a file, which nobody scrolls through
const DRAFT_MILLIS = 250; // between two keys there is no time for the disk
const touches = () => matchMedia('(pointer: coarse)').matches;

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
    window.addEventListener('pagehide', () => this.keepTyped());
  }

  firstUpdated() {
    if (state.view.name === null) {
      toMessageBox();
    }
  }

  get field() {
    return this.querySelector('textarea');
  }

  updated() {
    const { id } = state.thread;
    if (id !== this.shown) {
      const begun = this.sending === state.thread; // a new one has got its id, or lost it again
      if (!begun) {
        this.keepTyped();
        if (this.gone) {
          this.bringAlong();
        }
        this.aside.set(this.shown, this.attachments);
        this.attachments = this.aside.get(id) ?? draftFilesOf(id);
        this.put(draftOf(id));
      }
      this.shown = id;
    }
    this.gone = state.thread.gone;
    if (state.me.known && !this.known) {
      this.known = true; // whose drafts they are
      this.field.value ? keepDraft(id, this.field.value) : this.put(draftOf(id));
      this.attachments = [...draftFilesOf(id), ...this.attachments];
    }
    this.classList.toggle('empty', this.isEmpty);
  }

  /** What is half written in a conversation that was deleted goes on in a new one. */
  bringAlong() {
    const both = [draftOf(null), this.field.value].filter(Boolean).join('\n');
    const files = [...(this.aside.get(null) ?? draftFilesOf(null)), ...this.attachments];
    keepDraft(null, both);
    keepDraftFiles(null, files);
    forgetDraft(this.shown);
    this.aside.set(null, files);
    this.attachments = [];
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
    if (this.slash || this.field.value.startsWith('/')) {
      this.offerPrompts();
    }
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepTyped(), DRAFT_MILLIS);
  }

  /** What a slash at the beginning may mean. */
  async offerPrompts() {
    if (!this.slash) {
      await import('./slash.js').catch(failed);
      this.slash = this.querySelector('clew-slash');
    }
    this.slash.typed?.();
  }

  /** Keeps what was typed a moment ago. */
  keepTyped() {
    if (this.keeping) {
      clearTimeout(this.keeping);
      this.keeping = 0;
      keepDraft(this.shown, this.field.value);
    }
  }

  async say(event) {
    event.preventDefault();
    const { attachments } = this;
    const text = this.field.value.trim();
    if (this.isEmpty || !this.mayWrite) {
      return;
    }
    if (isRunning() && !state.thread.gone) {
      this.sayNext(text, attachments);
      return;
    }
    clearTimeout(this.keeping);
    this.keeping = 0;
    this.attachments = [];
    this.put('');
    if (state.thread.gone) {
      await go(null); // it was deleted elsewhere
      await this.updateComplete;
    }
    const { thread } = state;
    const { id } = thread;
    keepDraft(id, text); // until the server has it
    this.sending = thread;
    const taken = await send(text, attachments, () => this.stored(id, text));
    this.sending = null;
    if (!taken && state.thread === thread && !this.isSaid(text)) {
      this.takeBack(text, attachments); // nothing is lost
    }
  }

  /** Says something that waits for the running turn. */
  async sayNext(text, attachments) {
    const { thread } = state;
    const { id } = thread;
    keepDraft(id, text); // until the server has it
    this.attachments = [];
    this.put('');
    if (await sendNext(text, attachments)) {
      this.stored(id, text);
    } else if (state.thread === thread) {
      this.takeBack(text, attachments);
    }
  }

  /** The server has what was said, so that it need not be kept here any more. */
  stored(id, text) {
    if (draftOf(id) === text) {
      forgetDraft(id);
    }
  }

  /** Puts a text back that somebody wants to change, with what was attached to it. */
  takeBack(text, attachments = []) {
    this.put(this.isEmpty ? text : `${text}\n${this.field.value}`);
    this.typed();
    this.attach(attachments.concat(this.attachments));
    this.field.focus();
  }

  attach(attachments) {
    this.attachments = attachments;
    keepDraftFiles(state.thread.id, attachments);
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
    if (this.slash?.pressed?.(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !touches()) {
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
      this.attach([...this.attachments, ...taken]);
      this.field.focus();
    });
    return this.taking;
  }

  pasted(event) {
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData('text/plain').trim();
    const named = [...files].map((file) => file.name).join('\n') === text; // by a file manager
    if (files.length > 0 && (text === '' || named)) {
      event.preventDefault();
      this.take([...files]);
    } else if (text.length > LONG_PASTE) {
      event.preventDefault();
      this.take([new File([text], say('pastedFile'), { type: 'text/plain' })]);
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
      <clew-slash></clew-slash>
      <textarea
        id="message"
        rows="1"
        dir="auto"
        aria-label=${say('message')}
        enterkeyhint=${touches() ? 'enter' : 'send'}
        placeholder=${say(!this.mayWrite ? 'readOnly' : this.dropping ? 'dropHere' : 'messageHint')}
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
          ? html`<button class="round send next" aria-label=${say('sendNext')} title=${say('sendNext')}>${icons.send}</button>
              <button type="button" class="round stop" aria-label=${say('stop')} title=${say('stop')} @click=${stop}>
                ${icons.stop}
              </button>`
          : html`<button class="round send" aria-label=${say('send')} title=${say('send')}>${icons.send}</button>`}
      </div>
    </form>`;
  }

  chip(one) {
    const remove = () => {
      this.attach(this.attachments.filter((other) => other !== one));
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
