// The official Node client against a real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { ConversationCursorPage } from 'openai/pagination';
import { z } from 'zod';
import { CHAT, collect, MODEL, startClew } from './server.mjs';

let clew;
let client;

before(async () => {
  clew = await startClew();
  client = clew.client('ann');
});
after(() => clew?.close());

const user = (text) => ({ type: 'message', role: 'user', content: text });

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
};

async function conversationOf(count) {
  const conversation = await client.conversations.create({});
  for (let from = 0; from < count; from += 20) {
    const items = Array.from({ length: Math.min(20, count - from) }, (_, i) => user(`n${from + i}`));
    await client.conversations.items.create(conversation.id, { items });
  }
  return conversation.id;
}

test('a conversation is created, read, changed and deleted', async () => {
  const made = await client.conversations.create({
    metadata: { topic: 'demo' },
    items: [user('hello'), { role: 'assistant', content: 'hi' }],
  });
  assert.match(made.id, /^conv_/);
  assert.equal(made.object, 'conversation');
  assert.deepEqual(made.metadata, { topic: 'demo' });
  assert.deepEqual(await client.conversations.retrieve(made.id), made);
  const changed = await client.conversations.update(made.id, { metadata: { other: 'x' } });
  assert.deepEqual(changed.metadata, { other: 'x' });
  const gone = await client.conversations.delete(made.id);
  assert.deepEqual(gone, { id: made.id, object: 'conversation.deleted', deleted: true });
  await assert.rejects(client.conversations.retrieve(made.id), OpenAI.NotFoundError);
});

test('a pager walks the conversations, which OpenAI does not list, in both orders', async () => {
  const owner = clew.client('pager');
  const made = [];
  for (let i = 0; i < 7; i++) {
    made.push((await owner.conversations.create()).id);
  }
  const walk = async (order) =>
    (
      await collect(
        owner.getAPIList('/conversations', ConversationCursorPage, { query: { limit: 3, order } }),
      )
    ).map((each) => each.id);
  const oldestFirst = await walk('asc');
  assert.deepEqual([...oldestFirst].sort(), [...made].sort());
  assert.deepEqual(await walk('desc'), oldestFirst.reverse());
});

test('a compressed body is read', async () => {
  const response = await fetch(`${clew.url}/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.apiKey}`, 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ metadata: { topic: 'zipped' } })),
  });
  assert.deepEqual((await response.json()).metadata, { topic: 'zipped' });
});

test('a tool that the model behind the server cannot run is refused by name', async () => {
  const asking = client.responses.create({
    model: MODEL,
    input: 'hi',
    tools: [{ type: 'web_search' }],
  });
  if (CHAT) {
    await assert.rejects(asking, /cannot run the tool 'web_search'/);
  } else {
    assert.equal((await asking).status, 'completed');
  }
});

test('items are added, read one by one and removed', async () => {
  const { id } = await client.conversations.create();
  const added = await client.conversations.items.create(id, {
    items: [
      user('look'),
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'at this' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' },
    ],
  });
  assert.equal(added.data.length, 5);
  assert.equal(added.first_id, added.data[0].id);
  assert.equal(added.last_id, added.data[4].id);
  assert.equal(added.has_more, false);
  assert.equal(added.data[4].id, 'rs_1');
  for (const item of added.data) {
    const read = await client.conversations.items.retrieve(item.id, {
      conversation_id: id,
      include: ['message.input_image.image_url', 'reasoning.encrypted_content'],
    });
    assert.deepEqual(read, item);
  }
  assert.equal(added.data[1].content[1].image_url, 'data:image/png;base64,AAAA');
  const parent = await client.conversations.items.delete(added.data[4].id, { conversation_id: id });
  assert.equal(parent.id, id);
  await assert.rejects(
    client.conversations.items.retrieve('rs_1', { conversation_id: id }),
    OpenAI.NotFoundError,
  );
});

for (const count of [0, 1, 20, 21, 100, 101]) {
  test(`pages over ${count} items give all of them, in both orders`, async () => {
    const id = await conversationOf(count);
    const wanted = Array.from({ length: count }, (_, i) => `n${i}`);
    const texts = (items) => items.map((item) => item.content[0].text);
    for (const limit of [undefined, 1, 7, 100]) {
      if (limit === 1 && count > 21) continue;
      const asc = await collect(client.conversations.items.list(id, { order: 'asc', limit }));
      assert.deepEqual(texts(asc), wanted);
      const desc = await collect(client.conversations.items.list(id, { limit }));
      assert.deepEqual(texts(desc), wanted.toReversed());
    }
  });
}

test('an item that is removed while its list is read does not break the list', async () => {
  const id = await conversationOf(30);
  const seen = [];
  for await (const item of client.conversations.items.list(id, { order: 'asc', limit: 5 })) {
    seen.push(item.content[0].text);
    await client.conversations.items.delete(item.id, { conversation_id: id });
  }
  assert.equal(seen.length, 30);
});

test('a response is created, retrieved and deleted', async () => {
  const made = await client.responses.create({ model: MODEL, input: 'hello', metadata: { a: 'b' } });
  assert.equal(made.status, 'completed');
  assert.match(made.output_text, /^You said: hello/);
  assert.equal(made.model, MODEL);
  assert.equal(made.usage.total_tokens, 18);
  assert.deepEqual(made.metadata, { a: 'b' });
  const read = await client.responses.retrieve(made.id);
  assert.deepEqual(read.output, made.output);
  const input = await collect(client.responses.inputItems.list(made.id));
  assert.deepEqual(input.map((item) => item.content[0].text), ['hello']);
  await client.responses.delete(made.id);
  await assert.rejects(client.responses.retrieve(made.id), OpenAI.NotFoundError);
});

for (const count of [1, 20, 21, 100, 101]) {
  test(`pages over ${count} input items give all of them, in both orders`, async () => {
    const input = Array.from({ length: count }, (_, i) => user(`n${i}`));
    const made = await client.responses.create({ model: MODEL, input });
    const texts = (items) => items.map((item) => item.content[0].text);
    const wanted = input.map((item) => item.content);
    const asc = await collect(client.responses.inputItems.list(made.id, { order: 'asc' }));
    assert.deepEqual(texts(asc), wanted);
    const desc = await collect(client.responses.inputItems.list(made.id, { limit: 7 }));
    assert.deepEqual(texts(desc), wanted.toReversed());
  });
}

test('the strict helper takes the stream of a text', async () => {
  const stream = client.responses.stream({ model: MODEL, input: 'a few words please' });
  let text = '';
  stream.on('response.output_text.delta', (event) => {
    text += event.delta;
  });
  const end = await stream.finalResponse();
  assert.equal(end.status, 'completed');
  assert.equal(text, end.output_text);
  assert.match(text, /^You said: a few words please/);
});

test('the strict helper takes the stream of a tool call and of the answer to its output', async () => {
  const input = 'call get_weather with {"city":"Paris"}';
  const stream = client.responses.stream({ model: MODEL, input, tools: [weather] });
  const types = [];
  stream.on('event', (event) => types.push(event.type));
  const end = await stream.finalResponse();
  const call = end.output[0];
  assert.equal(call.type, 'function_call');
  assert.equal(call.arguments, '{"city":"Paris"}');
  assert.ok(types.includes('response.function_call_arguments.done'));
  const next = await client.responses
    .stream({
      model: MODEL,
      previous_response_id: end.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }],
      tools: [weather],
    })
    .finalResponse();
  assert.equal(next.output_text, 'The tool said: sunny');
});

// Chat Completions have no reasoning items.
const testReasoning = CHAT ? () => {} : test;

testReasoning('the strict helper takes the stream of reasoning', async () => {
  const end = await client.responses
    .stream({ model: MODEL, input: 'think first', include: ['reasoning.encrypted_content'] })
    .finalResponse();
  assert.equal(end.output[0].type, 'reasoning');
  assert.equal(end.output[0].encrypted_content, 'c2VhbGVk');
  assert.equal(end.output_text, 'I thought about it.');
});

test('the strict helper takes the stream of a refusal', async () => {
  const end = await client.responses.stream({ model: MODEL, input: 'refuse' }).finalResponse();
  assert.equal(end.output[0].content[0].refusal, 'I will not.');
});

test('structured output is parsed, plain and streamed', async () => {
  const format = zodTextFormat(z.object({ city: z.string(), degrees: z.number() }), 'weather');
  const body = { model: MODEL, input: 'the weather as JSON', text: { format } };
  const wanted = { city: 'Paris', degrees: 21 };
  assert.deepEqual((await client.responses.parse(body)).output_parsed, wanted);
  assert.deepEqual((await client.responses.stream(body).finalResponse()).output_parsed, wanted);
});

test('a stream is resumed behind any event', async () => {
  const all = await collect(
    await client.responses.create({ model: MODEL, input: 'one two three', stream: true }),
  );
  assert.deepEqual(all.map((event) => event.sequence_number), all.map((_, i) => i));
  const { id } = all[0].response;
  for (const after of [0, 3, all.length - 2, all.length - 1]) {
    const rest = await collect(
      await client.responses.retrieve(id, { stream: true, starting_after: after }),
    );
    assert.deepEqual(rest, all.slice(after + 1));
  }
});

test('the strict helper resumes a background response that is still running', async () => {
  const begun = await client.responses.create({
    model: MODEL,
    input: 'speak slowly',
    background: true,
    stream: true,
  });
  let id;
  let last;
  for await (const event of begun) {
    id ??= event.response?.id;
    if (event.type === 'response.output_text.delta') {
      last = event.sequence_number;
      break;
    }
  }
  const numbers = [];
  const stream = client.responses.stream({ response_id: id, starting_after: last });
  stream.on('event', (event) => numbers.push(event.sequence_number));
  const end = await stream.finalResponse();
  assert.equal(end.status, 'completed');
  assert.ok(end.output_text.endsWith('word39'));
  assert.deepEqual(numbers, numbers.map((_, i) => last + 1 + i));
});

test('a background response is polled, and one that runs is cancelled', async () => {
  let made = await client.responses.create({ model: MODEL, input: 'hello', background: true });
  assert.ok(['queued', 'in_progress', 'completed'].includes(made.status));
  const deadline = Date.now() + 10_000;
  while (made.status === 'queued' || made.status === 'in_progress') {
    assert.ok(Date.now() < deadline, `still ${made.status}`);
    made = await client.responses.retrieve(made.id);
  }
  assert.equal(made.status, 'completed');
  const slow = await client.responses.create({
    model: MODEL,
    input: 'speak slowly',
    background: true,
  });
  const cancelled = await client.responses.cancel(slow.id);
  assert.equal(cancelled.status, 'cancelled');
  assert.equal((await client.responses.retrieve(slow.id)).status, 'cancelled');
});

test('a stream that the client aborts goes on, for it is stored', async () => {
  const stream = await client.responses.create({ model: MODEL, input: 'slowly', stream: true });
  let id;
  for await (const event of stream) {
    id ??= event.response?.id;
    if (event.type === 'response.output_text.delta') {
      break;
    }
  }
  const end = await client.responses.stream({ response_id: id }).finalResponse();
  assert.equal(end.status, 'completed');
});

test('turns follow each other by conversation and by response id', async () => {
  const { id } = await client.conversations.create({ items: [user('first')] });
  const one = await client.responses.create({ model: MODEL, conversation: id, input: 'second' });
  assert.deepEqual(one.conversation, { id });
  assert.equal(one.output_text, 'You said: second [2]');
  const two = await client.responses.create({ model: MODEL, conversation: { id }, input: 'third' });
  assert.equal(two.output_text, 'You said: third [4]');
  assert.equal((await collect(client.conversations.items.list(id))).length, 5);
  const branch = await client.responses.create({
    model: MODEL,
    previous_response_id: one.id,
    input: 'instead',
    instructions: 'Be brief.',
  });
  assert.equal(branch.output_text, CHAT ? 'You said: instead [5]' : 'You said: instead [4]');
  assert.equal((await collect(client.conversations.items.list(id))).length, 5);
});

testReasoning('the output of a response is taken back as input', async () => {
  const first = await client.responses.create({ model: MODEL, input: 'think first', store: false });
  const input = [user('think first'), ...first.output, user('and now?')];
  const second = await client.responses.create({ model: MODEL, input, store: false });
  assert.equal(second.output_text, 'You said: and now? [4]');
  await assert.rejects(client.responses.retrieve(first.id), OpenAI.NotFoundError);
});

test('tokens are counted', async () => {
  const counted = await client.responses.inputTokens.count({ model: MODEL, input: 'hello there' });
  assert.equal(counted.object, 'response.input_tokens');
  assert.ok(counted.input_tokens > 0);
});

test('a context is compacted, and goes on from what was made of it', async () => {
  const input = [user('my cat is Tom'), { role: 'assistant', content: 'nice' }];
  const compacted = await client.responses.compact({ model: MODEL, input });
  assert.equal(compacted.object, 'response.compaction');
  assert.equal(compacted.output.at(-1).type, 'compaction');
  assert.ok(!compacted.output.at(-1).encrypted_content.includes('cat'));
  const next = await client.responses.create({
    model: MODEL,
    input: [...compacted.output, user('what is my cat called?')],
  });
  assert.equal(next.status, 'completed');
  const followed = await client.responses.create({
    model: MODEL,
    previous_response_id: compacted.id,
    input: 'and now?',
  });
  assert.equal(followed.status, 'completed');
  const again = await client.responses.compact({ model: MODEL, previous_response_id: followed.id });
  assert.equal(again.output.at(-1).type, 'compaction');
});

test('a response compacts its history by itself when it is long', async () => {
  const first = await client.responses.create({ model: MODEL, input: 'x '.repeat(4000) });
  const next = await client.responses
    .stream({
      model: MODEL,
      previous_response_id: first.id,
      input: 'and now?',
      context_management: [{ type: 'compaction', compact_threshold: 1000 }],
    })
    .finalResponse();
  assert.equal(next.output[0].type, 'compaction');
  assert.match(next.output_text, /^You said: and now\?/);
});

test('models are listed and retrieved', async () => {
  const models = await collect(client.models.list());
  assert.ok(models.some((model) => model.id === MODEL));
  assert.equal((await client.models.retrieve(MODEL)).id, MODEL);
});

async function refused(call, kind, fields) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof kind, `${error} is not ${kind.name}`);
    for (const [name, value] of Object.entries(fields)) {
      assert.equal(error[name], value, `${name} of ${error}`);
    }
    assert.match(error.requestID, /^req_/);
    return true;
  });
}

test('errors are of the classes that the client has for them', async () => {
  const missing = 'conv_000000000000000000000000000000000000000000000000';
  await refused(client.conversations.retrieve(missing), OpenAI.NotFoundError, {
    status: 404, type: 'invalid_request_error', code: null, param: null,
  });
  await refused(client.responses.retrieve('resp_none'), OpenAI.NotFoundError, { status: 404 });
  await refused(client.responses.create({ input: 'x' }), OpenAI.BadRequestError, {
    status: 400, code: 'missing_required_parameter', param: 'model',
  });
  await refused(
    client.responses.create({ model: MODEL, input: 'x', previous_response_id: 'resp_none' }),
    OpenAI.BadRequestError,
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  );
  await refused(
    client.conversations.items.list(missing, { limit: 1000 }),
    OpenAI.NotFoundError,
    { status: 404 },
  );
  const { id } = await client.conversations.create();
  await refused(client.conversations.items.list(id, { limit: 1000 }), OpenAI.BadRequestError, {
    code: 'integer_above_max_value', param: 'limit',
  });
  await refused(client.conversations.items.list(id, { order: 'up' }), OpenAI.BadRequestError, {
    code: 'invalid_value', param: 'order',
  });
  assert.deepEqual((await client.conversations.items.list(id, { include: ['x'] })).data, []);
  await refused(client.models.retrieve('nobody'), OpenAI.NotFoundError, { status: 404 });
  const stranger = new OpenAI({ apiKey: 'wrong', baseURL: clew.url, maxRetries: 0 });
  await refused(stranger.conversations.retrieve(id), OpenAI.AuthenticationError, {
    status: 401, code: 'invalid_api_key',
  });
  await refused(clew.client('bob').conversations.retrieve(id), OpenAI.NotFoundError, {
    status: 404,
  });
});

test('a model that fails is an error of the server, in a stream too', async () => {
  await refused(
    client.responses.create({ model: MODEL, input: 'break' }),
    OpenAI.InternalServerError,
    { code: 'model_failed' },
  );
  await assert.rejects(async () => {
    await collect(await client.responses.create({ model: MODEL, input: 'break', stream: true }));
  }, OpenAI.APIError);
  await assert.rejects(
    client.responses.stream({ model: MODEL, input: 'break' }).finalResponse(),
    OpenAI.APIError,
  );
});

test('a request that is repeated with its key is answered once', async () => {
  const options = { headers: { 'Idempotency-Key': 'k1' } };
  const body = { model: MODEL, input: 'once' };
  const one = await client.responses.create(body, options);
  const two = await client.responses.create(body, options);
  assert.equal(two.id, one.id);
});
