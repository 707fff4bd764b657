// Above what is shown instead of a conversation.

import { html } from 'lit';
import './more.js';
import { showTitle } from './activity.js';
import { icons } from './icons.js';
import { go } from './router.js';
import { show } from './sidebar.js';
import { state } from './store.js';
import { styleSheet } from './styles.js';
import { say } from './words.js';

/** A heading, and the way back to the conversation. */
export function viewHead(heading, more = '') {
  showTitle(`${heading} · Clew`);
  return html`<header class="view-head">
    <button class="icon-button show-list" aria-label=${say('showList')} title=${say('showList')} @click=${show}>
      ${icons.list}
    </button>
    <button
      class="icon-button"
      aria-label=${say('backToConversation')}
      title=${say('backToConversation')}
      @click=${() => go(state.view.id ?? state.thread.id)}
    >
      ${icons.back}
    </button>
    <h1 tabindex="-1" title=${heading}>${heading}</h1>
    ${more}
  </header>`;
}

/** Figures side by side: [what, how much]. */
export const cards = (figures) =>
  html`<dl class="cards">
    ${figures.map(
      ([what, value]) =>
        html`<div>
          <dt>${what}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** While it loads, and when that failed. */
export const waiting = (failed, again) =>
  failed
    ? html`<div class="state" role="alert">
        <p>${say('insightFailed')}</p>
        <button @click=${again}>${say('retry')}</button>
      </div>`
    : html`<p class="state" role="status">${say('loading')}</p>`;

styleSheet(new URL('insight.css', import.meta.url));
