import { html } from 'lit';
import { duration } from './dates.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { attached } from './message.js';
import { showSame } from './items.js';
import { state } from './store.js';
import { decide } from './thread-actions.js';
import { say } from './words.js';

/** JSON with its structure shown, anything else as it is. */
function pretty(text) {
  if (typeof text !== 'string') {
    return text === undefined ? '' : JSON.stringify(text, null, 2);
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The first words of the arguments, for a card that is closed. */
function brief(text) {
  try {
    const values = Object.values(JSON.parse(text)).filter((value) => typeof value !== 'object');
    return values.join(', ');
  } catch {
    return '';
  }
}

const STATES = {
  running: 'toolRunning',
  done: 'toolDone',
  waiting: 'toolWaiting',
  open: 'toolOpen',
};

/** A call of a tool: what it was given, what it answered, and whether it may. */
class ToolCard extends PageElement {
  static properties = {
    block: { attribute: false, hasChanged: (now, before) => !showSame(now, before) },
  };

  render() {
    const { block } = this;
    const waiting = block.state === 'waiting';
    return html`<details class="tool ${block.state}" ?open=${waiting}>
      <summary>
        ${block.state === 'running' ? html`<span class="spinner"></span>` : icons.tool}
        <b>${block.name || say('toolResult')}</b>
        <span class="brief">${brief(block.given)}</span>
        <span class="state">${say(STATES[block.state])}</span>
        <small>${block.endedAt ? duration(block.at, block.endedAt) : ''}</small>
      </summary>
      ${block.given === undefined ? '' : part('toolArguments', pretty(block.given))}
      ${block.result === undefined ? '' : part('toolResult', pretty(block.result))}
      ${attached({ images: block.images })}
      ${waiting
        ? html`<div class="decision" role="group" aria-label=${say('approvalQuestion')}>
            <span>${say('approvalQuestion')}</span>
            <button class="main" ?disabled=${this.isDecided} @click=${() => decide(block.callId, true)}>
              ${say('approve')}
            </button>
            <button ?disabled=${this.isDecided} @click=${() => decide(block.callId, false)}>
              ${say('deny')}
            </button>
          </div>`
        : ''}
    </details>`;
  }

  get isDecided() {
    return state.thread.decided.has(this.block.callId);
  }
}
customElements.define('clew-tool-card', ToolCard);

const part = (name, text) =>
  html`<h4>${say(name)}</h4>
    <pre tabindex="0">${text}</pre>`;
