// The official clients over the WebSocket of /v1/responses, against a real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent, setTracingDisabled, tool, withResponsesWebSocketSession } from '@openai/agents';
import { ResponsesWebSocketSession } from 'openai/lib/responses/responses-websocket-session';
import { ResponsesWS } from 'openai/resources/responses/ws';
import WebSocket from 'ws';
import { z } from 'zod';
import { MODEL, startClew } from './server.mjs';

// The Agents SDK takes the global one, which Node.js has since version 22.
globalThis.WebSocket ??= WebSocket;

let clew;
let client;

before(async () => {
  clew = await startClew();
  client = clew.client('ann');
  setTracingDisabled(true);
});
after(() => clew?.close());

const LANES = { maxLanes: 8, maxBufferedEvents: 10_000, maxBufferedBytes: 10_000_000 };

/** A connection for a test, and its end. */
async function connected(work, from = client) {
  const ws = new ResponsesWS(from);
  try {
    for await (const { type } of ws.stream()) {
      if (type === 'open') {
        break;
      }
    }
    return await work(ws);
  } finally {
    ws.close();
  }
}

/** Sends one request and returns every event up to the end of its response. */
async function events(ws, request) {
  const all = [];
  const over = new Promise((done, failed) => {
    ws.on('event', (event) => {
      all.push(event);
      if (/^response\.(completed|failed|incomplete)$/.test(event.type)) {
        done();
      }
    });
    ws.on('error', failed);
  });
  ws.send({ type: 'response.create', model: MODEL, ...request });
  await over;
  return all;
}

/** Whether the client reports an error with this code. */
const refusedWith = (code) => (error) => error.error?.error?.code === code;

test('the client gets typed events, as over HTTP', async () => {
  await connected(async (ws) => {
    const all = await events(ws, { input: 'hello' });
    assert.equal(all[0].type, 'response.created');
    assert.deepEqual(all.map((event) => event.sequence_number), [...all.keys()]);
    const text = all.filter((event) => event.type === 'response.output_text.delta')
      .map((event) => event.delta).join('');
    assert.match(text, /^You said: hello/);
    const last = all.at(-1).response;
    assert.equal(last.status, 'completed');
    assert.deepEqual(await client.responses.retrieve(last.id).then((found) => found.output), last.output);
  });
});

test('lanes run at the same time, and unstored responses are followed', async () => {
  await connected(async (ws) => {
    const session = new ResponsesWebSocketSession(ws, LANES);
    const a = session.lane('a');
    const b = session.lane('b');
    a.create({ model: MODEL, input: 'say it slowly', store: false });
    b.create({ model: MODEL, input: 'two', store: false });
    const ends = [];
    const [first, second] = await Promise.all([
      a.finalResponse().finally(() => ends.push('a')),
      b.finalResponse().finally(() => ends.push('b')),
    ]);
    assert.deepEqual(ends, ['b', 'a']);
    assert.match(second.output_text ?? second.output[0].content[0].text, /^You said: two/);
    a.create({ model: MODEL, previous_response_id: first.id, input: 'more', store: false });
    const third = await a.finalResponse();
    assert.match(third.output[0].content[0].text, /^You said: more/);
    b.create({ model: MODEL, previous_response_id: 'resp_nope', input: 'x', store: false });
    await assert.rejects(b.finalResponse(), refusedWith('previous_response_not_found'));
    b.create({ model: MODEL, input: 'still there', store: false });
    assert.equal((await b.finalResponse()).status, 'completed');
    await assert.rejects(client.responses.retrieve(third.id), { status: 404 });
  });
});

test('a tool call is answered on the connection', async () => {
  await connected(async (ws) => {
    const lane = new ResponsesWebSocketSession(ws, LANES).lane();
    const tools = [{
      type: 'function', name: 'get_weather', strict: false, description: 'Weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    }];
    lane.create({
      model: MODEL, tools, store: false, input: 'call get_weather with {"city":"Paris"}',
    });
    const asked = await lane.finalResponse();
    const call = asked.output.find((item) => item.type === 'function_call');
    lane.create({
      model: MODEL, tools, store: false, previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }],
    });
    const answer = await lane.finalResponse();
    assert.equal(answer.output[0].content[0].text, 'The tool said: sunny');
  });
});

test('nobody follows what is of another owner, or of another connection', async () => {
  const { id } = await connected(async (ws) => {
    const lane = new ResponsesWebSocketSession(ws, LANES).lane();
    lane.create({ model: MODEL, input: 'mine', store: true });
    return lane.finalResponse();
  });
  await connected(async (ws) => {
    const lane = new ResponsesWebSocketSession(ws, LANES).lane();
    lane.create({ model: MODEL, input: 'x', previous_response_id: id });
    await assert.rejects(lane.finalResponse(), refusedWith('previous_response_not_found'));
  }, clew.client('bob'));
  await connected(async (ws) => {
    const lane = new ResponsesWebSocketSession(ws, LANES).lane();
    lane.create({ model: MODEL, input: 'again', previous_response_id: id });
    assert.equal((await lane.finalResponse()).previous_response_id, id);
  });
});

test('a key that is not valid opens nothing', async () => {
  const ws = new ResponsesWS(clew.client('ann', { apiKey: 'clew_wrong' }));
  const error = await new Promise((failed) => ws.on('error', failed));
  assert.match(error.message, /401/);
});

test('the Agents SDK runs a tool over its WebSocket transport', async () => {
  const weather = tool({
    name: 'get_weather',
    description: 'The weather of a place.',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  });
  const agent = new Agent({ name: 'Assistant', instructions: 'Help.', model: MODEL, tools: [weather] });
  const providerOptions = { apiKey: clew.token('cleo'), baseURL: clew.url };
  await withResponsesWebSocketSession(async ({ run }) => {
    const first = await run(agent, 'call get_weather with {"city":"Paris"}');
    assert.equal(first.finalOutput, 'The tool said: sunny in Paris');
    const second = await run(agent, 'call get_weather with {"city":"Rome"}', {
      stream: true,
      previousResponseId: first.lastResponseId,
    });
    let text = '';
    for await (const event of second) {
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
        text += event.data.delta;
      }
    }
    await second.completed;
    assert.equal(second.finalOutput, 'The tool said: sunny in Rome');
    assert.ok(text.endsWith('The tool said: sunny in Rome'));
    await assert.rejects(run(agent, 'x', { previousResponseId: 'resp_nope' }), /state "error"/);
    assert.match((await run(agent, 'after that')).finalOutput, /^You said: after that/);
  }, { providerOptions });
});
