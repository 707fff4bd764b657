// Where the rows of the list of conversations stand. It is worked out from a few numbers: of a list
// of 100,000 there are as many objects as there are headings, and those of the rows in sight.

import { dayGroups } from './dates.js';
import { state } from './store.js';
import { say } from './words.js';

const ROW = 38;
const HEAD = 36;

/** Whether a list is another one, perhaps with more behind it. */
const begins = (list, before) =>
  list === before || (list.length >= before.length && before.every((one, i) => one === list[i]));

export class ListLayout {
  infos = []; // the conversations in the order in which they are shown
  groups = []; // {heading, first, y}: from the first of infos on, until the next one
  height = 0;
  #laid = null;
  #above = new Set();
  #groupOf = null;

  /**
   * Follows the list. Of one that has grown at its end only the end is laid, and of one that has
   * not changed nothing. Returns whether rows may have moved.
   */
  lay() {
    const { sessions, pinned, hidden, archived, tag } = state.list;
    const now = new Date();
    const others = [...hidden, archived, tag, now.toDateString(), state.words.language].join();
    const laid = this.#laid;
    const same = laid && laid.pinned === pinned && laid.others === others;
    const known = same && begins(sessions, laid.sessions) ? laid.sessions.length : 0;
    if (known > 0 && known === sessions.length) {
      laid.sessions = sessions;
      return false;
    }
    if (known === 0) {
      this.infos = [];
      this.groups = [];
      this.height = 0;
      this.#groupOf = dayGroups(now);
      const top = archived || tag ? [] : pinned.filter((info) => !hidden.has(info.session_id));
      top.forEach((info) => this.#add(say('pinned'), info));
      this.#above = new Set(top.map((info) => info.session_id));
    }
    for (let i = known; i < sessions.length; i++) {
      const info = sessions[i];
      if (!hidden.has(info.session_id) && !this.#above.has(info.session_id)) {
        this.#add(this.#groupOf(info.updated_at), info);
      }
    }
    this.#laid = { sessions, pinned, others };
    return known === 0;
  }

  #add(heading, info) {
    if (heading !== this.groups.at(-1)?.heading) {
      this.groups.push({ heading, first: this.infos.length, y: this.height });
      this.height += HEAD;
    }
    this.infos.push(info);
    this.height += ROW;
  }

  /** Which group is at a height, or begins with or before a conversation. */
  #group(isBehind) {
    let low = 0;
    let high = this.groups.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (isBehind(this.groups[middle])) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** Headings and conversations between two heights. */
  between(from, to) {
    const rows = [];
    for (let g = this.#group((group) => group.y > from); g < this.groups.length; g++) {
      const { heading, first, y } = this.groups[g];
      if (y >= to) {
        break;
      }
      if (y + HEAD > from) {
        rows.push({ key: `group ${g} ${heading}`, heading, y, height: HEAD });
      }
      const end = this.groups[g + 1]?.first ?? this.infos.length;
      const start = Math.max(0, Math.floor((from - y - HEAD) / ROW));
      for (let i = first + start; i < end && y + HEAD + (i - first) * ROW < to; i++) {
        rows.push(this.row(i));
      }
    }
    return rows;
  }

  /** The row of a conversation by its number in the list. */
  row(index) {
    const { first, y } = this.groups[this.#group((group) => group.first > index)];
    const info = this.infos[index];
    return { key: info.session_id, info, index, y: y + HEAD + (index - first) * ROW, height: ROW };
  }

  indexOf(id) {
    return this.infos.findIndex((info) => info.session_id === id);
  }
}
