import { api } from './api.js';
import { askAll } from './form-dialog.js';
import { state } from './store.js';
import { wish } from './thread-actions.js';
import { failed, toast } from './toasts.js';
import { say } from './words.js';

const EFFORTS = ['minimal', 'low', 'medium', 'high'];

/** Asks what the model is told in the open conversation, and how it shall answer. */
export async function askHow() {
  const { info, wishes } = state.thread;
  const { instructions: told = '', model_settings: set = {} } = info ?? wishes;
  const effort = set.reasoning_effort ?? '';
  const known = effort && !EFFORTS.includes(effort) ? [effort] : [];
  const efforts = Object.fromEntries([...known, ...EFFORTS].map((one) => [one, say(one)]));
  const answer = await askAll(say('instructions'), [
    { name: 'instructions', label: say('instructionsHint'), value: told, long: true, optional: true },
    { name: 'temperature', label: say('temperature'), value: set.temperature, number: { min: 0, max: 2, step: 'any' } },
    { name: 'reasoning_effort', label: say('effort'), value: effort, choices: { '': say('anyModel'), ...efforts } },
    { name: 'max_output_tokens', label: say('mostTokens'), value: set.max_output_tokens, number: { min: 1, max: 1e6, step: 1 } },
  ]);
  if (answer === null) {
    return;
  }
  const settings = {};
  for (const name of ['temperature', 'max_output_tokens']) {
    if (answer[name] !== '') {
      settings[name] = Number(answer[name]);
    }
  }
  if (answer.reasoning_effort) {
    settings.reasoning_effort = answer.reasoning_effort;
  }
  const one = (values) => JSON.stringify(Object.entries(values).sort());
  const fields = {
    ...(answer.instructions === told ? {} : { instructions: answer.instructions }),
    ...(one(settings) === one(set) ? {} : { model_settings: settings }),
  };
  if (Object.keys(fields).length > 0) {
    await wish(fields);
  }
}

/** Asks what the model is told in all conversations. */
export async function askForAll() {
  try {
    const { instructions } = await api.preferences();
    const label = say('instructionsForAllHint');
    const answer = await askAll(say('instructionsForAll'), [
      { name: 'instructions', label, value: instructions, long: true, optional: true },
    ]);
    if (answer !== null && answer.instructions !== instructions) {
      await api.prefer(answer);
      toast(say('savedNow'));
    }
  } catch (e) {
    failed(e);
  }
}
