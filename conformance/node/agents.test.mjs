// The official Agents SDK for JavaScript against a real server: its sessions, tools and approvals.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Agent, MemorySession, OpenAIConversationsSession, OpenAIResponsesCompactionSession, run, Runner,
  setDefaultOpenAIClient, setTracingDisabled, tool, user,
} from '@openai/agents';
import { z } from 'zod';
import { MODEL, startClew } from './server.mjs';

let clew;
let client;

before(async () => {
  clew = await startClew();
  client = clew.client('ann');
  setDefaultOpenAIClient(client);
  setTracingDisabled(true);
});
after(() => clew?.close());

const weather = tool({
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const mailed = [];
const mail = tool({
  name: 'send_mail',
  description: 'Sends mail.',
  parameters: z.object({ to: z.string() }),
  needsApproval: true,
  execute: async ({ to }) => {
    mailed.push(to);
    return `sent to ${to}`;
  },
});

const agent = new Agent({
  name: 'Assistant',
  instructions: 'Help.',
  model: MODEL,
  tools: [weather, mail],
});

test('turns are kept in a conversation', async () => {
  const session = new OpenAIConversationsSession({ client });
  const first = await run(agent, 'hello', { session });
  assert.match(first.finalOutput, /^You said: hello/);
  await run(agent, 'again', { session });
  const items = await session.getItems();
  assert.deepEqual(items.map((item) => item.role), ['user', 'assistant', 'user', 'assistant']);
  assert.deepEqual((await session.getItems(2)).map((item) => item.role), ['user', 'assistant']);
  assert.equal((await session.popItem()).role, 'assistant');
  assert.equal((await session.getItems()).length, 3);
  const id = await session.getSessionId();
  const other = new OpenAIConversationsSession({ client, conversationId: id });
  assert.deepEqual(await other.getItems(), await session.getItems());
  await session.clearSession();
  assert.equal(session.sessionId, undefined);
  await assert.rejects(other.getItems());
});

test('a tool is called in a conversation, plain and streamed', async () => {
  const session = new OpenAIConversationsSession({ client });
  const plain = await run(agent, 'call get_weather with {"city":"Paris"}', { session });
  assert.equal(plain.finalOutput, 'The tool said: sunny in Paris');
  const streamed = await run(agent, 'call get_weather with {"city":"Rome"}', {
    session,
    stream: true,
  });
  let text = '';
  for await (const event of streamed) {
    if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
      text += event.data.delta;
    }
  }
  await streamed.completed;
  assert.equal(streamed.finalOutput, 'The tool said: sunny in Rome');
  assert.ok(text.endsWith('The tool said: sunny in Rome'));
  const types = (await session.getItems()).map((item) => item.type);
  const turn = ['message', 'function_call', 'function_call_result', 'message'];
  assert.deepEqual(types, [...turn, ...turn]);
});

for (const stream of [false, true]) {
  test(`a tool waits for its approval in a conversation, streamed: ${stream}`, async () => {
    const session = new OpenAIConversationsSession({ client });
    const to = `bob${stream}`;
    let result = await run(agent, `call send_mail with {"to":"${to}"}`, { session, stream });
    await result.completed;
    assert.equal(result.interruptions.length, 1);
    assert.ok(!mailed.includes(to));
    result.state.approve(result.interruptions[0]);
    result = await run(agent, result.state, { session, stream });
    await result.completed;
    assert.equal(result.finalOutput, `The tool said: sent to ${to}`);
    assert.ok(mailed.includes(to));
    let refusal = await run(agent, 'call send_mail with {"to":"eve"}', { session, stream });
    await refusal.completed;
    refusal.state.reject(refusal.interruptions[0]);
    refusal = await run(agent, refusal.state, { session, stream });
    await refusal.completed;
    assert.ok(!mailed.includes('eve'));
    const types = (await session.getItems()).map((item) => item.type);
    const turn = ['message', 'function_call', 'function_call_result', 'message'];
    assert.deepEqual(types, [...turn, ...turn]);
  });
}

test('pictures, reasoning and many items survive the session', async () => {
  const session = new OpenAIConversationsSession({ client });
  const picture = {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'what is this?' },
      { type: 'input_image', image: 'data:image/png;base64,AAAA' },
    ],
  };
  await session.addItems([
    picture,
    { type: 'reasoning', id: 'rs_9', content: [], providerData: { encrypted_content: 'abc' } },
    ...Array.from({ length: 60 }, (_, i) => user(`n${i}`)),
  ]);
  const items = await session.getItems();
  assert.equal(items.length, 62);
  assert.deepEqual(items[0].content, picture.content);
  assert.equal(items[1].id, 'rs_9');
  assert.equal(items[1].providerData.encrypted_content, 'abc');
});

test('the server keeps the state when a run names a conversation', async () => {
  const conversationId = (await client.conversations.create()).id;
  const result = await run(agent, 'call get_weather with {"city":"Oslo"}', { conversationId });
  assert.equal(result.finalOutput, 'The tool said: sunny in Oslo');
  const types = [];
  for await (const item of client.conversations.items.list(conversationId, { order: 'asc' })) {
    types.push(item.type);
  }
  assert.deepEqual(types, ['message', 'function_call', 'function_call_output', 'message']);
});

test('the server keeps the state when a run names the response before', async () => {
  const first = await run(agent, 'hello');
  const second = await run(agent, 'call get_weather with {"city":"Bern"}', {
    previousResponseId: first.lastResponseId,
  });
  assert.equal(second.finalOutput, 'The tool said: sunny in Bern');
});

for (const compactionMode of ['previous_response_id', 'input', 'auto']) {
  test(`a compaction session is made short, by ${compactionMode}`, async () => {
    const session = new OpenAIResponsesCompactionSession({
      client,
      model: MODEL,
      compactionMode,
      underlyingSession: new MemorySession(),
      shouldTriggerCompaction: ({ compactionCandidateItems }) =>
        compactionCandidateItems.length >= 3,
    });
    const short = async () => {
      const types = (await session.getItems()).map((item) => item.type);
      assert.equal(types.at(-1), 'compaction');
      assert.equal(types.filter((type) => type !== 'message').length, 1);
    };
    await new Runner().run(agent, 'call get_weather with {"city":"Paris"}', { session });
    await short();
    await new Runner().run(agent, 'call get_weather with {"city":"Rome"}', { session });
    // By itself it does this once: it does not send again what stands before a compaction item.
    const { usage } = await session.runCompaction({ force: true });
    assert.equal(usage.totalTokens, 18);
    await short();
    const next = await run(agent, 'and now?', { session });
    assert.match(next.finalOutput, /^You said: and now\?/);
  });
}
