// Where the page begins.

import { keepActivityFresh } from './activity.js';
import { api } from './api.js';
import { listenToKeys } from './keys.js';
import './page.js';
import { keepListFresh, loadList } from './loaded.js';
import { openAddress } from './router.js';
import { change } from './store.js';

openAddress();
loadList();
keepListFresh();
keepActivityFresh();
listenToKeys();
window.addEventListener('popstate', openAddress);
window.addEventListener('offline', () => change('shell', { offline: true })); // whoever answers ends it

function whoIsHere() {
  api.me().then(
    (me) => change('me', { ...me, known: true }),
    () => window.addEventListener('online', whoIsHere, { once: true }),
  );
}
whoIsHere();
