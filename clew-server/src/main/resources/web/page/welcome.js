import { html } from 'lit';
import { askInstructions } from './conversation-menu.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { change, state } from './store.js';
import { send } from './thread-actions.js';
import { keep, kept, say } from './words.js';

const HINT = 'clew.hint';

/** Where a conversation begins. */
class Welcome extends PageElement {
  static follows = ['me', 'thread'];

  render() {
    const { offline, known } = state.me;
    return html`<section class="welcome">
      <h1>${say('welcome')}</h1>
      <p>${say('welcomeHint')}</p>
      ${known && offline
        ? html`<div class="tries">
              ${['tryOne', 'tryTwo', 'tryThree'].map(
                (key) => html`<button @click=${() => send(say(key))}>${say(key)}</button>`,
              )}
            </div>
            ${kept(HINT) ? '' : this.hint()}`
        : ''}
      <button class="quiet told" @click=${askInstructions}>
        ${icons.told} ${say(state.thread.wishes.instructions ? 'instructionsSet' : 'instructions')}
      </button>
    </section>`;
  }

  hint() {
    return html`<aside class="hint" aria-label=${say('offlineModelTitle')}>
      <strong>${say('offlineModelTitle')}</strong>
      <p>${say('offlineModel')} <code>clew serve --model chat:NAME</code></p>
      <p>${say('offlineModelBase')}</p>
      <button
        class="quiet"
        @click=${() => {
          keep(HINT, 'seen');
          change('me');
        }}
      >
        ${say('understood')}
      </button>
    </aside>`;
  }
}
customElements.define('clew-welcome', Welcome);
