// A model for clew serve to ask: it speaks OpenAI's Responses API and Chat Completions, and what it
// answers follows from what it is told, so a test says everything in its own message. It is not
// Clew and shares nothing with it.
import { createServer } from 'node:http';

const WORDS = 40;
const PAUSE_MS = 50;

/** What to answer: the last thing that was said decides. */
function decide({ said, output, tools, turns }) {
  if (output !== undefined) {
    return [{ text: `The tool said: ${output}` }];
  }
  const call = /call (\w+) with (\{.*\})/.exec(said);
  if (call && tools.includes(call[1])) {
    return [{ call: call[1], arguments: call[2] }];
  }
  if (said.includes('think first')) {
    return [{ reasoning: 'Let me see.' }, { text: 'I thought about it.' }];
  }
  if (said.includes('refuse')) {
    return [{ refusal: 'I will not.' }];
  }
  if (said.includes('as JSON')) {
    return [{ text: '{"city":"Paris","degrees":21}' }];
  }
  if (said.includes('slowly')) {
    return [{ text: Array.from({ length: WORDS }, (_, i) => `word${i}`).join(' '), slow: true }];
  }
  return [{ text: `You said: ${said} [${turns}]` }];
}

const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

const id = (prefix) => `${prefix}_${Math.random().toString(16).slice(2).padEnd(16, '0')}`;

const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

function item(step) {
  if (step.call) {
    return {
      id: id('fc'), type: 'function_call', status: 'completed', call_id: id('call'),
      name: step.call, arguments: step.arguments,
    };
  }
  if (step.reasoning) {
    return {
      id: id('rs'), type: 'reasoning', summary: [{ type: 'summary_text', text: step.reasoning }],
      encrypted_content: 'c2VhbGVk',
    };
  }
  const part = step.refusal
    ? { type: 'refusal', refusal: step.refusal }
    : { type: 'output_text', text: step.text, annotations: [], logprobs: [] };
  return { id: id('msg'), type: 'message', role: 'assistant', status: 'completed', content: [part] };
}

const words = (text) => text.match(/\S+\s*/g) ?? [];
const pause = (step) => (step.slow ? new Promise((wake) => setTimeout(wake, PAUSE_MS)) : undefined);

function send(response, name, data) {
  response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
}

function askedOfResponses(body) {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input;
  const last = items.at(-1);
  return {
    said: textOf(items.filter((each) => each.role === 'user').at(-1)?.content),
    output: last?.type === 'function_call_output' ? textOf(last.output) : undefined,
    tools: (body.tools ?? []).map((tool) => tool.name),
    turns: items.length,
  };
}

async function responses(body, response) {
  const steps = decide(askedOfResponses(body));
  const output = steps.map(item);
  const whole = {
    id: id('resp'), object: 'response', created_at: 1, status: 'completed', model: body.model,
    output, error: null, incomplete_details: null, instructions: null, parallel_tool_calls: true,
    tool_choice: 'auto', tools: [], usage,
  };
  if (!body.stream) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(whole));
    return;
  }
  let number = 0;
  const event = (type, data) => send(response, type, { type, sequence_number: number++, ...data });
  event('response.created', { response: { ...whole, status: 'in_progress', output: [] } });
  for (const [index, each] of output.entries()) {
    const step = steps[index];
    const at = { output_index: index, item_id: each.id };
    event('response.output_item.added', {
      output_index: index,
      item: { ...each, status: 'in_progress', ...(each.content ? { content: [] } : {}) },
    });
    if (step.call) {
      event('response.function_call_arguments.delta', { ...at, delta: step.arguments });
    } else if (step.text) {
      event('response.content_part.added', {
        ...at, content_index: 0, part: { type: 'output_text', text: '', annotations: [] },
      });
      for (const word of words(step.text)) {
        event('response.output_text.delta', { ...at, content_index: 0, delta: word, logprobs: [] });
        await pause(step);
      }
    } else if (step.refusal) {
      event('response.refusal.delta', { ...at, content_index: 0, delta: step.refusal });
    }
    event('response.output_item.done', { output_index: index, item: each });
  }
  event('response.completed', { response: whole });
  response.end();
}

function askedOfChat(body) {
  const last = body.messages.at(-1);
  return {
    said: textOf(body.messages.filter((each) => each.role === 'user').at(-1)?.content),
    output: last?.role === 'tool' ? textOf(last.content) : undefined,
    tools: (body.tools ?? []).map((tool) => tool.function?.name),
    turns: body.messages.length,
  };
}

async function chat(body, response) {
  const step = decide(askedOfChat(body)).at(-1);
  const calls = step.call && [{
    index: 0, id: id('call'), type: 'function',
    function: { name: step.call, arguments: step.arguments },
  }];
  const base = { id: id('chatcmpl'), created: 1, model: body.model };
  const used = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  const reason = calls ? 'tool_calls' : 'stop';
  if (!body.stream) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({
      ...base, object: 'chat.completion', usage: used,
      choices: [{
        index: 0, finish_reason: reason, logprobs: null,
        message: {
          role: 'assistant', content: step.text ?? null, refusal: step.refusal ?? null,
          ...(calls ? { tool_calls: calls } : {}),
        },
      }],
    }));
    return;
  }
  const chunk = (delta, finish_reason = null) => send(response, '', {
    ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }],
  });
  chunk({ role: 'assistant', content: '' });
  if (calls) {
    chunk({ tool_calls: calls });
  } else if (step.refusal) {
    chunk({ refusal: step.refusal });
  } else {
    for (const word of words(step.text)) {
      chunk({ content: word });
      await pause(step);
    }
  }
  chunk({}, reason);
  send(response, '', { ...base, object: 'chat.completion.chunk', choices: [], usage: used });
  response.end('data: [DONE]\n\n');
}

/** Starts it on a free port, and gives its base URL and how to stop it. */
export async function startUpstream() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) {
      text += chunk;
    }
    const body = JSON.parse(text || '{}');
    const path = request.url;
    if (path === '/v1/responses' && askedOfResponses(body).said.includes('break')) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"out of order","type":"server_error"}}');
      return;
    }
    if (path === '/v1/chat/completions' && askedOfChat(body).said.includes('break')) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"out of order","type":"server_error"}}');
      return;
    }
    if (body.stream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
    }
    if (path === '/v1/responses') {
      await responses(body, response);
    } else if (path === '/v1/chat/completions') {
      await chat(body, response);
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
