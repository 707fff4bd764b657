import { html } from 'lit';
import './plot.js';
import { api } from './api.js';
import { copy } from './clipboard.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { agree } from './question.js';
import { bytes } from './sizes.js';
import { change, state } from './store.js';
import { failed } from './toasts.js';
import { cards, viewHead, waiting } from './view-head.js';
import { number, say } from './words.js';

const DAY_SECONDS = 86_400;
const LIVES = [0, 7, 30, 90, 365];
const SCOPES = ['read', 'write', 'admin', 'metrics'];

/** What administrators look after. The server decides who that is, here it is only shown. */
class Admin extends PageElement {
  static follows = ['admin', 'me'];

  connectedCallback() {
    super.connectedCallback();
    load();
  }

  render() {
    const { known, failed: broken, retention } = state.admin;
    return html`${viewHead(say('administration'))}
      <div class="view-body" tabindex="-1">
        ${known
          ? html`${this.tokens()} ${this.owners()}
              <section>
                <h2>${say('retention')}</h2>
                ${cards([
                  [say('auditKept'), say('days', { count: number(retention.audit_days) })],
                  [say('responsesKept'), say('days', { count: number(retention.responses_days) })],
                  [say('usageKept'), say('days', { count: number(retention.usage_days) })],
                  [
                    say('itemsInASession'),
                    retention.items_in_a_session ? number(retention.items_in_a_session) : say('anyNumber'),
                  ],
                ])}
                <p class="aside">${say('retentionNote')}</p>
              </section>
              ${this.mcpServers()} ${this.audit()}`
          : waiting(broken, load)}
      </div>`;
  }

  tokens() {
    const { tokens, made } = state.admin;
    return html`<section>
      <h2>${say('tokens')}</h2>
      <form class="make-token" @submit=${this.make}>
        <label>${say('owner')} <input type="text" name="owner" required maxlength="256" autocomplete="off" /></label>
        <label>${say('tokenName')} <input type="text" name="name" maxlength="200" autocomplete="off" /></label>
        <fieldset>
          <legend>${say('scopes')}</legend>
          ${SCOPES.map(
            (scope) =>
              html`<label class="check">
                <input type="checkbox" name="scope" value=${scope} ?checked=${scope === 'read' || scope === 'write'} />${say(scope)}
              </label>`,
          )}
        </fieldset>
        <label
          >${say('expires')}
          <select name="days">
            ${LIVES.map(
              (days) =>
                html`<option value=${days}>${days ? say('afterDays', { count: days }) : say('never')}</option>`,
            )}
          </select></label
        >
        <button class="main">${say('makeToken')}</button>
      </form>
      <div role="status">
        ${made
          ? html`<div class="made">
              <p>${say('secretOnce')}</p>
              <code>${made}</code>
              <button @click=${() => copy(made)}>${say('copy')}</button>
              <button class="quiet" @click=${() => change('admin', { made: null })}>${say('done')}</button>
            </div>`
          : ''}
      </div>
      ${table(
        say('tokens'),
        [say('owner'), say('tokenName'), say('scopes'), say('created'), say('expires'), ''],
        tokens.map((token) => [
          token.owner || say('defaultOwner'),
          token.name,
          token.scopes.map((scope) => say(scope)).join(', '),
          dateAndTime(token.created_at),
          token.expires_at ? dateAndTime(token.expires_at) : say('never'),
          html`<button
            class="quiet danger"
            aria-label=${say('revokeOne', { name: token.name || token.token_id })}
            @click=${() => revoke(token)}
          >
            ${say('revoke')}
          </button>`,
        ]),
      )}
    </section>`;
  }

  async make(event) {
    event.preventDefault();
    const form = event.target;
    const fields = new FormData(form);
    const days = Number(fields.get('days'));
    try {
      const { secret } = await api.makeToken({
        owner: fields.get('owner').trim(),
        name: fields.get('name').trim(),
        scopes: fields.getAll('scope'),
        ttl_seconds: days ? days * DAY_SECONDS : null,
      });
      form.reset();
      change('admin', { made: secret, tokens: (await api.tokens()).data });
    } catch (e) {
      failed(e);
    }
  }

  owners() {
    const { owners, moreOwners } = state.admin;
    return html`<section>
      <clew-plot
        name="owners"
        lying
        .heading=${say('storageByOwner')}
        .columns=${[
          { key: 'owner', label: say('owner'), show: (owner) => owner || say('defaultOwner') },
          { key: 'bytes', label: say('storage'), drawn: true, show: bytes },
          { key: 'sessions', label: say('conversations') },
          { key: 'items', label: say('itemsLabel') },
          { key: 'partial', label: say('counted'), show: (is) => say(is ? 'atLeastThis' : 'wholly') },
        ]}
        .rows=${owners}
      ></clew-plot>
      ${moreOwners
        ? html`<p class="aside">${say('firstOwners', { count: number(owners.length) })}</p>
            <button @click=${loadOwners}>${say('moreOwners')}</button>`
        : ''}
      ${state.me.reads_others ? this.reading() : ''}
    </section>`;
  }

  /** What others have said, where whoever runs the server allows that. */
  reading() {
    const { owners, others } = state.admin;
    return html`<form class="make-token" @submit=${this.read}>
        <label
          >${say('readOf')}
          <select name="owner">
            ${owners.map(({ owner }) => html`<option value=${owner}>${owner || say('defaultOwner')}</option>`)}
          </select></label
        >
        <button>${say('showConversations')}</button>
        <span class="aside">${say('readingNoted')}</span>
      </form>
      ${others
        ? table(
            say('conversations'),
            [say('when'), say('conversations'), say('itemsLabel')],
            others.data.map((one) => [
              dateAndTime(one.updated_at),
              html`<a href=${api.othersPath(others.owner, one.session_id)} target="_blank" rel="noopener"
                >${one.title || one.session_id}</a
              >`,
              number(one.item_count),
            ]),
          )
        : ''}`;
  }

  async read(event) {
    event.preventDefault();
    const owner = new FormData(event.target).get('owner');
    try {
      const { data } = await api.othersSessions(owner);
      change('admin', { others: { owner, data } });
    } catch (e) {
      failed(e);
    }
  }

  /** The MCP servers that are called, and those that programs may name. */
  mcpServers() {
    const { servers, allowed, allowed_private: allowedPrivate } = state.admin.mcp;
    const rows = [
      ...servers.map(({ name, address }) => [name, address, '']),
      ...allowed.map((url) => ['', url, say('mcpAllowed')]),
      ...allowedPrivate.map((url) => ['', url, say('mcpAllowedPrivate')]),
    ];
    return rows.length === 0
      ? ''
      : html`<section>
          <h2>${say('mcpServers')}</h2>
          ${table(say('mcpServers'), [say('tokenName'), say('mcpAddress'), ''], rows)}
        </section>`;
  }

  audit() {
    const { entries, moreEntries, wanted = '' } = state.admin;
    const isWanted = (entry) =>
      Object.values(entry).some((value) => String(value).toLowerCase().includes(wanted));
    return html`<section>
      <h2>${say('auditLog')}</h2>
      <input
        type="text"
        aria-label=${say('auditFilter')}
        placeholder=${say('auditFilter')}
        @input=${(event) => change('admin', { wanted: event.target.value.trim().toLowerCase() })}
      />
      ${table(
        say('auditLog'),
        [say('when'), say('who'), say('what'), say('result'), say('owner'), say('request')],
        entries.filter(isWanted).map((entry) => [
          dateAndTime(entry.at),
          entry.who,
          entry.what,
          entry.result,
          entry.owner ?? '',
          entry.request_id ?? '',
        ]),
      )}
      ${moreEntries ? html`<button @click=${loadEntries}>${say('olderEntries')}</button>` : ''}
    </section>`;
  }
}
customElements.define('clew-admin', Admin);

const table = (name, heads, rows) => html`<div class="table rows" tabindex="0" role="region" aria-label=${name}>
  <table>
    <thead>
      <tr>
        ${heads.map((head) => (head ? html`<th scope="col">${head}</th>` : html`<td></td>`))}
      </tr>
    </thead>
    <tbody>
      ${rows.map((cells) => html`<tr>${cells.map((cell, i) => html`<td data-head=${heads[i]}>${cell}</td>`)}</tr>`)}
    </tbody>
  </table>
</div>`;

async function load() {
  change('admin', { known: false, failed: false, made: null });
  try {
    const [tokens, owners, retention, mcp, audit] = await Promise.all([
      api.tokens(),
      api.owners(),
      api.retention(),
      api.mcpServers(),
      api.audit(),
    ]);
    change('admin', {
      known: true,
      tokens: tokens.data,
      owners: owners.data,
      moreOwners: owners.next_cursor,
      retention,
      mcp,
      entries: audit.data,
      moreEntries: audit.next_cursor,
    });
  } catch {
    change('admin', { failed: true });
  }
}

/** Asks first: programs that use the token stop working at once. */
async function revoke(token) {
  const name = token.name || token.token_id;
  const isMine = token.token_id === state.me.token_id;
  const hint = say(isMine ? 'revokeOwnHint' : 'revokeHint');
  if (!(await agree(say('revokeAsk', { name }), hint, say('revoke')))) {
    return;
  }
  try {
    await api.revokeToken(token.token_id);
    change('admin', { tokens: (await api.tokens()).data });
  } catch (e) {
    failed(e);
  }
}

async function loadOwners() {
  try {
    const page = await api.owners(state.admin.moreOwners);
    change('admin', {
      owners: state.admin.owners.concat(page.data),
      moreOwners: page.next_cursor,
    });
  } catch (e) {
    failed(e);
  }
}

async function loadEntries() {
  try {
    const page = await api.audit(state.admin.moreEntries);
    change('admin', {
      entries: state.admin.entries.concat(page.data),
      moreEntries: page.next_cursor,
    });
  } catch (e) {
    failed(e);
  }
}
