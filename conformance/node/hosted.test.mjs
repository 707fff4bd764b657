// MCP tools of the Responses API, and of the server's own agent: the official clients, and the
// example server of the protocol's authors.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Agent, hostedMcpTool, run, setDefaultOpenAIClient, setTracingDisabled } from '@openai/agents';
import { CHAT, MODEL, startClew } from './server.mjs';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js');

let example;
let url;
let clew;
let client;

const freePort = () =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  example = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise((listening, failed) => {
    example.once('exit', (code) => failed(new Error(`the example server ended with ${code}`)));
    example.stderr.on('data', (text) => String(text).includes('listening') && listening());
  });
  clew = await startClew(
    '--mcp-allow-private', url,
    '--mcp', `here=${process.execPath} ${everything} stdio`,
    '--mcp-without-approval', 'here');
  client = clew.client('ann');
  setDefaultOpenAIClient(client);
  setTracingDisabled(true);
});
after(async () => {
  await clew?.close();
  example?.kill();
});

const web = (more) => ({ type: 'mcp', server_label: 'web', server_url: url, require_approval: 'never', ...more });
const echo = 'call web__echo with {"message":"hello"}';
const types = (response) => response.output.map((item) => item.type);

test('the client: tools are listed, called, and kept along a chain', async () => {
  const first = await client.responses.create({ model: MODEL, input: echo, tools: [web()] });
  assert.deepEqual(types(first), ['mcp_list_tools', 'mcp_call', 'message']);
  assert.equal(first.output[1].output, 'Echo: hello');
  assert.equal(first.output_text, 'The tool said: Echo: hello');
  const second = await client.responses.create({
    model: MODEL, input: 'call web__echo with {"message":"again"}',
    tools: [web()], previous_response_id: first.id,
  });
  assert.deepEqual(types(second), ['mcp_call', 'message']);
  assert.equal(second.output[0].output, 'Echo: again');
});

test('the client: every event of a stream is one it knows', async () => {
  const stream = client.responses.stream({ model: MODEL, input: echo, tools: [web()] });
  const names = new Set();
  for await (const event of stream) {
    names.add(event.type);
  }
  for (const name of ['mcp_list_tools.in_progress', 'mcp_list_tools.completed', 'mcp_call.in_progress',
    'mcp_call_arguments.delta', 'mcp_call_arguments.done', 'mcp_call.completed']) {
    assert.ok(names.has(`response.${name}`), name);
  }
  assert.equal((await stream.finalResponse()).output[1].output, 'Echo: hello');
});

test('the client: a call that fails, and a server that is not allowed', async () => {
  const failed = await client.responses.create({
    model: MODEL, input: 'call web__echo with {"message":7}', tools: [web()],
  });
  assert.equal(failed.output[1].status, 'failed');
  assert.ok(failed.output[1].error);
  const other = client.responses.create({
    model: MODEL, input: 'hi', tools: [web({ server_url: 'https://mcp.example.com/mcp' })],
  });
  if (CHAT) {
    await assert.rejects(other, /--mcp-allow https:\/\/mcp\.example\.com\/mcp/);
  } else { // the model's provider may call it
    assert.match((await other).output_text, /^You said: hi/);
  }
});

for (const stream of [false, true]) {
  test(`the Agents SDK: a hosted tool, ${stream ? 'streamed' : 'at once'}`, async () => {
    const agent = new Agent({
      name: 'Assistant', model: MODEL,
      tools: [hostedMcpTool({ serverLabel: 'web', serverUrl: url, requireApproval: 'never' })],
    });
    const result = await run(agent, echo, { stream });
    if (stream) {
      await result.completed;
    }
    assert.equal(result.finalOutput, 'The tool said: Echo: hello');
    const again = await run(agent, [...result.history, { role: 'user', content: 'and now?' }]);
    assert.match(again.finalOutput, /^You said: and now\?/);
  });
}

for (const approve of [true, false]) {
  test(`the Agents SDK: a call that is ${approve ? 'approved' : 'rejected'}`, async () => {
    const agent = new Agent({
      name: 'Assistant', model: MODEL,
      tools: [hostedMcpTool({ serverLabel: 'web', serverUrl: url, requireApproval: 'always' })],
    });
    const asked = await run(agent, echo);
    assert.equal(asked.interruptions.length, 1);
    const [interruption] = asked.interruptions;
    assert.equal(interruption.rawItem.providerData.server_label, 'web');
    if (approve) {
      asked.state.approve(interruption);
    } else {
      asked.state.reject(interruption);
    }
    const result = await run(agent, asked.state);
    assert.match(result.finalOutput, approve ? /Echo: hello/ : /not approved/);
  });
}

test("the server's own agent: a tool of a process that it started", async () => {
  const response = await fetch(new URL('/api/chat', clew.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${clew.token('ann')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'call here__echo with {"message":"hi"}' }),
  });
  const reply = await response.json();
  assert.match(JSON.stringify(reply), /Echo: hi/);
  const named = await client.responses.create({
    model: MODEL, input: 'call here__echo with {"message":"by name"}',
    tools: [{ type: 'mcp', server_label: 'here', require_approval: 'never' }],
  });
  assert.equal(named.output[1].output, 'Echo: by name');
});
