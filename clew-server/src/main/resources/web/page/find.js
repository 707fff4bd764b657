import { change, state } from './store.js';
import { failed } from './toasts.js';

/** Lets somebody find a text in the open conversation; at once, as what is typed next goes there. */
export async function openFind() {
  if (!state.thread.info || state.view.name !== null) {
    return;
  }
  change('shell', { finding: state.thread.id });
  await document.querySelector('clew-page').updateComplete;
  const field = document.querySelector('.find input');
  field.focus();
  field.select();
  import('./find-bar.js').then(({ begin }) => begin()).catch(failed);
}
