import { html } from 'lit';
import './library-style.js';
import { api } from './api.js';
import { PageElement } from './element.js';
import { askAll } from './form-dialog.js';
import { icons } from './icons.js';
import { change, state } from './store.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const byName = (one, other) => one.name.localeCompare(other.name);

/** Loads the prompts, which few need. */
export async function loadPrompts() {
  const { data } = await api.prompts();
  change('library', { prompts: data });
  return data;
}

/** The library of prompts: made, changed, deleted. */
class Prompts extends PageElement {
  static follows = ['library'];

  async open() {
    try {
      await loadPrompts();
    } catch (e) {
      failed(e);
      return;
    }
    await this.updateComplete;
    this.querySelector('dialog').showModal();
  }

  render() {
    const { prompts } = state.library;
    return html`<dialog class="prompts" aria-labelledby="prompts">
      <h2 id="prompts">${say('prompts')}</h2>
      <p>${say('promptsHint')}</p>
      <ul>
        ${prompts.map(
          (one) => html`<li>
            <span class="what" dir="auto"><strong>/${one.name}</strong> <span>${one.text}</span></span>
            <button class="icon-button" aria-label=${say('editOf', { name: one.name })} title=${say('edit')} @click=${() => this.edit(one)}>
              ${icons.edit}
            </button>
            <button class="icon-button" aria-label=${say('removeOf', { name: one.name })} title=${say('remove')} @click=${() => this.remove(one)}>
              ${icons.trash}
            </button>
          </li>`,
        )}
      </ul>
      <div class="choices">
        <button class="main add" @click=${() => this.edit(null)}>${say('newPrompt')}</button>
        <button @click=${() => this.querySelector('dialog').close()}>${say('close')}</button>
      </div>
    </dialog>`;
  }

  async edit(prompt) {
    const fields = await askAll(say(prompt ? 'editPrompt' : 'newPrompt'), [
      { name: 'name', label: say('tokenName'), value: prompt?.name },
      { name: 'text', label: say('promptText'), value: prompt?.text, long: true },
    ]);
    if (fields === null) {
      return;
    }
    try {
      const now = prompt
        ? await api.changePrompt(prompt.prompt_id, fields)
        : await api.makePrompt(fields);
      const others = state.library.prompts.filter((one) => one.prompt_id !== now.prompt_id);
      change('library', { prompts: [...others, now].sort(byName) });
    } catch (e) {
      failed(e);
    }
  }

  async remove({ prompt_id: id }) {
    try {
      await api.removePrompt(id);
      change('library', { prompts: state.library.prompts.filter((one) => one.prompt_id !== id) });
      this.querySelector('.add').focus(); // the button is gone
    } catch (e) {
      failed(e);
    }
  }
}
customElements.define('clew-prompts', Prompts);

export const openPrompts = () => document.querySelector('clew-prompts').open();
