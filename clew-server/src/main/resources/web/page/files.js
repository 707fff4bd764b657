// Files into the page and out of it.

import { api } from './api.js';
import { listChanged } from './loaded.js';
import { go } from './router.js';
import { toast } from './toasts.js';
import { say } from './words.js';

/** Lets the browser save what the server sends from a path. */
export function saveFile(path, name = '') {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves every conversation in one file, a line of JSON for each. */
export async function exportAll() {
  const lines = [];
  let cursor;
  do {
    const page = await api.sessions({ limit: 100, order: 'created', cursor });
    for (const { session_id: id } of page.data) {
      lines.push(`${JSON.stringify(JSON.parse(await api.exported(id, 'json')))}\n`);
    }
    toast(say('exporting', { count: lines.length }), { millis: 1500 });
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }));
  saveFile(url, 'conversations.jsonl');
  URL.revokeObjectURL(url);
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
      for (const text of documents(await file.text())) {
        const made = await api.importText(text);
        const sessions = made.import?.sessions; // of another program, which may be many
        last = made.session_id;
        count += sessions ? Math.max(1, sessions.imported + sessions.continued) : 1;
      }
    } catch (e) {
      toast(say('importFailed', { name: file.name, reason: e.message }));
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

/** What exportAll() has written is many conversations; everything else is one. */
function documents(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  try {
    const each = lines.map((line) => JSON.parse(line));
    return each.every((one) => Array.isArray(one?.items)) ? lines : [text];
  } catch {
    return [text]; // of more than one line
  }
}
