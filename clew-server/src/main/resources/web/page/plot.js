import { html } from 'lit';
import { saveCsv } from './csv.js';
import { PageElement } from './element.js';
import { icons } from './icons.js';
import { number, say } from './words.js';

const WIDE = 3; // columns, behind which a phone shows each row below the other
const chart = import('chart.js').then((module) => module.default);
const show = (column, row) => (column.show ?? ((value) => (typeof value === 'number' ? number(value) : value)))(row[column.key]);

/**
 * A plot of some rows, with the same rows as a table and as a file. Its first column names a row,
 * those with `drawn` are drawn, one colour each.
 */
class Plot extends PageElement {
  static properties = {
    name: {}, // of the file
    heading: {},
    columns: { attribute: false }, // {key, label, drawn, show, fine: not in whole numbers}
    rows: { attribute: false },
    lying: { type: Boolean }, // bars to the right, for rows that are names
  };

  connectedCallback() {
    super.connectedCallback();
    this.again = () => this.requestUpdate();
    this.colours = matchMedia('(prefers-color-scheme: dark)');
    this.colours.addEventListener('change', this.again);
    this.theme = new MutationObserver(this.again);
    this.theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.colours.removeEventListener('change', this.again);
    this.theme.disconnect();
    this.chart?.destroy();
    this.chart = undefined;
  }

  render() {
    const drawn = this.columns.filter((one) => one.drawn);
    const none = this.rows.every((row) => drawn.every((one) => !row[one.key]));
    return html`<figure class="plot">
      <figcaption>
        <h2>${this.heading}</h2>
        <button
          class="quiet"
          aria-label=${say('csvOf', { name: this.heading })}
          ?disabled=${this.rows.length === 0}
          @click=${() => saveCsv(this.name, this.columns, this.rows)}
        >
          ${icons.into}<span>CSV</span>
        </button>
      </figcaption>
      <p class="legend" ?hidden=${drawn.length < 2}>
        ${drawn.map((one, i) => html`<span><i class="swatch s${i}"></i>${one.label}</span>`)}
      </p>
      <p class="nothing" ?hidden=${!none}>${say('nothingYet')}</p>
      <div class="canvas ${this.lying ? `lying rows-${Math.min(10, this.rows.length)}` : ''}" ?hidden=${none}>
        <canvas role="img" aria-label=${say('plotOf', { name: this.heading })}></canvas>
      </div>
      <details ?hidden=${this.rows.length === 0}>
        <summary>${say('asTable')}</summary>
        <div class="table ${this.columns.length > WIDE ? 'rows' : ''}" tabindex="0" role="region" aria-label=${this.heading}>
          <table>
            <thead>
              <tr>
                ${this.columns.map((one) => html`<th scope="col">${one.label}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${this.rows.map(
                (row) =>
                  html`<tr>
                    ${this.columns.map((one, i) =>
                      i === 0
                        ? html`<th scope="row">${show(one, row)}</th>`
                        : html`<td data-head=${one.label}>${show(one, row)}</td>`,
                    )}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>`;
  }

  async updated() {
    const Chart = await chart;
    if (!this.isConnected) {
      return;
    }
    this.chart?.destroy();
    this.chart = new Chart(this.querySelector('canvas'), this.drawing());
  }

  drawing() {
    const colour = (part) => getComputedStyle(this.querySelector(part)).color;
    const names = this.columns[0];
    const drawn = this.columns.filter((one) => one.drawn);
    const rows = this.lying ? this.rows.slice(0, 10) : this.rows;
    const format = drawn[0].show ?? number;
    const text = { color: colour('.plot'), font: { family: getComputedStyle(this).fontFamily } };
    const lines = { color: colour('.canvas') };
    const values = { stacked: true, beginAtZero: true, grid: lines, border: { display: false } };
    const labels = { stacked: true, grid: { display: false }, border: lines };
    const byValue = { ...values, ticks: { ...text, maxTicksLimit: 5, ...(drawn[0].fine ? {} : { precision: 0 }), callback: (value) => format(value) } };
    const byName = { ...labels, ticks: { ...text, maxRotation: 0, autoSkip: !this.lying, autoSkipPadding: 12 } };
    return {
      type: 'bar',
      data: {
        labels: rows.map((row) => shorten(show(names, row))),
        datasets: drawn.map((one, i) => ({
          label: one.label,
          data: rows.map((row) => row[one.key]),
          backgroundColor: colour(`.swatch.s${i}`),
          borderRadius: 3,
          maxBarThickness: 28,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: this.lying ? 'y' : 'x',
        scales: this.lying ? { x: byValue, y: byName } : { x: byName, y: byValue },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: ([at]) => String(show(names, rows[at.dataIndex])),
              label: (at) => `${at.dataset.label}: ${format(at.raw)}`,
            },
          },
        },
      },
    };
  }
}
customElements.define('clew-plot', Plot);

const shorten = (text) => (String(text).length > 24 ? `${String(text).slice(0, 23)}…` : text);
