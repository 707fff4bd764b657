import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { PageElement } from './element.js';
import { reasonOf } from './problems.js';
import { change, state } from './store.js';
import { say } from './words.js';

const MILLIS = 5_000;
let count = 0;

/**
 * Says something beside the composer for a while, perhaps with something to do about it. When that
 * is over and it was not done, it has ended.
 */
export function toast(text, { label, act, millis = MILLIS, ended = () => {} } = {}) {
  const one = { key: ++count, text, label, act, ended, left: millis };
  change('shell', { toasts: [...state.shell.toasts, one] });
  return one;
}

/**
 * Says how far something has come, until it is over; it can be cancelled. Returns what says more,
 * and what ends it.
 */
export function progress(text, cancel) {
  const one = toast(text, { label: say('cancel'), act: cancel, millis: Infinity });
  return {
    says(now) {
      one.text = now;
      change('shell');
    },
    ends: () => dismiss(one),
  };
}

function dismiss(one, acted = false) {
  if (!acted) {
    one.ended();
  }
  change('shell', { toasts: state.shell.toasts.filter((other) => other !== one) });
}

/** Says that something did not work, unless the page says already that there is no connection. */
export function failed(problem) {
  const isSaid = problem.name === 'TypeError' && state.shell.offline;
  if (problem.name !== 'AbortError' && !isSaid) {
    toast(say('failed', { reason: reasonOf(problem) }));
  }
}

const TICK = 200;

/** In the top layer, and inside of the dialog that is open: all else is inert then. */
class Toasts extends PageElement {
  static follows = ['shell'];

  connectedCallback() {
    super.connectedCallback();
    this.home ??= this.parentElement;
    if (!this.timer) {
      document.addEventListener('close', () => this.place(), { capture: true });
      this.now = performance.now();
      this.timer = setInterval(() => this.age(), TICK);
    }
  }

  /** Time stands still for whoever points at one, or has the focus in one. */
  age() {
    const now = performance.now();
    const passed = Math.min(1_000, now - this.now); // what nobody could see does not count
    this.now = now;
    if (state.shell.toasts.length === 0 || this.querySelector('.toasts:is(:hover, :focus-within)')) {
      return;
    }
    for (const one of state.shell.toasts) {
      one.left -= passed;
      if (one.left <= 0) {
        dismiss(one);
      }
    }
  }

  updated() {
    const { length } = state.shell.toasts;
    const box = this.querySelector('.toasts');
    if (length > 0 && length !== this.before) {
      this.place();
    } else if (length === 0 && box.matches(':popover-open')) {
      box.hidePopover();
    }
    this.before = length;
  }

  place() {
    if (state.shell.toasts.length === 0) {
      return;
    }
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1) ?? this.home;
    if (this.parentElement !== dialog) {
      dialog.append(this);
    }
    const box = this.querySelector('.toasts');
    box.hidePopover();
    const beside = document.querySelector('.composer')?.getBoundingClientRect();
    const room = beside?.width > 0 ? beside : document.querySelector('main').getBoundingClientRect();
    box.style.setProperty('--left', `${room.left}px`);
    box.style.setProperty('--width', `${room.width}px`);
    box.style.setProperty('--bottom', `${beside?.width > 0 ? innerHeight - beside.top + 8 : 16}px`);
    box.showPopover();
  }

  render() {
    return html`<div class="toasts" popover="manual" role="status" aria-live="polite">
      ${repeat(
        state.shell.toasts,
        (one) => one.key,
        (one) => html`<div class="toast">
          <span>${one.text}</span>
          ${one.act
            ? html`<button
                @click=${() => {
                  dismiss(one, true);
                  one.act();
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
