// What happens to conversations as wholes: listed, renamed, pinned, archived, deleted.

import { api } from './api.js';
import { change, state } from './store.js';
import { failed, toast } from './toasts.js';
import { kept, keep, say } from './words.js';

const PAGE = 60;
const REFRESH_MILLIS = 10_000;
const UNDO_MILLIS = 6_000;
const BRANCH = 'branch:'; // tags that hold branches together, which the server makes

const list = state.list;
const windows = new BroadcastChannel('clew');
let generation = 0;

export const titleOf = (info) => info?.title || info?.preview || say('untitled');
export const tagsOf = (info) => info.tags.filter((tag) => !tag.startsWith(BRANCH));
export const isBranch = (info) => info.tags.some((tag) => tag.startsWith(BRANCH));

/** Loads the list from its beginning. */
export async function loadList() {
  const mine = ++generation;
  change('list', { sessions: [], pinned: [], cursor: null, complete: false, failed: false });
  list.loading = false;
  await loadMore();
  if (mine === generation && !list.archived && !list.tag) {
    await loadPinned(mine);
  }
}

/** Loads the next page of the list. */
export async function loadMore() {
  if (list.loading || list.complete) {
    return;
  }
  const mine = generation;
  change('list', { loading: true, failed: false });
  try {
    const page = await api.sessions({
      limit: PAGE,
      archived: list.archived,
      tag: list.tag || undefined,
      cursor: list.cursor ?? undefined,
    });
    if (mine !== generation) {
      return;
    }
    // What has moved while pages were loaded has moved to the top: only the last page may repeat.
    const known = new Set(list.sessions.slice(-PAGE).map((info) => info.session_id));
    change('list', {
      sessions: list.sessions.concat(page.data.filter((info) => !known.has(info.session_id))),
      cursor: page.next_cursor,
      complete: page.next_cursor === null,
      loading: false,
    });
  } catch {
    if (mine === generation) {
      change('list', { loading: false, failed: true });
    }
  }
}

async function loadPinned(mine) {
  let cursor = null;
  const pinned = [];
  try {
    do {
      const fields = { pinned: true, archived: false, limit: 100, cursor: cursor ?? undefined };
      const page = await api.sessions(fields);
      pinned.push(...page.data);
      cursor = page.next_cursor;
      if (mine !== generation) {
        return;
      }
      change('list', { pinned: [...pinned] });
    } while (cursor !== null);
  } catch {
    // The list says that it could not be loaded.
  }
}

/** Brings the newest ones up to date, without moving the others. */
export async function refreshList() {
  if (document.hidden || list.loading || list.failed) {
    return;
  }
  const mine = generation;
  try {
    const page = await api.sessions({
      limit: PAGE,
      archived: list.archived,
      tag: list.tag || undefined,
    });
    if (mine !== generation) {
      return;
    }
    const fresh = new Set(page.data.map((info) => info.session_id));
    const oldest = page.data.at(-1)?.updated_at ?? '';
    const rest = list.sessions.filter(
      (info) =>
        !fresh.has(info.session_id) && page.next_cursor !== null && info.updated_at <= oldest,
    );
    change('list', { sessions: page.data.concat(rest) });
    if (list.complete && page.next_cursor === null) {
      change('list', { cursor: null });
    }
    replacePinned(page.data);
  } catch {
    // Shown as offline.
  }
}

function replacePinned(infos) {
  const byId = new Map(infos.map((info) => [info.session_id, info]));
  const pinned = list.pinned
    .map((info) => byId.get(info.session_id) ?? info)
    .filter((info) => info.pinned && !info.archived);
  const known = new Set(pinned.map((info) => info.session_id));
  for (const info of infos) {
    if (info.pinned && !info.archived && !known.has(info.session_id)) {
      pinned.unshift(info);
    }
  }
  change('list', { pinned });
}

/** Keeps the list up to date with other windows, devices and programs. */
export function keepListFresh() {
  setInterval(refreshList, REFRESH_MILLIS);
  document.addEventListener('visibilitychange', refreshList);
  window.addEventListener('online', refreshList);
  windows.onmessage = refreshList;
}

/** Tells the other windows of this browser, and this one. */
export function listChanged() {
  windows.postMessage('list');
  return refreshList();
}

/** Puts what is known of a session in its place. */
function put(info) {
  const sessions = list.sessions.map((one) =>
    one.session_id === info.session_id ? { preview: one.preview, ...info } : one,
  );
  change('list', { sessions });
  const shown = find(info.session_id) ?? info;
  const pinned = list.pinned.filter((one) => one.session_id !== info.session_id);
  if (info.pinned && !info.archived) {
    pinned.unshift(shown);
  }
  change('list', { pinned });
  if (state.thread.id === info.session_id) {
    change('thread', { info });
  }
  windows.postMessage('list');
}

export function find(id) {
  const here = (info) => info.session_id === id;
  return list.sessions.find(here) ?? list.pinned.find(here);
}

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
  change('list', {
    sessions: list.sessions.filter((info) => !ids.includes(info.session_id)),
  });
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
  const gone = (info) => ids.includes(info.session_id) && list.hidden.has(info.session_id);
  change('list', {
    sessions: list.sessions.filter((info) => !gone(info)),
    pinned: list.pinned.filter((info) => !gone(info)),
  });
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
