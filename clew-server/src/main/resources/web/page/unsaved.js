// What was typed and not saved when somebody pressed Escape: there again when the same is asked again.

const typed = new Map();

/** What was typed, or else what is there. */
export const unsaved = (name, saved) => typed.get(name) ?? saved;

export function keepUnsaved(name, value) {
  typed.set(name, value);
}

export function forgetUnsaved(name) {
  typed.delete(name);
}
