// What the server tells about the conversation that is open.

import { Refusal } from './api.js';
import { textOf } from './items.js';
import { refreshList } from './loaded.js';
import { reasonOf } from './problems.js';
import { change, emptyLive, state } from './store.js';
import { ended, isRunning, loadApprovals, loadInfo, loadQueue, MOST_ENTRIES, open } from './thread.js';
import { say } from './words.js';

const KEPT_ENTRIES = 150;
const APPROVAL_MILLIS = 400; // after which a call that was stored waits, if it has to

/** By the name of the event. */
export const heard = {
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
    let { pending } = thread;
    const said = pending?.text;
    if (said !== undefined && news.some(({ item }) => item.role === 'user' && textOf(item) === said)) {
      pending.stored?.();
      pending = {}; // the turn is still on its way
    }
    const answered = new Set(news.map(({ item }) => item.type === 'function_call_output' && item.call_id));
    const approvals = thread.approvals.filter((one) => !answered.has(one.call_id));
    change('thread', { version, entries, moreBefore, pending, approvals });
    dropStored();
    if (news.some((entry) => entry.item.type === 'function_call')) {
      setTimeout(loadApprovals, APPROVAL_MILLIS, thread.id);
    }
    if (!isRunning()) {
      loadInfo(thread.id); // whoever sees it need not be told that it is new
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
    loadInfo(state.thread.id); // whoever sees it, or rates it, need not be told that it is new
  },

  replaced({ version, up_to: upTo, entries }) {
    change('thread', {
      version,
      entries: entries.concat(state.thread.entries.filter((entry) => entry.position > upTo)),
      moreBefore: false,
      opened: new Set(),
      archive: [],
    });
    loadInfo(state.thread.id);
  },

  described() {
    loadInfo(state.thread.id).then(refreshList);
  },

  cleared({ version }) {
    change('thread', { version, entries: [], moreBefore: false, moreAfter: false, approvals: [] });
    loadInfo(state.thread.id).then((info) => {
      if (info === null) {
        heard.gone();
      }
    });
  },

  gone() {
    change('thread', { failure: say('threadGone'), gone: true });
  },

  reload() {
    open(state.thread.id);
  },

  turn({ turn_id: turn, state: how }) {
    if (how === 'running') {
      const heardBefore = turn === state.live.turn ? saidSoFar() : ''; // comes again, if its server lives
      state.live = emptyLive();
      change('live', { turn, heardBefore, begun: Date.now() });
      change('thread', { error: '', lost: '' });
      if (state.thread.queue.length > 0) {
        loadQueue(state.thread.id);
      }
      return;
    }
    const { id, error } = state.thread;
    if (how === 'failed' && !error) {
      // Nobody said why: its server is gone, and with it what was not stored.
      change('thread', { error: say('serverGone'), lost: saidSoFar() });
    }
    change('live', emptyLive());
    change('thread', { pending: null });
    if (how === 'waiting') {
      loadApprovals(id);
    } else {
      change('thread', { approvals: [], decided: new Map() });
    }
    ended(id);
    if (state.thread.queue.length > 0) {
      loadQueue(id);
    }
  },

  queued() {
    loadQueue(state.thread.id);
  },

  withdrawn() {
    loadQueue(state.thread.id);
  },

  delta({ step, text = '', reasoning = '' }) {
    const live = state.live;
    if (live.stored.has(step)) {
      return;
    }
    const before = live.steps.get(step) ?? { text: '', reasoning: '' };
    live.steps.set(step, { text: before.text + text, reasoning: before.reasoning + reasoning });
    change('said');
  },

  step({ step }) {
    state.live.heardBefore = '';
    state.live.stored.add(step);
    dropStored();
  },

  approval({ call_id, tool, arguments: given }) {
    const others = state.thread.approvals.filter((one) => one.call_id !== call_id);
    change('thread', { approvals: [...others, { call_id, tool, arguments: given }] });
  },

  error({ error }) {
    change('thread', { error: reasonOf(new Refusal(0, error)), pending: null });
  },
};

/** What is being said, as far as it was heard; after a broken connection it is told from its beginning. */
export function saidSoFar() {
  const { steps, heardBefore } = state.live;
  const inOrder = [...steps.entries()].sort(([one], [other]) => one - other);
  const said = inOrder.map(([, step]) => step.text).join('\n\n');
  return heardBefore.startsWith(said) ? heardBefore : said;
}

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
