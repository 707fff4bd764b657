// What is half written: kept in this browser for each owner and conversation, until the server has it.

import { state } from './store.js';
import { keep, kept, keptNames } from './words.js';

const PREFIX = 'clew.draft.';
const MOST_BYTES = 1 << 20;
const mine = () => `${PREFIX}${encodeURIComponent(state.me.owner).replaceAll('.', '%2E')}.`; // of nobody else
const nameOf = (id) => `${mine()}${id ?? 'new'}`;

/** What was half written in a conversation; nothing as long as it is not known whose it is. */
export const draftOf = (id) => (state.me.known && kept(nameOf(id))) || '';

export function keepDraft(id, text) {
  if (state.me.known) {
    keep(nameOf(id), text || null);
  }
}

/** What is attached to it, unless it is more than a browser keeps. */
export function draftFilesOf(id) {
  const files = state.me.known && kept(`${nameOf(id)}.files`);
  return files ? JSON.parse(files) : [];
}

export function keepDraftFiles(id, files) {
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  if (state.me.known) {
    const isKept = files.length > 0 && bytes <= MOST_BYTES;
    keep(`${nameOf(id)}.files`, isKept ? JSON.stringify(files) : null);
  }
}

export function forgetDraft(id) {
  keepDraft(id, null);
  keepDraftFiles(id, []);
}

/** Leaves nothing of who signs out behind at this browser, not even what is kept a moment later. */
export function forgetDrafts() {
  const names = state.me.known ? keptNames().filter((name) => name.startsWith(mine())) : [];
  state.me.known = false;
  names.forEach((name) => keep(name, null));
}
