// Everything the page asks of the server.

import { change, state } from './store.js';

/** The server has answered that it does not do this. */
export class Refusal extends Error {
  constructor(status, { code = '', message = '', request_id = '' }, retryAfter = 0) {
    super(message);
    this.status = status;
    this.code = code;
    this.request = request_id;
    this.retryAfter = retryAfter; // seconds
  }
}

const at = (id) => `/api/sessions/${encodeURIComponent(id)}`;

async function send(method, path, body, more = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      credentials: 'same-origin',
      ...more,
    });
  } catch (e) {
    if (e.name !== 'AbortError') {
      offline(true);
    }
    throw e;
  }
  offline(false);
  if (response.ok) {
    return response;
  }
  if (response.status === 401 && !state.shell.ended) {
    change('shell', { ended: true }); // nothing typed is lost until one signs in again
  }
  const text = await response.text();
  let error = {};
  try {
    error = JSON.parse(text).error ?? {};
  } catch {
    // A proxy has answered.
  }
  const wait = Number(response.headers.get('retry-after')) || 0;
  throw new Refusal(response.status, { message: response.statusText, ...error }, wait);
}

async function json(method, path, body, more) {
  return (await send(method, path, body, more)).json();
}

function offline(is) {
  if (state.shell.offline !== is) {
    change('shell', { offline: is });
  }
}

function query(fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given).toString();
}

export const api = {
  me: () => json('GET', '/api/me'),
  sessions: (fields) => json('GET', `/api/sessions?${query(fields)}`),
  session: (id) => json('GET', at(id)),
  describe: (id, fields) => json('PATCH', at(id), fields),
  remove: (id, more) => json('DELETE', at(id), undefined, more),
  removeAll: (where) => json('DELETE', `/api/sessions?${query({ all: true, ...where })}`),
  describeAll: (where, fields) =>
    json('PATCH', `/api/sessions?${query({ all: true, ...where })}`, fields),
  fork: (id, fields) => json('POST', `${at(id)}/fork`, fields),
  branch: (id, fields) => json('POST', `${at(id)}/branches`, fields),
  branches: (id) => json('GET', `${at(id)}/branches`),
  rate: (id, position, fields) => json('PATCH', `${at(id)}/items/${position}`, fields),
  shares: () => json('GET', '/api/shares'),
  share: (id, fields) => json('POST', `${at(id)}/shares`, fields),
  unshare: (id) => json('DELETE', `/api/shares/${id}`),
  undo: (id) => json('POST', `${at(id)}/undo`),
  stop: (id) => json('POST', `${at(id)}/stop`),
  compact: (id) => json('POST', `${at(id)}/compact`),
  queue: (id) => json('GET', `${at(id)}/queue`),
  withdraw: (id, turn) => json('DELETE', `${at(id)}/queue/${encodeURIComponent(turn)}`),
  approvals: (id) => json('GET', `${at(id)}/approvals`),
  items: (id, fields) => json('GET', `${at(id)}/items?${query({ files: 'links', ...fields })}`),
  search: (fields, signal) => json('GET', `/api/search?${query(fields)}`, undefined, { signal }),
  titles: (fields, signal) => json('GET', `/api/sessions?${query(fields)}`, undefined, { signal }),
  importText: (text) => json('POST', '/api/sessions/import', text),
  exportPath: (id, format) => `${at(id)}/export?format=${format}`,
  exported: async (id, format) => (await send('GET', `${at(id)}/export?format=${format}`)).text(),
  tags: () => json('GET', '/api/tags'),
  preferences: () => json('GET', '/api/preferences'),
  prefer: (fields) => json('PATCH', '/api/preferences', fields),
  projects: () => json('GET', '/api/projects'),
  makeProject: (fields) => json('POST', '/api/projects', fields),
  changeProject: (id, fields) => json('PATCH', `/api/projects/${id}`, fields),
  removeProject: (id) => json('DELETE', `/api/projects/${id}`),
  prompts: () => json('GET', '/api/prompts'),
  makePrompt: (fields) => json('POST', '/api/prompts', fields),
  changePrompt: (id, fields) => json('PATCH', `/api/prompts/${id}`, fields),
  removePrompt: (id) => json('DELETE', `/api/prompts/${id}`),
  insight: (days) => json('GET', `/api/insight?${query({ days })}`),
  usage: (days) => json('GET', `/api/usage?${query({ days })}`),
  sessionInsight: (id) => json('GET', `${at(id)}/insight`),
  tokens: () => json('GET', '/api/admin/tokens'),
  makeToken: (fields) => json('POST', '/api/admin/tokens', fields),
  revokeToken: (id) => json('DELETE', `/api/admin/tokens/${encodeURIComponent(id)}`),
  owners: (cursor) => json('GET', `/api/admin/owners?${query({ cursor })}`),
  othersSessions: (owner) => json('GET', `/api/admin/sessions?${query({ owner })}`),
  othersPath: (owner, id) => `/api/admin/sessions/${encodeURIComponent(id)}?${query({ owner })}`,
  retention: () => json('GET', '/api/admin/retention'),
  mcpServers: () => json('GET', '/api/admin/mcp'),
  audit: (cursor) => json('GET', `/api/admin/audit?${query({ cursor })}`),
  signOut: () => send('POST', '/sign-out', undefined, { redirect: 'manual' }).catch(() => {}),

  turns: () => json('GET', '/api/turns'),

  /** Says something, once for each key; calls back when there is a session, see turn(). */
  say: (id, said, key, begun) =>
    turn('/api/chat', { session_id: id, ...said, stream: true }, begun, { 'Idempotency-Key': key }),
  /** Says something while a turn runs; returns as soon as the server has it. */
  sayNext: (id, said, key) =>
    turn('/api/chat', { session_id: id, ...said, stream: true }, undefined, { 'Idempotency-Key': key }, true),
  regenerate: (id) => turn(`${at(id)}/regenerate`, { stream: true }),
  decide: (id, fields) => turn(`${at(id)}/approvals`, { ...fields, stream: true }),
};

/**
 * Takes a turn, and returns when it is over. What is said in it the live updates tell, here as in
 * every other window; the turn goes on if nobody reads this. False if the connection broke, so that
 * only the live updates will tell how it ends.
 */
async function turn(path, body, begun = () => {}, more = {}, leaves = false) {
  const headers = { Accept: 'text/event-stream', ...more };
  const response = await send('POST', path, body, { headers });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return true; // other decisions are still open
  }
  let hasBegun = false;
  try {
    for await (const event of events(response)) {
      if (event.name === 'session') {
        hasBegun = true;
        begun();
      } else if (leaves && event.name !== 'error') {
        return false; // it waits, or has begun at once
      } else if (event.name === 'done') {
        return true;
      } else if (event.name === 'error') {
        const { error } = JSON.parse(event.data);
        if (hasBegun && error.code === 'invalid_api_key') {
          return false; // signed out meanwhile; the turn goes on
        }
        throw new Refusal(0, error);
      }
    }
  } catch (e) {
    if (e instanceof Refusal || !hasBegun) {
      throw e;
    }
  }
  return false;
}

/** The events of a response, one after the other. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    while (true) {
      const { value, done } = await reader.read();
      if (done) {
        return;
      }
      const parts = (rest + value).split('\n\n');
      rest = parts.pop();
      yield* parts.map(eventOf).filter((event) => event.data);
    }
  } finally {
    reader.cancel().catch(() => {}); // whoever leaves needs the connection no more
  }
}

function eventOf(part) {
  const event = { id: '', name: 'message', data: '' };
  for (const line of part.split('\n')) {
    if (line.startsWith('id: ')) {
      event.id = line.slice(4);
    } else if (line.startsWith('event: ')) {
      event.name = line.slice(7);
    } else if (line.startsWith('data: ')) {
      event.data += line.slice(6);
    }
  }
  return event;
}

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

/**
 * Follows what happens in a session, from a version on, until it is told to stop. Comes back by
 * itself when the connection breaks, and misses nothing. A window that nobody sees lets go of its
 * connection, of which a browser has only six.
 */
export function watch(id, version, heard) {
  let last = version;
  let ended = false;
  let reading = null;
  let wake = () => {};

  const seen = () => {
    if (document.hidden) {
      reading?.abort();
    } else {
      wake();
    }
  };
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', seen);

  async function go() {
    let pause = SHORTEST_PAUSE;
    while (!ended) {
      if (document.hidden) {
        await new Promise((resolve) => (wake = resolve));
        continue;
      }
      reading = new AbortController();
      try {
        const response = await send('GET', `${at(id)}/events?files=links&after=${last}`, undefined, {
          signal: reading.signal,
        });
        pause = SHORTEST_PAUSE;
        heard('connected', {});
        for await (const event of events(response)) {
          if (ended) {
            return;
          }
          heard(event.name, JSON.parse(event.data));
          if (event.id) {
            last = event.id;
          }
        }
      } catch (e) {
        if (ended || e.status === 401) {
          return;
        }
        if (e.status === 404) {
          heard('gone', {});
          return;
        }
        if (!(e instanceof Refusal) && e.name !== 'AbortError') {
          offline(true);
        }
      }
      if (!ended && !document.hidden) {
        await new Promise((resolve) => {
          wake = resolve;
          setTimeout(resolve, pause);
        });
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
  go();
  return () => {
    ended = true;
    reading?.abort();
    wake();
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', seen);
  };
}
