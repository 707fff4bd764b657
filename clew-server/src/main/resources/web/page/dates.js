// Days and times as a person says them.

import { format, say } from './words.js';

/** When a day begins, as it compares with the times of conversations. */
const dayText = (year, month, day) => new Date(year, month, day).toISOString().slice(0, 19);

/**
 * Under which heading a conversation stands that was changed at a time. The answer goes on for all
 * times of the same heading, so that a long list asks the calendar only where one begins.
 */
export function dayGroups(now = new Date()) {
  const daysAgo = (days) => dayText(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const named = [
    { heading: say('today'), from: daysAgo(0), until: '~' },
    { heading: say('yesterday'), from: daysAgo(1), until: daysAgo(0) },
    { heading: say('lastWeek'), from: daysAgo(7), until: daysAgo(1) },
    { heading: say('lastMonth'), from: daysAgo(30), until: daysAgo(7) },
  ];
  const month = (text) => {
    const date = new Date(text);
    const style = { month: 'long', year: 'numeric' };
    const next = dayText(date.getFullYear(), date.getMonth() + 1, 1);
    return {
      heading: format(Intl.DateTimeFormat, style).format(date),
      from: dayText(date.getFullYear(), date.getMonth(), 1),
      until: next < daysAgo(30) ? next : daysAgo(30),
    };
  };
  const holds = (group, text) => group.from <= text && text < group.until;
  let last = named[0];
  return (text) => {
    if (!holds(last, text)) {
      last = named.find((group) => holds(group, text)) ?? month(text);
    }
    return last.heading;
  };
}

export function dateAndTime(text) {
  const style = { dateStyle: 'medium', timeStyle: 'short' };
  return format(Intl.DateTimeFormat, style).format(new Date(text));
}

/** How long something took. */
export function duration(millis) {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 0.05) {
    return '';
  }
  if (seconds < 100) {
    return say('seconds', { count: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) });
  }
  return seconds < 5400
    ? say('minutes', { count: Math.round(seconds / 60) })
    : say('hours', { count: Math.round(seconds / 3600) });
}
