// Where the focus goes when what has it goes away.

import { state } from './store.js';

/** With a keyboard, to the message box; on a touch screen that would open the keys. */
export function toMessageBox() {
  if (matchMedia('(pointer: fine)').matches) {
    document.querySelector('#message')?.focus();
  }
}

/** Where one goes on: the message box, or the heading of what is shown instead. */
export const focusMessage = () =>
  document.querySelector(state.view.name === null ? '#message' : 'main h1[tabindex]')?.focus();

/** The same thing drawn again, the row it was in, or where one goes on. */
function heir({ label, row }) {
  const same = label && document.querySelector(`[aria-label="${CSS.escape(label)}"]`);
  if (same?.checkVisibility()) {
    return same;
  }
  return row && document.querySelector(`.row[data-id="${CSS.escape(row)}"] a`);
}

/** Never leaves the focus to the body, where keys lead nowhere. */
export function keepFocus(page) {
  let last = null;
  page.addEventListener('focusin', ({ target }) => {
    last = {
      element: target,
      label: target.getAttribute('aria-label'),
      row: target.closest('.row')?.dataset.id,
    };
  });
  const look = () => {
    if (!last || document.activeElement !== document.body || document.querySelector('dialog:modal')) {
      return;
    }
    if (last.element.isConnected && last.element.checkVisibility() && !last.element.disabled) {
      return; // somebody has clicked beside everything
    }
    const next = heir(last);
    last = null;
    if (next) {
      next.focus({ preventScroll: true });
    } else if (state.view.name === null) {
      toMessageBox();
    } else {
      document.querySelector('main h1[tabindex]')?.focus();
    }
  };
  let due = false;
  new MutationObserver(() => {
    if (!due && document.activeElement === document.body) {
      due = true;
      requestAnimationFrame(() => {
        due = false;
        look();
      });
    }
  }).observe(page, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'hidden'] });
}
