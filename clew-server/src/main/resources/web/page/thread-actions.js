// What a person does in the conversation that is open.

import { api } from './api.js';
import { attachedTo, messageOf } from './attachments.js';
import { archive } from './conversations.js';
import { listChanged } from './loaded.js';
import { modelOf } from './models.js';
import { change, emptyLive, state } from './store.js';
import {
  address,
  ended,
  follow,
  isOpen,
  isRunning,
  loadApprovals,
  loadInfo,
  open,
  openNew,
} from './thread.js';
import { failed, toast } from './toasts.js';
import { say } from './words.js';

/** A random id, also where the page was not loaded by a secure connection. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Says something. Returns whether it was taken. */
export async function send(text, attachments = []) {
  const isNew = state.thread.id === null;
  const id = isNew ? newId() : state.thread.id;
  if (isNew) {
    openNew(id);
  }
  if (state.thread.moreAfter) {
    await open(id);
  }
  change('thread', { pending: { text, attachments }, error: '' });
  if (state.thread.info?.archived) {
    archive([id], false);
  }
  const said = { message: messageOf(text, attachments) };
  if (isNew) {
    Object.assign(said, { model: modelOf() || undefined }, state.thread.wishes); // remembered from now on
  }
  return begin(id, () => api.say(id, said, () => isNew && begun(id)));
}

/** There is a new session now. */
function begun(id) {
  if (isOpen(id)) {
    follow(id, 0);
  }
  loadInfo(id);
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

/** Says something else instead of a message, with what is attached to it, as a branch beside it. */
export async function edit(block, text) {
  change('thread', { editing: null });
  const attachments = await attachedTo(block);
  await goOnAs(state.thread.info, block.position, (id) => {
    change('thread', { pending: { text, attachments } });
    return api.say(id, { message: messageOf(text, attachments) });
  });
}

async function goOnAs(info, position, turn) {
  try {
    const branch = await api.branch(info.session_id, { at: position });
    history.pushState(null, '', address(branch.session_id));
    await open(branch.session_id);
    listChanged();
    await begin(branch.session_id, () => turn(branch.session_id));
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

/** Who answers in this conversation, and what it is told beside that: {model} or {instructions}. */
export async function wish(fields) {
  const { id, wishes } = state.thread;
  if (id === null) {
    change('thread', { wishes: { ...wishes, ...fields } });
    return;
  }
  try {
    const info = await api.describe(id, fields);
    if (isOpen(id)) {
      change('thread', { info });
    }
  } catch (e) {
    failed(e);
  }
}

/** Says whether an answer was good: 'up', 'down' and perhaps why, or null to take it back. */
export async function rate(position, rating, reason) {
  try {
    await api.rate(state.thread.id, position, { rating, reason });
  } catch (e) {
    failed(e);
  }
}
