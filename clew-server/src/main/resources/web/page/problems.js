// Why something did not work, and what to do about it, in the reader's language.

import { Refusal } from './api.js';
import { say } from './words.js';

const BY_STATUS = { 401: 'signedOut', 413: 'tooLarge', 503: 'unavailable' };
const BY_CODE = {
  model_failed: 'modelFailed',
  model_unauthorized: 'modelUnauthorized',
  context_length_exceeded: 'contextExceeded',
  rate_limit_exceeded: 'modelBusy',
  model_overloaded: 'modelOverloaded',
  model_request_too_large: 'tooLarge',
  too_many_steps: 'tooManySteps',
  session_busy: 'sessionBusy',
  server_stopping: 'unavailable',
  store_unavailable: 'storeUnavailable',
  approval_not_found: 'alreadyDecided',
  insufficient_scope: 'notAllowed',
};

const IN_THE_LOG = ['modelFailed', 'modelUnauthorized']; // by the id of the request

/** A sentence about a failure. */
export function reasonOf(problem) {
  if (!(problem instanceof Refusal)) {
    return problem.name === 'TypeError' ? say('noConnection') : problem.message;
  }
  if (problem.status === 429) {
    return say('tooOften', { count: problem.retryAfter || 1 });
  }
  const word = BY_CODE[problem.code] ?? BY_STATUS[problem.status];
  const reason = word ? say(word) : problem.message;
  return IN_THE_LOG.includes(word) && problem.request ? `${reason} (${problem.request})` : reason;
}

/** A sentence about a turn that failed earlier, of which only the code is known. */
export function reasonOfCode(code) {
  return say(BY_CODE[code] ?? 'failedBefore', { code });
}
