// What items say. Items are whatever programs have stored, so nothing in them is taken for granted.

const list = (value) => (Array.isArray(value) ? value : []);

/** Text parts of a content, which may be a plain text. */
function parts(content) {
  if (typeof content === 'string') {
    return [{ type: 'text', text: content }];
  }
  return list(content).filter((part) => part !== null && typeof part === 'object');
}

const textIn = (content) =>
  parts(content)
    .map((part) => part.text ?? part.refusal ?? '')
    .filter((text) => typeof text === 'string')
    .join('');

/** What an item says, as text. */
export function textOf(item) {
  if (item.type === 'function_call_output') {
    return textIn(item.output);
  }
  if (item.type === 'reasoning') {
    return [...list(item.summary), ...list(item.content)].map((part) => part?.text ?? '').join('\n');
  }
  return textIn(item.content);
}

function imagesOf(item) {
  return parts(item.content ?? item.output)
    .filter((part) => part.type === 'input_image' || part.type === 'image_url')
    .map((part) => (typeof part.image_url === 'string' ? part.image_url : part.image_url?.url))
    .filter((url) => typeof url === 'string');
}

function filesOf(item) {
  return parts(item.content)
    .filter((part) => part.type === 'input_file')
    .map((part) => ({
      name: String(part.filename ?? part.file_id ?? ''),
      url: String(part.file_data ?? ''),
    }));
}

/** What is attached to a message. */
export const filesIn = (item) => ({ images: imagesOf(item), files: filesOf(item) });

/** What an answer says it is based on: pages and files, each once. */
function sourcesOf(item) {
  const sources = new Map();
  for (const note of parts(item.content).flatMap((part) => list(part.annotations))) {
    const url = /^https?:\/\//i.test(note?.url) ? String(note.url) : '';
    const name = String((url ? note.title : note?.filename) ?? '');
    if (url || name) {
      sources.set(url || name, { url, name });
    }
  }
  return [...sources.values()];
}

const MCP = ['mcp_call', 'mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response'];
const CALLS = ['function_call', 'function_call_output'];
const isMessage = (item) => (item.type === undefined || item.type === 'message') && item.role;

const OUTCOMES = { done: 'done', failed: 'failed', denied: 'denied', not_run: 'notRun' };

/** How a call ended: as its note says, or as far as its output tells. */
function outcomeOf(item, notes) {
  const text = textOf(item);
  return (
    OUTCOMES[notes?.outcome] ??
    (item.status === 'incomplete' || /^Error: (?:tool '|there is no tool)/.test(text)
      ? 'failed'
      : text === 'Tool execution was not approved.'
        ? 'denied'
        : 'done')
  );
}

/** A name that the runner made of a server and its tool, for people. */
const titleOf = (name) => name.replace(/^([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__(?=.)/, '$1 · ');

/** What went wrong with a call of an MCP server, in its words; empty if nothing did. */
function errorOf(error) {
  if (error === null || error === undefined || typeof error === 'string') {
    return error ?? '';
  }
  const said = list(error.content).map((part) => part?.text).filter((text) => typeof text === 'string');
  return said.join('\n') || (typeof error.message === 'string' && error.message) || JSON.stringify(error);
}

/** Cards for calls of MCP servers and lists of their tools; nothing for other items. */
function mcpBlock(item, approvals) {
  const server = String(item.server_label ?? '');
  const title = `${server} · ${String(item.name ?? '')}`;
  const error = errorOf(item.error);
  if (item.type === 'mcp_call') {
    const result = String(error || (item.output ?? ''));
    return { kind: 'tool', name: title, given: item.arguments, result, state: error ? 'failed' : 'done' };
  }
  if (item.type === 'mcp_list_tools') {
    const names = list(item.tools).map((tool) => String(tool?.name ?? ''));
    return { kind: 'tool', list: server, name: server, result: error || names.join('\n'), state: error ? 'failed' : 'done' };
  }
  if (item.type === 'mcp_approval_request') {
    const decided = approvals.get(item.id);
    const isDone = decided?.approve === true; // the call comes as an item of its own
    return isDone ? null : { kind: 'tool', name: title, given: item.arguments, state: decided ? 'denied' : 'open' };
  }
  return null;
}

/** What the page shows of entries, in order: messages, calls with their results, and so on. */
export function blocksOf(entries, { approvals, decided, running, costOf }) {
  const blocks = [];
  const calls = new Map();
  const decisions = new Map(
    entries
      .filter(({ item }) => item.type === 'mcp_approval_response')
      .map(({ item }) => [item.approval_request_id, item]),
  );
  const waiting = new Map(approvals.map((one) => [one.call_id, one]));
  let tokens = null;
  let used = [];
  let model = '';
  let failed = false;
  const endTurn = () => {
    const last = blocks.at(-1);
    if (last && last.kind !== 'user') {
      last.tokens = tokens;
      last.cost = costOf?.(used);
      last.model = model;
      last.endsTurn = true;
    }
    tokens = null;
    used = [];
    model = '';
  };
  for (const entry of entries) {
    const { item, position, at, notes } = entry;
    const common = { key: position, position, at, compacted: entry.compacted === true };
    if (notes?.output_tokens !== undefined) {
      tokens = {
        input: notes.input_tokens, // of the last request, which had everything before in it
        output: (tokens?.output ?? 0) + notes.output_tokens,
      };
      const { model: by, input_tokens, cached_tokens, output_tokens } = notes;
      used.push({ model: by, input_tokens, cached_tokens, output_tokens });
    }
    model = typeof notes?.model === 'string' ? notes.model : model;
    if (isMessage(item)) {
      const kind = { user: 'user', assistant: 'assistant' }[item.role] ?? 'system';
      if (kind === 'user') {
        endTurn();
        failed = notes?.failed !== undefined;
      }
      const text = textOf(item);
      const incomplete = item.status === 'incomplete';
      const { rating, reason } = notes ?? {};
      const images = imagesOf(item);
      const said = { text, incomplete, brokeOff: incomplete && failed, rating, reason, images };
      blocks.push({ ...common, kind, ...said, files: filesOf(item), sources: sourcesOf(item) });
    } else if (item.type === 'function_call') {
      const call = {
        ...common,
        kind: 'tool',
        callId: item.call_id,
        name: String(item.name ?? ''),
        title: titleOf(String(item.name ?? '')),
        given: item.arguments,
        state: waiting.has(item.call_id) ? 'waiting' : running ? 'running' : 'open',
      };
      calls.set(item.call_id, call);
      blocks.push(call);
    } else if (item.type === 'function_call_output') {
      const call = calls.get(item.call_id);
      const outcome = outcomeOf(item, notes);
      const ran = outcome === 'done' || outcome === 'failed';
      const isOfOthers = notes?.outcome === undefined; // which do not note how long it took
      const took =
        notes?.duration_ms ?? (isOfOthers && ran && call ? new Date(at) - new Date(call.at) : 0);
      const result = { result: textOf(item), images: imagesOf(item), took, state: outcome };
      if (call) {
        Object.assign(call, result);
      } else {
        blocks.push({ ...common, kind: 'tool', name: '', ...result });
      }
    } else if (MCP.includes(item.type)) {
      const block = mcpBlock(item, decisions);
      if (block) {
        blocks.push({ ...common, ...block });
      }
    } else if (item.type === 'reasoning') {
      const text = textOf(item).trim();
      if (text) {
        blocks.push({ ...common, kind: 'reasoning', text });
      }
    } else if (String(item.type).startsWith('compaction')) {
      const summary = typeof item.summary === 'string' ? item.summary : '';
      if (blocks.at(-1)?.kind === 'assistant') {
        endTurn();
      }
      blocks.push({ ...common, kind: 'compaction', text: summary });
    } else {
      blocks.push({ ...common, kind: 'other', type: String(item.type), text: JSON.stringify(item, null, 2) });
    }
  }
  if (waiting.size > 0) {
    // The calls beside those that wait: they run when all are decided.
    for (const call of blocks.slice(blocks.findLastIndex((block) => block.kind === 'user') + 1)) {
      if (call.state === 'open' && call.callId !== undefined) {
        const approved = decided?.get(call.callId);
        call.state = approved === undefined ? 'held' : approved ? 'approved' : 'denied';
      }
    }
  }
  if (!running) {
    endTurn();
  }
  return blocks;
}

/** Whether an item is no answer: a message without a word or a picture. */
export const saysNothing = (item) =>
  item.role === 'assistant' && textOf(item).trim() === '' && imagesOf(item).length === 0;

const FOLDED = 3; // so many calls one after the other are a list

/** The same blocks, with long runs of calls as one: {kind: 'calls', calls}. */
export function folded(blocks) {
  const all = [];
  let run = [];
  const end = () => {
    const [first] = run;
    const last = run.at(-1);
    const { position, at } = first ?? {};
    const calls = { kind: 'calls', key: `calls ${first?.key}`, position, at, calls: run };
    all.push(...(run.length < FOLDED ? run : [{ ...calls, endsTurn: last.endsTurn }]));
    run = [];
  };
  for (const block of blocks) {
    if (block.kind === 'tool') {
      run.push(block);
    } else {
      end();
      all.push(block);
    }
  }
  end();
  return all;
}

/** Why the last message was not answered, as its note says; empty if it was. */
export function failureOf(entries) {
  const last = entries.findLastIndex(({ item }) => item.role === 'user');
  return (!isAnswered(entries) && entries[last]?.notes?.failed) || '';
}

/** Whether the last thing that was said is an answer, or no person has said anything. */
export function isAnswered(entries) {
  const last = entries.findLast(({ item }) => isMessage(item) || CALLS.includes(item.type))?.item;
  const isAsked = entries.some(({ item }) => item.role === 'user');
  return !isAsked || (last.role === 'assistant' && last.status !== 'incomplete' && !saysNothing(last));
}

/** Whether two blocks show the same. Most do when something is loaded, and need not be drawn again. */
export function showSame(one, other) {
  if (one === other || typeof one !== 'object' || typeof other !== 'object' || !one || !other) {
    return one === other;
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => showSame(one[key], other[key]))
  );
}

/** How full the model's window was at the last request. */
export function contextUsed(entries) {
  const last = entries.findLast((entry) => entry.notes?.input_tokens !== undefined);
  return last ? last.notes.input_tokens + (last.notes.output_tokens ?? 0) : 0;
}
