// Days and times as a person says them.

import { format, say } from './words.js';

const DAY = 86_400_000;

function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Under which heading a conversation stands that was changed at this time. */
export function dayGroup(text, now = new Date()) {
  const date = new Date(text);
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY);
  if (days <= 0) {
    return say('today');
  }
  if (days === 1) {
    return say('yesterday');
  }
  if (days <= 7) {
    return say('lastWeek');
  }
  if (days <= 30) {
    return say('lastMonth');
  }
  return format(Intl.DateTimeFormat, { month: 'long', year: 'numeric' }).format(date);
}

export function dateAndTime(text) {
  const style = { dateStyle: 'medium', timeStyle: 'short' };
  return format(Intl.DateTimeFormat, style).format(new Date(text));
}

/** How long something took. */
export function duration(from, to) {
  const seconds = Math.max(0, new Date(to) - new Date(from)) / 1000;
  if (seconds < 0.01) {
    return '';
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
