// Where the page begins.

import { keepActivityFresh } from './activity.js';
import { api } from './api.js';
import { listenToKeys } from './keys.js';
import './page.js';
import { keepListFresh, loadList, loadMore } from './loaded.js';
import { openAddress } from './router.js';
import { change, follow, state } from './store.js';
import { open } from './thread.js';
import { failed } from './toasts.js';

openAddress();
loadList();
keepListFresh();
keepActivityFresh();
listenToKeys();
window.addEventListener('popstate', openAddress);
window.addEventListener('offline', () => change('shell', { offline: true })); // whoever answers ends it

/** Who looks at the page, and what it loads for them that others need not. */
const whoIsHere = () =>
  api.me().then(
    (me) => {
      change('me', { ...me, known: true });
      if (me.prices) {
        import('./costs.js').then(({ costOf }) => change('me', { costOf })).catch(failed);
      }
      if (me.projects > 0) {
        import('./projects.js').then(({ loadProjects }) => loadProjects()).catch(failed);
      }
    },
    () => {},
  );
whoIsHere();

let away = false;

/** What could not be loaded is loaded as soon as the server answers again. */
follow('shell', () => {
  const back = away && !state.shell.offline;
  away = state.shell.offline;
  if (!back) {
    return;
  }
  if (!state.me.known) {
    whoIsHere();
  }
  if (state.list.failed) {
    state.list.sessions.length > 0 ? loadMore() : loadList();
  }
  const { id, failure, gone } = state.thread;
  if (failure && !gone) {
    open(id);
  }
});

const atRest = window.requestIdleCallback ?? setTimeout;
const keepShell = () => atRest(() => import('./shell.js').then((shell) => shell.keepShell(), () => {}));
document.readyState === 'complete' ? keepShell() : window.addEventListener('load', keepShell);
