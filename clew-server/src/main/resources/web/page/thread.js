// The conversation that is open: what of it is loaded, and how it stays up to date.

import { api, watch } from './api.js';
import { end, isSame, markSeen, resume } from './conversations.js';
import { listChanged } from './loaded.js';
import { change, emptyLive, emptyThread, state } from './store.js';
import { heard, saidSoFar } from './thread-updates.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const PAGE = 50;
const STEP = 12; // while somebody scrolls: little enough to be drawn between two keys
const AROUND = 20; // how much is shown before what a search has found
const QUEUE_MILLIS = 2_000;
export const MOST_ENTRIES = 200; // more are let go of, and loaded again when somebody scrolls there

let unwatch = () => {};
let generation = 0;

/** Gives the open conversation, which has not begun, its id; or takes it away again. */
export function identify(id) {
  generation++;
  change('thread', { id });
  history.replaceState(null, '', address(id));
}

export const isOpen = (id) => state.thread.id === id;

/** Opens a conversation, at its end or at a position. Without an id: a new one. */
export async function open(id, position = null, more = {}) {
  const mine = ++generation;
  const left = state.thread.info?.temporary ? state.thread.info : null;
  unwatch();
  unwatch = () => {};
  state.thread = Object.assign(emptyThread(id), more);
  state.live = emptyLive();
  change('live');
  if (id === null) {
    if (left) {
      end(left);
    }
    const { project } = state.list;
    change('thread', { wishes: project ? { project } : {} });
    return;
  }
  resume(id);
  change('thread', { loading: true, target: position });
  try {
    const where = position === null ? {} : { after: position - 1 };
    const [info, page] = await Promise.all([
      api.session(id),
      api.items(id, { limit: PAGE, ...where }),
    ]);
    if (mine !== generation) {
      return;
    }
    change('thread', {
      info,
      entries: page.data,
      version: page.version,
      moreBefore: position === null ? page.has_more : true,
      moreAfter: position === null ? false : page.has_more,
      loading: false,
    });
    if (position !== null) {
      await loadBefore(AROUND);
    }
    if (mine !== generation) {
      return;
    }
    if (left && !isSame(left, info)) {
      end(left);
    }
    markSeen(id, info.updated_at);
    change('list');
    follow(id, page.version);
    loadApprovals(id);
    loadQueue(id);
    loadBranches(id);
  } catch (e) {
    if (mine === generation) {
      const gone = e.status === 404;
      const failure = say(gone ? 'threadGone' : 'threadFailed');
      change('thread', { loading: false, failure, gone });
    }
  }
}

export function follow(id, version) {
  unwatch();
  let connected = false;
  unwatch = watch(id, version, (name, data) => {
    if (!isOpen(id)) {
      return;
    }
    if (name === 'connected') {
      if (connected) {
        findOut(id);
        loadQueue(id);
      }
      connected = true;
    }
    heard[name]?.(data);
  });
}

/** Whether the turn that was under way when the connection broke still is. */
async function findOut(id) {
  const { turn } = state.live;
  const { pending } = state.thread;
  if (!isRunning() || (turn === null && !pending.broken)) {
    return;
  }
  try {
    const { data } = await api.turns();
    const now = data.find((one) => one.session_id === id)?.state;
    if (now === 'running') {
      return;
    }
    const last = (await api.items(id, { limit: 1 })).data.at(-1);
    const isCutOff = saidSoFar() !== '' && last?.item.role === 'user' && !last.notes?.failed;
    if (isOpen(id) && state.live.turn === turn && state.thread.pending === pending) {
      heard.turn({ turn_id: turn, state: now ?? (isCutOff ? 'failed' : 'done') });
    }
  } catch {
    // Broken again; the next connection asks again.
  }
}

/** Loads what was said before. */
export async function loadBefore(limit = STEP) {
  const { id, entries, moreBefore } = state.thread;
  if (!moreBefore || state.thread.loadingBefore || entries.length === 0) {
    return;
  }
  state.thread.loadingBefore = true;
  try {
    const page = await api.items(id, { limit, before: entries[0].position });
    if (isOpen(id)) {
      const all = page.data.concat(state.thread.entries);
      change('thread', {
        entries: all.slice(0, MOST_ENTRIES),
        moreBefore: page.has_more,
        moreAfter: state.thread.moreAfter || all.length > MOST_ENTRIES,
      });
    }
  } catch (e) {
    failed(e);
  } finally {
    state.thread.loadingBefore = false;
  }
}

/** Loads what was said behind what a search has found. */
export async function loadAfter() {
  const { id, entries, moreAfter } = state.thread;
  if (!moreAfter || state.thread.loadingAfter) {
    return;
  }
  state.thread.loadingAfter = true;
  try {
    const page = await api.items(id, { limit: STEP, after: entries.at(-1).position });
    if (isOpen(id)) {
      const all = state.thread.entries.concat(page.data);
      change('thread', {
        entries: all.slice(-MOST_ENTRIES),
        moreBefore: state.thread.moreBefore || all.length > MOST_ENTRIES,
        moreAfter: page.has_more,
      });
    }
  } catch (e) {
    failed(e);
  } finally {
    state.thread.loadingAfter = false;
  }
}

export async function loadApprovals(id) {
  if (!isOpen(id)) {
    return;
  }
  try {
    const { data } = await api.approvals(id);
    if (isOpen(id)) {
      change('thread', { approvals: data });
    }
  } catch {
    // The card does not ask then; it does after a reload.
  }
}

let lookAgain;

/** What waits for the running turn. Without one it is asked again whether anybody will answer it. */
export async function loadQueue(id) {
  clearTimeout(lookAgain);
  try {
    const { data } = await api.queue(id);
    if (isOpen(id) && (data.length > 0 || state.thread.queue.length > 0)) {
      change('thread', { queue: data });
    }
    if (isOpen(id) && !isRunning() && data.some((one) => one.waits)) {
      lookAgain = setTimeout(loadQueue, QUEUE_MILLIS, id);
    }
  } catch {
    // It is shown after the next turn.
  }
}

/** Where other branches begin: the position before that place, and their ids. */
async function loadBranches(id) {
  try {
    const { data } = await api.branches(id);
    const siblings = new Map(data.map((place) => [place.after, place.session_ids]));
    if (isOpen(id) && siblings.size > 0) {
      change('thread', { siblings });
    }
  } catch {
    // Each branch can still be found in the list.
  }
}

export async function loadInfo(id) {
  try {
    const info = await api.session(id);
    if (isOpen(id)) {
      change('thread', { info });
      markSeen(id, info.updated_at);
    }
    return info;
  } catch {
    return null; // deleted meanwhile
  }
}

/** A turn is over. */
export async function ended(id) {
  await loadInfo(id);
  listChanged();
}

export const isRunning = () => state.live.turn !== null || state.thread.pending !== null;

/** The address of a conversation. */
export const address = (id) => (id === null ? '/' : `/#/s/${encodeURIComponent(id)}`);
