import { html } from 'lit';
import './more.js';
import { api } from './api.js';
import { copy } from './clipboard.js';
import { isSame } from './conversations.js';
import { dateAndTime } from './dates.js';
import { PageElement } from './element.js';
import { failed, toast } from './toasts.js';
import { say } from './words.js';

const LIVES = [0, 1, 7, 30]; // days; 0: until it is ended

/** The link by which anybody may read a conversation: made, copied, ended. */
class ShareDialog extends PageElement {
  static properties = { shared: { state: true } };

  async open(info) {
    this.session = info.session_id;
    try {
      const { data } = await api.shares();
      this.shared = data.findLast((one) => isSame(one, info)) ?? null;
    } catch (e) {
      failed(e);
      return;
    }
    await this.updateComplete;
    this.querySelector('dialog').showModal();
  }

  async make() {
    try {
      const seconds = Number(this.querySelector('select').value);
      this.shared = await api.share(this.session, { expires_in_seconds: seconds || null });
      copy(location.origin + this.shared.path);
    } catch (e) {
      failed(e);
    }
  }

  async end() {
    try {
      await api.unshare(this.shared.share_id);
      this.shared = null;
      toast(say('shareEnded'));
    } catch (e) {
      failed(e);
    }
  }

  render() {
    const { shared } = this;
    const link = shared ? location.origin + shared.path : '';
    return html`<dialog class="share" aria-labelledby="share-title">
      <h2 id="share-title">${say('share')}</h2>
      <p>${say('shareHint')}</p>
      ${shared
        ? html`<label
              >${say('shareFrom', { at: dateAndTime(shared.created_at) })}${shared.expires_at
                ? ` · ${say('expiresAt', { at: dateAndTime(shared.expires_at) })}`
                : ''}
              <input type="text" readonly .value=${link} @focus=${(event) => event.target.select()} />
            </label>
            <div class="choices">
              <button class="main" @click=${() => copy(link)}>${say('copyLink')}</button>
              <button class="danger" @click=${this.end}>${say('endShare')}</button>
              <button @click=${this.close}>${say('close')}</button>
            </div>`
        : html`<label
              >${say('expires')}
              <select>
                ${LIVES.map(
                  (days) =>
                    html`<option value=${days * 86_400}>
                      ${days === 0 ? say('never') : say('afterDays', { count: days })}
                    </option>`,
                )}
              </select>
            </label>
            <div class="choices">
            <button class="main" @click=${this.make}>${say('makeLink')}</button>
            <button @click=${this.close}>${say('cancel')}</button>
          </div>`}
    </dialog>`;
  }

  close() {
    this.querySelector('dialog').close();
  }
}
customElements.define('clew-share', ShareDialog);

export const share = (info) => document.querySelector('clew-share').open(info);
