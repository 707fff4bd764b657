// The address says which conversation is open: /#/s/<id>, and /#/s/<id>@<position> for a place in it.

import { change, state } from './store.js';
import { address, open } from './thread.js';

/** Opens a conversation, and puts it in the address. */
export function go(id, position = null) {
  history.pushState(null, '', address(id) + (position === null ? '' : `@${position}`));
  change('shell', { drawer: false });
  return open(id, position);
}

/** Opens what the address says. */
export function openAddress() {
  const found = /^#\/s\/([^@]+)(?:@(-?\d+))?$/.exec(location.hash);
  const id = found ? decodeURIComponent(found[1]) : null;
  if (id !== state.thread.id || found?.[2]) {
    open(id, found?.[2] ? Number(found[2]) : null);
  }
}
