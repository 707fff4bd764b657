import { html } from 'lit';
import './library-style.js';
import { api } from './api.js';
import { filterList, setTags, tagsIn } from './conversations.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { openMenu } from './menu.js';
import { toast } from './toasts.js';
import { number, say } from './words.js';

const MOST = 12;

/** The tags of a conversation: typed, or chosen among those that others have. */
class TagsDialog extends PageElement {
  static properties = { known: { state: true }, text: { state: true } };

  constructor() {
    super();
    this.known = [];
    this.text = '';
  }

  async ask(tags) {
    const { data } = await api.tags();
    this.known = data.sort((one, other) => other.sessions - one.sessions).map(({ tag }) => tag);
    this.text = tags.join(', ');
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    const field = this.querySelector('input');
    field.value = this.text;
    dialog.returnValue = '';
    dialog.showModal();
    field.focus();
    field.setSelectionRange(this.text.length, this.text.length);
    await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
    return dialog.returnValue === 'yes' ? field.value : null;
  }

  /** What is typed behind the last comma. */
  get word() {
    return this.text.split(/[,，]/).at(-1).trim();
  }

  /** Known tags: those that complete the word, or all as long as there is none. */
  get offered() {
    const has = tagsIn(this.text);
    const word = this.word.toLowerCase();
    const whole = this.known.some((tag) => tag.toLowerCase() === word);
    return this.known
      .filter((tag) => has.includes(tag) || whole || tag.toLowerCase().includes(word))
      .slice(0, MOST);
  }

  toggle(tag) {
    const has = tagsIn(this.text);
    const { word } = this;
    const rest = has.filter((one) => one !== tag && (one !== word || this.known.includes(word)));
    this.text = (has.includes(tag) ? rest : [...rest, tag]).join(', ');
    this.querySelector('input').value = this.text;
  }

  /** The first tag that completes the word, with the key that completes elsewhere too. */
  pressed(event) {
    const { word } = this;
    const [first] = this.offered.filter((tag) => !tagsIn(this.text).includes(tag));
    if (event.key === 'ArrowDown' && word && first) {
      event.preventDefault();
      this.toggle(first);
    }
  }

  render() {
    const has = tagsIn(this.text);
    return html`<dialog class="question form" aria-label=${say('tags')}>
      <form method="dialog">
        <label
          >${say('tagsHint')}
          <input
            type="text"
            maxlength="500"
            autocomplete="off"
            dir="auto"
            @input=${(event) => (this.text = event.target.value)}
            @keydown=${this.pressed}
          />
        </label>
        <div class="several" role="group" aria-label=${say('tags')}>
          ${this.offered.map(
            (tag) => html`<button
              type="button"
              class="tag"
              dir="auto"
              aria-pressed=${has.includes(tag) ? 'true' : 'false'}
              @click=${() => this.toggle(tag)}
            >
              ${tag}
            </button>`,
          )}
        </div>
        <div class="choices">
          <button type="submit" class="main" value="yes">${say('save')}</button>
          <button type="submit" value="">${say('cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}
customElements.define('clew-tags', TagsDialog);

export async function askForTags(info) {
  const answer = await document.querySelector('clew-tags').ask(info.tags);
  if (answer !== null) {
    await setTags(info.session_id, answer);
  }
}

/** All tags, each of which shows its conversations. */
export async function tagMenu(anchor) {
  const { data } = await api.tags();
  if (data.length === 0) {
    toast(say('noTags'));
    return;
  }
  openMenu(
    anchor,
    data.map(({ tag, sessions }) => ({
      label: tag,
      note: number(sessions),
      icon: icons.tag,
      act: () => filterList({ tag }),
    })),
  );
}
