import { html } from 'lit';
import './composer.js';
import './menu.js';
import './question.js';
import './sidebar.js';
import './thread-head.js';
import './thread-view.js';
import './toasts.js';
import './welcome.js';
import { hasFiles } from './attachments.js';
import { PageElement } from './element.js';
import { focusMessage, keepFocus } from './focus.js';
import { icons } from './icons.js';
import { change, state } from './store.js';
import { say } from './words.js';

/** The whole page: conversations on one side, the one that is open on the other. */
class Page extends PageElement {
  static follows = ['shell', 'view', 'me'];

  firstUpdated() {
    keepFocus(this);
    window.addEventListener('dragover', notHere);
    window.addEventListener('drop', notHere);
  }

  render() {
    const { drawer, sidebar, offline, ended, help, finding } = state.shell;
    if (help) {
      import('./help-overlay.js');
    }
    const { name } = state.view;
    return html`
      <a
        class="skip"
        href="#message"
        @click=${(event) => {
          event.preventDefault();
          focusMessage();
        }}
        >${say('skip')}</a
      >
      <div class="shell ${drawer ? 'drawer' : ''} ${sidebar ? '' : 'alone'}">
        <nav aria-label=${say('conversations')}><clew-sidebar></clew-sidebar></nav>
        <div class="scrim" @click=${() => change('shell', { drawer: false })}></div>
        <main ?inert=${drawer && innerWidth <= 760}>
          <clew-thread-head ?hidden=${name !== null}></clew-thread-head>
          ${offline && !ended
            ? html`<p class="offline" role="status">${say(state.me.known ? 'offline' : 'offlineFromStart')}</p>`
            : ''}
          ${ended
            ? html`<p class="offline ended" role="alert">
                ${say('signedOut')}
                <button @click=${() => location.reload()}>${say('signInAgain')}</button>
              </p>`
            : ''}
          <div class="find" role="search" aria-label=${say('findIn')} ?hidden=${finding === null || name !== null}>
            ${icons.search}
            <input
              type="text"
              autocomplete="off"
              spellcheck="false"
              maxlength="500"
              aria-label=${say('findIn')}
              placeholder=${say('findIn')}
            />
            <clew-find></clew-find>
          </div>
          <clew-thread ?hidden=${name !== null}></clew-thread>
          <clew-composer ?hidden=${name !== null}></clew-composer>
          ${name === 'insight' ? html`<clew-insight></clew-insight>` : ''}
          ${name === 'admin' ? html`<clew-admin></clew-admin>` : ''}
        </main>
      </div>
      <div class="above" role="region" aria-label=${say('more')}>
        <dialog class="palette" aria-label=${say('palette')}>
          <input
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck="false"
            maxlength="500"
            aria-label=${say('palette')}
            aria-controls="palette-found"
            aria-expanded="false"
            placeholder=${say('paletteHint')}
          />
          <clew-palette></clew-palette>
        </dialog>
        <clew-menu></clew-menu>
        <clew-question></clew-question>
        <clew-prompts></clew-prompts>
        <clew-form></clew-form>
        <clew-tags></clew-tags>
        <clew-settings></clew-settings>
        <clew-share></clew-share>
        <clew-help></clew-help>
        <clew-toasts></clew-toasts>
      </div>
    `;
  }
}
customElements.define('clew-page', Page);

/** A file that nobody takes must not be opened in the place of the page. */
function notHere(event) {
  if (hasFiles(event) && !event.defaultPrevented) {
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  }
}
