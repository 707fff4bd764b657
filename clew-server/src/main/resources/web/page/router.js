// The address says what is open: /#/s/<id> a conversation, /#/s/<id>@<position> a place in it,
// /#/insight and /#/insight/<id> what can be counted, /#/admin what administrators look after.

import { change, state } from './store.js';
import { address, open } from './thread.js';
import { failed } from './toasts.js';

const VIEWS = {
  insight: () => import('./insight.js'),
  admin: () => import('./admin.js'),
};

/** Opens a conversation, perhaps where a search has found something, and puts it in the address. */
export function go(id, position = null, sought = '') {
  const there = state.view.name !== null && id === state.thread.id && position === null;
  history.pushState(null, '', address(id) + (position === null ? '' : `@${position}`));
  leaveView();
  return there ? Promise.resolve() : open(id, position, { sought });
}

/** Shows something else than a conversation, perhaps about one. */
export function goToView(name, id = null) {
  history.pushState(null, '', `/#/${name}${id === null ? '' : `/${encodeURIComponent(id)}`}`);
  view(name, id);
}

async function view(name, id) {
  try {
    await VIEWS[name]();
  } catch (e) {
    failed(e);
    return;
  }
  change('view', { name, id });
  change('shell', { drawer: false });
  const page = document.querySelector('clew-page');
  await page.updateComplete;
  const shown = page.querySelector(`clew-${name}`);
  await shown?.updateComplete;
  shown?.querySelector('h1').focus();
}

function leaveView() {
  change('view', { name: null, id: null });
  change('shell', { drawer: false });
}

/** Opens what the address says. */
export function openAddress() {
  const other = /^#\/(insight|admin)(?:\/(.+))?$/.exec(location.hash);
  if (other) {
    view(other[1], other[2] ? decodeURIComponent(other[2]) : null);
    return;
  }
  leaveView();
  const found = /^#\/s\/([^@]+)(?:@(-?\d+))?$/.exec(location.hash);
  const id = found ? decodeURIComponent(found[1]) : null;
  if (id !== state.thread.id || found?.[2]) {
    open(id, found?.[2] ? Number(found[2]) : null);
  }
}
