// Lets the page open without a connection, and says when the server has a newer one.

import { go } from './router.js';
import { toast } from './toasts.js';
import { say } from './words.js';

const WORKER = '/service-worker.js';
const NOTICE_MILLIS = 60_000;
const version = /\/assets\/(\w+)\//.exec(import.meta.url)[1];

function heard({ data }) {
  if (data.open) {
    go(data.open);
  } else if (data.version !== version) {
    const act = () => location.reload();
    toast(say('newVersion'), { label: say('reload'), act, millis: NOTICE_MILLIS });
  }
}

/** Only over a secure connection; elsewhere browsers have none of this. */
export async function keepShell() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !navigator.onLine) {
    return;
  }
  serviceWorker.addEventListener('message', heard);
  const rules = { createScriptURL: (url) => (url === WORKER ? url : '') };
  const policy = globalThis.trustedTypes?.createPolicy('clew', rules) ?? rules;
  try {
    const registration = await serviceWorker.register(policy.createScriptURL(WORKER));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && navigator.onLine) {
        registration.update().catch(() => {});
      }
    });
  } catch {
    // A browser that keeps nothing, or no connection; the page works without.
  }
}
