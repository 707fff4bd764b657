// Branches: sessions that were forked from each other at the same place.
//
// What holds them together is a tag that all of them have, "branch:" and an id. The metadata of
// each says where in it that place is: {"branches": {"<id>": position of the last item before it}}.

import { api } from './api.js';

const TAG = 'branch:';

/** Makes a branch that goes on in place of the entry at a position. */
export async function branchAt(info, position, entries) {
  const marks = info.metadata.branches ?? {};
  const here = (after) => entries.find((entry) => entry.position > after)?.position === position;
  const known = Object.keys(marks).find((id) => here(marks[id]));
  const point = known ?? Math.random().toString(36).slice(2, 10);
  const copy = await api.fork(info.session_id, { at: position - 1 });
  const [{ data }] = await Promise.all([
    api.items(copy.session_id, { limit: 1 }),
    known ? null : mark(info, point, position - 1),
  ]);
  const last = data.at(-1)?.position ?? -1;
  return mark({ ...info, session_id: copy.session_id, metadata: {}, tags: visible(info) }, point, last, {
    title: info.title,
    pinned: info.pinned,
  });
}

const visible = (info) => info.tags.filter((tag) => !tag.startsWith(TAG));

function mark(info, point, after, more = {}) {
  return api.describe(info.session_id, {
    ...more,
    tags: [...info.tags, TAG + point],
    metadata: { ...info.metadata, branches: { ...info.metadata.branches, [point]: after } },
  });
}

/** The branches at each place: position of the last item before it -> ids, the oldest first. */
export async function findSiblings(info) {
  const found = new Map();
  for (const [point, after] of Object.entries(info.metadata.branches ?? {})) {
    const page = await api.sessions({ tag: TAG + point, order: 'created', limit: 100 });
    if (page.data.length > 1) {
      found.set(after, page.data.map((one) => one.session_id).reverse());
    }
  }
  return found;
}
