import { html } from 'lit';
import './plot.js';
import { api } from './api.js';
import { titleOf } from './conversations.js';
import { money } from './costs.js';
import { PageElement } from './element.js';
import { bytes, short, time } from './sizes.js';
import { change, state } from './store.js';
import { cards, viewHead, waiting } from './view-head.js';
import { format, number, say } from './words.js';

const RANGES = [7, 30, 90, 365];
const DAY = 86_400_000;

/** What can be counted: in everything that is the owner's, or in one conversation. */
class Insight extends PageElement {
  static follows = ['view', 'insight'];

  connectedCallback() {
    super.connectedCallback();
    this.shown = undefined;
  }

  willUpdate() {
    const { id } = state.view;
    if (state.view.name === 'insight' && id !== this.shown) {
      this.shown = id;
      load();
    }
  }

  render() {
    const { failed, days, session, report, usage } = state.insight;
    const { id } = state.view;
    if (id !== null) {
      return html`${viewHead(session ? say('insightOf', { title: titleOf(session) }) : say('insight'))}
        <div class="view-body" tabindex="-1">${session ? ofSession(session) : waiting(failed, load)}</div>`;
    }
    return html`${viewHead(say('insight'), ranges(days))}
      <div class="view-body" tabindex="-1">
        ${report ? ofStore(report, usage, days) : waiting(failed, load)}
      </div>`;
  }
}
customElements.define('clew-insight', Insight);

let generation = 0;

async function load() {
  const mine = ++generation;
  const { id } = state.view;
  const { days } = state.insight;
  change('insight', { failed: false, session: null, report: null, usage: null });
  try {
    const found =
      id === null
        ? await Promise.all([api.insight(days), api.usage(days)])
        : [await api.sessionInsight(id)];
    if (mine === generation) {
      change('insight', id === null ? { report: found[0], usage: found[1] } : { session: found[0] });
    }
  } catch {
    if (mine === generation) {
      change('insight', { failed: true });
    }
  }
}

const ranges = (days) => html`<div class="ranges" role="group" aria-label=${say('range')}>
  ${RANGES.map(
    (range) =>
      html`<button
        class="quiet"
        aria-pressed=${range === days ? 'true' : 'false'}
        @click=${() => {
          change('insight', { days: range });
          load();
        }}
      >
        ${say('days', { count: range })}
      </button>`,
  )}
</div>`;

/** A row for each day, also for those on which nothing happened. */
function everyDay(days, rows, fields) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  return Array.from({ length: days }, (_, i) => {
    const date = new Date(today - (days - 1 - i) * DAY).toISOString().slice(0, 10);
    const row = byDate.get(date) ?? {};
    return { date, ...Object.fromEntries(fields.map((field) => [field, row[field] ?? 0])) };
  });
}

/** By what bars stand, so that there are never more than a phone has room for. */
const unitOf = (days) => (days > 90 ? 'Month' : days > 30 ? 'Week' : 'Day');

/** The day on which the week or month of a day begins. */
function beginning(date, unit) {
  if (unit === 'Month') {
    return `${date.slice(0, 7)}-01`;
  }
  const monday = new Date(date);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return unit === 'Week' ? monday.toISOString().slice(0, 10) : date;
}

/** A row for each day, week or month. */
function every(unit, days, rows, fields) {
  const found = new Map();
  for (const row of everyDay(days, rows, fields)) {
    const date = beginning(row.date, unit);
    const all = found.get(date) ?? { date, ...Object.fromEntries(fields.map((one) => [one, 0])) };
    fields.forEach((one) => (all[one] += row[one]));
    found.set(date, all);
  }
  return [...found.values()];
}

const LOOKS = {
  Day: { day: 'numeric', month: 'short' },
  Week: { day: 'numeric', month: 'short' },
  Month: { month: 'short', year: 'numeric' },
};
const column = (unit) => ({
  key: 'date',
  label: say(unit.toLowerCase()),
  show: (date) =>
    format(Intl.DateTimeFormat, { ...LOOKS[unit], timeZone: 'UTC' }).format(new Date(date)),
});
const costColumns = (first, currency) => [
  first,
  { key: 'cost', label: `${say('cost')} (${currency})`, drawn: true, fine: true, show: (cost) => cost === null ? '–' : money(cost, currency) },
];

/** What each model used. */
const modelColumns = (currency) => [
  { key: 'model', label: say('model'), show: (name) => name || '–' },
  ...costColumns('', currency).slice(1, currency ? 2 : 1),
  { key: 'requests', label: say('requests') },
  { ...tokenColumns('')[1], drawn: !currency },
  { key: 'cached_tokens', label: say('tokensCached'), show: short },
  { ...tokenColumns('')[2], drawn: !currency },
];

const sum = (rows, field) => rows.reduce((all, row) => all + row[field], 0);

function toolColumns() {
  return [
    { key: 'name', label: say('tool') },
    { key: 'calls', label: say('calls'), drawn: true },
    { key: 'answered', label: say('answered') },
    { key: 'total_ms', label: say('totalTime'), show: time },
    { key: 'longest_ms', label: say('longestTime'), show: time },
  ];
}

const tokenColumns = (first) => [
  first,
  { key: 'input_tokens', label: say('tokensInLabel'), drawn: true, show: short },
  { key: 'output_tokens', label: say('tokensOutLabel'), drawn: true, show: short },
];

const partial = (text) => html`<p class="partial" role="note">${text}</p>`;

const thisMonth = ({ months }) =>
  months.find(({ month }) => month === new Date().toISOString().slice(0, 7))?.cost ?? 0;

function ofStore(report, usage, days) {
  const unit = unitOf(days);
  const begun = every(unit, days, report.data, ['sessions', 'messages']);
  const { storage, total, currency } = usage;
  const priced = currency ? ['cost'] : [];
  const used = every(unit, days, usage.data, ['turns', 'input_tokens', 'output_tokens', ...priced]);
  const atLeast = (is, text) => (is ? say('atLeast', { count: text }) : text);
  return html`
    ${report.counted.partial
      ? partial(say('partialStore', { items: number(report.counted.items) }))
      : ''}
    ${cards([
      [say('sessionsBegun'), number(sum(begun, 'sessions'))],
      [say('messages'), atLeast(report.counted.partial, number(sum(begun, 'messages')))],
      [say('turnsTaken'), number(total.turns)],
      [say('tokensInLabel'), short(total.input_tokens)],
      [say('tokensOutLabel'), short(total.output_tokens)],
      ...(currency
        ? [
            [say('cost'), money(total.cost, currency)],
            [say('costThisMonth'), money(thisMonth(usage), currency)],
          ]
        : []),
      [say('toolCalls'), atLeast(report.counted.partial, number(report.tool_calls))],
      [say('conversationsKept'), atLeast(storage.partial, number(storage.sessions))],
      [say('storage'), atLeast(storage.partial, bytes(storage.bytes))],
    ])}
    <div class="plots">
      <clew-plot
        name="conversations"
        .heading=${say(`sessionsPer${unit}`)}
        .columns=${[column(unit), { key: 'sessions', label: say('conversations'), drawn: true }]}
        .rows=${begun}
      ></clew-plot>
      <clew-plot
        name="messages"
        .heading=${say(`messagesPer${unit}`)}
        .columns=${[column(unit), { key: 'messages', label: say('messages'), drawn: true }]}
        .rows=${begun}
      ></clew-plot>
      <clew-plot
        name="tokens"
        .heading=${say(`tokensPer${unit}`)}
        .columns=${tokenColumns(column(unit))}
        .rows=${used}
      ></clew-plot>
      ${currency
        ? html`<clew-plot
            name="cost"
            .heading=${say(`costPer${unit}`)}
            .columns=${costColumns(column(unit), currency)}
            .rows=${used}
          ></clew-plot>`
        : ''}
      ${usage.models.length > 0
        ? html`<clew-plot
            name="models"
            lying
            .heading=${say('models')}
            .columns=${modelColumns(currency)}
            .rows=${usage.models}
          ></clew-plot>`
        : ''}
      <clew-plot
        name="tools"
        lying
        .heading=${say('busiestTools')}
        .columns=${toolColumns()}
        .rows=${report.tools}
      ></clew-plot>
    </div>
    <p class="aside">${say('insightNote')} ${currency ? say('costNote') : ''}</p>
  `;
}

function ofSession(session) {
  const { counted, pauses, currency } = session;
  const turns = session.data.map((turn, i) => ({
    turn: session.turns - session.data.length + i + 1,
    ...turn,
  }));
  const turn = { key: 'turn', label: say('turn') };
  const ranges = pauses.ranges.map((range) => ({
    pause:
      range.below_seconds === null
        ? say('longer')
        : say('below', { time: time(range.below_seconds * 1000) }),
    count: range.count,
  }));
  return html`
    ${counted.partial ? partial(say('partialSession', { items: number(counted.items) })) : ''}
    ${cards([
      [say('turnsTaken'), number(session.turns)],
      [say('messages'), number(session.user_messages + session.assistant_messages)],
      [say('tokensInLabel'), short(session.input_tokens)],
      [say('tokensOutLabel'), short(session.output_tokens)],
      ...(currency ? [[say('cost'), money(session.cost, currency)]] : []),
      [say('toolCalls'), number(session.tool_calls)],
      [say('compactions'), number(session.compactions)],
      [say('medianPause'), pauses.median_ms === null ? '–' : time(pauses.median_ms)],
      [say('size'), `${say('items', { count: number(session.items) })}, ${bytes(session.bytes)}`],
    ])}
    <div class="plots">
      <clew-plot
        name="tokens-per-turn"
        .heading=${say('tokensPerTurn')}
        .columns=${[
          ...tokenColumns(turn),
          ...(currency ? [{ ...costColumns(turn, currency)[1], drawn: false }] : []),
          { key: 'at', label: say('when') },
        ]}
        .rows=${turns}
      ></clew-plot>
      <clew-plot
        name="time-per-turn"
        .heading=${say('timePerTurn')}
        .columns=${[
          turn,
          { key: 'duration_ms', label: say('time'), drawn: true, show: time },
          { key: 'tool_calls', label: say('toolCalls') },
        ]}
        .rows=${turns}
      ></clew-plot>
      ${session.models.length > 1
        ? html`<clew-plot
            name="models"
            lying
            .heading=${say('models')}
            .columns=${modelColumns(currency)}
            .rows=${session.models}
          ></clew-plot>`
        : ''}
      <clew-plot
        name="tools"
        lying
        .heading=${say('busiestTools')}
        .columns=${toolColumns()}
        .rows=${session.tools}
      ></clew-plot>
      <clew-plot
        name="pauses"
        .heading=${say('timeBetween')}
        .columns=${[
          { key: 'pause', label: say('time') },
          { key: 'count', label: say('messages'), drawn: true },
        ]}
        .rows=${ranges}
      ></clew-plot>
    </div>
    ${session.turns > turns.length
      ? html`<p class="aside">${say('newestTurns', { count: number(turns.length) })}</p>`
      : ''}
  `;
}
