// What happens to conversations as wholes: renamed, pinned, archived, deleted.

import { api } from './api.js';
import { forgetDraft } from './drafts.js';
import { find, listChanged, loadList, put, takeAway } from './loaded.js';
import { agree, ask } from './question.js';
import { change, state } from './store.js';
import { failed, toast } from './toasts.js';
import { kept, keep, say } from './words.js';

const UNDO_MILLIS = 6_000;

const list = state.list;

export const titleOf = (info) => info?.title || info?.preview || say('untitled');

/** Whether two are branches of one conversation, or the same. */
export const isSame = (one, other) =>
  Boolean(one && other) &&
  (one.session_id === other.session_id || (one.family !== undefined && one.family === other.family));

/** What the list shows of a conversation: of one with branches the current branch. */
export const listed = (info) =>
  info.older ? { archived: false, ...info, ...find(info.current), session_id: info.current } : info;

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

/** The tags in a text. */
export const tagsIn = (text) => [
  ...new Set(text.split(/[,，]/).map((tag) => tag.trim()).filter(Boolean)),
];

export const setTags = (id, text) => describe(id, { tags: tagsIn(text) });

const wasPinned = new Set(); // when it was archived, in case that is undone

/** Archives or brings back, with undo. */
export async function archive(ids, archived) {
  const infos = ids.map((id) => find(id) ?? state.thread.info);
  for (const id of ids) {
    const pinned = archived ? false : wasPinned.delete(id) || undefined;
    if (archived && find(id)?.pinned) {
      wasPinned.add(id);
    }
    if (!(await describe(id, { archived, pinned }))) {
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

const removals = new Set(); // ids

/** Asks, and deletes after a while in which it can be undone. Until then it is out of sight. */
export async function remove(ids) {
  const title = titleOf(find(ids[0]) ?? state.thread.info);
  const asked =
    ids.length === 1 ? say('removeAsk', { title }) : say('removeAskMany', { count: ids.length });
  if (!(await agree(asked, say('removeHint'), say('remove')))) {
    return false;
  }
  ids.forEach((id) => hide(id));
  change('list');
  ids.forEach((id) => removals.add(id));
  const text =
    ids.length === 1 ? say('removed', { title }) : say('removedMany', { count: ids.length });
  toast(text, {
    label: say('undo'),
    act: () => bringBack(ids),
    ended: () => removeNow(ids),
    millis: UNDO_MILLIS,
  });
  return true;
}

const familyOf = (id) => `family ${find(id)?.family ?? state.thread.info?.family}`;

function hide(id) {
  const branched = (find(id) ?? state.thread.info)?.family !== undefined;
  list.hidden.add(id);
  if (branched) {
    list.hidden.add(familyOf(id));
  }
}

function unhide(id) {
  list.hidden.delete(id);
  list.hidden.delete(familyOf(id));
}

/** Whether something found belongs to what is being deleted. */
export const isHidden = (found) =>
  list.hidden.has(found.session_id) || list.hidden.has(`family ${found.family}`);

function bringBack(ids) {
  ids.forEach((id) => {
    unhide(id);
    removals.delete(id);
  });
  change('list');
}

async function removeNow(ids) {
  for (const id of ids.filter((one) => removals.delete(one))) {
    try {
      await api.remove(id);
      forgetDraft(id);
    } catch (e) {
      unhide(id);
      failed(e);
    }
  }
  const gone = ids.filter((id) => list.hidden.has(id));
  ids.forEach(unhide);
  takeAway(gone);
  listChanged();
}

/** A temporary conversation ends when somebody goes elsewhere. */
export function end({ session_id: id }) {
  hide(id);
  removals.add(id);
  toast(say('temporaryEnded'), {
    label: say('undo'),
    act: () => {
      bringBack([id]);
      import('./router.js').then(({ go }) => go(id));
    },
    ended: () => removeNow([id]),
    millis: UNDO_MILLIS,
  });
}

/** Somebody has come back to a temporary conversation in time. */
export function resume(id) {
  if (removals.has(id)) {
    bringBack([id]);
  }
}

const REMOVING = 'clew.removing';

/** Whoever leaves the page does not want to undo any more. */
window.addEventListener('pagehide', () => {
  if (removals.size > 0) {
    const left = { ids: [...removals], hidden: [...list.hidden] };
    sessionStorage.setItem(REMOVING, JSON.stringify(left));
  }
  removals.forEach((id) => {
    api.remove(id, { keepalive: true }).catch(() => {});
    forgetDraft(id);
  });
  removals.clear();
});

/** After a reload the list may be older than that: what was being deleted is out of sight until it is. */
async function removeLeft({ ids, hidden }) {
  hidden.forEach((one) => list.hidden.add(one));
  try {
    await Promise.all(ids.map((id) => api.remove(id)));
  } catch (e) {
    failed(e);
  }
  sessionStorage.removeItem(REMOVING);
  await loadList();
  hidden.forEach((one) => list.hidden.delete(one));
  change('list');
}

const left = JSON.parse(sessionStorage.getItem(REMOVING) ?? 'null');
if (left) {
  removeLeft(left);
}

/** Archives or deletes everything that the list is about, loaded or not. */
export async function changeAll(fields) {
  const { archived, tag, project } = list;
  const where = { archived, tag: tag || undefined, project: project || undefined };
  if (fields === null) {
    return removeAll(where);
  }
  const asked = say(fields.archived ? 'archiveAllAsk' : 'unarchiveAllAsk');
  const word = say(fields.archived ? 'archive' : 'unarchive');
  if (!(await agree(asked, say('archiveAllHint'), word))) {
    return false;
  }
  try {
    const { changed } = await api.describeAll(where, fields);
    toast(say('archivedMany', { count: changed }));
    await loadList();
    listChanged();
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

/** Deletes every conversation, or those that the list is about, for whoever means it. */
export async function removeAll(where = {}) {
  const exactly = say('removeAllWord');
  const title = say('removeAllHint', { word: exactly });
  if ((await ask(title, '', { exactly, agree: say('removeAllNow') })) === null) {
    return false;
  }
  try {
    const { deleted } = await api.removeAll(where);
    await loadList();
    listChanged();
    toast(say('removedMany', { count: deleted }));
    return true;
  } catch (e) {
    failed(e);
    return false;
  }
}

/** Shows the archive, a tag, or everything. */
export function filterList(fields) {
  const before = list.project;
  change('list', { archived: false, tag: '', project: '', selecting: false, all: false, ...fields });
  list.selected.clear();
  if (state.thread.id === null && list.project !== before) {
    const { wishes } = state.thread; // what begins now belongs to what is shown
    change('thread', { wishes: { ...wishes, project: list.project || undefined } });
  }
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
