// What a person does in the conversation that is open.

import { api } from './api.js';
import { attachedTo, messageOf } from './attachments.js';
import { archive } from './conversations.js';
import { listChanged } from './loaded.js';
import { toMessageBox } from './focus.js';
import { filesIn, saysNothing, textOf } from './items.js';
import { modelOf, projectOf } from './models.js';
import { reasonOf } from './problems.js';
import { change, emptyLive, state } from './store.js';
import {
  address,
  ended,
  follow,
  isOpen,
  isRunning,
  loadApprovals,
  loadInfo,
  loadQueue,
  identify,
  open,
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

let unsent = null; // what may or may not have reached the server: {id, key, from, text, files}

/** Says something. Returns whether it was taken; calls back when the server has stored it. */
export async function send(text, attachments = [], stored = () => {}) {
  const from = state.thread.id;
  const files = attachments.length;
  const again = unsent?.from === from && unsent.text === text && unsent.files === files;
  const attempt = again ? unsent : { id: from ?? newId(), key: newId(), from, text, files };
  const { id, key } = attempt;
  const isNew = from === null;
  const said = { message: messageOf(text, attachments) };
  if (isNew) {
    const model = projectOf()?.model ? undefined : modelOf() || undefined;
    Object.assign(said, { model }, state.thread.wishes); // remembered from now on
    identify(id);
  } else if (state.thread.moreAfter) {
    await open(id);
  }
  if (state.thread.info?.archived) {
    archive([id], false);
  }
  let isStored = false;
  const now = () => {
    isStored = true;
    stored();
  };
  change('thread', { pending: { text, attachments, stored: now } });
  let hasBegun = false;
  unsent = attempt;
  const taken = await begin(id, () =>
    api.say(id, said, key, () => {
      hasBegun = true;
      unsent = null;
      if (isNew) {
        begun(id);
      }
    }),
  );
  if (isNew && !hasBegun && isOpen(id)) {
    identify(null); // as it was, with what was chosen for it
  }
  if (taken) {
    stored();
  } else if (state.thread.error) {
    change('thread', { refused: !isStored });
  }
  return taken;
}

/** Says something that is answered after the running turn. Returns whether the server has it. */
export async function sendNext(text, attachments) {
  const { id } = state.thread;
  try {
    await api.sayNext(id, { message: messageOf(text, attachments) }, newId());
    await loadQueue(id);
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

/** Takes back a message that waits; its text, or null if it is being answered already. */
export async function withdraw({ turn_id: turn, message }) {
  const { id } = state.thread;
  try {
    const { withdrawn } = await api.withdraw(id, turn);
    loadQueue(id);
    return withdrawn ? textOf(message) : null;
  } catch (e) {
    failed(e);
    return null;
  }
}

/** There is a new session now. */
function begun(id) {
  if (isOpen(id)) {
    follow(id, 0);
  }
  loadInfo(id);
  listChanged();
}

/** Takes a turn, which shows at once. A short one may be over before the live updates tell of it. */
async function begin(id, turn) {
  const pending = state.thread.pending ?? {};
  change('thread', { error: '', refused: false, lost: '', pending });
  try {
    const isOver = await turn();
    if (!isOver && isOpen(id) && isRunning()) {
      change('thread', { pending: { ...state.thread.pending, broken: true } });
    } else if (isOpen(id) && state.live.turn === null) {
      change('thread', { pending: null });
      loadApprovals(id);
      ended(id);
    }
    return true;
  } catch (e) {
    if (e.code === 'approval_not_found') {
      toast(reasonOf(e)); // nothing is wrong with the turn
      change('thread', { pending: null });
    } else if (isOpen(id)) {
      change('thread', { error: reasonOf(e), pending: null });
      change('live', emptyLive());
    }
    return false;
  }
}

export async function stop() {
  const { id } = state.thread;
  if (id !== null && isRunning()) {
    toMessageBox(); // the button is about to go
    await api.stop(id).catch(failed);
  }
}

/** Answers the last message again, perhaps by another model, as a branch beside what was said to it. */
export async function regenerate(model) {
  const { info, entries } = state.thread;
  const message = entries.findLast((entry) => entry.item.role === 'user');
  if (!info || !message || isRunning()) {
    return;
  }
  toMessageBox(); // the button is about to go
  const answer = entries.filter((entry) => entry.position > message.position);
  if (answer.every(({ item }) => saysNothing(item))) {
    await begin(info.session_id, () => answerAgain(info.session_id, model));
    return;
  }
  await goOnAs(info, answer[0].position, (id) => {
    const answering = answerAgain(id, model); // while the branch is opened
    answering.catch(() => {});
    return () => answering;
  });
}

async function answerAgain(id, model) {
  if (model) {
    const info = await api.describe(id, { model });
    change('thread', { info });
  }
  return api.regenerate(id);
}

/** Says something else instead of a message, with what is attached to it, as a branch beside it. */
export async function edit(block, text) {
  change('thread', { editing: null });
  const attachments = await attachedTo(block);
  await goOnAs(state.thread.info, block.position, (id) => () => {
    change('thread', { pending: { text, attachments } });
    return api.say(id, { message: messageOf(text, attachments) }, newId());
  });
}

/** Goes on in a branch. What is given prepares a turn of it, and returns what takes the turn. */
async function goOnAs(info, position, prepare) {
  change('thread', { pending: {}, error: '' });
  try {
    const branch = await api.branch(info.session_id, { at: position });
    state.thread.info = { ...info, family: branch.family }; // it goes on there
    const turn = prepare(branch.session_id);
    history.pushState(null, '', address(branch.session_id));
    await open(branch.session_id, null, { pending: {} });
    listChanged();
    await begin(branch.session_id, turn);
  } catch (e) {
    if (isOpen(info.session_id)) {
      change('thread', { pending: null });
    }
    failed(e);
  }
}

/** Takes the last message back: out of the conversation, into the message box. */
export async function undo() {
  const { id, entries } = state.thread;
  const message = entries.findLast(({ item }) => item.role === 'user');
  try {
    const files = message ? await attachedTo(filesIn(message.item)) : [];
    await api.undo(id);
    change('thread', { error: '', approvals: [] });
    if (message && isOpen(id)) {
      document.querySelector('clew-composer').takeBack(textOf(message.item), files);
    }
    toast(say('undone'));
    loadInfo(id);
  } catch (e) {
    failed(e);
  }
}

const CALL_WAITS = 'a call waits for its output'; // as the server says it

export async function compact() {
  try {
    const report = await api.compact(state.thread.id);
    if (!report.compacted) {
      toast(say(report.reason === CALL_WAITS ? 'callWaits' : 'nothingToCompact'));
    }
  } catch (e) {
    failed(e);
  }
}

/** Agrees to a call that waits, or does not. */
export async function decide(callId, approve, more = {}) {
  const { id } = state.thread;
  const { approvals, decided } = state.thread;
  decided.set(callId, approve);
  toMessageBox(); // the buttons are about to go
  change('thread', { approvals: approvals.filter((one) => one.call_id !== callId) });
  const taken = await begin(id, () => api.decide(id, { ...more, call_id: callId, approve }));
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

/** Makes a temporary conversation one like the others. */
export async function keepIt() {
  toMessageBox(); // the button is about to go
  await wish({ temporary: false });
  listChanged();
}

/** Says whether an answer was good: 'up', 'down' and perhaps why, or null to take it back. */
export async function rate(position, rating, reason) {
  try {
    await api.rate(state.thread.id, position, { rating, reason });
  } catch (e) {
    failed(e);
  }
}
