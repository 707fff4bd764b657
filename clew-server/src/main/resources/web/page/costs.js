// What answers cost, where the server knows the prices.

import { state } from './store.js';
import { format } from './words.js';

/** An amount of money in few digits. */
export function money(value, currency) {
  const digits = value !== 0 && Math.abs(value) < 0.1 ? { maximumSignificantDigits: 2 } : {};
  return format(Intl.NumberFormat, { style: 'currency', currency, ...digits }).format(value);
}

/** What some answers cost, as the notes of their tokens tell; nothing if a price is not known. */
export function costOf(used) {
  const { models, currency } = state.me.prices;
  if (used.length === 0 || !used.every(({ model }) => models[model])) {
    return undefined;
  }
  const one = ({ model, input_tokens: all, cached_tokens: cached = 0, output_tokens: out }) => {
    const { input, cached_input: cachedInput, output } = models[model];
    return ((all - cached) * input + cached * cachedInput + out * output) / 1e6;
  };
  return money(used.reduce((sum, notes) => sum + one(notes), 0), currency);
}
