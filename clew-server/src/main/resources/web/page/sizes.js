// Sizes and times in few digits.

import { locale, number, say } from './words.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value) {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  const format = { maximumFractionDigits: unit > 0 && rest < 100 ? 1 : 0 };
  return `${new Intl.NumberFormat(locale(), format).format(rest)} ${UNITS[unit]}`;
}

const STEPS = [
  [1000, 1, 'millis'],
  [60_000, 1000, 'seconds'],
  [3_600_000, 60_000, 'minutes'],
  [172_800_000, 3_600_000, 'hours'],
  [Infinity, 86_400_000, 'days'],
];

/** How long something took, from milliseconds. */
export function time(millis) {
  const [, unit, name] = STEPS.find(([below]) => millis < below);
  const value = millis / unit;
  const format = { maximumFractionDigits: value < 10 && unit > 1 ? 1 : 0 };
  return say(name, { count: new Intl.NumberFormat(locale(), format).format(value) });
}

export const short = (value) =>
  value < 10_000
    ? number(value)
    : new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);
