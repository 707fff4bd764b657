import { html } from 'lit';
import { askInstructions, projectMenu } from './conversation-menu.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { titleOf } from './conversations.js';
import { projectOf } from './models.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { address } from './thread.js';
import { send } from './thread-actions.js';
import { keep, kept, say } from './words.js';

const HINT = 'clew.hint';
const RECENT = 3;

/** Where a conversation begins. */
class Welcome extends PageElement {
  static follows = ['list', 'me', 'thread', 'library'];

  render() {
    const { offline, known } = state.me;
    const { wishes } = state.thread;
    return html`<section class="welcome">
      <h1>${say('welcome')}</h1>
      <p>${say('welcomeHint')}</p>
      ${this.recent()}
      ${known && offline
        ? html`<div class="tries">
              ${['tryOne', 'tryTwo', 'tryThree'].map(
                (key) => html`<button @click=${() => send(say(key))}>${say(key)}</button>`,
              )}
            </div>
            ${kept(HINT) ? '' : this.hint()}`
        : ''}
      ${wishes.temporary ? html`<p class="told-so">${say('temporaryHint')}</p>` : ''}
      <div class="wishes">
        <button class="quiet told" @click=${askInstructions}>
          ${icons.told} ${say(wishes.instructions || wishes.model_settings ? 'instructionsSet' : 'instructions')}
        </button>
        ${state.library.projects.length > 0
          ? html`<button
              class="quiet"
              aria-haspopup="menu"
              @click=${(event) => projectMenu(null, event.currentTarget)}
            >
              ${icons.folder} <span dir="auto">${projectOf()?.name ?? say('project')}</span>
            </button>`
          : ''}
        <button
          class="quiet"
          aria-pressed=${wishes.temporary ? 'true' : 'false'}
          @click=${() =>
            change('thread', { wishes: { ...wishes, temporary: wishes.temporary ? undefined : true } })}
        >
          ${icons.passing} ${say('temporary')}
        </button>
      </div>
    </section>`;
  }

  recent() {
    const { sessions, hidden, archived, tag } = state.list;
    const last = archived || tag ? [] : sessions.filter((one) => !hidden.has(one.session_id));
    return last.length === 0
      ? ''
      : html`<ul class="recent" aria-label=${say('recent')}>
          ${last
            .slice(0, RECENT)
            .map(
              (info) => html`<li>
                <a href=${`.${address(info.session_id)}`} dir="auto" @click=${(event) => {
                  if (!event.ctrlKey && !event.metaKey) {
                    event.preventDefault();
                    go(info.session_id);
                  }
                }}>${titleOf(info)}</a>
              </li>`,
            )}
        </ul>`;
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
