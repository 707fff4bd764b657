import { html } from 'lit';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { change, state } from './store.js';
import { isRunning, send, stop } from './thread.js';
import { keep, kept, say } from './words.js';

const TALLEST = 220;
const draftOf = (id) => `clew.draft.${id ?? 'new'}`;

/** Where one says something. What is half written is kept for each conversation. */
class Composer extends PageElement {
  static follows = ['thread', 'live', 'me'];

  get field() {
    return this.querySelector('textarea');
  }

  updated() {
    const { id } = state.thread;
    if (id !== this.shown) {
      const begun = this.shown === null && this.sending; // a new one has got its id
      this.shown = id;
      if (!begun) {
        this.put(kept(draftOf(id)) ?? '');
      }
    }
  }

  put(text) {
    this.field.value = text;
    this.fit();
  }

  fit() {
    const { field } = this;
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, TALLEST)}px`;
    this.classList.toggle('empty', field.value.trim() === '');
  }

  typed() {
    this.fit();
    keep(draftOf(state.thread.id), this.field.value || null);
  }

  async say(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || isRunning() || !this.mayWrite) {
      return;
    }
    keep(draftOf(state.thread.id), null);
    this.put('');
    this.sending = true;
    const taken = await send(text);
    this.sending = false;
    if (!taken && this.field.value === '' && !this.isSaid(text)) {
      this.put(text); // nothing is lost
    }
  }

  /** Whether a turn that failed has stored what was said. */
  isSaid(text) {
    return state.thread.entries.some((entry) => entry.item.content === text);
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
    } else if (event.key === 'ArrowUp' && this.field.value === '' && !isRunning()) {
      const last = state.thread.entries.findLast((entry) => entry.item.role === 'user');
      if (last) {
        event.preventDefault();
        change('thread', { editing: last.position });
      }
    }
  }

  render() {
    const running = isRunning();
    return html`<form class="composer" @submit=${this.say}>
      <textarea
        id="message"
        rows="1"
        aria-label=${say('message')}
        placeholder=${say('messageHint')}
        ?disabled=${!this.mayWrite}
        @input=${this.typed}
        @keydown=${this.pressed}
      ></textarea>
      ${running
        ? html`<button type="button" class="round stop" aria-label=${say('stop')} title=${say('stop')} @click=${stop}>
            ${icons.stop}
          </button>`
        : html`<button class="round send" aria-label=${say('send')} title=${say('send')}>${icons.send}</button>`}
    </form>`;
  }
}
customElements.define('clew-composer', Composer);
