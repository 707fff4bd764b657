import { keep, kept } from './words.js';

/** The colours that were chosen: light, dark, or those of the system. */
export const theme = () => kept('clew.theme') ?? 'asSystem';

export function chooseTheme(name) {
  globalThis.showTheme(name);
  keep('clew.theme', name === 'asSystem' ? null : name);
}
