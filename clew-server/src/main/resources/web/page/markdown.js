// Markdown as elements. Raw HTML is shown as the text it is; what Markdown makes is checked again;
// images are links, so that no request leaves for where a text says.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { say } from './words.js';

const escape = (text) =>
  text.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a class="image" href="${escape(href)}">${escape(text)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

const ALLOWED = {
  ALLOWED_TAGS: [
    'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li',
    'ol', 'p', 'pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
  ],
  ALLOWED_ATTR: ['href', 'class', 'start', 'align', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/**
 * Draws a text into an element. Blocks that have not changed since the last time are left as they
 * are, so a text that grows costs only what is new, and what is selected in it stays selected.
 */
export function drawMarkdown(element, text, growing) {
  let tokens;
  try {
    tokens = marked.lexer(text);
  } catch {
    tokens = [{ type: 'text', raw: text, text: escape(text) }]; // nested deeper than it can follow
  }
  const drawn = element.drawn ?? [];
  let same = 0;
  while (same < drawn.length && same < tokens.length && drawn[same] === tokens[same].raw) {
    same++;
  }
  while (element.childNodes.length > same) {
    element.lastChild.remove();
  }
  for (const token of tokens.slice(same)) {
    element.append(block(token));
  }
  element.drawn = tokens.map((token) => token.raw);
  decorate(element, same, growing);
}

/** One element for each token, so that they can be counted. */
function block(token) {
  const holder = document.createElement('div');
  holder.className = 'block';
  try {
    holder.append(DOMPurify.sanitize(marked.parser([token]), ALLOWED));
  } catch {
    holder.textContent = token.raw;
  }
  for (const link of holder.querySelectorAll('a')) {
    secure(link);
  }
  return holder;
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

function decorate(element, from, growing) {
  const blocks = [...element.children];
  blocks.forEach((holder, index) => {
    const table = index >= from && holder.querySelector(':scope > table');
    if (table) {
      holder.classList.add('wide');
      holder.tabIndex = 0; // so that it can be scrolled without a mouse
    }
    const code = holder.querySelector(':scope > pre > code');
    const finished = !growing || index < blocks.length - 1;
    if (code && !holder.querySelector('.code-head')) {
      frame(holder, code);
    }
    if (code && finished && !code.dataset.highlighted) {
      highlight(code);
    }
  });
}

const languageOf = (code) => /language-(\S+)/.exec(code.className)?.[1] ?? '';

/** Puts a line above code: its language, and a button that copies it. */
function frame(holder, code) {
  const head = document.createElement('div');
  head.className = 'code-head';
  const name = document.createElement('span');
  name.textContent = languageOf(code);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-code';
  button.textContent = say('copyCode');
  head.append(name, button);
  holder.classList.add('code');
  holder.prepend(head);
  code.parentElement.tabIndex = 0;
}

const LONGEST_HIGHLIGHTED = 40_000;

async function highlight(code) {
  const language = languageOf(code);
  if (!language || code.textContent.length > LONGEST_HIGHLIGHTED) {
    return;
  }
  code.dataset.highlighted = 'yes';
  const { default: hljs } = await import('highlightjs');
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
