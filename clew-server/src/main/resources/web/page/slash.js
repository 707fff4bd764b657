import { html } from 'lit';
import './library-style.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { loadPrompts, openPrompts } from './prompts.js';
import { state } from './store.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const MOST = 8;
const PLACEHOLDER = /\{[^{}\n]{1,100}\}/g;

/** The prompts that a text beginning with a slash may mean, above the message box. */
class Slash extends PageElement {
  static follows = ['library'];
  static properties = { words: { state: true }, chosen: { state: true } };

  constructor() {
    super();
    this.words = null;
    this.chosen = 0;
    loadPrompts().catch(failed);
  }

  get field() {
    return document.querySelector('#message');
  }

  /** Looks at what is typed: the list is open while all of it is a slash and some words. */
  typed() {
    const now = /^\/([^\n]{0,200})$/.exec(this.field.value);
    this.words = now ? now[1].trim().toLowerCase() : null;
    this.chosen = 0;
  }

  get found() {
    const { words } = this;
    if (words === null) {
      return [];
    }
    const begins = ({ name }) => name.toLowerCase().startsWith(words);
    const some = state.library.prompts.filter(({ name }) => name.toLowerCase().includes(words));
    return [...some.filter(begins), ...some.filter((one) => !begins(one))].slice(0, MOST);
  }

  /** What a key does here; whether it did anything. */
  pressed(event) {
    const { found } = this;
    if (event.key === 'Tab' && !event.shiftKey && this.filling && this.next()) {
      return true;
    }
    if (this.words === null) {
      return false;
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.words = null;
      return true;
    }
    if (found.length === 0) {
      return false;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      this.chosen = (this.chosen + by + found.length) % found.length;
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      this.take(found[this.chosen]);
      return true;
    }
    return false;
  }

  /** Puts a prompt into the box; its first placeholder is what is typed next. */
  take({ text }) {
    const { field } = this;
    field.focus();
    field.select();
    if (!document.execCommand('insertText', false, text)) { // which can be undone
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    this.words = null; // which may begin with a slash too
    field.setSelectionRange(0, 0);
    this.filling = true;
    if (!this.next()) {
      field.setSelectionRange(text.length, text.length);
    }
  }

  /** Selects the next placeholder; false if there is none. */
  next() {
    const { field } = this;
    const places = [...field.value.matchAll(PLACEHOLDER)];
    const place = places.find((one) => one.index >= field.selectionEnd) ?? places[0];
    this.filling = place !== undefined;
    if (place) {
      field.setSelectionRange(place.index, place.index + place[0].length);
    }
    return this.filling;
  }

  updated() {
    const { field, found } = this;
    const open = found.length > 0;
    const point = (name, value) => (value ? field.setAttribute(name, value) : field.removeAttribute(name));
    point('aria-controls', open && 'slash');
    point('aria-activedescendant', open && `slash-${this.chosen}`);
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  render() {
    const { found, words, chosen } = this;
    if (words === null) {
      return '';
    }
    return html`<div class="slash">
      ${found.length > 0
        ? html`<ul id="slash" role="listbox" aria-label=${say('prompts')}>
            ${found.map(
              (one, i) => html`<li
                id=${`slash-${i}`}
                role="option"
                aria-selected=${i === chosen ? 'true' : 'false'}
                @pointerdown=${(event) => event.preventDefault()}
                @click=${() => this.take(one)}
              >
                <strong dir="auto">/${one.name}</strong> <span dir="auto">${one.text}</span>
              </li>`,
            )}
          </ul>`
        : html`<p role="status">${say(state.library.prompts.length > 0 ? 'noPromptFound' : 'noPrompts')}</p>`}
      <button type="button" class="quiet" @click=${openPrompts}>${icons.edit} ${say('managePrompts')}</button>
    </div>`;
  }
}
customElements.define('clew-slash', Slash);
