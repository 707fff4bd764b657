import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { attachedTo } from './attachments.js';
import './live-answer.js';
import { callsSummary } from './tool-card.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { blocksOf, failureOf, filesIn, folded, isAnswered, saysNothing, textOf } from './items.js';
import { attached } from './message.js';
import { reasonOfCode } from './problems.js';
import { go } from './router.js';
import { state } from './store.js';
import { isRunning, loadAfter, loadBefore, open } from './thread.js';
import { keepIt, regenerate, send, sendNext, withdraw } from './thread-actions.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const BEGINNING = -(2 ** 52); // before every position
const NEAR = 60; // pixels from the end that still count as the end

const isFromUser = ({ item }) => item.role === 'user';

const pendingBlock = ({ attachments = [] }) => ({
  images: attachments.filter((one) => one.image).map((one) => one.url),
  files: attachments.filter((one) => !one.image).map(({ name }) => ({ name, url: '' })),
});

/** What was said in the open conversation, from its end backward as far as somebody scrolls. */
class ThreadView extends PageElement {
  static follows = ['thread', 'me'];
  static properties = { atEnd: { state: true } };

  constructor() {
    super();
    this.atEnd = true;
    this.lastTop = 0;
  }

  firstUpdated() {
    this.scroller = this.querySelector('.scroll');
    this.scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    // Whoever is at the end stays there while text comes in.
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(this.querySelector('.column'));
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(this.scroller);
    this.edges = new IntersectionObserver(
      (seen) => seen.forEach((one) => one.isIntersecting && this.reached(one.target)),
      { root: this.scroller, rootMargin: '600px' },
    );
  }

  reached(edge) {
    if (!state.thread.loading && state.thread.target === null) {
      edge.classList.contains('before') ? loadBefore() : loadAfter();
    }
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const near = scrollHeight - scrollTop - clientHeight < NEAR && !state.thread.moreAfter;
    const backward = scrollTop < this.lastTop - 1; // text that comes in only pushes forward
    this.lastTop = scrollTop;
    this.atEnd = near || (this.atEnd && !backward);
    this.hideJump();
  }

  /** Nobody jumps to what is in sight, though somebody edits above it. */
  hideJump() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const near = scrollHeight - scrollTop - clientHeight < NEAR && !state.thread.moreAfter;
    this.querySelector('.jump')?.toggleAttribute('hidden', near);
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  jump() {
    if (state.thread.moreAfter) {
      open(state.thread.id);
    }
    this.atEnd = true;
    this.toEnd();
  }

  willUpdate() {
    const { id, entries, pending, editing } = state.thread;
    if (id !== this.shown || (pending && !this.pending)) {
      this.atEnd = true; // whoever says something wants to see the answer
    } else if (editing !== null) {
      this.atEnd = false;
    }
    this.shown = id;
    this.pending = pending;
    const first = entries[0]?.position;
    const moves = this.scroller && this.first !== undefined && first !== this.first;
    this.anchor = moves && !this.atEnd ? this.readingNow() : null;
    this.first = first;
  }

  /** What stands at the top of what is seen, and where. */
  readingNow() {
    const edge = this.scroller.getBoundingClientRect().top;
    const entries = [...this.querySelectorAll('.column > .entry')];
    const entry = entries.find((one) => one.getBoundingClientRect().bottom > edge);
    return entry ? { entry, top: entry.getBoundingClientRect().top } : null;
  }

  async updated() {
    this.edges?.disconnect();
    const { anchor } = this;
    // Messages draw themselves after this; where things stand is known then, before it is seen.
    const parts = this.querySelectorAll('clew-message, clew-tool-card');
    await Promise.all([...parts].map((part) => part.updateComplete));
    const { target, entries, loading, loadingBefore } = state.thread;
    if (target !== null && !loading && entries.length > 0 && !loadingBefore) {
      this.show(target);
    } else if (anchor?.entry.isConnected) {
      this.scroller.scrollTop += anchor.entry.getBoundingClientRect().top - anchor.top;
    } else if (this.atEnd) {
      this.toEnd();
    }
    this.hideJump();
    this.querySelectorAll('.edge').forEach((edge) => this.edges?.observe(edge));
  }

  /** Shows the place a search has found. */
  show(target) {
    const places = [...this.querySelectorAll('[data-position]')];
    const place =
      places.find((one) => Number(one.dataset.position) === target) ??
      places.findLast((one) => Number(one.dataset.position) < target);
    this.atEnd = false;
    state.thread.target = null;
    if (target === BEGINNING) {
      this.scroller.scrollTop = 0;
    } else if (place) {
      place.closest('.calls')?.setAttribute('open', '');
      place.querySelector('details')?.setAttribute('open', '');
      Object.assign(place.querySelector('clew-message') ?? {}, { unfolded: true });
      place.scrollIntoView({ block: 'center' });
      place.classList.add('found-here');
      this.scrolled();
      const { sought } = state.thread;
      if (sought) {
        state.thread.sought = '';
        import('./to-word.js').then(({ toWord }) => toWord(place, sought), failed);
      }
      place.dispatchEvent(new Event('shown', { bubbles: true }));
    }
  }

  /** To the first and the last message, also where those are not loaded. */
  pressed(event) {
    const { id, moreBefore } = state.thread;
    if (event.target.matches('input, textarea') || event.altKey || event.shiftKey) {
      return; // in a text they move the cursor
    }
    if (event.key === 'Home' && moreBefore) {
      event.preventDefault();
      open(id, BEGINNING);
    } else if (event.key === 'End') {
      event.preventDefault();
      this.jump();
    }
  }

  render() {
    const { thread } = state;
    return html`
      <div class="scroll" tabindex="-1" @keydown=${this.pressed}>
        <div class="column">${this.content()}</div>
      </div>
      ${this.atEnd && !thread.moreAfter
        ? ''
        : html`<button class="jump" aria-label=${say('toBottom')} title=${say('toBottom')} @click=${this.jump}>
            ${icons.down}
          </button>`}
    `;
  }

  content() {
    const { thread } = state;
    if (thread.failure) {
      return html`<div class="state" role="alert">
        <h1>${thread.failure}</h1>
        ${thread.gone
          ? html`<button @click=${() => go(null)}>${say('newConversation')}</button>`
          : html`<button @click=${() => open(thread.id)}>${say('retry')}</button>`}
      </div>`;
    }
    if (thread.loading && thread.entries.length === 0) {
      return html`<div class="bones" role="img" aria-label=${say('loading')}>
        ${[40, 90, 84, 70].map((width) => html`<i .style=${`width:${width}%`}></i>`)}
      </div>`;
    }
    if (thread.id === null) {
      return html`<clew-welcome></clew-welcome>${thread.error ? this.error(thread.error) : ''}`;
    }
    const blocks = blocksOf(thread.entries, {
      approvals: thread.approvals,
      decided: thread.decided,
      running: isRunning(),
      costOf: state.me.costOf,
    });
    const said = blocks.findLastIndex((block) => block.kind === 'user');
    const last = blocks.slice(said + 1).findLast((block) => block.endsTurn); // none if that failed
    return html`
      ${thread.info?.temporary ? this.temporary() : ''}
      ${thread.moreBefore
        ? html`<button class="edge before quiet" @click=${() => loadBefore()}>${say('earlier')}</button>`
        : ''}
      ${blocks.length === 0 && !isRunning() && !thread.error
        ? html`<div class="state"><p>${say('emptyThread')}</p></div>`
        : ''}
      ${repeat(folded(blocks), (block) => block.key, (block) => this.block(block, block.position === last?.position || block.calls?.includes(last)))}
      ${thread.moreAfter
        ? html`<button class="edge after quiet" @click=${loadAfter}>${say('later')}</button>`
        : html`
            ${thread.pending?.text !== undefined
              ? html`<article class="message user pending" aria-label=${say('you')}>
                  <div class="bubble">
                    <div class="plain">${thread.pending.text}</div>
                    ${attached(pendingBlock(thread.pending))}
                  </div>
                </article>`
              : ''}
            <clew-live-answer></clew-live-answer>
            ${thread.lost ? this.lost(thread.lost) : ''} ${isRunning() ? '' : this.outcome()}
            ${this.queue(thread.queue)}
          `}
    `;
  }

  /** What becomes of a temporary conversation, and how to keep it. */
  temporary() {
    return html`<p class="passing" role="note">
      ${icons.passing} <span>${say('temporaryHint')}</span>
      <button class="quiet" @click=${keepIt}>${say('keepIt')}</button>
    </p>`;
  }

  block(block, last) {
    const replaced =
      block.kind === 'compaction' && state.thread.opened.has(block.position)
        ? html`<div class="replaced" aria-label=${say('replaced')} role="group">
            ${folded(blocksOf(state.thread.archive, { approvals: [], running: false })).map((old) =>
              this.one(old, false),
            )}
          </div>`
        : '';
    return html`${replaced}${this.one(block, last)}`;
  }

  /** Many calls, one after the other. Whoever has to decide sees them. */
  calls({ calls, position }, last) {
    const waits = calls.some((call) => call.state === 'waiting');
    return html`<div class="entry ${last ? 'last' : ''}" data-position=${position}>
      <details class="calls" ?open=${waits}>
        <summary>${icons.tool} ${callsSummary(calls)}</summary>
        ${repeat(calls, (call) => call.key, (call) => this.one(call, false))}
      </details>
    </div>`;
  }

  one(block, last) {
    if (block.kind === 'calls') {
      return this.calls(block, last);
    }
    const siblings = this.siblingsAt(block.position);
    // By a class: a rule for the last of its kind would have all others looked at with each one.
    return html`<div class="entry ${last ? 'last' : ''}" data-position=${block.position}>
      ${block.kind === 'tool'
        ? html`<clew-tool-card .block=${block}></clew-tool-card>`
        : html`<clew-message
            .block=${block}
            .siblings=${siblings}
            ?last=${last}
            ?running=${isRunning()}
            ?editing=${state.thread.editing === block.position}
            ?opened=${state.thread.opened.has(block.position)}
          ></clew-message>`}
    </div>`;
  }

  /** The branches that begin at a position: behind a place that no other entry is between. */
  siblingsAt(position) {
    const { siblings, entries } = state.thread;
    for (const [after, ids] of siblings) {
      if (entries.find((entry) => entry.position > after)?.position === position) {
        return ids;
      }
    }
    return undefined;
  }

  /** What waits for the running turn; what nobody is going to answer can be sent again. */
  queue(waiting) {
    const back = async (one, again = () => false) => {
      const files = await attachedTo(filesIn(one.message)).catch(() => []);
      const text = await withdraw(one);
      if (text !== null && !(await again(text, files))) {
        document.querySelector('clew-composer').takeBack(text, files);
      }
    };
    const again = (text, files) => (isRunning() ? sendNext : send)(text, files);
    return waiting.length === 0
      ? ''
      : html`<ul class="queue" aria-label=${say('queue')}>
          ${repeat(
            waiting,
            (one) => one.turn_id,
            (one) => html`<li>
              <span class="plain" dir="auto">${textOf(one.message)}</span>
              <small>${say(one.waits ? 'queued' : 'notSent')}</small>
              ${one.waits
                ? ''
                : html`<button class="quiet" @click=${() => back(one, again)}>${say('send')}</button>`}
              <button class="quiet" @click=${() => back(one)}>${say('withdraw')}</button>
            </li>`,
          )}
        </ul>`;
  }

  /** How the last turn ended, if not with an answer: now, before the page was loaded, elsewhere. */
  outcome() {
    const { entries, error, approvals } = state.thread;
    const code = failureOf(entries);
    if (error || code) {
      return this.error(error || reasonOfCode(code));
    }
    const last = entries.at(-1)?.item;
    const stopped = last?.status === 'incomplete' && !saysNothing(last); // says so itself
    const isEmpty = last && saysNothing(last) && last.status !== 'incomplete';
    return isAnswered(entries) || stopped || approvals.length > 0
      ? ''
      : html`<div class="unanswered" role="status">
          <p>${say(isEmpty ? 'nothingReturned' : 'unanswered')}</p>
          ${this.retry()}
        </div>`;
  }

  error(reason) {
    return html`<div class="failure" role="alert">
      <p>${say('turnFailed', { reason })}</p>
      ${this.retry()}
    </div>`;
  }

  retry() {
    const { info, entries, refused } = state.thread;
    const isThere = refused || (info && entries.some(isFromUser));
    const again = () => {
      const composer = document.querySelector('clew-composer');
      refused && !composer.isEmpty ? composer.querySelector('form').requestSubmit() : regenerate();
    };
    return isThere && state.me.scopes.includes('write')
      ? html`<button @click=${again}>${say('retry')}</button>`
      : '';
  }

  /** What was heard of an answer before its server was gone. */
  lost(text) {
    return html`<article class="message assistant lost" aria-label=${say('assistant')}>
      <div class="plain" dir="auto">${text}</div>
      <p class="aside">${say('notStored')}</p>
    </article>`;
  }
}
customElements.define('clew-thread', ThreadView);

