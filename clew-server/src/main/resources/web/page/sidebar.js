import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import './conversation-list.js';
import { api } from './api.js';
import { hasFiles } from './attachments.js';
import { filterList } from './conversations.js';
import { forgetDrafts } from './drafts.js';
import { PageElement } from './element.js';
import { focusMessage } from './focus.js';
import { icons } from './icons.js';
import { key, openPalette } from './keys.js';
import { openMenu } from './menu.js';
import { go, goToView } from './router.js';
import { search } from './search-results.js';
import { change, state } from './store.js';
import { failed } from './toasts.js';
import { say } from './words.js';

/** The conversations beside the one that is open: found, begun, looked after. */
class Sidebar extends PageElement {
  static follows = ['list', 'search', 'me', 'shell'];

  /** Files that are dropped here are imported. */
  firstUpdated() {
    const over = (is) => (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        this.dataset.drop = say('dropToImport');
        this.classList.toggle('dropping', is);
      }
    };
    this.addEventListener('dragover', over(true));
    this.addEventListener('dragleave', over(false));
    this.addEventListener('drop', over(false));
    this.addEventListener('drop', ({ dataTransfer: { files } }) => {
      if (files.length > 0) {
        import('./files.js').then(({ importFiles }) => importFiles(files)).catch(failed);
      }
    });
  }

  render() {
    const { text, chosen } = state.search;
    const searching = text.trim() !== '';
    return html`
      <header>
        <img src=${new URL('clew.svg', import.meta.url).pathname} alt="" width="26" height="26" />
        <strong>Clew</strong>
        <button class="icon-button" aria-label=${say('hideList')} title=${say('hideList')} @click=${hide}>
          ${icons.list}
        </button>
      </header>
      <button class="new" @click=${() => go(null).then(focusMessage)}>
        ${icons.add}<span>${say('newConversation')}</span>
      </button>
      <div class="search" role="search">
        ${icons.search}
        <input
          id="search"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          aria-label=${say('searchHint')}
          aria-controls="found"
          aria-expanded=${searching ? 'true' : 'false'}
          aria-activedescendant=${searching && chosen >= 0 ? `found-${chosen}` : ''}
          placeholder=${say('search')}
          .value=${live(text)}
          @input=${(event) => search(event.target.value)}
          @keydown=${this.pressed}
        />
        ${searching
          ? html`<button class="icon-button" aria-label=${say('clearSearch')} @click=${() => this.clear()}>
              ${icons.close}
            </button>`
          : html`<button class="keys" aria-label=${say('palette')} title=${say('palette')} @click=${openPalette}>
              <kbd>${key.mod}</kbd><kbd>K</kbd>
            </button>`}
      </div>
      <clew-search-results ?hidden=${!searching}></clew-search-results>
      <clew-projects ?hidden=${searching}></clew-projects>
      <clew-conversation-list ?hidden=${searching}></clew-conversation-list>
      <footer>
        <button
          class="quiet wide"
          aria-haspopup="menu"
          aria-label=${`${say('settings')}: ${state.me.owner || 'Clew'} ${state.me.model}`}
          @click=${(event) => openMenu(event.currentTarget, pageEntries())}
        >
          <span class="owner">${state.me.owner || 'Clew'}</span>
          <span class="model">${state.me.offline ? say('offlineName') : state.me.model}</span>
          ${icons.more}
        </button>
      </footer>
    `;
  }

  pressed(event) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.clear();
      return;
    }
    this.querySelector('clew-search-results').pressed(event);
  }

  clear() {
    search('');
    this.querySelector('#search').focus();
  }
}
customElements.define('clew-sidebar', Sidebar);

/** On a phone it is a drawer that closes; elsewhere it makes room. */
export async function hide() {
  const within = document.querySelector('clew-sidebar').contains(document.activeElement);
  change('shell', { drawer: false, sidebar: false });
  if (within) {
    await document.querySelector('clew-page').updateComplete;
    document.querySelector('main .show-list')?.focus();
  }
}

export async function show() {
  const outside = document.activeElement?.closest('.show-list');
  change('shell', { drawer: true, sidebar: true });
  if (outside) {
    await document.querySelector('clew-page').updateComplete;
    const first = document.querySelector('clew-sidebar .new');
    first.focus();
    if (document.activeElement !== first) {
      requestAnimationFrame(() => requestAnimationFrame(() => first.focus())); // a drawer that opens
    }
  }
}

function leave() {
  forgetDrafts();
  location.replace('/');
}

const adjust = () =>
  import('./settings-dialog.js').then(({ openSettings }) => openSettings()).catch(failed);

const newProject = () =>
  import('./projects.js').then((projects) => projects.newProject()).catch(failed);

/** Lists the tags, each of which leads to its conversations. */
const tagMenu = (anchor) =>
  import('./tags-dialog.js').then((tags) => tags.tagMenu(anchor)).catch(failed);

/** What can be done with everything, wherever one is. */
export function pageEntries() {
  const { selecting } = state.list;
  return [
    { label: `${say('settings')}…`, icon: icons.word, act: adjust },
    { label: say('select'), icon: icons.select, act: () => change('list', { selecting: !selecting }) },
    { label: `${say('newProject')}…`, icon: icons.folder, act: newProject },
    { label: say('allTags'), icon: icons.tag, act: () => tagMenu(document.activeElement) },
    { label: say('showArchived'), icon: icons.archive, act: () => filterList({ archived: true }) },
    { label: say('insight'), icon: icons.chart, act: () => goToView('insight') },
    ...(state.me.scopes.includes('admin')
      ? [{ label: say('administration'), icon: icons.shield, act: () => goToView('admin') }]
      : []),
    { line: true },
    { label: say('help'), icon: icons.key, act: () => change('shell', { help: true }) },
    {
      label: say('signOut'),
      icon: icons.leave,
      act: () => api.signOut().then(leave, failed),
    },
  ];
}
