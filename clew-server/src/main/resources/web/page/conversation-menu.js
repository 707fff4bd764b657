// What can be done with a conversation, wherever it is shown.

import { api } from './api.js';
import { archive, isSame, listed, pin, remove, titleOf } from './conversations.js';
import { openFind } from './find.js';
import { icons } from './icons.js';
import { listChanged } from './loaded.js';
import { openMenu } from './menu.js';
import { go, goToView } from './router.js';
import { change, state } from './store.js';
import { compact, undo } from './thread-actions.js';
import { failed } from './toasts.js';
import { say } from './words.js';

const FORMATS = { md: 'Markdown', html: 'HTML', json: 'JSON', jsonl: 'JSONL' };

/** Opens the menu of a conversation. */
export function conversationMenu(anchor, open, inThread) {
  const entries = conversationEntries(open, inThread);
  const out = { label: `${say('exportMenu')}…`, icon: icons.out };
  const last = entries.findLastIndex((entry) => entry.line);
  entries.splice(last, 0, { line: true }, { ...out, act: () => openMenu(anchor, exportEntries(open)) });
  openMenu(anchor, entries);
}

/** What can be done with a conversation. Where its thread is shown there is more. */
export function conversationEntries(open, inThread) {
  const info = listed(open);
  const id = info.session_id;
  const renaming = { id: open.session_id, inThread };
  return [
    { label: say('rename'), icon: icons.edit, act: () => change('list', { renaming }) },
    { label: say(info.pinned ? 'unpin' : 'pin'), icon: icons.pin, act: () => pin(id, !info.pinned) },
    { label: say('tags'), icon: icons.tag, act: () => askTags(info) },
    { label: `${say('project')}…`, icon: icons.folder, act: () => projectMenu(info) },
    ...(inThread ? [{ label: say('findIn'), icon: icons.search, act: openFind }] : []),
    ...(inThread ? [{ label: say('instructions'), icon: icons.told, act: askInstructions }] : []),
    { label: say('fork'), icon: icons.branch, act: () => fork(open) },
    { label: say('share'), icon: icons.link, act: () => shareIt(open) },
    { label: say('insight'), icon: icons.chart, act: () => goToView('insight', open.session_id) },
    ...(inThread
      ? [
          { line: true },
          { label: say('undoTurn'), icon: icons.undo, act: undo },
          { label: say('compact'), icon: icons.fold, act: compact },
        ]
      : []),
    { line: true },
    {
      label: say(info.archived ? 'unarchive' : 'archive'),
      icon: icons.archive,
      act: () => archive([id], !info.archived).then(() => leave(info)),
    },
    { label: say('remove'), icon: icons.trash, danger: true, act: () => removeOne(info) },
  ];
}

export const exportEntries = (info) =>
  Object.entries(FORMATS).map(([format, name]) => ({
    label: say('exportAs', { format: name }),
    icon: icons.out,
    act: () => save(api.exportPath(info.session_id, format)),
  }));

export async function removeOne(info) {
  if (await remove([listed(info).session_id])) {
    leave(info);
  }
}

function leave(info) {
  if (state.thread.id === info.session_id || isSame(info, state.thread.info)) {
    go(null);
  }
}

/** Asks what the model shall be told in the open conversation, and how it shall answer. */
export const askInstructions = () =>
  import('./instructions-dialog.js').then(({ askHow }) => askHow()).catch(failed);

const askTags = (info) =>
  import('./tags-dialog.js').then(({ askForTags }) => askForTags(info)).catch(failed);

/** Chooses the project of a conversation, or of the one that begins. */
export const projectMenu = (info, anchor = document.activeElement) =>
  import('./projects.js').then(({ chooseProject }) => chooseProject(anchor, info)).catch(failed);

/** Makes a copy of a conversation, up to a position or whole, and opens it. */
export async function fork(info, position) {
  try {
    const copy = await api.fork(info.session_id, position === undefined ? {} : { at: position });
    await api.describe(copy.session_id, { title: say('copyOf', { title: titleOf(info) }) });
    await listChanged();
    go(copy.session_id);
  } catch (e) {
    failed(e);
  }
}

const save = (path) => import('./files.js').then(({ saveFile }) => saveFile(path)).catch(failed);

const shareIt = (info) => import('./share-dialog.js').then(({ share }) => share(info)).catch(failed);
