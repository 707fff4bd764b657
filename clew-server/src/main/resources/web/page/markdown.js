// Markdown as elements. Raw HTML is shown as the text it is; what Markdown makes is checked again;
// images are links, so that no request leaves for where a text says. What would take too long to
// read is shown as the text it is.

import DOMPurify from 'dompurify';
import { Lexer, Marked } from 'marked';
import { frame, languageOf } from './code-block.js';
import { styleSheet } from './styles.js';
import { say } from './words.js';

const escape = (text) =>
  text.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);

/* Formulas: alone between $$ or \[ and \], in a line between $ or \( and \). They are short, so
 * that no text takes long to be found to have none. */
const ALONE = /^(?:\$\$([^]{1,2000}?)\$\$|\\\[([^]{1,2000}?)\\\])/;
const IN_LINE = /^(?:\\\(([^]{1,2000}?)\\\)|\$(?![\s$])([^$\n]{0,500}?[^$\s\\])\$(?![\d$]))/;

function formula(type, found) {
  return found && { type, raw: found[0], text: (found[1] ?? found[2]).trim() };
}

const BLOCK = new RegExp(`${ALONE.source}[ \\t]*(?:\\n|$)`);

const formulas = [
  {
    name: 'formulas',
    level: 'block',
    tokenizer(text) {
      return this.lexer.affordable(formula('formulas', BLOCK.exec(text)));
    },
    renderer: ({ text }) => `<p><code class="formula alone">${escape(text)}</code></p>`,
  },
  {
    name: 'formula',
    level: 'inline',
    start: (text) => text.match(/\$|\\[([]/)?.index,
    tokenizer(text) {
      const alone = ALONE.exec(text);
      const found = this.lexer.affordable(formula('formula', alone ?? IN_LINE.exec(text)));
      return found && { ...found, alone: alone !== null };
    },
    renderer: ({ text, alone }) =>
      `<code class="formula${alone ? ' alone' : ''}">${escape(text)}</code>`,
  },
];

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a class="image" href="${escape(href)}">${escape(text)}</a>`,
    checkbox: ({ checked }) => `<code class="task">${checked ? '☑' : '☐'}</code> `,
  },
});

marked.use({ extensions: formulas });

const ALLOWED = {
  ALLOWED_TAGS: [
    'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li',
    'ol', 'p', 'pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
  ],
  ALLOWED_ATTR: ['href', 'class', 'start', 'align', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ADD_URI_SAFE_ATTR: ['align', 'start'], // which the line above is not about
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/**
 * Draws a text into an element, one child for each block. Blocks that have not changed since the
 * last time are left as they are, so what is selected in them stays selected. Of a text that grows
 * only the last blocks are read again, and only what is new in the last one is drawn.
 */
export function drawMarkdown(element, text, growing) {
  let drawn = element.drawn ?? NOTHING;
  if (!growing || !text.startsWith(drawn.settled)) {
    drawn = { ...drawn, settled: '', count: 0, raws: [...drawn.settledRaws, ...drawn.raws] };
    drawn.settledRaws = [];
  }
  const tokens = lex(text.slice(drawn.settled.length));
  let same = 0;
  while (same < tokens.length && drawn.raws[same] === tokens[same].raw) {
    same++;
  }
  let next = drawn.count + same;
  const changed = element.childNodes[next];
  if (changed && same < tokens.length && grow(changed, tokens[same])) {
    same++;
    next++;
  }
  while (element.childNodes.length > next) {
    element.lastChild.remove();
  }
  for (const token of tokens.slice(same)) {
    element.append(block(token));
  }
  const raws = tokens.map((token) => token.raw);
  const settled = growing ? raws.splice(0, Math.max(0, raws.length - UNSETTLED)) : [];
  element.drawn = {
    settled: drawn.settled + settled.join(''),
    settledRaws: [...drawn.settledRaws, ...settled],
    count: drawn.count + settled.length,
    raws,
  };
  decorate([...element.children].slice(Math.max(0, drawn.count - 1)), growing);
}

const NOTHING = { settled: '', settledRaws: [], count: 0, raws: [] };
const UNSETTLED = 2; // what comes next may still belong to the block before the last

/* What reading one text may take. A part of it (a paragraph, a cell) takes marked at most its length
 * times its marks, so that product is counted: ordinary prose of 100 kB takes about 1.3 million, and
 * the worst that is allowed about a quarter of a second. Counted, not timed, so that a text looks the
 * same on every machine. */
const EFFORT = 10_000_000;
const MARKS = /[!-/:-@[-`{-~\n]/g;
const MOST_PARTS = 20_000; // a table has as many as rows times columns, whatever its text has
const MOST_BLOCKS = 5_000; // each is an element with its own check
const DEEPEST = 50; // quotes and lists in one another
const FORMULAS = 30_000; // of them all, in characters, where a short one counts as thirty
const LONGEST = 250_000;
const QUOTED = /^[ \t\d.)*+-]*>/gm;
const MOST_QUOTED = 2_000; // lines, each of which may make marked read those before it again
const WIDEST_GAP = /[ \t]{1000}/; // marked looks at each space of a gap from each space

const asText = (text) => ({ type: 'text', raw: text, text, escaped: false });

/** Reads a text as marked does, and what exceeds its bounds as plain text. Good for one text. */
class BoundedLexer extends Lexer {
  effort = EFFORT;
  parts = 0;
  depth = 0;
  formulas = 0;

  blockTokens(text, tokens = [], lastParagraphClipped = false) {
    if (this.depth === DEEPEST) {
      tokens.push({ ...asText(text), tokens: [asText(text)] });
      return tokens;
    }
    this.depth++;
    super.blockTokens(text, tokens, lastParagraphClipped);
    this.depth--;
    return tokens;
  }

  inline(text, tokens = []) {
    if (++this.parts > MOST_PARTS) {
      throw new RangeError('too many parts');
    }
    return super.inline(text, tokens);
  }

  inlineTokens(text, tokens = []) {
    const effort = text.length * (text.match(MARKS)?.length ?? 0);
    if (effort > this.effort) {
      tokens.push(asText(text));
      return tokens;
    }
    this.effort -= effort;
    return super.inlineTokens(text, tokens);
  }

  /** A formula, or nothing if there were enough. */
  affordable(found) {
    if (found) {
      this.formulas += Math.max(30, found.raw.length);
    }
    return this.formulas > FORMULAS ? undefined : found;
  }
}

const tooMuch = (text) =>
  text.length > LONGEST || WIDEST_GAP.test(text) || (text.match(QUOTED)?.length ?? 0) > MOST_QUOTED;

function lex(text) {
  try {
    const tokens = tooMuch(text) ? [] : new BoundedLexer(marked.defaults).lex(text);
    if (tokens.length > 0 && tokens.length <= MOST_BLOCKS) {
      return tokens;
    }
  } catch {
    // Too many parts.
  }
  return text ? [asText(text)] : [];
}

/** One element for each token, so that they can be counted. */
function block(token) {
  const holder = document.createElement('div');
  holder.className = 'block';
  holder.dir = 'auto'; // each has the direction of its own words
  if (token.type === 'text') {
    return unread(holder, token);
  }
  if (token.type === 'space') {
    return holder;
  }
  if (token.type === 'paragraph') {
    const paragraph = plain('p', token.tokens);
    if (paragraph) {
      holder.append(paragraph);
      return holder;
    }
  }
  try {
    holder.append(checked(marked.parser([token])));
    const list = holder.firstElementChild;
    if (token.type === 'list' && list?.children.length === token.items.length) {
      list.drawn = token.items.map(keyOf);
    }
  } catch {
    return unread(holder, token); // nested deeper than it can follow
  }
  return holder;
}

function unread(holder, token) {
  holder.classList.add('plain');
  holder.textContent = token.raw;
  return holder;
}

function checked(html) {
  const fragment = DOMPurify.sanitize(html, ALLOWED);
  fragment.querySelectorAll('a').forEach(secure);
  return fragment;
}

const NAMES = { strong: 'strong', em: 'em', del: 'del', codespan: 'code', br: 'br' };

/** Words with emphasis and nothing else, which need not be checked: they are made as text. */
function plain(name, tokens) {
  const element = document.createElement(name);
  for (const token of tokens) {
    if (token.type === 'text' && !token.tokens && !token.raw.includes('&')) {
      element.append(token.text);
    } else if (NAMES[token.type] && !token.raw.includes('&')) {
      const inner = token.tokens
        ? plain(NAMES[token.type], token.tokens)
        : Object.assign(document.createElement(NAMES[token.type]), { textContent: token.text ?? '' });
      if (!inner) {
        return null;
      }
      element.append(inner);
    } else {
      return null;
    }
  }
  return element;
}

const keyOf = (item) => `${item.loose} ${item.raw.trimEnd()}`;

/** Draws what is new in a block that has grown; whether it could. */
function grow(holder, token) {
  const inside = holder.firstElementChild;
  if (token.type === 'list' && inside?.drawn && inside.tagName === (token.ordered ? 'OL' : 'UL')) {
    const keys = token.items.map(keyOf);
    let same = 0;
    while (same < keys.length && inside.drawn[same] === keys[same]) {
      same++;
    }
    while (inside.children.length > same) {
      inside.lastElementChild.remove();
    }
    for (const item of token.items.slice(same)) {
      const made = checked(marked.parser([{ ...token, items: [item] }]));
      inside.append(made.querySelector('li') ?? document.createElement('li'));
    }
    inside.drawn = keys;
    return true;
  }
  const code = codeIn(holder);
  const language = (token.lang ?? '').match(/^\S*/)[0];
  if (token.type === 'code' && code && !code.dataset.highlighted && languageOf(code) === language) {
    code.textContent = `${token.text.replace(/\n$/, '')}\n`;
    return true;
  }
  return false;
}

function secure(link) {
  const href = link.getAttribute('href');
  if (!href) {
    link.replaceWith(...link.childNodes); // a link to nowhere we go
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  if (link.classList.contains('image')) {
    const host = new URL(href).host;
    link.textContent = `${link.textContent || say('image')} (${host})`;
  }
}

/* Looked up by hand: a selector with :scope takes longer the more blocks there are. */
const childOf = (holder, name) => [...holder.children].find((child) => child.localName === name);
const codeIn = (holder) => childOf(holder, 'pre')?.firstElementChild;

function decorate(blocks, growing) {
  blocks.forEach((holder, index) => {
    if (childOf(holder, 'table')) {
      holder.classList.add('wide');
      holder.tabIndex = 0; // so that it can be scrolled without a mouse
    }
    const code = codeIn(holder);
    const finished = !growing || index < blocks.length - 1;
    if (code && !holder.classList.contains('code')) {
      frame(holder, code);
    }
    if (finished) {
      holder.querySelectorAll('code.formula').forEach(typeset);
    }
    if (code && finished && !code.dataset.highlighted) {
      highlight(code);
    }
  });
}

const LONGEST_HIGHLIGHTED = 8_000; // a longer one would take longer than a key may wait
const LONG_LINE = /.{500}/; // and so would one with such lines, whatever its length

let queue = Promise.resolve();

/** When there is time, for one at a time: those who wait must not all go at once. */
const idle = () =>
  (queue = queue.then(
    () => new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 500 })),
  ));

async function highlight(code) {
  const language = languageOf(code);
  const { textContent } = code;
  if (!language || textContent.length > LONGEST_HIGHLIGHTED || LONG_LINE.test(textContent)) {
    return;
  }
  code.dataset.highlighted = 'yes';
  const { default: hljs } = await import('highlightjs');
  await idle();
  if (hljs.getLanguage(language)) {
    const { value } = hljs.highlight(code.textContent, { language, ignoreIllegals: true });
    code.replaceChildren(
      DOMPurify.sanitize(value, {
        ALLOWED_TAGS: ['span'],
        ALLOWED_ATTR: ['class'],
        RETURN_DOM_FRAGMENT: true,
      }),
    );
  }
}

let fonts = null;

/** Puts a formula in the place of its source, which stays where it cannot be read. */
async function typeset(code) {
  const source = code.textContent;
  if (code.dataset.read) {
    return;
  }
  code.dataset.read = 'yes';
  const { default: katex } = await import('katex');
  fonts ??= styleSheet(new URL('../katex/katex.css', import.meta.url));
  await fonts;
  await idle();
  const place = document.createElement('span');
  place.className = code.className;
  try {
    // With its own fonts: few devices have one in which browsers draw MathML well.
    const drawn = katex.__renderToDomTree(source, {
      displayMode: code.classList.contains('alone'),
      maxExpand: 200,
    });
    setStylesAside(drawn);
    place.append(drawn.toNode());
    place.querySelectorAll('[data-style]').forEach((part) => {
      part.style.cssText = part.dataset.style;
      delete part.dataset.style;
    });
    code.replaceWith(place);
  } catch {
    // Its source says what it was to be.
  }
}

/** Lets the styles that KaTeX would write as attributes, which the policy of the page forbids, be set by script. */
function setStylesAside({ attributes, children = [] }) {
  if (attributes?.style) {
    attributes['data-style'] = attributes.style;
    delete attributes.style;
  }
  children.forEach(setStylesAside);
}
