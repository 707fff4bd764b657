import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { live } from 'lit/directives/live.js';
import { conversationMenu } from './conversation-menu.js';
import {
  archive,
  filterList,
  isBranch,
  isUnread,
  loadList,
  loadMore,
  remove,
  rename,
  tagsOf,
  titleOf,
} from './conversations.js';
import { dayGroup } from './dates.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { address } from './thread.js';
import { number, say } from './words.js';

const ROW = 38;
const HEAD = 36;
const BEYOND = 400; // pixels drawn above and below what is seen

/** Whether a list is another one, perhaps with more behind it. */
const begins = (list, before) =>
  list === before || (list.length >= before.length && before.every((one, i) => one === list[i]));

/** The conversations, of which only those are drawn that are in sight. */
class ConversationList extends PageElement {
  static follows = ['list', 'thread'];

  constructor() {
    super();
    this.rows = [];
    this.top = 0;
    this.seen = 800;
  }

  firstUpdated() {
    this.scroller = this.querySelector('.list');
    this.scroller.addEventListener('scroll', () => this.look(), { passive: true });
    new ResizeObserver(() => this.look()).observe(this.scroller);
  }

  look() {
    this.top = this.scroller.scrollTop;
    this.seen = this.scroller.clientHeight;
    this.requestUpdate();
  }

  updated() {
    const { loading, complete, failed } = state.list;
    const end = this.top + this.seen + 2 * BEYOND > this.height;
    if (end && !loading && !complete && !failed && this.scroller) {
      loadMore();
    }
  }

  /**
   * Where everything stands: headings and conversations, one below the other. Of a list that has
   * grown at its end only the end is laid, and of one that has not changed nothing.
   */
  lay() {
    const { sessions, pinned, hidden, archived, tag } = state.list;
    const now = new Date();
    const others = [...hidden, archived, tag, now.toDateString(), state.words.language].join();
    const { laid } = this;
    const same = laid && laid.pinned === pinned && laid.others === others;
    const known = same && begins(sessions, laid.sessions) ? laid.sessions.length : 0;
    if (known > 0 && known === sessions.length) {
      return;
    }
    if (known === 0) {
      this.rows = [];
      this.height = 0;
      this.group = null;
      const top = archived || tag ? [] : pinned.filter((info) => !hidden.has(info.session_id));
      top.forEach((info) => this.put(say('pinned'), info));
      this.above = new Set(top.map((info) => info.session_id));
    }
    for (const info of sessions.slice(known)) {
      if (!hidden.has(info.session_id) && !this.above.has(info.session_id)) {
        this.put(dayGroup(info.updated_at, now), info);
      }
    }
    this.laid = { sessions, pinned, others };
  }

  put(heading, info) {
    const add = (height, row) => {
      this.rows.push({ ...row, y: this.height, height });
      this.height += height;
    };
    if (heading !== this.group) {
      this.group = heading;
      add(HEAD, { key: `group ${heading}`, heading });
    }
    add(ROW, { key: info.session_id, info });
  }

  /** The conversations in the order in which they are shown. */
  get order() {
    return this.rows.filter((row) => row.info).map((row) => row.info.session_id);
  }

  inSight() {
    const from = this.top - BEYOND;
    const to = this.top + this.seen + BEYOND;
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].y + this.rows[middle].height < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    let end = low;
    while (end < this.rows.length && this.rows[end].y < to) {
      end++;
    }
    return this.rows.slice(low, end);
  }

  render() {
    this.lay();
    const { archived, tag, selecting } = state.list;
    return html`
      ${archived || tag
        ? html`<div class="filter">
            <span>${archived ? say('archived') : say('tagged', { tag })}</span>
            <button class="quiet" @click=${() => filterList({})}>${say('everything')}</button>
          </div>`
        : ''}
      ${selecting ? this.bulk() : ''}
      <div class="list" tabindex="-1">
        <ul .style=${`height:${this.height}px`}>
          ${repeat(this.inSight(), (row) => row.key, (row) => this.row(row))}
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
    const current = state.thread.id === id;
    if (renaming?.id === id && !renaming.inThread) {
      return html`<li class="row renaming" .style=${place}>${renameField(info)}</li>`;
    }
    const title = titleOf(info);
    return html`<li class="row ${current ? 'current' : ''}" .style=${place}>
      ${selecting
        ? html`<input
            type="checkbox"
            aria-label=${say('selectThis', { title })}
            .checked=${live(selected.has(id))}
            @change=${() => this.toggle(id)}
          />`
        : ''}
      <a
        href=${address(id)}
        aria-current=${current ? 'page' : 'false'}
        title=${title}
        @click=${(event) => this.clicked(event, id)}
        @dblclick=${() => change('list', { renaming: { id } })}
      >
        ${isUnread(info) ? html`<span class="dot" role="img" aria-label=${say('unread')}></span>` : ''}
        <span class="title">${title}</span>
        ${isBranch(info) ? html`<span class="mark" title=${say('branch')}>${icons.branch}</span>` : ''}
        ${tagsOf(info).map((tag) => html`<span class="tag">${tag}</span>`)}
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
    change('list');
  }

  bulk() {
    const { selected, archived } = state.list;
    const ids = [...selected];
    const end = () => {
      selected.clear();
      change('list', { selecting: false });
    };
    const act = (work) => () => {
      if (ids.includes(state.thread.id)) {
        go(null);
      }
      work();
      end();
    };
    return html`<div class="bulk" role="toolbar" aria-label=${say('select')}>
      <span aria-live="polite">${say('selected', { count: number(ids.length) })}</span>
      <button class="quiet" @click=${() => change('list', { selected: new Set(this.order) })}>
        ${say('selectAll')}
      </button>
      <button class="quiet" ?disabled=${ids.length === 0} @click=${act(() => archive(ids, !archived))}>
        ${say(archived ? 'unarchive' : 'archive')}
      </button>
      <button class="quiet danger" ?disabled=${ids.length === 0} @click=${act(() => remove(ids))}>
        ${say('remove')}
      </button>
      <button class="quiet" @click=${end}>${say('done')}</button>
    </div>`;
  }

  remark() {
    const { loading, failed, complete, archived, tag } = state.list;
    if (failed) {
      return html`<p class="remark" role="alert">
        ${say('listFailed')}
        <button class="quiet" @click=${() => (this.rows.length ? loadMore() : loadList())}>
          ${say('retry')}
        </button>
      </p>`;
    }
    if (loading && this.rows.length === 0) {
      return html`<div class="bones" aria-label=${say('loading')} role="img">
        ${[80, 62, 74, 50, 68].map((width) => html`<i .style=${`width:${width}%`}></i>`)}
      </div>`;
    }
    if (complete && this.rows.length === 0) {
      const key = archived ? 'emptyArchive' : tag ? 'emptyTag' : 'emptyList';
      return html`<p class="remark">${say(key)}</p>`;
    }
    return '';
  }
}
customElements.define('clew-conversation-list', ConversationList);

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
    maxlength="500"
    aria-label=${say('rename')}
    .value=${info.title || titleOf(info)}
    @keydown=${pressed}
    @blur=${(event) => end(event, true)}
  />`;
}
