import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { PageElement } from './element.js';
import { reasonOf } from './problems.js';
import { change, state } from './store.js';
import { say } from './words.js';

const MILLIS = 5_000;
let count = 0;

/** Says something at the edge of the page for a while, perhaps with something to do about it. */
export function toast(text, { label, act, millis = MILLIS } = {}) {
  const one = { key: ++count, text, label, act };
  change('shell', { toasts: [...state.shell.toasts, one] });
  setTimeout(() => dismiss(one), millis);
}

function dismiss(one) {
  change('shell', { toasts: state.shell.toasts.filter((other) => other !== one) });
}

/** Says that something did not work. */
export function failed(problem) {
  if (problem.name !== 'AbortError') {
    toast(say('failed', { reason: reasonOf(problem) }));
  }
}

class Toasts extends PageElement {
  static follows = ['shell'];

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">
      ${repeat(
        state.shell.toasts,
        (one) => one.key,
        (one) => html`<div class="toast">
          <span>${one.text}</span>
          ${one.act
            ? html`<button
                @click=${() => {
                  one.act();
                  dismiss(one);
                }}
              >
                ${one.label}
              </button>`
            : ''}
        </div>`,
      )}
    </div>`;
  }
}
customElements.define('clew-toasts', Toasts);
