// What the page says, in the language of who reads it.

import { change, state } from './store.js';
import { english } from './words.en.js';

/** What loads the words of a language. */
const languages = { en: () => english, zh: async () => (await import('./words.zh.js')).chinese };
let words = english;

/** The words for a thing. {name} in them stands for a value; {count} may decide the form. */
export function say(key, values = {}) {
  const found = words[key] ?? english[key] ?? key;
  const text = found.other === undefined ? found : found[plural(values.count)] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

const plural = (count) => format(Intl.PluralRules).select(Number(count));

/** How dates and numbers are written. */
export function locale() {
  const { language } = state.words;
  const wanted = navigator.languages?.find((one) => one.split('-')[0] === language);
  return wanted ?? { en: 'en-GB', zh: 'zh-CN' }[language];
}

const formats = new Map();

/** What writes something as people of this language do. It is slow to make and quick to use. */
export function format(Kind, options = {}) {
  const key = locale() + Kind.name + JSON.stringify(options);
  if (!formats.has(key)) {
    formats.set(key, new Kind(locale(), options));
  }
  return formats.get(key);
}

export const number = (value) => format(Intl.NumberFormat).format(value);

async function speak(language) {
  words = await languages[language]();
  document.documentElement.lang = language;
  change('words', { language });
}

export function switchLanguage(language) {
  keep('clew.language', language);
  return speak(language);
}

export function keep(name, value) {
  try {
    if (value === null) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, value);
    }
  } catch {
    // A browser that keeps nothing: until the page is closed, then.
  }
}

/** The names of everything that is kept. */
export function keptNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// Before anything is drawn: what was chosen before, else what the browser prefers.
const { lang } = document.documentElement;
await speak(lang in languages ? lang : 'en');
