// Files into the page and out of it.

import './more.js';
import { api } from './api.js';
import { listChanged } from './loaded.js';
import { go } from './router.js';
import { progress, toast } from './toasts.js';
import { number, say } from './words.js';

const HELD = 4 << 20; // bytes in memory; what is more the browser puts where it likes
const START = 64 << 10; // of a file, which shows what it is
const LINE_END = 10;

/** Lets the browser save what the server sends from a path. */
export function saveFile(path, name = '') {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

const ENDINGS = {
  bash: 'sh', cpp: 'cpp', csharp: 'cs', cs: 'cs', haskell: 'hs', javascript: 'js', kotlin: 'kt',
  markdown: 'md', perl: 'pl', python: 'py', ruby: 'rb', rust: 'rs', shell: 'sh', typescript: 'ts',
  yaml: 'yaml',
};

/** Lets the browser save code, under the ending that files of its language have. */
export function saveCode(text, language) {
  const name = language.toLowerCase();
  const ending = ENDINGS[name] ?? (/^[a-z0-9]{1,10}$/.test(name) ? name : 'txt');
  saveBlob(new Blob([text], { type: 'text/plain' }), `code.${ending}`);
}

function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  saveFile(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function refused(response) {
  const { error } = await response.json().catch(() => ({}));
  return new Error(error?.message ?? response.statusText);
}

/** Saves every conversation in one file, a line of JSON for each. */
export async function exportAll() {
  const cancelled = new AbortController();
  const shown = progress(say('exporting', { count: 0 }), () => cancelled.abort());
  try {
    const response = await fetch('/api/export', { signal: cancelled.signal });
    if (!response.ok) {
      throw await refused(response);
    }
    let file = new Blob([]);
    let held = [];
    let bytes = 0;
    let count = 0;
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      held.push(piece.value);
      bytes += piece.value.length;
      count += lineEnds(piece.value);
      if (bytes > HELD) {
        file = new Blob([file, ...held]);
        held = [];
        bytes = 0;
        shown.says(say('exporting', { count: number(count) }));
      }
    }
    saveBlob(new Blob([file, ...held], { type: 'application/jsonl' }), 'conversations.jsonl');
  } finally {
    shown.ends();
  }
}

function lineEnds(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) {
    count++;
  }
  return count;
}

/** Asks for files and imports them. */
export function chooseImport() {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.json,.jsonl';
  input.onchange = () => importFiles(input.files);
  input.click();
}

export async function importFiles(files) {
  let count = 0;
  let last = null;
  for (const file of files) {
    try {
      const made = (await isOfMany(file)) ? await importMany(file) : await importOne(file);
      count += made.count;
      last = made.last ?? last;
    } catch (e) {
      if (e.name !== 'AbortError') {
        toast(sayWhy(file.name, e));
      }
    }
  }
  if (count > 0) {
    toast(say('imported', { count }));
    await listChanged();
  }
  if (count === 1) {
    go(last);
  }
}

const sayWhy = (name, e) =>
  e.code === 'invalid_export' || e.code === 'invalid_item'
    ? say('notAnExport', { name })
    : say('importFailed', { name, reason: e.message });

/** What exportAll() has written begins each line like this; everything else is one conversation. */
async function isOfMany(file) {
  return /^\s*\{\s*"session_id":.*"items"|^\s*\{\s*"session_id":[^\n]{10000}/.test(
    await file.slice(0, START).text(),
  );
}

async function importOne(file) {
  const made = await api.importText(await file.text());
  const sessions = made.import?.sessions; // of another program, which may be many
  return {
    last: made.session_id,
    count: sessions ? Math.max(1, sessions.imported + sessions.continued) : 1,
  };
}

/** The browser sends the file as it reads it, and the server stores it as it comes. */
async function importMany(file) {
  const request = new XMLHttpRequest();
  const shown = progress(say('importing', { percent: '0 %' }), () => request.abort());
  try {
    const report = await new Promise((resolve, reject) => {
      request.open('POST', '/api/import');
      request.upload.onprogress = ({ loaded, total }) =>
        shown.says(say('importing', { percent: `${Math.floor((100 * loaded) / total)} %` }));
      request.onload = () =>
        request.status === 200
          ? resolve(JSON.parse(request.responseText))
          : reject(new Error(JSON.parse(request.responseText).error?.message));
      request.onerror = () => reject(new Error(say('offline')));
      request.onabort = () => {
        listChanged(); // what has come until then stays
        reject(new DOMException('', 'AbortError'));
      };
      request.send(file);
    });
    if (report.refused > 0) {
      const [{ line, reason }] = report.faults;
      toast(say('importedPartly', { count: report.refused, name: file.name, line, reason }));
    }
    return { last: report.session_id, count: report.imported };
  } finally {
    shown.ends();
  }
}
