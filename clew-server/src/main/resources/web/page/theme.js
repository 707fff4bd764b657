import { keep, kept } from './words.js';

/** The colours that were chosen: light, dark, or those of the system. */
export const theme = () => kept('clew.theme') ?? 'asSystem';

export function chooseTheme(name) {
  if (name === 'asSystem') {
    delete document.documentElement.dataset.theme;
    keep('clew.theme', null);
  } else {
    document.documentElement.dataset.theme = name;
    keep('clew.theme', name);
  }
}
