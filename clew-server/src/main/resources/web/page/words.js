// What the page says, in the language of who reads it.

import { change, state } from './store.js';
import { english } from './words.en.js';
import { chinese } from './words.zh.js';

const languages = { en: english, zh: chinese };

/** The words for a thing. {name} in them stands for a value; {count} may decide the form. */
export function say(key, values = {}) {
  const words = languages[state.words.language][key] ?? english[key] ?? key;
  const text = words.other === undefined ? words : words[plural(values.count)] ?? words.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

const plural = (count) => format(Intl.PluralRules).select(Number(count));

/** How dates and numbers are written. */
export const locale = () => (state.words.language === 'zh' ? 'zh-CN' : 'en-GB');

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

export function speak(language) {
  document.documentElement.lang = language;
  change('words', { language });
}

/** Chooses the language: what was chosen before, else what the browser prefers. */
export function chooseLanguage() {
  const chosen = document.documentElement.lang;
  speak(chosen in languages ? chosen : 'en');
}

export function switchLanguage(language) {
  keep('clew.language', language);
  speak(language);
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

export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
