import { html } from 'lit';
import { duration } from './dates.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { attached } from './message.js';
import { showSame } from './items.js';
import { ask } from './question.js';
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
    const values = Object.entries(JSON.parse(text)).filter(([, value]) => typeof value !== 'object');
    return values.map(([name, value]) => `${name}: ${value}`).join(', ');
  } catch {
    return '';
  }
}

/** What a card is called: a tool, with its server if it has one. */
const titleOf = ({ list, title, name }) =>
  list ? say('mcpTools', { server: list }) : title || name || say('toolResult');

const STATES = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
  denied: 'toolDenied',
  notRun: 'toolNotRun',
  waiting: 'toolWaiting',
  approved: 'toolApproved',
  held: 'toolHeld',
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
        <b>${titleOf(block)}</b>
        <span class="brief">${brief(block.given)}</span>
        <span class="state">${say(STATES[block.state])}</span>
        <small>${duration(block.took ?? 0)}</small>
      </summary>
      ${block.given === undefined ? '' : part('toolArguments', pretty(block.given))}
      ${block.result === undefined ? '' : part('toolResult', pretty(block.result))}
      ${attached({ images: block.images })}
      ${waiting
        ? this.decision()
        : ''}
    </details>`;
  }

  decision() {
    const { callId } = this.block;
    const question = say('approvalQuestion', { tool: titleOf(this.block) });
    const isDecided = state.thread.decided.has(callId);
    const button = (word, act, kind = '') =>
      html`<button class=${kind} ?disabled=${isDecided} @click=${act}>${say(word)}</button>`;
    return html`<div class="decision" role="group" aria-label=${question}>
      <span role="alert">${question}</span>
      ${button('approve', () => decide(callId, true), 'main')}
      ${button('approveAlways', () => decide(callId, true, { always: true }))}
      ${button('deny', () => decide(callId, false))}
      ${button('denyWhy', () => this.denyWhy(callId), 'quiet')}
    </div>`;
  }

  async denyWhy(callId) {
    const message = await ask(say('denyReason'), '', { agree: say('deny'), about: callId });
    if (message !== null) {
      decide(callId, false, message.trim() ? { message: message.trim() } : {});
    }
  }
}
customElements.define('clew-tool-card', ToolCard);

/** What many calls were together: how many, how long, and what went wrong. */
export function callsSummary(calls) {
  const count = (...states) => calls.filter((call) => states.includes(call.state)).length;
  const took = duration(calls.reduce((sum, call) => sum + (call.took ?? 0), 0));
  const part = (word, number) => (number > 0 ? say(word, { count: number }) : '');
  const parts = [
    say('manyCalls', { count: calls.length }),
    took,
    part('manyRunning', count('running')),
    count('failed') > 0 ? html`<span class="failed">${part('manyFailed', count('failed'))}</span>` : '',
    part('manyDenied', count('denied')),
    part('manyNotRun', count('notRun', 'open')),
  ];
  return parts.filter((one) => one !== '').flatMap((one, i) => (i > 0 ? [' · ', one] : [one]));
}

const part = (name, text) =>
  html`<h4>${say(name)}</h4>
    <pre tabindex="0">${text}</pre>`;
