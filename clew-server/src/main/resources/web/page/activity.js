// In which conversations a turn runs or waits for a person: in the list and in the title of the
// window. Who wants that is notified of it while nobody sees the window.

import { api } from './api.js';
import { change, follow, state } from './store.js';
import { isRunning } from './thread.js';
import { kept, say } from './words.js';

const PAUSE = { shown: 10_000, busy: 3_000, hidden: 5_000, waiting: 30_000 };

/** Whether somebody has chosen to be notified, and the browser still allows it. */
export const NOTIFY = 'clew.notify';
export const notifies = () =>
  kept(NOTIFY) === 'on' && globalThis.Notification?.permission === 'granted';

const mine = new Map(); // conversations with a turn that was seen here -> whether the server runs it
let base = document.title;
let ready = false; // an answer that nobody has seen yet
let timer;
let asked = 0; // only the newest answer counts

/** What a conversation is about to do: running, waiting for a person, or neither. */
export function turnOf(id) {
  const { thread, activity } = state;
  if (id !== thread.id || document.hidden) {
    return activity.turns.get(id); // a hidden window hears nothing else
  }
  return thread.approvals.length > 0 ? 'waiting' : isRunning() ? 'running' : undefined;
}

/** What the title of the window says, behind what is due. */
export function showTitle(text) {
  base = text;
  drawTitle();
}

function drawTitle() {
  const ids = [...state.activity.turns.keys(), state.thread.id];
  const due = ids.some((id) => id !== null && turnOf(id) === 'waiting')
    ? say('titleWaiting')
    : ready
      ? say('titleReady')
      : state.thread.id !== null && turnOf(state.thread.id) === 'running'
        ? say('titleRunning')
        : '';
  const title = due ? `${due} · ${base}` : base;
  if (document.title !== title) {
    document.title = title;
  }
}

/** Asks where turns run and wait. */
async function refresh() {
  clearTimeout(timer);
  const now = ++asked;
  const before = state.activity.turns;
  try {
    const { data } = await api.turns();
    if (now !== asked) {
      return;
    }
    const turns = new Map(data.map((one) => [one.session_id, one.state]));
    const same = turns.size === before.size && [...turns].every(([id, how]) => before.get(id) === how);
    if (!same) {
      change('activity', { turns });
    }
    tell(before, turns);
  } catch {
    // Shown as offline.
  }
  if (now !== asked) {
    return;
  }
  const busy = state.activity.turns.size + mine.size > 0;
  if (!document.hidden) {
    timer = setTimeout(refresh, busy ? PAUSE.busy : PAUSE.shown);
  } else if (busy || notifies()) {
    timer = setTimeout(refresh, busy ? PAUSE.hidden : PAUSE.waiting);
  }
}

/** What has become due since somebody looked: answers to what was asked here, and approvals. */
function tell(before, turns) {
  for (const [id, how] of turns) {
    if (document.hidden && how === 'waiting' && before.get(id) !== 'waiting') {
      notify('approval', id);
    }
  }
  for (const [id, runs] of mine) {
    if (turns.has(id)) {
      mine.set(id, true);
    } else if (runs || !(id === state.thread.id && isRunning())) {
      mine.delete(id);
      if (runs && document.hidden) {
        ready = true;
        drawTitle();
        notify('answer', id);
      }
    }
  }
}

async function notify(what, id) {
  if (notifies()) {
    const { show } = await import('./notifications.js');
    show(what, id);
  }
}

/** Keeps all of that up to date. */
export function keepActivityFresh() {
  const note = () => {
    const { id } = state.thread;
    if (isRunning() && id !== null) {
      mine.set(id, mine.get(id) || state.live.turn !== null);
    }
  };
  const heard = () => {
    if (!document.hidden) {
      note(); // a hidden window is not told when a turn ends
    }
    drawTitle();
  };
  ['thread', 'live', 'activity', 'words'].forEach((part) => follow(part, heard));
  document.addEventListener('visibilitychange', () => {
    note();
    ready &&= document.hidden;
    drawTitle();
    refresh();
  });
  new BroadcastChannel('clew').onmessage = refresh; // turns begin and end in every window
  refresh();
}
