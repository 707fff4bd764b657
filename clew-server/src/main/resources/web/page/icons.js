// Small drawings beside words. None of them says anything that words do not say too.

import { html, svg } from 'lit';

const draw = (lines) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${lines}</svg>`;

export const icons = {
  add: draw(svg`<path d="M12 5v14M5 12h14"/>`),
  search: draw(svg`<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>`),
  close: draw(svg`<path d="M6 6l12 12M18 6 6 18"/>`),
  more: draw(
    svg`<circle cx="5" cy="12" r="1.1"/><circle cx="12" cy="12" r="1.1"/><circle cx="19" cy="12" r="1.1"/>`,
  ),
  list: draw(svg`<rect x="3.5" y="4.5" width="17" height="15" rx="2.5"/><path d="M9.5 4.5v15"/>`),
  pin: draw(svg`<path d="M9 4h6l-.8 6 3.3 3.5h-11L9.8 10zM12 13.5V20"/>`),
  branch: draw(
    svg`<circle cx="7" cy="5.5" r="2"/><circle cx="7" cy="18.5" r="2"/><circle cx="17" cy="8.5" r="2"/><path d="M7 7.5v9M17 10.5c0 4-10 2-10 6"/>`,
  ),
  send: draw(svg`<path d="M12 19V5M6 11l6-6 6 6"/>`),
  stop: draw(svg`<rect x="7" y="7" width="10" height="10" rx="1.5" class="solid"/>`),
  down: draw(svg`<path d="M12 5v14M6 13l6 6 6-6"/>`),
  copy: draw(svg`<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2"/>`),
  edit: draw(svg`<path d="m5 19 .8-3.6L16.2 5a1.6 1.6 0 0 1 2.3 0l.5.5a1.6 1.6 0 0 1 0 2.3L8.6 18.2z"/>`),
  again: draw(svg`<path d="M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5"/>`),
  back: draw(svg`<path d="M14.5 6 8.5 12l6 6"/>`),
  forward: draw(svg`<path d="m9.5 6 6 6-6 6"/>`),
  undo: draw(svg`<path d="M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3"/>`),
  tool: draw(svg`<path d="M14.5 6.5a4 4 0 0 0-5.2 5L4 16.8 7.2 20l5.3-5.3a4 4 0 0 0 5-5.2L15 12l-3-3z"/>`),
  check: draw(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  thought: draw(svg`<path d="M7 16.5h9.5a4 4 0 0 0 .6-8 5.5 5.5 0 0 0-10.6-.8A4.4 4.4 0 0 0 7 16.5zM6.5 20h.1"/>`),
  fold: draw(svg`<path d="M4 9h16M4 15h16M9 4l3 3 3-3M9 20l3-3 3 3"/>`),
  trash: draw(svg`<path d="M5 7h14M10 7V4.8h4V7M7 7l.8 12.2h8.4L17 7"/>`),
  archive: draw(svg`<path d="M4.5 9v9.5h15V9M3.5 5h17v4h-17zM10 13h4"/>`),
  tag: draw(svg`<path d="M4.5 4.5h7l8 8-7 7-8-8zM8.3 8.3h.1"/>`),
  clip: draw(svg`<path d="m19 11.500-7 7a4.500 4.500 0 0 1-6.400-6.400l7.500-7.500a3 3 0 0 1 4.300 4.300l-7.300 7.300a1.500 1.500 0 0 1-2.200-2.200l6.600-6.500"/>`),
  about: draw(svg`<circle cx="12" cy="12" r="8"/><path d="M12 11v5M12 8h.1"/>`),
  good: draw(svg`<path d="M7.500 11v8.500h-3V11zM7.500 11l3.500-7a2 2 0 0 1 2.200 2.400L12.500 10h5.300a1.700 1.700 0 0 1 1.600 2.100l-1.500 6a1.800 1.800 0 0 1-1.700 1.400H7.500"/>`),
  bad: draw(svg`<path d="M7.500 13V4.500h-3V13zM7.500 13l3.500 7a2 2 0 0 0 2.200-2.400L12.500 14h5.300a1.700 1.700 0 0 0 1.600-2.100l-1.500-6a1.800 1.800 0 0 0-1.700-1.400H7.500"/>`),
  told: draw(svg`<path d="M5 5h14v10.500h-7.500L7.500 19v-3.500H5zM8.500 8.800h7M8.500 11.800h4.500"/>`),
  unfold: draw(svg`<path d="m8 10 4-4 4 4M8 14l4 4 4-4"/>`),
  spark: draw(svg`<path d="M12 4.500 13.800 10.200 19.500 12l-5.700 1.800L12 19.500l-1.800-5.700L4.500 12l5.700-1.800z"/>`),
  link: draw(svg`<path d="M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1"/>`),
  wrap: draw(svg`<path d="M4 6h16M4 12h12.5a3 3 0 0 1 0 6H12M14.5 15.500 12 18l2.500 2.500M4 18h4"/>`),
  folder: draw(svg`<path d="M3.5 6.500h6l2 2.500h9v9.500h-17z"/>`),
  passing: draw(svg`<circle cx="12" cy="12" r="8" stroke-dasharray="3.2 3"/><path d="M12 7.500V12l3 2"/>`),
  file: draw(svg`<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4"/>`),
  out: draw(svg`<path d="M12 15V4M7.5 8 12 3.8 16.5 8M5 14v5.5h14V14"/>`),
  into: draw(svg`<path d="M12 4v11M7.5 11l4.5 4.2 4.5-4.2M5 14v5.5h14V14"/>`),
  select: draw(svg`<rect x="4.5" y="4.5" width="15" height="15" rx="3"/><path d="m8.5 12 2.5 2.5 4.5-5"/>`),
  key: draw(svg`<rect x="3" y="6.5" width="18" height="11" rx="2"/><path d="M7 10.5h.1M12 10.5h.1M17 10.5h.1M8 14h8"/>`),
  sun: draw(svg`<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>`),
  word: draw(svg`<path d="M4 6h9M8.5 4v2M11 6c-1 5-4 8-7 9M6.5 9c1.500 3 3.500 4.500 5.500 5.500M12 20l4.500-10L21 20M13.600 16.500h5.800"/>`),
  chart: draw(svg`<path d="M4 20h16M7 16v-5M12 16V5M17 16v-8"/>`),
  shield: draw(svg`<path d="M12 3.5 5 6v5.500c0 4.500 3 7.500 7 9 4-1.500 7-4.500 7-9V6z"/>`),
  leave: draw(svg`<path d="M10 4.5H5v15h5M14.500 8l4 4-4 4M18.500 12H9.500"/>`),
};
