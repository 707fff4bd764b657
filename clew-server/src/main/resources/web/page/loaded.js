// The conversations that are loaded, as far as somebody has scrolled, in step with the server.

import { api } from './api.js';
import { change, state } from './store.js';

const PAGE = 60;
const MOST_PAGES = 5; // that have come at the top at once; after more the list begins anew
const REFRESH_MILLIS = 10_000;
const NO_TAGS = Object.freeze([]);

const list = state.list;
const windows = new BroadcastChannel('clew');
const byId = new Map(); // those of list.sessions
let generation = 0;

/** What a list shows of a conversation. Of many thousand no more is kept. */
function brief(info) {
  return {
    session_id: info.session_id,
    title: info.title,
    preview: info.title ? '' : info.preview,
    updated_at: info.updated_at,
    tags: info.tags.length > 0 ? info.tags : NO_TAGS,
    pinned: info.pinned,
    archived: info.archived,
    family: info.family,
    project: info.project,
  };
}

/** The same object for what has not changed, so that it need not be drawn again. */
function known(info) {
  const now = brief(info);
  const before = find(now.session_id);
  const same =
    before &&
    Object.keys(now).every((name) => name === 'tags' || now[name] === before[name]) &&
    now.tags.join() === before.tags.join();
  return same ? before : now;
}

/** The name of a project. */
export const nameOf = (id) =>
  state.library.projects.find((one) => one.project_id === id)?.name ?? '';

function ask(fields) {
  const { archived, tag, project } = list;
  const where = { archived, tag: tag || undefined, project: project || undefined };
  return api.sessions({ limit: PAGE, ...where, ...fields });
}

/** Loads the list from its beginning. */
export async function loadList() {
  const mine = ++generation;
  byId.clear();
  change('list', { sessions: [], pinned: [], cursor: null, complete: false, failed: false });
  list.loading = false;
  await loadMore();
  await loadPinned(mine).catch(() => {}); // the list says that it could not be loaded
}

/** Loads the next page of the list. */
export async function loadMore() {
  if (list.loading || list.complete) {
    return;
  }
  const mine = generation;
  change('list', { loading: true, failed: false });
  try {
    const page = await ask({ cursor: list.cursor ?? undefined });
    if (mine !== generation) {
      return;
    }
    // One that has moved to the top while this was on its way is there already.
    const more = page.data.filter((info) => !byId.has(info.session_id)).map(brief);
    more.forEach((info) => byId.set(info.session_id, info));
    change('list', {
      sessions: list.sessions.concat(more),
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
  if (mine !== generation || list.archived || list.tag || list.project) {
    return;
  }
  const pinned = [];
  let cursor;
  do {
    const page = await ask({ pinned: true, limit: 100, cursor });
    pinned.push(...page.data.map(known));
    cursor = page.next_cursor;
  } while (cursor !== null);
  const same =
    pinned.length === list.pinned.length && pinned.every((info, i) => info === list.pinned[i]);
  if (mine === generation && !same) {
    change('list', { pinned });
  }
}

/** Brings the newest ones up to date, without moving the others. */
export async function refreshList() {
  if (document.hidden || list.loading || list.failed) {
    return;
  }
  const mine = generation;
  try {
    const fresh = [];
    let cursor;
    let met = false;
    for (let pages = 0; pages < MOST_PAGES && cursor !== null && !met; pages++) {
      const page = await ask({ cursor });
      if (mine !== generation) {
        return;
      }
      fresh.push(...page.data.map(known));
      cursor = page.next_cursor;
      // Whatever has changed is before the first that has not.
      met = fresh.some((info) => byId.get(info.session_id)?.updated_at === info.updated_at);
    }
    merge(fresh, cursor, met);
    await loadPinned(mine);
  } catch {
    // Shown as offline.
  }
}

function merge(fresh, cursor, met) {
  if (met && cursor !== null && fresh.every((info, i) => info === list.sessions[i])) {
    return;
  }
  const ids = new Set(fresh.map((info) => info.session_id));
  const families = new Set(fresh.map((info) => info.family).filter(Boolean));
  const oldest = fresh.at(-1)?.updated_at;
  const goesOn = met && cursor !== null;
  const stays = (info) =>
    goesOn && info.updated_at <= oldest && !ids.has(info.session_id) && !families.has(info.family);
  const rest = [];
  for (const info of list.sessions) {
    if (stays(info)) {
      rest.push(info);
    } else {
      byId.delete(info.session_id);
    }
  }
  fresh.forEach((info) => byId.set(info.session_id, info));
  change('list', { sessions: fresh.concat(rest) });
  if (!goesOn) {
    change('list', { cursor, complete: cursor === null });
  }
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
export function put(info) {
  if (info.older) {
    if (state.thread.id === info.session_id) {
      change('thread', { info: { ...state.thread.info, ...info } });
    }
    listChanged();
    return;
  }
  const before = byId.get(info.session_id);
  const now = brief({ preview: find(info.session_id)?.preview ?? '', ...info });
  if (before) {
    byId.set(info.session_id, now);
    change('list', { sessions: list.sessions.map((one) => (one === before ? now : one)) });
  }
  const pinned = list.pinned.filter((one) => one.session_id !== info.session_id);
  if (info.pinned && !info.archived) {
    pinned.unshift(now);
  }
  change('list', { pinned });
  if (state.thread.id === info.session_id) {
    change('thread', { info });
  }
  windows.postMessage('list');
}

/** Takes sessions out of the list. */
export function takeAway(ids) {
  const gone = new Set(ids);
  const stays = (info) => !gone.has(info.session_id);
  ids.forEach((id) => byId.delete(id));
  change('list', { sessions: list.sessions.filter(stays), pinned: list.pinned.filter(stays) });
}

export function find(id) {
  return byId.get(id) ?? list.pinned.find((info) => info.session_id === id);
}
