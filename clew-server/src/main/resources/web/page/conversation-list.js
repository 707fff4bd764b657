import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { live } from 'lit/directives/live.js';
import { turnOf } from './activity.js';
import { conversationMenu } from './conversation-menu.js';
import {
  archive,
  changeAll,
  filterList,
  isSame,
  isUnread,
  remove,
  rename,
  titleOf,
} from './conversations.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { ListLayout } from './list-layout.js';
import { find, loadList, loadMore, nameOf } from './loaded.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { address } from './thread.js';
import { number, say } from './words.js';

const BEYOND = 400; // pixels drawn above and below what is seen

/** The conversations, of which only those are drawn that are in sight. */
class ConversationList extends PageElement {
  static follows = ['list', 'thread', 'live', 'activity'];

  constructor() {
    super();
    this.layout = new ListLayout();
    this.top = 0;
    this.seen = 800;
    this.shift = 0;
    this.away = false;
    this.slots = new Map(); // which element each row in sight is drawn in
  }

  firstUpdated() {
    this.scroller = this.querySelector('.list');
    this.scroller.addEventListener('scroll', () => this.look(), { passive: true });
    new ResizeObserver(() => this.look()).observe(this.scroller);
  }

  look() {
    const { scrollTop, clientHeight } = this.scroller;
    if (clientHeight === 0) {
      this.away = true; // a search is shown in its place
      return;
    }
    if (this.away) {
      this.away = false;
      this.scroller.scrollTop = this.top;
    } else {
      this.top = scrollTop;
    }
    this.seen = clientHeight;
    this.requestUpdate();
  }

  /** Lays the rows; what is looked at stays where it is, whatever has come or gone above it. */
  lay() {
    const { layout, top } = this;
    const before = top > 0 ? layout.between(top, top + this.seen).filter((row) => row.info) : [];
    if (!layout.lay() || before.length === 0) {
      return;
    }
    // Of several, because one of them may have moved to the top by itself.
    const shifts = [before[0], before[before.length >> 1], before.at(-1)]
      .map((row) => ({ row, index: layout.indexOf(row.key) }))
      .filter(({ index }) => index >= 0)
      .map(({ row, index }) => layout.row(index).y - row.y);
    this.shift = shifts.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
    this.top = Math.max(0, top + this.shift);
  }

  updated() {
    if (this.shift !== 0) {
      this.scroller.scrollTop += this.shift; // of where it is by now
      this.shift = 0;
    }
    const { loading, complete, failed } = state.list;
    const end = this.top + this.seen + 2 * BEYOND > this.layout.height;
    if (end && !loading && !complete && !failed && this.scroller) {
      loadMore();
    }
  }

  /** The conversations in the order in which they are shown. */
  get order() {
    return this.layout.infos.map((info) => info.session_id);
  }

  /** What is in sight, a little around it, and what has the focus, which would be lost otherwise. */
  rows() {
    const rows = this.layout.between(this.top - BEYOND, this.top + this.seen + BEYOND);
    const focused = this.querySelector('.row:focus-within')?.dataset.id;
    if (focused !== undefined && !rows.some((row) => row.key === focused)) {
      const index = this.layout.indexOf(focused);
      if (index >= 0) {
        const row = this.layout.row(index);
        rows.splice(row.y < this.top ? 0 : rows.length, 0, row);
      }
    }
    this.assign(rows);
    return rows;
  }

  /** Gives each row an element to be drawn in: its own, or that of a row that has left. */
  assign(rows) {
    const slots = new Map();
    const infos = rows.filter((row) => row.info);
    for (const { key } of infos) {
      if (this.slots.has(key)) {
        slots.set(key, this.slots.get(key));
      }
    }
    const taken = new Set(slots.values());
    let free = 0;
    for (const row of infos) {
      if (!slots.has(row.key)) {
        while (taken.has(free)) {
          free++;
        }
        slots.set(row.key, free++);
      }
      row.slot = slots.get(row.key);
    }
    this.slots = slots;
  }

  /** Up and down through the list, from the row that has the focus. */
  pressed(event) {
    const row = event.target.closest?.('.row');
    if (!row || event.target.tagName !== 'A' || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const here = this.layout.indexOf(row.dataset.id);
    const last = this.layout.infos.length - 1;
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    if (to === undefined) {
      return;
    }
    event.preventDefault();
    this.focusRow(Math.max(0, Math.min(to, last)));
  }

  async focusRow(index) {
    const { key, y, height } = this.layout.row(index);
    const above = index === 0 ? 0 : y;
    if (above < this.scroller.scrollTop) {
      this.scroller.scrollTop = above;
    } else if (y + height > this.scroller.scrollTop + this.scroller.clientHeight) {
      this.scroller.scrollTop = y + height - this.scroller.clientHeight;
    }
    this.look();
    await this.updateComplete;
    this.querySelector(`.row[data-id="${CSS.escape(key)}"] a`)?.focus({ preventScroll: true });
  }

  render() {
    this.lay();
    const { archived, tag, project, selecting } = state.list;
    return html`
      ${archived || tag || project
        ? html`<div class="filter">
            <span>${project ? nameOf(project) : archived ? say('archived') : say('tagged', { tag })}</span>
            <button class="quiet" @click=${() => filterList({})}>${say('everything')}</button>
          </div>`
        : ''}
      ${selecting ? this.bulk() : ''}
      <div class="list" tabindex="-1">
        <ul .style=${`height:${this.layout.height}px`} @keydown=${this.pressed}>
          ${repeat(this.rows(), (row) => row.slot ?? row.key, (row) => this.row(row))}
        </ul>
        ${this.remark()}
      </div>
    `;
  }

  row(row) {
    const place = `transform:translateY(${row.y}px);height:${row.height}px`;
    if (row.heading !== undefined) {
      return html`<li class="group" .style=${place}><h2>${row.heading}</h2></li>`;
    }
    const { info } = row;
    const id = info.session_id;
    const { renaming, selecting, selected } = state.list;
    const current = state.thread.id === id || isSame(info, state.thread.info);
    if (renaming?.id === id && !renaming.inThread) {
      return html`<li class="row renaming" data-id=${id} .style=${place}>${renameField(info)}</li>`;
    }
    const title = titleOf(info);
    return html`<li
      class="row ${current ? 'current' : ''}"
      data-id=${id}
      aria-posinset=${row.index + 1}
      aria-setsize=${state.list.complete ? this.layout.infos.length : -1}
      .style=${place}
    >
      ${selecting
        ? html`<input
            type="checkbox"
            aria-label=${say('selectThis', { title })}
            .checked=${live(selected.has(id))}
            @change=${() => this.toggle(id)}
          />`
        : ''}
      <a
        href=${`.${address(id)}`}
        aria-current=${current ? 'page' : 'false'}
        title=${title}
        @click=${(event) => this.clicked(event, id)}
        @dblclick=${() => change('list', { renaming: { id } })}
      >
        ${turnMark(turnOf(id)) || (isUnread(info) ? html`<span class="dot" role="img" aria-label=${say('unread')}></span>` : '')}
        <span class="title" dir="auto">${title}</span>
        ${info.family ? html`<span class="mark" title=${say('branch')}>${icons.branch}</span>` : ''}
        ${rowTags(info.tags)}
      </a>
      <button
        class="icon-button"
        aria-haspopup="menu"
        aria-label=${say('moreFor', { title })}
        @click=${(event) => conversationMenu(event.currentTarget, info, false)}
      >
        ${icons.more}
      </button>
    </li>`;
  }

  clicked(event, id) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) {
      return; // a new window
    }
    event.preventDefault();
    if (state.list.selecting) {
      this.toggle(id);
    } else if (event.detail < 2) {
      go(id);
    }
  }

  toggle(id) {
    const { selected } = state.list;
    if (!selected.delete(id)) {
      selected.add(id);
    }
    change('list', { all: false });
  }

  bulk() {
    const { selected, archived, all, complete } = state.list;
    const ids = [...selected];
    const end = () => {
      selected.clear();
      change('list', { selecting: false, all: false });
    };
    const act = (work) => async () => {
      if ((await work()) === false) {
        return;
      }
      if (all || ids.some((id) => state.thread.id === id || isSame(find(id), state.thread.info))) {
        go(null);
      }
      end();
    };
    return html`<div class="bulk" role="toolbar" aria-label=${say('select')}>
      <span aria-live="polite"
        >${all ? say('selectedAll') : say('selected', { count: number(ids.length) })}</span
      >
      <button
        class="quiet"
        @click=${() => change('list', { selected: new Set(this.order), all: !complete })}
      >
        ${say('selectAll')}
      </button>
      <button class="quiet" ?disabled=${ids.length === 0} @click=${act(() => (all ? changeAll({ archived: !archived }) : archive(ids, !archived)))}>
        ${say(archived ? 'unarchive' : 'archive')}
      </button>
      <button class="quiet danger" ?disabled=${ids.length === 0} @click=${act(() => (all ? changeAll(null) : remove(ids)))}>
        ${say('remove')}
      </button>
      <button class="quiet" @click=${end}>${say('done')}</button>
    </div>`;
  }

  remark() {
    const { loading, failed, complete, archived, tag, project } = state.list;
    if (failed) {
      return html`<p class="remark" role="alert">
        ${say('listFailed')}
        <button class="quiet" @click=${() => (this.layout.height > 0 ? loadMore() : loadList())}>
          ${say('retry')}
        </button>
      </p>`;
    }
    if (loading && this.layout.height === 0) {
      return html`<div class="bones" aria-label=${say('loading')} role="img">
        ${[80, 62, 74, 50, 68].map((width) => html`<i .style=${`width:${width}%`}></i>`)}
      </div>`;
    }
    if (complete && this.layout.height === 0) {
      const key = archived ? 'emptyArchive' : tag ? 'emptyTag' : project ? 'emptyProject' : 'emptyList';
      return html`<p class="remark">${say(key)}</p>`;
    }
    return '';
  }
}
customElements.define('clew-conversation-list', ConversationList);

/** That something goes on, or waits for a person. */
const turnMark = (how) =>
  how === 'waiting'
    ? html`<span class="due" role="img" aria-label=${say('toolWaiting')} title=${say('toolWaiting')}>!</span>`
    : how === 'running'
      ? html`<span class="spinner" role="img" aria-label=${say('running')} title=${say('running')}></span>`
      : '';

/** The first tag, and how many more there are: the title is what people look for. */
const rowTags = ([first, ...more]) =>
  first === undefined
    ? ''
    : html`<span class="tag">${first}</span>${more.length > 0
          ? html`<span class="more-tags" title=${more.join(', ')}>+${more.length}</span>`
          : ''}`;

/** A field in the place of a title. */
export function renameField(info) {
  let over = false;
  const end = (event, keepIt) => {
    if (over) {
      return;
    }
    over = true;
    const title = event.target.value;
    change('list', { renaming: null });
    if (keepIt && title.trim() && title !== info.title) {
      rename(info.session_id, title);
    }
  };
  const pressed = (event) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.isComposing) {
      end(event, true);
    } else if (event.key === 'Escape') {
      end(event, false);
    }
  };
  requestAnimationFrame(() => {
    const field = document.querySelector('input.rename');
    if (field && document.activeElement !== field) {
      field.focus();
      field.select();
    }
  });
  return html`<input
    class="rename"
    dir="auto"
    maxlength="500"
    aria-label=${say('rename')}
    .value=${info.title || titleOf(info)}
    @keydown=${pressed}
    @blur=${(event) => end(event, true)}
  />`;
}
