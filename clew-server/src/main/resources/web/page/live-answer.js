import { html } from 'lit';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { drawMarkdown } from './markdown.js';
import { state } from './store.js';
import { isRunning } from './thread.js';
import { saidSoFar } from './thread-updates.js';
import { say } from './words.js';

/** What is being said at this moment. */
class LiveAnswer extends PageElement {
  static follows = ['live', 'said', 'thread'];

  /**
   * As often as the screen is drawn, however fast the words come; less often when a long text takes
   * its time, so that who types does not wait for it.
   */
  async scheduleUpdate() {
    await new Promise((rested) => setTimeout(rested, 2 * (this.cost ?? 0)));
    await new Promise((drawn) => {
      requestAnimationFrame(drawn);
      setTimeout(drawn, 200); // a window that nobody sees is not drawn
    });
    const begin = performance.now();
    super.scheduleUpdate();
    this.cost = performance.now() - begin;
  }

  render() {
    this.said = saidSoFar();
    const reasoning = state.live.steps.get(Math.max(...state.live.steps.keys()))?.reasoning ?? '';
    const waiting = isRunning() && !this.said && state.thread.approvals.length === 0;
    const unsure = state.live.heardBefore !== '' && state.live.steps.size === 0;
    return html`
      ${reasoning
        ? html`<details
            class="message reasoning"
            ?open=${state.shell.thoughts !== null}
            @toggle=${(event) => this.toggled(event.target.open)}
          >
            <summary>${icons.thought} ${say('reasoning')}</summary>
            <div class="plain" dir="auto">${reasoning}</div>
          </details>`
        : ''}
      <article class="message assistant live" aria-label=${say('assistant')} ?hidden=${!this.said}>
        <div class="markdown" aria-hidden="true"></div>
      </article>
      <div class="thinking" ?hidden=${!waiting} role="status">
        <span class="dots"><i></i><i></i><i></i></span><span class="offscreen">${say('thinking')}</span>
      </div>
      ${unsure ? html`<p class="aside" role="status">${say('checking')}</p>` : ''}
      <div class="offscreen spoken" aria-live="polite"></div>
    `;
  }

  /** Reasoning that somebody reads stays open when it has become part of the conversation. */
  toggled(open) {
    const { id, entries } = state.thread;
    state.shell.thoughts = open ? { id, after: entries.at(-1)?.position ?? 0 } : null;
  }

  updated() {
    drawMarkdown(this.querySelector('.markdown'), this.said, true);
    this.speak();
  }

  /** Says aloud whole sentences, as they come: words one by one cannot be listened to. */
  speak() {
    if (!this.said) {
      this.spoken = 0;
      this.querySelector('.spoken').textContent = '';
      return;
    }
    const rest = this.said.slice(this.spoken);
    const whole = rest.match(/^[\s\S]*[.!?。！？\n](?=\s|$|[^\s.!?。！？])/)?.[0];
    if (whole) {
      this.spoken += whole.length;
      this.querySelector('.spoken').textContent = whole.replace(/[*_`#|]+/g, '');
    }
  }
}
customElements.define('clew-live-answer', LiveAnswer);
