// What the page says, in the language of who reads it.

import { change, state } from './store.js';
import { english } from './words.en.js';

/** Another language is two files, words.NAME.js and words-more.NAME.js, and one line here. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', zh: '中文' };
const LOCALES = { en: 'en-GB', de: 'de', es: 'es', zh: 'zh-CN' };

const known = { en: english };
const knowsMore = new Set(); // languages
let wantsMore = false;

const file = async (name) => (await import(new URL(`${name}.js`, import.meta.url))).words;

async function learn(language) {
  known[language] ??= await file(`words.${language}`);
  if (wantsMore && !knowsMore.has(language)) {
    Object.assign(known[language], await file(`words-more.${language}`));
    knowsMore.add(language);
  }
}

/** Learns what is said by what is loaded later; others need not wait for it. */
export function learnMore() {
  wantsMore = true;
  return Promise.all(['en', state.words.language].map(learn));
}

/** The words for a thing. {name} in them stands for a value; {count} may decide the form. */
export function say(key, values = {}) {
  const words = known[state.words.language][key] ?? english[key] ?? key;
  const text = words.other === undefined ? words : words[plural(values.count)] ?? words.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

const plural = (count) => format(Intl.PluralRules).select(Number(count));

/** How dates and numbers are written. */
export function locale() {
  const { language } = state.words;
  const wanted = navigator.languages?.find((one) => one.split('-')[0] === language);
  return wanted ?? LOCALES[language];
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

export async function speak(language) {
  await learn(language);
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

/* What was chosen before, else what the browser prefers; before anything is drawn. */
const chosen = document.documentElement.lang;
if (chosen in LANGUAGES && chosen !== 'en') {
  await learn(chosen).then(
    () => (state.words.language = chosen),
    () => {}, // in English, then
  );
}
document.documentElement.lang = state.words.language;
