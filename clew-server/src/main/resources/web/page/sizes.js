// Sizes and times in few digits.

import { format, number, say } from './words.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value) {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  const digits = { maximumFractionDigits: unit > 0 && rest < 100 ? 1 : 0 };
  return `${format(Intl.NumberFormat, digits).format(rest)} ${UNITS[unit]}`;
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
  const digits = { maximumFractionDigits: value < 10 && unit > 1 ? 1 : 0 };
  return say(name, { count: format(Intl.NumberFormat, digits).format(value) });
}

export const short = (value) =>
  value < 10_000
    ? number(value)
    : format(Intl.NumberFormat, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
