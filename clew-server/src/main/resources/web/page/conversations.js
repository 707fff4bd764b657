// What happens to conversations as wholes: renamed, pinned, archived, deleted.

import { api } from './api.js';
import { find, listChanged, loadList, put, takeAway } from './loaded.js';
import { change, state } from './store.js';
import { failed, toast } from './toasts.js';
import { kept, keep, say } from './words.js';

const UNDO_MILLIS = 6_000;
const BRANCH = 'branch:'; // tags that hold branches together, which the server makes

const list = state.list;

export const titleOf = (info) => info?.title || info?.preview || say('untitled');
export const tagsOf = (info) => info.tags.filter((tag) => !tag.startsWith(BRANCH));
export const isBranch = (info) => info.tags.some((tag) => tag.startsWith(BRANCH));

async function describe(id, fields) {
  try {
    put(await api.describe(id, fields));
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

export const rename = (id, title) => describe(id, { title: title.trim() });
export const pin = (id, pinned) => describe(id, { pinned });

export function setTags(id, text) {
  const info = find(id) ?? state.thread.info;
  const hidden = (info?.tags ?? []).filter((tag) => tag.startsWith(BRANCH));
  const tags = text.split(/[,，]/).map((tag) => tag.trim());
  return describe(id, { tags: [...new Set(tags.filter(Boolean)), ...hidden] });
}

/** Archives or brings back, with undo. */
export async function archive(ids, archived) {
  const infos = ids.map((id) => find(id) ?? state.thread.info);
  for (const id of ids) {
    if (!(await describe(id, archived ? { archived, pinned: false } : { archived }))) {
      return;
    }
  }
  takeAway(ids);
  if (archived) {
    const text =
      ids.length === 1
        ? say('archivedOne', { title: titleOf(infos[0]) })
        : say('archivedMany', { count: ids.length });
    toast(text, { label: say('undo'), act: () => archive(ids, false) });
  }
  listChanged();
}

const removals = new Map(); // id -> timer

/** Deletes after a while, in which it can be undone. Until then it is only out of sight. */
export function remove(ids) {
  const title = titleOf(find(ids[0]) ?? state.thread.info);
  ids.forEach((id) => list.hidden.add(id));
  change('list');
  const timer = setTimeout(() => removeNow(ids), UNDO_MILLIS);
  ids.forEach((id) => removals.set(id, timer));
  const text =
    ids.length === 1 ? say('removed', { title }) : say('removedMany', { count: ids.length });
  toast(text, { label: say('undo'), act: () => bringBack(ids, timer), millis: UNDO_MILLIS });
}

function bringBack(ids, timer) {
  clearTimeout(timer);
  ids.forEach((id) => {
    list.hidden.delete(id);
    removals.delete(id);
  });
  change('list');
}

async function removeNow(ids) {
  for (const id of ids) {
    removals.delete(id);
    try {
      await api.remove(id);
    } catch (e) {
      list.hidden.delete(id);
      failed(e);
    }
  }
  takeAway(ids.filter((id) => list.hidden.has(id)));
  ids.forEach((id) => list.hidden.delete(id));
  listChanged();
}

/** Whoever leaves the page does not want to undo any more. */
window.addEventListener('pagehide', () => {
  removals.forEach((timer, id) => {
    clearTimeout(timer);
    api.remove(id, { keepalive: true }).catch(() => {});
  });
  removals.clear();
});

/** Shows the archive, a tag, or everything. */
export function filterList(fields) {
  change('list', { archived: false, tag: '', selecting: false, ...fields });
  list.selected.clear();
  return loadList();
}

// Which conversations have something new. A browser remembers the time at which it saw each.

const SEEN = 'clew.seen';
const MOST_SEEN = 500;
const seen = JSON.parse(kept(SEEN) ?? 'null') ?? { since: new Date().toISOString(), at: {} };

export function markSeen(id, at) {
  delete seen.at[id];
  seen.at[id] = at;
  const ids = Object.keys(seen.at);
  ids.slice(0, Math.max(0, ids.length - MOST_SEEN)).forEach((old) => delete seen.at[old]);
  keep(SEEN, JSON.stringify(seen));
}

export const isUnread = (info) =>
  info.session_id !== state.thread.id && info.updated_at > (seen.at[info.session_id] ?? seen.since);
