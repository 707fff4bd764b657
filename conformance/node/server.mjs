// Starts the real `clew serve` with a store of its own and the scripted model behind it.
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import OpenAI from 'openai';
import { startUpstream } from './upstream.mjs';

const CLEW = process.env.CLEW;
const PROTOCOL = process.env.CLEW_UPSTREAM ?? 'openai';

/** What the models of these tests are called: the compaction session takes no other names. */
export const MODEL = 'gpt-scripted';

/** Whether the model behind the server speaks Chat Completions, which knows fewer kinds of items. */
export const CHAT = PROTOCOL === 'chat';

/** Starts it, with more arguments of the command. */
export async function startClew(...more) {
  const upstream = await startUpstream();
  const folder = mkdtempSync(join(tmpdir(), 'clew-conformance-'));
  const env = {
    ...process.env,
    CLEW_STORE: `sqlite:${join(folder, 'clew.db')}`,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: upstream.url,
    CLEW_TITLES: 'message', // the model has no script for them
  };
  const args = ['serve', '--port', '0', '--model', `${PROTOCOL}:${MODEL}`, ...more];
  const server = spawn(CLEW, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((found, failed) => {
    server.once('exit', (code) => failed(new Error(`clew serve ended with ${code}`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const match = /OPENAI_BASE_URL=(\S+)/.exec(line);
      if (match) {
        found(match[1]);
      }
    });
  });
  const token = (owner) =>
    execFileSync(CLEW, ['token', 'create', '--owner', owner], { env, encoding: 'utf8' }).trim();
  return {
    url,
    /** Where commands find the store. */
    env,
    token,
    /** The official client as a user of her own. */
    client(owner, options = {}) {
      return new OpenAI({ apiKey: token(owner), baseURL: url, maxRetries: 0, ...options });
    },
    async close() {
      const ended = new Promise((done) => server.once('exit', done));
      server.kill('SIGTERM');
      await ended;
      upstream.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function collect(pages) {
  const all = [];
  for await (const each of pages) {
    all.push(each);
  }
  return all;
}
