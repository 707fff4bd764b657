// Everything that keys do wherever the focus is.

import { copy } from './clipboard.js';
import { removeOne } from './conversation-menu.js';
import { openFind } from './find.js';
import { focusMessage } from './focus.js';
import { textOf } from './items.js';
import { go } from './router.js';
import { hide, show } from './sidebar.js';
import { change, state } from './store.js';
import { decide, stop } from './thread-actions.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const mac = /Mac|iP/.test(navigator.platform);
const mod = (event) => (mac ? event.metaKey : event.ctrlKey);

/** Names of keys, for the overview. */
export const key = {
  get mod() {
    return mac ? '⌘' : say('ctrl');
  },
  shift: mac ? '⇧' : 'Shift',
  alt: mac ? '⌥' : 'Alt',
};

/** At once, or what is typed next goes elsewhere; what can be found and done comes a moment later. */
export function openPalette() {
  const dialog = document.querySelector('dialog.palette');
  if (dialog.open) {
    dialog.close();
    return;
  }
  dialog.querySelector('input').value = '';
  dialog.showModal();
  import('./palette.js').then(({ begin }) => begin()).catch(failed);
}

function toggleSidebar() {
  state.shell.sidebar && (state.shell.drawer || innerWidth > 760) ? hide() : show();
}

function removeOpen() {
  if (state.thread.id !== null && state.thread.info) {
    removeOne(state.thread.info);
  }
}

function copyLast() {
  const last = state.thread.entries.findLast((entry) => entry.item.role === 'assistant');
  if (last) {
    copy(textOf(last.item));
  }
}

function copyLastCode() {
  const code = [...document.querySelectorAll('clew-thread .code code')].at(-1);
  if (code) {
    copy(code.textContent);
  }
}

function neighbour(by) {
  const { order } = document.querySelector('clew-conversation-list');
  const here = order.indexOf(state.thread.info?.current ?? state.thread.id);
  const to = here < 0 ? order[0] : order[here + by];
  if (to !== undefined) {
    go(to);
  }
}

function decideFirst(approve) {
  const [first] = state.thread.approvals;
  if (first) {
    decide(first.call_id, approve);
  }
}

const withMod = { k: openPalette, '/': () => change('shell', { help: !state.shell.help }) };
const withModShift = {
  o: () => go(null).then(focusMessage),
  f: openFind,
  s: toggleSidebar,
  backspace: removeOpen,
  c: copyLast,
  ';': copyLastCode,
  ':': copyLastCode,
};
const withModAlt = { enter: () => decideFirst(true), backspace: () => decideFirst(false) };
const withAlt = { arrowdown: () => neighbour(1), arrowup: () => neighbour(-1) };

function found(event) {
  const name = event.key.toLowerCase();
  if (mod(event)) {
    return (event.altKey ? withModAlt : event.shiftKey ? withModShift : withMod)[name];
  }
  if (event.altKey) {
    return event.target.value ? undefined : withAlt[name]; // in a text they move the cursor
  }
  if (name === 'escape' && !document.querySelector('dialog[open]')) {
    return event.shiftKey ? focusMessage : escape;
  }
  return undefined;
}

function escape() {
  if (state.shell.drawer && innerWidth <= 760) {
    change('shell', { drawer: false });
  } else {
    stop();
  }
}

export function listenToKeys() {
  document.addEventListener('keydown', (event) => {
    const act = event.isComposing ? undefined : found(event);
    if (act) {
      event.preventDefault();
      act();
    }
  });
}
