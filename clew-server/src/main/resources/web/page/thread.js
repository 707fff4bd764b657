// What happens in the conversation that is open.

import { api, watch } from './api.js';
import { branchAt, findSiblings } from './branches.js';
import { archive, listChanged, markSeen, titleFrom } from './conversations.js';
import { textOf } from './items.js';
import { change, emptyLive, emptyThread, state } from './store.js';
import { failed, toast } from './toasts.js';
import { say } from './words.js';

const PAGE = 50;
const STEP = 25; // while somebody scrolls: little enough to be drawn between two keys
const AROUND = 20; // how much is shown before what a search has found
const MOST_ENTRIES = 400; // more are let go of, and loaded again when somebody scrolls there
const KEPT_ENTRIES = 250;

const APPROVAL_MILLIS = 400; // after which a call that was stored waits, if it has to

let unwatch = () => {};
let generation = 0;

const isOpen = (id) => state.thread.id === id;

/** Opens a conversation, at its end or at a position. Without an id: a new one. */
export async function open(id, position = null) {
  const mine = ++generation;
  unwatch();
  unwatch = () => {};
  state.thread = emptyThread(id);
  state.live = emptyLive();
  change('live');
  if (id === null) {
    change('thread');
    return;
  }
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
    markSeen(id, info.updated_at);
    change('list');
    follow(id, page.version);
    loadApprovals(id);
    findSiblings(info).then((siblings) => isOpen(id) && change('thread', { siblings }));
  } catch (e) {
    if (mine === generation) {
      const failure = e.status === 404 ? say('threadGone') : say('threadFailed');
      change('thread', { loading: false, failure });
    }
  }
}

function follow(id, version) {
  unwatch();
  unwatch = watch(id, version, (name, data) => {
    if (isOpen(id)) {
      heard[name]?.(data);
    }
  });
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

async function loadApprovals(id) {
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

async function loadInfo(id) {
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

/** What the server tells about the open conversation. */
const heard = {
  appended({ version, entries: more }) {
    const thread = state.thread;
    const known = new Set(thread.entries.map((entry) => entry.position));
    const news = more.filter((entry) => !known.has(entry.position));
    let entries = thread.moreAfter ? thread.entries : thread.entries.concat(news);
    let moreBefore = thread.moreBefore;
    if (entries.length > MOST_ENTRIES) {
      entries = entries.slice(-KEPT_ENTRIES);
      moreBefore = true;
    }
    const said = thread.pending?.text;
    const pending =
      said !== undefined && news.some((entry) => textOf(entry.item) === said)
        ? null
        : thread.pending;
    change('thread', { version, entries, moreBefore, pending });
    dropStored();
    if (news.some((entry) => entry.item.type === 'function_call')) {
      setTimeout(loadApprovals, APPROVAL_MILLIS, thread.id);
    }
  },

  removed({ version, positions }) {
    const gone = new Set(positions);
    change('thread', {
      version,
      entries: state.thread.entries.filter((entry) => !gone.has(entry.position)),
    });
  },

  edited({ version, entry }) {
    change('thread', {
      version,
      entries: state.thread.entries.map((old) => (old.position === entry.position ? entry : old)),
    });
  },

  replaced({ version, up_to: upTo, entries }) {
    change('thread', {
      version,
      entries: entries.concat(state.thread.entries.filter((entry) => entry.position > upTo)),
      moreBefore: false,
      opened: new Set(),
      archive: [],
    });
  },

  described() {
    loadInfo(state.thread.id);
  },

  cleared({ version }) {
    change('thread', { version, entries: [], moreBefore: false, moreAfter: false, approvals: [] });
    loadInfo(state.thread.id).then((info) => {
      if (info === null) {
        change('thread', { failure: say('threadGone') });
      }
    });
  },

  reload() {
    open(state.thread.id);
  },

  turn({ turn_id: turn, state: how }) {
    if (how === 'running') {
      state.live = emptyLive();
      change('live', { turn, begun: Date.now() });
      change('thread', { error: '' });
      return;
    }
    change('live', emptyLive());
    const id = state.thread.id;
    change('thread', { pending: null });
    if (how === 'waiting') {
      loadApprovals(id);
    } else {
      change('thread', { approvals: [], decided: new Set() });
    }
    ended(id);
  },

  delta({ step, text = '', reasoning = '' }) {
    const live = state.live;
    if (live.stored.has(step)) {
      return;
    }
    const before = live.steps.get(step) ?? { text: '', reasoning: '' };
    live.steps.set(step, { text: before.text + text, reasoning: before.reasoning + reasoning });
    change('live');
  },

  step({ step }) {
    state.live.stored.add(step);
    dropStored();
  },

  approval({ call_id, tool, arguments: given }) {
    const others = state.thread.approvals.filter((one) => one.call_id !== call_id);
    change('thread', { approvals: [...others, { call_id, tool, arguments: given }] });
  },

  error({ error }) {
    change('thread', { error: error.message, pending: null });
  },
};

/** What is among the entries need not be shown as half said any more. */
function dropStored() {
  const { live } = state;
  const stored = state.thread.entries.slice(-30).map((entry) => textOf(entry.item));
  for (const step of live.stored) {
    const text = live.steps.get(step)?.text;
    if (text === '' || (text !== undefined && stored.some((one) => one.startsWith(text)))) {
      live.steps.delete(step);
    }
  }
  change('live');
}

/** A turn is over. */
async function ended(id) {
  await loadInfo(id);
  listChanged();
}

export const isRunning = () => state.live.turn !== null || state.thread.pending !== null;

/** A random id, also where the page was not loaded by a secure connection. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Says something. Returns whether it was taken. */
export async function send(text) {
  const isNew = state.thread.id === null;
  const id = isNew ? newId() : state.thread.id;
  if (isNew) {
    generation++;
    state.thread = emptyThread(id);
    history.replaceState(null, '', address(id));
  }
  if (state.thread.moreAfter) {
    await open(id);
  }
  change('thread', { pending: { text }, error: '' });
  if (state.thread.info?.archived) {
    archive([id], false);
  }
  return begin(id, () => api.say(id, text, () => isNew && begun(id, text)));
}

/** There is a new session now. It gets its title at once, before anybody can leave. */
async function begun(id, text) {
  if (isOpen(id)) {
    follow(id, 0);
  }
  const title = titleFrom(text);
  if (title) {
    await api.describe(id, { title }).catch(() => {});
  }
  listChanged();
}

/** Takes a turn. A short one may be over before the live updates have told of it. */
async function begin(id, turn) {
  change('thread', { error: '' });
  try {
    await turn();
    if (isOpen(id) && state.live.turn === null) {
      change('thread', { pending: null });
      loadApprovals(id);
      ended(id);
    }
    return true;
  } catch (e) {
    if (isOpen(id)) {
      change('thread', { error: e.message, pending: null });
      change('live', emptyLive());
    }
    return false;
  }
}

/** The address of a conversation. */
export const address = (id) => (id === null ? '/' : `/#/s/${encodeURIComponent(id)}`);

export async function stop() {
  const { id } = state.thread;
  if (id !== null && isRunning()) {
    await api.stop(id).catch(failed);
  }
}

/** Answers the last message again, as a branch beside the answer that is there. */
export async function regenerate() {
  const { info, entries } = state.thread;
  const message = entries.findLast((entry) => entry.item.role === 'user');
  if (!message || isRunning()) {
    return;
  }
  const answer = entries.find((entry) => entry.position > message.position);
  if (!answer) {
    await begin(info.session_id, () => api.regenerate(info.session_id));
    return;
  }
  await goOnAs(info, answer.position, (id) => api.regenerate(id));
}

/** Says something else instead of a message, as a branch beside it. */
export async function edit(position, text) {
  change('thread', { editing: null });
  await goOnAs(state.thread.info, position, (id) => {
    change('thread', { pending: { text } });
    return api.say(id, text);
  });
}

async function goOnAs(info, position, turn) {
  try {
    const copy = await branchAt(info, position, state.thread.entries);
    history.pushState(null, '', address(copy.session_id));
    await open(copy.session_id);
    // The newest branch stands in the list for all of them.
    await api.describe(info.session_id, { archived: true, pinned: false });
    listChanged();
    await begin(copy.session_id, () => turn(copy.session_id));
  } catch (e) {
    failed(e);
  }
}

export async function undo() {
  const { id } = state.thread;
  try {
    await api.undo(id);
    change('thread', { error: '', approvals: [] });
    toast(say('undone'));
    loadInfo(id);
  } catch (e) {
    failed(e);
  }
}

export async function compact() {
  try {
    const report = await api.compact(state.thread.id);
    if (!report.compacted) {
      toast(say('nothingToCompact'));
    }
  } catch (e) {
    failed(e);
  }
}

/** Agrees to a call that waits, or does not. */
export async function decide(callId, approve) {
  const { id } = state.thread;
  const { approvals, decided } = state.thread;
  decided.add(callId);
  change('thread', { approvals: approvals.filter((one) => one.call_id !== callId) });
  const taken = await begin(id, () => api.decide(id, { call_id: callId, approve }));
  if (!taken) {
    decided.delete(callId);
    loadApprovals(id);
  }
}

/** Shows what a summary has replaced, or hides it again. */
export async function toggleArchive(position) {
  const { id, opened } = state.thread;
  if (opened.has(position)) {
    opened.delete(position);
    change('thread');
    return;
  }
  try {
    const page = await api.items(id, { limit: 100, before: position, compacted: true });
    opened.add(position);
    change('thread', { archive: page.data.filter((entry) => entry.compacted) });
  } catch (e) {
    failed(e);
  }
}
