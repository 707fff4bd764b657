// The official MCP clients, with and without a handshake, against `clew mcp` and /mcp of a server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { Client as LaterClient, StreamableHTTPClientTransport as LaterHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as LaterStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startClew } from './server.mjs';

let clew;

before(async () => {
  clew = await startClew();
  const run = (...args) => execFileSync(process.env.CLEW, args, { env: clew.env });
  run('add', '--owner', 'ann', 'trip', 'What city is the Golden Gate Bridge in?');
  run('add', '--owner', 'ann', 'trip', '--role', 'assistant', 'San Francisco.');
  run('add', '--owner', 'bob', 'his', 'The golden secret.');
});
after(() => clew?.close());

const info = { name: 'conformance', version: '1' };
const command = () => ({
  command: process.env.CLEW,
  args: ['mcp', '--owner', 'ann', '--write'],
  env: clew.env,
});
const address = () => new URL('/mcp', clew.url);
const signedIn = () => ({ requestInit: { headers: { Authorization: `Bearer ${clew.token('ann')}` } } });
const stateless = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

const clients = {
  'sdk over stdio': async () => {
    const client = new Client(info);
    await client.connect(new StdioClientTransport(command()));
    return client;
  },
  'sdk over HTTP': async () => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(address(), signedIn()));
    return client;
  },
  'client over stdio': async () => {
    const client = new LaterClient(info);
    await client.connect(new LaterStdio(command()));
    return client;
  },
  'client over HTTP': async () => {
    const client = new LaterClient(info);
    await client.connect(new LaterHttp(address(), signedIn()));
    return client;
  },
  'client over HTTP, without a handshake': async () => {
    const client = new LaterClient(info, stateless);
    await client.connect(new LaterHttp(address(), signedIn()));
    return client;
  },
  'client over stdio, without a handshake': async () => {
    const client = new LaterClient(info, stateless);
    await client.connect(new LaterStdio(command()));
    return client;
  },
};

for (const [name, connect] of Object.entries(clients)) {
  test(`${name}: lists, searches, reads, writes`, async () => {
    const client = await connect();
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'append_message'));
      const call = async (tool, args) => {
        const result = await client.callTool({ name: tool, arguments: args });
        assert.ok(!result.isError, JSON.stringify(result));
        return result.structuredContent; // which the client checks against the tool's schema
      };
      const found = await call('search_conversations', { query: 'golden gate' });
      assert.equal(found.hits[0].session_id, 'trip');
      const everything = await call('search_conversations', { query: 'golden' });
      assert.ok(everything.hits.every((hit) => hit.session_id !== 'his'));
      const read = await call('get_conversation', {
        session_id: 'trip',
        around: found.hits[0].position,
      });
      assert.match(read.entries[0].text, /Golden Gate/);
      const entry = await call('get_entry', {
        session_id: 'trip',
        position: read.entries[1].position,
      });
      assert.equal(entry.text, 'San Francisco.');
      await call('describe_conversation', { session_id: 'trip' });
      const added = await call('append_message', { role: 'user', text: `from ${name}` });
      await call('rename_conversation', { session_id: added.session_id, title: name });
      await call('tag_conversation', { session_id: added.session_id, add: ['mcp'] });
      await call('fork_conversation', { session_id: added.session_id });
      const listed = await call('list_conversations', { tag: 'mcp', title: name });
      assert.ok(listed.conversations.length >= 1);
      const refused = await client.callTool({
        name: 'get_conversation',
        arguments: { session_id: 'his' },
      });
      assert.ok(refused.isError);
      const { resources } = await client.listResources();
      const uri = resources.find((each) => each.uri.endsWith('/trip')).uri;
      const { contents } = await client.readResource({ uri });
      assert.match(contents[0].text, /San Francisco/);
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
      await assert.rejects(client.readResource({ uri: 'clew://sessions/none' }));
    } finally {
      await client.close();
    }
  });
}

test('a wrong token is refused', async () => {
  const client = new Client(info);
  const headers = { Authorization: 'Bearer clew_wrong' };
  await assert.rejects(
    client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers } })),
  );
});
