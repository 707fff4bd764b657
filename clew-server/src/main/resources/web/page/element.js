import { LitElement } from 'lit';
import { follow } from './store.js';

/** What all elements of the page have in common: no shadow, and drawn again when its parts change. */
export class PageElement extends LitElement {
  /** The parts of the state it shows. */
  static follows = [];

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    const again = () => this.requestUpdate();
    this.unfollow = [...this.constructor.follows, 'words'].map((part) => follow(part, again));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.unfollow.forEach((end) => end());
  }
}
