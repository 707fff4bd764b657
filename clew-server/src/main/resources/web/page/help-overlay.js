import { html } from 'lit';
import './more.js';
import { PageElement } from './element.js';
import { key } from './keys.js';
import { change, state } from './store.js';
import { say } from './words.js';

const KEYS = () => [
  [[key.mod, 'K'], 'keyPalette'],
  [[key.mod, key.shift, 'F'], 'keyFind'],
  [[key.mod, key.shift, 'O'], 'keyNew'],
  [[key.alt, '↓'], 'keyNext'],
  [[key.alt, '↑'], 'keyPrevious'],
  [[key.mod, key.shift, 'S'], 'keySidebar'],
  [[key.mod, key.shift, '⌫'], 'keyDelete'],
  [[key.shift, 'Esc'], 'keyFocus'],
  [['Enter'], 'keySend'],
  [[key.shift, 'Enter'], 'keyLine'],
  [['↑'], 'keyEdit'],
  [['Esc'], 'keyStop'],
  [[key.mod, key.shift, 'C'], 'keyCopy'],
  [[key.mod, key.shift, ';'], 'keyCopyCode'],
  [[key.mod, key.alt, 'Enter'], 'keyApprove'],
  [[key.mod, key.alt, '⌫'], 'keyDeny'],
  [[key.mod, '/'], 'keyHelp'],
];

/** The overview of all keys. */
class HelpOverlay extends PageElement {
  static follows = ['shell'];

  updated() {
    const dialog = this.querySelector('dialog');
    if (state.shell.help && !dialog.open) {
      dialog.showModal();
    } else if (!state.shell.help && dialog.open) {
      dialog.close();
    }
  }

  render() {
    return html`<dialog class="help" aria-labelledby="help" @close=${() => change('shell', { help: false })}>
      <h2 id="help">${say('help')}</h2>
      <dl>
        ${KEYS().map(
          ([keys, what]) =>
            html`<div>
              <dt>${keys.map((one) => html`<kbd>${one}</kbd>`)}</dt>
              <dd>${say(what)}</dd>
            </div>`,
        )}
      </dl>
      <form method="dialog"><button autofocus>${say('close')}</button></form>
    </dialog>`;
  }
}
customElements.define('clew-help', HelpOverlay);
