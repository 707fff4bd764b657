import { html } from 'lit';
import { isLocal } from './attachments.js';
import { copy } from './clipboard.js';
import { fork } from './conversation-menu.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { showSame } from './items.js';
import { drawMarkdown } from './markdown.js';
import { chooseAnother } from './models.js';
import { go } from './router.js';
import { change, state } from './store.js';
import { edit, rate, regenerate, send, toggleArchive } from './thread-actions.js';
import { forgetUnsaved, keepUnsaved, unsaved } from './unsaved.js';
import { number, say } from './words.js';

const button = (icon, label, act) =>
  html`<button class="icon-button" aria-label=${label} title=${label} @click=${act}>${icon}</button>`;

const LONG = 2_000; // characters
const MOST_LINES = 24;

/** One thing that was said: by a person, the assistant, or in its stead a summary. */
class Message extends PageElement {
  static properties = {
    block: { attribute: false, hasChanged: (now, before) => !showSame(now, before) },
    siblings: { attribute: false },
    last: { type: Boolean },
    running: { type: Boolean }, // a turn is under way
    editing: { type: Boolean },
    opened: { type: Boolean }, // what a summary replaced is shown
    unfolded: { state: true }, // all of a long text is shown
    wondering: { state: true }, // why the answer was bad
    detailed: { state: true }, // what the answer took is shown
  };

  firstUpdated() {
    const { id, after } = state.shell.thoughts ?? {};
    if (this.block.kind === 'reasoning' && id === state.thread.id && this.block.position > after) {
      this.querySelector('details').open = true; // as it was while it came
    }
  }

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
        ${block.text ? this.said(block.text) : ''} ${attached(block)}
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

  /** A long text is folded: whoever has written it knows it. */
  said(text) {
    const long = text.length > LONG || text.split('\n', MOST_LINES + 1).length > MOST_LINES;
    if (!long) {
      return html`<div class="plain" dir="auto">${text}</div>`;
    }
    const start = text.split('\n').slice(0, MOST_LINES).join('\n').slice(0, LONG);
    return html`<div class="plain ${this.unfolded ? '' : 'folded'}" dir="auto">
        ${this.unfolded ? text : start}
      </div>
      <button
        class="quiet unfold"
        aria-expanded=${this.unfolded ? 'true' : 'false'}
        @click=${() => (this.unfolded = !this.unfolded)}
      >
        ${say(this.unfolded ? 'showLess' : 'showMore')}
      </button>`;
  }

  editor() {
    const about = `edit ${state.thread.id} ${this.block.position}`;
    const end = () => {
      forgetUnsaved(about);
      change('thread', { editing: null });
    };
    const done = (event) => {
      event.preventDefault();
      const text = this.querySelector('textarea').value;
      if (text.trim() || this.block.images.length + this.block.files.length > 0) {
        forgetUnsaved(about);
        edit(this.block, text);
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
      <textarea
        dir="auto"
        aria-label=${say('editMessage')}
        rows="3"
        @keydown=${pressed}
        @input=${({ target }) => keepUnsaved(about, target.value)}
        .value=${unsaved(about, this.block.text)}
      ></textarea>
      ${attached(this.block)}
      <div class="choices">
        <button type="button" @click=${end}>${say('cancel')}</button>
        <button class="main">${say('sendEdited')}</button>
      </div>
    </form>`;
  }

  assistant() {
    const { block } = this;
    return html`<article class="message assistant" aria-label=${say('assistant')}>
      <div class="markdown"></div>
      ${attached(block)} ${sources(block)}
      ${block.incomplete ? this.broken() : ''} ${this.foot()}
    </article>`;
  }

  /** An answer that was stopped, which can go on, or that broke off, which is tried again. */
  broken() {
    const { brokeOff } = this.block;
    const canGoOn = this.last && !this.running && !brokeOff;
    return html`<p class="aside">
      ${say(brokeOff ? 'brokeOff' : 'incomplete')}
      ${canGoOn ? html`<button class="quiet" @click=${() => send(say('goOnText'))}>${say('goOn')}</button>` : ''}
    </p>`;
  }

  /** Below the last thing that was said in a turn. */
  foot() {
    const { block } = this;
    if (!block.endsTurn) {
      return this.siblings ? html`<div class="actions">${this.branches()}</div>` : '';
    }
    const again = this.last && !block.brokeOff;
    return html`<div class="actions">
      ${this.branches()} ${button(icons.copy, say('copy'), () => copy(block.text))}
      ${again ? button(icons.again, say('regenerate'), () => regenerate()) : ''}
      ${again && state.me.models.length > 1
        ? html`<button
            class="icon-button"
            aria-haspopup="menu"
            aria-label=${say('regenerateBy')}
            title=${say('regenerateBy')}
            @click=${(event) => chooseAnother(event.currentTarget)}
          >
            ${icons.unfold}
          </button>`
        : ''}
      ${this.rating()} ${button(icons.branch, say('forkHere'), () => fork(state.thread.info, block.position))}
      ${block.tokens
        ? html`<button
            class="icon-button details"
            aria-label=${say('answerDetails')}
            title=${say('answerDetails')}
            aria-expanded=${this.detailed ? 'true' : 'false'}
            @click=${() => (this.detailed = !this.detailed)}
          >
            ${icons.about}
          </button>`
        : ''}
      ${this.time()}
      ${block.model ? html`<span class="by">${block.model}</span>` : ''}
      ${block.tokens
        ? html`<span class="tokens"
            >${say('tokensIn', { count: number(block.tokens.input) })} ·
            ${say('tokensOut', { count: number(block.tokens.output) })}${block.cost ? ` · ${block.cost}` : ''}</span
          >`
        : ''}
      ${this.wondering ? this.reason() : ''}
    </div>`;
  }

  /** Whether the answer was good, as far as somebody has said. */
  rating() {
    const { position, rating } = this.block;
    const press = (value) => {
      this.wondering = rating !== value && value === 'down';
      this.updateComplete.then(() => this.querySelector('.reason input')?.focus());
      rate(position, rating === value ? null : value);
    };
    const one = (value, icon, label) => html`<button
      class="icon-button rating"
      aria-label=${label}
      title=${label}
      aria-pressed=${rating === value ? 'true' : 'false'}
      @click=${() => press(value)}
    >
      ${icon}
    </button>`;
    return html`${one('up', icons.good, say('goodAnswer'))}${one('down', icons.bad, say('badAnswer'))}`;
  }

  /** Why an answer was bad, for whoever wants to say so. */
  reason() {
    const { position, reason } = this.block;
    const done = (event) => {
      event.preventDefault();
      this.wondering = false;
      this.querySelector('.rating[aria-pressed=true]')?.focus(); // the field is about to go
      const text = event.target.reason.value.trim();
      if (text) {
        rate(position, 'down', text);
      }
    };
    return html`<form class="reason" @submit=${done}>
      <input
        name="reason"
        type="text"
        dir="auto"
        maxlength="2000"
        autocomplete="off"
        aria-label=${say('whyBad')}
        placeholder=${say('whyBad')}
        .value=${reason ?? ''}
      />
      <button class="quiet">${say('send')}</button>
    </form>`;
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

  system() {
    return html`<details class="message system">
      <summary>${say('system')}</summary>
      <div class="plain" dir="auto">${this.block.text}</div>
    </details>`;
  }

  reasoning() {
    return html`<details class="message reasoning">
      <summary>${icons.thought} ${say('reasoning')}</summary>
      <div class="plain" dir="auto">${this.block.text}</div>
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

/** What is attached to a message. */
export const attached = ({ images = [], files = [] }) =>
  html`${images.map(image)} ${files.map(file)}`;

/** An image that is here is shown; one that is elsewhere is a link, and not fetched by itself. */
function image(url) {
  if (isLocal(url)) {
    const picture = html`<img class="attached" src=${url} alt=${say('image')} loading="lazy" />`;
    return url.startsWith('data:')
      ? picture
      : html`<a class="picture" href=${url} target="_blank" rel="noopener">${picture}</a>`;
  }
  if (/^https?:\/\//i.test(url)) {
    return html`<a class="image" href=${url} target="_blank" rel="noopener noreferrer nofollow"
      >${say('imageOf', { host: hostOf(url) })}</a
    >`;
  }
  return html`<span class="attached">${say('image')}</span>`;
}

function file({ name, url }) {
  const label = html`${icons.file} <span>${name || say('fileAttached')}</span>`;
  return isLocal(url)
    ? html`<a class="attached" href=${url} download=${name}>${label}</a>`
    : html`<span class="attached">${label}</span>`;
}

function sources({ sources: all = [] }) {
  const link = ({ url, name }) =>
    url
      ? html`<a href=${url} target="_blank" rel="noopener noreferrer nofollow">${name || hostOf(url)}</a>`
      : name;
  return all.length === 0
    ? ''
    : html`<ol class="sources" aria-label=${say('sources')}>
        ${all.map((one) => html`<li dir="auto">${link(one)}</li>`)}
      </ol>`;
}

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
