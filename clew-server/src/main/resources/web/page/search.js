// Looks for conversations and for what was said in them.

import { api } from './api.js';
import { isHidden } from './conversations.js';
import { state } from './store.js';

const VALUES = {
  tag: '"[^"]+"|[^"\\s]\\S*',
  project: '"[^"]+"|[^"\\s]\\S*',
  archived: 'true|false',
  pinned: 'true|false',
  role: 'user|assistant|system|developer',
  tool: '\\S+',
  since: '\\d{4}-\\d\\d-\\d\\d',
  until: '\\d{4}-\\d\\d-\\d\\d',
};

/** Words such as tag:travel, which are about conversations or messages and not what was said. */
export const OPERATORS = Object.keys(VALUES);

const OF_CONVERSATIONS = ['project', 'archived', 'pinned'];
const OF_MESSAGES = ['role', 'tool', 'since', 'until'];
const OPERATOR = new RegExp(
  `(?<!\\S)(?:${OPERATORS.map((name) => `${name}:(?:${VALUES[name]})`).join('|')})(?!\\S)`,
  'gi',
);

/** What a text asks for: the fields of its operators, and the rest. */
export function operators(text) {
  const fields = {};
  const rest = text.replace(OPERATOR, (whole) => {
    const [, name, value] = /^(\w+):"?([^"]*)"?$/.exec(whole);
    fields[name.toLowerCase()] = value;
    return '';
  });
  return { fields, rest: rest.replace(/\s+/g, ' ').trim() };
}

/** The words of a text, as they stand in what is found. */
export const wordsOf = (text) => operators(text).rest.replaceAll('"', '').toLowerCase();

/** Whether a text only narrows a search for messages, and names none of their words. */
export function lacksWord(text) {
  const { fields, rest } = operators(text);
  return rest === '' && OF_MESSAGES.some((name) => fields[name] !== undefined);
}

/** What stands where a day belongs and is none, as since:yesterday. */
export const notADay = (text) =>
  [...text.matchAll(/(?<!\S)(?:since|until):(\S+)/gi)].find(
    ([, day]) => !/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)),
  )?.[1];

const MOST_TITLES = 6;
const MOST_LISTED = 50; // where only titles are asked for
const MOST_HITS = 30;
const MOST = 100; // where all of them are asked for

/** The id of a project that is called by its name. */
const projectOf = (name) =>
  name &&
  (state.library.projects.find((one) => one.name.toLowerCase() === name.toLowerCase())?.project_id ??
    name);

/** A day as the moment at which it begins here. */
const day = (text) => (text === undefined ? undefined : new Date(`${text}T00:00`).toISOString());

/**
 * Conversations by their titles, and messages, whichever the operators leave; the first of them, or
 * as many as there may be.
 */
export async function lookUp(text, signal, all = false) {
  const { fields, rest } = operators(text);
  const { tag, archived, pinned, role, tool } = fields;
  const has = (names) => names.some((name) => fields[name] !== undefined);
  const onlyTitles = rest === '' || has(OF_CONVERSATIONS);
  const wanted = { tag, project: projectOf(fields.project), archived, pinned, q: rest || undefined };
  const filter = { tag, role, tool, since: day(fields.since), until: day(fields.until) };
  const [titles, hits] = await Promise.all([
    has(OF_MESSAGES)
      ? { data: [] }
      : api.titles({ ...wanted, limit: all ? MOST : onlyTitles ? MOST_LISTED : MOST_TITLES }, signal),
    onlyTitles
      ? { data: [], partial: false }
      : api.search({ q: rest, ...filter, limit: all ? MOST : MOST_HITS }, signal),
  ]);
  return {
    titles: titles.data.filter((found) => !isHidden(found)),
    hits: hits.data.filter((found) => !isHidden(found)),
    more: Boolean(titles.next_cursor || hits.next_cursor),
    all,
    partial: hits.partial,
  };
}
