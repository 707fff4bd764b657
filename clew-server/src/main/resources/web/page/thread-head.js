import { html, nothing } from 'lit';
import { showTitle } from './activity.js';
import { askInstructions, conversationMenu } from './conversation-menu.js';
import { renameField } from './conversation-list.js';
import { filterList, titleOf } from './conversations.js';
import { PageElement } from './element.js';
import { focusMessage } from './focus.js';
import { icons } from './icons.js';
import { contextUsed } from './items.js';
import { find } from './loaded.js';
import { projectOf } from './models.js';
import { go } from './router.js';
import { show } from './sidebar.js';
import { change, state } from './store.js';
import { locale, number, say } from './words.js';

const NOTEWORTHY = 0.5; // of the window; less is nobody's concern

/** Above the conversation: its title, how full the model's window is, what can be done. */
class ThreadHead extends PageElement {
  static follows = ['thread', 'list', 'me', 'shell', 'view', 'activity', 'library'];

  render() {
    const { info, id } = state.thread;
    const due = [...state.activity.turns].some(([one, how]) => how === 'waiting' && one !== id);
    const shown = info && { preview: find(id)?.preview, ...info };
    if (state.view.name === null) {
      showTitle(shown ? `${titleOf(shown)} · Clew` : 'Clew');
    }
    return html`
      <button
        class="icon-button show-list"
        aria-label=${say('showList')}
        aria-description=${due ? say('toolWaiting') : nothing}
        aria-expanded=${state.shell.sidebar && (state.shell.drawer || innerWidth > 760) ? 'true' : 'false'}
        title=${say('showList')}
        @click=${show}
      >
        ${icons.list}${due ? html`<span class="dot"></span>` : ''}
      </button>
      <div class="what">${shown ? this.title(shown) : ''}</div>
      ${shown ? this.gauge() : ''}
      ${shown
        ? html`<button
            class="icon-button"
            aria-haspopup="menu"
            aria-label=${say('more')}
            title=${say('more')}
            @click=${(event) => conversationMenu(event.currentTarget, shown, true)}
          >
            ${icons.more}
          </button>`
        : ''}
      <button
        class="icon-button new-here"
        aria-label=${say('newConversation')}
        title=${say('newConversation')}
        @click=${() => go(null).then(focusMessage)}
      >
        ${icons.add}
      </button>
    `;
  }

  title(info) {
    const { renaming } = state.list;
    if (renaming?.id === info.session_id && renaming.inThread) {
      return renameField(info);
    }
    const begin = () => change('list', { renaming: { id: info.session_id, inThread: true } });
    const project = projectOf();
    return html`<h1 dir="auto" title=${titleOf(info)} @dblclick=${begin}>${titleOf(info)}</h1>
      ${project
        ? html`<button class="tag" @click=${() => filterList({ project: project.project_id })}>
            ${icons.folder}${project.name}
          </button>`
        : ''}
      ${info.tags.map(
        (tag) => html`<button class="tag" @click=${() => filterList({ tag })}>${tag}</button>`,
      )}
      ${info.instructions
        ? html`<button
            class="icon-button"
            aria-label=${say('instructionsSet')}
            title=${info.instructions}
            @click=${askInstructions}
          >
            ${icons.told}
          </button>`
        : ''}`;
  }

  gauge() {
    const used = contextUsed(state.thread.entries);
    const all = state.me.context_tokens;
    if (!used || !all) {
      return '';
    }
    const share = Math.min(1, used / all);
    if (share < NOTEWORTHY) {
      return '';
    }
    const format = { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 };
    const percent = new Intl.NumberFormat(locale(), format).format(share);
    const label = say('contextUsed', { percent, used: number(used), all: number(all) });
    const round = 2 * Math.PI * 8;
    return html`<span class="gauge ${share > 0.8 ? 'full' : ''}" role="img" aria-label=${label} title=${label}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <circle
          cx="10"
          cy="10"
          r="8"
          class="used"
          stroke-dasharray="${Math.max(1, share * round)} ${round}"
          transform="rotate(-90 10 10)"
        />
      </svg>
      <span>${percent}</span>
    </span>`;
  }
}
customElements.define('clew-thread-head', ThreadHead);
