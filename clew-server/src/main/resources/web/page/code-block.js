// The line above code: its language, and buttons that wrap, save and copy it.

import { html, nothing, render } from 'lit';
import { copyText } from './clipboard.js';
import { icons } from './icons.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const COPIED_MILLIS = 2_000;

export const languageOf = (code) => /language-(\S+)/.exec(code.className)?.[1] ?? '';

/** Puts the line above a code that has none. */
export function frame(holder, code) {
  const head = document.createElement('div');
  head.className = 'code-head';
  holder.classList.add('code');
  holder.prepend(head);
  code.parentElement.tabIndex = 0;
  draw(head, holder);
}

function draw(head, holder, copied = false) {
  const code = holder.querySelector('code');
  const button = (name, icon, label, act, pressed) => html`<button
    type="button"
    class="icon-button ${name}"
    aria-label=${label}
    title=${label}
    aria-pressed=${pressed ?? nothing}
    @click=${act}
  >
    ${icon}
  </button>`;
  const wraps = holder.classList.contains('wraps');
  const wrap = () => {
    holder.classList.toggle('wraps');
    draw(head, holder);
  };
  render(
    html`<span>${languageOf(code) || say('plainText')}</span>
      ${button('wrap-code', icons.wrap, say('wrapLines'), wrap, String(wraps))}
      ${button('save-code', icons.into, say('saveCode'), () => save(code))}
      <button type="button" class="copy-code" @click=${() => copy(head, holder, code)}>
        <span aria-live="polite">${say(copied ? 'copied' : 'copyCode')}</span>
      </button>`,
    head,
  );
}

async function copy(head, holder, code) {
  try {
    await copyText(code.textContent);
  } catch (e) {
    failed(e);
    return;
  }
  draw(head, holder, true);
  clearTimeout(head.timer);
  head.timer = setTimeout(draw, COPIED_MILLIS, head, holder);
}

const save = (code) =>
  import('./files.js')
    .then(({ saveCode }) => saveCode(code.textContent, languageOf(code)))
    .catch(failed);
