// To the words that were looked for, which may be far down in a long text.

const MOST = 200;

/** What is not said, only written beside it. */
const isBeside = (node) => node.parentElement.closest('button, .actions') !== null;

/** Where a text, or else one of its words, stands in an element. */
export function ranges(element, text) {
  const words = new Set([text, ...text.split(/\s+/)].filter(Boolean));
  const said = (node) => (isBeside(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, said);
  const nodes = [];
  while (walker.nextNode()) {
    nodes.push({ node: walker.currentNode, says: walker.currentNode.data.toLowerCase() });
  }
  for (const word of words) {
    const found = [];
    for (const { node, says } of nodes) {
      for (let at = says.indexOf(word); at >= 0 && found.length < MOST; ) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + word.length, node.length));
        found.push(range);
        at = says.indexOf(word, at + word.length);
      }
    }
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

/** Scrolls to a place. */
export function toTheMiddle(range) {
  range.startContainer.parentElement.scrollIntoView({ block: 'center' });
  const pane = document.querySelector('clew-thread .scroll');
  const { top, height } = pane.getBoundingClientRect();
  pane.scrollTop += range.getBoundingClientRect().top - top - height / 2;
}

/** Shows where a text, or else one of its words, stands in an entry. */
export async function toWord(entry, text) {
  await entry.querySelector('clew-message, clew-tool-card')?.updateComplete;
  const found = ranges(entry, text);
  if (found.length > 0) {
    toTheMiddle(found[0]);
  }
}
