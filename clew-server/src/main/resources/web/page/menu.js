import { html, nothing } from 'lit';
import { PageElement } from './element.js';

/** The one menu of the page, which opens beside whatever asks for it. */
class Menu extends PageElement {
  static properties = { entries: { state: true } };

  constructor() {
    super();
    this.entries = [];
  }

  /** Opens beside a button. Entries are {label, icon, act}, perhaps with danger or checked. */
  async open(anchor, entries) {
    this.anchor = anchor;
    this.entries = entries;
    await this.updateComplete;
    const menu = this.querySelector('.menu');
    menu.showPopover();
    const place = anchor.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const below = place.bottom + 4 + height < innerHeight;
    const onTheLeft = place.left + place.right < innerWidth;
    const beside = onTheLeft ? place.left : place.right - width;
    const left = Math.min(Math.max(8, beside), innerWidth - width - 8);
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${below ? place.bottom + 4 : Math.max(8, place.top - height - 4)}px`;
    this.items()[0]?.focus();
  }

  items() {
    return [...this.querySelectorAll('[role^=menuitem]')];
  }

  choose(entry) {
    this.querySelector('.menu').hidePopover();
    this.anchor?.focus();
    entry.act();
  }

  pressed(event) {
    const items = this.items();
    const now = items.indexOf(document.activeElement);
    const to = {
      ArrowDown: (now + 1) % items.length,
      ArrowUp: (now - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[to].focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      this.querySelector('.menu').hidePopover();
      this.anchor?.focus();
    }
  }

  render() {
    return html`<div class="menu" popover="auto" role="menu" @keydown=${this.pressed}>
      ${this.entries.map((entry) =>
        entry.line
          ? html`<hr />`
          : html`<button
              role=${entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked=${entry.checked === undefined ? nothing : String(entry.checked)}
              class=${entry.danger ? 'danger' : ''}
              tabindex="-1"
              @click=${() => this.choose(entry)}
            >
              ${entry.icon ?? ''}<span>${entry.label}</span>${entry.note
                ? html`<small>${entry.note}</small>`
                : ''}
            </button>`,
      )}
    </div>`;
  }
}
customElements.define('clew-menu', Menu);

export const openMenu = (anchor, entries) => document.querySelector('clew-menu').open(anchor, entries);
