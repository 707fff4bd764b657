import { html } from 'lit';
import { PageElement } from './element.js';
import { forgetUnsaved, keepUnsaved, unsaved } from './unsaved.js';
import { say } from './words.js';

/** Asks for a text. */
class Question extends PageElement {
  static properties = { asked: { state: true }, right: { state: true } };

  /**
   * The answer, or null if there is none.
   *
   * It may be asked for a text of several lines (long), or for one word and nothing else (exactly),
   * by which somebody shows that they mean it. What is typed and not saved comes again when the same
   * is asked about the same thing.
   */
  async ask(title, value, { long = false, exactly = null, agree = say('save'), about = value } = {}) {
    this.asked = { title, long, exactly, agree };
    this.right = exactly === null;
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    dialog.returnValue = '';
    dialog.showModal();
    const { field } = this;
    const name = JSON.stringify([title, about]);
    field.value = exactly === null ? unsaved(name, value) : value;
    dialog.oncancel = () => keepUnsaved(name, field.value);
    dialog.querySelector('form').onsubmit = () => forgetUnsaved(name);
    field.focus();
    field.select();
    return new Promise((resolve) => {
      const closed = () => resolve(dialog.returnValue === 'yes' && this.right ? field.value : null);
      dialog.addEventListener('close', closed, { once: true });
    });
  }

  /** Whether somebody agrees. */
  async agree(title, hint, word) {
    this.asked = { title, hint, agree: word };
    this.right = true;
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    dialog.oncancel = null;
    dialog.returnValue = '';
    dialog.showModal();
    dialog.querySelector('.main').focus();
    return new Promise((resolve) => {
      const closed = () => resolve(dialog.returnValue === 'yes');
      dialog.addEventListener('close', closed, { once: true });
    });
  }

  get field() {
    return this.querySelector('input, textarea');
  }

  typed() {
    const { exactly } = this.asked;
    this.right = exactly === null || this.field.value.trim() === exactly;
  }

  render() {
    const { title = '', hint, long, exactly, agree } = this.asked ?? {};
    return html`<dialog class="question" aria-label=${title}>
      <form method="dialog" @input=${this.typed}>
        ${hint === undefined
          ? html`<label
              >${title}${long
                ? html`<textarea rows="8" maxlength="20000"></textarea>`
                : html`<input type="text" maxlength="500" autocomplete="off" />`}</label
            >`
          : html`<p class="asked" dir="auto">${title}</p>
              <p class="hint-below">${hint}</p>`}
        <div class="choices">
          <button type="submit" class="main ${exactly || hint !== undefined ? 'danger' : ''}" value="yes" ?disabled=${!this.right}>
            ${agree}
          </button>
          <button type="submit" value="">${say('cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}
customElements.define('clew-question', Question);

export const agree = (title, hint, word) =>
  document.querySelector('clew-question').agree(title, hint, word);

export const ask = (title, value, how) =>
  document.querySelector('clew-question').ask(title, value, how);
