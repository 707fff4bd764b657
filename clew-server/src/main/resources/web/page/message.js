import { html } from 'lit';
import { copy } from './clipboard.js';
import { fork } from './conversation-menu.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { showSame } from './items.js';
import { drawMarkdown } from './markdown.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { edit, regenerate, toggleArchive } from './thread.js';
import { number, say } from './words.js';

const button = (icon, label, act) =>
  html`<button class="icon-button" aria-label=${label} title=${label} @click=${act}>${icon}</button>`;

/** One thing that was said: by a person, the assistant, or in its stead a summary. */
class Message extends PageElement {
  static properties = {
    block: { attribute: false, hasChanged: (now, before) => !showSame(now, before) },
    siblings: { attribute: false },
    last: { type: Boolean },
    running: { type: Boolean }, // a turn is under way
    editing: { type: Boolean },
    opened: { type: Boolean }, // what a summary replaced is shown
  };

  updated() {
    const place = this.querySelector('.markdown');
    if (place && place.text !== this.block.text) {
      place.text = this.block.text;
      drawMarkdown(place, this.block.text, false);
    }
  }

  render() {
    return this[this.block.kind]();
  }

  user() {
    const { block } = this;
    if (this.editing) {
      return this.editor();
    }
    return html`<article class="message user" aria-label=${say('you')}>
      <div class="bubble">
        <div class="plain">${block.text}</div>
        ${this.attached()}
      </div>
      <div class="actions">
        ${this.time()} ${button(icons.copy, say('copy'), () => copy(block.text))}
        ${block.compacted || this.running
          ? ''
          : button(icons.edit, say('edit'), () => change('thread', { editing: block.position }))}
        ${this.branches()}
      </div>
    </article>`;
  }

  editor() {
    const done = (event) => {
      event.preventDefault();
      const text = this.querySelector('textarea').value;
      if (text.trim()) {
        edit(this.block.position, text);
      }
    };
    const pressed = (event) => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        change('thread', { editing: null });
      } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        done(event);
      }
    };
    requestAnimationFrame(() => {
      const field = this.querySelector('textarea');
      if (field && document.activeElement !== field) {
        field.focus();
        field.scrollIntoView({ block: 'nearest' });
      }
    });
    return html`<form class="editor" @submit=${done}>
      <textarea aria-label=${say('editMessage')} rows="3" @keydown=${pressed} .value=${this.block.text}></textarea>
      <div class="choices">
        <button type="button" @click=${() => change('thread', { editing: null })}>${say('cancel')}</button>
        <button class="main">${say('sendEdited')}</button>
      </div>
    </form>`;
  }

  assistant() {
    const { block } = this;
    return html`<article class="message assistant" aria-label=${say('assistant')}>
      <div class="markdown"></div>
      ${this.attached()}
      ${block.incomplete ? html`<p class="aside">${say('incomplete')}</p>` : ''} ${this.foot()}
    </article>`;
  }

  /** Below the last thing that was said in a turn. */
  foot() {
    const { block } = this;
    if (!block.endsTurn) {
      return html`<div class="actions">${this.branches()}</div>`;
    }
    return html`<div class="actions">
      ${this.branches()} ${button(icons.copy, say('copy'), () => copy(block.text))}
      ${this.last ? button(icons.again, say('regenerate'), regenerate) : ''}
      ${button(icons.branch, say('forkHere'), () => fork(state.thread.info, block.position))}
      ${this.time()}
      ${block.tokens
        ? html`<span class="tokens"
            >${say('tokensIn', { count: number(block.tokens.input) })} ·
            ${say('tokensOut', { count: number(block.tokens.output) })}</span
          >`
        : ''}
    </div>`;
  }

  time() {
    return html`<time datetime=${this.block.at}>${dateAndTime(this.block.at)}</time>`;
  }

  /** The other branches that begin here. */
  branches() {
    const { siblings } = this;
    if (!siblings) {
      return '';
    }
    const here = siblings.indexOf(state.thread.id);
    const label = say('branchOf', { number: here + 1, count: siblings.length });
    const step = (by) => () => go(siblings[here + by]);
    return html`<span class="branches" role="group" aria-label=${label}>
      <button class="icon-button" aria-label=${say('earlierBranch')} ?disabled=${here === 0} @click=${step(-1)}>
        ${icons.back}
      </button>
      <span>${here + 1}/${siblings.length}</span>
      <button
        class="icon-button"
        aria-label=${say('laterBranch')}
        ?disabled=${here === siblings.length - 1}
        @click=${step(1)}
      >
        ${icons.forward}
      </button>
    </span>`;
  }

  attached() {
    const { images = [], files = [] } = this.block;
    return html`${images.map((url) => html`<clew-image .url=${url}></clew-image>`)}
    ${files.map((name) => html`<span class="attached">${icons.file} ${say('fileAttached')} ${name}</span>`)}`;
  }

  system() {
    return html`<details class="message system">
      <summary>${say('system')}</summary>
      <div class="plain">${this.block.text}</div>
    </details>`;
  }

  reasoning() {
    return html`<details class="message reasoning">
      <summary>${icons.thought} ${say('reasoning')}</summary>
      <div class="plain">${this.block.text}</div>
    </details>`;
  }

  other() {
    return html`<details class="message other">
      <summary>${say('other', { type: this.block.type })}</summary>
      <pre tabindex="0">${this.block.text}</pre>
    </details>`;
  }

  compaction() {
    const { position, text } = this.block;
    const { opened } = this;
    return html`<section class="message compaction">
      <div class="line"><span>${icons.fold} ${say('compacted')}</span></div>
      <p class="aside">${say('compactedHint')}</p>
      ${text
        ? html`<div class="markdown"></div>`
        : html`<p class="aside">${say('summaryHidden')}</p>`}
      <button class="quiet" aria-expanded=${opened ? 'true' : 'false'} @click=${() => toggleArchive(position)}>
        ${say(opened ? 'hideReplaced' : 'showReplaced')}
      </button>
    </section>`;
  }
}
customElements.define('clew-message', Message);

/** An image that is not fetched before somebody asks for it, and never from another host. */
class ImageLink extends PageElement {
  static properties = { url: { attribute: false }, shown: { state: true } };

  render() {
    if (/^data:image\/(png|jpeg|gif|webp);base64,/i.test(this.url)) {
      return this.shown
        ? html`<img class="attached" src=${this.url} alt=${say('image')} />`
        : html`<button class="quiet" @click=${() => (this.shown = true)}>${say('showImage')}</button>`;
    }
    if (/^https?:\/\//i.test(this.url)) {
      return html`<a class="image" href=${this.url} target="_blank" rel="noopener noreferrer nofollow"
        >${say('imageOf', { host: hostOf(this.url) })}</a
      >`;
    }
    return html`<span class="attached">${say('image')}</span>`;
  }
}
customElements.define('clew-image', ImageLink);

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
