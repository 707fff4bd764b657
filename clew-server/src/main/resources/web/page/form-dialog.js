import { html } from 'lit';
import './library-style.js';
import { PageElement } from './element.js';
import { state } from './store.js';
import { forgetUnsaved, keepUnsaved, unsaved } from './unsaved.js';
import { say } from './words.js';

/** Asks for several things at once. */
class FormDialog extends PageElement {
  static properties = { asked: { state: true } };

  /**
   * What was answered, by name, or null. Fields are {name, label, value}, perhaps with long (a text
   * of several lines), choices ({value: label}), number ({min, max, step}) or optional.
   */
  async ask(title, fields) {
    this.asked = { title, fields };
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    const form = this.querySelector('form');
    const about = JSON.stringify([title, state.thread.id, fields]);
    const typed = unsaved(about, {});
    fields.forEach(({ name, value }) => (form.elements[name].value = typed[name] ?? value ?? ''));
    const answer = () => Object.fromEntries(new FormData(form));
    dialog.oncancel = () => keepUnsaved(about, answer());
    form.onsubmit = () => forgetUnsaved(about);
    dialog.returnValue = '';
    dialog.showModal();
    form.elements[fields[0].name].focus();
    await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
    return dialog.returnValue === 'yes' ? answer() : null;
  }

  field({ name, label, long, choices, number, optional }) {
    if (choices) {
      return html`<label
        >${label}
        <select name=${name}>
          ${Object.entries(choices).map(([value, text]) => html`<option value=${value}>${text}</option>`)}
        </select>
      </label>`;
    }
    if (number) {
      const { min, max, step } = number;
      return html`<label
        >${label}
        <input name=${name} type="number" min=${min} max=${max} step=${step} placeholder=${say('anyModel')} />
      </label>`;
    }
    return long
      ? html`<label
          >${label} <textarea name=${name} rows="6" maxlength="20000" dir="auto" ?required=${!optional}></textarea>
        </label>`
      : html`<label
          >${label}
          <input name=${name} type="text" maxlength="200" dir="auto" autocomplete="off" ?required=${!optional} />
        </label>`;
  }

  render() {
    const { title = '', fields = [] } = this.asked ?? {};
    return html`<dialog class="question form" aria-label=${title}>
      <form method="dialog">
        <p class="asked">${title}</p>
        ${fields.map((one) => this.field(one))}
        <div class="choices">
          <button type="submit" class="main" value="yes">${say('save')}</button>
          <button type="submit" value="" formnovalidate>${say('cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}
customElements.define('clew-form', FormDialog);

export const askAll = (title, fields) => document.querySelector('clew-form').ask(title, fields);
