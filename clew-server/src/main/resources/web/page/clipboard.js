import { failed, toast } from './toasts.js';
import { say } from './words.js';

/** Copies a text; also where the page was not loaded by a secure connection. */
export async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Copies a text, and says so. */
export const copy = (text) =>
  copyText(text).then(() => toast(say('copied'), { millis: 1500 }), failed);
