// Who answers. A conversation remembers its model; a new one begins with the one chosen last.

import { icons } from './icons.js';
import { openMenu } from './menu.js';
import { state } from './store.js';
import { regenerate, wish } from './thread-actions.js';
import { keep, kept, say } from './words.js';

const LAST = 'clew.model';

/** The project of the open conversation. */
export function projectOf() {
  const id = (state.thread.info ?? state.thread.wishes).project;
  return state.library.projects.find((one) => one.project_id === id);
}

/** The model of the open conversation. */
export function modelOf() {
  const { info, id, wishes } = state.thread;
  const { models, model } = state.me;
  const own = info?.model ?? wishes.model ?? projectOf()?.model;
  const wanted = own ?? (id === null ? kept(LAST) : undefined);
  return models.includes(wanted) ? wanted : model;
}

/** Lets another model answer the last message. */
export function chooseAnother(anchor) {
  openMenu(
    anchor,
    state.me.models.map((model) => ({
      label: say('regenerateWith', { model }),
      icon: icons.again,
      act: () => regenerate(model),
    })),
  );
}

export const chooseModel = (anchor) => openMenu(anchor, modelEntries());

export const modelEntries = () =>
  state.me.models.map((model) => ({
    label: model,
    icon: icons.spark,
    checked: model === modelOf(),
    act: () => {
      keep(LAST, model);
      wish({ model });
    },
  }));
