// What the browser tells somebody who does not see the page.

import './more.js';
import { NOTIFY } from './activity.js';
import { api } from './api.js';
import { titleOf } from './conversations.js';
import { isAnswered } from './items.js';
import { go } from './router.js';
import { toast } from './toasts.js';
import { keep, say } from './words.js';

/** Lets somebody choose; resolves to whether they are notified from now on. */
export async function choose(on) {
  const allowed = on && (await Notification.requestPermission()) === 'granted';
  if (on && !allowed) {
    toast(say('notifyBlocked'));
  }
  keep(NOTIFY, allowed ? 'on' : null);
  return allowed;
}

/** Says that an approval is due, or how a turn has ended; once, however many windows there are. */
export async function show(what, id) {
  const [info, page] = await Promise.all([api.session(id), api.items(id, { limit: 20 })]).catch(() => []);
  if (!info) {
    return; // deleted meanwhile
  }
  const title =
    what === 'approval'
      ? say('notifyApproval')
      : say(isAnswered(page.data) ? 'notifyAnswer' : 'notifyNoAnswer');
  const icon = new URL('clew.png', import.meta.url).href;
  const options = { body: titleOf(info), icon, tag: `clew ${id}`, data: { id } };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) {
    registration.showNotification(title, options); // phones know no other way
    return;
  }
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
    go(id);
  };
}
