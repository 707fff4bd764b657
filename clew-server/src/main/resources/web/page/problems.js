// Why something did not work, and what to do about it, in the reader's language.

import { Refusal } from './api.js';
import { say } from './words.js';

const BY_STATUS = { 401: 'signedOut', 413: 'tooLarge', 503: 'unavailable' };
const BY_CODE = {
  session_busy: 'sessionBusy',
  server_stopping: 'unavailable',
  store_unavailable: 'unavailable',
  approval_not_found: 'alreadyDecided',
  insufficient_scope: 'notAllowed',
};

/** A sentence about a failure. */
export function reasonOf(problem) {
  if (!(problem instanceof Refusal)) {
    return problem.name === 'TypeError' ? say('noConnection') : problem.message;
  }
  if (problem.status === 429) {
    return say('tooOften', { count: problem.retryAfter || 1 });
  }
  const word = BY_CODE[problem.code] ?? BY_STATUS[problem.status];
  return word ? say(word) : problem.message;
}

/** A sentence about a turn that failed earlier, of which only the code is known. */
export function reasonOfCode(code) {
  return code === 'model_failed' ? say('modelFailed') : say(BY_CODE[code] ?? 'failedBefore', { code });
}
