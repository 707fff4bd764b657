import { html } from 'lit';
import './more.js';
import { notifies } from './activity.js';
import { removeAll } from './conversations.js';
import { PageElement } from './element.js';
import { chooseImport, exportAll } from './files.js';
import { choose as chooseNotified } from './notifications.js';
import { go } from './router.js';
import { state } from './store.js';
import { chooseTheme, theme } from './theme.js';
import { failed } from './toasts.js';
import { LANGUAGES, say, switchLanguage } from './words.js';

/** What somebody may set, and what they may do with everything that is theirs. */
class SettingsDialog extends PageElement {
  static follows = ['me'];

  render() {
    const close = () => this.querySelector('dialog').close();
    const then = (act) => () => {
      close();
      act();
    };
    const field = (label, now, choices, act) => html`<label
      >${label}
      <select @change=${(event) => act(event.target.value)}>
        ${Object.entries(choices).map(
          ([value, name]) => html`<option value=${value} ?selected=${value === now}>${name}</option>`,
        )}
      </select>
    </label>`;
    const themes = Object.fromEntries(['asSystem', 'light', 'dark'].map((one) => [one, say(one)]));
    return html`<dialog class="settings" aria-labelledby="settings">
      <h2 id="settings">${say('settings')}</h2>
      <section>
        <h3>${say('general')}</h3>
        ${field(say('appearance'), theme(), themes, chooseTheme)}
        ${field(say('language'), state.words.language, LANGUAGES, switchLanguage)}
        ${this.notified()}
      </section>
      <section>
        <h3>${say('personal')}</h3>
        <div class="several">
          <button @click=${then(managePrompts)}>${say('managePrompts')}</button>
          <button @click=${then(tellAll)}>${say('instructionsForAll')}</button>
        </div>
      </section>
      <section>
        <h3>${say('dataControls')}</h3>
        <div class="several">
          <button @click=${then(chooseImport)}>${say('importFile')}</button>
          <button @click=${then(() => exportAll().catch(failed))}>${say('exportAll')}</button>
          <button
            class="danger"
            @click=${then(() => removeAll().then((gone) => gone && go(null)))}
          >
            ${say('removeAll')}
          </button>
        </div>
      </section>
      <section>
        <h3>${say('account')}</h3>
        <p class="line">${say('signedInAs', { owner: state.me.owner || say('defaultOwner') })}</p>
      </section>
      <form method="dialog" class="choices"><button>${say('close')}</button></form>
    </dialog>`;
  }

  /** Whether somebody wants to be told what is due while they do not see the window. */
  notified() {
    const choose = async ({ target }) => {
      target.checked = await chooseNotified(target.checked);
    };
    return html`<label
      >${say('notify')}
      <input
        type="checkbox"
        ?disabled=${!('Notification' in window)}
        .checked=${notifies()}
        @change=${choose}
      />
    </label>`;
  }
}
const tellAll = () =>
  import('./instructions-dialog.js').then(({ askForAll }) => askForAll()).catch(failed);

const managePrompts = () =>
  import('./prompts.js').then(({ openPrompts }) => openPrompts()).catch(failed);

customElements.define('clew-settings', SettingsDialog);

export async function openSettings() {
  const settings = document.querySelector('clew-settings');
  await settings.updateComplete;
  settings.querySelector('dialog').showModal();
}
