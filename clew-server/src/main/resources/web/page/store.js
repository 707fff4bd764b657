// The one state of the page. It has parts, and who follows a part is told when that part changes,
// so that a word that streams in does not draw the list of conversations again.

export const state = {
  me: { owner: '', scopes: [], model: '', models: [], offline: false, context_tokens: 0, known: false },
  list: {
    sessions: [], // newest first, as far as they are loaded
    pinned: [],
    cursor: null,
    complete: false,
    loading: false,
    failed: false,
    archived: false,
    tag: '',
    project: '', // id of the one whose conversations are listed
    selecting: false,
    selected: new Set(),
    all: false, // everything is selected, also what is not loaded
    hidden: new Set(), // deleted, but it can still be undone
    renaming: null,
  },
  library: { projects: [], prompts: [] },
  search: { text: '', titles: [], hits: [], more: false, all: false, busy: false, failed: false, partial: false, chosen: -1 },
  thread: emptyThread(null),
  live: emptyLive(),
  said: {}, // changes with each word of live.steps, which most need not know
  shell: { drawer: false, sidebar: true, help: false, finding: null, offline: false, ended: false, thoughts: null, toasts: [] },
  view: { name: null, id: null }, // shown instead of the thread: insight (of a conversation), admin
  insight: { days: 30, failed: false, session: null, report: null, usage: null },
  admin: { known: false, failed: false, tokens: [], owners: [], entries: [], made: null, others: null },
  activity: { turns: new Map() }, // id -> running or waiting, of conversations in which a turn does
  words: { language: 'en' },
};

export function emptyThread(id) {
  return {
    id, // null: a conversation that has not begun
    info: null,
    entries: [],
    version: 0,
    moreBefore: false,
    moreAfter: false,
    loading: false,
    failure: '', // why it could not be loaded
    gone: false, // because it does not exist
    error: '', // why the last turn failed
    refused: false, // before what was said was stored, so that it is in the message box again
    lost: '', // what was heard of an answer that its server did not store
    wishes: {}, // of a conversation that has not begun: {model, instructions, project, temporary}
    pending: null, // a turn that is on its way from here: {text, attachments} as long as they are not stored
    queue: [], // messages that wait for the running turn: {turn_id, message, waits}
    approvals: [],
    decided: new Map(), // id of a call -> whether it was approved here
    editing: null, // position of the message that is edited
    target: null, // position to show, from a search
    sought: '', // what was looked for there
    siblings: new Map(), // position -> ids of the branches that begin behind it
    opened: new Set(), // compactions whose archive is shown
    archive: [],
  };
}

export function emptyLive() {
  return { turn: null, steps: new Map(), stored: new Set(), heardBefore: '', begun: 0 };
}

const followers = new Map();

/** Calls back whenever a part changes; returns what ends that. */
export function follow(part, callback) {
  if (!followers.has(part)) {
    followers.set(part, new Set());
  }
  followers.get(part).add(callback);
  return () => followers.get(part).delete(callback);
}

/** Changes fields of a part. */
export function change(part, fields = {}) {
  Object.assign(state[part], fields);
  followers.get(part)?.forEach((callback) => callback());
}
