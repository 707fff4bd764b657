import { html } from 'lit';
import { PageElement } from './element.js';
import { say } from './words.js';

/** Asks for a line of text. */
class Question extends PageElement {
  static properties = { asked: { state: true } };

  /** The answer, or null if there is none. */
  async ask(title, value) {
    this.asked = { title, value };
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    dialog.returnValue = '';
    dialog.showModal();
    const input = this.querySelector('input');
    input.value = value;
    input.select();
    return new Promise((resolve) => {
      const closed = () => resolve(dialog.returnValue === 'yes' ? input.value : null);
      dialog.addEventListener('close', closed, { once: true });
    });
  }

  render() {
    return html`<dialog class="question" aria-label=${this.asked?.title ?? ''}>
      <form method="dialog">
        <label>${this.asked?.title}<input type="text" maxlength="500" autofocus /></label>
        <div class="choices">
          <button type="submit" class="main" value="yes">${say('save')}</button>
          <button type="submit" value="">${say('cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}
customElements.define('clew-question', Question);

export const ask = (title, value) => document.querySelector('clew-question').ask(title, value);
