// The official Node client's Chat Completions against a real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { collect, MODEL, startClew } from './server.mjs';

let clew;
let client;

before(async () => {
  clew = await startClew();
  client = clew.client('ann');
});
after(() => clew?.close());

const user = (content) => ({ role: 'user', content });
const said = (completion) => completion.choices[0].message.content;
const ask = (messages, more = {}) =>
  client.chat.completions.create({ model: MODEL, messages, ...more });

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a place.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

/** What is in the session of an answer, by OpenAI's Conversations API. */
async function itemsOf(id) {
  return collect(client.conversations.items.list(id, { order: 'asc' }));
}

const sessionOf = (response) => response.headers.get('x-clew-session');

test('a completion has text, usage and a reason', async () => {
  const answer = await ask([{ role: 'system', content: 'Be brief.' }, user('hello')]);
  assert.match(said(answer), /^You said: hello/);
  assert.equal(answer.object, 'chat.completion');
  assert.equal(answer.choices[0].finish_reason, 'stop');
  assert.equal(answer.usage.total_tokens, 18);
});

test('the stream helper assembles what the plain call answers', async () => {
  const stream = client.chat.completions.stream({
    model: MODEL,
    messages: [user('say it in pieces')],
    stream_options: { include_usage: true },
  });
  let deltas = '';
  stream.on('content', (delta) => (deltas += delta));
  const whole = await stream.finalChatCompletion();
  assert.equal(deltas, said(whole));
  assert.match(deltas, /say it in pieces/);
  assert.equal((await stream.totalUsage()).total_tokens, 18);
});

test('runTools calls a function and continues the same session', async () => {
  const cities = [];
  const { response } = await ask([user('hello there')]).withResponse();
  assert.ok(sessionOf(response));
  const runner = client.chat.completions.runTools({
    model: MODEL,
    messages: [user('call get_weather with {"city":"Oslo"}')],
    tools: [
      {
        ...weather,
        function: {
          ...weather.function,
          parse: JSON.parse,
          function: ({ city }) => {
            cities.push(city);
            return `18 degrees in ${city}`;
          },
        },
      },
    ],
  });
  assert.match(await runner.finalContent(), /18 degrees in Oslo/);
  assert.deepEqual(cities, ['Oslo']);
  const { response: next } = await ask([...runner.messages, user('thanks')]).withResponse();
  const items = await itemsOf(sessionOf(next));
  assert.deepEqual(
    items.map((item) => item.type),
    ['message', 'function_call', 'function_call_output', 'message', 'message', 'message'],
  );
});

test('tools in a stream arrive whole', async () => {
  const stream = client.chat.completions.stream({
    model: MODEL,
    messages: [user('call get_weather with {"city":"Rome"}')],
    tools: [weather],
  });
  const call = (await stream.finalMessage()).tool_calls[0];
  assert.equal(call.function.name, 'get_weather');
  assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Rome' });
});

test('the Agents SDK runs over Chat Completions, as one session', async () => {
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient: client, useResponses: false }),
    tracingDisabled: true,
  });
  const getWeather = tool({
    name: 'get_weather',
    description: 'The weather of a place.',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => `9 degrees in ${city}`,
  });
  const agent = new Agent({ name: 'Guide', model: MODEL, instructions: 'Be brief.', tools: [getWeather] });
  const before = (await client.get('/conversations', { query: { limit: 100 } })).data.length;
  const first = await runner.run(agent, 'call get_weather with {"city":"Bergen"}');
  assert.match(first.finalOutput, /9 degrees in Bergen/);
  const second = await runner.run(agent, [...first.history, user('thanks')]);
  assert.match(second.finalOutput, /thanks/);
  const after = (await client.get('/conversations', { query: { limit: 100 } })).data;
  assert.equal(after.length, before + 1);
  assert.equal((await itemsOf(after[0].id)).length, 7);
});

test('a structured answer is parsed', async () => {
  const format = zodResponseFormat(z.object({ city: z.string(), degrees: z.number() }), 'weather');
  const answer = await client.chat.completions.parse({
    model: MODEL,
    messages: [user('as JSON please')],
    response_format: format,
  });
  assert.deepEqual(answer.choices[0].message.parsed, { city: 'Paris', degrees: 21 });
});

test('a conversation that names no session is one session', async () => {
  const history = [];
  let id;
  for (const text of ['first', 'second', 'third']) {
    history.push(user(`${text} of a conversation`));
    const { data, response } = await ask(history).withResponse();
    history.push(data.choices[0].message);
    id ??= sessionOf(response);
    assert.equal(sessionOf(response), id);
  }
  assert.equal((await itemsOf(id)).length, 6);

  const again = await ask(history.slice(0, 5)).withResponse(); // regenerates the last answer
  assert.notEqual(sessionOf(again.response), id);
  assert.equal((await itemsOf(sessionOf(again.response))).length, 6);
  assert.equal((await itemsOf(id)).length, 6);
});

test('the Responses API continues the conversation', async () => {
  const { response } = await ask([user('remember me')]).withResponse();
  const answer = await client.responses.create({
    model: MODEL,
    input: 'who am I',
    conversation: sessionOf(response),
  });
  assert.match(answer.output_text, /who am I \[3\]/);
});

test('a session that a header names is continued, and nothing is kept on request', async () => {
  const named = { headers: { 'X-Clew-Session': 'my-chat' } };
  const params = { model: MODEL, messages: [user('hello')] };
  const { response } = await client.chat.completions.create(params, named).withResponse();
  assert.equal(sessionOf(response), 'my-chat');
  const kept = async () => (await client.get('/conversations', { query: { limit: 100 } })).data.length;
  const before = await kept();
  const { response: other } = await ask([user('forget me')], { store: false }).withResponse();
  assert.equal(sessionOf(other), null);
  await ask([user('### Task:\nWrite a title.\n<chat_history>\nUSER: hi\n</chat_history>')]);
  assert.equal(await kept(), before);
});

test('stored completions are listed, read, changed and deleted', async () => {
  const made = [];
  for (let i = 0; i < 23; i++) {
    made.push((await ask([user(`stored ${i}`)], { store: true, metadata: { kind: 'test' } })).id);
  }
  const all = await collect(client.chat.completions.list({ metadata: { kind: 'test' }, limit: 5 }));
  assert.deepEqual(all.map((each) => each.id), made);
  const newest = await client.chat.completions.list({ order: 'desc', limit: 3 });
  assert.deepEqual(newest.data.map((each) => each.id), made.slice(-3).reverse());
  const one = await client.chat.completions.retrieve(made[0]);
  assert.match(said(one), /stored 0/);
  const changed = await client.chat.completions.update(made[0], { metadata: { a: 'b' } });
  assert.deepEqual(changed.metadata, { a: 'b' });
  const messages = await collect(client.chat.completions.messages.list(made[0]));
  assert.deepEqual(messages.map((each) => each.content), ['stored 0']);
  assert.deepEqual(await client.chat.completions.delete(made[0]), {
    id: made[0], object: 'chat.completion.deleted', deleted: true,
  });
  await assert.rejects(client.chat.completions.retrieve(made[0]), OpenAI.NotFoundError);
  await assert.rejects(clew.client('bob').chat.completions.retrieve(made[1]), OpenAI.NotFoundError);
});

test('errors have the shape of OpenAI', async () => {
  await assert.rejects(ask([]), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.param, 'messages');
    return true;
  });
  await assert.rejects(ask([user('x')], { n: 2 }), { status: 400, param: 'n' });
  await assert.rejects(
    ask([{ role: 'tool', tool_call_id: 'none', content: 'x' }]),
    OpenAI.BadRequestError,
  );
  await assert.rejects(ask([user('please break')]), (error) => error.status >= 500);
  const broken = await ask([user('please break')], { stream: true });
  await assert.rejects(collect(broken), OpenAI.APIError);
});
